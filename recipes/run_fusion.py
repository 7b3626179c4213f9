#!/usr/bin/env python3
"""Runs combined with and without learning: the form of [Yue07]'s second data source, scores of TREC submissions.

The submissions are made from LETOR sets by recipes/runs.py. CombSUM, CombMNZ, reciprocal ranks and Borda's count combine them without learning (podium
fuse); SVM-map and others learn to combine their scores (podium prepare --runs). The fused scores are further columns of the same data, so all
figures of the second table come from the same trials: 50 queries, 50 trials, 10 queries to train on, 5 to choose on, 35 to test on. Writes
docs/results/run-fusion.md."""

from five_fold import ROOT, podium, program
from pages import markdown, write_table
from runs import write_runs
from yue07_trials import compare, record

DEPTH = {"OHSUMED": 50, "MQ2007": 20}  # documents per topic in a run: about a third and a half of a topic's documents
METHODS = {"combsum": "CombSUM", "combmnz": "CombMNZ", "rrf": "reciprocal ranks", "borda": "Borda"}
SOLVE = "C=0.01,0.1,1,10,100,epsilon=0.01,max-passes=300"
# name in the comparison: (learner, its options beside the features, shown)
LEARNED = {
    "svm-map": ("svm-map", f"bins=50,{SOLVE}", "SVM-map (indicators, as in the paper)"),
    "svm-roc": ("svm-auc", f"bins=50,{SOLVE}", "SVM-roc (indicators, as in the paper)"),
    "svm-map-scaled-bins": ("svm-map", f"normalize=query-minmax,bins=50,{SOLVE}", "SVM-map, scaled scores, indicators"),
    "svm-map-plain": ("svm-map", SOLVE, "SVM-map, scores as they are"),
    "svm-map-scaled": ("svm-map", f"normalize=query-minmax,{SOLVE}", "SVM-map, scaled scores"),
    "ranksvm": ("ranksvm", "normalize=query-minmax,C=0.01,0.1,1,10,100", "RankSVM, scaled scores"),
    "lambdamart": ("lambdamart", "normalize=query-minmax,trees=50,leaves=31", "LambdaMART, scaled scores"),
}
RUNS = {"feature": "best run", "feature#2": "2nd best run", "feature#3": "3rd best run"}


def make_data(name):
    """The runs, the fused runs, and data with one feature per run, fused or not."""
    folder = ROOT / f"build/recipes/run-fusion-{name}-{program()}"
    runs, qrels = write_runs(name, folder, DEPTH[name])
    fused = []
    for method in METHODS:
        fused.append(folder / f"{method}.run")
        podium("fuse", "--runs", ",".join(map(str, runs)), "--method", method, "-o", fused[-1])
    podium("prepare", "--runs", ",".join(map(str, [*runs, *fused])), "--qrels", qrels, "-o", folder / "data.csv")
    return folder, runs, fused, qrels


def systems(runs):
    """Base functions and learners see the runs' scores, a fused system the one column that is its own."""
    features = "features=" + ",".join(run.stem for run in runs)
    return [*(f"{name}={name}({features})" for name in RUNS), *(f"{name}=feature:{name}" for name in METHODS),
            *(f"{name}={learner}({options},{features})" for name, (learner, options, _) in LEARNED.items())]


def all_queries(made):
    """Every run by its MAP on all fifty topics, and the fused runs, cut to the runs' length."""
    columns = []
    for name, (_, runs, fused, qrels) in made.items():
        results = podium("eval", "--qrels", qrels, "--run", *runs, *fused, "--measures", "AP", "--depth", DEPTH[name])["results"]
        value = {one["name"]: one["measures"]["AP"] for one in results}
        order = sorted((run.stem for run in runs), key=value.get, reverse=True)
        cells = [f"{value[order[place]]:.3f} ({order[place]})" for place in (0, 1, 2, len(order) // 2, -1)]
        columns.append([*cells, *(f"{value[method]:.3f}" for method in METHODS)])
    names = ["best run", "2nd best run", "3rd best run", "middle run", "worst run", *METHODS.values()]
    return markdown(["system", *(f"{name} MAP" for name in made)], [[name, *cells] for name, *cells in zip(names, *columns)])


def trials(results):
    shown = {**{name: text for name, (_, _, text) in LEARNED.items()}, **RUNS, **METHODS}
    rows = []
    for system, text in shown.items():
        row = [text]
        for one in results.values():
            value = {each["name"]: each["test"]["AP"] for each in one["systems"]}
            row += [f"{value[system]:.3f}", "—" if system == "svm-map" else record(one, system)]
        rows.append(row)
    return markdown(["system", *(f"{name} {what}" for name in results for what in ("MAP", "W/L"))], rows)


def main():
    made = {name: make_data(name) for name in DEPTH}
    results = {name: compare(made[name][0] / "compare", made[name][0] / "data.csv", systems(made[name][1])) for name in made}
    for place, text in (("all queries", all_queries(made)), ("trials", trials(results))):
        print(f"# {place}\n{text}")
        write_table("run-fusion.md", place, text)


if __name__ == "__main__":
    main()
