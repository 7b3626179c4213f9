"""Other tools' names of options: the same model, conflicts refused, the nearest name suggested."""

import inspect
import pathlib
import re

import numpy as np
import podium
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold

LIGHTGBM = {"n_estimators": 5, "num_leaves": 4, "learning_rate": 0.2, "n_jobs": 2, "random_state": 7, "reg_lambda": 3.0,
            "min_child_samples": 5, "objective": "lambdarank", "eval_at": [5, 10], "early_stopping_rounds": 3, "verbose": 0}
OWN = {"trees": 5, "leaves": 4, "learning_rate": 0.2, "threads": 2, "seed": 7, "l2": 3.0, "min_docs": 5,
       "objective": "ndcg", "measure": ["nDCG@5", "nDCG@10"], "early_stopping": 3, "verbose": 0}


@pytest.mark.parametrize("make", [podium.LambdaMART, podium.Ranker], ids=["class", "by name"])
def test_the_same_model(made, make):
    ranker, own = make(**LIGHTGBM), make(**OWN)
    assert ranker.get_params() == own.get_params()
    assert clone(ranker).get_params() == own.get_params()
    assert make().set_params(**LIGHTGBM).get_params() == own.get_params()
    np.testing.assert_array_equal(ranker.fit(made.X, made.y, qid=made.qid).predict(made.X),
                                  own.fit(made.X, made.y, qid=made.qid).predict(made.X))


@pytest.mark.parametrize(("given", "option", "value"), [
    ({"n_jobs": -1}, "threads", 0), ({"n_jobs": None}, "threads", 0), ({"nthread": 3}, "threads", 3),
    ({"random_state": None}, "seed", 1), ({"early_stopping_rounds": None}, "early_stopping", 0),
    ({"eval_at": 3}, "measure", "nDCG@3"), ({"eval_metric": "ndcg@7"}, "measure", "nDCG@7"),
    ({"eval_metric": ["map", "mrr"]}, "measure", ["AP", "RR"]), ({"eval_metric": "NDCG:top=5;type=Exp"}, "measure", "nDCG@5"),
    ({"max_depth": -1}, "max_depth", 0), ({"objective": "rank:map"}, "objective", "ap"),
    ({"verbosity": -1}, "verbose", 0), ({"silent": True}, "verbose", 0), ({"max_bin": 63}, "max_bins", 63),
    ({"min_split_loss": 0.5}, "min_gain", 0.5), ({"gamma": 0.5}, "min_gain", 0.5),
    ({"monotone_constraints": [1, 0, -1]}, "monotone", "1:+1,3:-1"), ({"monotone_constraints": "(0,1)"}, "monotone", "2:+1"),
    ({"categorical_feature": "auto"}, "categorical", None), ({"cat_features": ["a"]}, "categorical", ["a"]),
    ({"ignored_features": ["a"]}, "ignore", ["a"]),
    ({"monotone_constraints": {"price": -1}}, "monotone", "price:-1"), ({"lambdarank_norm": False}, "norm", "none"),
])
def test_values(given, option, value):
    assert podium.LambdaMART(**given).get_params()[option] == value


MEASURES = {
    "ndcg": "nDCG", "ndcg@10": "nDCG@10", "map@5": "AP@5", "mean_average_precision": "AP", "pre@3": "P@3", "auc": "AUC",
    "NDCG": "nDCG(gain=linear)", "NDCG:top=10": "nDCG(gain=linear)@10", "NDCG:top=10;type=Base": "nDCG(gain=linear)@10",
    "NDCG:top=10;type=Exp": "nDCG@10", "NDCG:type=Exp;top=10;denominator=LogPosition;hints=skip_train~false": "nDCG@10",
    "NDCG:top=-1": "nDCG(gain=linear)", "DCG:top=10": "DCG(gain=linear)@10", "DCG:top=10;type=Exp": "DCG@10",
    "MAP": "AP", "MAP:top=10": "AP(denominator=cutoff)@10", "MAP:border=1": "AP(rel=1.0000001)",
    "MAP:top=10;border=1": "AP(rel=1.0000001,denominator=cutoff)@10", "MRR": "RR", "MRR:top=10": "RR@10",
    "MRR:top=10;border=0.5": "RR@10", "PrecisionAt:top=5": "P@5", "RecallAt:top=5": "R@5", "RecallAt:top=5;use_weights=true": "R@5",
    "ERR@10": "ERR@10", "nDCG(gain=linear)@10": "nDCG(gain=linear)@10", "P(rel=2)@5": "P(rel=2)@5", "NDCG@10": "nDCG@10",
}
NO_MEASURES = {
    "ndcg@10-": "counts queries without relevant documents as 0.*measure='nDCG@10' they count 0 under convention='podium'",
    "ndcg-": "measure='nDCG' they", "map@5-": "measure='AP@5' they", "ERR:top=10": "labels for probabilities", "ERR": "measure='ERR@10'",
    "NDCG:top=10;denominator=Position": "no counterpart of denominator=Position", "NDCG:top=10;border=1": "no counterpart of border=1",
    "MAP:top=10;type=Exp": "no counterpart of type=Exp", "NDCG:use_weights=false": "no counterpart of use_weights=false",
    "NDCG:type=Exponential": "no counterpart of type=Exponential", "NDCG:top=ten": "top is a whole number",
    "QueryAUC:type=Classic": "no counterpart of CatBoost's 'QueryAUC:type=Classic'", "PFound:decay=0.9": "no counterpart",
}


