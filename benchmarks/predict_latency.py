"""Time of one predict() with few rows, by kind of input: the shortest and the median of many calls.

usage: benchmarks/predict_latency.py [--rows N] [--features D] [--trees T] [--check]
--check exits with 1 if the shortest is above the limits for 20 rows: 40 µs for an array, 300 µs for a DataFrame. On a busy
machine it is measured up to ten times before that; tests/python/test_latency.py runs it.
"""
import argparse
import statistics
import sys
import timeit

import numpy as np
import podium

ATTEMPTS = 10  # with --check
LIMITS = {"float32 array": 40, "float64 array": 40, "DataFrame": 300, "DataFrame, mixed types": 300}


def microseconds(call, seconds=1.0):
    """Of short batches, so that some of them are not interrupted on a busy machine."""
    call()
    once = min(timeit.repeat(call, number=1, repeat=50))
    number = max(int(0.0005 / once), 1)
    times = timeit.repeat(call, number=number, repeat=max(int(seconds / (number * once)), 5))
    return min(times) / number * 1e6, statistics.median(times) / number * 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--features", type=int, default=46)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    random = np.random.default_rng(1)
    X = random.normal(size=(5000, arguments.features)).astype(np.float32)
    y = np.digitize(X[:, :5].sum(axis=1), [0, 2, 4])
    few = np.ascontiguousarray(X[:arguments.rows])
    plain = podium.LambdaMART(trees=arguments.trees).fit(X, y, group=[50] * 100)
    calls = {"float32 array": lambda: plain.predict(few)}
    doubles = few.astype(np.float64)
    calls["float64 array"] = lambda: plain.predict(doubles)
    try:
        import pandas
    except ImportError:
        pandas = None
    if pandas is not None:
        names = [f"feature {number}" for number in range(arguments.features)]
        named = podium.LambdaMART(trees=arguments.trees).fit(pandas.DataFrame(X, columns=names), y, group=[50] * 100)
        frame = pandas.DataFrame(doubles, columns=names)
        calls["DataFrame"] = lambda: named.predict(frame)
        mixed = frame.astype({name: "int64" for name in names[::3]})
        calls["DataFrame, mixed types"] = lambda: named.predict(mixed)
    worst = 0.0
    for name, call in calls.items():
        shortest, median = microseconds(call)
        for _ in range(ATTEMPTS - 1 if arguments.check else 0):
            if shortest <= LIMITS[name]:
                break
            shortest, median = min((shortest, median), microseconds(call))
        worst = max(worst, shortest / LIMITS[name])
        print(f"{name}\t{arguments.rows} rows\tshortest {shortest:.1f} µs\tmedian {median:.1f} µs\tlimit {LIMITS[name]} µs", flush=True)
    return 1 if arguments.check and worst > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
