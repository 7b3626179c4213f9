"""The best ranker within a budget: ``podium auto`` as an estimator."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from sklearn.utils.validation import check_is_fitted

from podium import _podium
from podium._callbacks import Callback, callable_list, joined_callbacks
from podium._html import html_table, text_table
from podium._model import Model
from podium._options import as_text, device_name, whole
from podium._parameters import NamesLike
from podium._progress import progress_of, shown
from podium._scoring import Scoring
from podium._training import training_data, validation_data

SECONDS = 600.0  # the budget if none is given


@dataclass(frozen=True)
class Estimate:
    """How good a ranker will be on queries that it has not seen, from folds that chose nothing of it."""

    measure: str
    value: float
    low: float  # of the interval
    high: float
    confidence: float
    queries: int
    folds: int
    against: dict[str, dict[str, float | None]]  # by system: value, difference, p, …
    learning_curve: dict[float, float]  # by the share of queries to train on; value is extrapolated from it unless it is empty

    def __repr__(self) -> str:
        return f"{self.measure} {self.value:.4f} ({self.confidence:.0%} interval {self.low:.4f} to {self.high:.4f}, {self.queries} queries)"


class Leaderboard(list[dict[str, Any]]):
    """The best of each learner, best first: learner, value, weight (None: not a member), without, options."""

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per learner."""
        import pandas

        frame = pandas.DataFrame(list(self), columns=["learner", "value", "weight", "without", "options"])
        return frame.astype({"value": float, "weight": float, "without": float})

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        rows = [[row["learner"], row["value"], row["weight"], row["without"],
                 " ".join(f"{name}={value}" for name, value in row["options"].items())] for row in self]
        return ["learner", "value", "weight", "without", "options"], rows

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        return html_table(*self._table(), "out-of-fold values, weights in the blend, and the blend's value without each")


