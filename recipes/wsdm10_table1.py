#!/usr/bin/env python3
"""IntervalRank on OHSUMED beside [Moon10] Table 1: nDCG@1…5, P@1…5 and MAP as the LETOR tool counts them.

As in the paper 125 trees, and everything else chosen on each fold's validation part: leaves, step, λ1, λ2, and further the pointwise
term, the targets, the ridge of the leaves and the barrier. Every configuration is trained once per fold and evaluated on the
validation and the test part; rows differ in what chooses among them. Writes docs/results/intervalrank.md: Table 1, how often
each value was chosen, LETOR 2.0's official figures beside the paper's baselines, and the effect of the barrier."""
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import statistics
import tempfile

from five_fold import data_folder, podium
from interval_barrier import barrier_table
from pages import markdown, write_table

MEASURES = [f"nDCG@{k}" for k in range(1, 6)] + [f"P@{k}" for k in range(1, 6)] + ["AP"]
TREES = 125
VALUES = {
    "leaves": (3, 5, 10, 20),
    "learning-rate": (0.02, 0.05, 0.1),
    "lambda1": (10, 100, 1000),  # and λ2 a tenth of it
    "pointwise": (0, 0.1),
    "targets": ("linear", "exp2", "0/0.5/3"),
    "l2": (1, 10, 100),
    "barrier": (0, 1, 8, 64),
}
SMALL = {"leaves": (5, 10, 20), "learning-rate": (0.05, 0.1), "targets": ("linear",), "l2": (10,), "barrier": (0,)}
SAMPLED = 114  # configurations beside the small grid
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


def configurations():
    """The small grid of leaves, step, λ and pointwise term, then a sample of the rest of the product."""
    every = [dict(zip(VALUES, values)) for values in itertools.product(*VALUES.values())]
    small = [c for c in every if all(c[name] in values for name, values in SMALL.items())]
    rest = [c for c in every if c not in small]
    return small, small + random.Random(1).sample(rest, SAMPLED)


def command(c):
    options = [("trees", TREES), ("leaves", c["leaves"]), ("learning-rate", c["learning-rate"]), ("lambda1", c["lambda1"]),
               ("lambda2", c["lambda1"] / 10), ("targets", c["targets"]), ("l2", c["l2"])]
    options += [("pointwise", c["pointwise"])] if c["pointwise"] else []
    options += [("barrier", c["barrier"])] if c["barrier"] else []
    return ["intervalrank"] + [text for name, value in options for text in (f"--{name}", value)]


def trained(fold, learner, choose=()):
    """[measures on validation], [measures on test] of one training."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        podium("train", *learner, "--data", fold / "train.txt", "--model", model, "--convention", "letor", *choose)
        return [list(podium("eval", "--data", fold / f"{part}.txt", "--model", model, "--convention", "letor",
                            "--measures", ",".join(MEASURES))["results"][0]["measures"].values()) for part in ("vali", "test")]


def in_parallel(tasks):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda task: trained(*task), tasks))


def chosen(runs, score):
    """For each fold the index of the run with the best score(validation, test), the earliest of equals."""
    return [max(range(len(fold)), key=lambda i: (score(*fold[i]), -i)) for fold in runs]


def mean_row(runs, indices):
    return [statistics.fmean(values) for values in zip(*(fold[i][1] for fold, i in zip(runs, indices)))]


def by(measure):
    return lambda vali, test: vali[MEASURES.index(measure)]


def main_table(folds, small, configured, runs):
    """The rows of Table 1, and for each row chosen from all configurations which were chosen."""
    few = [fold[:len(small)] for fold in runs]
    picks = {
        "`intervalrank`, chosen by MAP": chosen(runs, by("AP")),
        "`intervalrank`, chosen by nDCG@5": chosen(runs, by("nDCG@5")),
        "`intervalrank`, chosen by the mean of all eleven": chosen(runs, lambda vali, test: statistics.fmean(vali)),
    }
    rows = {
        f"`intervalrank`, {len(small)} configurations, by MAP": mean_row(few, chosen(few, by("AP"))),
        f"`intervalrank`, {len(small)} configurations, by nDCG@5": mean_row(few, chosen(few, by("nDCG@5"))),
    }
    rows |= {name: mean_row(runs, indices) for name, indices in picks.items()}
    others = {"`lambdamart --leaves 10`": ["lambdamart", "--leaves", 10], "`ranksvm`": ["ranksvm"], "`feature`": ["feature"]}
    for name, learner in others.items():
        results = in_parallel([(fold, learner, ("--valid", fold / "vali.txt", "--measure", "AP")) for fold in folds])
        rows[name] = [statistics.fmean(values) for values in zip(*(test for _, test in results))]
    # Not fair figures: what choosing on the test parts would give.
    alike = max(range(len(configured)), key=lambda i: statistics.fmean(fold[i][1][0] for fold in runs))
    rows["*chosen on test*, one configuration for all folds, by nDCG@1"] = mean_row(runs, [alike] * len(runs))
    rows["*chosen on test*, one per fold, by nDCG@1"] = mean_row(runs, chosen(runs, lambda vali, test: test[0]))
    return rows, picks


def choices_table(configured, picks):
    lines = []
    for name, values in VALUES.items():
        cells = []
        for indices in picks.values():
            count = collections.Counter(configured[i][name] for i in indices)
            cells.append(", ".join(f"{value}: {count[value]}" for value in values if count[value]))
        lines.append([f"`--{name}`", ", ".join(map(str, values)), *cells])
    return markdown(["option", "values", *(name.removeprefix("`intervalrank`, chosen ") for name in picks)], lines)


def editions_table(source):
    """The paper's baselines beside LETOR 2.0's official test means."""
    lines = []
    for name, values in PAPER.items():
        path = pathlib.Path(source) / f"fixtures/letor2-ohsumed-official-results/{name}.tsv"
        if not path.exists():
            continue
        # Of the test part, then training and validation: nDCG, P and MAP.
        averages = [line.split("\t")[1:] for line in path.read_text().splitlines() if line.startswith("Average")][:3]
        official = [float(averages[block][column]) for block, column in ((0, 0), (0, 1), (0, 4), (1, 0), (2, 0))]
        paper = [values[i] for i in (0, 1, 4, 5, 10)]
        lines.append([name, *(f"{a:.4f} / {b:.4f}" for a, b in zip(paper, official))])
    return markdown(["paper / LETOR 2.0", "N@1", "N@2", "N@5", "P@1", "MAP"], lines)


def main():
    folder = data_folder(["OHSUMED", "MQ2008"])
    folds = [folder / f"OHSUMED/Fold{k}" for k in range(1, 6)]
    small, configured = configurations()
    results = in_parallel([(fold, command(c)) for fold in folds for c in configured])
    runs = [results[k * len(configured):(k + 1) * len(configured)] for k in range(len(folds))]
    rows, picks = main_table(folds, small, configured, runs)
    head = ["", *(f"N@{k}" for k in range(1, 6)), *(f"P@{k}" for k in range(1, 6)), "MAP"]
    rows = {f"{name} (paper)": values for name, values in PAPER.items()} | rows
    tables = {
        "table 1": markdown(head, [[name, *(f"{v:.4f}" for v in values)] for name, values in rows.items()]),
        "choices": choices_table(configured, picks),
        "editions": editions_table(os.environ["PODIUM_DATA"]),
        "barrier": barrier_table(folder),
    }
    for name, text in tables.items():
        print(text)
        write_table("intervalrank.md", name, text)


if __name__ == "__main__":
    main()
