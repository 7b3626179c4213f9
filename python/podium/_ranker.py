"""The estimator: the scikit-learn interface to the library's learners."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from podium import _podium
from podium._arguments import Features, as_features, as_queries, check_count, check_names, query_sizes
from podium._custom import Loss, LossFunction, MeasureFunction, native_measures
from podium._dataset import Dataset
from podium._evaluation import evaluate
from podium._model import Model, plain_matrix, score_features
from podium._options import CATALOG, as_text, options_of
from podium._training import (
    Callback,
    UselessModelWarning,
    joined_callbacks,
    labelled,
    nothing_beside_dataset,
    set_start,
    training_data,
    validation_data,
)

MeasureLike: TypeAlias = str | MeasureFunction | Sequence[str | MeasureFunction]
LossLike: TypeAlias = str | Loss | LossFunction | None


class Ranker(BaseEstimator):
    """A learner of the catalogue as a scikit-learn estimator.

    Parameters
    ----------
    learner:
        A name of ``podium.learners()``; each also has its own class, such as ``podium.LambdaMART``,
        with its options in the signature.
    measure:
        Chooses between models on ``eval_set``, and is what ``score`` returns: a name, a function (see
        ``podium.evaluate``), or a list, of which the others are only logged.
    convention:
        How measures are computed: ``podium.conventions()``.
    loss:
        For learners that accept any (boosting, linear, mlp): a name of ``podium.losses()``, a
        ``podium.Loss`` or a function of one query's scores and labels. None: the learner's own.
    normalize:
        Rescale features within each query, in training and scoring: query-minmax, query-zscore,
        query-percentile, none. None: as the method's paper does.
    bins:
        Replace each feature by indicators at this many thresholds; 0: as the method's paper does.
    bin_rule:
        How to place these thresholds: quantile, even. None: as the method's paper does.
    features:
        Train on these only: "1-10,15" or names.
    pointwise:
        Add this many times the squared error to the loss.
    seed:
        The same seed gives the same model, for any number of threads.
    threads:
        0: one per core.
    **options:
        The learner's own, with underscores: ``podium.options("lambdamart")`` lists them.

    Attributes
    ----------
    model_: podium.Model
    n_features_in_, feature_names_in_: as in scikit-learn
    history_: list of dict, the values of each iteration
    best_iteration_: int
    termination_: why training ended
    certificate_: dict with primal, dual and gap, or None
    validation_: dict, the measures on ``eval_set``
    """

    _learner: str | None = None  # set by the classes for one learner
    model_: Model

    def __init__(self, learner: str = "lambdamart", *, measure: MeasureLike = "nDCG@10",
                 convention: str = "podium", loss: LossLike = None, normalize: str | None = None, bins: int = 0,
                 bin_rule: str | None = None, features: str | None = None, pointwise: float = 0.0, seed: int = 1, threads: int = 0,
                 **options: Any) -> None:
        self.learner = learner
        self.measure = measure
        self.convention = convention
        self.loss = loss
        self.normalize = normalize
        self.bins = bins
        self.bin_rule = bin_rule
        self.features = features
        self.pointwise = pointwise
        self.seed = seed
        self.threads = threads
        self._set_options(options)

    # Parameters

    def _set_options(self, options: Mapping[str, Any]) -> None:
        if not options:
            return
        known = options_of(self._name)
        for name, value in options.items():
            if name not in known:
                hint = _podium.suggestion(name, list(known))
                raise TypeError(f"{self._name} has no option {name!r}{hint}")
            setattr(self, name, value)

    @property
    def _name(self) -> str:
        return self._learner or self.learner

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        params: dict[str, Any] = super().get_params(deep=deep)
        if self._learner is None and self.learner in CATALOG:
            params |= {name: vars(self)[name] for name in options_of(self.learner) if name in vars(self)}
        return params

    def set_params(self, **params: Any) -> Ranker:
        if self._learner is not None:
            super().set_params(**params)
            return self
        own = super().get_params(deep=False)
        super().set_params(**{name: value for name, value in params.items() if name in own})
        try:
            self._set_options({name: value for name, value in params.items() if name not in own})
        except TypeError as error:
            raise ValueError(str(error)) from None
        return self

    def _given_options(self) -> list[tuple[str, str]]:
        defaults = options_of(self._name)
        if self._learner is None:
            given = {name: vars(self)[name] for name in defaults if name in vars(self)}
        else:
            given = {name: vars(self)[name] for name, value in defaults.items()
                     if as_text(name, vars(self)[name]) != as_text(name, value)}
        return [(name.replace("_", "-"), as_text(name, value)) for name, value in given.items()]

    def spec(self) -> str:
        """The learner and its options as ``compare`` and the program write them."""
        loss = getattr(self, "loss", None)
        if loss is not None and not isinstance(loss, str):
            raise ValueError("loss: a loss in Python cannot be written as text")
        given = self._given_options() + ([("loss", loss)] if loss else [])
        if self.pointwise:
            given.append(("pointwise", as_text("pointwise", self.pointwise)))
        inner = ",".join(f"{name}={value}" for name, value in given)
        return f"{self._name}({inner})" if inner else self._name

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "ranker"
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    # Training

    def fit(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None,
            eval_set: Any = None, eval_qid: Any = None, eval_group: Any = None, eval_sample_weight: Any = None,
            init: Any = None, eval_init: Any = None,
            callbacks: Callback | Sequence[Callback] | None = None) -> Ranker:
        """Trains on rows that are grouped by query.

        Parameters
        ----------
        X:
            Features: NumPy array, SciPy sparse matrix, pandas or polars DataFrame, any Arrow table; or a
            Dataset, which contains the other arguments. A column ``qid`` of a table is not a feature.
        y:
            One label per row, higher is better.
        qid, group:
            Which rows form a query: one id per row (with the rows of a query contiguous), or the sizes of
            consecutive queries.
        sample_weight:
            One weight per row or one per query.
        eval_set:
            Validation data, for choosing between models and early stopping: (X, y) or a Dataset, with
            eval_qid or eval_group.
        init, eval_init:
            Where training starts: a Model or a fitted Ranker to continue, "feature:NAME", or one score per
            row that the model's scores are added to.
        callbacks:
            Called with an ``Iteration`` after each step; one that returns True ends the training, and
            the model so far is kept.
        """
        owner = type(self).__name__
        names, data = training_data(owner, X, y, qid, group, sample_weight, self.threads)
        valid = validation_data(owner, eval_set, eval_qid, eval_group, eval_sample_weight, names, data.features,
                                self.threads)
        request = self._request()
        set_start(request, init.model_ if isinstance(init, Ranker) else init, eval_init, data, valid)
        native, report = _podium.fit(request, data, valid, joined_callbacks(callbacks))
        for note in report["notes"]:
            warnings.warn(note, stacklevel=2)
        if why := native.training["useless"]:
            warnings.warn(f"the model is of no use: {why}", UselessModelWarning, stacklevel=2)
        self.model_ = Model(native)
        self.n_features_in_ = data.features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.history_: list[dict[str, float]] = report["log"]
        self.best_iteration_: int = report["best_iteration"]
        self.termination_: str = report["termination"]
        self.certificate_: dict[str, float] | None = report["certificate"]
        self.chosen_: dict[str, float] = report["chosen"]
        self.validation_: dict[str, float] = native.training["validation"]
        return self

    def _request(self) -> _podium.TrainingRequest:
        request = _podium.TrainingRequest()
        request.learner = self._name
        request.options = self._given_options()
        request.convention = self.convention
        request.set_measures(native_measures(self.measure, "measure"))
        request.pointwise = _not_negative("pointwise", self.pointwise)
        request.normalize = self.normalize or ""
        request.bins = _whole("bins", self.bins)
        request.bin_rule = self.bin_rule or ""
        request.features = self.features or ""
        request.seed = _whole("seed", self.seed)
        request.threads = _whole("threads", self.threads)
        loss = getattr(self, "loss", None)
        if isinstance(loss, str):
            request.set_loss(loss)
        elif loss is not None:
            custom = loss if isinstance(loss, Loss) else Loss(loss)
            request.set_python_loss(custom.name, custom, custom.convex, custom.shift_invariant)
        return request

    # Use

    def predict(self, X: Any, *, qid: Any = None, group: Any = None) -> npt.NDArray[np.float64]:
        """One score per row; within a query, higher is better.

        A float32 array in C order is not copied. qid or group are needed only by models that scale
        features within each query.
        """
        if not hasattr(self, "model_"):  # the check alone takes as long as a thousand rows
            check_is_fitted(self, "model_")
        native = self.model_._native
        if (plain_matrix(X, self.n_features_in_) and native.inputs == self.n_features_in_
                and not native.needs_queries and not hasattr(self, "feature_names_in_")):
            return native.score_matrix(X, self.threads)
        if isinstance(X, Dataset):
            return native.score(X._native, self.threads)
        features = as_features(X, threads=self.threads)
        self._check_features(features)
        return score_features(native, features, qid, group, self.threads, self._trained_names())

    def _check_features(self, features: Features) -> None:
        fitted = list(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        if fitted is None or features.names is None:
            check_count(features, self.n_features_in_, type(self).__name__)
        message = check_names(features, fitted, type(self).__name__)
        if message:
            warnings.warn(message, UserWarning, stacklevel=3)

    def _trained_names(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            return list(self.feature_names_in_)
        return [str(number) for number in range(1, self.n_features_in_ + 1)]

    def rank(self, X: Any, *, qid: Any = None, group: Any = None) -> npt.NDArray[np.intp]:
        """The rank of each row in its query, 1 for the best; ties keep the order of the rows."""
        if isinstance(X, Dataset):
            begin, scores = X._native.query_begin, self.predict(X)
        else:
            features = as_features(X, threads=self.threads)
            ids = features.columns.get("qid") if qid is None and group is None else qid
            begin = as_queries(features.rows, ids, group).begin
            scores = self.predict(X, qid=ids, group=group)
        query = np.repeat(np.arange(len(begin) - 1), query_sizes(begin))
        order = np.lexsort((-scores, query))
        places = np.empty(len(scores), dtype=np.intp)
        places[order] = np.arange(len(scores)) - begin[:-1].astype(np.intp)[query] + 1
        return places

    def score(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None
              ) -> float:
        """The value of ``measure`` (the first, if several were given) for the model's ranking of X."""
        measures = self.measure if isinstance(self.measure, Sequence) and not isinstance(self.measure, str) \
            else [self.measure]
        if isinstance(X, Dataset):
            nothing_beside_dataset(y=y, qid=qid, group=group)
            labelled(X, "X")
            y, group = X.y, X.group
        scores = self.predict(X) if isinstance(X, Dataset) else self.predict(X, qid=qid, group=group)
        if qid is None and group is None:
            qid = as_features(X, threads=self.threads).columns.get("qid")
        values = evaluate(y, scores, qid, group=group, measures=measures[:1], convention=self.convention,
                          sample_weight=sample_weight, threads=self.threads)
        return next(iter(values.values()))

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """How much each column of X moves the scores, normalised to sum to 1."""
        check_is_fitted(self, "model_")
        by_name = self.model_.importance()
        values = np.array([by_name.get(name, 0.0) for name in self._trained_names()])
        return values / values.sum() if values.sum() > 0 else values

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file that ``podium.load_model`` and the program read."""
        check_is_fitted(self, "model_")
        self.model_.save(path)


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a whole number of at least 0 is needed, not {value!r}")
    return int(value)


def _not_negative(name: str, value: Any) -> float:
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a number of at least 0 is needed, not {value!r}")
    return value if isinstance(value, int) else float(value)
