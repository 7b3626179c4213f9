#!/usr/bin/env python3
"""How good the rankers of Podium are, beside tuned peers: test nDCG@10 of lambdamart (defaults, 31 leaves, each option), of the best single learner,
of `podium auto`, and of LightGBM, XGBoost and CatBoost, each tuned over the same six points, on the LETOR sets and on synthetic data.

Parts are training, validation and test; validation data choose leaves, rate, trees and learner, test data choose nothing. A set has five parts: its
folds, or five samples of a synthetic population. Each system's differences from the reference are tested by randomisation over the queries of all
parts. Every training run is kept in build/recipes/quality-…, so an interrupted run goes on, and later runs add sets and systems.
Arguments: [--sets MQ2008,letor:100,…] [--systems …] [--parts 5] [--jobs N] [--seconds 60,600]. Writes docs/results/quality.md."""
import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from five_fold import PODIUM, ROOT, data_folder, podium, program
from pages import markdown, write_table

MEASURE = "nDCG@10"
TREES, PATIENCE = 500, 50
GRID = list(itertools.product((7, 15, 31), (0.05, 0.1)))  # leaves, learning rate; what every tuned system chooses from
TEST_QUERIES = 500
LETOR = ["MQ2007", "MQ2008", "OHSUMED"]
PRESETS = ["plain", "letor", "mslr", "shop"]
SETS = LETOR + [f"{preset}:{queries}" for preset in PRESETS for queries in (100, 1000)]
CATEGORIES = {"shop": ["category", "brand", "colour"]}
OUTCOMES = {"shop": ["click", "purchase"]}  # columns that are no features
LIGHTGBM = "LightGBM, tuned"  # the reference of the tests


@dataclasses.dataclass
class Part:
    """Files of one part; peers read them as tables."""
    name: str
    train: pathlib.Path
    valid: pathlib.Path
    test: pathlib.Path
    categories: list
    outcomes: list

    def options(self):
        return [*(["--categorical", ",".join(self.categories)] if self.categories else []),
                *(["--ignore", ",".join(self.outcomes)] if self.outcomes else [])]


