"""LambdaRank's two questions, for any loss: is there a cost, and is it convex?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium import _podium
from podium._custom import Loss, LossFunction


@dataclass(frozen=True, repr=False)
class LossCheck:
    """What ``check_loss`` found; printed, it is the text of ``podium check-loss``."""

    loss: str
    cost_exists: bool  # no closed loop was found around which the derivatives do not add up to 0
    convex: bool  # a cost exists, and no two points were found that refute that it is convex
    monotone: bool  # the same of the derivatives alone, whether or not a cost exists
    value_fits: bool  # the loss's value is such a cost
    loops: int
    swapping_loops: int  # of the loops, those on which two documents change places
    pairs: int  # of points, compared for convexity
    worst_loop: Mapping[str, Any]
    worst_pair: Mapping[str, Any]
    worst_side: Mapping[str, Any]  # of a loop: the value's change along it, and the sum of the derivatives
    jacobian: Mapping[str, Any]  # of the derivatives, inside one ordering
    text: str

    def __repr__(self) -> str:
        return self.text.rstrip()


def check_loss(loss: str | Loss | LossFunction, *, lists: int = 300, documents: int = 6, grades: int = 4,
               seed: int = 1) -> LossCheck:
    """Is there a cost with a loss's derivatives, is it convex, and is the loss's value that cost?

    Sampling can refute but never prove: the result states how much was tried, and where it failed.

    Parameters
    ----------
    loss:
        A name of ``podium.losses()``, a ``Loss``, or a function of one query's scores and labels as ``Loss`` takes
        it. Claims of a ``Loss`` (``convex=True``) are not trusted.
    lists:
        Random lists of labels to try.
    documents:
        The largest number of documents in a list.
    grades:
        Labels are drawn from 0 to grades − 1.
    seed:
        Random seed of the lists and points.
    """
    for name, value, least in (("lists", lists, 1), ("documents", documents, 2), ("grades", grades, 2)):
        if value < least:
            raise ValueError(f"{name}: at least {least} is needed, not {value}")
    if isinstance(loss, str):
        return LossCheck(**_podium.check_loss(loss, lists, documents, grades, seed))
    custom = loss if isinstance(loss, Loss) else Loss(loss)
    return LossCheck(**_podium.check_python_loss(custom.name, custom, lists, documents, grades, seed))