@pytest.mark.parametrize("name", MEASURES)
def test_measures(made, name):
    ranker = podium.LambdaMART(eval_metric=name)
    assert ranker.measure == MEASURES[name]
    assert len(podium.evaluate(made.y, made.X[:, 0], made.qid, measures=[ranker.measure])) == 1


@pytest.mark.parametrize("name", NO_MEASURES)
def test_measures_without_counterpart(name):
    with pytest.raises(ValueError, match=NO_MEASURES[name]):
        podium.LambdaMART(eval_metric=name)
    with pytest.raises(ValueError, match=NO_MEASURES[name]):
        podium.LambdaMART().set_params(metric=["ndcg", name])


def test_the_guide_has_the_measures():
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python.md").read_text(encoding="utf-8")
    lines = page[page.index("| measure of another tool |"):].split("\n\n")[0].splitlines()[2:]
    for theirs, own in (line.split("|")[1:3] for line in lines):
        names, wanted = re.findall(r"`([^`]+)`", theirs), re.findall(r"`([^`]+)`", own)
        assert len(names) >= len(wanted)
        for number, name in enumerate(names):
            if wanted:
                assert podium.LambdaMART(eval_metric=name).measure == wanted[min(number, len(wanted) - 1)]
            else:
                with pytest.raises(ValueError, match="measure"):
                    podium.LambdaMART(eval_metric=name)


def test_random_states_are_used():
    drawn = podium.LambdaMART(random_state=np.random.RandomState(1)).seed
    assert drawn == podium.LambdaMART(random_state=np.random.RandomState(1)).seed and isinstance(drawn, int)
    assert isinstance(podium.LambdaMART(random_state=np.random.default_rng(1)).seed, int)


def test_learners_have_their_own_options():
    assert podium.AdaRank(n_estimators=7).rounds == 7
    assert podium.MLP(n_estimators=7).epochs == 7
    with pytest.raises(TypeError, match="Linear has no option 'num_leaves': it has no leaves"):
        podium.Linear(num_leaves=4)


def test_conflicts_are_refused():
    with pytest.raises(TypeError, match="trees and n_estimators are the same option of LambdaMART: give one of them"):
        podium.LambdaMART(trees=500, n_estimators=500)
    with pytest.raises(TypeError, match="num_leaves and max_leaves are the same"):
        podium.Ranker("lambdamart", num_leaves=4, max_leaves=4)
    with pytest.raises(ValueError, match="measure and eval_at are the same"):
        podium.LambdaMART().set_params(measure="AP", eval_at=5)


def test_unknown_names_suggest_the_nearest():
    for wrong, near in (("n_estimator", "n_estimators"), ("tres", "trees"), ("num_leafs", "num_leaves"), ("random_stat", "random_state")):
        with pytest.raises(TypeError, match=f"LambdaMART has no option '{wrong}', did you mean {near}"):
            podium.LambdaMART(**{wrong: 3})
    with pytest.raises(ValueError, match="no option 'n_estimator', did you mean n_estimators"):
        podium.LambdaMART().set_params(n_estimator=3)
    with pytest.raises(ValueError, match=r'objective: LambdaMART has no .rank_xendcg.; use podium.Boosting\(loss="xendcg"\)'):
        podium.LambdaMART(objective="rank_xendcg")


def test_signatures_have_one_name_for_each():
    parameters = inspect.signature(podium.LambdaMART).parameters
    assert "trees" in parameters and "n_estimators" not in parameters and "aliases" not in parameters
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters.values())


def test_searches_accept_aliases(made):
    frame = __import__("pandas").DataFrame(made.X, columns=list("abcdef")).assign(qid=made.qid)
    search = GridSearchCV(podium.LambdaMART(min_child_samples=5), {"n_estimators": [1, 4]}, cv=GroupKFold(3), error_score="raise")
    search.fit(frame, made.y, groups=made.qid)
    assert search.best_estimator_.trees == search.best_params_["n_estimators"]


def test_options_of_one_fit(made, other):
    """LightGBM accepts some options in fit."""
    ranker = podium.LambdaMART(trees=5).fit(made.X, made.y, group=made.group, eval_set=[(other.X, other.y)],
                                            eval_group=[other.group], eval_at=[3, 7])
    assert set(ranker.validation_) == {"nDCG@3", "nDCG@7"} and ranker.measure == "nDCG@10"
    same = podium.LambdaMART(trees=5).fit(made.X, made.y, group_id=made.qid)
    np.testing.assert_array_equal(same.predict(made.X), podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid).predict(made.X))
    with pytest.raises(TypeError, match="fit has no argument 'eval_sett', did you mean eval_set"):
        ranker.fit(made.X, made.y, qid=made.qid, eval_sett=(other.X, other.y))
    with pytest.raises(TypeError, match="qid and group_id"):
        ranker.fit(made.X, made.y, qid=made.qid, group_id=made.qid)


def test_the_guide_lists_all_of_them():
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", "\n".join(line for line in page.splitlines() if line.startswith("| `"))))
    assert {row["alias"] for row in podium.aliases()} <= listed
