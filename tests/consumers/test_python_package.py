"""The Python package beside the real XGBoost, CatBoost and shap: they are systems of podium.compare, their names of measures
mean the same here, and shap explains an exported model by the line in the guide. tests/consumers/run runs this with pytest."""
import catboost
import lightgbm
import numpy as np
import podium
import pytest
import shap
import xgboost
from catboost.utils import eval_metric

FEW = {"measures": ["nDCG@10", "AP"], "folds": 3, "permutations": 200}
TOP = 10


@pytest.fixture(scope="module")
def data():
    """Queries of unequal length; two features determine the grade, the others are noise."""
    random = np.random.default_rng(3)
    group = random.integers(TOP, 25, 90)
    X = random.normal(size=(group.sum(), 6)).astype(np.float32)
    utility = 1.5 * X[:, 0] + np.maximum(X[:, 1], 0) + 0.3 * random.normal(size=len(X))
    qid = np.repeat(np.arange(100, 190), group)
    return podium.Dataset(X, np.digitize(utility, [0.5, 1.5, 2.5]), qid)


@pytest.fixture(scope="module")
def judged(data):
    """Labels, scores without ties and queries, of which each has a relevant document."""
    y, numbers = data.y.copy(), np.repeat(np.arange(data.n_queries), data.group)
    y[np.cumsum(data.group) - 1] = 2
    scores = np.random.default_rng(4).permutation(len(y)) / len(y) + 0.2 * y
    assert len(np.unique(scores)) == len(scores)
    return y, scores, numbers


def translated(name):
    return podium.LambdaMART(eval_metric=name).measure


@pytest.mark.parametrize("system", [
    lambda: xgboost.XGBRanker(n_estimators=30, max_depth=4),
    lambda: xgboost.XGBRanker(n_estimators=30, max_depth=4, early_stopping_rounds=5, eval_metric="ndcg@10"),
    lambda: catboost.CatBoostRanker(iterations=30, depth=4, allow_writing_files=False),
    lambda: catboost.CatBoostRanker(loss_function="QueryRMSE", iterations=30, early_stopping_rounds=5, allow_writing_files=False),
    lambda: lightgbm.LGBMRanker(n_estimators=30, min_child_samples=5, verbose=-1),
], ids=["XGBoost", "XGBoost, early stopping", "CatBoost", "CatBoost, early stopping", "LightGBM"])
def test_systems_of_comparisons(data, system, capfd):
    table = podium.compare(data, {"theirs": system(), "ours": podium.LambdaMART(trees=30, min_docs=5), "noise": "feature:6"}, **FEW)
    assert table["theirs"]["nDCG@10"] > max(0.8, table["noise"]["nDCG@10"] + 0.2)
    assert abs(table["theirs"]["nDCG@10"] - table["ours"]["nDCG@10"]) < 0.1
    assert capfd.readouterr().out == ""


def test_their_names(data):
    table = podium.compare(data, [xgboost.XGBRanker(n_estimators=2), catboost.CatBoostRanker(iterations=2, allow_writing_files=False)], **FEW)
    assert table.systems == ["XGBRanker", "CatBoostRanker"]


@pytest.mark.parametrize("name", [
    "NDCG", "NDCG:top=10", "NDCG:top=10;type=Base", "NDCG:top=10;type=Exp", "NDCG:type=Exp", "DCG:top=10", "DCG:top=5;type=Exp",
    "MAP", "MAP:top=10", "MAP:top=10;border=1", "MRR", "MRR:top=3", "MRR:top=3;border=1.5", "PrecisionAt:top=5",
    "PrecisionAt:top=5;border=1", "RecallAt:top=5", "RecallAt:top=3;border=0.5",
])
def test_measures_of_catboost(judged, name):
    y, scores, qid = judged
    theirs = eval_metric(y, scores, name, group_id=qid)[-1]
    ours = podium.evaluate(y, scores, qid, measures=[translated(name)])
    assert next(iter(ours.values())) == pytest.approx(theirs, abs=1e-6), translated(name)


@pytest.mark.parametrize("name", ["ndcg", "ndcg@10", "map", "map@10", "pre@5"])
def test_measures_of_xgboost(judged, name):
    y, scores, qid = judged
    grades = np.minimum(y, 1) if name.startswith(("map", "pre")) else y
    matrix = xgboost.DMatrix(np.zeros((len(y), 1)), grades, qid=qid, base_margin=scores)
    booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": name, "eta": 0, "disable_default_eval_metric": 1,
                             "max_depth": 1}, matrix, num_boost_round=1)
    theirs = float(booster.eval(matrix).rpartition(":")[2])
    ours = podium.evaluate(grades, scores, qid, measures=[translated(name)], convention="xgboost")
    assert next(iter(ours.values())) == pytest.approx(theirs, abs=1e-6), translated(name)


def test_shap_by_the_lines_of_the_guide(data):
    ranker = podium.LambdaMART(trees=20, min_docs=5).fit(data)
    ours = ranker.explain(data.X).contributions
    explainer = shap.TreeExplainer(lightgbm.Booster(model_str=ranker.export(None, "lightgbm").content.decode()))
    np.testing.assert_allclose(explainer.shap_values(data.X), ours, atol=1e-6)
    explainer = shap.TreeExplainer(xgboost.Booster(model_file=bytearray(ranker.export(None, "xgboost-ubj").content)))
    np.testing.assert_allclose(explainer.shap_values(data.X), ours, atol=1e-5)
