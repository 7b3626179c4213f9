"""Which rows form a query: from one id per row, or from the sizes of consecutive queries."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium._text import counted


class RegroupedWarning(UserWarning):
    """The rows of a query were not contiguous, and have been brought together."""


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


def query_sizes(begin: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    rows = begin.astype(np.intp)
    return rows[1:] - rows[:-1]


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
    if isinstance(qid, str):
        raise ValueError(f"{name}: one id per row is needed, not the text {qid!r}; if that is a column of a table, give its values, "
                         f"table[{qid!r}], or a podium.Dataset(table, label, qid={qid!r})")
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
