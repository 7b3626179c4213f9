"""What Ranker.predict adds to the library's own scoring: at most 5 %.

usage: python/benchmarks/predict.py [--rows N] [--features D] [--threads T]
Both score the same numbers in turn, many times; the ratio is that of the shortest processor times, which
other work on the machine disturbs least. The library's time is taken inside it."""
import argparse
import sys
import time

import numpy as np
import podium

LIMIT = 1.05


def seconds(call):
    began = time.process_time()
    call()
    return time.process_time() - began


def ratio(ranker, X, rounds):
    native = ranker.model_._native
    data = podium.Dataset(X, group=[len(X)])
    assert np.shares_memory(data.X, X)  # both read the same memory
    assert np.array_equal(ranker.predict(X), native.score(data._native, ranker.threads))
    library, python = [], []
    for _ in range(rounds):
        library.append(native.seconds_to_score(data._native, ranker.threads))
        python.append(seconds(lambda: ranker.predict(X)))
    return min(library), min(python)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=136)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    random = np.random.default_rng(1)
    X = random.normal(size=(arguments.rows, arguments.features)).astype(np.float32)
    few = X[:5000]
    y = np.digitize(few[:, :5].sum(axis=1), [0, 2, 4])
    rankers = [(podium.LambdaMART(trees=500, threads=arguments.threads), 9),
               (podium.Linear(threads=arguments.threads), 400),
               (podium.MLP(epochs=1, threads=arguments.threads), 25)]
    worst = 0.0
    for ranker, rounds in rankers:
        ranker.fit(few, y, group=[50] * 100)
        library, python = ratio(ranker, X, rounds)
        worst = max(worst, python / library)
        print(f"{type(ranker).__name__}\t{arguments.rows} rows\tlibrary {library:.4f} s\tpredict {python:.4f} s\t"
              f"ratio {python / library:.3f}", flush=True)
    print(f"worst ratio {worst:.3f}, limit {LIMIT}")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
