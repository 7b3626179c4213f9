"""Exported models in their real consumers, and consumers' models imported: the same scores, to 1e-12 of the
largest score if the consumer adds in double precision, to 1e-5 if in single (1e-6 for imports), and the same
order of every pair of documents that is further apart. Prints a line per check and `N passed, N failed`.

    check.py PODIUM DATA FOLDER      DATA has train.txt, vali.txt, test.txt; FOLDER the output of tests/consumers/run
"""
import json
import pathlib
import random
import re
import subprocess
import sys

import catboost
import lightgbm
import numpy as np
import onnxmltools
import onnxruntime
import shap
import skl2onnx
import treelite
import xgboost
from sklearn.ensemble import RandomForestRegressor

from xgboost_model import from_dump

PODIUM, DATA, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
WORK = FOLDER / "work"
DOUBLE, SINGLE, IMPORTED = 1e-12, 1e-5, 1e-6
SEED = 7


def podium(*arguments):
    return subprocess.run([PODIUM, *map(str, arguments), "--quiet"], check=True, capture_output=True,
                          text=True).stdout


def java(main, *arguments):
    return subprocess.run(["java", "-cp", f"{FOLDER}/classes:{FOLDER}/jars/*", main, *map(str, arguments)],
                          check=True, capture_output=True, text=True).stdout


class Documents:
    """A LETOR file as arrays: rows of single-precision values, and the query of each row."""

    def __init__(self, path, features):
        self.path = path
        rows, self.labels, self.queries = [], [], []
        for line in path.read_text().splitlines():
            words = line.split("#")[0].split()
            row = np.zeros(features)
            for word in words[2:]:
                feature, value = word.split(":")
                row[int(feature) - 1] = float(value)
            rows.append(row)
            self.labels.append(float(words[0]))
            self.queries.append(words[1])
        self.double = np.array(rows)
        self.single = self.double.astype(np.float32)
        self.plain = WORK / f"{path.parent.name}-{path.stem}.values"
        np.savetxt(self.plain, self.single, fmt="%.9g")


def features_of(path):
    return max(int(feature) for feature in re.findall(r" (\d+):", path.read_text()))


def with_gaps(path):
    """The same file with every tenth value missing."""
    choice = random.Random(SEED)
    out = WORK / (path.stem + "-gaps.txt")
    out.write_text(re.sub(r" (\d+):([^ ]+)",
                          lambda m: f" {m[1]}:nan" if choice.random() < 0.1 else m[0], path.read_text()))
    return out


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def compare(self, what, documents, expected, found, tolerance):
        expected, found = np.asarray(expected, float), np.asarray(found, float).reshape(-1)
        scale = np.abs(expected).max()
        difference = np.abs(expected - found).max() / scale
        changed = 0
        queries = np.array(documents.queries)
        for query in dict.fromkeys(documents.queries):
            rows = np.flatnonzero(queries == query)
            before = expected[rows][:, None] - expected[rows]
            after = found[rows][:, None] - found[rows]
            changed += np.count_nonzero((before > 2 * tolerance * scale) & (after <= 0))
        self.expect(what, difference <= tolerance and changed == 0,
                    f"difference {difference:.2g} of the largest score, {changed} pairs changed")

    def expect(self, what, holds, detail):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {what}: {detail}", flush=True)


def scores_of(model, documents):
    return np.loadtxt(podium_file("score", model, documents))


def podium_file(command, model, documents):
    out = WORK / f"{model.stem}.{documents.plain.stem}.scores"
    podium(command, "--model", model, "--data", documents.path, "-o", out)
    return out


def train(name, learner, data, *options):
    out = WORK / f"{name}.json"
    podium("train", learner, "--data", data / "train.txt", "--model", out, *options)
    return out


def export(model, to, *options):
    out = WORK / f"{model.stem}.{to}"
    podium("export", "--model", model, "--to", to, "-o", out, *options)
    return out


def ranklib(model, documents):
    out = WORK / "ranklib.scores"
    java("RankLibScores", model, documents.path, out)
    return np.loadtxt(out)


def solr(model, documents):
    return np.array(java("SolrScores", model, documents.plain).split(), float)


