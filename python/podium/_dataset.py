"""Data: rows grouped by query, from memory or from a file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from podium import _podium
from podium._arguments import (
    Features,
    Queries,
    Weights,
    as_features,
    as_labels,
    as_queries,
    as_weights,
    counted,
    query_sizes,
)


def native_dataset(features: Features, labels: npt.NDArray[np.float32] | None, queries: Queries,
                   weights: Weights, names: list[str] | None = None) -> _podium.Dataset:
    """The library's data set over these arrays, which are not copied where their types fit."""
    names = names or features.names or [str(number) for number in range(1, features.count + 1)]
    if labels is None:
        labels = np.zeros(features.rows, np.float32)
    around = (labels, queries.begin, queries.ids, names, weights.documents, weights.queries)
    values = features.values
    if not sparse.issparse(values):
        return _podium.Dataset.dense(values, *around)
    indices = np.ascontiguousarray(values.indices, dtype=np.int32).view(np.uint32)
    return _podium.Dataset.sparse(values.indptr.astype(np.uint64), indices, values.data, features.count,
                                  *around)


class Dataset:
    """Rows with features and labels, grouped by query.

    Parameters
    ----------
    X:
        NumPy array, SciPy sparse matrix, pandas or polars DataFrame, or anything with
        ``__arrow_c_stream__``. A float32 array in C order and CSR float32 are used without copying; so is
        an Arrow column of fixed-size lists of float32.
    y:
        One label a row, higher is better; or the name of a column of X. None: no labels.
    qid:
        One id a row, the rows of a query together; or the name of a column of X. Where X has a column
        ``qid``, it is taken when neither qid nor group is given.
    group:
        Instead of qid: the sizes of consecutive queries.
    sample_weight:
        One weight per row or one per query; or the name of a column of X.
    feature_names:
        Where X has none; "1", "2", … otherwise.
    """

    def __init__(self, X: Any, y: Any = None, qid: Any = None, *, group: Any = None,
                 sample_weight: Any = None, feature_names: Sequence[str] | None = None) -> None:
        named = [name for name in (y, qid, sample_weight) if isinstance(name, str)]
        apart = [*named, "qid"] if qid is None and group is None else named
        features = as_features(X, apart)
        for argument, name in (("y", y), ("qid", qid), ("sample_weight", sample_weight)):
            if isinstance(name, str) and name not in features.columns:
                raise ValueError(f"{argument}: X has no column {name!r}")
        if qid is None and group is None:
            qid = features.columns.get("qid")

        def column(value: Any) -> Any:
            return features.columns[value] if isinstance(value, str) else value

        queries = as_queries(features.rows, column(qid), group)
        labels = None if y is None else as_labels(column(y), features.rows)
        names = None if feature_names is None else [str(name) for name in feature_names]
        if names is not None and (len(names) != features.count or len(set(names)) != len(names)):
            raise ValueError(f"feature_names: {features.count} different names are needed, one a column of X")
        self._native = native_dataset(features, labels, queries, as_weights(column(sample_weight), queries),
                                      names)
        self._names = names or features.names
        self._labelled = labels is not None

    @classmethod
    def _wrap(cls, native: _podium.Dataset, labelled: bool = True) -> Dataset:
        data = cls.__new__(cls)
        data._native = native
        data._names = list(native.feature_names)
        data._labelled = labelled
        return data

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, format: str = "auto", threads: int = 0, **options: Any
             ) -> Dataset:
        """Reads LETOR/SVMlight text, CSV, TSV (also ``.gz`` and ``.zst``) or a ``.podium`` file, by its ending.

        Options are those of ``podium train``: absent ("zero" or "missing"), label_column, qid_column,
        weight_column, first_feature, categorical and ignore (columns: a list, or text like "brand,7"), …
        """
        def text(value: Any) -> str:
            return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

        given = [("data-format", format)]
        given += [(name.replace("_", "-"), text(value)) for name, value in options.items()]
        native, notes = _podium.Dataset.read(os.fspath(path), given, threads)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return cls._wrap(native)

    def write(self, path: str | os.PathLike[str], *, threads: int = 0) -> None:
        """Writes a data file; the ending says the format, ``.podium`` is the fast one."""
        for note in self._native.write(os.fspath(path), threads):
            warnings.warn(note, stacklevel=2)

    def select(self, queries: Sequence[int]) -> Dataset:
        """The queries of these numbers (counted from 0), in this order."""
        numbers = [int(query) for query in queries]
        for number in numbers:
            if not 0 <= number < self.n_queries:
                raise IndexError(f"queries: there is no query {number}, the last is {self.n_queries - 1}")
        return self._wrap(self._native.select(numbers), self._labelled)

    def split(self, shares: Sequence[float], *, seed: int = 1) -> list[Dataset]:
        """Deals the queries to parts in these proportions, balanced by grade: ``data.split([60, 20, 20])``."""
        return [self.select(part) for part in self._native.split(list(map(float, shares)), seed)]

    @property
    def n_rows(self) -> int:
        return self._native.documents

    @property
    def n_queries(self) -> int:
        return self._native.queries

    @property
    def n_features(self) -> int:
        return self._native.features

    @property
    def feature_names(self) -> list[str]:
        return list(self._native.feature_names)

    @property
    def categories(self) -> dict[str, list[str]]:
        """The values of each feature that is a category, by code: the numbers that X has for them."""
        return self._native.categories

    @property
    def X(self) -> Any:
        """The features: a view of a float32 matrix, or a CSR matrix. What sparse rows leave out is 0."""
        values, columns = self._native.values, self.n_features
        if self._native.is_dense:
            return values.reshape(self.n_rows, columns)
        if np.isnan(self._native.absent):
            raise ValueError("X: what these sparse rows leave out is missing, which SciPy cannot express")
        return sparse.csr_matrix((values, self._native.columns.view(np.int32),
                                  self._native.row_begin.astype(np.int64)), shape=(self.n_rows, columns))

    @property
    def y(self) -> npt.NDArray[np.float32]:
        return self._native.labels

    @property
    def group(self) -> npt.NDArray[np.intp]:
        """The number of rows of each query."""
        return query_sizes(self._native.query_begin)

    @property
    def qids(self) -> list[str]:
        """One id a query."""
        return self._native.qids

    @property
    def qid(self) -> npt.NDArray[np.object_]:
        """One id a row."""
        return np.repeat(np.array(self.qids, dtype=object), self.group)

    @property
    def docids(self) -> list[str]:
        """The document's id of each row; empty where the data has none."""
        return self._native.docids

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        sizes = (counted(self.n_queries, "query", "queries"), counted(self.n_rows, "row"),
                 counted(self.n_features, "feature"))
        return f"<podium.Dataset: {', '.join(sizes)}>"


def read_letor(path: str | os.PathLike[str], *, threads: int = 0, **options: Any) -> Dataset:
    """Reads LETOR/SVMlight text: ``label qid:id feature:value … # comment``."""
    return Dataset.read(path, threads=threads, format="letor", **options)
