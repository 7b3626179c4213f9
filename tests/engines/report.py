"""The page docs/results/engines.md from what the checks stored: report.py RESULTS.jsonl. The last line of a check counts."""

import json
import sys

NAMES = {"mpi": "mpi4py", "torch": "torchrun", "dask": "Dask", "ray": "Ray", "spark": "Spark"}
INTRODUCTION = """# Training on engines

Written by `make test-engines REPORT=docs/results/engines.md` (`tests/engines/report.py`), from trainings on one machine: every engine finds the bytes of a single process. Learners train shortly:
lambdamart 10 trees, svm-map C = 0.1, lambdarank 5 epochs, directrank one restart and one round. MQ2008 is Fold1's training data.
[The guide](../guide/engines.md) says how to train; times of longer trainings are in [the last section](#beside-mpirun).

## Models

The hash is of the model's JSON and the same in all columns; seconds are those of the whole call with 1, 2 and 3 workers (one alone is connected to nobody, whatever would connect it), while two cores
were busy with much else: the same call takes from one to ten times as long. "—" was not run for this page.
"""


def table(header, rows):
    return "\n".join(["| " + " | ".join(header) + " |", "|---" * len(header) + "|", *("| " + " | ".join(row) + " |" for row in rows)])


def models(lines):
    found = {}
    for line in lines:
        if "hash" in line:
            found[line["data"], line["learner"], line["engine"], line["backend"], line["workers"]] = line
    ways = sorted({key[2:4] for key in found}, key=lambda way: (list(NAMES).index(way[0]), way[1]))
    header = ["data", "learner", "hash", *(NAMES[engine] if engine in ("mpi", "torch") else f"{NAMES[engine]}, {'torch' if backend == 'torch' else 'its own'}"
                                           for engine, backend in ways)]
    rows = []
    for data, learner in dict.fromkeys(key[:2] for key in found):
        row = [data, f"`{learner}`", ", ".join(sorted({f"`{line['hash']}`" for key, line in found.items() if key[:2] == (data, learner)}))]
        for way in ways:
            cells = [found.get((data, learner, *way, workers)) for workers in (1, 2, 3)]
            row.append(", ".join("—" if one is None else f"{one['seconds']:.1f}" + ("" if one["same"] else " differs") for one in cells))
        rows.append(row)
    return table(header, rows)


def cases(lines):
    found = {(line["engine"], line["case"]): line for line in lines if "case" in line}
    rows = [[NAMES[engine], case, text(line["said"]), f"{line['seconds']:.1f}"] for (engine, case), line in found.items()]
    rows.sort(key=lambda row: list(NAMES.values()).index(row[0]))
    return table(["engine", "what", "the driver, or every worker, has", "s"], rows)


def text(said):
    """As a cell: without names of temporary files and processes."""
    words = ["FILE" if word.startswith("/tmp/") else word for word in said.split()]
    return " ".join(words).replace("|", "\\|").replace("<", "&lt;")[:220]


def main(results, page):
    with open(results) as file:
        lines = [json.loads(line) for line in file]
    kept = ""
    try:
        with open(page) as file:
            kept = file.read().partition("\n## Beside mpirun\n")[2]
    except FileNotFoundError:
        pass
    out = [INTRODUCTION, models(lines), "\n## When something goes wrong\n", cases(lines)]
    if kept:
        out.append("\n## Beside mpirun\n" + kept.rstrip("\n"))
    with open(page, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
