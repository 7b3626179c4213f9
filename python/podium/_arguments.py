"""Checks of user input. Every exception names the argument that is wrong."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_array, column_or_1d

from podium import _podium
from podium._categories import encode, encode_frame_column, encode_values, joined


class RegroupedWarning(UserWarning):
    """The rows of a query were not contiguous, and have been brought together."""


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
    categories: dict[int, list[str]] = field(default_factory=dict)  # the values of each category, by column number

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
    order: npt.NDArray[np.intp] | None = None  # rows as they are grouped, if the caller's are in another order

    @property
    def sizes(self) -> npt.NDArray[np.intp]:
        return query_sizes(self.begin)

    def grouped(self, values: Any) -> Any:
        """One item per row of the caller, in the order of the queries."""
        return values if self.order is None else values[self.order]

    def as_given(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The way back: one item per row, in the caller's order."""
        if self.order is None:
            return values
        out = np.empty_like(values)
        out[self.order] = values
        return out


@dataclass(frozen=True)
class Columns:
    """Which columns of a table are not features."""

    apart: tuple[str, ...] = ("qid",)  # labels, queries and the like: set apart where they occur
    ignore: tuple[str, ...] = ()  # not looked at
    features: tuple[str, ...] | None = None  # if given, other columns that are not numbers are not looked at
    categorical: tuple[str, ...] = ()  # categories, whatever their type; those that say so themselves always are


def name_list(argument: str, names: Any) -> tuple[str, ...]:
    """Names of columns: a list, or text as "brand,7"."""
    if names is None:
        return ()
    if isinstance(names, str):
        return tuple(name.strip() for name in names.split(",") if name.strip())
    if isinstance(names, Iterable):
        return tuple(str(name) for name in names)
    raise TypeError(f"{argument}: names of columns are needed, not {names!r}")


