#!/usr/bin/env python3
"""Five-fold test results of the gradient learners on MQ2008, MQ2007 and OHSUMED, and ListNet beside its official
LETOR 4.0 figures.

Defaults throughout, but for a row that gives lambdarank LightGBM's scaling and truncation; models are chosen on each
fold's validation part by nDCG@10. Writes docs/results/gradient-learners.md."""
from five_fold import five_folds
from pages import write_table

SETS = ["MQ2008", "MQ2007", "OHSUMED"]
LIGHTGBM_FORCES = "lambdarank --norm lightgbm --truncation 30 --learning-rate 0.003"
LEARNERS = ["ranknet", "lambdarank", LIGHTGBM_FORCES, "listnet", "listmle", "rankcosine", "smoothrank", "softrank",
            "frank", "mlp", "feature"]
MEASURES = ["nDCG@1", "nDCG@3", "nDCG@5", "nDCG@10", "AP"]


def main():
    results = five_folds(SETS, LEARNERS, {"podium": ",".join(MEASURES)})
    text = ""
    for name in SETS:
        best = {m: max(results[name, learner]["test", m] for learner in LEARNERS) for m in MEASURES}
        text += f"### {name}\n\n| learner | " + " | ".join(MEASURES[:-1]) + " | MAP |\n" + "|---" * 6 + "|\n"
        for learner in LEARNERS:
            row = results[name, learner]
            cells = [f"**{row['test', m]:.4f}**" if row["test", m] == best[m] else f"{row['test', m]:.4f}"
                     for m in MEASURES]
            text += f"| {learner} | " + " | ".join(cells) + " |\n"
        text += "\n"
    text += "### ListNet as the LETOR 4.0 script counts\n\n| set | chosen by | MAP | NDCG@5 |\n|---|---|---|---|\n"
    for label, choose in (("nDCG@10", ("--measure", "nDCG@10")),
                          ("MAP", ("--measure", "AP", "--convention", "letor"))):
        letor = five_folds(SETS[:2], ["listnet"], {"letor": "AP,nDCG@5"}, choose=choose)
        for name in SETS[:2]:
            row = letor[name, "listnet"]
            text += f"| {name} | {label} | {row['test', 'AP']:.4f} | {row['test', 'nDCG@5']:.4f} |\n"
    print(text)
    write_table("gradient-learners.md", "table", text)


if __name__ == "__main__":
    main()