def onnx(model, documents):
    session = onnxruntime.InferenceSession(str(model))
    return session.run(None, {"features": documents.single})[0]


def compiled(model, documents):
    header = WORK / f"{model.stem}.h"
    header.write_bytes(model.read_bytes())
    name = re.search(r"namespace (\w+) \{", header.read_text())[1]
    source = WORK / f"{model.stem}_main.cc"
    source.write_text(f'''#include "{header.name}"
#include <cstdio>
int main() {{
  float x[{name}::kFeatures];
  for (std::size_t f = 0; std::scanf("%f", &x[f]) == 1;)
    if (++f == {name}::kFeatures) f = 0, std::printf("%.17g\\n", {name}::score(x));
}}
''')
    program = WORK / f"{model.stem}_main"
    subprocess.run(["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                    "-ffp-contract=off", source, "-o", program], check=True)
    with open(documents.plain) as values:
        out = subprocess.run([program], stdin=values, check=True, capture_output=True, text=True).stdout
    return np.array(out.split(), float)


def check_forest(checks, name, model, documents):
    expected = scores_of(model, documents)
    file = export(model, "lightgbm", "--verify", documents.path)
    booster = lightgbm.Booster(model_file=str(file))
    checks.compare(f"LightGBM {name}, float32", documents, expected, booster.predict(documents.single), DOUBLE)
    checks.compare(f"LightGBM {name}, float64", documents, expected, booster.predict(documents.double), DOUBLE)
    loaded = treelite.frontend.load_lightgbm_model(str(file))
    checks.compare(f"treelite {name}", documents, expected,
                   treelite.gtil.predict(loaded, documents.single), DOUBLE)
    dump = json.loads(export(model, "xgboost", "--verify", documents.path).read_text())
    names = json.loads(model.read_text())["features"]
    checks.compare(f"XGBoost {name}", documents, expected,
                   from_dump(dump, names, WORK).predict(xgboost.DMatrix(documents.single), output_margin=True),
                   SINGLE)
    for kind in ("json", "ubj"):
        file = export(model, f"xgboost-{kind}", "--verify", documents.path)
        checks.compare(f"XGBoost's load_model {name}, {kind}", documents, expected,
                       xgboost_booster(file, kind).predict(xgboost.DMatrix(documents.single)), SINGLE)
        loaded = treelite.frontend.load_xgboost_model(str(with_suffix(file, kind)))
        checks.compare(f"treelite's load_xgboost_model {name}, {kind}", documents, expected,
                       treelite.gtil.predict(loaded, documents.single), SINGLE)
    request = json.loads(export(model, "elasticsearch", "--verify", documents.path).read_text())
    definition = json.loads(request["model"]["model"]["definition"])
    checks.expect(f"Elasticsearch {name}", definition == dump, "the definition is XGBoost's dump")
    checks.compare(f"ONNX Runtime {name}", documents, expected,
                   onnx(export(model, "onnx", "--verify", documents.path), documents), SINGLE)
    checks.compare(f"g++ {name}", documents, expected,
                   compiled(export(model, "cpp", "--verify", documents.path), documents), DOUBLE)


def with_suffix(file, kind):
    """XGBoost and treelite tell the format by the name."""
    out = file.with_name(f"{file.name}.{kind}")
    out.write_bytes(file.read_bytes())
    return out


def xgboost_booster(file, kind):
    return xgboost.Booster(model_file=with_suffix(file, kind))


def check_numbers_only(checks, name, model, documents, bias=0.0, networks=False):
    expected = scores_of(model, documents) - bias
    if not networks:
        linear = json.loads(model.read_text())["model"]["type"] == "linear" and "binned" not in name
        checks.compare(f"RankLib {name}", documents, expected,
                       ranklib(export(model, "ranklib", "--verify", documents.path), documents),
                       DOUBLE if linear else SINGLE)
    checks.compare(f"Solr {name}", documents, expected,
                   solr(export(model, "solr", "--verify", documents.path), documents), SINGLE)


def check_refused(checks, model, formats, reason):
    for to in formats:
        result = subprocess.run([PODIUM, "export", "--model", model, "--to", to, "-o", WORK / "no"],
                                capture_output=True, text=True)
        checks.expect(f"{to} refuses {model.stem}", result.returncode != 0 and reason in result.stderr,
                      result.stderr.strip()[:90])


def check_shap(checks, model, documents):
    query = documents.queries[0]
    booster = lightgbm.Booster(model_file=str(export(model, "lightgbm")))
    rows = [i for i, q in enumerate(documents.queries) if q == query]
    theirs = booster.predict(documents.single[rows], pred_contrib=True)
    shown = json.loads(podium("explain", "--model", model, "--data", documents.path, "--query",
                              query.split(":")[1], "--json"))
    largest = 0
    for document in shown["documents"]:
        ours = [*document["contributions"].values(), document["base"]]
        largest = max(largest, np.abs(theirs[document["place"] - 1] - ours).max())
    checks.expect(f"LightGBM's pred_contrib {model.stem}", largest < 1e-12, f"difference {largest:.2g}")


def check_tree_explainer(checks, model, documents):
    """shap.TreeExplainer on the exports for XGBoost and LightGBM explains as podium does."""
    rows = documents.single[:50]
    podium_values = lightgbm.Booster(model_file=str(export(model, "lightgbm"))).predict(rows, pred_contrib=True)
    expected = scores_of(model, documents)[:50]
    for name, loaded, tolerance in (
            ("XGBoost", xgboost_booster(export(model, "xgboost-ubj"), "ubj"), SINGLE),
            ("LightGBM", lightgbm.Booster(model_file=str(export(model, "lightgbm"))), DOUBLE)):
        explained = shap.TreeExplainer(loaded)(rows)
        scale = np.abs(expected).max()
        sums = np.abs(explained.values.sum(axis=1) + explained.base_values - expected).max() / scale
        apart = np.abs(explained.values - podium_values[:, :-1]).max() / scale
        checks.expect(f"shap.TreeExplainer of {model.stem} by {name}", max(sums, apart) <= tolerance,
                      f"sums differ by {sums:.2g}, contributions by {apart:.2g} of the largest score")


class Training:
    """The training part as other tools want it."""

    def __init__(self, data, features):
        rows = Documents(data / "train.txt", features)
        self.values, self.labels = rows.single, np.array(rows.labels)
        numbers = {query: i for i, query in enumerate(dict.fromkeys(rows.queries))}
        self.queries = np.array([numbers[query] for query in rows.queries])
        self.sizes = np.bincount(self.queries)


def imported(checks, what, file, source, documents, expected, tolerance=IMPORTED):
    model = WORK / f"{file.name}.imported.json"
    podium("import", file, "--from", source, "-o", model)
    checks.compare(f"imported from {what}", documents, expected, scores_of(model, documents), tolerance)


def check_imports_xgboost(checks, training, documents, name):
    for variant, options in {"rank:ndcg": {"objective": "rank:ndcg"},
                             "DART": {"objective": "rank:pairwise", "booster": "dart", "rate_drop": 0.3},
                             "random forest": {"num_parallel_tree": 2, "subsample": 0.5, "base_score": 0.7},
                             "logistic": {"objective": "binary:logistic", "base_score": 0.2},
                             "linear": {"booster": "gblinear"}}.items():
        labels = training.labels > 0 if variant == "logistic" else training.labels
        data = xgboost.DMatrix(training.values, labels, qid=training.queries)
        booster = xgboost.train({"max_depth": 5, "seed": SEED, "nthread": 1, **options}, data, 60)
        expected = booster.predict(xgboost.DMatrix(documents.single), output_margin=True)
        for kind in ("json", "ubj"):
            file = WORK / f"xgboost-{variant.replace(' ', '-').replace(':', '-')}-{name}.{kind}"
            booster.save_model(file)
            imported(checks, f"XGBoost, {variant}, {name}, {kind}", file, "xgboost", documents, expected)


def check_imports_catboost(checks, training, documents, name):
    pool = catboost.Pool(training.values, training.labels, group_id=training.queries)
    for variant, options in {"YetiRank": {"loss_function": "YetiRank"}, "NaN as the largest": {"nan_mode": "Max"},
                             "Lossguide": {"grow_policy": "Lossguide"},
                             "Depthwise": {"grow_policy": "Depthwise", "loss_function": "RMSE"}}.items():
        model = catboost.CatBoost({"loss_function": "QueryRMSE", "iterations": 60, "random_seed": SEED, "verbose": 0,
                                   "thread_count": 1, "allow_writing_files": False, **options})
        model.fit(pool)
        file = WORK / f"catboost-{variant.replace(' ', '-')}-{name}.json"
        model.save_model(str(file), format="json")
        imported(checks, f"CatBoost, {variant}, {name}", file, "catboost", documents, model.predict(documents.single),
                 DOUBLE)


def check_imports_onnx(checks, training, documents):
    """Files of four converters, scored by ONNX Runtime."""
    columns = [("features", onnxmltools.convert.common.data_types.FloatTensorType([None, training.values.shape[1]]))]
    boosted = xgboost.XGBRegressor(n_estimators=40, n_jobs=1).fit(training.values, training.labels)
    light = lightgbm.LGBMRegressor(n_estimators=40, n_jobs=1, verbose=-1).fit(training.values, training.labels)
    cat = catboost.CatBoostRegressor(iterations=40, thread_count=1, verbose=0, allow_writing_files=False)
    cat.fit(training.values, training.labels).save_model(str(WORK / "onnx-CatBoost.onnx"), format="onnx")
    files = {"XGBoost": onnxmltools.convert_xgboost(boosted, initial_types=columns),
             "LightGBM": onnxmltools.convert_lightgbm(light, initial_types=columns)}
    bagged = RandomForestRegressor(20, random_state=SEED).fit(training.values, training.labels)
    files["scikit-learn"] = skl2onnx.to_onnx(bagged, training.values[:1])
    for name, model in files.items():
        (WORK / f"onnx-{name}.onnx").write_bytes(model.SerializeToString())
    for name in (*files, "CatBoost"):
        file = WORK / f"onnx-{name}.onnx"
        session = onnxruntime.InferenceSession(str(file))
        expected = session.run(None, {session.get_inputs()[0].name: documents.single})[0]
        imported(checks, f"ONNX, {name}", file, "onnx", documents, expected.reshape(-1))


def check_own_formats_come_back(checks, model, documents):
    for to, source in (("xgboost-ubj", "xgboost"), ("xgboost", "xgboost"), ("onnx", "onnx"),
                       ("elasticsearch", "elasticsearch"), ("lightgbm", "lightgbm")):
        imported(checks, f"podium's own export to {to}", export(model, to), source, documents,
                 scores_of(model, documents))


def check_imports_solr(checks, model, documents):
    """Solr's own scores of an exported file are those of the imported one."""
    file = export(model, "solr")
    imported(checks, f"Solr, {model.stem}", file, "solr", documents, solr(file, documents), SINGLE)


def check_imports_lightgbm(checks, data, documents, name, **options):
    rows = Documents(data / "train.txt", documents.double.shape[1])
    sizes = [rows.queries.count(q) for q in dict.fromkeys(rows.queries)]
    parameters = {"objective": "lambdarank", "num_leaves": 15, "verbose": -1, "seed": SEED, "num_threads": 1,
                  "deterministic": True, **options}
    booster = lightgbm.train(parameters, lightgbm.Dataset(rows.double, rows.labels, group=sizes), 60)
    file = WORK / f"{name}.txt"
    booster.save_model(str(file))
    model = WORK / f"{name}.json"
    podium("import", file, "--from", "lightgbm", "-o", model)
    checks.compare(f"imported from LightGBM, {name}", documents, booster.predict(documents.single),
                   scores_of(model, documents), DOUBLE)


def check_imports_ranklib(checks, data, documents):
    rankers = {"MART": (0, "-tree", 15), "RankBoost": (2, "-round", 15, "-tc", 10),
               "AdaRank": (3, "-round", 20), "CoordinateAscent": (4, "-r", 1, "-i", 2),
               "LambdaMART": (6, "-tree", 15), "RandomForests": (8, "-bag", 3),
               "LinearRegression": (9,)}
    for name, (number, *options) in rankers.items():
        file, model = WORK / f"ranklib-{name}.txt", WORK / f"ranklib-{name}.json"
        java("ciir.umass.edu.eval.Evaluator", "-train", data / "train.txt", "-ranker", number, "-metric2t",
             "NDCG@10", "-save", file, *options)
        podium("import", file, "--from", "ranklib", "-o", model)
        checks.compare(f"imported from RankLib, {name}", documents, ranklib(file, documents),
                       scores_of(model, documents), SINGLE)


def main():
    WORK.mkdir(exist_ok=True)
    features = features_of(DATA / "train.txt")
    documents = Documents(DATA / "test.txt", features)
    gaps = WORK / "gaps"
    gaps.mkdir(exist_ok=True)
    for part in ("train", "test"):
        (gaps / f"{part}.txt").write_text(with_gaps(DATA / f"{part}.txt").read_text())
    holes = Documents(gaps / "test.txt", features)

    checks = Checks()
    forest = train("lambdamart", "lambdamart", DATA, "--trees", 200, "--early-stopping", 0)
    binned = train("binned", "linear", DATA, "--bins", 20)
    linear = train("linear", "linear", DATA)
    check_forest(checks, "forest", forest, documents)
    check_forest(checks, "binned linear", binned, documents)
    missing = train("missing", "lambdamart", gaps, "--trees", 100, "--early-stopping", 0)
    check_forest(checks, "forest, missing values", missing, holes)
    check_refused(checks, missing, ("ranklib", "solr"), "learned to send missing values elsewhere")
    check_numbers_only(checks, "forest", forest, documents)
    check_numbers_only(checks, "binned linear", binned, documents)
    check_numbers_only(checks, "linear", linear, documents,
                       bias=json.loads(linear.read_text())["model"]["bias"])
    for activation in ("tanh", "relu"):
        network = train(activation, "mlp", DATA, "--loss", "lambda-ndcg", "--hidden", "10,5", "--activation",
                        activation, "--epochs", 20)
        check_numbers_only(checks, f"network, {activation}", network, documents, networks=True)
        for name, rows in (("", documents), (", missing values", holes)):
            checks.compare(f"ONNX Runtime network, {activation}{name}", rows, scores_of(network, rows),
                           onnx(export(network, "onnx"), rows), SINGLE)
            checks.compare(f"g++ network, {activation}{name}", rows, scores_of(network, rows),
                           compiled(export(network, "cpp"), rows), SINGLE)
    for name, rows in (("", documents), (", missing values", holes)):
        checks.compare(f"ONNX Runtime linear{name}", rows, scores_of(linear, rows),
                       onnx(export(linear, "onnx"), rows), SINGLE)
        checks.compare(f"g++ linear{name}", rows, scores_of(linear, rows),
                       compiled(export(linear, "cpp"), rows), DOUBLE)
    grades = train("mcrank", "mcrank", DATA, "--trees", 30)
    checks.compare("ONNX Runtime McRank", documents, scores_of(grades, documents),
                   onnx(export(grades, "onnx"), documents), SINGLE)
    checks.compare("g++ McRank", documents, scores_of(grades, documents),
                   compiled(export(grades, "cpp"), documents), DOUBLE)
    check_refused(checks, grades, ("lightgbm", "xgboost-json", "xgboost-ubj", "xgboost", "ranklib", "elasticsearch", "solr", "vespa"), "outputs")
    check_shap(checks, forest, documents)
    check_shap(checks, missing, holes)
    check_tree_explainer(checks, forest, documents)
    check_tree_explainer(checks, missing, holes)
    check_own_formats_come_back(checks, missing, holes)
    for name, data, rows in (("complete", DATA, documents), ("gaps", gaps, holes)):
        training = Training(data, features)
        check_imports_xgboost(checks, training, rows, name)
        check_imports_catboost(checks, training, rows, name)
    check_imports_onnx(checks, Training(gaps, features), holes)
    check_imports_solr(checks, forest, documents)
    check_imports_solr(checks, linear, documents)
    check_imports_lightgbm(checks, DATA, documents, "lightgbm")
    check_imports_lightgbm(checks, gaps, holes, "lightgbm-missing")
    check_imports_lightgbm(checks, DATA, documents, "lightgbm-forest", boosting="rf", bagging_freq=1,
                           bagging_fraction=0.7)
    check_imports_ranklib(checks, DATA, documents)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
