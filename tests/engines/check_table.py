"""podium.dask, podium.ray and podium.spark on a cluster of this machine: check_table.py dask|ray|spark.

Four learners with 1, 2 and 3 workers give the bytes of one process; bad input is one error on the driver; a worker is
killed in the middle of a training, which is then resumed. Exits with 1 if anything differs."""

import contextlib
import hashlib
import importlib
import os
import signal
import sys
import tempfile

import numpy as np
import pandas as pd
import podium
from podium.distributed import WorkerError

FEATURES = [f"f{number}" for number in range(6)]
LEARNERS = [podium.LambdaMART(trees=5, threads=1), podium.SVMMAP(C=0.1, threads=1), podium.LambdaRank(epochs=3, threads=1),
            podium.DirectRank(restarts=1, max_rounds=1, kicks=0, threads=1)]


def synthetic():
    random = np.random.default_rng(1)
    sizes = random.integers(4, 12, 60)
    X = random.normal(size=(int(sizes.sum()), len(FEATURES))).astype(np.float32)
    rows = pd.DataFrame(X, columns=FEATURES)
    rows["label"] = np.digitize(X[:, 0] + 0.5 * random.normal(size=len(X)), [0.5, 1.5])
    rows["qid"] = np.repeat(np.arange(60), sizes)
    return rows


@contextlib.contextmanager
def cluster(engine):
    """A function that makes a table of the engine; partitions cut through queries."""
    if engine == "dask":
        import dask.dataframe as dd
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as local, Client(local):
            yield lambda rows: dd.from_pandas(rows, npartitions=4)
    elif engine == "ray":
        import ray

        ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
        yield lambda rows: ray.data.from_pandas([rows.iloc[at:at + 150] for at in range(0, len(rows), 150)])
        ray.shutdown()
    else:
        import pyspark
        from pyspark.sql import SparkSession

        os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        spark = SparkSession.builder.master("local-cluster[3,1,1024]").config("spark.ui.enabled", "false").config(
            "spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "3").getOrCreate()
        yield lambda rows: spark.createDataFrame(rows)
        spark.stop()


def digest(ranker):
    return hashlib.sha256(ranker.model_.to_json().encode()).hexdigest()[:16]


def alone(learner, rows):
    return type(learner)(**learner.get_params()).fit(rows[FEATURES], rows.label, qid=rows.qid)


class Deadly:
    """A loss, the squared error, that kills its process once, in its 200th call."""

    __name__ = "deadly"

    def __init__(self, marker):
        self.marker = marker
        self.calls = 0

    def __call__(self, scores, labels):
        self.calls += 1
        if self.calls == 200 and self.marker:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
        away = scores - labels
        return float((away**2).sum() / 2), away, np.ones_like(away)


def main():
    engine = sys.argv[1]
    module = importlib.import_module(f"podium.{engine}")
    rows = synthetic()
    wrong = []

    def check(what, fine):
        print(engine, what, "same" if fine is True else fine, flush=True)
        if not fine:
            wrong.append(what)

    with cluster(engine) as make:
        table = make(rows)
        for learner in LEARNERS:
            for workers in (1, 2, 3):
                ranker = module.train(table, learner, num_workers=workers, backend="engine")
                check(f"{type(learner).__name__} {workers} {digest(ranker)}", digest(ranker) == digest(alone(learner, rows)))
        scored = module.predict(table, ranker)
        scored = scored.compute() if engine == "dask" else scored.to_pandas() if engine == "ray" else scored.toPandas()
        check("predict", bool(np.array_equal(np.sort(scored.score), np.sort(ranker.predict(rows[FEATURES])))))
        for what, bad, message in (("no qid", rows.assign(qid=np.where(rows.index == 7, None, rows.qid)), "no id"),
                                   ("no label", rows.assign(label=np.where(rows.index == 7, np.nan, rows.label)), "y contains NaN")):
            try:
                module.train(make(bad), "lambdamart", trees=2, num_workers=2, backend="engine")
                check(what, False)
            except (ValueError, WorkerError) as error:
                check(f"{what}: {error}", message in str(error))
        with tempfile.TemporaryDirectory() as folder:
            marker, checkpoint = os.path.join(folder, "killed"), os.path.join(folder, "checkpoint")

            def train():
                ranker = podium.Ranker("boosting", trees=30, leaves=4, loss=Deadly(marker), threads=1)
                return module.train(table, ranker, num_workers=3, backend="engine", checkpoint=checkpoint, checkpoint_seconds=1e-3,
                                    timeout=60)

            try:
                found = train()
            except WorkerError as error:
                check(f"killed: {str(error)[:150]}", os.path.exists(marker))
                found = train()
            check("killed and resumed", os.path.exists(marker)
                  and digest(found) == digest(podium.Ranker("boosting", trees=30, leaves=4, loss=Deadly(None), threads=1).fit(
                      rows[FEATURES], rows.label, qid=rows.qid)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