def query_sizes(begin: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    rows = begin.astype(np.intp)
    return rows[1:] - rows[:-1]


def is_frame(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns")


def as_table(X: Any) -> Any:
    """Queries that have not run (polars' lazy frames, DuckDB's relations) as tables; other data unchanged."""
    module = type(X).__module__.partition(".")[0]
    if module == "polars" and type(X).__name__ == "LazyFrame":
        return X.collect()
    if "duckdb" in module and not is_frame(X):
        for name in ("to_arrow_table", "fetch_arrow_table"):  # the second is that of older versions
            if hasattr(X, name):
                return getattr(X, name)()
    return X


def as_features(X: Any, columns: Columns = Columns(), threads: int = 0, least_rows: int = 1) -> Features:
    """The features of X, without the columns to set apart (if X has named columns)."""
    X = as_table(X)
    if is_frame(X):
        features = _from_frame(X, columns)
    elif hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray):
        features = _from_arrow(X, columns, threads)
    elif isinstance(X, Iterator):
        return _from_batches(X, columns, threads, least_rows)
    else:
        features = _from_matrix(X, columns, least_rows)
    features.values = _checked_matrix(features.values, least_rows)
    return features


def _from_matrix(X: Any, wanted: Columns, least_rows: int) -> Features:
    """A matrix, whose columns are named by their numbers, counted from 1."""
    if not wanted.categorical:
        return Features(X)
    values = _checked_matrix(X, least_rows).copy()
    categories: dict[int, list[str]] = {}
    for name in wanted.categorical:
        if not name.isdigit() or not 1 <= int(name) <= values.shape[1]:
            raise ValueError(f"categorical: X has no column {name!r}: its columns are 1 to {values.shape[1]}")
        number = int(name) - 1
        if not sparse.issparse(values):
            values[:, number], categories[number] = encode_values(values[:, number])
            continue
        stored = values.indices == number  # others are 0, which must be the first value
        given = values.data[stored]
        if (given < 0).any() or (given != np.floor(given)).any():
            raise ValueError(f"categorical: column {name!r} of a sparse matrix must have whole numbers from 0")
        codes, categories[number] = encode_values(np.append(given, np.float32(0)))
        values.data[stored] = codes[:-1]
    return Features(values, None, {}, categories)


def _from_batches(batches: Iterator[Any], columns: Columns, threads: int, least_rows: int) -> Features:
    """A generator of Arrow batches, or of anything that features can be made of, one after the other."""
    parts: list[Features] = []
    for number, batch in enumerate(batches):
        part = as_features(batch, columns, threads, least_rows=0)
        if parts and (part.names != parts[0].names or part.count != parts[0].count
                      or set(part.categories) != set(parts[0].categories)):
            raise ValueError(f"X: batch {number} has other columns than the first one")
        parts.append(part)
    if not parts:
        raise ValueError("X: a generator without any batch: Found array with 0 sample(s)")
    apart = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
    if any(sparse.issparse(part.values) for part in parts):
        values = sparse.vstack([part.values for part in parts], format="csr")
    else:
        values = np.concatenate([part.values for part in parts])
    categories = {}
    for number in parts[0].categories:
        if sparse.issparse(values):
            raise ValueError("categorical: batches of sparse matrices cannot have categories")
        values[:, number], categories[number] = joined([(part.values[:, number], part.categories[number])
                                                        for part in parts])
    return Features(_checked_matrix(values, least_rows), parts[0].names, apart, categories)


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


def _from_frame(X: Any, wanted: Columns) -> Features:
    kinds = {isinstance(name, str) for name in X.columns}
    if len(kinds) > 1:
        raise TypeError(
            "X: feature names are only supported if all input features have string names, but X has "
            f"{sorted({type(name).__name__ for name in X.columns})} as feature name / column name types"
        )
    taken = [name for name in wanted.apart if name in X.columns]
    columns = {name: np.asarray(X[name]) for name in taken}
    dropped = [*taken, *(name for name in X.columns if str(name) in wanted.ignore and name not in taken)]
    if kinds == {True} and (index := _saved_index(X, dropped)):
        dropped.append(index)
        warnings.warn(f"X: the column {index!r} is the index of a table that was saved: it is not a feature", stacklevel=5)
    rest = X.drop(columns=dropped) if dropped else X
    require_present(wanted.categorical, [str(name) for name in X.columns])
    categorical = [name for name, dtype in rest.dtypes.items() if str(name) in wanted.categorical
                   or (str(dtype) == "category" and (wanted.features is None or str(name) in wanted.features))]
    others = [(name, dtype) for name, dtype in rest.dtypes.items() if name not in categorical
              and (dtype.kind in "mM" or str(dtype) in ("category", "str", "string", "object"))]
    if wanted.features is not None:
        left_out = [name for name, _ in others if str(name) not in wanted.features]
        rest = rest.drop(columns=left_out) if left_out else rest
        others = [(name, dtype) for name, dtype in others if str(name) in wanted.features]
    for name, dtype in others:
        if str(dtype) != "object" or _has_text(rest[name]):
            raise ValueError(f"X: column {name!r} has the type {dtype}, which is not a number; "
                             f"categorical=[{name!r}] makes it a category, ignore=[{name!r}] leaves it out")
    names = [str(name) for name in rest.columns] if kinds == {True} else None
    coded = {name: encode_frame_column(rest[name]) for name in categorical}
    if coded:
        rest = rest.assign(**{name: codes for name, (codes, _) in coded.items()})
    return Features(rest, names, columns, {list(rest.columns).index(name): values for name, (_, values) in coded.items()})


def require_present(names: Iterable[str], columns: list[str]) -> None:
    for name in names:
        if name not in columns:
            raise ValueError(f"categorical: X has no column {name!r}{_podium.suggestion(name, columns)}")


def _has_text(column: Any) -> bool:
    """Whether a column of objects has text that is not a number."""
    for value in column:
        if isinstance(value, (str, bytes)):
            try:
                float(value)
            except ValueError:
                return True
    return False


def _saved_index(X: Any, dropped: list[Any]) -> str | None:
    """The first column, if it is an index that pandas wrote to a CSV file: without a name, and counting rows."""
    first = X.columns[0] if len(X.columns) else ""
    if first not in ("Unnamed: 0", "__index_level_0__") or first in dropped or X[first].dtype.kind not in "iu":
        return None
    values = np.asarray(X[first])
    return str(first) if len(np.unique(values)) == len(values) else None


def _from_arrow(X: Any, wanted: Columns, threads: int) -> Features:
    table = _podium.ArrowTable.from_capsule(X.__arrow_c_stream__())
    columns = {name: arrow_column(table, name) for name in wanted.apart if name in table.names}
    kept = [name for name in table.names if name not in columns and name not in wanted.ignore]
    if wanted.features is not None:
        kept = [name for name in kept if name in wanted.features or name in wanted.categorical or table.is_number(name)]
    require_present(wanted.categorical, list(table.names))
    coded = {name: _arrow_category(table, name) for name in kept if name in wanted.categorical or
             (table.is_dictionary(name) and (wanted.features is None or name in wanted.features))}
    if not coded:
        return Features(*table.features(kept, threads), columns)
    numbers, number_names = table.features([name for name in kept if name not in coded], threads)
    names = [part for name in kept for part in ([name] if name in coded else table.feature_names(name))]
    values = np.empty((table.rows, len(names)), np.float32)
    for at, name in enumerate(names):
        values[:, at] = coded[name][0] if name in coded else numbers[:, number_names.index(name)]
    return Features(values, names, columns, {names.index(name): coded[name][1] for name in coded})


def _arrow_category(table: _podium.ArrowTable, name: str) -> tuple[npt.NDArray[np.float32], list[str]]:
    if table.is_text(name):
        places, values = table.categories(name)
        return encode(places, values)
    return encode_values(np.asarray(table.numbers(name)))


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
            warnings.warn(f"{name}: the rows of query {value!s} are not contiguous (rows {first[value]} and "
                          f"{start}): the rows have been regrouped by {name}", RegroupedWarning, stacklevel=6)
            return _regrouped(ids)
        first[value] = start
    begin = np.append(starts, rows).astype(np.uint64)
    return Queries(begin, [str(value) for value in first])


def _regrouped(ids: npt.NDArray[Any]) -> Queries:
    """Queries in the order of their first rows; the rows of a query keep their order."""
    numbers: dict[Any, int] = {}
    of_row = np.fromiter((numbers.setdefault(value, len(numbers)) for value in ids.tolist()), np.intp, len(ids))
    begin = np.concatenate([[0], np.cumsum(np.bincount(of_row))]).astype(np.uint64)
    return Queries(begin, [str(value) for value in numbers], np.argsort(of_row, kind="stable"))


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
    """One finite number per row; with ``missing`` NaN means that the row was not judged."""
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
    weights = queries.grouped(weights)
    first = weights[queries.begin[:-1].astype(np.intp)]
    if (np.repeat(first, queries.sizes) == weights).all():
        return Weights() if (first == 1).all() else Weights(queries=np.ascontiguousarray(first))
    return Weights(documents=weights)
