"""The estimator: training, scoring, ranking, and the attributes of a fitted one."""

import pickle
import warnings

import numpy as np
import pandas
import podium
import pytest
from sklearn.base import clone


def small(**options):
    return podium.LambdaMART(trees=20, leaves=8, min_docs=5, **options)


def test_learns_and_scores(made, other):
    ranker = small().fit(made.X, made.y, qid=made.qid)
    constant = podium.evaluate(other.y, np.zeros(len(other.y)), other.qid)["nDCG@10"]
    assert ranker.score(other.X, other.y, other.qid) > constant + 0.1
    assert ranker.n_features_in_ == made.X.shape[1]
    assert ranker.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(-ranker.feature_importances_)[:2]) == {0, 1}


def test_qid_and_group_are_the_same(made):
    """Ids of every type, and sizes."""
    ids = np.repeat(np.arange(1, len(made.group) + 1), made.group)
    by_qid = small().fit(made.X, made.y, qid=ids).predict(made.X)
    for given in ({"group": made.group}, {"qid": ids.astype(str)}, {"qid": ids.astype(float)}, {"qid": list(ids)},
                  {"qid": pandas.Series(ids)}, {"qid": ids.astype(str).astype(object)}):
        np.testing.assert_array_equal(small().fit(made.X, made.y, **given).predict(made.X), by_qid)


@pytest.mark.parametrize("ranker", [
    podium.LambdaMART(trees=10, min_docs=5, query_fraction=0.7, feature_fraction=0.5), podium.MART(trees=10, min_docs=5, dart=0.2),
    podium.Boosting(trees=5, min_docs=5, loss="softmax"), podium.AdaRank(rounds=5),
    podium.Linear(loss="softmax", optimizer="adam", epochs=3), podium.MLP(epochs=3), podium.AutoRanker(trials=3, learners=["linear", "mart"], folds=3),
], ids=lambda ranker: type(ranker).__name__)
def test_names_of_queries_do_not_matter(made, ranker):
    """The same queries under other names, in other orders, or by their sizes give the same bytes."""
    def model(X, y, **queries):
        return clone(ranker).fit(X, y, **queries).model_.to_json()

    numbers = np.repeat(np.arange(len(made.group)), made.group)
    wanted = model(made.X, made.y, qid=made.qid)
    assert model(made.X, made.y, group=made.group) == wanted
    for names in (numbers + 1, -numbers, numbers.astype(str), np.array([f"query {7 * n % 61}" for n in numbers], dtype=object)):
        assert model(made.X, made.y, qid=names) == wanted
    if isinstance(ranker, podium.AutoRanker):
        return  # its folds deal out queries in the order of rows
    order = np.argsort(-numbers, kind="stable")  # the last query first
    assert model(made.X[order], made.y[order], group=made.group[::-1]) == wanted
    assert model(made.X[order], made.y[order], qid=made.qid[order]) == wanted
    assert model(made.X[::-1], made.y[::-1], qid=made.qid[::-1]) == wanted
    moved = np.r_[len(numbers) - 1, :len(numbers) - 1]
    with pytest.warns(podium.RegroupedWarning):
        assert model(made.X[moved][::-1], made.y[moved][::-1], qid=made.qid[moved][::-1]) == wanted


def test_threads_do_not_change_bits(made):
    scores = [small(threads=t).fit(made.X, made.y, qid=made.qid).predict(made.X) for t in (1, 2, 4)]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


@pytest.mark.parametrize("entry", podium.learners(), ids=lambda entry: entry["name"])
def test_every_learner(entry, made):
    """Each learner's class has the catalogue's options and trains; Ranker(name) gives the same model."""
    cls = next(c for c in vars(podium).values() if isinstance(c, type) and getattr(c, "_learner", None) == entry["name"])
    quick = {"trees": 5, "epochs": 3, "rounds": 5, "restarts": 1, "steps": 3, "max_passes": 20, "max_seconds": 5.0}
    names = {option["name"].replace("-", "_") for option in entry["options"]}
    given = {name: value for name, value in quick.items() if name in names}
    if entry["name"] == "linear":
        given["optimizer"] = "lbfgs"  # whose epochs these are
    params = cls().get_params()
    for option in entry["options"]:
        assert params[option["name"].replace("-", "_")] == option["default"]
    assert entry["summary"][1:] in cls.__doc__
    rows = made.group[:30].sum()
    X, y, qid = made.X[:rows], np.minimum(made.y[:rows], 2), made.qid[:rows]
    ranker = cls(**given).fit(X, y, qid=qid)
    scores = ranker.predict(X)
    assert scores.shape == (rows,) and np.isfinite(scores).all() and np.ptp(scores) > 0
    same = podium.Ranker(entry["name"], **given).fit(X, y, qid=qid)
    np.testing.assert_array_equal(same.predict(X), scores)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ranker)).predict(X), scores)


