"""One ranker of several: ``podium blend`` as an estimator."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from podium import _podium
from podium._columns import Columns, name_list
from podium._model import Model
from podium._options import device_name, whole
from podium._ranker import Ranker
from podium._scoring import Scoring
from podium._training import training_data

Member: TypeAlias = Scoring | Model | str | os.PathLike[str]


class Blend(Scoring):
    """A weighted sum of rankers, with weights that maximise a measure on validation data.

    The weights are found by exact line searches on the measure itself, and shrunk towards equal ones as far as inner
    folds over the queries ask for. A score is the sum of weight / scale × score of each member, where the scales are
    constants. The result is one model: it scores, explains, exports and saves like any other, and ``podium.load_model``
    and the program read it.

    Parameters
    ----------
    models:
        Fitted rankers, Models (those of other tools through ``podium.import_model``), or model files. A blend among
        them is replaced by its members.
    measure:
        What to maximise: the name of a measure with an exact line search (nDCG, AP, RR, P, ERR, …).
    convention:
        How measures are computed: ``podium.conventions()``.
    folds:
        Folds over queries that choose how far weights are shrunk towards equal ones.
    negative:
        Allow negative weights.
    seed, threads, device:
        As for ``podium.Ranker``.

    Attributes
    ----------
    model_: podium.Model; its ``members`` are the models with their weights and scales
    weights_: array, one weight per member; the sum of their sizes is 1
    shrinkage_: float from 0 (the weights are those of the line searches) to 1 (they are equal)
    value_, equal_value_: the measure on the data, with these and with equal weights
    held_out_: the measure on inner folds that did not choose the weights; None if there were too few queries
    values_: list of float, the measure of each model alone
    """

    def __init__(self, models: Sequence[Member], *, measure: str = "nDCG@10", convention: str = "podium", folds: int = 5,
                 negative: bool = False, seed: int = 1, threads: int = 0, device: str = "cpu") -> None:
        self.models = models
        self.measure = measure
        self.convention = convention
        self.folds = folds
        self.negative = negative
        self.seed = seed
        self.threads = threads
        self.device = device

    def __sklearn_clone__(self) -> Blend:
        return type(self)(**self.get_params(deep=False))  # members stay fitted

    def fit(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None) -> Blend:
        """Finds the weights on data that trained none of the members; X, y, … as for ``podium.Ranker.fit``."""
        if not isinstance(self.measure, str):
            raise TypeError(f"measure: the name of a measure is needed, not {self.measure!r}")
        if whole("folds", self.folds) < 2:
            raise ValueError("folds: at least 2 are needed")
        models = [_native(one) for one in self._given()]
        data = training_data(type(self).__name__, X, y, qid, group, sample_weight, self._columns_of(models), self.threads)
        native, found = _podium.blend_models(models, data.native, self.measure, self.convention, self.folds,
                                             bool(self.negative), whole("seed", self.seed), whole("threads", self.threads),
                                             device_name(self.device))
        for note in found["notes"]:
            warnings.warn(note, stacklevel=2)
        self.model_ = Model(native)
        self._remember(data)
        self._apart = (*data.apart, *self._ignored())
        self.weights_ = np.array([member["weight"] for member in self.model_.members])
        self.shrinkage_: float = found["shrinkage"]
        self.value_: float = found["value"]
        self.equal_value_: float = found["equal_value"]
        self.held_out_: float | None = None if np.isnan(found["held_out"]) else found["held_out"]
        self.values_: list[float] = found["values"]
        return self

    def spec(self) -> str:
        """The blend as ``compare`` and the program write it: its members are trained anew, so they must be Rankers."""
        members = self._given()
        for one in members:
            if not isinstance(one, Ranker):
                raise ValueError(f"models: compare trains the members of a Blend itself: give it Rankers, not {one!r}")
        words = [one.spec() for one in members if isinstance(one, Ranker)]
        return f"blend({','.join([*words, f'folds={self.folds}', f'negative={str(bool(self.negative)).lower()}'])})"

    def _given(self) -> list[Member]:
        if isinstance(self.models, (str, os.PathLike, Model, Scoring)) or not self.models:
            raise ValueError("models: a list of at least one fitted ranker, Model or model file is needed")
        return list(self.models)

    def _columns_of(self, models: Sequence[_podium.Model]) -> Columns:
        """What members did not use stays apart, and what they take for categories is read as such."""
        categories = {name for model in models for name in model.categories}
        return Columns(("qid",), self._ignored(), None, tuple(sorted(categories)))

    def _ignored(self) -> tuple[str, ...]:
        rankers = [one for one in self.models if isinstance(one, Scoring)]
        names = {name for one in rankers for name in (*name_list("ignore", one.ignore), *one._apart)}
        return tuple(sorted(names - {"qid"}))


def _native(one: Any) -> _podium.Model:
    if isinstance(one, Scoring):
        if not hasattr(one, "model_"):
            raise ValueError(f"models: this {type(one).__name__} is not fitted")
        return one.model_._native
    if isinstance(one, Model):
        return one._native
    if isinstance(one, (str, os.PathLike)):
        return _podium.Model.load(os.fspath(one))
    raise TypeError(f"models: {one!r} is neither a fitted ranker, nor a Model, nor a model file")
