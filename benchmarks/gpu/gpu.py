"""Podium on a GPU beside its own CPU and its peers, on one machine, in one run: benchmarks/gpu/run PODIUM FOLDER [--device D] [--queries N] [--parts …]

Parts: train (500 trees of 31 leaves, validation after every tree), leaves (255 leaves), score (500 trees, from the host's memory to the host's memory, when
everything is loaded), large (10 million documents, 100 trees). Models and scores of the GPU are compared with those of the CPU, byte for byte. Every row goes
to FOLDER/gpu.json. Memory is what the GPU's driver reports at its largest in a process of its own that grows few trees without validation (asking the driver
takes time): gpu_mib, and data_mib without what the same process takes for a small data set, which is the driver's context and the kernels. A peer that is not installed, or has no GPU support, is a row that says so."""
import argparse
import ctypes
import hashlib
import json
import os
import pathlib
import sys
import threading
import time

import numpy as np
from cache_file import arrays
from many_cores import run

TEST_QUERIES = 1000
MEMORY_TREES = 20
SMALL_QUERIES = 20
TIMES = 5  # that a model is applied, to time one of them


class NvmlMemory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


class GpuMemory:
    """The most memory of the first GPU that is in use while this lives, in MiB, as NVIDIA's management library says; 0 without it."""

    def __init__(self):
        self.nvml, self.gpu, self.most = None, ctypes.c_void_p(), 0
        try:
            nvml = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        if nvml.nvmlInit_v2() == 0 and nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.gpu)) == 0:
            self.nvml = nvml

    def __enter__(self):
        self.before, self.ends = self.used(), threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()

    def used(self):
        memory = NvmlMemory()
        if not self.nvml or self.nvml.nvmlDeviceGetMemoryInfo(self.gpu, ctypes.byref(memory)) != 0:
            return 0
        return memory.used >> 20

    def watch(self):
        while not self.ends.wait(0.001):
            self.most = max(self.most, self.used() - self.before)


class Bench:
    def __init__(self, options):
        self.podium, self.out, self.device = options.podium, pathlib.Path(options.folder), options.device
        self.queries, self.trees, self.large_queries = options.queries, options.trees, options.large_queries
        self.out.mkdir(parents=True, exist_ok=True)
        self.rows, self.known, self.xgboost, self.current = [], {}, {}, None

    def row(self, **values):
        self.rows.append(values)
        print(json.dumps(values), flush=True)
        (self.out / "gpu.json").write_text(json.dumps(self.rows, indent=1))

    def data(self, name, queries, seed):
        path = self.out / f"{name}-{queries}.podium"
        if not path.exists():
            run(self.podium, "synth", "--preset", "mslr", "--queries", queries, "--seed", seed, "--quiet", "-o", path)
        return path

    def arrays(self, name, queries, seed):
        if name not in self.known:
            self.known[name] = arrays(self.data(name, queries, seed))
        return self.known[name]

    def ndcg(self, scores):
        path = self.out / "scores.txt"
        np.savetxt(path, scores, fmt="%.17g")
        said = run(self.podium, "eval", "--data", self.data("test", TEST_QUERIES, 2), "--scores", path, "--measures", "nDCG@10", "--json", "--quiet")[1]
        return json.loads(said)["results"][0]["measures"]["nDCG@10"]

    def fit(self, device, data, trees, leaves, model, valid=None):
        command = [self.podium, "train", "lambdamart", "--data", data, "--trees", trees, "--leaves", leaves, "--model", model, "--device", device,
                   "--early-stopping", 0, "--quiet", "--json", "--force", *(["--valid", valid] if valid else [])]
        seconds, said = run(*command)
        phases = json.loads(said.strip().splitlines()[-1])["phases"]
        return {"seconds": phases["fit"], "read": phases.get("read", 0), "bin": phases.get("bin", 0), "whole": seconds}

    def memory(self, work):
        """Of work(data) on the data and on a small data set: what is reported of both."""
        most = {}
        for data in (self.data("small", SMALL_QUERIES, 7), self.current):
            with GpuMemory() as memory:
                work(data)
            most[data] = memory.most
        small, whole = most.values()
        return {"gpu_mib": whole, "data_mib": whole - small}

    def podium_memory(self, leaves):
        return self.memory(lambda data: self.fit(self.device, data, MEMORY_TREES, leaves, self.out / "memory.json"))

    def xgboost_memory(self, leaves):
        return self.memory(lambda data: run(sys.executable, __file__, "xgboost-memory", data, leaves))


