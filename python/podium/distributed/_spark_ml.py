"""Podium in pipelines of Spark ML."""

from __future__ import annotations

from typing import Any

from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol

from podium._ranker import Ranker
from podium.spark import predict, train


class _Columns(HasLabelCol, HasPredictionCol):
    qidCol: Any = Param(Params._dummy(), "qidCol", "name of the column of query ids", typeConverter=TypeConverters.toString)  # noqa: N815

    def getQidCol(self) -> str:  # noqa: N802
        return str(self.getOrDefault(self.qidCol))


class RankerEstimator(Estimator, _Columns):
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

    def _fit(self, dataset: Any) -> RankerModel:
        ranker = train(dataset, self._ranker, label=self.getLabelCol(), qid=self.getQidCol(), **self._options)
        return RankerModel(ranker, qidCol=self.getQidCol(), predictionCol=self.getPredictionCol())


class RankerModel(Model, _Columns):
    """Adds a column of scores to a DataFrame; ``ranker`` is the fitted ranker, which can be saved."""

    def __init__(self, ranker: Ranker, *, qidCol: str = "qid", predictionCol: str = "prediction") -> None:  # noqa: N803
        super().__init__()
        self.ranker = ranker
        self._set(qidCol=qidCol, predictionCol=predictionCol)

    def _transform(self, dataset: Any) -> Any:
        needs = self.ranker.model_._native.needs_queries
        return predict(dataset, self.ranker, qid=self.getQidCol() if needs else None, output=self.getPredictionCol())
