"""Plots with Matplotlib: each draws into ``ax`` (a new one by default) and returns it."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium._model import Explanation, Model
from podium._ranker import Ranker


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def importance(model: Ranker | Model, *, top: int = 20, kind: str = "gain", ax: Any = None) -> Any:
    """The features that move the scores most, as bars: shares of all importance."""
    shown = (model.model_ if isinstance(model, Ranker) else model).importance(kind)
    total = sum(shown.values()) or 1.0
    items = [(name, value / total) for name, value in list(shown.items())[:top] if value > 0][::-1]
    ax = _axes(ax)
    bars = ax.barh([name for name, _ in items], [share for _, share in items])
    ax.bar_label(bars, fmt="%.3f", padding=3)
    ax.margins(x=0.12)
    ax.set_xlabel("share of importance" if kind == "gain" else "share of splits")
    ax.set_ylabel("feature")
    return ax


def learning_curve(ranker: Ranker, *, values: list[str] | None = None, ax: Any = None) -> Any:
    """Values of each iteration (``history_``), by default the measures; a line marks the model that was kept."""
    history = ranker.history_
    names = list(dict.fromkeys(name for step in history for name in step if name != "iteration"))
    if values is None:
        values = [name for name in names if name.startswith(("train ", "valid "))] or names[:1]
    for name in values:
        if name not in names:
            raise ValueError(f"values: history_ has no {name!r}, only {', '.join(names)}")
    ax = _axes(ax)
    for name in values:
        points = [(step["iteration"], step[name]) for step in history if name in step]
        ax.plot(*np.transpose(points), label=name)
    if ranker.best_iteration_ > 0:
        ax.axvline(ranker.best_iteration_, linestyle="--", color="grey", label=f"best: {ranker.best_iteration_}")
    ax.set_xlabel("iteration")
    ax.legend()
    return ax


def explanation(explained: Explanation, row: int, *, top: int = 15, ax: Any = None) -> Any:
    """What moved one row's score away from the base, largest first."""
    contributions = explained.contributions[row]
    order = np.argsort(-np.abs(contributions), kind="stable")[:top][::-1]
    ax = _axes(ax)
    ax.barh([explained.features[f] for f in order], contributions[order],
            color=["tab:blue" if contributions[f] >= 0 else "tab:red" for f in order])
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(f"contribution to the score {explained.scores[row]:.4g} (base {explained.base[row]:.4g})")
    return ax
