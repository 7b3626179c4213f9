"""Trained models: files, scores, feature importance."""

from __future__ import annotations

import os
import pathlib
import tempfile
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium import _podium
from podium._columns import Columns, Features
from podium._dataset import Dataset, native_dataset, one_query
from podium._features import as_features
from podium._html import bars, html_table
from podium._options import device_name
from podium._queries import Queries, as_queries
from podium._text import counted
from podium._values import Weights

FEW_ROWS = 512  # that are scored faster in the calling thread


@dataclass(frozen=True)
class Explanation:
    """Scores broken down by feature: ``scores = base + contributions.sum(axis=1) + rest``."""

    features: list[str]
    scores: npt.NDArray[np.float64]
    base: npt.NDArray[np.float64]
    contributions: npt.NDArray[np.float64]  # rows × features
    rest: npt.NDArray[np.float64]  # rounding error
    method: str  # terms, shapley or integrated gradients

    def to_frame(self) -> Any:
        """A pandas DataFrame: the contributions, followed by ``base`` and ``score``."""
        import pandas

        frame = pandas.DataFrame(self.contributions, columns=self.features)
        return frame.assign(**{"(base)": self.base, "(score)": self.scores})


@dataclass(frozen=True)
class Export:
    """A model in another system's format."""

    format: str
    content: bytes
    shift: float  # a score of the file − that of the model
    notes: list[str]
    check: dict[str, Any] | None = None  # of ``verify``: largest_difference, changed_pairs, holds, …


