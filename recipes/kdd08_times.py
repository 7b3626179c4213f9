#!/usr/bin/env python3
"""Where training time goes: [Chakrabarti08] Figure 8 (argmax against the quadratic programme) and Figure 10 (McRank against the structural
SVMs). The first fold of OHSUMED, MQ2008 and MQ2007, each as it is and cleaned (cleaned.py), C = 1, gap 0.1 %, one thread; writes
docs/results/structural-svm-times.md."""
import json
import pathlib
import subprocess
import tempfile

from cleaned import both, folder_of
from five_fold import PODIUM
from pages import markdown, write_table

SETS = both(["OHSUMED", "MQ2008", "MQ2007"])
LEARNERS = ["ranksvm", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "dorm", "dorm --cut 0 --k 0"]
MCRANK = "mcrank --trees 30"  # as many rounds as the paper


def diagnostics(learner, train):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "d.tsv"
        subprocess.run([PODIUM, "train", *learner.split(), "--C", "1", "--data", train, "--threads", "1", "--quiet",
                        "--diagnostics", table], check=True, stdout=subprocess.DEVNULL)
        head, row = (line.split("\t") for line in table.read_text().splitlines())
        return {name: float(value) for name, value in zip(head, row)}


def seconds(learner, train):
    """Of fitting, without reading."""
    result = subprocess.run([PODIUM, "train", *learner.split(), "--data", train, "--threads", "1", "--quiet", "--json"], check=True,
                            capture_output=True, text=True)
    return json.loads(result.stdout)["seconds"]


def main():
    trains = {name: folder_of(name) / "Fold1/train.txt" for name in SETS}
    figures = {(learner, name): diagnostics(learner, trains[name]) for learner in LEARNERS for name in SETS}
    rows = []
    for (learner, name), d in figures.items():
        share = lambda part, d=d: 100 * d[f"seconds in {part}"] / d["seconds"]
        rows.append([f"`{learner}`", name, f"{d['passes']:.0f}", f"{1000 * d['seconds']:.1f}", f"{share('losses'):.0f}",
                     f"{share('products'):.0f}", f"{share('programme'):.1f}"])
    text = markdown(["learner", "set", "passes", "milliseconds", "argmax %", "products %", "programme %"], rows)
    print(text)
    write_table("structural-svm-times.md", "figure 8", text)
    rows = []
    for name in SETS:
        forest = seconds(MCRANK, trains[name])
        svms = [figures[learner, name]["seconds"] for learner in ("svm-ndcg", "svm-mrr")]
        rows.append([name, f"{1000 * forest:.0f}", *(f"{1000 * s:.1f}" for s in svms), *(f"{forest / s:.0f}" for s in svms)])
    text = markdown(["set", f"`{MCRANK}`", "`svm-ndcg`", "`svm-mrr`", "McRank / SVM-ndcg", "McRank / SVM-mrr"], rows)
    print(text)
    write_table("structural-svm-times.md", "figure 10", text)


if __name__ == "__main__":
    main()
