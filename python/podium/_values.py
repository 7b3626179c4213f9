"""One number per row: labels, scores and weights. Every exception names the argument that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import column_or_1d

from podium._queries import Queries
from podium._text import counted


def as_labels(y: Any, rows: int, name: str = "y", missing: bool = False) -> npt.NDArray[np.float32]:
    """One finite number per row; with ``missing`` NaN means that the row was not judged."""
    if isinstance(y, str):
        raise ValueError(f"{name}: one label per row is needed, not the name of a column: podium.Dataset(X, {y!r}, qid) takes names")
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