def parts_of(name, count):
    if name in LETOR:
        folds = [data_folder([name]) / name / f"Fold{k}" for k in range(1, count + 1)]
        return [Part(fold.name, fold / "train.txt", fold / "vali.txt", fold / "test.txt", [], []) for fold in folds]
    preset, queries = name.split(":")
    folder = ROOT / f"build/recipes/quality-data/{preset}-{queries}"
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for k in range(1, count + 1):
        files = {}
        for which, size, seed in (("train", int(queries), 100 + k), ("vali", max(20, int(queries) // 3), 200 + k), ("test", TEST_QUERIES, 300 + k)):
            files[which] = folder / f"{which}{k}.csv"
            if not files[which].exists():
                made = folder / f"{which}{k}.part.csv"
                subprocess.run([PODIUM, "synth", "--quiet", "--preset", preset, "--queries", str(size), "--seed", str(seed), "-o", made], check=True)
                made.rename(files[which])
        parts.append(Part(f"sample {k}", files["train"], files["vali"], files["test"], CATEGORIES.get(preset, []), OUTCOMES.get(preset, [])))
    return parts


# ---- Podium -----------------------------------------------------------------------------------------------------------------------------------

def podium_model(part, folder, learner, name="model.json"):
    """Trains `learner --option value …`; returns the model's path."""
    model = folder / name
    podium("train", *learner.split(), "--data", part.train, "--valid", part.valid, "--measure", MEASURE, *part.options(), "--model", model)
    return model


def podium_scores(part, model, which):
    out = subprocess.run([PODIUM, "score", "--quiet", "--model", model, "--data", getattr(part, which)], check=True, capture_output=True, text=True)
    return [float(line) for line in out.stdout.split()]


def of_podium(*learners):
    """The best of some learners on validation data."""
    def run(part, folder):
        fitted = []
        for i, learner in enumerate(learners):
            model = podium_model(part, folder, learner, f"model{i}.json")
            fitted.append((statistics.fmean(values_of(part, "valid", "model", model)), -i, learner, model))
        _, _, learner, model = max(fitted)
        return podium_scores(part, model, "test"), learner
    return run


def of_auto(seconds):
    """Training and validation queries together are what the search gets: it makes its own folds."""
    def run(part, folder):
        data = folder / ("all" + part.train.suffix)
        first, second = part.train.read_text(), part.valid.read_text()
        if part.train.suffix == ".csv":
            second = renamed(second.split("\n", 1)[1])
        data.write_text(first + second)
        said = podium("auto", "--data", data, *part.options(), "--seconds", seconds, "--measure", MEASURE, "--model", folder / "auto.json")
        return podium_scores(part, folder / "auto.json", "test"), " + ".join(one["learner"] for one in said["chosen"])
    return run


def renamed(lines):
    """Rows of the validation sample with other query ids than those of training, which count from 1 as well."""
    return "\n".join(line if not line else rename(line) for line in lines.split("\n"))


def rename(line):
    label, qid, rest = line.split(",", 2)
    return f"{label},v{qid},{rest}"


# ---- Peers ------------------------------------------------------------------------------------------------------------------------------------

def table(part, which):
    """A frame of features, labels, and query sizes."""
    import pandas
    path = getattr(part, which)
    if path.suffix == ".csv":
        frame = pandas.read_csv(path)
        labels, sizes = frame.pop("label").to_numpy(), frame.groupby("qid", sort=False).size().to_numpy()
        frame = frame.drop(columns=[name for name in ("qid", "docid", *part.outcomes) if name in frame])
    else:
        from boosted_trees import read_letor
        rows, labels, sizes = read_letor(path)
        frame = pandas.DataFrame(rows)
    return frame, labels, numpy.asarray(sizes)


def tables(part):
    import pandas
    read = [table(part, which) for which in ("train", "valid", "test")]
    for name in part.categories:
        kind = pandas.CategoricalDtype(sorted(read[0][0][name].dropna().unique()))
        for frame, _, _ in read:
            frame[name] = frame[name].where(frame[name].isin(kind.categories)).astype(kind)
    return read


def lightgbm_fit(train, valid, leaves, rate, _):
    import lightgbm
    sets = [lightgbm.Dataset(x, y, group=g) for x, y, g in (train, valid)]
    booster = lightgbm.train({"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "num_leaves": leaves, "learning_rate": rate,
                              "num_threads": 1, "verbose": -1, "seed": 1}, sets[0], TREES, [sets[1]],
                             callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)])
    return booster.predict


def xgboost_fit(objective):
    def fit(train, valid, leaves, rate, _):
        import xgboost
        sets = [xgboost.DMatrix(x, y, group=g, enable_categorical=True) for x, y, g in (train, valid)]
        booster = xgboost.train({"objective": objective, "eval_metric": "ndcg@10", "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0,
                                 "max_leaves": leaves, "eta": rate, "nthread": 1, "seed": 1}, sets[0], TREES, evals=[(sets[1], "valid")],
                                early_stopping_rounds=PATIENCE, verbose_eval=False)
        return lambda x: booster.predict(xgboost.DMatrix(x, enable_categorical=True), iteration_range=(0, booster.best_iteration + 1))
    return fit


DEPTH_OF = {7: 4, 15: 6, 31: 8}  # CatBoost's trees are symmetric: six points with as wide a range of sizes


def catboost_fit(loss):
    def fit(train, valid, leaves, rate, categories):
        import catboost

        def pool(x, y, g):
            x = x.copy()
            for name in categories:
                x[name] = x[name].astype(object).where(x[name].notna(), "").astype(str)
            return catboost.Pool(x, y, group_id=numpy.repeat(numpy.arange(len(g)), g), cat_features=categories)
        model = catboost.CatBoostRanker(loss_function=loss, eval_metric="NDCG:top=10;type=Exp", iterations=TREES, depth=DEPTH_OF[leaves], learning_rate=rate,
                                        early_stopping_rounds=PATIENCE, thread_count=1, random_seed=1, verbose=False, allow_writing_files=False)
        model.fit(pool(*train), eval_set=pool(*valid))
        return lambda x: model.predict(pool(x, numpy.zeros(len(x)), [len(x)]))
    return fit


def of_peer(fit, grid=GRID):
    """The point of the grid with the best validation measure, as Podium computes it."""
    def run(part, folder):
        train, valid, test = tables(part)
        best = None
        for i, (leaves, rate) in enumerate(grid):
            predict = fit(train, valid, leaves, rate, part.categories)
            path = folder / f"valid{i}.txt"
            path.write_text("".join(f"{s!r}\n" for s in numpy.asarray(predict(valid[0]), dtype=float).tolist()))
            value = statistics.fmean(values_of(part, "valid", "scores", path))
            if best is None or value > best[0]:
                best = value, predict, f"{leaves}, {rate}"
        return numpy.asarray(best[1](test[0]), dtype=float).tolist(), best[2]
    return run


SINGLES = [f"lambdamart --leaves {n} --learning-rate {r}" for n, r in GRID] + [
    "intervalrank --leaves 10 --learning-rate 0.05", "mart --leaves 10 --learning-rate 0.05", "gbrank --leaves 10 --learning-rate 0.05",
    "svm-map", "ranksvm", "listnet", "lambdarank", "mlp", "directrank-trees", "rankboost"]
SYSTEMS = {
    "feature": of_podium("feature"),
    "lambdamart": of_podium("lambdamart"),
    "lambdamart --leaves 31": of_podium("lambdamart --leaves 31"),
    "lambdamart --noise 1": of_podium("lambdamart --noise 1"),
    "lambdamart --bag 8": of_podium("lambdamart --bag 8"),
    "lambdamart --oblivious": of_podium("lambdamart --oblivious"),
    "lambdamart --dart 0.1": of_podium("lambdamart --dart 0.1"),
    "lambdamart, tuned": of_podium(*SINGLES[:len(GRID)]),
    "best single learner": of_podium(*SINGLES),
    "LightGBM": of_peer(lightgbm_fit, [(31, 0.1)]),
    LIGHTGBM: of_peer(lightgbm_fit),
    "XGBoost rank:ndcg, tuned": of_peer(xgboost_fit("rank:ndcg")),
    "XGBoost rank:map, tuned": of_peer(xgboost_fit("rank:map")),
    "XGBoost rank:pairwise, tuned": of_peer(xgboost_fit("rank:pairwise")),
    "CatBoost YetiRank, tuned": of_peer(catboost_fit("YetiRank")),
    "CatBoost YetiRankPairwise, tuned": of_peer(catboost_fit("YetiRankPairwise")),
    "CatBoost StochasticRank, tuned": of_peer(catboost_fit("StochasticRank:metric=NDCG")),
    "CatBoost QuerySoftMax, tuned": of_peer(catboost_fit("QuerySoftMax")),
    "auto, 60 s": of_auto(60),
    "auto, 600 s": of_auto(600),
}
OWN = [name for name in SYSTEMS if not name.startswith(("LightGBM", "XGBoost", "CatBoost"))]


# ---- Cells and tests --------------------------------------------------------------------------------------------------------------------------

def values_of(part, which, kind, path):
    """The measure of each query in the file's order, of a "model" or of "scores"."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "values.tsv"
        podium("eval", "--data", getattr(part, which), *(part.options() if kind == "scores" else []), f"--{kind}", path, "--measures", MEASURE, "--per-query", out)
        return [float(line.rsplit("\t", 1)[1]) for line in out.read_text().splitlines()[1:]]


def cell(name, system, part):
    """{values per test query, seconds, what was chosen}, from the kept file or by training."""
    build = program() if system in OWN else "peers"
    kept = ROOT / f"build/recipes/quality-{build}" / f"{name}-{part.name}-{system}.json".replace(" ", "_").replace(":", "-")
    if kept.exists():
        return json.loads(kept.read_text())
    began, used = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scores, chosen = SYSTEMS[system](part, folder)
        path = folder / "test.txt"
        path.write_text("".join(f"{s!r}\n" for s in scores))
        values = values_of(part, "test", "scores", path)
    found = {"values": values, "chosen": chosen, "seconds": time.monotonic() - began, "own seconds": time.process_time() - used}
    kept.parent.mkdir(parents=True, exist_ok=True)
    beside = kept.with_suffix(f".{os.getpid()}.part")
    beside.write_text(json.dumps(found))
    beside.rename(kept)
    return found


def randomisation(differences, rounds=20_000):
    """Two-sided p of a mean difference, by random signs; with the standard error of the mean."""
    d = numpy.asarray(differences)
    if not numpy.any(d):
        return 1.0
    generator = numpy.random.default_rng(1)
    seen = abs(d.mean())
    more = sum(int((abs((generator.integers(0, 2, (200, len(d))) * 2 - 1) @ d) / len(d) >= seen - 1e-15).sum()) for _ in range(rounds // 200))
    return (more + 1) / (rounds + 1)


def pooled(results, name, system):
    """Values per query over all parts."""
    return [value for found in results[name, system] for value in found["values"]]


def summary(results, sets, systems):
    rows = []
    for system in systems:
        row, differences = [system], []
        for name in sets:
            if (name, system) not in results:
                row.append("—")
                continue
            mine = pooled(results, name, system)
            shown = f"{statistics.fmean(mine):.4f}"
            if system != LIGHTGBM and (name, LIGHTGBM) in results:
                theirs = pooled(results, name, LIGHTGBM)
                d = [a - b for a, b in zip(mine, theirs, strict=True)]
                differences.append(d)
                shown += f" ({p_text(randomisation(d))})"
            row.append(shown)
        if differences:
            # Each set counts alike: its differences are weighted by 1 / queries.
            weighted = [v * 1000 / len(d) for d in differences for v in d]
            row.append(f"{statistics.fmean(statistics.fmean(d) for d in differences):+.4f} ({p_text(randomisation(weighted))})")
        else:
            row.append("")
        rows.append(row)
    return markdown(["system", *sets, f"mean difference from {LIGHTGBM}"], rows)


def p_text(p):
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.4f}" if p < 0.01 else f"p = {p:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--systems", default=";".join(SYSTEMS), help="separated by semicolons")
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kept", action="store_true", help="train nothing: the table of what is there")
    options = parser.parse_args()
    sets, systems = options.sets.split(","), options.systems.split(";")
    if unknown := [s for s in systems if s not in SYSTEMS]:
        sys.exit(f"no system {unknown[0]!r}; there are {'; '.join(SYSTEMS)}")
    results = {}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = {}
        for name in sets:
            parts = parts_of(name, options.parts)
            for system in systems:
                waiting[name, system] = [pool.submit(cell, name, system, part) for part in parts]
        for key, futures in waiting.items():
            results[key] = [future.result() for future in futures]
            print(*key, " ".join(f"{statistics.fmean(one['values']):.4f}" for one in results[key]),
                  f"{sum(one['seconds'] for one in results[key]):.0f} s", flush=True)
    text = summary(results, sets, systems)
    print(text)
    write_table("quality.md", "table", text)


if __name__ == "__main__":
    main()
