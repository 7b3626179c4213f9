"""Category splits in their real consumers: models exported to LightGBM, XGBoost and ONNX Runtime give the same scores there
(1e-12 of the largest score, XGBoost and ONNX Runtime 1e-5), and models of LightGBM and XGBoost that are imported give the same scores here.

    categories.py PODIUM FOLDER
"""
import json
import pathlib
import subprocess
import sys

import lightgbm
import numpy as np
import onnx
import onnxruntime
import xgboost

PODIUM, WORK = sys.argv[1], pathlib.Path(sys.argv[2]) / "categories"
BRANDS = [f"brand {i}" for i in range(30)]
SHOPS = [7 * i for i in range(300)]  # more values than a byte has


def podium(*arguments):
    return subprocess.run([PODIUM, *map(str, arguments), "--quiet"], check=True, capture_output=True, text=True).stdout


def write(path, seed, texts, queries=300):
    """Rows as CSV; labels follow sets of brands and shops. Returns the columns, with codes of brands."""
    draw, law = np.random.default_rng(seed), np.random.default_rng(0)
    rows = queries * 10
    of_brand, of_shop = law.normal(size=len(BRANDS)), law.normal(size=len(SHOPS))
    brand, shop, price = draw.integers(len(BRANDS), size=rows), draw.integers(len(SHOPS), size=rows), draw.uniform(size=rows)
    label = np.digitize(of_brand[brand] + of_shop[shop] + price, (0.5, 1.5, 2.5))
    brand[draw.uniform(size=rows) < 0.05] = -1
    with open(path, "w") as file:
        file.write("label,qid,brand,shop,price\n")
        for i in range(rows):
            value = "" if brand[i] < 0 else BRANDS[brand[i]] if texts else str(brand[i])
            file.write(f"{label[i]},{i // 10},{value},{SHOPS[shop[i]]},{price[i]:.6g}\n")
    numbers = np.array([f"{p:.6g}" for p in price], float).astype(np.float32)
    return label, np.where(brand < 0, np.nan, brand), np.array(SHOPS, float)[shop], numbers.astype(float)


def check(name, found, expected, tolerance):
    difference = np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()
    holds = difference <= tolerance
    print(f"{'ok' if holds else 'FAILED'}  {name}: {difference:.2g}")
    return holds


def scores(model, data):
    return np.array(podium("score", "--model", model, "--data", data).split(), float)


def exported(texts):
    """Podium's model in both consumers: numbers are values, or codes where brands are texts."""
    kind = "codes" if texts else "numbers"
    write(WORK / "train.csv", 1, texts)
    _, brand, shop, price = write(WORK / "test.csv", 2, texts)
    model = WORK / "podium.json"
    podium("train", "lambdamart", "--data", WORK / "train.csv", "--categorical", "brand,shop", "--trees", 30,
           "--model", model, "--force")
    schema = json.loads(model.read_text())["schema"]
    if texts:
        place = [{value: code for code, value in enumerate(schema[name]["values"])} for name in ("brand", "shop")]
        brand = np.array([np.nan if np.isnan(b) else place[0].get(BRANDS[int(b)], np.nan) for b in brand])
        shop = np.array([place[1].get(str(int(s)), np.nan) for s in shop])
    X, expected = np.column_stack([brand, shop, price]), scores(model, WORK / "test.csv")
    results = []
    podium("export", "--model", model, "--to", "lightgbm", "-o", WORK / "lightgbm.txt")
    results.append(check(f"LightGBM, {kind}", lightgbm.Booster(model_file=WORK / "lightgbm.txt").predict(X), expected, 1e-12))
    for form in ("json", "ubj"):
        podium("export", "--model", model, "--to", f"xgboost-{form}", "-o", WORK / f"xgboost.{form}")
        booster = xgboost.Booster(model_file=WORK / f"xgboost.{form}")
        rows = xgboost.DMatrix(X, feature_names=["brand", "shop", "price"], feature_types=["c", "c", "float"])
        results.append(check(f"XGBoost {form}, {kind}", booster.predict(rows), expected, 1e-5))
    podium("export", "--model", model, "--to", "onnx", "-o", WORK / "podium.onnx", "--verify", WORK / "test.csv")
    onnx.checker.check_model(onnx.load(WORK / "podium.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(WORK / "podium.onnx"))
    found = session.run(None, {"features": X.astype(np.float32)})[0].reshape(-1)
    results.append(check(f"ONNX Runtime, {kind}", found, expected, 1e-5))
    if texts:
        stored = json.loads(session.get_modelmeta().custom_metadata_map["categories"])
        results.append(stored == {name: schema[name]["values"] for name in ("brand", "shop")})
    return results


def imported():
    """Models of numbers, trained by the others, here."""
    label, *columns = write(WORK / "train.csv", 1, False)
    _, *test = write(WORK / "test.csv", 2, False)
    X, Y, group = np.column_stack(columns), np.column_stack(test), np.full(len(label) // 10, 10)
    names = ["brand", "shop", "price"]
    results = []
    data = lightgbm.Dataset(X, label, group=group, feature_name=names, categorical_feature=[0, 1])
    booster = lightgbm.train({"objective": "lambdarank", "verbose": -1, "num_threads": 1}, data, 30)
    booster.save_model(WORK / "theirs.txt")
    podium("import", "--from", "lightgbm", WORK / "theirs.txt", "-o", WORK / "imported.json")
    results.append(check("from LightGBM", scores(WORK / "imported.json", WORK / "test.csv"), booster.predict(Y), 1e-12))
    rows = [xgboost.DMatrix(part, y, feature_names=names, feature_types=["c", "c", "float"])
            for part, y in ((X, label), (Y, None))]
    rows[0].set_group(group)
    booster = xgboost.train({"objective": "rank:ndcg", "tree_method": "hist", "nthread": 1}, rows[0], 20)
    for form in ("json", "ubj"):
        booster.save_model(WORK / f"theirs.{form}")
        podium("import", "--from", "xgboost", WORK / f"theirs.{form}", "-o", WORK / "imported.json")
        results.append(check(f"from XGBoost {form}", scores(WORK / "imported.json", WORK / "test.csv"),
                             booster.predict(rows[1]), 1e-5))
    return results


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    everything = exported(True) + exported(False) + imported()
    print(f"{sum(everything)} passed, {len(everything) - sum(everything)} failed")
    sys.exit(not all(everything))
