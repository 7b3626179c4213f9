"""Features of tables with named columns: pandas DataFrames, and whatever offers an Arrow stream."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium
from podium._categories import encode, encode_frame_column, encode_values
from podium._columns import Columns, Features


def from_frame(X: Any, wanted: Columns) -> Features:
    kinds = {isinstance(name, str) for name in X.columns}
    if len(kinds) > 1:
        raise TypeError(
            "X: feature names are only supported if all input features have string names, but X has "
            f"{sorted({type(name).__name__ for name in X.columns})} as feature name / column name types"
        )
    taken = [name for name in wanted.apart if name in X.columns]
    dropped = [*taken, *(name for name in X.columns if str(name) in wanted.ignore and name not in taken)]
    if kinds == {True} and (index := _saved_index(X, dropped)):
        dropped.append(index)
        warnings.warn(f"X: the column {index!r} is the index of a table that was saved: it is not a feature", stacklevel=5)
    rest = X.drop(columns=dropped) if dropped else X
    if not X.columns.is_unique:
        _require_unique([*(name for name in X.columns if name in taken), *rest.columns])
    _require_present(wanted.categorical, [str(name) for name in X.columns])
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
            raise ValueError(f"X: column {name!r} has the type {dtype}, which is not a number; {_instead_of_text(name)}")
    names = [str(name) for name in rest.columns] if kinds == {True} else None
    columns = {name: np.asarray(X[name]) for name in taken}
    coded = {name: encode_frame_column(rest[name]) for name in categorical}
    if coded:
        rest = rest.assign(**{name: codes for name, (codes, _) in coded.items()})
    return Features(rest, names, columns, {list(rest.columns).index(name): values for name, (_, values) in coded.items()})


def _instead_of_text(name: Any) -> str:
    return f"categorical=[{name!r}] makes it a category, ignore=[{name!r}] leaves it out"


def _require_unique(names: Iterable[Any]) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise ValueError(f"X: several columns are named {name!r}; features need different names")
        seen.add(name)


def _require_present(names: Iterable[str], columns: list[str]) -> None:
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


def from_arrow(X: Any, wanted: Columns, threads: int) -> Features:
    table = _podium.ArrowTable.from_capsule(X.__arrow_c_stream__())
    _require_unique(name for name in table.names if name not in wanted.ignore)
    columns = {name: arrow_column(table, name) for name in wanted.apart if name in table.names}
    kept = [name for name in table.names if name not in columns and name not in wanted.ignore]
    if wanted.features is not None:
        kept = [name for name in kept if name in wanted.features or name in wanted.categorical or table.is_number(name)]
    _require_present(wanted.categorical, list(table.names))
    coded = {name: _arrow_category(table, name) for name in kept if name in wanted.categorical or
             (table.is_dictionary(name) and (wanted.features is None or name in wanted.features))}
    for name in kept:
        if name not in coded and table.is_text(name):
            raise ValueError(f"X: column {name!r} holds text, not numbers; {_instead_of_text(name)}")
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
