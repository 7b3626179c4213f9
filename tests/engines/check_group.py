"""The same bytes on several workers as in one process: run by torchrun or mpirun, as check_group.py torch|mpi [DATA].

Four learners on synthetic queries and, if DATA is a LETOR file, on these. Prints a line per learner; exits with 1 if
any model differs."""

import hashlib
import sys

import numpy as np
import podium
from podium.distributed import MPIWorkers, TorchWorkers, WorkerError

LEARNERS = [podium.LambdaMART(trees=10, threads=1), podium.SVMMAP(C=0.1, threads=1), podium.LambdaRank(epochs=5, threads=1),
            podium.DirectRank(restarts=2, max_rounds=3, kicks=0, threads=1)]


def synthetic():
    random = np.random.default_rng(1)
    sizes = random.integers(4, 12, 60)
    X = random.normal(size=(int(sizes.sum()), 6)).astype(np.float32)
    return X, np.digitize(X[:, 0] + 0.5 * random.normal(size=len(X)), [0.5, 1.5]), np.repeat(np.arange(60), sizes)


def digest(ranker):
    return hashlib.sha256(ranker.model_.to_json().encode()).hexdigest()[:16]


def main():
    workers = TorchWorkers(timeout=600) if sys.argv[1] == "torch" else MPIWorkers(timeout=600)
    sets = {"synthetic": synthetic()}
    if len(sys.argv) > 2:
        data = podium.read_letor(sys.argv[2])
        sets["letor"] = (data.X, data.y, np.array([int(qid) for qid in data.qid]))
    wrong = 0
    for name, (X, y, qid) in sets.items():
        mine = qid % workers.size == workers.rank
        for learner in LEARNERS:
            alone = digest(type(learner)(**learner.get_params()).fit(X, y, qid=qid)) if workers.rank == 0 else ""
            found = digest(learner.fit(X[mine], y[mine], qid=qid[mine], workers=workers))
            if workers.rank == 0:
                wrong += found != alone
                print(sys.argv[1], workers.size, name, type(learner).__name__, found, "same" if found == alone else alone, flush=True)
    if workers.size > 1:  # bad data on one worker is an error of all
        mine = qid % workers.size == workers.rank
        labels = np.where(workers.rank == 1, np.nan, y[mine].astype(float))
        try:
            podium.LambdaMART(trees=2, threads=1).fit(X[mine], labels, qid=qid[mine], workers=workers)
            wrong += 1
        except (ValueError, WorkerError) as error:
            wrong += "y contains NaN" not in str(error)
            if workers.rank == 0:
                print(sys.argv[1], workers.size, "error:", error, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.stdout.flush()
    code = main()
    if sys.argv[1] == "mpi":
        from mpi4py import MPI

        if code:
            MPI.COMM_WORLD.Abort(code)
    sys.exit(code)
