"""Data: rows grouped by query, from memory or from a file."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from podium import _podium
from podium._columns import Columns, Features, name_list
from podium._features import as_features
from podium._options import given_as_text
from podium._queries import Queries, as_queries, query_sizes
from podium._text import counted
from podium._values import Weights, as_labels, as_weights


def native_dataset(features: Features, labels: npt.NDArray[np.float32] | None, queries: Queries,
                   weights: Weights, names: list[str] | None = None, docids: Sequence[str] = (),
                   label: str = "") -> _podium.Dataset:
    """The library's data set over these arrays, which are not copied if their types and order fit."""
    names = names or features.names or [str(number) for number in range(1, features.count + 1)]
    if labels is None:
        labels = np.zeros(features.rows, np.float32)
    labels, values = queries.grouped(labels), queries.grouped(features.values)
    rows = None
    if queries.order is not None:
        rows = queries.order.astype(np.uint64)
        docids = [docids[row] for row in queries.order] if docids else docids
    categories = sorted(features.categories.items())
    around = (labels, queries.begin, queries.ids, names, weights.documents, weights.queries, list(docids), rows,
              categories, label)
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
        NumPy array, SciPy sparse matrix, pandas or polars DataFrame, polars LazyFrame, DuckDB relation, anything
        with ``__arrow_c_stream__``, or a generator of such pieces. A float32 array in C order and CSR float32 are
        used without copying; so is an Arrow column of fixed-size lists of float32.
    y:
        One label per row, higher is better; or the name of a column of X. None: no labels.
    qid:
        One id per row; or the name of a column of X. A column ``qid`` of X is used when neither qid nor group is
        given. Rows of a query that are not contiguous are brought together, with a ``podium.RegroupedWarning``;
        ``rows`` has the rows of X in their new order. Without labels qid can be left out.
    group:
        Instead of qid: the sizes of consecutive queries.
    sample_weight:
        One weight per row or one per query; or the name of a column of X.
    docid:
        One id per row; or the name of a column of X.
    feature_names:
        Names to use if X has none; default "1", "2", …
    features:
        Names of columns of X: the only ones to use as features.
    ignore:
        Names of columns of X that are not features, such as text.
    categorical:
        Names of columns of X that are categories: text, numbers or booleans. Columns of the pandas type ``category``, of
        polars' ``Categorical`` and ``Enum``, and Arrow dictionaries of text always are. The columns of matrices are named
        1, 2, …
    label:
        Instead of y: an expression of columns of X, which are then no features: ``"click*0.2+purchase"``, as
        ``podium train --label``. Models name it.
    """

    def __init__(self, X: Any, y: Any = None, qid: Any = None, *, group: Any = None,
                 sample_weight: Any = None, docid: Any = None, feature_names: Sequence[str] | None = None,
                 features: Any = None, ignore: Any = None, categorical: Any = None, label: str | None = None) -> None:
        if y is not None and label is not None:
            raise ValueError("label: y has the labels already: give one of them")
        label_parts = [] if label is None else _podium.label_columns(label)
        named = {argument: name for argument, name in (("y", y), ("qid", qid), ("sample_weight", sample_weight),
                                                       ("docid", docid)) if isinstance(name, str)}
        named |= {f"label {part}": part for part in label_parts}
        apart = [*named.values(), *(["qid"] if qid is None and group is None else [])]
        wanted = None if features is None else name_list("features", features)
        found = as_features(X, Columns(tuple(apart), name_list("ignore", ignore), wanted,
                                       name_list("categorical", categorical)))
        for argument, name in named.items():
            if name not in found.columns:
                raise ValueError(f"{argument.partition(' ')[0]}: X has no column {name!r}"
                                 f"{_podium.suggestion(name, found.names or [])}")
        if label is not None:
            y = _podium.computed_labels(label, [_numbers(found.columns[part], part) for part in label_parts])
        if wanted is not None:
            found = only_these(found, wanted)
        if qid is None and group is None:
            qid = found.columns.get("qid")

        def column(value: Any) -> Any:
            return found.columns[value] if isinstance(value, str) else value

        self._grouped = y is not None or qid is not None or group is not None
        queries = as_queries(found.rows, column(qid), group) if self._grouped else one_query(found.rows)
        labels = None if y is None else as_labels(column(y), found.rows)
        names = None if feature_names is None else [str(name) for name in feature_names]
        if names is not None and (len(names) != found.count or len(set(names)) != len(names)):
            raise ValueError(f"feature_names: {found.count} different names are needed, one per column of X")
        self._native = native_dataset(found, labels, queries, as_weights(column(sample_weight), queries),
                                      names, _docids(column(docid), found.rows), label or "")
        self._names = names or found.names
        self._labelled = labels is not None
        self._apart: tuple[str, ...] = (*apart, *name_list("ignore", ignore))

    @classmethod
    def _wrap(cls, native: _podium.Dataset, labelled: bool = True) -> Dataset:
        data = cls.__new__(cls)
        data._native = native
        data._names = list(native.feature_names)
        data._labelled = labelled
        data._grouped = True
        data._apart = ("qid",)
        return data

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, format: str = "auto", threads: int = 0, **options: Any
             ) -> Dataset:
        """Reads LETOR/SVMlight text, CSV, TSV (also ``.gz`` and ``.zst``), Parquet or a ``.podium`` file.

        The suffix says which. Options are those of ``podium train``: absent ("zero" or "missing"), label_column,
        qid_column, docid_column, weight_column, no_header (True: columns are numbers from 1), first_feature, categorical
        and ignore (columns: a list, or text like "brand,7"), …; features (a list) are the only ones to use. Parquet needs PyArrow or polars, and has label_column,
        qid_column, docid_column, weight_column, label (an expression), features, categorical and ignore.
        """
        if format == "parquet" or (format == "auto" and is_parquet(path)):
            known = list(inspect.signature(cls._from_parquet).parameters)[1:]
            for name in options:
                if name not in known:
                    raise TypeError(f"{os.fspath(path)}: Parquet files have no option {name!r}{_podium.suggestion(name, known)}")
            return cls._from_parquet(path, **options)

        features = list(name_list("features", options.pop("features", None)))
        given = [("data-format", format), *given_as_text(options)]
        native, notes = _podium.Dataset.read(os.fspath(path), given, features, threads)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return cls._wrap(native)

    @classmethod
    def _from_parquet(cls, path: str | os.PathLike[str], *, label_column: str | None = None,
                      qid_column: str | None = None, docid_column: str | None = None,
                      weight_column: str | None = None, features: Any = None, ignore: Any = None,
                      categorical: Any = None, label: str | None = None) -> Dataset:
        table = read_parquet(path)
        names = list(table.column_names if hasattr(table, "column_names") else table.columns)

        def column(option: str, given: str | None, usual: Sequence[str]) -> str | None:
            if given is not None and given not in names:
                raise ValueError(f"{option}: {os.fspath(path)} has no column {given!r}{_podium.suggestion(given, names)}")
            return given or next((name for name in usual if name in names), None)

        y = None if label else column("label_column", label_column, ("label", "grade", "relevance"))
        qid = column("qid_column", qid_column, ("qid", "query"))
        for what, option, found in (("labels", "label_column", y or label), ("queries", "qid_column", qid)):
            if found is None:
                raise ValueError(f"{os.fspath(path)}: which column has the {what}? {option}= says so; there are "
                                 f"{', '.join(names[:20])}")
        docid = column("docid_column", docid_column, ("docid",))
        weight = column("weight_column", weight_column, ("weight",))
        return cls(table, y, qid, docid=docid, sample_weight=weight, features=features, ignore=ignore,
                   categorical=categorical, label=label)

    def write(self, path: str | os.PathLike[str], *, threads: int = 0) -> None:
        """Writes a data file; the suffix chooses the format, ``.podium`` is the fastest."""
        for note in self._native.write(os.fspath(path), threads):
            warnings.warn(note, stacklevel=2)

    def select(self, queries: Sequence[int]) -> Dataset:
        """The queries with these numbers (counted from 0), in this order."""
        numbers = [int(query) for query in queries]
        for number in numbers:
            if not 0 <= number < self.n_queries:
                raise IndexError(f"queries: there is no query {number}, the last is {self.n_queries - 1}")
        return self._wrap(self._native.select(numbers), self._labelled)

    def split(self, shares: Sequence[float], *, seed: int = 1) -> list[Dataset]:
        """Splits the queries into parts in these proportions, balanced by grade: ``data.split([60, 20, 20])``."""
        return [self.select(part) for part in self._native.split(list(map(float, shares)), seed)]

    @property
    def n_rows(self) -> int:
        """The number of rows of all queries."""
        return self._native.documents

    @property
    def n_queries(self) -> int:
        """The number of queries."""
        return self._native.queries

    @property
    def n_features(self) -> int:
        """The number of features, the columns of X."""
        return self._native.features

    @property
    def feature_names(self) -> list[str]:
        """One name per column of X."""
        return list(self._native.feature_names)

    @property
    def categories(self) -> dict[str, list[str]]:
        """The values of each feature that is a category, by code: the numbers that X has for them."""
        return self._native.categories

    @property
    def X(self) -> Any:
        """The features: a view of a float32 matrix, or a CSR matrix. Values that sparse rows leave out are 0."""
        values, columns = self._native.values, self.n_features
        if self._native.is_dense:
            return values.reshape(self.n_rows, columns)
        if np.isnan(self._native.absent):
            raise ValueError("X: values that these sparse rows leave out are missing, which SciPy cannot express")
        return sparse.csr_matrix((values, self._native.columns.view(np.int32),
                                  self._native.row_begin.astype(np.int64)), shape=(self.n_rows, columns))

    @property
    def y(self) -> npt.NDArray[np.float32]:
        """One label per row; zeros if the data has none."""
        return self._native.labels

    @property
    def group(self) -> npt.NDArray[np.intp]:
        """The number of rows of each query."""
        return query_sizes(self._native.query_begin)

    @property
    def qids(self) -> list[str]:
        """One id per query."""
        return self._native.qids

    @property
    def qid(self) -> npt.NDArray[np.object_]:
        """One id per row."""
        return np.repeat(np.array(self.qids, dtype=object), self.group)

    @property
    def docids(self) -> list[str]:
        """One document id per row; empty if the data has none."""
        return self._native.docids

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """The row of X, or of the file, that each row came from."""
        rows = self._native.input_rows
        return np.arange(self.n_rows) if rows.size == 0 else rows.astype(np.intp)

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        sizes = (counted(self.n_queries, "query", "queries"), counted(self.n_rows, "row"),
                 counted(self.n_features, "feature"))
        return f"<podium.Dataset: {', '.join(sizes)}>"


def one_query(rows: int) -> Queries:
    """Rows whose queries do not matter."""
    return Queries(np.array([0, rows], np.uint64), ["1"])


def is_parquet(path: str | os.PathLike[str]) -> bool:
    if os.fspath(path).endswith((".parquet", ".pq")):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:  # the reader's error names the file
        return False


def read_parquet(path: str | os.PathLike[str]) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        try:
            import polars
        except ImportError:
            raise ImportError(f"{os.fspath(path)}: Parquet needs PyArrow or polars: pip install pyarrow") from None
        return polars.read_parquet(os.fspath(path))
    return parquet.read_table(path)


def _numbers(column: Any, name: str) -> npt.NDArray[np.float64]:
    """A column that a label is computed from."""
    try:
        values = np.ascontiguousarray(np.asarray(column), dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"label: the column {name!r} does not hold numbers") from None
    if np.isnan(values).any():
        raise ValueError(f"label: the column {name!r} has no value in row {int(np.argmax(np.isnan(values)))}")
    return values


def _docids(values: Any, rows: int) -> list[str]:
    if values is None:
        return []
    ids = np.asarray(values)
    if ids.shape != (rows,):
        raise ValueError(f"docid: one id per row is needed, but X has {counted(rows, 'row')} and docid the shape "
                         f"{ids.shape}")
    if ids.dtype.kind == "f" and (ids == np.floor(ids)).all():
        ids = ids.astype(np.int64)
    return [str(value) for value in ids.tolist()]


def only_these(found: Features, names: tuple[str, ...]) -> Features:
    """The features of these names, in this order."""
    if found.names is None:
        raise ValueError("features: X has no column names")
    for name in names:
        if name not in found.names:
            raise ValueError(f"features: X has no column {name!r}{_podium.suggestion(name, found.names)}")
    numbers = [found.names.index(name) for name in names]
    values = found.values[:, numbers]
    categories = {place: found.categories[number] for place, number in enumerate(numbers) if number in found.categories}
    return Features(values if sparse.issparse(values) else np.ascontiguousarray(values), list(names), found.columns,
                    categories)


def read_letor(path: str | os.PathLike[str], *, threads: int = 0, **options: Any) -> Dataset:
    """Reads LETOR/SVMlight text: ``label qid:id feature:value … # comment``."""
    return Dataset.read(path, threads=threads, format="letor", **options)
