"""Cross-validated comparisons of learners, with significance."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from podium import _podium
from podium._dataset import Dataset
from podium._ranker import Ranker
from podium._training import Callback, joined_callbacks


def compare(data: Dataset | str | os.PathLike[str],
            learners: Sequence[str | Ranker] | Mapping[str, str | Ranker], *,
            measures: Sequence[str] = ("nDCG@10", "nDCG@5", "nDCG@1", "AP", "RR", "P@10", "ERR@10"),
            folder: str | os.PathLike[str] | None = None, seed: int = 1, threads: int = 0,
            callbacks: Callback | Sequence[Callback] | None = None,
            report: str | os.PathLike[str] | None = None, **options: Any) -> Any:
    """Trains and tests learners on the same folds of the same data.

    Parameters
    ----------
    data:
        A Dataset, a data file, or a folder with Fold1, Fold2, … as in LETOR.
    learners:
        Names ("lambdamart", "svm-map(C=10)", "feature#2"), unfitted Rankers, or a dictionary from display names
        to them.
    measures:
        The first one is used to choose between models.
    folder:
        Where to keep the results, as ``podium compare`` writes them; an interrupted comparison is
        resumed from there. None: a temporary folder.
    report:
        Write the report, one self-contained HTML page, to this file.
    **options:
        Those of ``podium compare``: folds, trials, train_queries, valid_queries, tune, search, seeds, baseline,
        test, correction, alpha, permutations, normalize, bins, bin_rule, without, convention.

    Returns
    -------
    pandas.DataFrame
        One row per system, one column per measure (mean over the test queries), and ``standing`` by the first
        measure: best, not-worse or worse. ``frame.attrs["results"]`` has everything: values per query,
        tests of all pairs, options, feature importance.
    """
    import pandas

    known = [name.replace("-", "_") for name in _podium.compare_options()]
    for name in options:
        if name not in known:
            raise TypeError(f"compare has no option {name!r}{_podium.suggestion(name, known)}")
    with tempfile.TemporaryDirectory(prefix="podium-") as temporary:
        path = _data_path(data, pathlib.Path(temporary))
        given = [("measures", ",".join(measures))]
        given += [(name.replace("_", "-"), str(value)) for name, value in options.items()]
        target = pathlib.Path(folder) if folder is not None else pathlib.Path(temporary) / "results"
        if report is not None:
            _podium.check_report(os.fspath(report), path)
        outcome = _podium.compare(path, _systems(learners), given, os.fspath(target), seed, threads,
                                  joined_callbacks(callbacks))
        if report is not None:
            _podium.write_report(os.fspath(target), os.fspath(report))
        results = json.loads((target / "results.json").read_text(encoding="utf-8"))
    for note in outcome["notes"]:
        warnings.warn(note, stacklevel=2)
    return _table(results, pandas)


def _data_path(data: Dataset | str | os.PathLike[str], folder: pathlib.Path) -> str:
    if not isinstance(data, Dataset):
        return os.fspath(data)
    if not data._labelled:
        raise ValueError("data: this Dataset has no labels: create it with y")
    path = folder / "data.podium"
    data.write(path)
    return os.fspath(path)


def _systems(learners: Sequence[str | Ranker] | Mapping[str, str | Ranker]) -> str:
    if isinstance(learners, str):
        return learners
    pairs: Iterable[tuple[str, str | Ranker]]
    pairs = learners.items() if isinstance(learners, Mapping) else (("", system) for system in learners)
    systems = [(f"{name}=" if name else "") + (system if isinstance(system, str) else system.spec())
               for name, system in pairs]
    if not systems:
        raise ValueError("learners: at least one is needed")
    return ",".join(systems)


def _table(results: dict[str, Any], pandas: Any) -> Any:
    measures, systems = results["measures"], results["systems"]
    frame = pandas.DataFrame(
        [{measure: (system["test"] or {}).get(measure) for measure in measures} for system in systems],
        index=pandas.Index([system["name"] for system in systems], name="system"), columns=measures, dtype=float)
    standings = results["statistics"]["measures"].get(measures[0], {}).get("standings") or {}
    frame["standing"] = [standings.get(name) for name in frame.index]
    frame.attrs["results"] = results
    return frame
