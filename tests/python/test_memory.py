"""Training from an array does not copy it: LightGBM and XGBoost need more than twice its memory."""

import subprocess
import sys

import pytest

CODE = """
import numpy as np
import podium

def peak():
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))

def fit(rows):
    X = np.empty((rows, 136), np.float32)
    for begin in range(0, rows, 1000):
        X[begin:begin + 1000] = random.normal(size=(min(1000, rows - begin), 136))
    given = TABLE(X) if TABLE else X
    podium.LambdaMART(trees=2, leaves=31, threads=1).fit(given, X[:, 0] > 0, qid=np.arange(rows) // 50)
    return X.nbytes

random = np.random.default_rng(1)
TABLE = {table}
fit(200)
before = peak()
size = fit(200_000)
print((peak() - before) / size)
"""
TABLES = {"NumPy": "None", "pandas": "lambda X: __import__('pandas').DataFrame(X, copy=False)"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("kind", TABLES)
def test_arrays_are_not_copied(kind):
    if kind == "pandas":
        pytest.importorskip("pandas")
    code = CODE.replace("{table}", TABLES[kind])
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    assert 1 < float(result.stdout) < 1.9  # the array, a quarter of it for bins, some per row, and histograms
