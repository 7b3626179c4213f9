"""TREC runs: as features to learn from, and combined into one without learning."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from podium import _podium
from podium._dataset import Dataset

Path = str | os.PathLike[str]


def _paths(runs: Sequence[Path]) -> list[str]:
    if isinstance(runs, (str, os.PathLike)):
        raise TypeError("runs: a list of files is needed, not one path")
    return [os.fspath(run) for run in runs]


def run_features(runs: Sequence[Path], qrels: Path | None = None, *, depth: int = 1000,
                 missing_scores: str = "minimum", indicators: bool = False, unjudged: str = "zero",
                 threads: int = 0) -> Dataset:
    """Data from TREC runs: the union of every run's best documents, with one feature per run.

    ``data.docids`` has the documents' ids, ``data.qids`` the topics.

    Parameters
    ----------
    runs:
        Files; each feature is named after its file.
    qrels:
        The judgements: labels. Topics without any are left out. None: all topics, labels 0.
    depth:
        Number of best documents to use per run and topic.
    missing_scores:
        The score of a document that is not among a run's best: "minimum" (the lowest of those; 0 if the
        run lacks the topic), "zero" or "nan".
    indicators:
        Add a feature ``in_NAME`` for each run: 1 where the document is among its best, else 0.
    unjudged:
        Documents without a judgement: "zero" (label 0) or "drop".
    """
    given = [("depth", str(depth)), ("missing-scores", missing_scores),
             ("indicators", str(bool(indicators)).lower()), ("unjudged", unjudged)]
    native, left_out = _podium.run_features(_paths(runs), None if qrels is None else os.fspath(qrels), given,
                                            threads)
    if left_out:
        warnings.warn(f"topics without judgements, left out: {left_out}", stacklevel=2)
    return Dataset._wrap(native, qrels is not None)


def fuse(runs: Sequence[Path], method: str = "rrf", *, normalize: str = "minmax", k: float = 60,
         depth: int = 1000, threads: int = 0) -> dict[str, dict[str, float]]:
    """Combines TREC runs without learning: ``{topic: {document: score}}``, best first.

    Parameters
    ----------
    runs:
        Files.
    method:
        "combsum", "combmnz", "rrf" (reciprocal ranks) or "borda".
    normalize:
        combsum, combmnz: "minmax" rescales each run's scores per topic to [0, 1] first, "none" does not.
    k:
        rrf: constant added to every rank.
    depth:
        Number of best documents to use per run and topic.
    """
    given = [("method", method), ("normalize", normalize), ("k", repr(float(k))), ("depth", str(depth))]
    return dict(_podium.fuse(_paths(runs), given, threads))
