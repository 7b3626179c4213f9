"""Training in processes of mpirun and torchrun, where these are installed; `make test-engines` installs and tests all engines."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import pytest

CHECKS = pathlib.Path(__file__).resolve().parent.parent / "engines"


def runs(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]
    return result.stdout


def models_are_the_same(found):
    lines = [line for line in found.splitlines() if " synthetic " in line]
    return len(lines) == 4 and all(" same " in line for line in lines)


def test_mpi():
    if importlib.util.find_spec("mpi4py") is None or shutil.which("mpirun") is None:
        pytest.skip("mpi4py or mpirun is missing: pip install mpi4py, apt-get install openmpi-bin")
    found = runs("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", 3, sys.executable, "-m", "mpi4py", CHECKS / "check_group.py", "mpi")
    assert models_are_the_same(found) and "no rows on a worker: trains" in found and "null qids: ValueError" in found


def test_torch():
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is missing: pip install torch, or make test-engines")
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
    assert models_are_the_same(runs(*launch, 2, CHECKS / "check_group.py", "torch"))
    runs(*launch, 2, CHECKS / "check_close.py", "script")
