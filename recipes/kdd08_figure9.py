#!/usr/bin/env python3
"""Train criterion against test criterion: [Chakrabarti08] Figures 7 and 9, on OHSUMED, MQ2008 and MQ2007, each as it is and cleaned as in the
paper's section 4.1 (cleaned.py).

Five-fold means on the test parts, C chosen on each fold's validation part by nDCG@10. nDCG@10 both in Podium's form and in the paper's (binary
gains, the first two ranks not discounted). Writes docs/results/structural-svms.md."""
from cleaned import both, folder_of
from five_fold import five_folds
from pages import markdown, write_table

SETS = both(["OHSUMED", "MQ2008", "MQ2007"])
BEFORE = "svm-combo --losses structured-map,structured-ndcg-nc,structured-mrr"
LEARNERS = ["svm-acc", "ranksvm", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "svm-mrr --map po", "svm-mrr --map po --k 0",
            "svm-combo", "svm-combo --losses structured-map,structured-ndcg-nc,structured-mrr(map=po)@0", BEFORE, "dorm",
            "svm-map --bound ramp", "svm-ndcg --bound ramp", "svm-mrr --bound ramp", "svm-mrr --map po --bound ramp", "dorm --labels binary --bound ramp",
            "mcrank --trees 30", "feature"]
PAPER = "nDCG(gain=0;1;1,discount=letor)@10"
MEASURES = {"RR@10": "MRR@10", "nDCG@10": "nDCG@10", PAPER: "nDCG@10 as in the paper", "AP": "MAP"}


def value(figures, measure):
    """Of a learner on the test parts; names of measures are as the program prints them."""
    for (part, name), figure in figures.items():
        if part == "test" and (name == measure or (measure == PAPER and "letor" in name)):
            return figure
    raise KeyError(measure)


def main():
    results = five_folds(SETS, LEARNERS, {"podium": ",".join(MEASURES)}, folder_of=folder_of)
    text = ""
    for name in SETS:
        best = {m: max(value(results[name, learner], m) for learner in LEARNERS) for m in MEASURES}
        rows = []
        for learner in LEARNERS:
            cells = [value(results[name, learner], m) for m in MEASURES]
            rows.append([f"`{learner}`", *(f"**{x:.4f}**" if x == best[m] else f"{x:.4f}" for x, m in zip(cells, MEASURES))])
        text += f"### {name}\n\n" + markdown(["train", *MEASURES.values()], rows) + "\n"
    write_table("structural-svms.md", "table", text)
    print(text)


if __name__ == "__main__":
    main()
