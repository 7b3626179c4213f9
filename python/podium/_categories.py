"""Columns of categories: their values as text, in the library's order, and each row's code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium

Codes = npt.NDArray[np.float32]  # NaN: missing


def value_text(value: Any) -> str:
    """How a value is written: 7 and 7.0 are "7", as in a CSV file."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer() and abs(float(value)) < 2**53:
        return str(int(value))
    return str(value)


def is_missing(value: Any) -> bool:
    return value is None or value is np.ma.masked or value != value or value == "" or type(value).__name__ == "NAType"


def encode(places: npt.NDArray[Any], values: Iterable[Any]) -> tuple[Codes, list[str]]:
    """Codes among the values that occur; ``places`` are indices of ``values``, or -1 for missing."""
    places = np.asarray(places, np.int64)
    texts = ["" if is_missing(value) else value_text(value) for value in values]
    used = np.zeros(len(texts), bool)
    used[places[places >= 0]] = True
    occurring = [text for text, occurs in zip(texts, used.tolist(), strict=True) if occurs and text]
    order = _podium.sort_categories(occurring)
    code_of = {text: code for code, text in enumerate(order)}
    codes = np.full(len(texts) + 1, np.nan, np.float32)  # the last is that of place -1
    for place, text in enumerate(texts):
        if text in code_of:
            codes[place] = code_of[text]
    return codes[places], order


def encode_values(values: npt.NDArray[Any]) -> tuple[Codes, list[str]]:
    """Codes of plain values: text, numbers, or objects."""
    values = np.asarray(values)
    if values.dtype.kind in "OUS":
        numbers: dict[str, int] = {}
        places = np.fromiter((-1 if is_missing(value) else numbers.setdefault(value_text(value), len(numbers))
                              for value in values.tolist()), np.int64, len(values))
        return encode(places, numbers)
    if values.dtype.kind not in "iufb":
        raise ValueError(f"categories are text or numbers, not {values.dtype}")
    distinct, places = np.unique(values, return_inverse=True)
    return encode(places.reshape(-1), distinct.tolist())


def encode_frame_column(column: Any) -> tuple[Codes, list[str]]:
    """Codes of a pandas column of any type."""
    if str(column.dtype) == "category":
        return encode(column.cat.codes.to_numpy(), column.cat.categories.tolist())
    return encode_values(column.to_numpy(dtype=object, na_value=None) if column.dtype.kind not in "iufb"
                         or not isinstance(column.dtype, np.dtype) else column.to_numpy())


def joined(parts: list[tuple[Codes, list[str]]]) -> tuple[Codes, list[str]]:
    """Columns one after the other, with the values of all."""
    order = _podium.sort_categories([value for _, values in parts for value in values])
    code_of = {text: code for code, text in enumerate(order)}
    out = []
    for codes, values in parts:
        table = np.array([*(code_of[value] for value in values), np.nan], np.float32)
        out.append(table[np.where(np.isnan(codes), -1, codes).astype(np.int64)])
    return np.concatenate(out), order
