"""From the blocks of a distributed table to whole queries on workers.

1. Each block is summarised where it is: its ids, and how many rows each has (``summarise``).
2. The driver, which sees these counts only, gives every query to a worker, the largest first to the worker with the
   fewest rows (``assign``).
3. Each block is divided where it is, into one piece per worker, in float32 (``in_float32``, ``divide``).
4. Each worker takes its pieces one after the other, in the order of the blocks, and puts the rows where they belong
   (``Part``): so the rows of a query keep their order, and a worker needs memory for its part and one piece.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium


@dataclass(frozen=True)
class Roles:
    """The columns of a table."""

    label: str
    qid: str
    features: tuple[str, ...]
    weight: str | None = None

    @property
    def all(self) -> list[str]:
        return [self.label, self.qid, *([] if self.weight is None else [self.weight]), *self.features]


def roles_of(columns: Sequence[str], numeric: Iterable[str], label: str, qid: str, features: Any,
             weight: str | None) -> Roles:
    """Checks names; features None: every column of numbers that has no other role."""
    known = [str(name) for name in columns]
    apart = [label, qid, *([] if weight is None else [weight])]
    wanted = None if features is None else [features] if isinstance(features, str) else [str(name) for name in features]
    for argument, names in (("label", [label]), ("qid", [qid]), ("weight", apart[2:]), ("features", wanted or [])):
        for name in names:
            if name not in known:
                raise ValueError(f"{argument}: the table has no column {name!r}{_podium.suggestion(name, known)}")
    if wanted is None:
        numbers = set(numeric)
        wanted = [name for name in known if name not in apart and name in numbers]
    twice = [name for name in wanted if name in apart or wanted.count(name) > 1]
    if twice:
        raise ValueError(f"features: {twice[0]!r} is named twice")
    if not wanted:
        raise ValueError("features: the table has no column of numbers besides those of label and qid")
    return Roles(label, qid, tuple(wanted), weight)


def summarise(ids: Any, qid: str, number: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The different ids of a block, which is the table's of this number, and how many rows each has."""
    import pandas

    ids = pandas.Series(ids, copy=False)
    missing = ids.isna().to_numpy()
    if missing.any():
        raise ValueError(f"{qid}: row {int(np.argmax(missing))} of partition {number} has no id")
    counts = ids.value_counts(sort=False)
    return counts.index.to_numpy(), counts.to_numpy().astype(np.int64)


@dataclass
class Share:
    """What a worker gets: ids of queries in the order of its rows, and their sizes."""

    ids: npt.NDArray[Any]
    sizes: npt.NDArray[np.int64]


def assign(ids: npt.NDArray[Any], sizes: npt.NDArray[np.int64], workers: int) -> npt.NDArray[np.int32]:
    """A worker for each query, so that all have about the same number of rows."""
    out = np.zeros(len(ids), np.int32)
    loads = [(0, worker) for worker in range(workers)]
    for at in np.argsort(-sizes, kind="stable").tolist():
        load, worker = loads[0]
        out[at] = worker
        heapq.heapreplace(loads, (load + int(sizes[at]), worker))
    return out


def plan(summaries: Sequence[tuple[npt.NDArray[Any], npt.NDArray[np.int64]]], workers: int
         ) -> tuple[list[npt.NDArray[np.int32]], list[Share]]:
    """For each block, the workers of its ids; and the share of each worker."""
    import pandas

    if not summaries or not sum(len(ids) for ids, _ in summaries):
        return [np.zeros(0, np.int32) for _ in summaries], [Share(np.empty(0), np.empty(0, np.int64))] * workers
    codes, known = pandas.factorize(np.concatenate([np.asarray(ids, dtype=object) for ids, _ in summaries]))
    sizes = np.bincount(codes, weights=np.concatenate([counts for _, counts in summaries])).astype(np.int64)
    worker = assign(known, sizes, workers)
    ends = np.cumsum([len(ids) for ids, _ in summaries])
    of_blocks = [worker[part] for part in np.split(codes, ends[:-1])]
    return of_blocks, [Share(known[worker == one], sizes[worker == one]) for one in range(workers)]


@dataclass
class Piece:
    """Rows of one block: all, or those for one worker."""

    ids: npt.NDArray[Any]
    labels: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32] | None

    def rows(self, some: npt.NDArray[np.intp]) -> Piece:
        return Piece(self.ids[some], self.labels[some], self.values[some], None if self.weights is None else self.weights[some])


def in_float32(rows: Any, roles: Roles) -> Piece:
    """What is needed of a pandas block."""
    def numbers(names: Any) -> npt.NDArray[np.float32]:
        try:
            with np.errstate(over="ignore"):
                return np.ascontiguousarray(rows[names].to_numpy(dtype=np.float32, na_value=np.nan))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{_not_numbers(rows, names)}: columns must be numbers: {error}") from None

    return Piece(rows[roles.qid].to_numpy(), numbers(roles.label), numbers(list(roles.features)),
                 None if roles.weight is None else numbers(roles.weight))


def divide(block: Piece, qid: str, ids: npt.NDArray[Any], worker: npt.NDArray[np.int32], workers: int) -> list[Piece]:
    """The block's pieces for workers; ``ids`` and ``worker`` as ``summarise`` and ``plan`` found them."""
    import pandas

    query = pandas.Index(ids).get_indexer(block.ids)
    if (query < 0).any():
        raise ValueError(f"{qid}: the table changed between two passes")
    of_row = worker[query]
    return [block.rows(np.flatnonzero(of_row == one)) for one in range(workers)]


def _not_numbers(rows: Any, names: Any) -> str:
    """The first of these columns that cannot be converted."""
    for name in [names] if isinstance(names, str) else names:
        try:
            rows[name].to_numpy(dtype=np.float32, na_value=np.nan)
        except (TypeError, ValueError):
            return str(name)
    return "features"


class Part:
    """The rows of a worker, filled piece by piece."""

    def __init__(self, share: Share, roles: Roles) -> None:
        import pandas

        rows = int(share.sizes.sum())
        self.X = np.empty((rows, len(roles.features)), np.float32)
        self.y = np.empty(rows, np.float32)
        self.weight = None if roles.weight is None else np.empty(rows, np.float32)
        self.qid = np.repeat(share.ids, share.sizes)
        self._index = pandas.Index(share.ids)
        self._sizes = share.sizes
        self._next = np.concatenate([[0], np.cumsum(share.sizes)[:-1]]).astype(np.int64) if len(share.ids) else \
            np.zeros(0, np.int64)

    def add(self, piece: Piece) -> None:
        if len(piece.labels) == 0:
            return
        query = self._index.get_indexer(piece.ids)
        order = np.argsort(query, kind="stable")
        counts = np.bincount(query, minlength=len(self._next))
        within = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        place = np.empty(len(order), np.int64)
        place[order] = np.repeat(self._next, counts) + within
        self.X[place] = piece.values
        self.y[place] = piece.labels
        if self.weight is not None and piece.weights is not None:
            self.weight[place] = piece.weights
        self._next += counts

    def arguments(self, roles: Roles) -> dict[str, Any]:
        """Of fit."""
        if len(self.y) == 0:
            return {"X": None}
        if int(self._next[-1]) != len(self.y):
            raise ValueError("the table changed between two passes: store it first (persist, materialize, cache)")
        return {"X": table_over(self.X, roles.features), "y": self.y, "qid": self.qid, "sample_weight": self.weight}


def table_over(values: npt.NDArray[np.float32], names: tuple[str, ...]) -> Any:
    """A pandas table over the same memory."""
    import pandas

    return pandas.DataFrame(values, columns=list(names), copy=False)
