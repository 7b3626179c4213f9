"""Checks the arguments of fit() and assembles them for the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from podium import _podium
from podium._arguments import Features, as_features, as_labels, as_queries, as_scores, as_weights, check_names, counted
from podium._dataset import Dataset, native_dataset
from podium._model import Model


class UselessModelWarning(UserWarning):
    """A fitted model gives all rows of a query the same score, or had nothing to learn from."""


@dataclass(frozen=True)
class Iteration:
    """One step of training, as callbacks see it."""

    number: int  # counted from 1
    total: int  # 0: not known
    values: Mapping[str, float]  # "objective", "valid nDCG@10", …


Callback: TypeAlias = Callable[[Iteration], bool | None]


def training_data(owner: str, X: Any, y: Any, qid: Any, group: Any, sample_weight: Any, threads: int
                  ) -> tuple[list[str] | None, _podium.Dataset]:
    """The names of the features, if X has any, and the data."""
    if isinstance(X, Dataset):
        nothing_beside_dataset(y=y, qid=qid, group=group, sample_weight=sample_weight)
        return X._names, labelled(X, "X")
    features = as_features(X, threads=threads, least_rows=2)
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    return features.names, _native(features, y, qid, group, sample_weight)


def validation_data(owner: str, eval_set: Any, qid: Any, group: Any, sample_weight: Any, names: list[str] | None,
                    count: int, threads: int) -> _podium.Dataset | None:
    """The one validation set; its features are those of the training data."""
    if eval_set is None:
        nothing_without("eval_set", eval_qid=qid, eval_group=group, eval_sample_weight=sample_weight)
        return None
    if isinstance(eval_set, list):
        if len(eval_set) != 1:
            raise ValueError(f"eval_set: one validation set is needed, not {len(eval_set)}")
        eval_set, qid, group, sample_weight = (
            eval_set[0], _only(qid), _only(group), _only(sample_weight))
    if isinstance(eval_set, Dataset):
        nothing_beside_dataset(eval_qid=qid, eval_group=group, eval_sample_weight=sample_weight)
        return labelled(eval_set, "eval_set")
    if not isinstance(eval_set, tuple) or len(eval_set) != 2:
        raise ValueError("eval_set: a pair (X, y) or a Dataset is needed")
    features = as_features(eval_set[0], threads=threads)
    if features.count != count:
        raise ValueError(f"eval_set: X has {counted(features.count, 'feature')}, but the training data has {count}")
    check_names(features, names, owner)
    return _native(features, eval_set[1], qid, group, sample_weight, "eval_", names)


def set_start(request: _podium.TrainingRequest, init: Any, eval_init: Any, data: _podium.Dataset,
              valid: _podium.Dataset | None) -> None:
    """Where training starts: a model, a feature, or scores that the model's scores are added to."""
    if isinstance(init, Model):
        request.start_from_model(init._native)
    elif isinstance(init, str):
        if not init.startswith("feature:"):
            raise ValueError(f"init: a Model, feature:NAME or one score per row is needed, not {init!r}")
        request.start_from_feature(init.removeprefix("feature:"))
    elif init is not None:
        scores = as_scores(init, data.documents, "init").tolist()
        if eval_init is not None and valid is not None:
            request.start_from_scores(scores, as_scores(eval_init, valid.documents, "eval_init").tolist())
            return
        request.start_from_scores(scores, [])
    nothing_without("init with scores and eval_set", eval_init=eval_init)


def _native(features: Features, y: Any, qid: Any, group: Any, sample_weight: Any, prefix: str = "",
            names: list[str] | None = None) -> _podium.Dataset:
    labels = as_labels(y, features.rows, "y" if not prefix else "eval_set: y")
    if qid is None and group is None:
        qid = features.columns.get("qid")
    elif "qid" in features.columns:
        raise ValueError(f"{prefix}qid: X has a column qid too: drop the column or leave out the argument")
    queries = as_queries(features.rows, qid, group, prefix)
    return native_dataset(features, labels, queries, as_weights(sample_weight, queries, prefix + "sample_weight"),
                          names)


def joined_callbacks(callbacks: Callback | Sequence[Callback] | None) -> Callable[..., bool] | None:
    if callbacks is None:
        return None
    several: Sequence[Callback] = [callbacks] if callable(callbacks) else callbacks
    for callback in several:
        if not callable(callback):
            raise TypeError(f"callbacks: {callback!r} is not callable")

    def call(number: int, total: int, values: dict[str, float]) -> bool:
        step = Iteration(number, total, values)
        answers = [callback(step) for callback in several]  # calls all of them
        return any(answers)

    return call


def labelled(data: Dataset, argument: str) -> _podium.Dataset:
    if not data._labelled:
        raise ValueError(f"{argument}: this Dataset has no labels: create it with y")
    return data._native


def nothing_beside_dataset(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(f"{name}: the Dataset already has it")


def nothing_without(what: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(f"{name} needs {what}")


def _only(value: Any) -> Any:
    """The one item of a list of one array, as eval_qid=[qid]; anything else is itself."""
    return value[0] if isinstance(value, list) and len(value) == 1 and np.ndim(value[0]) else value
