"""What the modules for clicks share: logs, propensities, and the arguments of fit() about them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from podium import _podium

if TYPE_CHECKING:
    from podium._dataset import Dataset
    from podium.clicks import ClickModel

Path: TypeAlias = str | os.PathLike[str]
DEBIAS = ("naive", "ipw", "overlap", "affine", "pairwise", "additive", "dual", "judged")


class Log:
    """A click log: TSV or CSV, also ``.gz`` and ``.zst``, with the columns session, qid, docid, position and click.

    The file is read where the log is used, in memory of the distinct (query, document, position).

    Parameters
    ----------
    path:
        The file.
    drop_unmatched:
        Drop lines whose document is not in the data, with a warning, instead of refusing them.
    max_clicks:
        Drop sessions with more clicks, as of robots; 0: none.
    max_position:
        Drop lines of later positions; 0: none.
    """

    def __init__(self, path: Path, *, drop_unmatched: bool = False, max_clicks: int = 0, max_position: int = 0) -> None:
        self.path = os.fspath(path)
        self.drop_unmatched = drop_unmatched
        self.max_clicks = max_clicks
        self.max_position = max_position

    def __repr__(self) -> str:
        return f"podium.clicks.Log({self.path!r})"

    def _native(self) -> _podium.ClickLogSource:
        given = [("drop-unmatched", str(bool(self.drop_unmatched)).lower()), ("max-clicks", str(int(self.max_clicks))),
                 ("max-position", str(int(self.max_position)))]
        return _podium.ClickLogSource(self.path, given)


LogLike: TypeAlias = Log | str | os.PathLike[str]
PropensitiesLike: TypeAlias = "ClickModel | Path | Sequence[float] | None"


def as_log(log: LogLike) -> _podium.ClickLogSource:
    if isinstance(log, Log):
        return log._native()
    if isinstance(log, (str, os.PathLike)):
        return Log(log)._native()
    raise TypeError(f"clicks: a podium.clicks.Log or a path is needed, not {type(log).__name__}")


def as_propensities(given: PropensitiesLike) -> _podium.GivenPropensities:
    """A fitted click model, a file of ``podium clicks fit -o``, numbers by position, or None."""
    if given is None:
        return _podium.GivenPropensities("", "", [], [], [])
    if isinstance(given, (str, os.PathLike)):
        return _podium.GivenPropensities(os.fspath(given), "", [], [], [])
    fitted = getattr(given, "fit_", None)
    if fitted is not None:
        return _podium.GivenPropensities("", fitted["model"], fitted["propensities"], fitted.get("slope", []),
                                         fitted.get("offset", []))
    if hasattr(given, "fit"):
        raise ValueError("propensities: this click model is not fitted")
    theta = np.asarray(given, dtype=np.float64)
    if theta.ndim != 1 or theta.size == 0 or not ((theta > 0) & (theta <= 1)).all():
        raise ValueError("propensities: one number above 0 and at most 1 per position is needed")
    return _podium.GivenPropensities("", "given", theta.tolist(), [], [])


def scores_of(name: str, ranker: Any, data: Dataset) -> list[float]:
    found = ranker.predict(data) if hasattr(ranker, "predict") else ranker
    scores = np.asarray(found, dtype=np.float64)
    if scores.shape != (data.n_rows,):
        raise ValueError(f"{name}: one score per row of the data is needed, {data.n_rows}, not of shape {scores.shape}")
    return list(scores.tolist())


def warn_of(notes: Iterable[str], stacklevel: int = 3) -> None:
    for note in notes:
        warnings.warn(note, stacklevel=stacklevel + 1)


def debiased(request: _podium.TrainingRequest, data: _podium.Dataset, clicks: LogLike, debias: str,
             propensities: PropensitiesLike, propensity_clip: float | None) -> tuple[_podium.Dataset, dict[str, Any]]:
    """The documents that were shown, labelled by clicks; the request's loss is rewritten."""
    given = [("debias", debias)]
    if propensity_clip is not None:
        if debias not in ("ipw", "affine", "dual"):
            raise ValueError("propensity_clip is for debias='ipw', 'affine' and 'dual'")
        given.append(("propensity-clip", repr(float(propensity_clip))))
    if propensities is not None and debias not in ("ipw", "overlap", "affine", "judged"):
        raise ValueError("propensities are for debias='ipw', 'overlap', 'affine' and 'judged'")
    native, weights, notes = _podium.debias_clicks(request, data, as_log(clicks), as_propensities(propensities), given)
    warn_of(notes, 4)
    return native, dict(weights)
