"""The same bytes on several workers as in one process: run by torchrun or mpirun, as check_group.py torch|mpi [DATA].

Four learners on synthetic queries and, if DATA is a LETOR file, on these; then data that workers must refuse, with the
same error on each. Prints a line per check; exits with 1 if any is wrong."""

import sys
import time

import numpy as np
import podium
from podium.distributed import MPIWorkers, TorchWorkers
from shared import LEARNERS, Checks, OtherVersion, alone, digest, features, fresh, sets, synthetic

TIMEOUT = 600


def same_models(checks, workers):
    for name, rows in sets(sys.argv[2:]).items():
        mine = rows[rows.qid % workers.size == workers.rank]
        for learner, ranker in LEARNERS.items():
            wanted = alone(ranker, rows) if workers.rank == 0 else ""
            workers.all_gather(b"")  # all begin together
            began = time.monotonic()
            found = digest(fresh(ranker).fit(mine[features(mine)], mine.label, qid=mine.qid, workers=workers))
            if workers.rank == 0:
                checks.model(name, learner, sys.argv[1], workers.size, found, wanted, time.monotonic() - began)


def bad_parts(rows, rank):
    """By name: what fit gets of a worker, and what its errors say."""
    mine = rows[rows.qid % 3 == rank]
    fit = {"X": mine[features(mine)], "y": mine.label, "qid": mine.qid}
    first = rank == 1  # the worker with the bad data
    yield "null qids", fit | ({"qid": np.where(np.arange(len(mine)) == 7, np.nan, mine.qid)} if first else {}), {}, "qid"
    yield "labels that are no numbers", fit | ({"y": np.where(np.arange(len(mine)) == 7, np.nan, mine.label)} if first else {}), {}, "y contains NaN"
    yield "a query on two workers", fit | ({"qid": mine.qid.replace(1, 0)} if first else {}), {}, "qid 0 is on worker 0 and on worker 1"
    yield "other names of features", fit | ({"X": mine[features(mine)].rename(columns={"f3": "price"})} if first else {}), {}, "'price' where worker 0 has 'f3'"
    yield "fewer features", fit | ({"X": mine[features(mine)[:5]]} if first else {}), {}, "worker 1 has 5 features, but worker 0 has 6"
    yield "other parameters", fit, {"leaves": 5} if first else {}, "leaves: worker 1 has 5"
    yield "other versions of Podium", fit, {"version": True}, "has Podium 0.0."


def refused(checks, rank):
    for what, fit, parameters, says in bad_parts(synthetic(), rank):
        workers = new_group()  # a group that failed cannot be used again
        if parameters.pop("version", False):
            OtherVersion().__reduce__()[0]()
        began = time.monotonic()
        try:
            podium.LambdaMART(trees=2, threads=1, **parameters).fit(**fit, workers=workers)
            said = "no error"
        except Exception as error:  # each worker's is compared
            said = f"{type(error).__name__}: {error}"
        everyone = [bytes(one).decode() for one in new_group().all_gather(said.encode())]
        if rank == 0:
            texts = [one.partition(": ")[2] for one in everyone]
            checks.case(what, all(says in one for one in texts), everyone[1], time.monotonic() - began)


def new_group():
    return TorchWorkers(timeout=TIMEOUT) if sys.argv[1] == "torch" else MPIWorkers(timeout=TIMEOUT)


def no_rows(checks, workers):
    rows = synthetic()
    rows = rows[rows.qid < 2] if workers.size == 3 else rows
    mine = rows[rows.qid % workers.size == workers.rank]
    X = mine[features(mine)] if len(mine) else None
    found = digest(podium.LambdaMART(trees=2, threads=1).fit(X, mine.label if len(mine) else None, qid=mine.qid if len(mine) else None, workers=workers))
    if workers.rank == 0:
        checks.case("no rows on a worker", found == alone(podium.LambdaMART(trees=2, threads=1), rows), "trains, same bytes")


def main():
    workers = new_group()
    checks = Checks(sys.argv[1])
    same_models(checks, workers)
    if workers.size == 3:
        no_rows(checks, workers)
        refused(checks, workers.rank)
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    code = main()
    if sys.argv[1] == "mpi" and code:
        from mpi4py import MPI

        MPI.COMM_WORLD.Abort(code)
    sys.exit(code)
