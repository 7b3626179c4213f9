"""Cross-validated comparisons of learners, with significance."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from podium import _podium
from podium._auto import AutoRanker
from podium._blend import Blend
from podium._callbacks import Callback, callable_list, joined_callbacks
from podium._dataset import Dataset
from podium._html import html_table, text_table
from podium._options import as_text, device_name, given_as_text
from podium._outside import check_function, is_outside, outside_name, write_scores
from podium._progress import progress_of, shown
from podium._ranker import Ranker

System: TypeAlias = str | Ranker | AutoRanker | Blend | Callable[[Dataset, Dataset, Dataset], Any] | Any


class Comparison(Mapping[str, Mapping[str, Any]]):
    """What ``compare`` found: values by system, and ``standing``. ``results`` has everything."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.results = results  # values per query, tests of all pairs, options, feature importance
        self.measures: list[str] = list(results["measures"])
        standings = results["statistics"]["measures"].get(self.measures[0], {}).get("standings") or {}
        self._rows: dict[str, dict[str, Any]] = {}
        for system in results["systems"]:
            values = {measure: (system["test"] or {}).get(measure) for measure in self.measures}
            self._rows[system["name"]] = {**values, "standing": standings.get(system["name"])}

    def __getitem__(self, system: str) -> Mapping[str, Any]:
        return self._rows[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the order in which they were given."""
        return list(self._rows)

    def to_frame(self) -> Any:
        """A pandas DataFrame: one row per system, one column per measure, and ``standing``."""
        import pandas

        frame = pandas.DataFrame.from_dict(self._rows, orient="index", columns=[*self.measures, "standing"])
        frame.index.name = "system"
        return frame.astype({measure: float for measure in self.measures})

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        header = ["system", *self.measures, "standing"]
        return header, [[name, *row.values()] for name, row in self._rows.items()]

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        data = self.results["data"]
        caption = f"{data['name']}: {data['queries']} queries; standing by {self.measures[0]}"
        return html_table(*self._table(), caption)


def compare(data: Dataset | str | os.PathLike[str], learners: Sequence[System] | Mapping[str, System], *,
            measures: Sequence[str] = ("nDCG@10", "nDCG@5", "nDCG@1", "AP", "RR", "P@10", "ERR@10"),
            folder: str | os.PathLike[str] | None = None, seed: int = 1, threads: int = 0, device: str = "cpu",
            callbacks: Callback | Sequence[Callback] | None = None,
            report: str | os.PathLike[str] | None = None, verbose: int | None = None, **options: Any) -> Comparison:
    """Trains and tests learners on the same folds of the same data.

    Parameters
    ----------
    data:
        A Dataset, a data file, or a folder with Fold1, Fold2, … as in LETOR.
    learners:
        Names ("lambdamart", "svm-map(C=10)", "feature#2", "auto(trials=8)", "blend(lambdamart,svm-map)"), unfitted
        Rankers, AutoRankers with trials, Blends of unfitted Rankers, other tools' rankers with fit and
        predict (LGBMRanker, XGBRanker, CatBoostRanker, …), functions that return scores of the test
        rows, from their features ``f(X)`` or from a training, a validation and a test Dataset, or a dictionary from display names to them.
    measures:
        The first one is used to choose between models.
    folder:
        Where to keep the results, as ``podium compare`` writes them; an interrupted comparison is
        resumed from there. None: a temporary folder.
    device:
        Where trees are grown and scored, as for ``podium.Ranker``.
    callbacks:
        Called with an ``Iteration`` after each training run: its number counts runs, of all systems, folds and seeds.
        ``return podium.stop`` ends the comparison. Systems that Python trains are trained before, without callbacks.
    report:
        Write the report, one self-contained HTML page, to this file.
    verbose:
        1: a bar of the training runs, or lines where there is no terminal. 0: nothing. None: a bar on terminals and in
        notebooks, after two seconds.
    **options:
        Those of ``podium compare``: folds, trials, train_queries, valid_queries, tune, search, seeds, baseline,
        test, correction, alpha, permutations, normalize, bins, bin_rule, without, convention. They hold for Podium's
        learners; other tools' rankers are trained as they are, on the same rows.

    Returns
    -------
    Comparison
        Means over the test queries by system and measure, and ``standing`` by the first measure: best, not-worse
        or worse. ``to_frame()`` makes a pandas DataFrame of it; ``results`` has everything: values per query,
        tests of all pairs, options, feature importance.
    """
    known = [name.replace("-", "_") for name in _podium.compare_options()]
    for name in options:
        if name not in known:
            raise TypeError(f"compare has no option {name!r}{_podium.suggestion(name, known)}")
    systems, watching = _named(learners), callable_list(callbacks)
    with tempfile.TemporaryDirectory(prefix="podium-") as temporary:
        path = _data_path(data, pathlib.Path(temporary))
        given = [("measures", as_text("measures", measures)), *given_as_text(options)]
        target = pathlib.Path(folder) if folder is not None else pathlib.Path(temporary) / "results"
        if report is not None:
            _podium.check_report(os.fspath(report), path)
        specs = _specs(systems, path, given, seed, threads, _scores_folder(target, folder is not None), verbose)
        with shown(progress_of(verbose, "compare")) as progress:
            outcome = _podium.compare(path, specs, given, os.fspath(target), seed, threads, device_name(device),
                                      joined_callbacks(watching, progress))
        if report is not None:
            _podium.write_report(os.fspath(target), os.fspath(report))
        results = json.loads((target / "results.json").read_text(encoding="utf-8"))
    for note in outcome["notes"]:
        warnings.warn(note, stacklevel=2)
    return Comparison(results)


def _data_path(data: Dataset | str | os.PathLike[str], folder: pathlib.Path) -> str:
    if not isinstance(data, Dataset):
        return os.fspath(data)
    if not data._labelled:
        raise ValueError("data: this Dataset has no labels: create it with y")
    path = folder / "data.podium"
    data.write(path)
    return os.fspath(path)


def _scores_folder(target: pathlib.Path, kept: bool) -> pathlib.Path:
    """Beside the results, so that a resumed comparison finds the scores of systems that are trained in Python."""
    return target.with_name(target.name + "-scores") if kept else target.parent / "scores"


def _named(learners: Sequence[System] | Mapping[str, System] | str) -> list[tuple[str, System]]:
    if isinstance(learners, str):
        learners = [learners]
    pairs = list(learners.items()) if isinstance(learners, Mapping) else [("", system) for system in learners]
    if not pairs:
        raise ValueError("learners: at least one is needed")
    out, counts = [], dict[str, int]()
    for name, system in pairs:
        if not isinstance(system, (str, Ranker)) and not is_outside(system):
            raise TypeError(f"learners: {system!r} is neither a learner's name, nor has it fit and predict, nor is it a function")
        if not isinstance(system, (str, Ranker)):
            check_function(name or outside_name(system), system)
        if not name and _trained_here(system):
            name = outside_name(system)
            counts[name] = counts.get(name, 0) + 1
            name += f" {counts[name]}" if counts[name] > 1 else ""
        out.append((name, system))
    return out


def _trained_here(system: System) -> bool:
    """Whether Python trains it: other tools' systems, and Podium's with a loss in Python."""
    if isinstance(system, (AutoRanker, Blend)):
        return False
    if isinstance(system, Ranker):
        loss = getattr(system, "loss", None)
        return loss is not None and not isinstance(loss, str)
    return not isinstance(system, str)


def _mark(system: System) -> str:
    """Differs where a ranker's parameters differ, so that scores of other ones are not taken for its own."""
    params = system.get_params() if hasattr(system, "get_params") else {}
    text = f"{type(system).__module__}.{outside_name(system)} {sorted(params.items(), key=lambda item: item[0])!r}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _specs(systems: Sequence[tuple[str, System]], data: str, given: list[tuple[str, str]], seed: int, threads: int,
           folder: pathlib.Path, verbose: int | None) -> str:
    folds = None
    specs = []
    for number, (name, system) in enumerate(systems):
        if isinstance(system, str):
            spec = system
        elif isinstance(system, (Ranker, AutoRanker, Blend)) and not _trained_here(system):
            spec = system.spec()
        else:
            path = folder / f"{number + 1}-{re.sub('[^A-Za-z0-9.]+', '-', name)}-{_mark(system)}.tsv"
            if not path.exists():
                folds = folds or _podium.ComparisonFolds(data, given, seed, threads)
                with shown(progress_of(verbose, name)) as progress:
                    write_scores(name, system, folds, path, progress)
            spec = f"scores:{path}"
        specs.append((f"{name}=" if name else "") + spec)
    return ",".join(specs)
