#!/usr/bin/env python3
"""Where training time goes: the analogue of [Chakrabarti08] Figures 8 and 10. The first fold of OHSUMED, MQ2008 and
MQ2007, C = 1, gap 0.1 %, one thread; writes docs/results/structural-svm-times.md."""
import pathlib
import subprocess
import tempfile

from five_fold import PODIUM, ROOT, data_folder

SETS = ["OHSUMED", "MQ2008", "MQ2007"]
LEARNERS = ["ranksvm", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "dorm", "dorm --cut 0 --k 0"]


def measure(learner, train):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "d.tsv"
        subprocess.run([PODIUM, "train", *learner.split(), "--C", "1", "--data", train, "--threads", "1", "--quiet",
                        "--diagnostics", table], check=True, stdout=subprocess.DEVNULL)
        head, row = (line.split("\t") for line in table.read_text().splitlines())
        return {name: float(value) for name, value in zip(head, row)}


def main():
    folder = data_folder(SETS)
    lines = ["| learner | set | passes | milliseconds | argmax % | products % | programme % |", "|---|---|---|---|---|---|---|"]
    for learner in LEARNERS:
        for name in SETS:
            d = measure(learner, folder / name / "Fold1/train.txt")
            share = lambda part: 100 * d[f"seconds in {part}"] / d["seconds"]
            lines.append(f"| {learner} | {name} | {d['passes']:.0f} | {1000 * d['seconds']:.1f} | {share('losses'):.0f} | "
                         f"{share('products'):.0f} | {share('programme'):.1f} |")
    text = "\n".join(["# Structural SVMs: where the time goes", "",
                      "Made by `recipes/kdd08_times.py`: the first fold's training part of each set (OHSUMED 63 queries, MQ2008 471,",
                      "MQ2007 1,017), C = 1, a gap of 0.1 %, one thread. *argmax* is the search for most violated rankings with the line",
                      "searches, *products* the scores and gradients, *programme* the quadratic programme. Times vary with the machine,",
                      "shares less so.", "", *lines, ""])
    (ROOT / "docs/results/structural-svm-times.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
