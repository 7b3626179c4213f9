"""Learners on data like that of rank aggregation: each of 21 engines has a score for about half of the documents, the
better a document the more likely, and all other scores are missing. Prints the table of docs/guide/missing-values.md:

    python missing_values.py PODIUM [--worlds 5] [--queries 200]

Engines tell good documents from bad ones well in one half of the table, and badly in the other. Each learner is trained
on 200 queries, chooses on 100 more, and is tested on 500 others of the same world. Needs numpy. The seeds are fixed.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import tempfile

import numpy as np

ENGINES, DOCS = 21, 20
NOISE = {"good engines": 1, "bad engines": 3}  # relative to the spread of quality
LEARNERS = (("linear", ("--impute", "zero", "--indicators", "no")), ("lambdamart", ()), ("linear", ()), ("listnet", ()),
            ("ranksvm", ()))


def write(path, noise_of_all, world, part, queries):
    """An engine's score is a document's quality, as well as the engine sees it, on the engine's own scale."""
    law = np.random.default_rng(world)
    noise, scale, base = noise_of_all * law.uniform(0.5, 2, ENGINES), law.uniform(1, 10, ENGINES), law.uniform(5, 20, ENGINES)
    draw = np.random.default_rng((world, part))
    quality = draw.normal(size=queries * DOCS)
    seen = quality[:, None] + draw.normal(size=(len(quality), ENGINES)) * noise
    scores = base + scale * seen
    listed = noise_of_all * draw.normal(size=scores.shape) < seen
    labels = np.digitize(quality, (0.5, 1.2, 1.9))
    with open(path, "w") as file:
        file.write("label,qid," + ",".join(f"engine{e + 1}" for e in range(ENGINES)) + "\n")
        for i, (row, has) in enumerate(zip(scores, listed)):
            file.write(f"{labels[i]},{i // DOCS}," + ",".join(f"{x:.4g}" if there else "" for x, there in zip(row, has)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--worlds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=200)
    options = parser.parse_args()
    values = {which: {kind: [] for kind in NOISE} for which in LEARNERS}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, world in itertools.product(NOISE, range(options.worlds)):
            for part, (file, queries) in enumerate((("train", options.queries), ("valid", 100), ("test", 500))):
                write(folder / f"{file}.csv", NOISE[kind], world, part, queries)
            for learner, more in LEARNERS:
                train = [options.program.resolve(), "train", learner, "--data", "train.csv", "--valid", "valid.csv", *more,
                         "--model", "model.json", "--force", "--quiet"]
                subprocess.run(train, check=True, cwd=folder)
                found = subprocess.run([options.program.resolve(), "eval", "--model", "model.json", "--data", "test.csv", "--measures",
                                        "nDCG@10", "--json", "--quiet"], check=True, capture_output=True, text=True, cwd=folder)
                values[learner, more][kind].append(json.loads(found.stdout)["results"][0]["measures"]["nDCG@10"])
    print(f"| learner | {' | '.join(NOISE)} |\n|---|" + "---|" * len(NOISE))
    for (learner, more), kinds in values.items():
        cells = " | ".join(f"{np.mean(found):.3f} ({min(found):.3f} to {max(found):.3f})" for found in kinds.values())
        print(f"| `{' '.join((learner, *more))}` | {cells} |")


if __name__ == "__main__":
    main()
