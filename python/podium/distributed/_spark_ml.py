"""Podium in pipelines of Spark ML, which can be stored: as text, so that loading runs no code."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter

import podium
from podium._ranker import Ranker
from podium.distributed._job import ranker_of
from podium.spark import predict, train


class _Columns(HasLabelCol, HasPredictionCol):
    qidCol: Any = Param(Params._dummy(), "qidCol", "name of the column of query ids", typeConverter=TypeConverters.toString)  # noqa: N815

    def getQidCol(self) -> str:  # noqa: N802
        return str(self.getOrDefault(self.qidCol))


class RankerEstimator(Estimator, _Columns, MLReadable, MLWritable):
    """Fits a ranker to a DataFrame.

    Parameters
    ----------
    ranker:
        What to train, as ``podium.LambdaMART(trees=300)``.
    labelCol, qidCol, predictionCol:
        Names of columns.
    **options:
        Further arguments of ``podium.spark.train``: features, weight, num_workers, checkpoint, …
    """

    def __init__(self, ranker: Any = "lambdamart", *, labelCol: str = "label", qidCol: str = "qid",  # noqa: N803
                 predictionCol: str = "prediction", **options: Any) -> None:  # noqa: N803
        super().__init__()
        self._ranker = ranker
        self._options = options
        self._set(labelCol=labelCol, qidCol=qidCol, predictionCol=predictionCol)

    def write(self) -> MLWriter:
        """Parameters that are Python code, such as a loss of one's own, cannot be stored."""
        about = {"ranker": _described(ranker_of(self._ranker, {})), "options": _storable("RankerEstimator", self._options)}
        return _Writer(self, about)

    @classmethod
    def read(cls) -> MLReader:
        return _Reader(lambda about, _: cls(_constructed(about["ranker"]), **about["options"]))

    def _fit(self, dataset: Any) -> RankerModel:
        ranker = train(dataset, self._ranker, label=self.getLabelCol(), qid=self.getQidCol(), **self._options)
        return RankerModel(ranker, qidCol=self.getQidCol(), predictionCol=self.getPredictionCol())


class RankerModel(Model, _Columns, MLReadable, MLWritable):
    """Adds a column of scores to a DataFrame; ``ranker`` is the fitted ranker, which can be saved."""

    def __init__(self, ranker: Ranker, *, qidCol: str = "qid", predictionCol: str = "prediction") -> None:  # noqa: N803
        super().__init__()
        self.ranker = ranker
        self._set(qidCol=qidCol, predictionCol=predictionCol)

    def write(self) -> MLWriter:
        names = [str(name) for name in self.ranker.feature_names_in_]
        return _Writer(self, {"ranker": _described(self.ranker), "features": names}, self.ranker.model_.to_json())

    @classmethod
    def read(cls) -> MLReader:
        def made(about: dict[str, Any], model: str) -> RankerModel:
            ranker = _constructed(about["ranker"])
            ranker.model_ = podium.Model.from_json(model)
            ranker.n_features_in_, ranker._names = len(about["features"]), about["features"]
            ranker.feature_names_in_ = np.array(about["features"], dtype=object)
            return cls(ranker)

        return _Reader(made)

    def _transform(self, dataset: Any) -> Any:
        needs = self.ranker.model_._native.needs_queries
        return predict(dataset, self.ranker, qid=self.getQidCol() if needs else None, output=self.getPredictionCol())


def _storable(owner: str, values: dict[str, Any]) -> dict[str, Any]:
    for name, value in values.items():
        try:
            json.dumps(value)
        except TypeError:
            raise ValueError(f"{owner}: {name}={value!r} cannot be stored: it is no number, text, list or dictionary") from None
    return values


def _described(ranker: Ranker) -> dict[str, Any]:
    name = next(one.__name__ for one in type(ranker).__mro__ if getattr(podium, one.__name__, None) is one)
    return {"class": name, "parameters": _storable(name, ranker.get_params(deep=False))}


def _constructed(about: dict[str, Any]) -> Ranker:
    kind = getattr(podium, about["class"], None)
    if not (isinstance(kind, type) and issubclass(kind, Ranker)):
        raise ValueError(f"this Podium has no ranker {about['class']!r}")
    made: Ranker = kind(**about["parameters"])
    return made


class _Writer(MLWriter):
    """Stores facts beside Spark's metadata, and the model's JSON in a folder next to it."""

    def __init__(self, stage: Any, about: dict[str, Any], model: str | None = None) -> None:
        super().__init__()
        self._stage = stage
        self._about = about
        self._model = model

    def saveImpl(self, path: str) -> None:  # noqa: N802
        context = self.sparkSession.sparkContext
        DefaultParamsWriter.saveMetadata(self._stage, path, context, extraMetadata={"podium": self._about})
        if self._model is not None:
            context.parallelize([self._model], 1).saveAsTextFile(f"{path}/model")


class _Reader(MLReader):
    def __init__(self, make: Callable[[dict[str, Any], str], Any]) -> None:
        super().__init__()
        self._make = make

    def load(self, path: str) -> Any:
        context = self.sparkSession.sparkContext
        metadata = DefaultParamsReader.loadMetadata(path, context)
        about = metadata["podium"]
        stage = self._make(about, "\n".join(context.textFile(f"{path}/model", 1).collect()) if "features" in about else "")
        stage._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(stage, metadata)
        return stage


for _kind in (RankerEstimator, RankerModel):
    _kind.__module__ = "podium.spark"  # as stored pipelines name them
