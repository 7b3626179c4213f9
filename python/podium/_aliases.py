"""What LightGBM, XGBoost, CatBoost and scikit-learn call options, and what the same is called here.

Options keep their own names in ``get_params()``; an alias is another way to write them, in the constructor,
in ``set_params`` and in searches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium import _podium


@dataclass(frozen=True)
class Alias:
    names: tuple[str, ...]
    options: tuple[str, ...]  # the first one that the learner has
    convert: Callable[[Any], Any] | None = None
    note: str = ""


def _threads(value: Any) -> Any:
    return 0 if value is None or (isinstance(value, (int, np.integer)) and value == -1) else value


def _seed(value: Any) -> Any:
    if value is None:
        return 1
    if isinstance(value, np.random.RandomState):
        return int(value.randint(2**31))
    if isinstance(value, np.random.Generator):
        return int(value.integers(2**31))
    return value


def _rounds(value: Any) -> Any:
    return 0 if value is None else value


def _cutoffs(value: Any) -> Any:
    many = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
    return [f"nDCG@{int(k)}" for k in value] if many else f"nDCG@{int(value)}"


# Of LightGBM and XGBoost: with @k. Gain, ties and queries without relevant documents are the convention's.
MEASURES = {"ndcg": "nDCG", "map": "AP", "mean_average_precision": "AP", "mrr": "RR", "pre": "P", "precision": "P", "auc": "AUC"}
# Of CatBoost: with ":top=k;type=Base;…". It is no convention, so all that differs is part of the name.
CATBOOST = {"NDCG": "nDCG", "DCG": "DCG", "MAP": "AP", "MRR": "RR", "PrecisionAt": "P", "RecallAt": "R"}
GAINS = {"Base": "linear", "Exp": ""}


def _measure(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_measure(one) for one in value]
    if not isinstance(value, str):
        return value
    name, colon, given = value.partition(":")
    if name == "ERR" and (colon or value == "ERR"):
        raise ValueError(f"measure: {value!r} of CatBoost takes labels for probabilities, which no measure here does; "
                         "measure='ERR@10' is expected reciprocal rank of grades")
    if colon and name not in CATBOOST:
        raise ValueError(f"measure: there is no counterpart of CatBoost's {value!r}; podium.measures() lists what there is")
    if colon or name in CATBOOST:
        return _catboost_measure(value, CATBOOST[name], given)
    found = re.fullmatch(r"(\w+?)(?:@(\d+))?(-?)", value)
    if not found or found[1].lower() not in MEASURES:
        return value
    own = MEASURES[found[1].lower()] + (f"@{found[2]}" if found[2] else "")
    if found[3]:
        raise ValueError(f"measure: {value!r} counts queries without relevant documents as 0, which the convention decides here: "
                         f"with measure={own!r} they count 0 under convention='podium', the default, and 1 under 'xgboost'")
    return own


def _catboost_measure(text: str, name: str, given: str) -> str:
    """``NDCG:top=10;type=Exp;denominator=LogPosition``, and ``border``, above which labels are relevant."""
    parts = dict(part.partition("=")[::2] for part in given.split(";") if part)
    graded = name in ("nDCG", "DCG")
    known = {"top", "type", "denominator"} if graded else {"top", "border"}
    for option, value in list(parts.items()):
        if option == "hints" or (option, value.lower()) == ("use_weights", "true"):
            del parts[option]
        elif option not in known or (option == "denominator" and value != "LogPosition") or (option == "type" and value not in GAINS):
            raise ValueError(f"measure: there is no counterpart of {option}={value} in CatBoost's {text!r}")
    try:
        top, border = int(parts.get("top", -1)), float(parts.get("border", 0.5))
    except ValueError:
        raise ValueError(f"measure: {text!r}: top is a whole number, and border a number") from None
    options = []
    if graded and (gain := GAINS[parts.get("type", "Base")]):
        options.append(f"gain={gain}")
    if border != 0.5:
        options.append(f"rel={np.nextafter(np.float32(border), np.float32(np.inf))!s}")
    if name == "AP" and top > 0:
        options.append("denominator=cutoff")
    return name + (f"({','.join(options)})" if options else "") + (f"@{top}" if top > 0 else "")


def _monotone(value: Any) -> Any:
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{int(sign):+d}" for name, sign in value.items() if sign)
    if isinstance(value, str):
        value = [int(sign) for sign in value.strip("() ").split(",") if sign.strip()]
    if value is None:
        return ""
    return ",".join(f"{number}:{int(sign):+d}" for number, sign in enumerate(value, 1) if sign)


def _device(value: Any) -> Any:
    name = value.lower() if isinstance(value, str) else value
    return "cuda" if name == "gpu" else name


def _categorical(value: Any) -> Any:
    return None if isinstance(value, str) and value == "auto" else value


def _verbosity(value: Any) -> Any:
    return max(int(value), 0) if isinstance(value, (int, np.integer)) else value


ALIASES = (
    Alias(("n_estimators", "num_iterations", "num_boost_round", "num_trees", "iterations"),
          ("trees", "rounds", "epochs")),
    Alias(("num_leaves", "max_leaves", "max_leaf_nodes"), ("leaves",)),
    Alias(("eta", "shrinkage_rate"), ("learning_rate",)),
    Alias(("depth",), ("max_depth",)),
    Alias(("max_bin", "border_count"), ("max_bins",)),
    Alias(("min_child_samples", "min_data_in_leaf", "min_samples_leaf"), ("min_docs",)),
    Alias(("min_child_weight", "min_sum_hessian_in_leaf"), ("min_curvature",),
          note="in units of the mean second derivative, so other values are suitable"),
    Alias(("reg_lambda", "lambda_l2", "l2_leaf_reg", "l2_regularization"), ("l2",),
          note="trees: in units of the mean second derivative, so other values are suitable (default 10)"),
    Alias(("min_split_gain", "min_split_loss", "gamma"), ("min_gain",)),
    Alias(("colsample_bytree", "rsm"), ("feature_fraction",)),
    Alias(("subsample", "bagging_fraction"), ("query_fraction",), note="whole queries are drawn, not rows"),
    Alias(("drop_rate", "rate_drop"), ("dart",)),
    Alias(("skip_drop",), ("dart_skip",)),
    Alias(("monotone_constraints",), ("monotone",), _monotone,
          note='[1, 0, -1], "(1,0,-1)" or {"price": -1}'),
    Alias(("lambdarank_truncation_level",), ("truncation",)),
    Alias(("lambdarank_norm",), ("norm",), lambda value: "lightgbm" if value else "none"),
    Alias(("sigmoid",), ("sigma",)),
    Alias(("max_iter",), ("epochs", "max_passes")),
    Alias(("early_stopping_rounds", "early_stopping_round", "n_iter_no_change"), ("early_stopping",), _rounds,
          note="None: never"),
    Alias(("eval_at",), ("measure",), _cutoffs, note="nDCG at these ranks; the first one chooses"),
    Alias(("eval_metric", "metric"), ("measure",), _measure,
          note="as LightGBM, XGBoost and CatBoost write measures: see the table of measures"),
    Alias(("n_jobs", "num_threads", "nthread", "thread_count"), ("threads",), _threads,
          note="-1 and None: one per core"),
    Alias(("random_state", "random_seed"), ("seed",), _seed, note="None: 1, the default seed"),
    Alias(("device_type", "task_type"), ("device",), _device, note="gpu and cuda are the first GPU"),
    Alias(("categorical_feature", "categorical_features", "cat_features"), ("categorical",), _categorical,
          note="names of columns"),
    Alias(("ignored_features",), ("ignore",), note="names of columns"),
    Alias(("verbosity",), ("verbose",), _verbosity),
    Alias(("silent",), ("verbose",), lambda value: 0 if value else 1),
)
BY_NAME = {name: alias for alias in ALIASES for name in alias.names}

# Values of an option under the option's own name.
VALUES: Mapping[str, Mapping[Any, Any]] = {
    "objective": {"lambdarank": "ndcg", "rank:ndcg": "ndcg", "rank:map": "ap"},
    "max_depth": {-1: 0},
    "device": {"gpu": "cuda"},
}
ELSEWHERE = {
    "rank_xendcg": 'podium.Boosting(loss="xendcg")',
    "rank:pairwise": 'podium.Boosting(loss="logistic-pairs")',
    "PairLogit": 'podium.Boosting(loss="logistic-pairs")',
    "QueryRMSE": 'podium.Boosting(loss="query-squared")',
    "QuerySoftMax": 'podium.Boosting(loss="softmax")',
    "regression": "podium.MART()",
}


def translated(owner: str, given: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Options under their own names. TypeError if two names of one option are given, or for unknown names."""
    out: dict[str, Any] = {}
    written: dict[str, str] = {}
    for name, value in given.items():
        option, value = _own_name(owner, name, value, known)
        if option in written:
            raise TypeError(f"{written[option]} and {name} are the same option of {owner}: give one of them")
        written[option] = name
        out[option] = value
    return out


