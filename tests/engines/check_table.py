"""podium.dask, podium.ray and podium.spark on a cluster of this machine: check_table.py dask|ray|spark [DATA].

Four learners with 1, 2 and 3 workers give the bytes of one process, connected by the engine and, where torch is
installed, by torch; bad input is one error on the driver; a worker is killed in the middle of a training, which is then
resumed. Exits with 1 if anything differs."""

import contextlib
import importlib
import os
import sys
import tempfile
import time

import numpy as np
import podium
from podium.distributed import WorkerError
from shared import LEARNERS, WORKERS, Checks, OtherVersion, alone, deadly, digest, features, fresh, sets, synthetic

BOUND = 600  # seconds in which a driver has an error; on an idle machine it takes a few


@contextlib.contextmanager
def cluster(engine):
    """A function that makes a table of the engine; partitions cut through queries."""
    if engine == "dask":
        import dask
        import dask.dataframe as dd
        from distributed import Client, LocalCluster

        # Processes that import torch on a busy machine answer late.
        dask.config.set({"distributed.comm.timeouts.connect": "300s", "distributed.comm.timeouts.tcp": "300s"})
        with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as local, Client(local):
            yield lambda rows: dd.from_pandas(rows, npartitions=4)
    elif engine == "ray":
        import ray

        ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
        yield lambda rows: ray.data.from_pandas([rows.iloc[part] for part in np.array_split(np.arange(len(rows)), 4) if len(part)])
        ray.shutdown()
    else:
        import pyspark
        from pyspark.sql import SparkSession

        os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        spark = SparkSession.builder.master("local-cluster[3,1,1024]").config("spark.ui.enabled", "false").config(
            "spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "3").config(
            "spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "1").config(
            "spark.executorEnv.PYTHONPATH", os.path.dirname(os.path.abspath(__file__))).getOrCreate()
        yield lambda rows: spark.createDataFrame(rows)
        spark.stop()


def in_pandas(engine, table):
    return table.compute() if engine == "dask" else table.to_pandas() if engine == "ray" else table.toPandas()


def same_models(checks, train, make, files):
    for name, rows in sets(files).items():
        table = make(rows)
        for learner, ranker in LEARNERS.items():
            wanted = alone(ranker, rows)
            for backend in ("engine", "auto"):  # auto: torch, which is installed
                for workers in WORKERS if backend == "engine" else WORKERS[1:]:  # one worker is connected to nobody
                    began = time.monotonic()
                    found = digest(train(table, fresh(ranker), num_workers=workers, backend=backend))
                    checks.model(name, learner, {"engine": "engine", "auto": "torch"}[backend], workers, found, wanted, time.monotonic() - began)


def two_schemas(engine, rows, make):
    """A table whose second part has a feature of another name, as far as the engine lets that happen."""
    first, second = rows[:200], rows[200:].rename(columns={"f3": "price"})
    if engine == "dask":
        import dask
        import dask.dataframe as dd

        return dd.from_delayed([dask.delayed(first), dask.delayed(second)], meta=first, verify_meta=False)
    return make(first).union(make(second)) if engine == "ray" else make(first).unionByName(make(second), allowMissingColumns=False)


def refused(checks, train, make):
    def call(table, learner="lambdamart", **options):
        return lambda: train(table, learner, num_workers=2, backend="engine", timeout=BOUND, **({"trees": 2} | options))

    rows, engine = synthetic(), checks.engine
    at = np.arange(len(rows))
    checks.error("null qids", call(make(rows.assign(qid=np.where(at == 7, np.nan, rows.qid)))), "no id")
    checks.error("labels that are no numbers", call(make(rows.assign(label=np.where(at == 7, np.nan, rows.label)))), "y contains NaN")
    checks.error("a feature of text", call(make(rows.assign(f3="much")), features=features(rows)), "f3")
    checks.error("parts with other columns", lambda: call(two_schemas(engine, rows, make), features=features(rows))(), "f3")
    checks.error("other versions of Podium", call(make(rows), podium.Ranker("boosting", trees=2, loss=OtherVersion())), "has Podium 0.0.")
    checks.error("more workers than there are", lambda: train(make(rows), "lambdamart", num_workers=40, timeout=15, trees=2), "")