def podium_rows(bench, part, data, trees, leaves, valid=None):
    hashes, bench.current = {}, data
    for device in (bench.device, "cpu"):
        model = bench.out / f"{part}-{device.replace(':', '')}.json"
        fitted = bench.fit(device, data, trees, leaves, model, valid)
        memory = {} if device == "cpu" else bench.podium_memory(leaves)
        bench.row(part=part, tool=f"podium {device}", trees=trees, leaves=leaves, **fitted, **memory)
        hashes[device] = hashlib.sha256(model.read_bytes()).hexdigest()
    bench.row(part=part, tool="podium", same_bytes=len(set(hashes.values())) == 1, sha256=hashes["cpu"])


def timed(work):
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def xgboost_options(leaves, device):
    return {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "eta": 0.1, "max_bin": 255,
            "device": device, "nthread": os.cpu_count()}


def train_few_trees_with_xgboost(path, leaves):
    import xgboost as xgb
    features, labels, groups = arrays(path)
    xgb.train(xgboost_options(int(leaves), "cuda"), xgb.QuantileDMatrix(features, labels, group=groups, max_bin=255), MEMORY_TREES)


def xgboost_rows(bench, part, train, test, trees, leaves):
    import xgboost as xgb
    for device in ("cuda", "cpu") if part == "train" else ("cuda",):
        options = xgboost_options(leaves, device)
        try:
            memory = bench.xgboost_memory(leaves) if device == "cuda" else {}
            data, binning = timed(lambda: xgb.QuantileDMatrix(train[0], train[1], group=train[2], max_bin=255, nthread=os.cpu_count()))
            xgb.train(options, data, 1)
            model, seconds = timed(lambda options=options, data=data: xgb.train(options, data, trees))
        except xgb.core.XGBoostError as failed:
            bench.row(part=part, tool=f"XGBoost {xgb.__version__} {device}", failed=str(failed).splitlines()[0])
            continue
        quality = bench.ndcg(model.predict(xgb.DMatrix(test))) if test is not None else None
        bench.row(part=part, tool=f"XGBoost {xgb.__version__} {device}", trees=trees, leaves=leaves, seconds=seconds, bin=binning, ndcg=quality, **memory)
        if part == "train":
            bench.xgboost[device] = model


def lightgbm_rows(bench, part, train, test, trees, leaves):
    import lightgbm as lgb
    options = {"objective": "lambdarank", "num_leaves": leaves, "learning_rate": 0.1, "max_bin": 255, "min_data_in_leaf": 20, "verbose": -1,
               "num_threads": os.cpu_count()}
    data = lgb.Dataset(train[0], train[1], group=train[2], params=options, free_raw_data=False)
    _, binning = timed(data.construct)
    model, seconds = timed(lambda: lgb.train(options, data, trees))
    bench.row(part=part, tool=f"LightGBM {lgb.__version__} cpu", trees=trees, leaves=leaves, seconds=seconds, bin=binning,
              ndcg=bench.ndcg(model.predict(test)) if test is not None else None)


def catboost_rows(bench, part, train, test, trees, leaves):
    import catboost
    qid = np.repeat(np.arange(len(train[2])), train[2])
    pool = catboost.Pool(train[0], train[1], group_id=qid)
    for task in ("GPU", "CPU"):
        model = catboost.CatBoost({"loss_function": "YetiRank", "iterations": trees, "learning_rate": 0.1, "depth": 6, "task_type": task, "verbose": False,
                                   "thread_count": os.cpu_count(), "allow_writing_files": False})
        if task == "CPU" and part != "train":
            continue
        try:
            _, seconds = timed(lambda model=model: model.fit(pool))
        except catboost.CatBoostError as failed:
            bench.row(part=part, tool=f"CatBoost {catboost.__version__} YetiRank {task}", failed=str(failed).splitlines()[0])
            continue
        bench.row(part=part, tool=f"CatBoost {catboost.__version__} YetiRank {task}", trees=trees, depth=6, seconds=seconds,
                  ndcg=bench.ndcg(model.predict(test)) if test is not None else None)


