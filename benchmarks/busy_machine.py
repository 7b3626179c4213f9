#!/usr/bin/env python3
"""Training on a machine that is busy with something else: benchmarks/busy_machine.py PODIUM OUT [--queries 1000] [--trees 30]

Podium and, where it is installed, LightGBM train LambdaMART with a thread per processor, first alone and then with another process spinning on every processor.
Half of the machine is left, so a slow-down of 2 is fair; threads that spin while they wait for each other take longer, because the one that they wait for has lost its
processor. OUT is a folder for data and for busy_machine.json. Quiet and busy runs alternate, and the medians are compared."""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from many_cores import LEAVES, Bench, arrays

REPEATS = 3
SPINNING = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"  # ends with this program, however that ends


@contextlib.contextmanager
def spinning():
    """One process per processor, all of which end with the block."""
    processes = [subprocess.Popen([sys.executable, "-c", SPINNING]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def podium_fit(bench, data, trees):
    threads = len(os.sched_getaffinity(0))
    return lambda: bench.fit(threads, "lambdamart", "--data", data, "--trees", trees, "--leaves", LEAVES)[0]


def lightgbm_fit(bench, queries, trees):
    import lightgbm as lgb
    x, y, groups = arrays(bench.data("busy", queries, 1, ".txt"))
    options = {"objective": "lambdarank", "num_leaves": LEAVES, "learning_rate": 0.1, "max_bin": 255, "min_data_in_leaf": 20, "verbose": -1,
               "num_threads": len(os.sched_getaffinity(0)), "force_col_wise": True}
    data = lgb.Dataset(x, y, group=groups, params=options, free_raw_data=False)
    data.construct()

    def fit():
        began = time.perf_counter()
        lgb.train(options, data, trees)
        return time.perf_counter() - began
    return fit


def slow_down(bench, tool, fit):
    quiet, busy = [], []
    for _ in range(REPEATS):
        quiet.append(fit())
        with spinning():
            busy.append(fit())
    bench.row(tool=tool, processors=len(os.sched_getaffinity(0)), quiet=quiet, busy=busy, slow_down=statistics.median(busy) / statistics.median(quiet))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--trees", type=int, default=30)
    given = parser.parse_args()
    bench = Bench(given.podium, given.out)
    slow_down(bench, "podium", podium_fit(bench, bench.data("busy", given.queries, 1), given.trees))
    try:
        slow_down(bench, "LightGBM", lightgbm_fit(bench, given.queries, given.trees))
    except ImportError as missing:
        print(f"LightGBM: {missing}")
    (bench.out / "busy_machine.json").write_text(json.dumps(bench.rows, indent=1))


if __name__ == "__main__":
    main()
