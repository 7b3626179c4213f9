"""Workers that meet at a server: here, threads that use it as tasks of Spark do."""

import numpy as np
import podium
import pytest
from podium.distributed import WorkerError, run_in_threads
from podium.distributed._meeting import meeting_of


def test_same_model_and_shared_errors(made):
    alone = podium.LambdaMART(trees=3, threads=1).fit(made.X, made.y, qid=made.qid).model_.to_json()

    def run(tasks, labels=made.y):
        mine = made.qid % tasks.size == tasks.rank
        with meeting_of(tasks, "127.0.0.1", 30) as workers:
            return podium.LambdaMART(trees=3, threads=1).fit(made.X[mine], labels[mine], qid=made.qid[mine],
                                                             workers=workers).model_.to_json()

    assert set(run_in_threads(3, run, timeout=60)) == {alone}

    def errors(tasks):
        with pytest.raises((ValueError, WorkerError), match="y contains NaN"):
            run(tasks, np.where(tasks.rank == 1, np.nan, made.y.astype(float)))
        tasks.all_gather(b"")

    run_in_threads(3, errors, timeout=60)


def test_a_silent_worker():
    def run(tasks):
        with meeting_of(tasks, "127.0.0.1", 0.3) as workers:
            if tasks.rank == 0:
                with pytest.raises(WorkerError, match="worker 1 of 2 has not answered for 0.3 s"):
                    workers.all_gather(b"x")
        tasks.all_gather(b"")

    run_in_threads(2, run, timeout=60)
