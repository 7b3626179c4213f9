"""scikit-learn: its estimator checks, model selection with queries kept whole, metadata routing."""

import pathlib
import re

import numpy as np
import pandas
import podium
import pytest
import sklearn
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks


class OneQuery:
    """The checks do not pass queries and call fit(X, y): then all rows are one query."""

    def fit(self, X, y=None, qid=None, sample_weight=None):
        return super().fit(X, y, qid=qid if qid is not None else np.zeros(_rows(X)), sample_weight=sample_weight)

    def score(self, X, y=None, qid=None, sample_weight=None):
        return super().score(X, y, qid=qid if qid is not None else np.zeros(_rows(X)), sample_weight=sample_weight)


def _rows(X):
    return X.shape[0] if hasattr(X, "shape") else np.asarray(X).shape[0]


class Trees(OneQuery, podium.LambdaMART):
    def __init__(self, *, trees=5, min_docs=2, objective="ndcg", measure="nDCG@10", convention="podium"):
        super().__init__(trees=trees, min_docs=min_docs, objective=objective, measure=measure,
                         convention=convention)


class Weights(OneQuery, podium.Linear):
    def __init__(self, *, l2=0.1, measure="nDCG@10"):
        super().__init__(l2=l2, measure=measure)


class Named(OneQuery, podium.Ranker):
    pass


class FiveQueries:
    """As OneQuery, for what divides queries into folds."""

    def fit(self, X, y=None, qid=None, sample_weight=None):
        return super().fit(X, y, qid=_five(X) if qid is None else qid, sample_weight=sample_weight)

    def score(self, X, y=None, qid=None, sample_weight=None):
        return super().score(X, y, qid=_five(X) if qid is None else qid, sample_weight=sample_weight)


def _five(X):
    return np.arange(_rows(X)) * 5 // max(_rows(X), 1)


class Found(FiveQueries, podium.AutoRanker):
    def __init__(self, *, trials=2, learners=("linear", "mart"), folds=3, measure="nDCG@10"):
        super().__init__(trials=trials, learners=learners, folds=folds, measure=measure)


class _Blended(podium.Blend):
    """Its members must be fitted before, which the checks cannot do."""

    convention, negative, seed, threads, device = "podium", False, 1, 0, "cpu"

    def fit(self, X, y=None, qid=None, sample_weight=None):
        self._members = [kind.fit(X, y, qid=qid, sample_weight=sample_weight) for kind in (Weights(), Trees())]
        return super().fit(X, y, qid=qid, sample_weight=sample_weight)

    @property
    def models(self):
        return vars(self).get("_members", [])


class Blended(FiveQueries, _Blended):
    def __init__(self, *, folds=2, measure="nDCG@10"):
        self.folds = folds
        self.measure = measure


# Checks that do not apply, and why.
SKIPPED_FOR_TREES = {
    "check_sample_weight_equivalence_on_dense_data":
        "weights of rows within one query multiply pairs: a row twice is not a row of weight two",
    "check_sample_weight_equivalence_on_sparse_data":
        "weights of rows within one query multiply pairs: a row twice is not a row of weight two",
}

SKIPPED_FOR_NAMED = {
    "check_do_not_raise_errors_in_init_or_set_params":
        "Ranker(learner, **options) takes any keyword, and refuses one that is no option of the learner at once",
}


SKIPPED_FOR_BLENDS = {
    "check_sample_weight_equivalence_on_dense_data":
        "a row twice makes a longer list, of which the measure to maximise has another value; a weight of two does not",
    "check_sample_weight_equivalence_on_sparse_data":
        "a row twice makes a longer list, of which the measure to maximise has another value; a weight of two does not",
}


def skipped(estimator):
    return {Trees: SKIPPED_FOR_TREES, Named: SKIPPED_FOR_NAMED, Found: SKIPPED_FOR_BLENDS,
            Blended: SKIPPED_FOR_BLENDS}.get(type(estimator), {})


@parametrize_with_checks([Trees(), Weights(), Named(), Found(), Blended()],
                         expected_failed_checks=skipped)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [Trees(), Named(), Found(), Blended()])
def test_exceptions_are_needed(estimator):
    """A check that passes does not belong on the list."""
    from sklearn.utils.estimator_checks import estimator_checks_generator

    left = set(skipped(estimator))
    for one, check in estimator_checks_generator(estimator):
        name = getattr(check, "func", check).__name__
        if name in left:
            left.remove(name)
            with pytest.raises((AssertionError, TypeError)):
                check(one)
    assert not left


