"""The value of rankers that were never shown, estimated from a click log.

>>> podium.counterfactual.evaluate(data, {"old": old, "new": new}, "log.tsv", propensities=model)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium import _podium
from podium._clicks import LogLike, PropensitiesLike, as_log, as_propensities, scores_of, warn_of
from podium._dataset import Dataset


@dataclass(frozen=True)
class Value:
    """What a ranker's lists are worth to the users of a log."""

    value: float
    interval: tuple[float, float]  # 95 %, bootstrap of the queries
    effective_clicks: float  # (Σ w)² / Σ w² of the clicks' weights
    largest_weight: float  # of a click
    never_shown: float  # share of the weight of ranks at documents that the log never shows


@dataclass(frozen=True)
class Difference:
    """The value of a ranker minus that of the first one, on the same queries."""

    difference: float
    interval: tuple[float, float]
    p: float  # two-sided


@dataclass(frozen=True)
class Counterfactual:
    """Values by name, and the differences of all but the first from the first."""

    values: dict[str, Value]
    differences: dict[str, Difference]


def evaluate(data: Dataset, rankers: Mapping[str, Any], clicks: LogLike, *, propensities: PropensitiesLike = None,
             estimator: str = "dr", value: str = "DCG@10", propensity_clip: float = 0.05, resamples: int = 2000,
             seed: int = 1, threads: int = 0) -> Counterfactual:
    """Estimates what rankers are worth from the clicks on lists of another.

    Parameters
    ----------
    data:
        The documents, matched with the log by qid and docid.
    rankers:
        By name: fitted Rankers, Models, or one score per row of the data.
    clicks:
        The log: a path or a ``podium.clicks.Log``.
    propensities:
        A fitted click model, a file of ``podium clicks fit -o``, or numbers by position; None: the log's column
        ``propensity``.
    estimator:
        "ips", "snips", "affine", "dm" or "dr".
    value:
        What a list is worth: "DCG@k", "P@k", "RR" or "RR@k", of what users find relevant.
    propensity_clip:
        Smallest propensity that a click is divided by.
    resamples:
        Bootstrap resamples of the queries.
    """
    if not isinstance(data, Dataset):
        raise TypeError(f"data: a podium.Dataset is needed, not {type(data).__name__}")
    if not rankers:
        raise ValueError("rankers: at least one is needed")
    scores = [scores_of(name, ranker, data) for name, ranker in rankers.items()]
    given = [("estimator", estimator), ("value", value), ("propensity-clip", repr(float(propensity_clip))),
             ("resamples", str(int(resamples)))]
    values, differences, notes = _podium.counterfactual(data._native, as_log(clicks), as_propensities(propensities), scores,
                                                        given, seed, threads)
    warn_of(notes)
    names = list(rankers)
    return Counterfactual({name: Value(**one) for name, one in zip(names, values, strict=True)},
                          {name: Difference(**one) for name, one in zip(names[1:], differences, strict=True)})


__all__ = ["Counterfactual", "Difference", "Value", "evaluate"]