class AutoRanker(Scoring):
    """Tries learners of all families, tunes the promising ones, blends the best, and says how good the result will be.

    It is ``podium auto``: the same search, the same bits. With ``trials`` the model depends on data, options and seed
    alone; with ``seconds`` also on the machine. Ctrl-C ends the search, and the best so far is kept, with a warning and
    without an estimate; a second Ctrl-C is raised.

    Parameters
    ----------
    measure:
        What to maximise: the name of a measure with an exact line search (nDCG, AP, RR, P, ERR, …).
    convention:
        How measures are computed: ``podium.conventions()``.
    seconds:
        Time for everything: search, estimate and training on all data. None: 600, unless ``trials`` is given.
    trials:
        Number of trials, each a learner with one choice of options, instead of ``seconds``.
    learners:
        Names of learners to try; None: one list for all data.
    folds:
        Folds over queries that judge.
    members:
        Maximum members of the blend.
    simple:
        The best single learner instead of a blend.
    max_latency:
        Maximum microseconds per document, measured on one thread of this machine; None: any.
    folder:
        Where every training run is saved; a search that was interrupted continues there.
    ignore, categorical:
        Columns of tables that are not features, and those that are categories; as for ``podium.Ranker``.
    seed, threads, device, verbose:
        As for ``podium.Ranker``.

    Attributes
    ----------
    model_: podium.Model
    estimate_: Estimate with value, low and high, or None if there was no time for one
    leaderboard_: Leaderboard, a list of dictionaries that ``to_frame()`` makes a DataFrame of
    members_: list of dict: learner, options, weight, value, microseconds
    summary_: dict with everything, as ``podium auto --json`` prints it
    stopped_: bool, whether the search was ended before its budget
    n_features_in_, feature_names_in_: as in scikit-learn
    """

    estimate_: Estimate | None

    def __init__(self, *, measure: str = "nDCG@10", convention: str = "podium", seconds: float | None = None,
                 trials: int | None = None, learners: str | Sequence[str] | None = None, folds: int = 5, members: int = 5,
                 simple: bool = False, max_latency: float | None = None, folder: str | os.PathLike[str] | None = None,
                 ignore: NamesLike = None, categorical: NamesLike = None, seed: int = 1, threads: int = 0,
                 device: str = "cpu", verbose: int | None = None) -> None:
        self.measure = measure
        self.convention = convention
        self.seconds = seconds
        self.trials = trials
        self.learners = learners
        self.folds = folds
        self.members = members
        self.simple = simple
        self.max_latency = max_latency
        self.folder = folder
        self.ignore = ignore
        self.categorical = categorical
        self.seed = seed
        self.threads = threads
        self.device = device
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None,
            eval_set: Any = None, eval_qid: Any = None, eval_group: Any = None, eval_sample_weight: Any = None,
            callbacks: Callback | Sequence[Callback] | None = None, replay: str | os.PathLike[str] | None = None
            ) -> AutoRanker:
        """Searches, estimates, and trains the chosen ranker on all rows.

        Parameters
        ----------
        X, y, qid, group, sample_weight:
            As for ``podium.Ranker.fit``.
        eval_set, eval_qid, eval_group, eval_sample_weight:
            Data to judge candidates by, instead of folds of the training data: (X, y) or a Dataset.
        callbacks:
            Called with an ``Iteration`` after each round of trials: its number counts trials, its values have the
            best value so far. ``return podium.stop`` ends the search, and the best so far is kept.
        replay:
            log.json of an earlier run's folder: the same trials give the same model.
        """
        watching = callable_list(callbacks)
        options = self._options(replay is not None)
        owner = type(self).__name__
        data = training_data(owner, X, y, qid, group, sample_weight, self._columns(), self.threads)
        sets = validation_data(owner, eval_set, eval_qid, eval_group, eval_sample_weight, data.names, data.native.features,
                               self._columns(), self.threads)
        if len(sets) > 1:
            raise ValueError("eval_set: AutoRanker takes one validation set")
        with shown(progress_of(self.verbose, owner)) as progress:
            native, report = _podium.find_ranker(
                options, "" if self.folder is None else os.fspath(self.folder), "" if replay is None else os.fspath(replay),
                whole("seed", self.seed), whole("threads", self.threads), device_name(self.device), data.native,
                sets[0].native if sets else None, joined_callbacks(watching, progress))
        for note in report["notes"]:
            warnings.warn(note, stacklevel=2)
        if report["interrupted"]:
            warnings.warn("interrupted: the best so far is kept", stacklevel=2)
        self.model_ = Model(native)
        self._remember(data)
        self._describe(json.loads(report["summary"]), report["stopped"])
        return self

    def _options(self, replays: bool) -> list[tuple[str, str]]:
        if not isinstance(self.measure, str):
            raise TypeError(f"measure: the name of a measure is needed, not {self.measure!r}")
        if self.trials is not None and self.seconds is not None:
            raise ValueError("trials and seconds cannot be combined")
        if replays and (self.trials is not None or self.seconds is not None):
            raise ValueError("replay does as many trials as its log: leave out trials and seconds")
        if self.trials is not None and whole("trials", self.trials) == 0:
            raise ValueError("trials: at least 1 is needed")
        given: dict[str, Any] = {"measure": self.measure, "convention": self.convention, "folds": self.folds,
                                 "members": self.members, "simple": bool(self.simple)}
        if self.learners is not None:
            given["learners"] = self.learners
        if self.trials is not None:
            given["trials"] = self.trials
        elif not replays:
            given["seconds"] = SECONDS if self.seconds is None else self.seconds
        if self.max_latency is not None:
            given["max-latency"] = self.max_latency
        return [(name, as_text(name, value)) for name, value in given.items()]

    def spec(self) -> str:
        """The search as ``compare`` and the program write it: it needs ``trials``."""
        given = [(name, value) for name, value in self._options(False) if name not in ("measure", "convention")]
        return f"auto({','.join(f'{name}={value}' for name, value in given)})"

    def _describe(self, summary: dict[str, Any], stopped: bool) -> None:
        self.summary_: dict[str, Any] = summary
        self.stopped_ = bool(stopped)
        self.members_: list[dict[str, Any]] = summary["chosen"]
        weights = {member["learner"]: member for member in summary["chosen"]}
        without = {row["learner"]: row["value"] for row in summary["without"]}
        self.leaderboard_ = Leaderboard(
            {"learner": row["learner"], "value": row["value"],
             "weight": weights[row["learner"]]["weight"] if row["learner"] in weights else None,
             "without": without.get(row["learner"]),
             "options": weights.get(row["learner"], row)["options"]} for row in summary["leaderboard"])
        found = summary["estimate"]
        self.estimate_ = found and Estimate(
            found["measure"], found["value"], found["low"], found["high"], found["confidence"], found["queries"], found["folds"],
            {other["system"]: {key: value for key, value in other.items() if key != "system"} for other in found["against"]},
            {point["share"]: point["value"] for point in found["learning_curve"]})

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes what was tried, the blend and the estimate as one self-contained HTML page."""
        check_is_fitted(self, "model_")
        _podium.write_auto_report(json.dumps(self.summary_), os.fspath(path))

    def _repr_html_(self) -> str:
        shown = super()._repr_html_()
        if not hasattr(self, "leaderboard_"):
            return shown
        estimate = f"<p>estimate: {escape(repr(self.estimate_))}</p>" if self.estimate_ else "<p>no estimate</p>"
        return shown + self.leaderboard_._repr_html_() + estimate
