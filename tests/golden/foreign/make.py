"""The models of XGBoost, CatBoost and ONNX converters in this folder, with their scores of data.txt:

    python make.py      xgboost 3.2.0, catboost 1.2.10, onnxruntime 1.31.1, numpy
"""
import json
import pathlib

import catboost
import numpy as np
import onnxruntime
import xgboost

FOLDER = pathlib.Path(__file__).parent


def read():
    rows, labels, queries = [], [], []
    for line in (FOLDER / "data.txt").read_text().splitlines():
        words = line.split()
        rows.append([float(word.split(":")[1]) for word in words[2:]])
        labels.append(int(words[0]))
        queries.append(int(words[1].split(":")[1]))
    return np.array(rows, np.float32), np.array(labels), np.array(queries)


def write(name, scores):
    np.savetxt(FOLDER / f"{name}.scores", np.asarray(scores, float).reshape(-1), fmt="%.17g")


def make_xgboost(values, labels, queries):
    data = xgboost.DMatrix(values, labels, qid=queries)
    common = {"max_depth": 2, "seed": 1, "nthread": 1, "base_score": 0.25}
    booster = xgboost.train({**common, "objective": "rank:ndcg"}, data, 4)
    booster.save_model(FOLDER / "xgboost.json")
    booster.save_model(FOLDER / "xgboost.ubj")
    booster.dump_model(FOLDER / "xgboost-dump.json", dump_format="json", with_stats=True)
    write("xgboost", booster.predict(xgboost.DMatrix(values)))
    relevant = xgboost.DMatrix(values, labels > 0)
    dart = xgboost.train({**common, "booster": "dart", "rate_drop": 0.5, "objective": "binary:logistic"}, relevant, 4)
    dart.save_model(FOLDER / "xgboost-dart.ubj")
    write("xgboost-dart", dart.predict(xgboost.DMatrix(values), output_margin=True))


def make_catboost(values, labels, queries):
    pool = catboost.Pool(values, labels, group_id=queries)
    for name, options in (("catboost", {"nan_mode": "Max"}), ("catboost-lossguide", {"grow_policy": "Lossguide"})):
        model = catboost.CatBoost({"loss_function": "QueryRMSE", "iterations": 4, "depth": 2, "random_seed": 1,
                                   "thread_count": 1, "verbose": 0, "allow_writing_files": False, **options})
        model.fit(pool)
        file = FOLDER / f"{name}.json"
        model.save_model(str(file), format="json")
        saved = json.loads(file.read_text())
        del saved["model_info"]  # parameters and times
        file.write_text(json.dumps(saved, indent=1) + "\n")
        write(name, model.predict(values))
        if name == "catboost":
            model.save_model(str(FOLDER / "catboost.onnx"), format="onnx")
            session = onnxruntime.InferenceSession(str(FOLDER / "catboost.onnx"))
            write("catboost-onnx", session.run(None, {session.get_inputs()[0].name: values})[0])


if __name__ == "__main__":
    make_xgboost(*read())
    make_catboost(*read())
