"""What is called after each step of training, and how it ends the training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from podium._progress import Progress


@dataclass(frozen=True)
class Iteration:
    """One step of training, as callbacks see it."""

    number: int  # counted from 1
    total: int  # 0: not known
    values: Mapping[str, float]  # "objective", "valid nDCG@10", …


class StopTraining(Exception):  # noqa: N818
    """Raised by a callback to end the training; the model so far is kept."""


class Stop:
    """What a callback returns to end the training, as ``return podium.stop``; the model so far is kept."""

    def __repr__(self) -> str:
        return "podium.stop"

    def __reduce__(self) -> str:
        return "stop"


stop = Stop()
Callback: TypeAlias = Callable[[Iteration], Any]


def callable_list(callbacks: Callback | Sequence[Callback] | None) -> list[Callback]:
    several: Sequence[Callback] = [] if callbacks is None else [callbacks] if callable(callbacks) else callbacks
    for callback in several:
        if not callable(callback):
            raise TypeError(f"callbacks: {callback!r} is not callable")
    return list(several)


def renamed(values: Mapping[str, float], name: str) -> dict[str, float]:
    """Values of an iteration, with the name of the validation set that chooses instead of "valid"."""
    if name == "valid":
        return dict(values)
    return {name + key.removeprefix("valid") if key.startswith("valid ") else key: value
            for key, value in values.items()}


def joined_callbacks(callbacks: Sequence[Callback], progress: Progress | None = None, valid_name: str = "valid"
                     ) -> Callable[..., bool] | None:
    """As the library calls it: the answer is True to stop. Only ``stop`` and StopTraining do that."""
    if not callbacks and progress is None:
        return None

    def call(number: int, total: int, values: dict[str, float]) -> bool:
        step = Iteration(number, total, renamed(values, valid_name))
        if progress is not None:
            progress(number, total, dict(step.values))
        stops = False
        for callback in callbacks:  # all of them
            try:
                stops = callback(step) is stop or stops
            except StopTraining:
                stops = True
        return stops

    return call
