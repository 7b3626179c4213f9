#!/usr/bin/env python3
"""The form of [Yue07]'s tables: SVM-map against the best base functions (Tables 6 to 8) and against other SVMs (Tables 9 to 11).

The paper's TREC submissions are not available, so single features of OHSUMED and MQ2008 stand for its base functions. As there: 50 queries,
50 trials, 10 queries to train on, 5 to choose C on, 35 to test on, every query in each role equally often; 50 thresholds for each
feature, at its quantiles (evenly spaced for SVM-acc3 and SVM-acc4); mean average precision over queries, wins/losses of SVM-map, **
where Wilcoxon's test says p <= 0.05. Writes docs/results/svm-map.md.

usage: sigir07_tables.py [TRIALS]   with fewer than 50 trials the page is left alone"""
import collections
import sys

from five_fold import ROOT, data_folder, program
from pages import markdown, write_table
from yue07_trials import compare, record

SETS = ["OHSUMED", "MQ2008"]
BASE = {"feature": "best feature", "feature#2": "2nd best", "feature#3": "3rd best"}
GRID = ["1e-4", "3.2e-4", "1e-3", "3.2e-3", "0.01", "0.032", "0.1", "0.32", "1", "3.2", "10", "32", "100"]
# A classifier's loss is a sum over documents, not one number per query, so the same C weighs it more: its grid ends two values earlier. These two
# would take most of the time of the whole recipe.
ACC_GRID = GRID[:-2]
# name in the comparison: (learner with its options, the paper's name)
SVMS = {"svm-map": ("svm-map(bins=50{})", "SVM-map"), "svm-roc": ("svm-auc(bins=50{})", "SVM-roc"),
        "svm-acc": ("svm-acc(variant=acc,bins=50{})", "SVM-acc"), "svm-acc2": ("svm-acc(variant=acc2,bins=50{})", "SVM-acc2"),
        "svm-acc3": ("svm-acc(variant=acc3{})", "SVM-acc3"), "svm-acc4": ("svm-acc(variant=acc4{})", "SVM-acc4")}


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


def results_folder(name, trials):
    return ROOT / "build/recipes" / f"{name}-{trials}-{program()}"


def systems(features=""):
    """Base functions see the data as it is; SVMs see 50 indicators of each feature, and perhaps not all features."""
    def solve(name):
        return f",C={','.join(ACC_GRID if 'acc' in name else GRID)},epsilon=0.001{features}"

    return [*BASE, *(f"{name}={learner.format(solve(name))}" for name, (learner, _) in SVMS.items())]


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


def chosen(results):
    """How often each C was chosen, over the trials of both sets."""
    rows = []
    for name in SETS:
        for one in results[name]["systems"]:
            if one["name"] not in SVMS:
                continue
            grid = ACC_GRID if "acc" in one["name"] else GRID
            counts = collections.Counter(cell["chosen"]["C"] for cell in one["cells"])
            rows.append([f"{name} {SVMS[one['name']][1]}", *(str(counts[float(c)]) if c in grid else "" for c in GRID)])
    return markdown(["C", *GRID], rows)


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    data = {name: fifty_queries(name) for name in SETS}
    full = {name: compare(results_folder(f"sigir07-{name}", trials), data[name], systems(), trials) for name in SETS}
    best, without = {}, {}
    for name in SETS:
        shares = next(one for one in full[name]["systems"] if one["name"] == "feature")["importance"]
        best[name] = int(shares[0]["feature"])
        rest = all_but(best[name], full[name]["data"]["features"])
        without[name] = compare(results_folder(f"sigir07-{name}-without", trials), data[name], systems(f",features={rest}"), trials)
    others = {name: shown for name, (_, shown) in SVMS.items() if name != "svm-map"}
    texts = {"base": table(full, BASE), "svms": table(full, others), "chosen": chosen(full),
             "base without": table(without, BASE), "svms without": table(without, others)}
    for place, text in texts.items():
        if "without" in place:
            text = "Left out: " + ", ".join(f"feature {best[name]} of {name}" for name in SETS) + ".\n\n" + text
        print(f"# {place}\n{text}")
        if trials == 50:
            write_table("svm-map.md", place, text)


if __name__ == "__main__":
    main()
