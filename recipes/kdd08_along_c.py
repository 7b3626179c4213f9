#!/usr/bin/env python3
"""The structural SVMs along C: [Chakrabarti08] Figures 4 (average slack), 5 (objective over objective at w = 0) and 6 (norm of w,
over its largest). The first fold's training part of OHSUMED, MQ2008 and MQ2007, each as it is and cleaned (cleaned.py); C from 0.001 to
1000, gap 0.1 %. Writes
docs/results/structural-svms-along-c.md."""
import concurrent.futures
import csv
import os
import pathlib
import subprocess
import tempfile

from cleaned import both, folder_of
from five_fold import PODIUM
from pages import markdown, write_table

SETS = both(["OHSUMED", "MQ2008", "MQ2007"])
LEARNERS = ["svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "svm-mrr --map po", "svm-combo", "dorm", "ranksvm",
            "svm-ndcg --bound ramp", "svm-mrr --bound ramp", "dorm --labels binary --bound ramp"]
GRID = ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]


def path_of(learner, train):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "path.tsv"
        subprocess.run([PODIUM, "train", *learner.split(), "--C", ",".join(GRID), "--data", train, "--valid", train, "--quiet", "--threads",
                        "1", "--diagnostics", table], check=True, stdout=subprocess.DEVNULL)
        with open(table, encoding="utf-8") as lines:
            return {float(row["C"]): row for row in csv.DictReader(lines, delimiter="\t")}


def main():
    folders = {name: folder_of(name) for name in SETS}
    tasks = [(name, learner) for name in SETS for learner in LEARNERS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = dict(zip(tasks, pool.map(lambda task: path_of(task[1], folders[task[0]] / "Fold1/train.txt"), tasks)))
    for title, column in (("slack", "slack"), ("objective", "objective/objective(0)"), ("norm", "norm")):
        text = ""
        for name in SETS:
            rows = []
            for learner in LEARNERS:
                values = [float(paths[name, learner][float(c)][column]) for c in GRID]
                if column == "norm":
                    values = [value / max(max(values), 1e-300) for value in values]
                rows.append([learner, *(f"{value:.4f}" for value in values)])
            text += f"### {name}\n\n" + markdown(["learner", *(f"C = {c}" for c in GRID)], rows) + "\n"
        print(f"# {title}\n{text}")
        write_table("structural-svms-along-c.md", title, text)


if __name__ == "__main__":
    main()