class Model:
    """A trained model, as in ``Ranker.model_`` and in model files. Immutable; can be pickled."""

    def __init__(self, native: _podium.Model) -> None:
        self._native = native
        self._compiled: _podium.CompiledModel | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file (``.json``, ``.json.zst``) written by this package or by the program."""
        return cls(_podium.Model.load(os.fspath(path)))

    @classmethod
    def from_json(cls, json: str) -> Model:
        """The model of a text that ``to_json`` returned, or that was read from a model file."""
        return cls(_podium.Model.from_json(json))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file; ``.json.zst`` is compressed."""
        self._native.save(os.fspath(path))

    def to_json(self) -> str:
        """The text of a model file, as ``save`` writes it without compression."""
        return self._native.to_json()

    @property
    def learner(self) -> str:
        """The name of the learner that trained it, such as "lambdamart"."""
        return self._native.learner

    @property
    def kind(self) -> str:
        """linear, forest, mlp or blend."""
        return self._native.kind

    @property
    def needs_queries(self) -> bool:
        """Whether the score of a document depends on the other documents of its query."""
        return self._native.needs_queries

    @property
    def options(self) -> dict[str, Any]:
        """The options of the learner that trained it."""
        return dict(self._native.options)

    @property
    def loss(self) -> str:
        """The name of the loss that training minimised."""
        return self._native.loss

    @property
    def measure(self) -> str:
        """The measure that chose between models on validation data."""
        return self._native.measure

    @property
    def features(self) -> list[str]:
        """The names of the inputs, in order."""
        return list(self._native.features)

    @property
    def categories(self) -> dict[str, list[str]]:
        """The values of each input that is a category, by code."""
        return dict(self._native.categories)

    @property
    def training(self) -> dict[str, Any]:
        """What it was trained on: documents, queries, seed, best_iteration, validation, …"""
        return dict(self._native.training)

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Linear models: one weight per input."""
        return np.asarray(self._native.weights)

    @property
    def bias(self) -> float:
        """Linear models: the constant that is added to every score."""
        return self._native.bias

    @property
    def trees(self) -> int:
        """The number of trees; 0 for other kinds."""
        return self._native.trees

    @property
    def members(self) -> list[dict[str, Any]]:
        """Of a blend: dictionaries with the weight, the scale and the model of each member. A score is the sum of
        weight / scale × score of a member. Other models have none."""
        return [{**member, "model": Model(member["model"])} for member in _podium.members_of(self._native)]

    def importance(self, kind: str = "gain") -> dict[str, float]:
        """How much each input moves the scores, largest first. Kind: gain, or split (uses in trees)."""
        if kind not in ("gain", "split"):
            raise ValueError(f"kind: gain or split, not {kind!r}")
        values = self._native.importance() if kind == "gain" else self._native.split_counts()
        by_name = dict(zip(self.features, np.asarray(values).tolist(), strict=True))
        return dict(sorted(by_name.items(), key=lambda item: -item[1]))

    def predict(self, X: Any, *, qid: Any = None, group: Any = None, threads: int = 0, device: str = "cpu"
                ) -> npt.NDArray[np.float64]:
        """One score per row. Features with names are matched by name, others by position.

        X may be a Dataset, or anything a Dataset can be made from. qid or group are needed only by models that
        scale features within each query. ``device`` scores trees: as for ``podium.Ranker``; a few rows are always scored
        by the CPU.
        """
        device_name(device)
        if isinstance(X, Dataset):
            require_groups(self._native, X)
            return self._native.score(X._native, threads, device)
        if plain_matrix(X, self._native.inputs) and not self._native.needs_queries and not self._native.has_categories:
            return self._score_matrix(X, threads, device)
        return score_features(self._native, as_features(X, columns_of(self._native, X), threads), qid, group, threads,
                              device=device)

    def _score_matrix(self, X: Any, threads: int, device: str) -> npt.NDArray[np.float64]:
        """A matrix of the model's inputs; a few rows in this thread, by a form of the model that is made once."""
        if X.shape[0] > FEW_ROWS:
            return self._native.score_matrix(X, threads, device)
        if self._compiled is None:
            self._compiled = _podium.CompiledModel(self._native)
        return self._compiled.score_matrix(X)

    def leaves(self, X: Any, *, qid: Any = None, group: Any = None, threads: int = 0) -> npt.NDArray[np.uint32]:
        """Models with trees: the leaf of each row in every tree, one row per document."""
        data, queries = rows_to_score(self._native, X, qid, group, threads)
        return queries.as_given(np.asarray(self._native.leaves(data, threads)).reshape(data.documents, -1))

    def explain(self, X: Any, *, qid: Any = None, group: Any = None, threads: int = 0) -> Explanation:
        """Why each row has its score: one number per feature, which add up to the score.

        X as in ``predict``; qid or group are needed only by models that scale features within each query.
        """
        data, queries = rows_to_score(self._native, X, qid, group, threads)
        return explanation_of(self._native, data, queries, threads)

    def export(self, path: str | os.PathLike[str] | None, format: str | None = None, *, name: str = "podium",
               target: str | None = None, nonnegative: bool = False, missing_as_zero: bool = False, verify: Dataset | None = None,
               threads: int = 0) -> Export:
        """Writes the model in another system's format (``podium.export_formats()``).

        Parameters
        ----------
        path:
            The file; None: only return it.
        name:
            Model name, in formats that have one.
        target:
            Search engine and version that reads the file (``"opensearch:3.3"``, ``"elasticsearch:9"``, ``"solr:9"``),
            which decide what happens to missing values; the format is then optional.
        nonnegative:
            Shift scores so that none is below 0, as Lucene requires.
        missing_as_zero:
            Trees take missing values as 0, also where the format has none and would otherwise be refused.
        verify:
            A Dataset to score with an independent reader of the file; the result is in ``Export.check``.
        """
        if format is None:
            if target is None:
                raise TypeError("export needs a format or a target")
            format = _podium.format_of_target(target)
        exported = _podium.export_model(self._native, format, name, target or "", nonnegative, missing_as_zero)
        check = None
        if verify is not None:
            check = _podium.verify_export(self._native, exported, verify._native, threads)
        if path is not None:
            _write_whole(pathlib.Path(path), exported.content)
        return Export(exported.format, exported.content, exported.shift, list(exported.notes), check)

    def __getstate__(self) -> str:
        return self.to_json()

    def __setstate__(self, json: str) -> None:
        self._native = _podium.Model.from_json(json)
        self._compiled = None

    def __repr__(self) -> str:
        what = counted(self.trees, "tree") if self.kind == "forest" else self.kind
        return f"<podium.Model: {self.learner}, {what}, {counted(len(self.features), 'feature')}>"

    def _repr_html_(self) -> str:
        training = self.training
        rows = [("learner", self.learner), ("model", counted(self.trees, "tree") if self.kind == "forest" else self.kind),
                ("features", str(len(self.features))), ("trained on", f"{counted(training['queries'], 'query', 'queries')}, "
                                                                 f"{counted(training['documents'], 'document')}")]
        rows += [(f"valid {name}", f"{value:.4f}") for name, value in training["validation"].items()]
        shares = self.importance()
        total = sum(shares.values()) or 1.0
        best = [(name, value / total) for name, value in list(shares.items())[:10] if value > 0]
        return html_table(["model", ""], rows) + (bars(best) if best else "")


