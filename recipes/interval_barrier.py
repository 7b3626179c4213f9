"""What a finite barrier does to IntervalRank: [Moon10] Section 3.4 expects larger separation between grades of a small μ.
Used by wsdm10_table1.py."""
import concurrent.futures
import os
import pathlib
import statistics
import tempfile

from five_fold import podium
from pages import markdown

BARRIERS = (1, 8, 64, 0)
SETS = ("OHSUMED", "MQ2008")
MEASURES = ("nDCG@1", "nDCG@5", "AP")


def separation(data, scores):
    """Of the scores: the mean over queries and neighbouring grades of the difference of their mean scores, and
    the same divided by the standard deviation within grades, which does not change with the scale of the scores."""
    queries = {}
    with open(data, encoding="utf-8") as rows, open(scores, encoding="utf-8") as values:
        for row, value in zip(rows, values):
            label, qid = row.split(None, 2)[:2]
            queries.setdefault(qid, {}).setdefault(float(label), []).append(float(value))
    gaps, within = [], []
    for grades in queries.values():
        means = {grade: statistics.fmean(group) for grade, group in grades.items()}
        order = sorted(means)
        gaps += [means[b] - means[a] for a, b in zip(order, order[1:])]
        within += [(s - means[grade]) ** 2 for grade, group in grades.items() for s in group]
    return statistics.fmean(gaps), statistics.fmean(gaps) / statistics.fmean(within) ** 0.5


def one_fold(fold, barrier):
    """Training separation (as it is, and in standard deviations), then validation and test measures."""
    with tempfile.TemporaryDirectory() as folder:
        model, scores = pathlib.Path(folder) / "model.json", pathlib.Path(folder) / "scores.txt"
        podium("train", "intervalrank", "--trees", 125, "--leaves", 10, "--barrier", barrier, "--data", fold / "train.txt",
               "--model", model)
        values = []
        for part in ("train", "test"):
            podium("score", "--model", model, "--data", fold / f"{part}.txt", "-o", scores)
            values += separation(fold / f"{part}.txt", scores)
        for part in ("vali", "test"):
            values += podium("eval", "--data", fold / f"{part}.txt", "--model", model, "--convention", "letor", "--measures",
                             ",".join(MEASURES))["results"][0]["measures"].values()
    return values


def barrier_table(folder):
    tasks = [(name, barrier, folder / f"{name}/Fold{k}") for name in SETS for barrier in BARRIERS for k in range(1, 6)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda task: one_fold(task[2], task[1]), tasks))
    rows = []
    for name in SETS:
        for barrier in BARRIERS:
            of_folds = [values for (s, b, _), values in zip(tasks, results) if (s, b) == (name, barrier)]
            means = [statistics.fmean(values) for values in zip(*of_folds)]
            rows.append([name, str(barrier) if barrier else "exact", *(f"{v:.3f}" for v in means[:4]), *(f"{v:.4f}" for v in means[4:])])
    head = ["set", "μ", "train gap", "train gap / sd", "test gap", "test gap / sd"]
    return markdown(head + [f"{part} {m}" for part in ("vali", "test") for m in ("N@1", "N@5", "MAP")], rows)
