#!/usr/bin/env python3
"""nDCG@1 and nDCG@5 against the number of trees for GBDT, GBRank, ListMLE and IntervalRank, with and without
the pointwise term Reg: the analogue of [Moon10] Figure 3, on synthetic data of MSLR's shape.

The paper used 8,180 training and 916 test queries of a search engine and 600 trees, and showed the best of
several configurations on the test set. Here every learner has its defaults, and the data is made by
`podium synth --preset mslr`. Writes docs/results/intervalrank.md. Arguments: training queries, trees."""
import csv
import pathlib
import sys
import tempfile

from five_fold import podium
from pages import write_table

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


def curve(learner, train, test, trees, folder):
    log = folder / "log.tsv"
    podium("train", *learner.split(), "--data", train, "--valid", test, "--measure", ",".join(MEASURES),
           "--trees", trees, "--early-stopping", 0, "--diagnostics", log, "--model", folder / "model.json")
    with open(log, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def main():
    queries, trees = (int(a) for a in (sys.argv[1:] + ["2000", "600"][len(sys.argv) - 1:]))
    points = [n for n in (10, 25, 50, 100, 200, 300, 400, 500, 600) if n <= trees]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part, count, seed in (("train", queries, 1), ("test", max(queries // 4, 100), 2)):
            podium("synth", "--preset", "mslr", "--queries", count, "--seed", seed, "-o",
                   folder / f"{part}.podium")
        curves = {run: curve(learner, folder / "train.podium", folder / "test.podium", trees, folder)
                  for run, learner in RUNS.items()}
    text = f"{queries} training and {max(queries // 4, 100)} test queries.\n\n"
    for measure in MEASURES:
        text += f"### {measure}\n\n| trees | " + " | ".join(RUNS) + " |\n" + "|---" * (1 + len(RUNS)) + "|\n"
        for point in points:
            cells = [float(rows[point - 1][f"valid {measure}"]) for rows in curves.values()]
            best = max(cells)
            text += f"| {point} | " + " | ".join(f"**{c:.4f}**" if c == best else f"{c:.4f}" for c in cells) + " |\n"
        text += "\n"
    print(text)
    write_table("intervalrank.md", "figure 3", text)


if __name__ == "__main__":
    main()
