#!/usr/bin/env python3
"""Train criterion against test criterion for the structural SVMs: the analogue of [Chakrabarti08] Figure 9.

Five-fold means of test nDCG@10, MAP and MRR@10 on OHSUMED and MQ2008 (and MQ2007 with --all), C chosen on
each fold's validation part by nDCG@10. Writes docs/results/structural-svms.md."""
import sys

from five_fold import five_folds
from pages import write_table

LEARNERS = ["svm-acc", "ranksvm", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr",
            "svm-mrr --map po", "svm-combo", "dorm", "feature"]
MEASURES = ["RR@10", "nDCG@10", "AP"]


def main():
    sets = ["OHSUMED", "MQ2008"] + (["MQ2007"] if "--all" in sys.argv else [])
    results = five_folds(sets, LEARNERS, {"podium": ",".join(MEASURES)})
    head = "| train | " + " | ".join(f"{name} {m}" for name in sets for m in ("MRR@10", "nDCG@10", "MAP")) + " |"
    lines = [head, "|---" * (1 + 3 * len(sets)) + "|"]
    best = {(name, m): max(results[name, learner]["test", m] for learner in LEARNERS)
            for name in sets for m in MEASURES}
    for learner in LEARNERS:
        cells = []
        for name in sets:
            for m in MEASURES:
                value = results[name, learner]["test", m]
                cells.append(f"**{value:.4f}**" if value == best[name, m] else f"{value:.4f}")
        lines.append(f"| {learner} | " + " | ".join(cells) + " |")
    table = "\n".join(lines)
    write_table("structural-svms.md", "table", table)
    print(table)


if __name__ == "__main__":
    main()