def accepted(checks, train, make):
    """Queries over all partitions, and fewer queries than workers."""
    ranker = podium.LambdaMART(trees=3, threads=1)
    rows = synthetic()
    mixed = rows.assign(at=rows.groupby("qid").cumcount()).sort_values(["at", "qid"]).drop(columns="at").reset_index(drop=True)
    for what, some in (("queries in several partitions", mixed), ("no rows on a worker", rows[rows.qid < 2].reset_index(drop=True))):
        began = time.monotonic()
        found = digest(train(make(some), ranker, num_workers=3, backend="engine"))
        checks.case(what, found == alone(ranker, some), "trains, same bytes", time.monotonic() - began)


def killed(checks, train, make, backend):
    table = make(synthetic())
    with tempfile.TemporaryDirectory() as folder:
        marker, checkpoint = os.path.join(folder, "killed"), os.path.join(folder, "checkpoint")

        def run():
            return train(table, deadly(marker), num_workers=3, backend=backend, checkpoint=checkpoint, checkpoint_seconds=1e-3,
                         timeout=BOUND / 2)

        began = time.monotonic()
        try:
            found = run()
            said = "the engine ran the tasks again, which resumed"
            fine = os.path.exists(marker)
        except WorkerError as error:
            said = f"{type(error).__name__}: {str(error)[:200]}"
            fine = sorted(os.listdir(folder)) == ["checkpoint", "killed"] and "train again to resume from" in said
            fine = fine and time.monotonic() - began < BOUND
            checks.case(f"a worker killed, {backend}", fine, said, time.monotonic() - began)
            began = time.monotonic()
            found = run()
            said = "same bytes"
        fine = fine and digest(found) == alone(deadly(None), synthetic()) and os.listdir(folder) == ["killed"]
        checks.case(f"resumed, {backend}", fine, said, time.monotonic() - began)


def main():
    engine = sys.argv[1]
    module = importlib.import_module(f"podium.{engine}")
    checks = Checks(engine)
    with cluster(engine) as make:
        rows = synthetic()
        ranker = module.train(make(rows), podium.LambdaMART(trees=3), num_workers=3)
        scored = in_pandas(engine, module.predict(make(rows), ranker))
        checks.case("predict", bool(np.array_equal(np.sort(scored.score), np.sort(ranker.predict(rows[features(rows)])))), "same scores")
        accepted(checks, module.train, make)
        refused(checks, module.train, make)
        for backend in ("engine", "torch"):
            killed(checks, module.train, make, backend)
        same_models(checks, module.train, make, sys.argv[2:])
        if engine == "spark":
            pipelines(checks, make)
    return 1 if checks.wrong else 0


def pipelines(checks, make):
    """Spark ML: fitted in a pipeline, stored, loaded."""
    from pyspark.ml import Pipeline, PipelineModel

    rows = synthetic()
    ranker = podium.LambdaMART(trees=3, threads=1)
    estimator = podium.spark.RankerEstimator(ranker, predictionCol="rank_score", num_workers=2, backend="engine")
    with tempfile.TemporaryDirectory() as folder:
        table = make(rows)
        pipeline = Pipeline(stages=[estimator])
        pipeline.write().overwrite().save(f"{folder}/pipeline")
        fitted = Pipeline.load(f"{folder}/pipeline").fit(table)
        checks.case("a stored pipeline", digest(fitted.stages[0].ranker) == alone(ranker, rows), "fits, same bytes")
        fitted.write().save(f"{folder}/model")
        loaded = PipelineModel.load(f"{folder}/model")
        scores = np.sort(loaded.transform(table).toPandas().rank_score)
        checks.case("a stored pipeline's model", bool(np.array_equal(scores, np.sort(fitted.stages[0].ranker.predict(rows[features(rows)])))),
                    "same scores")


if __name__ == "__main__":
    sys.exit(main())