def _own_name(owner: str, name: str, value: Any, known: Collection[str]) -> tuple[str, Any]:
    if name == "pairs" and not isinstance(value, str):
        raise TypeError(f"pairs: {owner} takes preference pairs in fit, as preferences=")
    if name in known:
        return name, _own_value(owner, name, value)
    alias = BY_NAME.get(name)
    if alias is None:
        names = [*known, *(other for other, one in BY_NAME.items() if any(option in known for option in one.options))]
        raise TypeError(f"{owner} has no option {name!r}{_podium.suggestion(name, names)}")
    option = next((option for option in alias.options if option in known), None)
    if option is None:
        raise TypeError(f"{owner} has no option {name!r}: it has no {' or '.join(alias.options)}")
    return option, alias.convert(value) if alias.convert else value


def _own_value(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, str) and name == "objective" and value in ELSEWHERE:
        raise ValueError(f"objective: {owner} has no {value!r}; use {ELSEWHERE[value]}")
    if name in VALUES and isinstance(value, (str, int)) and value in VALUES[name]:
        return VALUES[name][value]
    return value


def aliases() -> list[dict[str, str]]:
    """Names of other tools for options: alias, option, note."""
    return [{"alias": name, "option": " or ".join(alias.options), "note": alias.note}
            for alias in ALIASES for name in alias.names]
