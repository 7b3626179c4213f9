"""Podium: trains, evaluates and ships ranking models.

>>> ranker = podium.LambdaMART(trees=200).fit(X, y, qid=qid)
>>> podium.evaluate(y, ranker.predict(X), qid, measures=["nDCG@10", "AP"])
"""

from __future__ import annotations

from typing import Any

from podium import _learners, _podium, clicks, counterfactual, interleaving, optuna, plot  # noqa: F401
from podium._aliases import aliases
from podium._auto import AutoRanker, Estimate, Leaderboard
from podium._blend import Blend
from podium._callbacks import Iteration, StopTraining, stop
from podium._compare import Comparison, compare
from podium._custom import Loss
from podium._dataset import Dataset, read_letor
from podium._evaluation import Evaluation, evaluate
from podium._labels import bucket_labels, label_edges
from podium._learners import *  # noqa: F403
from podium._loss_check import LossCheck, check_loss
from podium._model import Explanation, Export, Model, export_formats, import_model, load_model
from podium._options import CATALOG, options_of
from podium._queries import RegroupedWarning
from podium._ranker import Ranker
from podium._runs import fuse, run_features
from podium._search_space import search_space
from podium._training import UselessModelWarning

__version__ = _podium.version()


def learners() -> list[dict[str, Any]]:
    """Every learner: name, summary, paper, options. ``podium.Ranker(name)`` trains it."""
    return list(_podium.learners())


def losses() -> list[dict[str, Any]]:
    """Every loss: name, summary, paper and options."""
    return list(_podium.losses())


def measures() -> list[dict[str, Any]]:
    """Every measure: name, summary, paper and options."""
    return list(_podium.measures())


def conventions() -> list[dict[str, Any]]:
    """The conventions under which measures can be computed: name, tool, and all their choices."""
    return list(_podium.conventions())


def devices() -> list[dict[str, Any]]:
    """Where this machine grows trees and scores: name, usable, and of GPUs model, bytes and compute_capability; why_not
    says why a GPU cannot be used, or why there is none."""
    return list(_podium.devices())


def options(learner: str) -> dict[str, dict[str, Any]]:
    """The options of a learner by keyword: default, range, choices, help."""
    options_of(learner)
    return {option["name"].replace("-", "_"): dict(option) for option in CATALOG[learner]["options"]}


__all__ = [
    "AutoRanker", "Blend", "Comparison", "Dataset", "Estimate", "Evaluation", "Explanation", "Export", "Iteration", "Leaderboard", "Loss", "LossCheck", "Model", "Ranker",
    "RegroupedWarning", "StopTraining", "UselessModelWarning",
    "aliases", "bucket_labels", "check_loss", "clicks", "compare", "conventions", "counterfactual", "devices", "evaluate", "export_formats", "fuse",
    "import_model", "interleaving", "label_edges", "learners", "load_model", "losses", "measures", "options", "plot", "read_letor", "run_features", "search_space", "stop",
]
__all__ += _learners.__all__
