#!/usr/bin/env python3
"""Peak memory of training from an array that is in memory: benchmarks/array_memory.py [--rows 500000] [TOOL...], of podium, lightgbm, xgboost.

Each tool trains 5 trees with 31 leaves, in a process of its own, on the same random array of 136 features, as float32 and as float64. Memory is what the
process has at its peak above its own peak after a training on 200 rows (so without the interpreter and libraries), divided by the bytes of the array:
1 is the array alone, without any copy."""
import argparse
import json
import subprocess
import sys

FEATURES, TREES = 136, 5


def memory(key):
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key + ":"))


def made(rows, kind):
    """Rows with grades and ids of queries; in pieces, so that nothing else needs memory."""
    import numpy as np

    random = np.random.default_rng(1)
    X = np.empty((rows, FEATURES), kind)
    for begin in range(0, rows, 1000):
        X[begin:begin + 1000] = random.normal(size=(min(1000, rows - begin), FEATURES))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 1).astype(np.float32) + (X[:, 3] > 1)
    return X, y, np.arange(rows) // 100


def fit(tool, X, y, qid):
    if tool == "podium":
        import podium

        podium.LambdaMART(trees=TREES, leaves=31, threads=2).fit(X, y, qid=qid)
    elif tool == "lightgbm":
        import lightgbm
        import numpy as np

        lightgbm.LGBMRanker(n_estimators=TREES, num_leaves=31, n_jobs=2, verbose=-1).fit(X, y, group=np.bincount(qid))
    else:
        import xgboost

        xgboost.XGBRanker(n_estimators=TREES, max_leaves=31, max_depth=0, grow_policy="lossguide", tree_method="hist", n_jobs=2).fit(X, y, qid=qid)


def job(tool, rows, kind):
    fit(tool, *made(200, kind))
    before = memory("VmHWM")
    X, y, qid = made(rows, kind)
    fit(tool, X, y, qid)
    print("FOUND", json.dumps((memory("VmHWM") - before) / X.nbytes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools", nargs="*", default=["podium", "lightgbm", "xgboost"])
    parser.add_argument("--rows", type=int, default=500_000)
    arguments = parser.parse_args()
    print(f"{arguments.rows:,} rows x {FEATURES} features; peak memory in arrays\n\n| tool | float32 | float64 |\n|---|---|---|")
    for tool in arguments.tools:
        cells = []
        for kind in ("float32", "float64"):
            result = subprocess.run([sys.executable, __file__, "--job", tool, str(arguments.rows), kind], capture_output=True, text=True)
            if result.returncode:
                sys.exit(f"{tool}: {result.stderr[-3000:]}")
            cells.append(json.loads(result.stdout.partition("FOUND")[2]))
        print(f"| {tool} | {cells[0]:.2f} | {cells[1]:.2f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--job"]:
        job(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        main()
