"""Checks the arguments of fit() and assembles them for the library."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium import _podium
from podium._columns import Columns, Features
from podium._dataset import Dataset, native_dataset
from podium._features import as_features, check_names
from podium._model import Model
from podium._queries import Queries, as_queries
from podium._text import counted
from podium._values import as_labels, as_scores, as_weights
from podium.distributed._agreement import agree_on_dataset, agree_on_features, agree_on_queries, agree_on_weights
from podium.distributed._workers import own_data


class UselessModelWarning(UserWarning):
    """A fitted model gives all rows of a query the same score, or had nothing to learn from."""


def with_preferences(data: _podium.Dataset, preferences: Any) -> _podium.Dataset:
    """The data with pairs of rows: better, worse and, optionally, weight."""
    try:
        pairs = np.asarray(preferences, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"preferences: pairs of row numbers are expected: {error}") from None
    if pairs.ndim != 2 or pairs.shape[0] == 0 or pairs.shape[1] not in (2, 3):
        raise ValueError(f"preferences: an array of two or three columns (better, worse, weight) is expected, not of shape {pairs.shape}")
    rows = pairs[:, :2]
    wrong = ~(np.isfinite(rows) & (rows >= 0) & (rows == np.floor(rows))).all(axis=1)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"preferences: pair {at} ({rows[at, 0]:g}, {rows[at, 1]:g}): better and worse are row numbers, counted from 0")
    weights = pairs[:, 2] if pairs.shape[1] == 3 else np.ones(len(pairs))
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"preferences: pair {at} ({rows[at, 0]:g}, {rows[at, 1]:g}) has the weight {weights[at]:g}: a weight is a number of at least 0")
    return data.with_preferences(rows[:, 0].astype(np.int64).tolist(), rows[:, 1].astype(np.int64).tolist(),
                                 weights.astype(np.float32).tolist())


@dataclass
class TrainingData:
    names: list[str] | None  # of the features, if X has any
    native: _podium.Dataset
    queries: Queries | None = None  # of rows; none for a Dataset, whose rows are grouped already
    apart: tuple[str, ...] = ("qid",)  # columns of tables that are not features


def training_data(owner: str, X: Any, y: Any, qid: Any, group: Any, sample_weight: Any, columns: Columns,
                  threads: int, workers: Any = None) -> TrainingData:
    if isinstance(X, Dataset):
        nothing_beside_dataset(y=y, qid=qid, group=group, sample_weight=sample_weight)
        if workers is not None:
            agree_on_dataset(workers, labelled(X, "X"), "X")
        return TrainingData(X._names, labelled(X, "X"), apart=X._apart)
    if workers is not None:
        return _part_of_training_data(owner, X, y, qid, group, sample_weight, columns, threads, workers)
    features = as_features(X, columns, threads=threads, least_rows=2)
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    native, queries = _native(features, y, qid, group, sample_weight)
    return TrainingData(features.names, native, queries)


def unlabelled_data(X: Any, qid: Any, group: Any, columns: Columns, threads: int) -> TrainingData:
    """Documents whose labels will come from clicks."""
    if isinstance(X, Dataset):
        nothing_beside_dataset(qid=qid, group=group)
        return TrainingData(X._names, X._native, apart=X._apart)
    features = as_features(X, columns, threads=threads, least_rows=2)
    native, queries = _native(features, np.zeros(features.rows, np.float32), qid, group, None)
    return TrainingData(features.names, native, queries)


def _part_of_training_data(owner: str, X: Any, y: Any, qid: Any, group: Any, sample_weight: Any, columns: Columns,
                           threads: int, workers: Any) -> TrainingData:
    """This worker's part; X may be None: no rows."""
    with own_data(workers):
        part = None if X is None else as_features(X, columns, threads=threads, least_rows=0)
        if y is None and part is not None and part.rows > 0:
            raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    features = agree_on_features(workers, part, "X")
    if features.rows == 0:
        y, qid, group, sample_weight = _no_rows(features)
    native, queries = _native(features, y, qid, group, sample_weight, workers=workers)
    return TrainingData(features.names, native, queries)


def _no_rows(features: Features) -> tuple[Any, Any, None, None]:
    """Labels and ids of a worker without rows."""
    columns = features.columns
    return np.empty(0, np.float32), None if "qid" in columns else np.empty(0, np.int64), None, None


@dataclass
class EvalSet:
    name: str
    native: _podium.Dataset
    queries: Queries | None


def validation_data(owner: str, eval_set: Any, qid: Any, group: Any, sample_weight: Any, names: list[str] | None,
                    count: int, columns: Columns, threads: int, workers: Any = None) -> list[EvalSet]:
    """The validation sets, of which the first chooses; their features are those of the training data."""
    if eval_set is None:
        nothing_without("eval_set", eval_qid=qid, eval_group=group, eval_sample_weight=sample_weight)
        return []
    sets = _named_sets(eval_set)
    given = [_one_per_set(argument, value, list(sets)) for argument, value in
             (("eval_qid", qid), ("eval_group", group), ("eval_sample_weight", sample_weight))]
    out = []
    for number, (name, one) in enumerate(sets.items()):
        one_qid, one_group, one_weight = (values[number] for values in given)
        native, queries = _validation_set(owner, one, one_qid, one_group, one_weight, names, count, columns, threads,
                                          workers)
        out.append(EvalSet(name, native, queries))
    return out


