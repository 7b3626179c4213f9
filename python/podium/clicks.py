"""Click models: what explains the clicks of a log, the document or the place where it was shown.

>>> model = podium.clicks.PBM().fit("log.tsv")
>>> model.propensities_
>>> ranker = podium.LambdaMART().fit(data, clicks="log.tsv", debias="ipw", propensities=model)
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from podium import _podium
from podium._clicks import Log, LogLike, Path, PropensitiesLike, as_log, as_propensities, scores_of, warn_of
from podium._dataset import Dataset


class ClickModel(BaseEstimator):
    """The base of the click models, which differ in what they assume about users.

    Parameters
    ----------
    prior:
        Alpha and beta of the Beta prior of every probability.
    iterations:
        Most steps of the fit.
    tolerance:
        The fit ends when a step changes the penalised likelihood by less than this share.
    assume:
        How propensities fall, such as "1/p^1", for logs that do not determine them; "" refuses such logs.
    held_out:
        Share of the sessions that is held out to measure the fit.
    threads:
        0: one per core.

    Attributes
    ----------
    propensities_: how often each position is examined; position 1 first
    intervals_: 95 % intervals of the propensities, one row per position, NaN where there are none; or None
    relevance_: dict of (qid, docid) to what the model believes of the document
    satisfaction_: dict of (qid, docid), of the models that have it; or None
    exposure_: dict of (qid, docid) to how often the document was examined
    components_: number of groups of positions that the log connects
    log_likelihood_: of the training sessions
    objective_: penalised log-likelihood after each step, which never falls
    fit_: dict, as the file of ``podium clicks fit``
    """

    _kind = ""

    def __init__(self, *, prior: tuple[float, float] = (1.1, 1.1), iterations: int = 5000, tolerance: float = 1e-10,
                 assume: str = "", held_out: float = 0.1, threads: int = 0) -> None:
        self.prior = prior
        self.iterations = iterations
        self.tolerance = tolerance
        self.assume = assume
        self.held_out = held_out
        self.threads = threads

    def fit(self, log: LogLike, y: Any = None, *, propensities: PropensitiesLike = None) -> ClickModel:
        """Fits the model to a log: a path or a ``Log``.

        Parameters
        ----------
        log:
            The clicks.
        y:
            Ignored.
        propensities:
            PBM only: keep these, and estimate relevance alone.
        """
        if not self._kind:
            raise TypeError("ClickModel is the base of the click models: fit PBM, DBN, …")
        if propensities is not None and self._kind != "pbm":
            raise ValueError("propensities: only PBM can keep them")
        if not 0 <= self.held_out <= 0.9:
            raise ValueError(f"held_out={self.held_out!r} is not from 0 to 0.9")
        return self._fit(log, propensities, None, 1)

    def _options(self) -> list[tuple[str, str]]:
        return [("model", self._kind), ("prior", ",".join(repr(float(x)) for x in self.prior)), *self._own_options()]

    def _own_options(self) -> list[tuple[str, str]]:
        return [("iterations", str(int(self.iterations))), ("tolerance", repr(float(self.tolerance))), ("assume", self.assume)]

    def _fit(self, log: LogLike, propensities: PropensitiesLike, data: Any, seed: int) -> ClickModel:
        found = _podium.fit_click_model(as_log(log), float(self.held_out), self._options(), as_propensities(propensities), data,
                                        seed, self.threads)
        warn_of(found["notes"], 4)
        self._keep(found)
        return self

    def _keep(self, found: dict[str, Any]) -> None:
        self._json = str(found["json"])
        self.fit_: dict[str, Any] = json.loads(self._json)
        self.propensities_: npt.NDArray[np.float64] = np.array(self.fit_["propensities"])
        intervals = np.array(self.fit_["intervals"], dtype=np.float64)
        self.intervals_: npt.NDArray[np.float64] | None = intervals if intervals.size else None
        names = list(zip(found["qids"], found["docids"], strict=True))

        def by_document(values: npt.NDArray[np.float64]) -> dict[tuple[str, str], float]:
            return dict(zip(names, values.tolist(), strict=True))

        self.relevance_ = by_document(found["relevance"])
        self.exposure_ = by_document(found["exposure"]) if len(found["exposure"]) else None
        self.satisfaction_ = by_document(found["satisfaction"]) if len(found["satisfaction"]) else None
        self.components_: int = self.fit_["components"]
        self.log_likelihood_: float = self.fit_["log_likelihood"]
        self.objective_: npt.NDArray[np.float64] = found["objective"]

    def perplexity(self, by_position: bool = False) -> Any:
        """How well held-out sessions are predicted (those of training with ``held_out=0``): 1 is perfect.

        The mean over the positions, or an array with one value for each.
        """
        check_is_fitted(self, "fit_")
        part = self.fit_.get("held_out", self.fit_["training"])
        return np.array(part["perplexity_by_position"]) if by_position else float(part["perplexity"])

    def save(self, path: Path) -> None:
        """Writes what is known by position, for ``--propensities`` of the program and ``propensities=`` here."""
        check_is_fitted(self, "fit_")
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self._json)


class PBM(ClickModel):
    """Position-based model: a click needs that the position is examined and that the document is relevant."""

    _kind = "pbm"


class TrustModel(ClickModel):
    """PBM with trust: users also click documents that are not relevant, because of their position.

    ``fit_["slope"]`` and ``fit_["offset"]`` are what ``debias="affine"`` needs.
    """

    _kind = "trust"


class CascadeModel(ClickModel):
    """Users read from the top until their first click."""

    _kind = "cascade"


class DCM(ClickModel):
    """Dependent click model: as the cascade; after a click users go on with a probability of the position."""

    _kind = "dcm"


class SDBN(ClickModel):
    """Simplified DBN: as the cascade; after a click users go on unless the document satisfied them."""

    _kind = "sdbn"


class DBN(ClickModel):
    """Dynamic Bayesian network: as SDBN, and users may give up after any document."""

    _kind = "dbn"


class UBM(ClickModel):
    """User browsing model: examination depends on the position and the distance to the last click."""

    _kind = "ubm"


class Harvest(ClickModel):
    """Propensities from documents that were shown at several positions (intervention harvesting)."""

    _kind = "harvest"


class RegressionEM(ClickModel):
    """PBM whose relevance is predicted from features, by any learner of probabilities; fitted with the documents' data.

    It compares positions that no document connects, which then rests on the learner, and warns of it. It also warns where
    the features miss so much of relevance that PBM predicts better.

    Parameters
    ----------
    learner:
        Predicts relevance: "boosting(trees=100)", or another learner that takes a loss, with options.
    refits:
        Most fits of the learner.
    tolerance:
        The fit ends when three fits of the learner change the objective by less than this share.
    seed:
        Of the learner.
    prior, held_out, threads:
        As in the other models.
    """

    _kind = "regression-em"

    def __init__(self, *, learner: str = "boosting(trees=100)", refits: int = 90, tolerance: float = 1e-6, seed: int = 1,
                 prior: tuple[float, float] = (1.1, 1.1), held_out: float = 0.1, threads: int = 0) -> None:
        self.learner = learner
        self.refits = refits
        self.tolerance = tolerance
        self.seed = seed
        self.prior = prior
        self.held_out = held_out
        self.threads = threads

    def fit(self, log: LogLike, y: Any = None, *, data: Dataset | None = None,
            propensities: PropensitiesLike = None) -> RegressionEM:
        """Fits the model to a log and the documents.

        Parameters
        ----------
        log:
            The clicks.
        y:
            Ignored.
        data:
            The documents and their features, matched with the log by (qid, docid).
        propensities:
            Keep these, and estimate relevance alone.
        """
        if not isinstance(data, Dataset):
            raise ValueError("RegressionEM needs data=, a podium.Dataset with the documents' features")
        if not 0 <= self.held_out <= 0.9:
            raise ValueError(f"held_out={self.held_out!r} is not from 0 to 0.9")
        self._fit(log, propensities, data._native, int(self.seed))
        return self

    def _own_options(self) -> list[tuple[str, str]]:
        return [("relevance-learner", self.learner), ("refits", str(int(self.refits))),
                ("refit-tolerance", repr(float(self.tolerance)))]


class RankCTR(ClickModel):
    """One click-through rate per position: a baseline, whose rates are not propensities."""

    _kind = "ctr-rank"


class DocumentCTR(ClickModel):
    """One click-through rate per document: a baseline."""

    _kind = "ctr-doc"


def report(log: LogLike, path: Path, *, models: Sequence[ClickModel] | None = None, data: Dataset | None = None,
           rankers: Mapping[str, Any] | None = None, interleaving: Path | None = None, estimator: str = "dr",
           value: str = "DCG@10", propensity_clip: float = 0.05, alpha: float = 0.05, held_out: float = 0.1, seed: int = 1,
           threads: int = 0) -> dict[str, Any]:
    """Writes a page about a log, one HTML file that works offline, and returns what it shows.

    Click-through by position, what the models make of it, which positions the log connects, what clicks are worth as
    weights, the value of rankers, and the verdict of an interleaving experiment. A model that the log does not determine is
    there with the reason.

    Parameters
    ----------
    log:
        The clicks: a path or a ``Log``.
    path:
        The page to write.
    models:
        Click models with their options, which need not be fitted. None: PBM, Harvest, DBN and RankCTR.
    data:
        The documents, for rankers and for RegressionEM.
    rankers:
        By name, as of ``podium.counterfactual.evaluate``: their value is estimated with the propensities of the first click
        model that has some, or those of the log.
    interleaving:
        A log of interleaved lists with a column ``owner``.
    estimator, value, propensity_clip:
        As of ``podium.counterfactual.evaluate``.
    alpha:
        Level of the sequential test of interleaving.
    held_out:
        Share of the sessions that is held out to measure the fits.
    """
    chosen = [PBM(), Harvest(), DBN(), RankCTR()] if models is None else list(models)
    if not chosen:
        raise ValueError("models: at least one is needed")
    for model in chosen:
        if not isinstance(model, ClickModel) or not model._kind:
            raise TypeError(f"models: a click model of podium.clicks is needed, not {model!r}")
    if not 0 <= held_out <= 0.9:
        raise ValueError(f"held_out={held_out!r} is not from 0 to 0.9")
    if data is None and (rankers or any(isinstance(model, RegressionEM) for model in chosen)):
        raise ValueError("data: rankers and RegressionEM need a podium.Dataset")
    scores = [scores_of(name, ranker, data) for name, ranker in rankers.items()] if rankers and data is not None else []
    given = [("estimator", estimator), ("value", value), ("propensity-clip", repr(float(propensity_clip)))]
    asked = _podium.RankersToReport(data._native if data is not None else None, list(rankers or ()), scores, given)
    summary, notes = _podium.click_report(as_log(log), [model._options() for model in chosen], float(held_out), asked,
                                          os.fspath(interleaving) if interleaving is not None else "", float(alpha),
                                          os.fspath(path), int(seed), threads)
    warn_of(notes)
    return dict(json.loads(summary))


__all__ = ["DBN", "DCM", "PBM", "SDBN", "UBM", "CascadeModel", "ClickModel", "DocumentCTR", "Harvest", "Log", "RankCTR",
           "RegressionEM", "TrustModel", "report"]
