"""Measures against other definitions, conventions, ties, and measures in Python."""

import itertools

import numpy as np
import podium
import pytest
from sklearn.metrics import ndcg_score


def test_against_scikit_learn(made):
    random = np.random.default_rng(0)
    scores = random.normal(size=len(made.y)).round(1)
    result = podium.evaluate(made.y, scores, made.qid, measures="nDCG@5", convention="sklearn")
    by_query = [ndcg_score([made.y[made.qid == q]], [scores[made.qid == q]], k=5) for q in np.unique(made.qid)]
    np.testing.assert_allclose(result.per_query["nDCG@5"], by_query, rtol=1e-12)
    assert result["nDCG@5"] == pytest.approx(np.mean(by_query), rel=1e-12)
    assert (result.queries, len(result.qids)) == (60, 60)


def test_names_and_frame(made):
    result = podium.evaluate(made.y, made.X[:, 0], group=made.group, measures=["nDCG@10", "AP", "RR"])
    assert list(result) == ["nDCG@10", "AP", "RR"]
    assert result.to_frame().shape == (60, 3)


def test_weights_of_queries(made):
    weights = np.linspace(0, 1, len(made.group))
    plain = podium.evaluate(made.y, made.X[:, 0], group=made.group)
    weighted = podium.evaluate(made.y, made.X[:, 0], group=made.group, sample_weight=weights)
    assert weighted["nDCG@10"] == pytest.approx(np.average(plain.per_query["nDCG@10"], weights=weights))


def gain_at_2(ranked, ideal):
    """The labels of the first two, discounted; undefined if nothing is relevant."""
    return None if ideal[0] == 0 else ranked[0] + 0.5 * (ranked[1] if len(ranked) > 1 else 0)


def test_measure_in_python_is_averaged_over_ties():
    y, scores = np.array([2, 0, 1, 0]), np.array([1.0, 1.0, 1.0, 0.0])
    orders = [gain_at_2(y[[*order, 3]], [2]) for order in itertools.permutations(range(3))]
    result = podium.evaluate(y, scores, np.ones(4), measures=gain_at_2)
    assert result == {"gain_at_2": pytest.approx(np.mean(orders))}
    untied = podium.evaluate(y, [4.0, 3, 2, 1], np.ones(4), measures=gain_at_2)
    assert untied["gain_at_2"] == 2


def test_measure_in_python_with_many_ties_is_near_the_mean_and_repeats():
    y = np.arange(40) % 5
    results = [podium.evaluate(y, np.zeros(40), np.ones(40), measures=gain_at_2) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0]["gain_at_2"] == pytest.approx(3.0, abs=0.6)


def test_undefined_queries_follow_the_convention():
    y, scores, qid = [1, 0, 0, 0], [2.0, 1, 2, 1], [1, 1, 2, 2]
    assert podium.evaluate(y, scores, qid, measures=gain_at_2)["gain_at_2"] == 0.5
    skipped = podium.evaluate(y, scores, qid, measures=gain_at_2, convention="ranklib")
    assert skipped.empty == 1


def test_errors_in_python_measures_propagate(made):
    def broken(ranked, ideal):
        raise ZeroDivisionError("of mine")

    with pytest.raises(ZeroDivisionError, match="of mine"):
        podium.evaluate(made.y, made.X[:, 0], made.qid, measures=broken)
    with pytest.raises(ZeroDivisionError, match="of mine"):
        podium.LambdaMART(measure=broken, trees=3).fit(made.X, made.y, qid=made.qid, eval_set=(made.X, made.y),
                                                       eval_qid=made.qid)


def test_measure_in_python_chooses(made, other):
    ranker = podium.LambdaMART(measure=gain_at_2, trees=30, early_stopping=5)
    ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid)
    assert ranker.validation_["python:gain_at_2"] == pytest.approx(ranker.score(other.X, other.y, other.qid))
    best = max(step["valid python:gain_at_2"] for step in ranker.history_)
    assert ranker.validation_["python:gain_at_2"] == pytest.approx(best)
