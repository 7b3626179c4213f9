#!/usr/bin/env python3
"""The form of [Yue07]'s tables: SVM-map against the best base functions (Tables 6 to 8) and against other SVMs (Tables 9 to 11).

The paper's TREC submissions are not to be had, so single features of OHSUMED and MQ2008 stand for its base functions. As there: 50 queries,
50 trials, 10 queries to train on, 5 to choose C on, 35 to test on, every query in each role equally often; features cut into 50
indicators; mean average precision over queries, wins/losses of SVM-map, ** where Wilcoxon's test says p <= 0.05. Writes
docs/results/svm-map.md."""
import json
import subprocess

from five_fold import PODIUM, ROOT, data_folder, program
from pages import markdown, write_table

SETS = ["OHSUMED", "MQ2008"]
BASE = {"feature": "best feature", "feature#2": "2nd best", "feature#3": "3rd best"}
SOLVE = ",C=0.01,0.1,1,10,100,epsilon=0.01,max-passes=300"
# name in the comparison: (learner with its options, the paper's name)
SVMS = {"svm-map": ("svm-map(bins=50{})", "SVM-map"), "svm-roc": ("svm-auc(bins=50{})", "SVM-roc"), "svm-acc": ("svm-acc(bins=50{})", "SVM-acc"),
        "svm-acc2": ("svm-acc(variant=balanced,bins=50{})", "SVM-acc2"), "svm-acc3": ("svm-acc(variant=percentile{})", "SVM-acc3"),
        "svm-acc4": ("svm-acc(variant=minmax{})", "SVM-acc4")}
WITHOUT = ["svm-map", "svm-roc"]  # the others take most of the time and are far behind


def fifty_queries(name):
    """Fifty queries, evenly taken from those that have good and bad documents."""
    folder = data_folder([name]) / name
    queries = {}
    for k in range(1, 6):
        for line in open(folder / f"Fold{k}/test.txt", encoding="utf-8"):
            queries.setdefault(line.split(None, 2)[1], []).append(line)
    useful = [lines for lines in queries.values() if {line[0] == "0" for line in lines} == {True, False}]
    path = ROOT / f"build/recipes/sigir07-{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line for i in range(50) for line in useful[i * len(useful) // 50]))
    return path


def compare(name, data, learners, *more):
    folder = ROOT / "build/recipes" / f"{name}-{program()}"
    subprocess.run([PODIUM, "compare", "--data", data, "--learners", ",".join(learners), "--measures", "AP", "--trials", "50",
                    "--train-queries", "10", "--valid-queries", "5", "--baseline", "svm-map", "--test", "wilcoxon", "--quiet",
                    *more, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "results.json").read_text())


def record(results, name):
    """Wins and losses of svm-map against a system, with [Yue07]'s stars."""
    for pair in results["statistics"]["measures"]["AP"]["pairs"]:
        if {pair["a"], pair["b"]} == {"svm-map", name}:
            wins, losses = (pair["wins"], pair["losses"])[::1 if pair["a"] == "svm-map" else -1]
            p = pair["p"]["wilcoxon"]
            return f"{wins}/{losses}" + (" **" if p is not None and p <= 0.05 else "")
    raise KeyError(name)


def systems(svms, features=""):
    """Base functions see the data as it is; SVMs see 50 indicators of each feature, and perhaps not all features."""
    return [*BASE, *(f"{name}={SVMS[name][0].format(SOLVE + features)}" for name in svms)]


def all_but(feature, count):
    """A list of feature numbers without one."""
    return ",".join(f"{a}-{b}" for a, b in ((1, feature - 1), (feature + 1, count)) if a <= b)


def table(results, names):
    rows = []
    for system, shown in {"svm-map": "SVM-map", **names}.items():
        row = [shown]
        for name in SETS:
            value = {one["name"]: one["test"]["AP"] for one in results[name]["systems"]}
            row += [f"{value[system]:.3f}", "—" if system == "svm-map" else record(results[name], system)]
        rows.append(row)
    return markdown(["model", *(f"{name} {what}" for name in SETS for what in ("MAP", "W/L"))], rows)


def main():
    data = {name: fifty_queries(name) for name in SETS}
    full = {name: compare(f"sigir07-{name}", data[name], systems(SVMS)) for name in SETS}
    best, without = {}, {}
    for name in SETS:
        shares = next(one for one in full[name]["systems"] if one["name"] == "feature")["importance"]
        best[name] = int(shares[0]["feature"])
        rest = all_but(best[name], full[name]["data"]["features"])
        without[name] = compare(f"sigir07-{name}-without", data[name], systems(WITHOUT, f",features={rest}"))
    others = {name: shown for name, (_, shown) in SVMS.items() if name != "svm-map"}
    for place, results, names in (("base", full, BASE), ("svms", full, others), ("base without", without, BASE),
                                  ("svms without", without, {"svm-roc": "SVM-roc"})):
        text = table(results, names)
        if "without" in place:
            text = "Left out: " + ", ".join(f"feature {best[name]} of {name}" for name in SETS) + ".\n\n" + text
        print(f"# {place}\n{text}")
        write_table("svm-map.md", place, text)


if __name__ == "__main__":
    main()
