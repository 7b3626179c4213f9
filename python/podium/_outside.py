"""Systems of a comparison that are not Podium's: rankers with fit and predict, and functions."""

from __future__ import annotations

import copy
import inspect
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from podium import _podium
from podium._dataset import Dataset
from podium._progress import Progress
from podium._values import as_scores


def is_outside(system: Any) -> bool:
    return hasattr(system, "fit") or callable(system)


def outside_name(system: Any) -> str:
    """As it is shown: without = and commas, which separate systems."""
    return str(getattr(system, "__name__", type(system).__name__)).replace(",", ";").replace("=", ":")


def write_scores(name: str, system: Any, folds: _podium.ComparisonFolds, path: pathlib.Path,
                 progress: Progress | None = None) -> None:
    """Trains the system on every fold, and writes its scores of the test parts as a comparison reads them."""
    lines = ["fold\tqid\tscore"]
    for number, fold in enumerate(folds.names):
        train, valid, test = (Dataset._wrap(part) for part in folds.load(number))
        try:
            scores = as_scores(_scores(system, train, valid, test), test.n_rows, f"{name}: scores")
        except Exception as error:
            error.add_note(f"in podium.compare: {name}, {fold}") if hasattr(error, "add_note") else None
            raise
        lines += [f"{fold}\t{qid}\t{score!r}" for qid, score in zip(test.qid, scores.tolist(), strict=True)]
        if progress is not None:
            progress(number + 1, len(folds.names), {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _scores(system: Any, train: Dataset, valid: Dataset, test: Dataset) -> Any:
    if not hasattr(system, "fit"):
        return system(test.X) if _takes_features(system) else system(train, valid, test)
    ranker = clone(system) if hasattr(system, "get_params") else copy.deepcopy(system)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the ranker, about its own arguments
        ranker.fit(train.X, train.y, **fit_arguments(ranker.fit, train, valid))
        return np.asarray(ranker.predict(test.X, **_queries(ranker.predict, test))).reshape(-1)


def _takes_features(function: Callable[..., Any]) -> bool:
    """Whether it is to be called with the features of the test rows, as models' predict, and not with three Datasets."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # not known of some functions written in C
        return False
    if any(one.kind == one.VAR_POSITIONAL for one in parameters):
        return False
    return sum(one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters) == 1


def check_function(name: str, system: Any) -> None:
    if hasattr(system, "fit") or _takes_features(system):
        return
    try:
        inspect.signature(system).bind(None, None, None)
    except TypeError:
        raise TypeError(f"{name}: a function takes the features of the test rows, or three Datasets (training, validation, test), "
                        "and returns one score per test row") from None
    except ValueError:
        pass


def fit_arguments(fit: Callable[..., Any], train: Dataset, valid: Dataset) -> dict[str, Any]:
    """What fit takes of queries and validation data, by the names of its parameters: ``group`` is the sizes of
    queries (LightGBM), ``qid`` (XGBoost, Podium) and ``group_id`` (CatBoost) are ids of rows."""
    names = inspect.signature(fit).parameters
    given = _queries(fit, train)
    if "verbose" in names:
        given["verbose"] = False
    if "eval_set" not in names:
        return given
    if "group_id" in given:  # CatBoost keeps groups in its Pool
        pool = _catboost_pool(valid)
        return given if pool is None else given | {"eval_set": pool}
    by_qid = "eval_qid" in names and "qid" in given
    if not by_qid and "eval_group" not in names:
        return given
    groups = {"eval_qid": [numbers_of(valid)]} if by_qid else {"eval_group": [valid.group]}
    if "eval_X" in names:  # LightGBM since 4.7, where eval_set is deprecated
        return given | {"eval_X": valid.X, "eval_y": valid.y} | groups
    return given | {"eval_set": [(valid.X, valid.y)]} | groups


def _queries(function: Callable[..., Any], data: Dataset) -> dict[str, Any]:
    names = inspect.signature(function).parameters
    if "qid" in names:
        return {"qid": numbers_of(data)}
    if "group_id" in names:
        return {"group_id": numbers_of(data)}
    return {"group": data.group} if "group" in names else {}


def numbers_of(data: Dataset) -> npt.NDArray[np.intp]:
    """The queries as whole numbers in ascending order, as XGBoost wants them."""
    return np.repeat(np.arange(data.n_queries), data.group)


def _catboost_pool(data: Dataset) -> Any:
    try:
        from catboost import Pool
    except ImportError:
        return None
    return Pool(data.X, label=data.y, group_id=numbers_of(data))