def test_params_clone_and_pickle(made):
    ranker = podium.Ranker("lambdamart", trees=7, leaves=4, measure="AP")
    assert ranker.get_params()["trees"] == 7
    copy = clone(ranker)
    assert copy.get_params() == ranker.get_params()
    copy.set_params(trees=9, learning_rate=0.2)
    assert (copy.trees, copy.learning_rate, ranker.trees) == (9, 0.2, 7)
    assert "trees=9" in repr(copy) and "trees" in copy._repr_html_()
    fitted = copy.fit(made.X, made.y, qid=made.qid)
    back = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(back.predict(made.X), fitted.predict(made.X))
    assert back.history_ == fitted.history_


def test_unknown_options_are_named():
    with pytest.raises(TypeError, match="no option 'tres', did you mean trees"):
        podium.Ranker("lambdamart", tres=3)
    with pytest.raises(ValueError, match="unknown learner 'lambdamar', did you mean lambdamart"):
        podium.Ranker("lambdamar", trees=3)
    with pytest.raises(TypeError, match="fit has no argument 'quid', did you mean qid"):
        podium.LambdaMART(trees=2).fit([[1.0]], [1], quid=[1])
    with pytest.raises(ValueError, match="no option 'leafs', did you mean leaves"):
        podium.Ranker("lambdamart").set_params(leafs=3)
    with pytest.raises(TypeError, match="tres"):
        podium.LambdaMART(tres=3)


def test_option_values_are_checked(made):
    with pytest.raises(ValueError, match="leaves"):
        podium.LambdaMART(leaves=1).fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="measure"):
        podium.LambdaMART(measure="nDGC@10").fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="seed"):
        podium.LambdaMART(seed=-1).fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="loss"):
        podium.Ranker("lambdamart", loss="squared").fit(made.X, made.y, qid=made.qid)


def test_validation_chooses_and_stops(made, other):
    ranker = podium.LambdaMART(trees=500, early_stopping=5, measure=["nDCG@5", "AP"])
    ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid)
    assert ranker.termination_ == "early-stopping"
    assert 0 < ranker.best_iteration_ < 500
    assert ranker.validation_["nDCG@5"] == pytest.approx(ranker.score(other.X, other.y, other.qid), abs=1e-12)
    assert "valid AP" in ranker.history_[0]
    as_list = podium.LambdaMART(trees=500, early_stopping=5, measure=["nDCG@5", "AP"])
    as_list.fit(made.X, made.y, qid=made.qid, eval_set=[(other.X, other.y)], eval_group=[other.group])
    as_three = clone(as_list).fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y, other.qid))
    assert as_three.validation_ == as_list.validation_
    with pytest.raises(ValueError, match="its queries are given twice"):
        as_three.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y, other.qid), eval_qid=other.qid)
    np.testing.assert_array_equal(as_list.predict(other.X), ranker.predict(other.X))


def test_validation_values_are_of_prepared_features(made, other):
    ranker = podium.Linear(normalize="query-zscore", measure="nDCG@5")
    ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid)
    assert ranker.validation_["nDCG@5"] == pytest.approx(ranker.score(other.X, other.y, other.qid), abs=1e-12)


def test_rank_is_within_queries(made):
    ranker = small().fit(made.X, made.y, qid=made.qid)
    scores, places = ranker.predict(made.X), ranker.rank(made.X, qid=made.qid)
    for query in np.unique(made.qid):
        inside = made.qid == query
        order = np.argsort(-scores[inside], kind="stable")
        np.testing.assert_array_equal(places[inside][order], np.arange(1, inside.sum() + 1))


def test_weights(made):
    plain = small().fit(made.X, made.y, qid=made.qid)
    ones = small().fit(made.X, made.y, qid=made.qid, sample_weight=np.ones(len(made.y)))
    np.testing.assert_array_equal(plain.predict(made.X), ones.predict(made.X))
    by_query = np.linspace(0.1, 3, len(made.group))
    one_a_query = small().fit(made.X, made.y, qid=made.qid, sample_weight=by_query)
    one_a_row = small().fit(made.X, made.y, qid=made.qid, sample_weight=np.repeat(by_query, made.group))
    np.testing.assert_array_equal(one_a_query.predict(made.X), one_a_row.predict(made.X))
    assert not np.array_equal(one_a_query.predict(made.X), plain.predict(made.X))
    weights = np.random.default_rng(1).uniform(0.5, 2, len(made.y))
    by_row = small().fit(made.X, made.y, qid=made.qid, sample_weight=weights)
    assert not np.array_equal(by_row.predict(made.X), plain.predict(made.X))


def test_query_weights_of_zero_leave_queries_out(made):
    keep = np.arange(len(made.group)) % 2 == 0
    rows = np.repeat(keep, made.group)
    weighted = podium.Linear().fit(made.X, made.y, qid=made.qid, sample_weight=keep.astype(float))
    alone = podium.Linear().fit(made.X[rows], made.y[rows], qid=made.qid[rows])
    np.testing.assert_allclose(weighted.model_.weights, alone.model_.weights, rtol=1e-6)


