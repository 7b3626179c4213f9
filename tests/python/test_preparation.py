"""Missing values, encodings and preferences."""

import numpy as np
import pytest

import podium


def missing_data(seed=1, queries=30, documents=10):
    chance = np.random.default_rng(seed)
    quality = chance.random(queries * documents)
    scores = quality[:, None] + 0.2 * chance.random((len(quality), 3))
    X = np.where(chance.random(scores.shape) > 0.4, 10 + scores, np.nan).astype(np.float32)
    y = (quality * 3).astype(int)
    return X, y, np.repeat(np.arange(queries), documents)


def test_missing_values_are_imputed_and_kept():
    X, y, qid = missing_data()
    ranker = podium.Linear(impute="query-min", indicators="yes").fit(X, y, qid=qid)
    assert ranker.model_.needs_queries
    scores = ranker.predict(X, qid=qid)
    assert np.isfinite(scores).all()
    with pytest.raises(ValueError, match="qid"):
        ranker.predict(X)
    assert len(ranker.model_.importance()) == 3
    plain = podium.Linear(impute="none").fit(X, y, qid=qid)
    assert ranker.score(X, y, qid=qid) > plain.score(X, y, qid=qid)


def test_bad_names_are_refused():
    X, y, qid = missing_data()
    with pytest.raises(ValueError, match="impute"):
        podium.Linear(impute="most").fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="encode"):
        podium.Linear(encode="most").fit(X, y, qid=qid)


def test_preferences_teach_without_grades():
    chance = np.random.default_rng(3)
    X = chance.random((200, 2)).astype(np.float32)
    qid = np.repeat(np.arange(20), 10)
    pairs = []
    for query in range(20):
        for _ in range(10):
            a, b = 10 * query + chance.choice(10, 2, replace=False)
            pairs.append((a, b, 1) if X[a, 0] > X[b, 0] else (b, a, 1))
    ranker = podium.RankNet().fit(X, np.zeros(200), qid=qid, preferences=pairs, preferences_only=True)
    scores = ranker.predict(X)
    assert np.mean([scores[int(a)] > scores[int(b)] for a, b, _ in pairs]) > 0.9
    with pytest.raises(ValueError, match="different queries"):
        podium.RankNet().fit(X, np.zeros(200), qid=qid, preferences=[(0, 199)])
    with pytest.raises(ValueError, match="itself"):
        podium.RankNet().fit(X, np.zeros(200), qid=qid, preferences=[(5, 5)])
    with pytest.raises(ValueError, match="listnet cannot use preferences"):
        podium.ListNet().fit(X, np.zeros(200), qid=qid, preferences=[(0, 1)])


def test_pairs_that_are_not_a_scale_get_a_hint():
    with pytest.raises(TypeError, match="pairs: RankNet takes preference pairs in fit, as preferences="):
        podium.RankNet(pairs=[(0, 1)])
    with pytest.raises(ValueError, match="pairs: RankSVM takes"):
        podium.RankSVM(pairs="sum").fit(np.zeros((2, 1)), [0, 1], qid=[1, 1], pairs=[(0, 1)])
    with pytest.raises(ValueError, match="pairs: ListNet takes"):
        podium.ListNet().fit(np.zeros((2, 1)), [0, 1], qid=[1, 1], pairs=np.array([[0, 1]]))


@pytest.mark.parametrize(("pairs", "message"), [
    ([(0, 1, np.nan)], r"pair 0 \(0, 1\) has the weight nan: a weight is a number of at least 0"),
    ([(0, 1, 1), (2, 3, -1)], r"pair 1 \(2, 3\) has the weight -1"),
    ([(0, 1), (2, np.nan)], r"pair 1 \(2, nan\): better and worse are row numbers"),
    ([(0, 1.5)], r"pair 0 \(0, 1.5\): better and worse are row numbers"),
    ([("a", 1)], "pairs of row numbers are expected"),
    ([(0, 1), (2,)], "pairs of row numbers are expected"),
    ([0, 1], "an array of two or three columns"),
])
def test_wrong_preferences(made, pairs, message):
    with pytest.raises(ValueError, match="preferences: " + message):
        podium.RankNet(epochs=1).fit(made.X, made.y, qid=made.qid, preferences=pairs)
