#!/usr/bin/env python3
"""Podium's best learner against other tools on MQ2007 and MQ2008, with a paired test over all queries.

"Podium lambdamart", LightGBM and XGBoost (where the Python packages are installed) stop early on each fold's validation part and take the best of the
same six pairs of leaves and rate there; "Podium" takes the best of 16 candidates of several learners, on the same validation part. RankLib's and SVMrank's test scores are those of
$PODIUM_DATA/fixtures/reference-scores. All scores are evaluated by `podium eval`. Writes docs/results/peers.md."""
import importlib.util
import itertools
import json
import lzma
import os
import pathlib
import subprocess
import sys

from boosted_trees import read_letor
from five_fold import PODIUM, ROOT, data_folder, podium, program
from pages import markdown, write_table

SETS = ["MQ2007", "MQ2008"]
GRID = list(itertools.product((7, 15, 31), (0.05, 0.1)))  # leaves, learning rate
SAMPLED = "query-fraction=0.5,feature-fraction=0.5"
CANDIDATES = [f"lambdamart(leaves={n},learning-rate={r})" for n, r in GRID]
CANDIDATES += [f"{learner}(leaves=10,learning-rate=0.05,{SAMPLED})" for learner in ("lambdamart", "intervalrank", "mart", "gbrank")]
CANDIDATES += [f"lambdamart(objective=ap,leaves=10,learning-rate=0.05,{SAMPLED})", "lambdarank", "listnet", "mlp", "frank", "ranksvm"]
MEASURES = ["nDCG@1", "nDCG@5", "nDCG@10", "AP", "RR"]
REFERENCE = {"RankLib LambdaMART": "LambdaMART", "RankLib RankBoost": "RankBoost", "RankLib AdaRank": "AdaRank", "SVMrank": "svm_rank"}
# $PODIUM_DATA/fixtures/peer-results.md: the best of sixteen programs in each column, ties in input order.
BEST_MEASURED = {"MQ2007": [.4154, .4233, .4517, .4702, .5859], "MQ2008": [.3771, .4619, .5049, .4783, .5417]}


def fold_of(name, k):
    return data_folder([name]) / name / f"Fold{k}"


def compared(name):
    """The candidates' cells: {fold: [(validation nDCG@10, name, cell)]}, and the folder with the models."""
    folder = ROOT / f"build/recipes/peers-{name}-{program()}"
    subprocess.run([PODIUM, "compare", "--data", data_folder([name]) / name, "--learners", ",".join(CANDIDATES), "--measures", "nDCG@10",
                    "--quiet", "-o", folder], check=True, stdout=subprocess.DEVNULL)
    folds = {}
    for system in json.loads((folder / "results.json").read_text())["systems"]:
        for cell in system["cells"]:
            if cell["status"] == "done":
                folds.setdefault(cell["fold"], []).append((cell["valid"]["nDCG@10"], system["name"], system["learner"], cell))
    return folds, folder


def model_of(folder, learner, cell):
    for path in (folder / "models").glob(f"*.{cell['fold']}.json"):
        model = json.loads(path.read_text())
        if model["learner"] == learner and model["options"] == cell["options"]:
            return path
    sys.exit(f"no model of {learner} in {folder}")


def podium_scores(name, candidates):
    """Test scores over all folds; each fold's candidate is the one that is best on its validation part."""
    folds, folder = compared(name)
    scores = []
    for fold in sorted(folds):
        _, _, learner, cell = max((one for one in folds[fold] if one[1] in candidates), key=lambda one: one[0])
        text = subprocess.run([PODIUM, "score", "--model", model_of(folder, learner, cell), "--data", data_folder([name]) / name / fold / "test.txt",
                               "--quiet"], check=True, capture_output=True, text=True).stdout
        scores += text.split()
    return scores


def ndcg(fold, scores):
    """Validation nDCG@10 as podium computes it."""
    path = ROOT / "build/recipes/valid-scores.txt"
    path.write_text("".join(f"{s!r}\n" for s in scores))
    return podium("eval", "--data", fold / "vali.txt", "--scores", path, "--measures", "nDCG@10")["results"][0]["measures"]["nDCG@10"]


