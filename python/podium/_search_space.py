"""What is worth tuning: the ranges that learners declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from podium._options import CATALOG, options_of


def search_space(learner: str) -> dict[str, dict[str, Any]]:
    """The options of a learner that are worth tuning, by keyword, with the ranges that ``tune`` and ``auto`` search.

    Each is a dictionary: ``type`` ("int", "float" or "choice"), ``default``, and either ``low``, ``high`` (included)
    and ``log`` (whether to search by factors), or ``choices``. ``podium.optuna.suggest`` reads it; it can be turned into
    the space of any other tool.

    >>> podium.search_space("lambdamart")["leaves"]
    {'type': 'int', 'default': 0, 'low': 4, 'high': 64, 'log': True}
    """
    options_of(learner)  # names the nearest if there is no such learner
    return {option["name"].replace("-", "_"): _range(option)
            for option in CATALOG[learner]["options"] if option["search"] is not None}


def _range(option: Mapping[str, Any]) -> dict[str, Any]:
    search, default = option["search"], option["default"]
    if "choices" in search:
        return {"type": "choice", "default": default, "choices": [_like(default, text) for text in search["choices"]]}
    kind = int if isinstance(default, int) else float
    return {"type": kind.__name__, "default": default, "low": kind(search["low"]), "high": kind(search["high"]), "log": search["log"]}


def _like(default: Any, text: str) -> Any:
    """A choice, which the library has as text, with the type of the default."""
    if isinstance(default, bool):
        return text == "true"
    return type(default)(text) if isinstance(default, (int, float)) else text
