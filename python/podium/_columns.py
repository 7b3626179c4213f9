"""What the columns of a table are: features, categories, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt


@dataclass
class Features:
    """The features of X as the library takes them: a float32 matrix in row order, or CSR."""

    values: Any  # float32 matrix, or scipy.sparse.csr_matrix
    names: list[str] | None = None
    columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict)  # columns that are not features
    categories: dict[int, list[str]] = field(default_factory=dict)  # the values of each category, by column number

    @property
    def rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def count(self) -> int:
        return int(self.values.shape[1])


@dataclass(frozen=True)
class Columns:
    """Which columns of a table are not features."""

    apart: tuple[str, ...] = ("qid",)  # labels, queries and the like: set apart where they occur
    ignore: tuple[str, ...] = ()  # not looked at
    features: tuple[str, ...] | None = None  # if given, other columns that are not numbers are not looked at
    categorical: tuple[str, ...] = ()  # categories, whatever their type; those that say so themselves always are


def name_list(argument: str, names: Any) -> tuple[str, ...]:
    """Names of columns: a list, or text as "brand,7"."""
    if names is None:
        return ()
    if isinstance(names, str):
        return tuple(name.strip() for name in names.split(",") if name.strip())
    if isinstance(names, Iterable):
        return tuple(str(name) for name in names)
    raise TypeError(f"{argument}: names of columns are needed, not {names!r}")
