#!/usr/bin/env python3
"""How training, scoring, reading and evaluation scale with threads: benchmarks/many_cores.py PODIUM OUT [PART...]

PARTS: lambdamart, peers (LightGBM and XGBoost at the same, where they are installed), families, tools, large (10 million documents). OUT is a folder for data and for
many_cores.json, to which each part adds its rows. Every row is a training or a command at one number of threads; speed-ups are against the same work in one
thread of the same run, so run it on a machine that has nothing else to do. `ceiling` runs as many one-thread trainings at once as there are processors: what
they lose against one alone is lost to shared memory, caches and clocks, and no number of threads can win it back."""
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

QUERIES, TEST_QUERIES, LARGE_QUERIES = 5931, 1000, 83333
TREES, LEAVES = 500, 31
# Trees for fewer threads: enough to be timed, few enough to end.
TREES_AT = {1: 30, 2: 50, 4: 100, 8: 200, 16: TREES}
FAMILIES = {
    "svm-map": ["svm-map", "--C", "1"],
    "lambdarank, linear": ["lambdarank", "--epochs", "20"],
    "lambdarank, 64-32": ["lambdarank", "--hidden", "64,32", "--epochs", "6"],
    "directrank, 16 starts": ["directrank", "--starts", "", "--restarts", "16", "--max-rounds", "1"],
    "adarank": ["adarank", "--rounds", "50"],
    "rankboost": ["rankboost", "--rounds", "60"],
    "coordinate-ascent": ["coordinate-ascent", "--restarts", "1", "--tolerance", "0.1"],
}
ON_A_TENTH = {"directrank, 16 starts"}  # of the queries: one thread would take an hour
MEASURES = "nDCG@10,nDCG@5,nDCG@1,nDCG,AP,RR,P@10,P@5,R@10,ERR@10"


def run(*command):
    began = time.perf_counter()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return time.perf_counter() - began, done.stdout


class Bench:
    def __init__(self, podium, out):
        self.podium, self.out = podium, pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.rows = []

    def row(self, **values):
        self.rows.append(values)
        print(json.dumps(values), flush=True)

    def data(self, name, queries, seed, suffix=".podium"):
        path = self.out / f"{name}{suffix}"
        if not path.exists():
            run(self.podium, "synth", "--preset", "mslr", "--queries", queries, "--seed", seed, "--quiet", "-o", path)
        return path

    def fit(self, threads, *arguments):
        """Seconds of training without reading and binning, and those of binning."""
        said = run(self.podium, "train", *arguments, "--threads", threads, "--quiet", "--json")[1]
        phases = json.loads(said.strip().splitlines()[-1])["phases"]
        return phases["fit"], phases.get("bin", 0)


