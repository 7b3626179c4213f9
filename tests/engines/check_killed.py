"""A worker killed under torchrun and mpirun: check_killed.py torch|mpi LAUNCHER... is the driver, and ends with "FOLDER" in a worker.

The launcher ends with an error, nothing but the checkpoint is left, and the same command resumes: the same bytes as in
one process."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from podium.distributed import MPIWorkers, TorchWorkers
from shared import Checks, alone, deadly, digest, features, synthetic

BOUND = 600  # seconds; on an idle machine it takes a few


def work(kind, folder):
    with (TorchWorkers if kind == "torch" else MPIWorkers)(timeout=BOUND / 2) as workers:
        rows = synthetic()
        mine = rows[rows.qid % workers.size == workers.rank]
        ranker = deadly(f"{folder}/killed" if workers.rank == 1 else None).fit(
            mine[features(mine)], mine.label, qid=mine.qid, workers=workers, checkpoint=f"{folder}/checkpoint", checkpoint_seconds=1e-3)
        if workers.rank == 0:
            pathlib.Path(folder, "model").write_text(digest(ranker))


def main(kind, launcher):
    checks = Checks(kind)
    with tempfile.TemporaryDirectory() as folder:
        command = [*launcher, __file__, "worker", kind, folder]
        began = time.monotonic()
        lost = subprocess.run(command, capture_output=True, text=True, timeout=2 * BOUND)
        took = time.monotonic() - began
        errors = [line.strip() for line in lost.stderr.splitlines() if "WorkerError:" in line or "signal 9" in line.lower() or "SIGKILL" in line]
        said = next((line for line in errors if "WorkerError" in line), errors[0] if errors else "no error")
        checks.case("a worker killed", lost.returncode != 0 and sorted(os.listdir(folder)) == ["checkpoint", "killed"] and errors and took < BOUND, said, took)
        began = time.monotonic()
        resumed = subprocess.run(command, capture_output=True, text=True, timeout=2 * BOUND)
        same = resumed.returncode == 0 and sorted(os.listdir(folder)) == ["killed", "model"] and \
            pathlib.Path(folder, "model").read_text() == alone(deadly(None), synthetic())
        checks.case("resumed", same, "same bytes" if same else resumed.stderr[-2000:], time.monotonic() - began)
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        work(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
