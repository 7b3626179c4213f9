"""What every fitted ranker can do: scores, ranks, explanations, exports. Shared by all estimators."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from podium._columns import Columns, Features, name_list
from podium._dataset import Dataset, only_these
from podium._evaluation import evaluate
from podium._features import as_features, check_count, check_names, is_frame
from podium._model import (
    FEW_ROWS,
    Explanation,
    Export,
    Model,
    categories_in,
    explanation_of,
    plain_matrix,
    require_groups,
    rows_to_score,
    score_features,
)
from podium._parameters import MeasureLike, NamesLike
from podium._queries import as_queries, query_sizes
from podium._training import TrainingData, labelled, nothing_beside_dataset


class Scoring(BaseEstimator):
    """An estimator whose ``fit`` sets ``model_`` and calls ``_remember``."""

    model_: Model
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    measure: MeasureLike
    convention: str
    features: NamesLike = None
    ignore: NamesLike = None
    categorical: NamesLike = None
    threads: int
    device: str = "cpu"
    _apart: tuple[str, ...] = ("qid",)  # columns of the training data that were no features
    _names: list[str] | None = None  # feature_names_in_, as a list

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "ranker"
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def _columns(self, apart: Sequence[str] = ()) -> Columns:
        """What tables have besides features; ``apart``: columns that the training data had set apart."""
        chosen = None if self.features is None else name_list("features", self.features)
        return Columns(("qid",), (*name_list("ignore", self.ignore), *(name for name in apart if name != "qid")), chosen,
                       name_list("categorical", self.categorical))

    def _remember(self, data: TrainingData) -> None:
        """The columns of the training data, under the names that scikit-learn has for them."""
        self.n_features_in_ = data.native.features
        self._apart = data.apart
        self._names = data.names
        if data.names is not None:
            self.feature_names_in_ = np.array(data.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def predict(self, X: Any, *, qid: Any = None, group: Any = None) -> npt.NDArray[np.float64]:
        """One score per row; within a query, higher is better.

        A float32 array in C order is not copied. qid or group are needed only by models that scale
        features within each query.
        """
        if not hasattr(self, "model_"):  # the check alone takes as long as a thousand rows
            check_is_fitted(self, "model_")
        matrix = self._plain_inputs(X)
        if matrix is not None:
            return self.model_._score_matrix(matrix, self.threads, self.device)
        native = self.model_._native
        if isinstance(X, Dataset):
            require_groups(native, X)
            return native.score(X._native, self.threads, self.device)
        features, names = self._features_to_score(X)
        return score_features(native, features, qid, group, self.threads, names, self.device)

    def _plain_inputs(self, X: Any) -> npt.NDArray[np.float32] | None:
        """X as the model's inputs, where that takes no checks of names and types; few rows are converted, too."""
        native = self.model_._native
        if native.inputs != self.n_features_in_ or native.needs_queries or native.has_categories:
            return None
        named = hasattr(self, "feature_names_in_")
        if type(X) is np.ndarray:
            if named:
                return None
            if plain_matrix(X, self.n_features_in_):
                return X
            values = X
        elif named and is_frame(X) and 0 < len(X) <= FEW_ROWS and X.columns.tolist() == self._names:
            if any(dtype.kind not in "fiub" for dtype in X.dtypes):
                return None
            values = X.to_numpy()
        else:
            return None
        if (values.ndim != 2 or values.dtype.kind not in "fiub" or values.shape[1] != self.n_features_in_
                or not 0 < values.shape[0] <= FEW_ROWS):
            return None
        return _without_infinity(values)

    def _columns_to_score(self, X: Any) -> Columns:
        """Those of the training data, where categories stay what they were. Text in columns that training did not see is
        left alone."""
        columns = self._columns(self._apart)
        if columns.features is None and self._names is not None:
            columns = replace(columns, features=tuple(self._names))
        return replace(columns, categorical=categories_in(self.model_._native, X, self._trained_names()))

    def _features_to_score(self, X: Any) -> tuple[Features, list[str] | None]:
        """The features of X, and their names if X does not name them."""
        features = as_features(X, self._columns_to_score(X), threads=self.threads)
        chosen = () if self.features is None else name_list("features", self.features)
        if features.names is not None and chosen and set(chosen) <= set(self._names or ()):
            return only_these(features, chosen), None  # others that training saw are not needed
        self._check_features(features)
        return features, self._trained_names()

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
            return _places(begin, scores)
        features = as_features(X, self._columns_to_score(X), threads=self.threads)
        ids = features.columns.get("qid") if qid is None and group is None else qid
        queries = as_queries(features.rows, ids, group)
        scores = self.predict(X, qid=ids, group=group)
        return queries.as_given(_places(queries.begin, queries.grouped(scores)))

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
            qid = as_features(X, self._columns_to_score(X), threads=self.threads).columns.get("qid")
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

    def explain(self, X: Any, *, qid: Any = None, group: Any = None) -> Explanation:
        """Why each row has its score: one number per feature, which add up to the score."""
        check_is_fitted(self, "model_")
        native = self.model_._native
        names: list[str] | None = self._trained_names()
        if not isinstance(X, Dataset):
            X, names = self._features_to_score(X)
        data, queries = rows_to_score(native, X, qid, group, self.threads, names)
        return explanation_of(native, data, queries, self.threads)

    def export(self, path: str | os.PathLike[str] | None, format: str | None = None, **options: Any) -> Export:
        """Writes the model in another system's format: ``podium.export_formats()``, ``Model.export``."""
        check_is_fitted(self, "model_")
        return self.model_.export(path, format, **options)

    def _repr_html_(self) -> str:
        shown = str(super()._repr_html_())
        return shown + self.model_._repr_html_() if hasattr(self, "model_") else shown

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        if "text/html" in shown:
            shown["text/html"] = self._repr_html_()
        return shown

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file that ``podium.load_model`` and the program read."""
        check_is_fitted(self, "model_")
        self.model_.save(path)


@np.errstate(over="ignore", invalid="ignore")
def _without_infinity(values: npt.NDArray[Any]) -> npt.NDArray[np.float32] | None:
    """The values as float32; None if one is infinite, or becomes so."""
    inputs = np.ascontiguousarray(values, np.float32)
    flat = inputs.ravel()
    # The sum of squares is finite only if all values are, and takes a fraction of the time.
    return inputs if isfinite(flat.dot(flat)) or not np.isinf(inputs).any() else None


def _places(begin: npt.NDArray[np.uint64], scores: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The rank of each row, of rows that are grouped."""
    query = np.repeat(np.arange(len(begin) - 1), query_sizes(begin))
    order = np.lexsort((-scores, query))
    places = np.empty(len(scores), dtype=np.intp)
    places[order] = np.arange(len(scores)) - begin[:-1].astype(np.intp)[query] + 1
    return places
