"""Grades from labels that are counts, shares or other numbers."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium
from podium._values import as_labels


def label_edges(y: Any, buckets: int = 5) -> list[float]:
    """The edges between that many buckets with equally many distinct labels each.

    Fit them on training data, and give them to ``bucket_labels`` for every part. There are fewer if y has fewer
    distinct labels than buckets.
    """
    if isinstance(buckets, bool) or not isinstance(buckets, numbers.Real):
        raise TypeError(f"buckets: a number is needed, not {buckets!r}")
    return list(_podium.fit_label_edges(_labels(y), float(buckets)))


def bucket_labels(y: Any, buckets: int | Sequence[float] = 5) -> npt.NDArray[np.float32]:
    """Grades 0, 1, … from labels that are counts, shares or other numbers, as ``podium prepare --bucket-labels``.

    >>> podium.bucket_labels([0, 3, 12, 2392], [1, 10, 100])
    array([0., 1., 2., 3.], dtype=float32)

    Parameters
    ----------
    y:
        One label per row.
    buckets:
        A number of buckets, which get equally many distinct labels each; or their edges in ascending order
        (``[1, 10, 100]``: grade 0 below 1, 1 below 10, 2 below 100, else 3). For later data use the edges of the
        training data: ``podium.label_edges(y_train, 5)``.
    """
    labels = _labels(y)
    if np.ndim(buckets) == 0:
        buckets = label_edges(labels, buckets)  # type: ignore[arg-type]
    return _podium.label_grades(labels, [float(edge) for edge in buckets])  # type: ignore[union-attr]


def _labels(y: Any) -> npt.NDArray[np.float32]:
    return as_labels(y, np.asarray(y).shape[0] if np.ndim(y) else 1)
