"""The options of learners, as keywords here and as text in the library."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from podium import _podium

CATALOG: Mapping[str, Mapping[str, Any]] = {entry["name"]: entry for entry in _podium.learners()}


def options_of(learner: str) -> dict[str, Any]:
    """The learner's options by keyword, with their defaults."""
    if learner not in CATALOG:
        _podium.check_learner(learner)
    return {option["name"].replace("-", "_"): option["default"] for option in CATALOG[learner]["options"]}


def as_text(name: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, Iterable):
        return ",".join(as_text(name, item) for item in value)
    raise TypeError(f"{name}: {value!r} is neither a number, nor text, nor a list of them")


def given_as_text(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Options given as keywords, by the library's names and as text; None: not given."""
    return [(name.replace("_", "-"), as_text(name, value)) for name, value in options.items() if value is not None]


def whole(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a whole number of at least 0 is needed, not {value!r}")
    return int(value)


def device_name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"device: a name such as 'cpu' or 'cuda' is needed, not {value!r}")
    return value


def not_negative(name: str, value: Any) -> float:
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a number of at least 0 is needed, not {value!r}")
    return value if isinstance(value, int) else float(value)