def test_starts(made):
    first = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid)
    more = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init=first)
    assert more.model_.trees == 10
    offset = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init=first.predict(made.X))
    assert offset.model_.training["on_top_of_scores"]
    feature = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init="feature:1")
    assert feature.model_.trees == 5
    with pytest.raises(ValueError, match="init: no feature 'none' in the data"):
        podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init="feature:none")
    with pytest.raises(ValueError, match="init: feature '99' occurs in no document.*the highest that does is"):
        podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init="feature:99")
    with pytest.raises(ValueError, match="init"):
        podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid, init=[1.0])


def test_scaling_within_queries_needs_queries_again(made):
    ranker = podium.Linear(normalize="query-zscore").fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="qid is missing"):
        ranker.predict(made.X)
    assert ranker.score(made.X, made.y, made.qid) > 0.5
    np.testing.assert_array_equal(ranker.predict(made.X, qid=made.qid), ranker.predict(made.X, group=made.group))


def test_chosen_features_and_bins(made):
    ranker = podium.Linear(features="1-2").fit(made.X, made.y, qid=made.qid)
    assert ranker.model_.features == ["1", "2"]
    assert ranker.feature_importances_.shape == (made.X.shape[1],)
    assert (ranker.feature_importances_[2:] == 0).all()
    changed = made.X.copy()
    changed[:, 2:] = 0
    np.testing.assert_array_equal(ranker.predict(made.X), ranker.predict(changed))
    binned = podium.Linear(bins=8).fit(made.X, made.y, qid=made.qid)
    assert len(binned.model_.importance()) == made.X.shape[1]
    assert binned.score(made.X, made.y, made.qid) > 0.5
    even = podium.Linear(bins=8, bin_rule="even").fit(made.X, made.y, qid=made.qid)
    assert (even.predict(made.X) != binned.predict(made.X)).any()
    with pytest.raises(ValueError, match="bin rule"):
        podium.Linear(bins=8, bin_rule="odd").fit(made.X, made.y, qid=made.qid)


def test_feature_names(made):
    names = [f"signal {i}" for i in range(made.X.shape[1])]
    frame = pandas.DataFrame(made.X, columns=names)
    ranker = small().fit(frame, made.y, qid=made.qid)
    assert list(ranker.feature_names_in_) == names and ranker.model_.features == names
    np.testing.assert_array_equal(ranker.predict(frame), small().fit(made.X, made.y, qid=made.qid).predict(made.X))
    with pytest.raises(ValueError, match="The feature names should match"):
        ranker.predict(frame[names[::-1]])
    with pytest.raises(ValueError, match="now missing:\n- signal 0"):
        ranker.predict(frame[names[1:]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        ranker.predict(made.X)
    # The model itself matches by name.
    np.testing.assert_array_equal(ranker.model_.predict(frame[names[::-1]]), ranker.predict(frame))


def test_a_column_qid_is_not_a_feature(made):
    frame = pandas.DataFrame(made.X, columns=list("abcdef")).assign(qid=made.qid)
    ranker = small().fit(frame, made.y)
    assert ranker.n_features_in_ == 6
    assert ranker.score(frame, made.y) == ranker.score(frame.drop(columns="qid"), made.y, made.qid)
    np.testing.assert_array_equal(ranker.rank(frame), ranker.rank(frame.drop(columns="qid"), qid=made.qid))
    with pytest.raises(ValueError, match="qid: X has a column qid too"):
        small().fit(frame, made.y, qid=made.qid)


def test_certificate():
    from conftest import Made
    made = Made(queries=20)
    ranker = podium.SVMMAP(C=1.0).fit(made.X, made.y > 1, qid=made.qid)
    assert 0 <= ranker.certificate_["gap"] <= 1e-3
    assert ranker.model_.kind == "linear" and ranker.model_.weights.shape == (6,)
    assert podium.SVMMAP(C=np.array([0.1, 1])).fit(made.X, made.y > 1, qid=made.qid, eval_set=(made.X, made.y),
                                         eval_qid=made.qid).chosen_["C"] in (0.1, 1.0)


def test_a_model_that_ranks_nothing_warns(made):
    with pytest.warns(podium.UselessModelWarning, match="of no use: all labels are equal"):
        ranker = podium.MART(trees=3).fit(made.X, np.ones(len(made.y)), qid=made.qid)
    assert ranker.model_.training["useless"] == "all labels are equal"
    with pytest.warns(podium.UselessModelWarning, match="all features are constant within each query"):
        podium.Linear().fit(np.ones_like(made.X), made.y, qid=made.qid)
    with pytest.warns(podium.UselessModelWarning, match="too few documents for min_docs"):
        ranker = podium.MART(trees=3, min_docs=10000).fit(made.X, made.y, qid=made.qid)
    assert "--" not in ranker.model_.training["useless"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", podium.UselessModelWarning)
        assert small().fit(made.X, made.y, qid=made.qid).model_.training["useless"] is None
