#!/usr/bin/env python3
"""IntervalRank on OHSUMED beside [Moon10] Table 1: nDCG@1…5, P@1…5 and MAP as the LETOR tool counts them.

As in the paper at most 125 trees, and nodes, step size and weights are chosen on each fold's validation part
(here by MAP, from a small grid). Writes the table into docs/results/intervalrank.md."""
import concurrent.futures
import itertools
import os
import pathlib
import statistics
import tempfile

from five_fold import data_folder, podium
from pages import write_table

MEASURES = [f"nDCG@{k}" for k in range(1, 6)] + [f"P@{k}" for k in range(1, 6)] + ["AP"]
GRID = [f"--leaves {leaves} --learning-rate {rate} --lambda1 {l1} --lambda2 {l2} {reg}"
        for leaves, rate, (l1, l2), reg in itertools.product(
            (5, 10, 20), (0.05, 0.1), ((10, 1), (100, 10), (1000, 100)), ("", "--pointwise 0.1"))]
# The paper's figures, its Table 1.
PAPER = {
    "RankBoost": [.4632, .4504, .4555, .4543, .4494, .5576, .5481, .5609, .5580, .5447, .4411],
    "RankSVM": [.4958, .4331, .4207, .4240, .4164, .5974, .5494, .5427, .5443, .5319, .4334],
    "FRank": [.5300, .5008, .4812, .4694, .4588, .6429, .6195, .5925, .5840, .5638, .4439],
    "ListNet": [.5326, .4810, .4732, .4561, .4432, .6524, .6093, .6016, .5745, .5502, .4457],
    "AdaRank.MAP": [.5388, .4789, .4682, .4721, .4613, .6338, .5959, .5895, .5887, .5674, .4487],
    "AdaRank.NDCG": [.5330, .4922, .4790, .4688, .4673, .6719, .6236, .5984, .5838, .5767, .4498],
    "IntervalRank": [.5628, .5448, .4900, .4703, .4609, .6892, .6522, .5768, .5556, .5488, .4466],
}


def one_fold(fold, grid, choose):
    best = None
    with tempfile.TemporaryDirectory() as folder:
        for options in grid:
            model = pathlib.Path(folder) / "model.json"
            summary = podium("train", *options.split(), "--data", fold / "train.txt", "--valid",
                             fold / "vali.txt", "--model", model, "--measure", choose, "--convention", "letor")
            value = next(iter(summary["measures"]["valid"].values()))
            if best is None or value > best[0]:
                result = podium("eval", "--data", fold / "test.txt", "--model", model, "--convention", "letor",
                                "--measures", ",".join(MEASURES))
                best = value, result["results"][0]["measures"]
    return list(best[1].values())


def row(grid, choose):
    folder = data_folder(["OHSUMED"]) / "OHSUMED"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folds = list(pool.map(lambda k: one_fold(folder / f"Fold{k}", grid, choose), range(1, 6)))
    return [statistics.fmean(values) for values in zip(*folds)]


def main():
    rows = {
        "`intervalrank`, chosen by MAP": row([f"intervalrank --trees 125 {o}" for o in GRID], "AP"),
        "`intervalrank`, chosen by nDCG@5": row([f"intervalrank --trees 125 {o}" for o in GRID], "nDCG@5"),
        "`lambdamart --leaves 10`": row(["lambdamart --leaves 10"], "AP"),
        "`ranksvm`": row(["ranksvm"], "AP"),
        "`feature`": row(["feature"], "AP"),
    }
    text = "| | " + " | ".join(f"N@{k}" for k in range(1, 6)) + " | " + " | ".join(f"P@{k}" for k in range(1, 6))
    text += " | MAP |\n" + "|---" * 12 + "|\n"
    for name, values in list(PAPER.items()) + list(rows.items()):
        label = f"{name} (paper)" if name in PAPER else name
        text += f"| {label} | " + " | ".join(f"{v:.4f}" for v in values) + " |\n"
    print(text)
    write_table("intervalrank.md", "table 1", text)


if __name__ == "__main__":
    main()
