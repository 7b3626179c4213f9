#!/usr/bin/env python3
"""Five-fold test results of the tree learners on MQ2008, MQ2007 and OHSUMED: nDCG@1, 3, 5, 10 and MAP.

Defaults (leaves by the size of the data), 31 leaves, and 10 leaves; the number of trees is chosen on each fold's validation part by nDCG@10. Where the
Python package lightgbm is installed its lambdarank runs beside them on the same folds with the same
leaves, trees, rate, bins and early stopping, and its scores are evaluated by the same program. Writes
docs/results/boosted-trees.md. Arguments: names of sets (default: all three)."""
import concurrent.futures
import os
import pathlib
import statistics
import sys
import tempfile

from five_fold import data_folder, five_folds, podium
from pages import write_table

SETS = ["MQ2008", "MQ2007", "OHSUMED"]
NAMES = ["mart", "lambdamart", "mcrank", "gbrank", "isotonic", "intervalrank"]
LEARNERS = NAMES + [f"{name} --leaves {n}" for n in (31, 10) for name in NAMES] + ["feature"]
MEASURES = ["nDCG@1", "nDCG@3", "nDCG@5", "nDCG@10", "AP"]
SHAPE = {"trees": 500, "leaves": 31, "rate": 0.1, "bins": 255, "stop": 50, "min_docs": 20}


def read_letor(path):
    """Labels, dense rows and query sizes of a LETOR file whose features are numbered from 1."""
    import numpy
    labels, rows, sizes, last = [], [], [], None
    for line in open(path, encoding="utf-8"):
        words = line.split("#")[0].split()
        labels.append(float(words[0]))
        rows.append([float(word.split(":")[1]) for word in words[2:]])
        if words[1] != last:
            sizes.append(0)
            last = words[1]
        sizes[-1] += 1
    return numpy.array(rows, dtype=numpy.float32), numpy.array(labels), sizes


def lightgbm_fold(fold):
    import lightgbm
    train, valid, test = (read_letor(fold / f"{part}.txt") for part in ("train", "vali", "test"))
    sets = [lightgbm.Dataset(x, y, group=g, free_raw_data=False) for x, y, g in (train, valid)]
    booster = lightgbm.train(
        {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "num_leaves": SHAPE["leaves"],
         "learning_rate": SHAPE["rate"], "max_bin": SHAPE["bins"], "min_data_in_leaf": SHAPE["min_docs"],
         "num_threads": 1, "verbose": -1, "seed": 1},
        sets[0], SHAPE["trees"], [sets[1]],
        callbacks=[lightgbm.early_stopping(SHAPE["stop"], verbose=False)])
    with tempfile.TemporaryDirectory() as folder:
        scores = pathlib.Path(folder) / "lightgbm.txt"
        scores.write_text("".join(f"{s!r}\n" for s in booster.predict(test[0]).tolist()))
        result = podium("eval", "--data", fold / "test.txt", "--scores", scores, "--measures", ",".join(MEASURES))
    return result["results"][0]["measures"]


def lightgbm_row(name):
    folder = data_folder([name])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folds = list(pool.map(lightgbm_fold, [folder / name / f"Fold{k}" for k in range(1, 6)]))
    return {m: statistics.fmean(fold[m] for fold in folds) for m in MEASURES}


def main():
    sets = sys.argv[1:] or SETS
    try:
        import lightgbm  # noqa: F401
        peer = True
    except ImportError:
        peer = False
        print("lightgbm is not installed: its row is left out", file=sys.stderr)
    results = five_folds(sets, LEARNERS, {"podium": ",".join(MEASURES)})
    text = ""
    for name in sets:
        rows = {learner: {m: results[name, learner]["test", m] for m in MEASURES} for learner in LEARNERS}
        if peer:
            rows["LightGBM lambdarank"] = lightgbm_row(name)
        best = {m: max(row[m] for row in rows.values()) for m in MEASURES}
        text += f"### {name}\n\n| learner | " + " | ".join(MEASURES[:-1]) + " | MAP |\n" + "|---" * 6 + "|\n"
        for learner, row in rows.items():
            cells = [f"**{row[m]:.4f}**" if row[m] == best[m] else f"{row[m]:.4f}" for m in MEASURES]
            text += f"| {learner} | " + " | ".join(cells) + " |\n"
        text += "\n"
    print(text)
    if sets == SETS:
        write_table("boosted-trees.md", "table", text)


if __name__ == "__main__":
    main()
