#!/usr/bin/env python3
"""nDCG@1 and nDCG@5 against the number of trees for GBDT, GBRank, ListMLE and IntervalRank, with and without
the pointwise term Reg: the analogue of [Moon10] Figure 3, on synthetic data of MSLR's shape with hosts.

As in the paper 600 trees, and only the two best-scored documents of each host count. The paper used 8,180 training and 916 test
queries of a search engine and showed, for each loss, the best of several configurations on the test set. Here every learner has
its defaults, so that nothing is chosen on test data. Writes docs/results/intervalrank.md. Arguments: training queries, trees."""
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

from five_fold import podium
from pages import markdown, write_table

RUNS = {
    "GBDT": "mart",
    "GBRank": "gbrank",
    "GBRank Reg": "gbrank --pointwise 0.1",
    "ListMLE": "boosting --loss listmle",
    "ListMLE Reg": "boosting --loss listmle --pointwise 0.1",
    "IntervalRank": "intervalrank",
    "IntervalRank Reg": "intervalrank --pointwise 0.1",
    "LambdaMART": "lambdamart",
}
MEASURES = ["nDCG@1", "nDCG@5"]
POINTS = (1, 2, 5, 10, 25, 50, 100, 200, 300, 400, 500, 600)
HOSTS, PER_HOST = 40, 2


def prefixes(model, points, folder):
    """The model after so many trees, as files of its own."""
    forest = json.loads(model.read_text())
    trees = forest["model"]["trees"]
    files = []
    for point in points:
        forest["model"]["trees"] = trees[:point]
        files.append(folder / f"{model.stem}-{point}.json")
        files[-1].write_text(json.dumps(forest))
    return files


def evaluated(models, test, *limit):
    arguments = [text for model in models for text in ("--model", model)]
    results = podium("eval", "--data", test, *arguments, "--measures", ",".join(MEASURES), *limit)["results"]
    return [[result["measures"][measure] for measure in MEASURES] for result in results]


def curve(learner, points, folder):
    """[[measures]] at the points under the hosts' rule, and at the last without it."""
    model = folder / f"{list(RUNS.values()).index(learner)}.json"
    podium("train", *learner.split(), "--data", folder / "train.podium", "--trees", points[-1], "--leaves", 31, "--model", model)
    models = prefixes(model, points, folder)
    test = folder / "test.podium"
    return evaluated(models, test, "--per-host", PER_HOST), evaluated(models[-1:], test)[0]


def bold_best(cells):
    return [f"**{c:.4f}**" if c == max(cells) else f"{c:.4f}" for c in cells]


def main():
    queries, trees = (int(a) for a in (sys.argv[1:] + ["2000", "600"][len(sys.argv) - 1:]))
    points = [n for n in POINTS if n <= trees]
    tests = max(queries // 4, 100)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part, count, seed in (("train", queries, 1), ("test", tests, 2)):
            podium("synth", "--preset", "mslr", "--queries", count, "--seed", seed, "--hosts", HOSTS, "-o",
                   folder / f"{part}.podium")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            curves = list(pool.map(lambda learner: curve(learner, points, folder), RUNS.values()))
    text = f"{queries} training and {tests} test queries with {HOSTS} hosts each.\n\n"
    for m, measure in enumerate(MEASURES):
        rows = [[str(point), *bold_best([rows[i][m] for rows, _ in curves])] for i, point in enumerate(points)]
        rows.append([f"{points[-1]}, all documents", *bold_best([free[m] for _, free in curves])])
        text += f"### {measure}\n\n" + markdown(["trees", *RUNS], rows) + "\n"
    print(text)
    write_table("intervalrank.md", "figure 3", text)


if __name__ == "__main__":
    main()
