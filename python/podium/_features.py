"""The features of whatever X is: matrices, tables, queries that have not run, and generators of these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from podium._categories import encode_values, joined
from podium._columns import Columns, Features
from podium._frames import from_arrow, from_frame


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
        features = from_frame(X, columns)
    elif hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray):
        features = from_arrow(X, columns, threads)
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
        if len(X.indptr) and (np.diff(X.indptr) < 0).any():  # SciPy looks only if the last one is not 0
            raise ValueError("X: a damaged sparse matrix: indptr must not decrease")
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
