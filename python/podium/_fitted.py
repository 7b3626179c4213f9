"""A fitted learner: its curves and plots, besides what every fitted ranker can do."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from podium._parameters import Parameters
from podium._scoring import Scoring


class FittedRanker(Scoring, Parameters):
    """``Ranker`` after ``fit``."""

    history_: list[dict[str, float]]

    @property
    def plot(self) -> Plots:
        """Plots of a fitted ranker: ``ranker.plot.importance()``, ``.learning_curve()``, ``.explanation(X, row)``."""
        check_is_fitted(self, "model_")
        return Plots(self)

    @property
    def evals_result_(self) -> dict[str, dict[str, list[float]]]:
        """``history_`` by validation set and measure."""
        out: dict[str, dict[str, list[float]]] = {}
        for step in self.history_:
            for key, value in step.items():
                name, _, measure = key.partition(" ")
                if measure:
                    out.setdefault(name, {}).setdefault(measure, []).append(value)
        return out


class Plots:
    """The functions of ``podium.plot`` for one ranker."""

    def __init__(self, ranker: FittedRanker) -> None:
        self._ranker = ranker

    def importance(self, **options: Any) -> Any:
        from podium import plot

        return plot.importance(self._ranker, **options)

    def learning_curve(self, **options: Any) -> Any:
        from podium import plot

        return plot.learning_curve(self._ranker, **options)

    def explanation(self, X: Any, row: int = 0, *, qid: Any = None, **options: Any) -> Any:
        from podium import plot

        return plot.explanation(self._ranker.explain(X, qid=qid), row, **options)
