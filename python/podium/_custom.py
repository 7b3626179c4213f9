"""Losses and measures written in Python, in the form the library calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

LossFunction = Callable[[npt.NDArray[np.float64], npt.NDArray[np.float32]], Any]
MeasureFunction = Callable[[npt.NDArray[np.float32], npt.NDArray[np.float32]], Any]


class Loss:
    """A loss in Python, for ``Boosting``, ``Linear`` and ``MLP``.

    Parameters
    ----------
    function:
        ``function(scores, labels)`` gets one query and returns its value and its derivatives:
        ``(value, first)`` or ``(value, first, second)``. ``second`` is a positive curvature, one per score
        (default 1), which boosting divides by.
    name:
        The name in logs; default: the function's name.
    convex:
        Whether the value is convex in the scores: then ``Linear`` finds the optimum, with a certificate.
    shift_invariant:
        Whether adding a constant to all scores of a query changes nothing.
    """

    def __init__(self, function: LossFunction, *, name: str | None = None, convex: bool = False,
                 shift_invariant: bool = False) -> None:
        if not callable(function):
            raise TypeError(f"loss: {function!r} is not callable")
        self.function = function
        self.name = name or function_name(function)
        self.convex = convex
        self.shift_invariant = shift_invariant

    def __call__(self, scores: npt.NDArray[np.float64], labels: npt.NDArray[np.float32]
                 ) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        result = self.function(scores, labels)
        if not isinstance(result, tuple) or len(result) not in (2, 3):
            raise ValueError(f"loss {self.name}: return (value, first) or (value, first, second), not "
                             f"{type(result).__name__}")
        first = self._derivatives(result[1], scores.size, "first")
        second = self._derivatives(result[2], scores.size, "second") if len(result) == 3 else np.ones(scores.size)
        value = float(result[0])
        if not np.isfinite(value):
            raise ValueError(f"loss {self.name}: the value of a query is {value}")
        return value, first, second

    def _derivatives(self, values: Any, size: int, which: str) -> npt.NDArray[np.float64]:
        array = np.ascontiguousarray(values, dtype=np.float64)
        if array.shape != (size,):
            raise ValueError(f"loss {self.name}: {which} has the shape {array.shape} for {size} scores")
        if not np.isfinite(array).all():
            raise ValueError(f"loss {self.name}: {which} is not finite")
        return array

    def __repr__(self) -> str:
        return f"<podium.Loss {self.name}>"


def function_name(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def measure_name(measure: str | MeasureFunction) -> str:
    return measure if isinstance(measure, str) else function_name(measure)


def native_measures(measures: Any, argument: str) -> list[Any]:
    """Names unchanged, functions as the pairs the library expects."""
    if isinstance(measures, str) or callable(measures):
        measures = [measures]
    if not isinstance(measures, Sequence) or not measures:
        raise ValueError(f"{argument}: a measure's name, a function, or a list of them is needed")
    out: list[Any] = []
    for measure in measures:
        if isinstance(measure, str):
            out.append(measure)
        elif callable(measure):
            out.append((function_name(measure), _checked(measure)))
        else:
            raise TypeError(f"{argument}: {measure!r} is neither a name nor a function")
    return out


def _checked(measure: MeasureFunction) -> Callable[[Any, Any], float | None]:
    def value(ranked: npt.NDArray[np.float32], ideal: npt.NDArray[np.float32]) -> float | None:
        result = measure(ranked, ideal)
        return None if result is None else float(result)

    return value