def peers(bench, part, train, test, trees, leaves, tools):
    for tool in tools:
        try:
            tool(bench, part, train, test, trees, leaves)
        except ImportError as missing:
            bench.row(part=part, tool=tool.__name__.removesuffix("_rows"), failed=str(missing))


def train(bench):
    data = bench.data("train", bench.queries, 1)
    podium_rows(bench, "train", data, bench.trees, 31, bench.data("test", TEST_QUERIES, 2))
    scores = bench.out / "podium.scores"
    run(bench.podium, "score", "--model", bench.out / "train-cpu.json", "--data", bench.data("test", TEST_QUERIES, 2), "-o", scores)
    bench.row(part="train", tool="podium", ndcg=bench.ndcg(np.loadtxt(scores)))
    test = bench.arrays("test", TEST_QUERIES, 2)[0]
    peers(bench, "train", bench.arrays("train", bench.queries, 1), test, bench.trees, 31, (xgboost_rows, catboost_rows, lightgbm_rows))


def leaves(bench):
    podium_rows(bench, "leaves", bench.data("train", bench.queries, 1), bench.trees // 5, 255)
    peers(bench, "leaves", bench.arrays("train", bench.queries, 1), None, bench.trees // 5, 255, (xgboost_rows,))


def large(bench):
    podium_rows(bench, "large", bench.data("large", bench.large_queries, 3), 100, 31)
    peers(bench, "large", bench.arrays("large", bench.large_queries, 3), None, 100, 31, (xgboost_rows,))


def score(bench):
    many, model = bench.data("scored", bench.queries // 3, 5), bench.out / "train-cpu.json"
    results = {}
    for device in (bench.device, "cpu"):
        path = bench.out / f"scores-{device.replace(':', '')}.txt"
        run(bench.podium, "score", "--model", model, "--data", many, "-o", path, "--device", device, "--quiet")
        results[device] = path.read_bytes()
        phases = {}
        for times in (1, TIMES + 1):
            models = [word for _ in range(times) for word in ("--model", model)]
            said = run(bench.podium, "eval", "--data", many, *models, "--measures", "nDCG@10", "--device", device, "--timings", "--json", "--quiet")[1]
            phases[times] = json.loads(said)["phases"]["score"]
        bench.row(part="score", tool=f"podium {device}", cold=phases[1], seconds=(phases[TIMES + 1] - phases[1]) / TIMES)
    bench.row(part="score", tool="podium", same_bytes=len(set(results.values())) == 1)
    if not bench.xgboost:
        return bench.row(part="score", tool="XGBoost", failed="no model of the part train")
    import xgboost as xgb
    data = np.ascontiguousarray(bench.arrays("scored", bench.queries // 3, 5)[0])
    ways = {"inplace_predict": lambda booster: booster.inplace_predict(data), "predict": lambda booster: booster.predict(xgb.DMatrix(data))}
    try:
        import cupy
        ways["inplace_predict of a CuPy array"] = lambda booster: booster.inplace_predict(cupy.asarray(data)).get()
    except ImportError as missing:
        bench.row(part="score", tool="XGBoost, CuPy array", failed=str(missing))
    for device, booster in bench.xgboost.items():
        for way, work in ways.items():
            if "CuPy" in way and device == "cpu":
                continue
            seconds = min(timed(lambda work=work, booster=booster: work(booster))[1] for _ in range(TIMES))
            bench.row(part="score", tool=f"XGBoost {xgb.__version__} {device}", way=way, documents=len(data), seconds=seconds)


def main():
    if sys.argv[1:2] == ["xgboost-memory"]:
        return train_few_trees_with_xgboost(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("podium")
    parser.add_argument("folder")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--queries", type=int, default=5931)
    parser.add_argument("--large-queries", type=int, default=83333)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--parts", default="train,leaves,score,large")
    options = parser.parse_args()
    bench = Bench(options)
    parts = {"train": train, "leaves": leaves, "score": score, "large": large}
    chosen = options.parts.split(",")
    for part in chosen:
        if part not in parts:
            sys.exit(f"unknown part {part}: {', '.join(parts)}")
    for part in chosen:
        parts[part](bench)


if __name__ == "__main__":
    main()
