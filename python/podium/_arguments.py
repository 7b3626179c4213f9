"""Checks of user input. Every exception names the argument that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_array, column_or_1d

from podium import _podium

FloatMatrix = npt.NDArray[np.float32]


def counted(count: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 row", "3 rows"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


@dataclass
class Features:
    """The features of X as the library takes them: a float32 matrix in row order, or CSR."""

    values: Any  # FloatMatrix or scipy.sparse.csr_matrix
    names: list[str] | None = None
    columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict)  # columns that are not features

    @property
    def rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def count(self) -> int:
        return int(self.values.shape[1])


@dataclass
class Queries:
    begin: npt.NDArray[np.uint64]  # first row of each query, and the number of rows
    ids: list[str]

    @property
    def sizes(self) -> npt.NDArray[np.intp]:
        return query_sizes(self.begin)


def query_sizes(begin: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    rows = begin.astype(np.intp)
    return rows[1:] - rows[:-1]


def is_frame(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns")


def as_features(X: Any, apart: Sequence[str] = ("qid",), threads: int = 0, least_rows: int = 1) -> Features:
    """The features of X, without the columns to set apart (if X has named columns)."""
    if is_frame(X):
        features = _from_frame(X, apart)
    elif hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray):
        features = _from_arrow(X, apart, threads)
    else:
        features = Features(X)
    features.values = _checked_matrix(features.values, least_rows)
    return features


def _require_sound(X: Any) -> None:
    """Indices within the matrix: SciPy itself, and what comes after it, would follow them anywhere."""
    if hasattr(X, "check_format"):  # compressed rows, columns or blocks
        try:
            X.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"X: a damaged sparse matrix: {error}") from None
    elif X.format == "coo":
        for of_axis, size in zip((X.row, X.col), X.shape, strict=True):
            if of_axis.size and (of_axis.min() < 0 or of_axis.max() >= size):
                raise ValueError(f"X: a damaged sparse matrix: indices outside of its shape {X.shape}")


def _checked_matrix(X: Any, least_rows: int) -> Any:
    if sparse.issparse(X):
        _require_sound(X)
    values = check_array(X, accept_sparse="csr", dtype=np.float32, order="C", input_name="X",
                         ensure_all_finite="allow-nan", ensure_min_samples=least_rows)
    if sparse.issparse(values) and not values.has_canonical_format:
        values = values.copy()
        values.sum_duplicates()
    return values


def _from_frame(X: Any, apart: Sequence[str]) -> Features:
    kinds = {isinstance(name, str) for name in X.columns}
    if len(kinds) > 1:
        raise TypeError(
            "X: feature names are only supported if all input features have string names, but X has "
            f"{sorted({type(name).__name__ for name in X.columns})} as feature name / column name types"
        )
    taken = [name for name in apart if name in X.columns]
    columns = {name: np.asarray(X[name]) for name in taken}
    rest = X.drop(columns=taken) if taken else X
    for name, dtype in rest.dtypes.items():
        if dtype.kind in "mM" or str(dtype) in ("category", "str", "string"):
            raise ValueError(f"X: column {name!r} has the type {dtype}, which is not a number")
    names = [str(name) for name in rest.columns] if kinds == {True} else None
    return Features(rest, names, columns)


def _from_arrow(X: Any, apart: Sequence[str], threads: int) -> Features:
    table = _podium.ArrowTable.from_capsule(X.__arrow_c_stream__())
    columns = {name: arrow_column(table, name) for name in apart if name in table.names}
    values, names = table.features([name for name in table.names if name not in columns], threads)
    return Features(values, names, columns)


def arrow_column(table: _podium.ArrowTable, name: str) -> npt.NDArray[Any]:
    if table.is_text(name):
        return np.array(table.texts(name), dtype=object)
    return np.asarray(table.numbers(name))


def check_names(features: Features, fitted: list[str] | None, owner: str) -> str | None:
    """Compares names with those of fit: raises if they differ, returns the text of a warning if one has none."""
    if fitted is None:
        if features.names is None:
            return None
        return f"X has feature names, but {owner} was fitted without feature names"
    if features.names is None:
        return f"X does not have valid feature names, but {owner} was fitted with feature names"
    if features.names == fitted:
        return None
    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(features.names) - set(fitted))
    missing = sorted(set(fitted) - set(features.names))
    for title, names in (("Feature names unseen at fit time", unexpected),
                         ("Feature names seen at fit time, yet now missing", missing)):
        if names:
            shown = "".join(f"- {name}\n" for name in names[:5])
            message += f"{title}:\n{shown}" + ("- ...\n" if len(names) > 5 else "")
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


def check_count(features: Features, expected: int, owner: str) -> None:
    if features.count != expected:
        raise ValueError(f"X has {features.count} features, but {owner} is expecting {expected} features "
                         "as input")


def as_queries(rows: int, qid: Any, group: Any, prefix: str = "") -> Queries:
    """Which rows form a query: from one id per row, or from the sizes of consecutive queries."""
    if qid is not None and group is not None:
        raise ValueError(f"{prefix}qid and {prefix}group: give one of them, not both")
    if qid is not None:
        return _queries_by_id(rows, qid, prefix + "qid")
    if group is not None:
        return _queries_by_size(rows, group, prefix + "group")
    raise ValueError(f"{prefix}qid is missing: state which rows form a query, by one id per row "
                     f"({prefix}qid) or by the sizes of consecutive queries ({prefix}group)")


def _queries_by_id(rows: int, qid: Any, name: str) -> Queries:
    ids = np.asarray(qid)
    if ids.shape != (rows,):
        raise ValueError(f"{name}: one id per row is needed, but X has {counted(rows, 'row')} and {name} the shape "
                         f"{ids.shape}")
    if ids.dtype.kind == "f":
        if not np.isfinite(ids).all():
            row = int(np.argmin(np.isfinite(ids)))
            raise ValueError(f"{name}: row {row} has no id ({ids[row]})")
        if (ids == np.floor(ids)).all() and np.abs(ids).max(initial=0) < 2**53:
            ids = ids.astype(np.int64)
    elif ids.dtype.kind == "O":
        for row, value in enumerate(ids):
            if value is None or value != value:
                raise ValueError(f"{name}: row {row} has no id ({value})")
    elif ids.dtype.kind not in "iuUSb":
        raise ValueError(f"{name}: ids must be numbers or text, not {ids.dtype}")
    starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]])) if rows else np.empty(0, np.intp)
    first: dict[Any, int] = {}
    for start in starts.tolist():
        value = ids[start]
        if value in first:
            raise ValueError(f"{name}: the rows of query {value!s} are not contiguous (rows {first[value]} and "
                             f"{start}): sort the rows by {name}")
        first[value] = start
    begin = np.append(starts, rows).astype(np.uint64)
    return Queries(begin, [str(value) for value in first])


def _queries_by_size(rows: int, group: Any, name: str) -> Queries:
    sizes = np.asarray(group)
    if sizes.ndim != 1 or (sizes.size and sizes.dtype.kind not in "iu"):
        raise ValueError(f"{name}: the sizes of consecutive queries are needed, as a list of whole numbers")
    if sizes.size and sizes.min() < 1:
        raise ValueError(f"{name}: query {int(np.argmin(sizes))} has the size {int(sizes.min())}")
    if int(sizes.sum()) != rows:
        raise ValueError(f"{name}: the sizes add up to {int(sizes.sum())}, but X has {counted(rows, 'row')}")
    begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)
    return Queries(begin, [str(number) for number in range(1, sizes.size + 1)])


def as_labels(y: Any, rows: int, name: str = "y", missing: bool = False) -> npt.NDArray[np.float32]:
    """One finite number a row; with ``missing`` NaN means that the row was not judged."""
    labels = np.asarray(y)
    if labels.ndim > 0:
        labels = column_or_1d(labels, warn=True, input_name=name)
    if labels.shape != (rows,):
        shape = f"has {labels.shape[0]}" if labels.ndim else "is one value"
        raise ValueError(f"{name}: one label per row is needed: X has {counted(rows, 'row')}, {name} {shape} "
                         "(inconsistent numbers of samples)")
    if labels.dtype.kind == "c":
        raise ValueError(f"{name}: Complex data not supported")
    try:
        labels = labels.astype(np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: labels must be numbers: {error}") from None
    wrong = np.isinf(labels) if missing else ~np.isfinite(labels)
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "NaN" if np.isnan(labels[row]) else "infinity"
        raise ValueError(f"Input {name} contains {what} (row {row})")
    return np.ascontiguousarray(labels)


def as_scores(scores: Any, rows: int, name: str = "scores") -> npt.NDArray[np.float64]:
    values = np.ascontiguousarray(scores, dtype=np.float64)
    if values.shape != (rows,):
        raise ValueError(f"{name}: one score per row is needed, but the data has {counted(rows, 'row')} and {name} the "
                         f"shape {values.shape}")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise ValueError(f"{name}: row {row} has the score {values[row]}")
    return values


@dataclass
class Weights:
    documents: npt.NDArray[np.float32] | None = None
    queries: npt.NDArray[np.float32] | None = None


def as_weights(sample_weight: Any, queries: Queries, name: str = "sample_weight") -> Weights:
    """Weights by row or by query. By row and constant within every query they are the queries' weights."""
    if sample_weight is None:
        return Weights()
    try:
        weights = np.ascontiguousarray(sample_weight, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: weights must be numbers: {error}") from None
    rows = int(queries.begin[-1])
    if weights.ndim != 1 or weights.size not in (rows, len(queries.ids)):
        raise ValueError(f"{name}: one weight per row ({rows}) or per query ({len(queries.ids)}) is needed, "
                         f"but {name} has the shape {weights.shape}: Sample weights must be 1D array or scalar")
    if not np.isfinite(weights).all():
        at = int(np.argmin(np.isfinite(weights)))
        raise ValueError(f"{name}: weight {at} is {weights[at]}")
    if (weights < 0).any():
        at = int(np.argmax(weights < 0))
        raise ValueError(f"{name}: weight {at} is negative ({weights[at]})")
    if not (weights > 0).any():
        raise ValueError(f"{name}: all weights are zero")
    if weights.size != rows:
        return Weights(queries=weights)
    first = weights[queries.begin[:-1].astype(np.intp)]
    if (np.repeat(first, queries.sizes) == weights).all():
        return Weights() if (first == 1).all() else Weights(queries=np.ascontiguousarray(first))
    return Weights(documents=weights)