def parse_lines(task):
    path, begin, end = task
    with open(path, "rb") as file:
        file.seek(begin)
        text = file.read(end - begin).decode()
    lines = text.splitlines()
    numbers = np.fromstring("\n".join(line.partition("#")[0] for line in lines).replace("qid:", "0:").replace(":", " "), sep=" ")
    return numbers.reshape(len(lines), -1)[:, [0, 2, *range(4, len(numbers) // len(lines), 2)]].astype(np.float32)


def arrays(path):
    """Features, labels and the queries' lengths of a LETOR text whose lines name every feature."""
    size, parts = os.path.getsize(path), 4 * os.cpu_count()
    ends = [0]
    with open(path, "rb") as file:
        for part in range(1, parts):
            file.seek(part * size // parts)
            file.readline()
            ends.append(file.tell())
    ends.append(size)
    with multiprocessing.Pool() as pool:
        table = np.concatenate(pool.map(parse_lines, [(path, a, b) for a, b in zip(ends, ends[1:], strict=False) if a < b]))
    starts = np.concatenate([[0], np.flatnonzero(np.diff(table[:, 1])) + 1, [len(table)]])
    return np.ascontiguousarray(table[:, 2:]), table[:, 0].copy(), np.diff(starts)


def thread_numbers():
    return [t for t in (16, 8, 4, 2, 1) if t <= os.cpu_count()]


def ndcg(bench, scores):
    path = bench.out / "scores.txt"
    np.savetxt(path, scores, fmt="%.17g")
    said = run(bench.podium, "eval", "--data", bench.data("test", TEST_QUERIES, 2), "--scores", path, "--measures", "nDCG@10", "--json", "--quiet")[1]
    return json.loads(said)["results"][0]["measures"]["nDCG@10"]


def lambdamart(bench):
    data = bench.data("train", QUERIES, 1)
    for threads in thread_numbers():
        trees = TREES_AT[threads]
        model = bench.out / f"lambdamart{threads}.json"
        seconds, binning = bench.fit(threads, "lambdamart", "--data", data, "--trees", trees, "--leaves", LEAVES, "--model", model)
        bench.row(part="lambdamart", tool="podium", threads=threads, trees=trees, seconds=seconds, per_tree=seconds / trees, bin=binning)
    processes = [subprocess.Popen([str(w) for w in (bench.podium, "train", "lambdamart", "--data", data, "--trees", 10, "--leaves", LEAVES, "--threads", 1, "--quiet", "--json")],
                                  stdout=subprocess.PIPE, text=True) for _ in range(os.cpu_count())]
    fits = [json.loads(p.communicate()[0].strip().splitlines()[-1])["phases"]["fit"] for p in processes]
    bench.row(part="lambdamart", tool="ceiling", threads=1, processes=len(fits), per_tree=sum(fits) / len(fits) / 10)


def peers(bench):
    train = arrays(bench.data("train", QUERIES, 1, ".txt"))
    test = arrays(bench.data("test", TEST_QUERIES, 2, ".txt"))[0]
    scores = bench.out / "podium.scores"
    run(bench.podium, "score", "--model", bench.out / f"lambdamart{thread_numbers()[0]}.json", "--data", bench.data("test", TEST_QUERIES, 2), "-o", scores)
    bench.row(part="quality", tool="podium", ndcg=ndcg(bench, np.loadtxt(scores)))
    try:
        lightgbm(bench, *train, test)
    except ImportError as missing:
        print(f"LightGBM: {missing}")
    try:
        xgboost(bench, *train, test)
    except ImportError as missing:
        print(f"XGBoost: {missing}")


def lightgbm(bench, x, y, groups, test):
    import lightgbm as lgb
    for threads in [t for t in thread_numbers() if t >= 4]:
        trees = TREES_AT[threads]
        options = {"objective": "lambdarank", "num_leaves": LEAVES, "learning_rate": 0.1, "max_bin": 255, "min_data_in_leaf": 20, "verbose": -1,
                   "num_threads": threads, "force_row_wise": False}
        data = lgb.Dataset(x, y, group=groups, params=options, free_raw_data=False)
        data.construct()
        lgb.train(options, data, 1)
        began = time.perf_counter()
        model = lgb.train(options, data, trees)
        seconds = time.perf_counter() - began
        quality = ndcg(bench, model.predict(test)) if trees == TREES else None
        bench.row(part="lambdamart", tool=f"LightGBM {lgb.__version__}", threads=threads, trees=trees, seconds=seconds, per_tree=seconds / trees, ndcg=quality)


def xgboost(bench, x, y, groups, test):
    import xgboost as xgb
    threads = thread_numbers()[0]
    trees = 200
    options = {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": LEAVES, "max_depth": 0, "eta": 0.1, "max_bin": 255,
               "nthread": threads}
    data = xgb.QuantileDMatrix(x, y, group=groups, max_bin=255, nthread=threads)
    xgb.train(options, data, 1)
    began = time.perf_counter()
    xgb.train(options, data, trees)
    seconds = time.perf_counter() - began
    bench.row(part="lambdamart", tool=f"XGBoost {xgb.__version__}", threads=threads, trees=trees, seconds=seconds, per_tree=seconds / trees)


def families(bench):
    for name, arguments in FAMILIES.items():
        data = bench.data("tenth", QUERIES // 10, 1) if name in ON_A_TENTH else bench.data("train", QUERIES, 1)
        for threads in (thread_numbers()[0], 1):
            seconds, _ = bench.fit(threads, *arguments, "--data", data)
            bench.row(part="families", tool=name, threads=threads, seconds=seconds)


def tools(bench):
    data, text = bench.data("train", QUERIES, 1), bench.data("train", QUERIES, 1, ".txt")
    model = bench.out / f"lambdamart{thread_numbers()[0]}.json"
    scores = bench.out / "train.scores"
    many = bench.data("large", LARGE_QUERIES, 3)
    run(bench.podium, "score", "--model", model, "--data", many, "-o", scores, "--quiet")
    for threads in (thread_numbers()[0], 1):
        fewer = bench.data("some", QUERIES * 4, 3)
        empty, _ = run(bench.podium, "score", "--model", model, "--data", bench.data("tiny", 1, 3), "-o", bench.out / "none", "--threads", threads)
        seconds, _ = run(bench.podium, "score", "--model", model, "--data", fewer, "-o", bench.out / "some.scores", "--threads", threads)
        bench.row(part="tools", tool="score 500 trees, 2.8 M documents", threads=threads, seconds=seconds, start=empty)
        seconds, said = run(bench.podium, "eval", "--data", text, "--scores", scores_of(bench, data), "--measures", "nDCG@10", "--json", "--timings",
                            "--threads", threads)
        bench.row(part="tools", tool="read text", threads=threads, seconds=json.loads(said)["phases"]["read"])
        _, said = run(bench.podium, "eval", "--data", many, "--scores", scores, "--measures", MEASURES, "--json", "--timings", "--threads", threads)
        bench.row(part="tools", tool="ten measures, 10 M documents", threads=threads, seconds=json.loads(said)["phases"]["evaluate"])


def scores_of(bench, data):
    path = bench.out / "data.scores"
    if not path.exists():
        run(bench.podium, "score", "--model", bench.out / f"lambdamart{thread_numbers()[0]}.json", "--data", data, "-o", path, "--quiet")
    return path


def large(bench):
    data = bench.data("large", LARGE_QUERIES, 3)
    for threads, trees in ((thread_numbers()[0], 100), (1, 5)):
        seconds, binning = bench.fit(threads, "lambdamart", "--data", data, "--trees", trees, "--leaves", LEAVES)
        bench.row(part="large", tool="lambdamart", threads=threads, trees=trees, seconds=seconds, per_tree=seconds / trees, bin=binning)


def main():
    podium, out, *parts = sys.argv[1:]
    bench = Bench(podium, out)
    path = bench.out / "many_cores.json"
    known = {"lambdamart": lambdamart, "peers": peers, "families": families, "tools": tools, "large": large}
    try:
        for part in parts or known:
            known[part](bench)
    finally:
        before = json.loads(path.read_text()) if path.exists() else []
        path.write_text(json.dumps(before + bench.rows, indent=1))


if __name__ == "__main__":
    main()