def names_of_sets(eval_set: Any) -> list[str]:
    return [] if eval_set is None else list(_named_sets(eval_set))


def _named_sets(eval_set: Any) -> dict[str, Any]:
    if isinstance(eval_set, Mapping):
        sets = {str(name): one for name, one in eval_set.items()}
        for name in sets:
            if name == "train" or not name or name != name.strip():
                raise ValueError(f"eval_set: {name!r} cannot be the name of a validation set")
    elif isinstance(eval_set, list):
        sets = {"valid" if number == 1 else f"valid_{number}": one for number, one in enumerate(eval_set, 1)}
    else:
        sets = {"valid": eval_set}
    if not sets:
        raise ValueError("eval_set: at least one validation set is needed")
    return sets


def _one_per_set(argument: str, value: Any, names: list[str]) -> list[Any]:
    """What belongs to each set: a dictionary by name, a list in their order, or the value of the only set."""
    if value is None:
        return [None] * len(names)
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise ValueError(f"{argument}: eval_set has no {name!r}{_podium.suggestion(str(name), names)}")
        return [value.get(name) for name in names]
    if len(names) == 1:
        return [_only(value)]
    if not isinstance(value, (list, tuple)) or len(value) != len(names):
        raise ValueError(f"{argument}: a list of {len(names)}, one per validation set, is needed")
    return list(value)


def _validation_set(owner: str, one: Any, qid: Any, group: Any, sample_weight: Any, names: list[str] | None, count: int,
                    columns: Columns, threads: int, workers: Any) -> tuple[_podium.Dataset, Queries | None]:
    if isinstance(one, Dataset):
        nothing_beside_dataset(eval_qid=qid, eval_group=group, eval_sample_weight=sample_weight)
        if workers is not None:
            agree_on_dataset(workers, labelled(one, "eval_set"), "eval_set")
        return labelled(one, "eval_set"), None
    if not isinstance(one, tuple) or len(one) not in (2, 3):
        raise ValueError("eval_set: (X, y), (X, y, qid) or a Dataset is needed, or several of them in a list or by name")
    X, y, *own_qid = one
    if own_qid:
        if qid is not None or group is not None:
            raise ValueError("eval_set: its queries are given twice, by (X, y, qid) and by eval_qid or eval_group")
        qid = own_qid[0]
    if workers is None:
        features = as_features(X, columns, threads=threads)
    else:
        with own_data(workers):
            part = None if X is None else as_features(X, columns, threads=threads, least_rows=0)
        features = agree_on_features(workers, part, "eval_set")
        if features.rows == 0:
            y, qid, group, sample_weight = _no_rows(features)
    if features.count != count:
        raise ValueError(f"eval_set: X has {counted(features.count, 'feature')}, but the training data has {count}")
    check_names(features, names, owner)
    return _native(features, y, qid, group, sample_weight, "eval_", names, workers)


def describe_start(init: Any) -> str:
    """The start of a training as workers compare it; scores differ between workers."""
    if isinstance(init, Model):
        return "a model " + hashlib.sha256(init.to_json().encode()).hexdigest()[:16]
    return init if isinstance(init, str) else "" if init is None else "scores"


def set_start(request: _podium.TrainingRequest, init: Any, eval_init: Any, data: TrainingData,
              sets: Sequence[EvalSet]) -> None:
    """Where training starts: a model, a feature, or scores that the model's scores are added to."""
    if isinstance(init, Model):
        request.start_from_model(init._native)
    elif isinstance(init, str):
        if not init.startswith("feature:"):
            raise ValueError(f"init: a Model, feature:NAME or one score per row is needed, not {init!r}")
        request.start_from_feature(init.removeprefix("feature:"))
    elif init is not None:
        if len(sets) > 1:
            raise ValueError("init with scores: only one validation set can be given, with eval_init")
        scores = _start_scores(init, data.native, data.queries, "init")
        if eval_init is not None and sets:
            request.start_from_scores(scores, _start_scores(eval_init, sets[0].native, sets[0].queries, "eval_init"))
            return
        request.start_from_scores(scores, [])
    nothing_without("init with scores and eval_set", eval_init=eval_init)


def _start_scores(scores: Any, data: _podium.Dataset, queries: Queries | None, argument: str) -> list[float]:
    values = as_scores(scores, data.documents, argument)
    return list((values if queries is None else queries.grouped(values)).tolist())


def _native(features: Features, y: Any, qid: Any, group: Any, sample_weight: Any, prefix: str = "",
            names: list[str] | None = None, workers: Any = None) -> tuple[_podium.Dataset, Queries]:
    with own_data(workers):
        labels = as_labels(y, features.rows, "y" if not prefix else "eval_set: y")
        if qid is None and group is None:
            qid = features.columns.get("qid")
        elif "qid" in features.columns:
            raise ValueError(f"{prefix}qid: X has a column qid too: drop the column or leave out the argument")
        queries = as_queries(features.rows, qid, group, prefix)
        weights = as_weights(sample_weight, queries, prefix + "sample_weight")
    if workers is not None:
        queries = agree_on_queries(workers, queries, by_size=group is not None)
        weights = agree_on_weights(workers, weights, sample_weight is not None, queries, prefix + "sample_weight")
    return native_dataset(features, labels, queries, weights, names), queries


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
