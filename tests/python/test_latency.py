"""A few rows are scored in microseconds: the limits of benchmarks/predict_latency.py, by the shortest of thousands of calls."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/predict_latency.py"


def test_twenty_rows(tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, "--check"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 4
