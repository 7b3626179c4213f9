#!/usr/bin/env python3
"""RankSVM against the published RankSVM-Struct results of LETOR 4.0, under the LETOR convention.

C is chosen on each fold's validation part by MeanNDCG. The published averages are those of LETOR 4.0's
baselines. Exits 1 when test MAP or MeanNDCG is off by more than 0.005, or training MeanNDCG is more
than 0.005 below."""
import sys

from five_fold import five_folds

PUBLISHED = {  # test MAP, test MeanNDCG, training MeanNDCG
    "MQ2007": (0.46448, 0.49664, 0.4993),
    "MQ2008": (0.46956, 0.4832, 0.49038),
}


# RankSVM-Struct sums over all pairs; this is the range in which its C lies for such sums.
PATH = "0.001,0.01,0.03,0.1,0.3,1,3,10,100"


def main():
    learner = " ".join(["ranksvm", *(sys.argv[1:] or ["--pairs", "sum", "--C", PATH])])
    results = five_folds(PUBLISHED, [learner], {"letor": "AP,MeanNDCG"}, ("test", "train"),
                         ("--measure", "MeanNDCG", "--convention", "letor"))
    wrong = 0
    print(f"{'set':10} {'figure':16} {'podium':>8} {'published':>9} {'difference':>10}")
    for name, published in PUBLISHED.items():
        mine = results[name, learner]
        figures = [("test MAP", mine["test", "AP"]), ("test MeanNDCG", mine["test", "MeanNDCG"]),
                   ("train MeanNDCG", mine["train", "MeanNDCG"])]
        for (figure, value), reference in zip(figures, published):
            difference = value - reference
            bad = difference < -0.005 or (figure.startswith("test") and difference > 0.005)
            wrong += bad
            print(f"{name:10} {figure:16} {value:8.4f} {reference:9.4f} {difference:+10.4f}{' !' if bad else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