def plain_matrix(X: Any, columns: int) -> bool:
    """Whether X can be scored as it is, without looking at its values."""
    return (type(X) is np.ndarray and X.dtype == np.float32 and X.ndim == 2 and X.shape[1] == columns
            and X.shape[0] > 0 and X.flags.c_contiguous)


def explanation_of(model: _podium.Model, data: _podium.Dataset, queries: Queries, threads: int) -> Explanation:
    scores, bases, rests, contributions, method = _podium.explain(model, data, threads)
    by_row = np.asarray(contributions).reshape(data.documents, model.inputs)
    return Explanation(list(model.features), queries.as_given(np.asarray(scores)), queries.as_given(np.asarray(bases)),
                       queries.as_given(by_row), queries.as_given(np.asarray(rests)), method)


def rows_to_score(model: _podium.Model, X: Any, qid: Any, group: Any, threads: int,
                  names: list[str] | None = None) -> tuple[_podium.Dataset, Queries]:
    """Rows without labels, and the way back to the caller's order (of a Dataset: its own)."""
    if isinstance(X, Dataset):
        require_groups(model, X)
        return X._native, Queries(X._native.query_begin, [])
    features = X if isinstance(X, Features) else as_features(X, columns_of(model, X), threads)
    return _grouped(model, features, qid, group, names)


def columns_of(model: _podium.Model, X: Any) -> Columns:
    """How to read X for a model."""
    return Columns(features=tuple(model.features), categorical=categories_in(model, X, list(model.features)))


def categories_in(model: _podium.Model, X: Any, features: list[str]) -> tuple[str, ...]:
    """The columns of X that are categories to the model; ``features`` are X's. Matrices have numbers instead of names."""
    if not model.has_categories:
        return ()
    known = model.categories
    named = not hasattr(X, "shape") or hasattr(X, "columns") or hasattr(X, "__arrow_c_stream__")
    return tuple(name if named else str(number) for number, name in enumerate(features, 1) if name in known)


def require_groups(model: _podium.Model, data: Dataset) -> None:
    if model.needs_queries and not data._grouped:
        raise ValueError("qid is missing: this model scales or imputes features within each query")


def score_features(model: _podium.Model, features: Features, qid: Any, group: Any, threads: int,
                   names: list[str] | None = None, device: str = "cpu") -> npt.NDArray[np.float64]:
    data, queries = _grouped(model, features, qid, group, names)
    return queries.as_given(model.score(data, threads, device))


def _grouped(model: _podium.Model, features: Features, qid: Any, group: Any, names: list[str] | None
             ) -> tuple[_podium.Dataset, Queries]:
    if features.names is None and names is None:
        names = list(model.features)
        if features.count != len(names):
            raise ValueError(f"X has {counted(features.count, 'feature')}, but the model has {len(names)}")
    if qid is None and group is None:
        qid = features.columns.get("qid")
    if qid is None and group is None:
        if model.needs_queries:
            raise ValueError("qid is missing: this model scales or imputes features within each query")
        queries = one_query(features.rows)
    else:
        queries = as_queries(features.rows, qid, group)
    return native_dataset(features, None, queries, Weights(), names), queries


def load_model(path: str | os.PathLike[str]) -> Model:
    """Reads a model file written by this package or by the program."""
    return Model.load(path)


def import_model(path: str | os.PathLike[str], format: str, *, first_feature: int = 1,
                 target: str | None = None) -> Model:
    """Another tool's model as a Podium model.

    Parameters
    ----------
    format:
        lightgbm, xgboost (saved model or dump), catboost (JSON), ranklib, onnx (trees), solr or elasticsearch.
    first_feature:
        Number of the first column of models without names of features; 0 for one that the tool trained on LETOR text.
    target:
        elasticsearch: engine and version that scores the model (``"opensearch:3.3"``), for the treatment of missing
        values; None: the branch that the file names.
    """
    file = pathlib.Path(path)
    native, notes = _podium.import_model(file.read_bytes(), os.fspath(path), format, first_feature, target or "")
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return Model(native)


def export_formats() -> list[dict[str, str]]:
    """The formats that ``Model.export`` writes: name and summary."""
    return list(_podium.export_formats())


def _write_whole(path: pathlib.Path, content: bytes) -> None:
    """Under a temporary name first, so that nobody sees half a file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
