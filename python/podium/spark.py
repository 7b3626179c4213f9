"""Training and scoring with Spark (3.5 or later).

>>> ranker = podium.spark.train(df, podium.LambdaMART(trees=300), label="grade", qid="query", num_workers=4)
>>> scored = podium.spark.predict(df, ranker)

Rows are moved so that every task of a barrier stage has whole queries, and the tasks train together; the model is that
of one process with all rows. The driver sees no rows, only how many each query has. ``RankerEstimator`` and
``RankerModel`` do the same in pipelines of Spark ML.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium._ranker import Ranker
from podium.distributed._job import (
    check_arguments,
    first_ranker,
    fit_part,
    has_torch,
    listen,
    ranker_of,
    require_scorable,
    result_of,
    torch_group,
    with_scores,
)
from podium.distributed._meeting import meeting_of
from podium.distributed._queries import Roles, assign, roles_of, table_over
from podium.distributed._spark import SparkWorkers
from podium.distributed._workers import TIMEOUT, WorkerError, failures_reported

if TYPE_CHECKING:
    from podium.distributed._spark_ml import RankerEstimator, RankerModel

__all__ = ["RankerEstimator", "RankerModel", "predict", "train"]

# Columns of the table that tasks get; features follow.
SET, QID, LABEL, WEIGHT, PLACE, TASK = "_set", "_qid", "_label", "_weight", "_place", "_task"
BROADCAST = 1_000_000  # queries whose tasks every executor may hold


def __getattr__(name: str) -> Any:
    if name in ("RankerEstimator", "RankerModel"):
        from podium.distributed import _spark_ml

        return getattr(_spark_ml, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def train(table: Any, learner: Any = "lambdamart", *, label: str = "label", qid: str = "qid", features: Any = None,
          weight: str | None = None, valid: Any = None, num_workers: int | None = None, checkpoint: str | None = None,
          checkpoint_seconds: float = 300.0, timeout: float = TIMEOUT, backend: str = "auto", **options: Any) -> Ranker:
    """Trains on a Spark DataFrame, in the tasks of a barrier stage.

    Parameters
    ----------
    table:
        A Spark DataFrame: one row per document. It is read twice, so cache it if it is expensive to compute.
    learner:
        A ranker such as ``podium.LambdaMART(trees=300)``, or a name with its options as further keywords.
    label, qid, weight:
        Names of columns.
    features:
        Names of columns; None: every column of numbers that has no other role.
    valid:
        Validation data, a Spark DataFrame with the same columns.
    num_workers:
        How many tasks train; Spark needs as many free slots at the same time. None: all slots there are.
    checkpoint, checkpoint_seconds:
        As of ``fit``; the file must be on storage that all executors share. If an executor is lost, calling
        ``train`` again resumes from there, with the same result.
    timeout:
        Seconds to wait for a task.
    backend:
        What connects the tasks: "torch" (Gloo), "engine" (a server of Python's multiprocessing on the first), or "auto": torch
        where all executors have it. Spark's barriers only introduce them to each other: each takes a second.
    """
    check_arguments(num_workers, timeout, backend)
    ranker = ranker_of(learner, options)
    spark = table.sparkSession
    threads = int(spark.conf.get("spark.task.cpus", "1"))
    size = num_workers or max(1, spark.sparkContext.defaultParallelism // threads)
    roles = roles_of(table.columns, _numeric(table), label, qid, features, weight)
    _require_numbers(table, roles)
    rows = _selected(table, roles, 0)
    if valid is not None:
        roles_of(valid.columns, [], label, qid, roles.features, weight)
        _require_numbers(valid, roles)
        rows = rows.unionByName(_selected(valid, roles, 1))
    shared, counts = _by_task(rows, roles, size)
    work = _Work(ranker, roles, counts, threads, checkpoint, checkpoint_seconds, timeout, backend, valid is not None)
    try:
        results = shared.mapInArrow(work, "result binary", barrier=True).collect()
    except Exception as error:  # of the JVM: a lost executor, too few slots, …
        advice = f"; train again to resume from {checkpoint}" if checkpoint else ""
        raise WorkerError(f"Spark could not run the tasks{advice}: {_reason(error)}") from error
    return first_ranker([pickle.loads(row["result"]) for row in results])


def _numeric(table: Any) -> list[str]:
    from pyspark.sql.types import BooleanType, NumericType

    return [field.name for field in table.schema.fields if isinstance(field.dataType, (NumericType, BooleanType))]


def _require_numbers(table: Any, roles: Roles) -> None:
    numeric = set(_numeric(table))
    for name in roles.features:
        if name not in numeric:
            raise ValueError(f"{name}: columns must be numbers, not {table.schema[name].dataType.simpleString()}")


def _selected(table: Any, roles: Roles, number: int) -> Any:
    """The columns that are needed under names of our own, and the place of each row."""
    from pyspark.sql import functions as f

    def column(name: str) -> Any:
        return f.col("`" + name.replace("`", "``") + "`")

    weight = [] if roles.weight is None else [column(roles.weight).cast("float").alias(WEIGHT)]
    return table.select(f.lit(number).alias(SET), column(roles.qid).alias(QID), column(roles.label).cast("float").alias(LABEL),
                        *weight, f.monotonically_increasing_id().alias(PLACE),
                        *(column(name).cast("float").alias(f"_{at}") for at, name in enumerate(roles.features)))


def _by_task(rows: Any, roles: Roles, size: int) -> tuple[Any, npt.NDArray[np.int64]]:
    """The rows where they are trained on, by query and place; and how many rows of each set each task has."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import IntegerType, StructField, StructType

    spark = rows.sparkSession
    found = rows.groupBy(SET, QID).count().toPandas()
    missing = int(found["count"][found[QID].isna()].sum())
    if missing:
        raise ValueError(f"{roles.qid}: {missing} row{'s have' if missing > 1 else ' has'} no id")
    sizes = found["count"].to_numpy().astype(np.int64)
    task = assign(found[QID].to_numpy(), sizes, size)
    counts = np.zeros((size, 2), np.int64)
    np.add.at(counts, (task, found[SET].to_numpy()), sizes)
    keys = np.array(_partition_keys(spark, size), np.int32)
    schema = StructType([StructField(SET, IntegerType()), StructField(QID, rows.schema[QID].dataType),
                         StructField(TASK, IntegerType())])
    tasks = spark.createDataFrame(found[[SET, QID]].assign(**{TASK: keys[task]}), schema)
    joined = rows.join(f.broadcast(tasks) if len(found) < BROADCAST else tasks, [SET, QID])
    return joined.repartition(size, TASK).sortWithinPartitions(SET, QID, PLACE), counts


def _partition_keys(spark: Any, size: int) -> list[int]:
    """For each partition an integer that Spark's hash partitioning puts there."""
    keys: dict[int, int] = {}
    count = 64 * size
    while len(keys) < size:
        for row in spark.range(count).selectExpr("int(id) AS key", f"pmod(hash(int(id)), {size}) AS partition").collect():
            keys.setdefault(row["partition"], row["key"])
        count *= 4
    return [keys[partition] for partition in range(size)]


class _Work:
    """What a task does with its rows."""

    def __init__(self, ranker: Ranker, roles: Roles, counts: npt.NDArray[np.int64], threads: int, checkpoint: str | None,
                 checkpoint_seconds: float, timeout: float, backend: str, has_valid: bool) -> None:
        self._ranker = ranker
        self._roles = roles
        self._counts = counts
        self._fit = (threads, checkpoint, checkpoint_seconds)
        self._timeout = timeout
        self._backend = backend
        self._has_valid = has_valid

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import cloudpickle  # functions of the user's script, too

        workers = SparkWorkers()
        result = result_of(workers.rank, lambda: self._train(workers, batches))
        yield pyarrow.RecordBatch.from_pydict({"result": [cloudpickle.dumps(result)]})

    def _train(self, tasks: SparkWorkers, batches: Iterator[Any]) -> Ranker:
        with failures_reported(tasks):
            train, valid = self._parts(tasks.rank, batches)
        with self._connected(tasks) as workers:
            return fit_part(self._ranker, workers, train, valid if self._has_valid else None, *self._fit)

    @contextmanager
    def _connected(self, tasks: SparkWorkers) -> Iterator[Any]:
        """The workers that train. Spark's barrier takes a second each time, so it only introduces them to each other."""
        if tasks.size == 1:
            yield tasks
            return
        listens = tasks.rank == 0 and self._backend != "engine" and has_torch()
        offers = tasks.all_gather(pickle.dumps((listen(timeout=self._timeout) if listens else None, has_torch())))
        known = [pickle.loads(offer) for offer in offers]
        by_torch = self._backend == "torch" or self._backend == "auto" and all(torch for _, torch in known)
        try:
            with torch_group(known[0][0], tasks.rank, tasks.size, self._timeout) if by_torch else \
                    meeting_of(tasks, tasks.host, self._timeout) as workers:
                yield workers
        finally:
            tasks.barrier()  # the first task may end when all have had their answers

    def _parts(self, rank: int, batches: Iterator[Any]) -> list[dict[str, Any]]:
        """The arguments of fit for both sets. Rows come by set and query, so they are put where they end."""
        width, rows = len(self._roles.features), int(self._counts[rank].sum())
        X, y = np.empty((rows, width), np.float32), np.empty(rows, np.float32)
        weight = None if self._roles.weight is None else np.empty(rows, np.float32)
        ids: list[Any] = []
        at = 0
        for batch in batches:
            end = at + batch.num_rows
            if end > rows:
                break
            columns = dict(zip(batch.schema.names, batch.columns))
            y[at:end] = _numbers(columns[LABEL])
            if weight is not None:
                weight[at:end] = _numbers(columns[WEIGHT])
            for feature in range(width):
                X[at:end, feature] = _numbers(columns[f"_{feature}"])
            ids.append(columns[QID].to_pandas().to_numpy())
            at = end
        if at != rows:
            raise ValueError("the table changed between two passes: cache it first")
        qid = np.concatenate(ids) if ids else np.empty(0, np.int64)
        cut = int(self._counts[rank, 0])
        return [{"X": None} if part.start == part.stop else
                {"X": table_over(X[part], self._roles.features), "y": y[part], "qid": qid[part],
                 "sample_weight": None if weight is None else weight[part]} for part in (slice(0, cut), slice(cut, rows))]


def _numbers(column: Any) -> npt.NDArray[np.float32]:
    return column.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    found = next((line for line in lines if "SparkException" in line or "barrier" in line), lines[0] if lines else type(error).__name__)
    return found.lstrip(": ")


def predict(table: Any, ranker: Ranker, *, qid: str | None = None, output: str = "score") -> Any:
    """The DataFrame with a column of scores, computed where the rows are; the model is broadcast.

    qid is needed only by models that scale features within each query; rows are then grouped by query.
    """
    from pyspark.sql import functions as f

    names = list(getattr(ranker, "feature_names_in_", []))
    together_needed = require_scorable(ranker, qid)
    roles_of(table.columns, [], names[0], names[0], names[1:], None)
    model = table.sparkSession.sparkContext.broadcast(ranker)
    if together_needed:
        return table.groupBy(qid).applyInPandas(lambda block: with_scores(block, model.value, qid, output),
                                                table.withColumn(output, f.lit(0.0)).schema)

    def score(blocks: Iterator[Any]) -> Iterator[Any]:
        for block in blocks:
            block.columns = names
            yield with_scores(block, model.value, None, output)[output]

    import pandas

    score.__annotations__ = {"blocks": Iterator[pandas.DataFrame], "return": Iterator[pandas.Series]}
    columns = [f.col("`" + name.replace("`", "``") + "`").cast("float").alias(f"_{at}") for at, name in enumerate(names)]
    return table.withColumn(output, f.pandas_udf(score, "double")(f.struct(*columns)))