def test_exceptions_are_documented():
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python.md").read_text(encoding="utf-8")
    table = text[text.index("scikit-learn's `check_estimator`"):]
    rows = [line for line in table[:table.index("\n## ")].splitlines() if line.startswith("| `check_")]
    for name, checks in (("LambdaMART", SKIPPED_FOR_TREES), ("Ranker", SKIPPED_FOR_NAMED), ("AutoRanker", SKIPPED_FOR_BLENDS),
                         ("Blend", SKIPPED_FOR_BLENDS)):
        found = {check for row in rows if f"`{name}`" in row.split("|")[2] for check in re.findall(r"`(check_\w+)`", row)}
        assert found == set(checks), name


def test_tags():
    tags = podium.LambdaMART().__sklearn_tags__()
    assert tags.estimator_type == "ranker" and tags.input_tags.allow_nan and tags.target_tags.required
    assert not is_classifier(podium.LambdaMART()) and not is_regressor(podium.LambdaMART())


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def ranker():
    return podium.LambdaMART(trees=5, min_docs=5)


def by_hand(made, estimator, folds=3):
    """Values of the folds without scikit-learn's machinery."""
    values = []
    for train, test in GroupKFold(folds).split(made.X, made.y, made.qid):
        fitted = estimator.fit(made.X[train], made.y[train], qid=made.qid[train])
        values.append(fitted.score(made.X[test], made.y[test], made.qid[test]))
    return values


def test_grid_search_with_routing(made, routing):
    estimator = ranker().set_fit_request(qid=True).set_score_request(qid=True)
    search = GridSearchCV(estimator, {"leaves": [2, 8]}, cv=GroupKFold(3), error_score="raise")
    search.fit(made.X, made.y, qid=made.qid, groups=made.qid)
    for row, leaves in enumerate((2, 8)):
        wanted = by_hand(made, ranker().set_params(leaves=leaves))
        found = [search.cv_results_[f"split{fold}_test_score"][row] for fold in range(3)]
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert search.best_estimator_.predict(made.X).shape == made.y.shape
    assert search.score(made.X, made.y, qid=made.qid) > 0.8


def test_cross_val_score_with_groups_and_routing(made, routing):
    estimator = ranker().set_fit_request(qid=True).set_score_request(qid=True)
    found = cross_val_score(estimator, made.X, made.y, cv=GroupKFold(3), error_score="raise",
                            params={"qid": made.qid, "groups": made.qid})
    np.testing.assert_allclose(found, by_hand(made, ranker()), rtol=1e-12)


def test_without_routing_a_column_has_the_queries(made):
    frame = pandas.DataFrame(made.X, columns=list("abcdef")).assign(qid=made.qid)
    found = cross_val_score(ranker(), frame, made.y, groups=made.qid, cv=GroupKFold(3), error_score="raise")
    assert found == pytest.approx(by_hand(made, ranker()), rel=1e-12)
    search = GridSearchCV(podium.Ranker("lambdamart", min_docs=5), {"trees": [2, 5]}, cv=GroupKFold(3),
                          error_score="raise")
    search.fit(frame, made.y, groups=made.qid)
    assert search.best_params_["trees"] in (2, 5)


def test_fit_params_without_routing(made):
    """qid as a fit parameter is split with the rows; scoring with a custom scorer."""
    def scorer(estimator, X, y):
        return float(np.corrcoef(estimator.predict(X), y)[0, 1])

    result = cross_validate(ranker(), made.X, made.y, groups=made.qid, cv=GroupKFold(3), scoring=scorer,
                            params={"qid": made.qid}, error_score="raise")
    assert (result["test_score"] > 0.5).all()


def test_separated_rows_of_a_query_are_regrouped(made, routing):
    from sklearn.model_selection import KFold
    estimator = ranker().set_fit_request(qid=True).set_score_request(qid=True)
    with pytest.warns(podium.RegroupedWarning, match="not contiguous"):
        cross_val_score(estimator, made.X, made.y, cv=KFold(3, shuffle=True, random_state=0),
                        params={"qid": np.arange(len(made.y)) % 40}, error_score="raise")


def test_pipeline(made, routing):
    estimator = ranker().set_fit_request(qid=True).set_score_request(qid=True)
    pipeline = make_pipeline(StandardScaler(), estimator)
    pipeline.fit(made.X, made.y, qid=made.qid)
    assert pipeline.score(made.X, made.y, qid=made.qid) > 0.8


def test_parallel_search(made, routing):
    estimator = ranker().set_fit_request(qid=True).set_score_request(qid=True)
    search = GridSearchCV(estimator, {"leaves": [2, 8]}, cv=GroupKFold(3), n_jobs=2, error_score="raise")
    search.fit(made.X, made.y, qid=made.qid, groups=made.qid)
    assert len(search.cv_results_["params"]) == 2