def lightgbm_fit(train, valid, leaves, rate):
    import lightgbm
    sets = [lightgbm.Dataset(x, y, group=g) for x, y, g in (train, valid)]
    booster = lightgbm.train({"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "num_leaves": leaves, "learning_rate": rate,
                              "num_threads": os.cpu_count(), "verbose": -1, "seed": 1}, sets[0], 500, [sets[1]],
                             callbacks=[lightgbm.early_stopping(50, verbose=False)])
    return booster.predict


def xgboost_fit(objective):
    def fit(train, valid, leaves, rate):
        import xgboost
        sets = [xgboost.DMatrix(x, y) for x, y, _ in (train, valid)]
        for matrix, (_, _, groups) in zip(sets, (train, valid)):
            matrix.set_group(groups)
        booster = xgboost.train({"objective": objective, "eval_metric": "ndcg@10", "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0,
                                 "max_leaves": leaves, "eta": rate, "nthread": os.cpu_count(), "seed": 1}, sets[0], 500, evals=[(sets[1], "valid")],
                                early_stopping_rounds=50, verbose_eval=False)
        return lambda x: booster.predict(xgboost.DMatrix(x), iteration_range=(0, booster.best_iteration + 1))
    return fit


def tuned(name, fit):
    """Test scores of a peer over all folds, leaves and rate chosen on each validation part."""
    scores = []
    for k in range(1, 6):
        fold = fold_of(name, k)
        train, valid, test = (read_letor(fold / f"{part}.txt") for part in ("train", "vali", "test"))
        best = max(((ndcg(fold, predict(valid[0]).tolist()), i, predict) for i, predict in
                    enumerate(fit(train, valid, leaves, rate) for leaves, rate in GRID)), key=lambda one: one[:2])
        scores += [repr(s) for s in best[2](test[0]).tolist()]
    return scores


def reference(name, system):
    path = pathlib.Path(os.environ["PODIUM_DATA"]) / "fixtures/reference-scores" / system / name
    files = [path / f"Fold{k}/test.score.xz" for k in range(1, 6)]
    if not all(file.exists() for file in files):
        return None
    return [line for file in files for line in lzma.open(file, "rt").read().split()]


def systems_of(name):
    systems = {"Podium": podium_scores(name, CANDIDATES), "Podium lambdamart": podium_scores(name, CANDIDATES[:len(GRID)])}
    if importlib.util.find_spec("lightgbm"):
        systems["LightGBM lambdarank"] = tuned(name, lightgbm_fit)
    if importlib.util.find_spec("xgboost"):
        systems["XGBoost rank:ndcg"] = tuned(name, xgboost_fit("rank:ndcg"))
    for shown, system in REFERENCE.items():
        if (values := reference(name, system)) is not None:
            systems[shown] = values
    return systems


def main():
    text = ""
    for name in SETS:
        systems = systems_of(name)
        folder = ROOT / f"build/recipes/peer-scores-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        data = folder / "test.txt"
        data.write_text("".join((fold_of(name, k) / "test.txt").read_text() for k in range(1, 6)))
        arguments = []
        for system, scores in systems.items():
            (folder / f"{system}.txt").write_text("\n".join(scores) + "\n")
            arguments += ["--scores", folder / f"{system}.txt"]
        result = podium("eval", "--data", data, *arguments, "--measures", ",".join(MEASURES), "--baseline", "Podium")
        values = {one["name"]: one["measures"] for one in result["results"]}
        tests = {(one["name"], one["measure"]): one for one in result["comparisons"]}
        rows = []
        for system in systems:
            row = [system]
            for measure in MEASURES:
                cell = f"{values[system][measure]:.4f}"
                if system != "Podium":
                    test = tests[system, measure]
                    cell += f" (p {test['p']:.2g}{', **' if test['max_t'] is not None and test['max_t'] <= 0.05 else ''})"
                row.append(cell)
            rows.append(row)
        rows.append(["best of 16 programs, each column", *(f"{v:.4f}" for v in BEST_MEASURED[name])])
        text += f"### {name}\n\n" + markdown(["system", *MEASURES], rows) + "\n"
    print(text)
    write_table("peers.md", "table", text)


if __name__ == "__main__":
    sys.exit(main())
