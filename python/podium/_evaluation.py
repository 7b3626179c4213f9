"""Measures of scores."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium
from podium._custom import MeasureFunction, measure_name, native_measures
from podium._html import html_table
from podium._queries import as_queries
from podium._text import counted
from podium._values import as_labels, as_scores, as_weights


class Evaluation(dict[str, float]):
    """Values by measure, with the values of each query in ``per_query``."""

    per_query: dict[str, npt.NDArray[np.float64]]  # NaN if a query is left out
    qids: list[str]
    queries: int
    empty: int  # queries without a relevant document
    convention: str

    def to_frame(self) -> Any:
        """The values of each query as a pandas DataFrame, one row per query."""
        import pandas

        return pandas.DataFrame(self.per_query, index=pandas.Index(self.qids, name="qid"))

    def _repr_html_(self) -> str:
        caption = f"{counted(self.queries, 'query', 'queries')}, convention {self.convention}"
        return html_table(["measure", "value"], self.items(), caption)


def evaluate(y: Any, scores: Any, qid: Any = None, *, group: Any = None,
             measures: str | MeasureFunction | Sequence[str | MeasureFunction] = ("nDCG@10",),
             convention: str = "podium", sample_weight: Any = None, threads: int = 0) -> Evaluation:
    """Evaluates the rankings by score, under the convention of the tool of your choice.

    Parameters
    ----------
    y:
        One label per row; NaN: not judged.
    scores:
        One score per row, higher is better. Tied rows count as the mean over their orders (convention podium).
    qid, group:
        Which rows form a query: one id per row, in any order, or the sizes of consecutive queries.
    measures:
        Names such as "nDCG@10", "AP", "RR" (``podium.measures()``), or functions of the labels in ranked
        order and in ideal order that return a number, or None if the measure is undefined.
    convention:
        podium, letor, mslr, lightgbm, xgboost, trec, ranklib, sklearn: ``podium.conventions()``.
    sample_weight:
        One weight per query (or one per row, constant within each query).
    """
    y = np.asarray(y)
    rows = y.shape[0] if y.ndim else 0
    queries = as_queries(rows, qid, group)
    weights = query_weights(sample_weight, queries)
    given = native_measures(measures, "measures")
    labels, values = as_labels(y, rows, missing=True), as_scores(scores, rows)
    result = _podium.evaluate(queries.grouped(labels), queries.grouped(values), queries.begin,
                              queries.ids, weights, given, convention, threads)
    for note in result["notes"]:
        warnings.warn(note, stacklevel=2)
    names = [label if isinstance(measure, str) else measure_name(measure[0])
             for label, measure in zip(result["measures"], given, strict=True)]
    out = Evaluation(zip(names, result["values"], strict=True))
    out.per_query = dict(zip(names, result["per_query"], strict=True))
    out.qids, out.queries, out.empty = queries.ids, result["queries"], result["empty"]
    out.convention = convention
    return out


def query_weights(sample_weight: Any, queries: Any) -> npt.NDArray[np.float32] | None:
    weights = as_weights(sample_weight, queries)
    if weights.documents is not None:
        raise ValueError("sample_weight: a measure is an average over queries, so weights must be constant "
                         "within each query")
    return weights.queries
