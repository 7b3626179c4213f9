"""Podium on a GPU beside its own CPU and its peers, on one machine, in one run: benchmarks/gpu/run PODIUM FOLDER [--device D] [--queries N] [--parts …]

Parts: train (500 trees of 31 leaves, validation after every tree), large (10 million documents, 100 trees), leaves (255 leaves), score (500 trees, from the
host's memory to the host's memory), bytes (models and scores of the GPU are those of the CPU). Every row goes to FOLDER/gpu.json; memory is what the GPU's
driver reports at its largest, less what is in use before. A peer that is not installed, or has no GPU support, is a row that says so."""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy as np
from many_cores import arrays, run

TEST_QUERIES = 1000


class GpuMemory:
    """The most memory of the first GPU that is in use while this lives, in MiB."""

    def __enter__(self):
        self.before, self.most, self.ends = self.used(), 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()

    @staticmethod
    def used():
        try:
            said = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return 0
        return int(said.stdout.splitlines()[0])

    def watch(self):
        while not self.ends.wait(0.05):
            self.most = max(self.most, self.used() - self.before)


class Bench:
    def __init__(self, options):
        self.podium, self.out, self.device = options.podium, pathlib.Path(options.folder), options.device
        self.queries, self.trees, self.large_queries = options.queries, options.trees, options.large_queries
        self.rows, self.known = [], {}

    def row(self, **values):
        self.rows.append(values)
        print(json.dumps(values), flush=True)
        (self.out / "gpu.json").write_text(json.dumps(self.rows, indent=1))

    def data(self, name, queries, seed, suffix=".podium"):
        path = self.out / f"{name}-{queries}{suffix}"
        if not path.exists():
            run(self.podium, "synth", "--preset", "mslr", "--queries", queries, "--seed", seed, "--quiet", "-o", path)
        return path

    def arrays(self, name, queries, seed):
        if name not in self.known:
            self.known[name] = arrays(self.data(name, queries, seed, ".txt"))
        return self.known[name]

    def ndcg(self, scores):
        path = self.out / "scores.txt"
        np.savetxt(path, scores, fmt="%.17g")
        said = run(self.podium, "eval", "--data", self.data("test", TEST_QUERIES, 2), "--scores", path, "--measures", "nDCG@10", "--json", "--quiet")[1]
        return json.loads(said)["results"][0]["measures"]["nDCG@10"]

    def fit(self, device, data, trees, leaves, model, valid=None):
        command = [self.podium, "train", "lambdamart", "--data", data, "--trees", trees, "--leaves", leaves, "--model", model, "--device", device,
                   "--early-stopping", 0, "--quiet", "--json", "--force", *(["--valid", valid] if valid else [])]
        with GpuMemory() as memory:
            seconds, said = run(*command)
        phases = json.loads(said.strip().splitlines()[-1])["phases"]
        return {"seconds": phases["fit"], "read": phases.get("read", 0), "bin": phases.get("bin", 0), "whole": seconds, "gpu_mib": memory.most}


def podium_rows(bench, part, data, trees, leaves, valid=None):
    hashes = {}
    for device in (bench.device, "cpu"):
        model = bench.out / f"{part}-{device.replace(':', '')}.json"
        bench.row(part=part, tool=f"podium {device}", trees=trees, leaves=leaves, **bench.fit(device, data, trees, leaves, model, valid))
        hashes[device] = hashlib.sha256(model.read_bytes()).hexdigest()
    bench.row(part=part, tool="podium", same_bytes=len(set(hashes.values())) == 1, sha256=hashes["cpu"])


def timed(work):
    with GpuMemory() as memory:
        began = time.perf_counter()
        result = work()
        return result, time.perf_counter() - began, memory.most


def xgboost_rows(bench, part, train, test, trees, leaves):
    import xgboost as xgb
    for device in ("cuda", "cpu"):
        options = {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "eta": 0.1, "max_bin": 255,
                   "device": device, "nthread": os.cpu_count()}
        try:
            data, binning, _ = timed(lambda: xgb.QuantileDMatrix(train[0], train[1], group=train[2], max_bin=255, nthread=os.cpu_count()))
            xgb.train(options, data, 1)
            model, seconds, memory = timed(lambda: xgb.train(options, data, trees))
        except xgb.core.XGBoostError as failed:
            bench.row(part=part, tool=f"XGBoost {xgb.__version__} {device}", failed=str(failed).splitlines()[0])
            continue
        quality = bench.ndcg(model.predict(xgb.DMatrix(test))) if test is not None else None
        bench.row(part=part, tool=f"XGBoost {xgb.__version__} {device}", trees=trees, leaves=leaves, seconds=seconds, bin=binning, gpu_mib=memory, ndcg=quality)


def lightgbm_rows(bench, part, train, test, trees, leaves):
    import lightgbm as lgb
    options = {"objective": "lambdarank", "num_leaves": leaves, "learning_rate": 0.1, "max_bin": 255, "min_data_in_leaf": 20, "verbose": -1,
               "num_threads": os.cpu_count()}
    data = lgb.Dataset(train[0], train[1], group=train[2], params=options, free_raw_data=False)
    _, binning, _ = timed(data.construct)
    model, seconds, _ = timed(lambda: lgb.train(options, data, trees))
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
            _, seconds, memory = timed(lambda model=model: model.fit(pool))
        except catboost.CatBoostError as failed:
            bench.row(part=part, tool=f"CatBoost {catboost.__version__} YetiRank {task}", failed=str(failed).splitlines()[0])
            continue
        bench.row(part=part, tool=f"CatBoost {catboost.__version__} YetiRank {task}", trees=trees, depth=6, seconds=seconds, gpu_mib=memory,
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
        _, said = run(bench.podium, "score", "--model", model, "--data", many, "-o", path, "--device", device, "--json", "--timings", "--quiet")
        results[device] = path.read_bytes()
        bench.row(part="score", tool=f"podium {device}", seconds=json.loads(said)["phases"]["score"])
    bench.row(part="score", tool="podium", same_bytes=len(set(results.values())) == 1)
    try:
        import xgboost as xgb
    except ImportError as missing:
        return bench.row(part="score", tool="xgboost", failed=str(missing))
    data = bench.arrays("scored", bench.queries // 3, 5)[0]
    training = bench.arrays("train", bench.queries, 1)
    for device in ("cuda", "cpu"):
        try:
            booster = xgb.train({"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31, "max_depth": 0, "device": device},
                                xgb.QuantileDMatrix(training[0], training[1], group=training[2], max_bin=255), bench.trees)
            booster.inplace_predict(data[:1000])
            _, seconds, _ = timed(lambda booster=booster: booster.inplace_predict(data))
        except xgb.core.XGBoostError as failed:
            bench.row(part="score", tool=f"XGBoost {device}", failed=str(failed).splitlines()[0])
            continue
        bench.row(part="score", tool=f"XGBoost {xgb.__version__} {device}", documents=len(data), seconds=seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("podium")
    parser.add_argument("folder")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--queries", type=int, default=5931)
    parser.add_argument("--large-queries", type=int, default=83333)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--parts", default="train,leaves,score,large")
    bench = Bench(parser.parse_args())
    parts = {"train": train, "leaves": leaves, "large": large, "score": score}
    chosen = parser.parse_args().parts.split(",")
    for part in chosen:
        if part not in parts:
            sys.exit(f"unknown part {part}: {', '.join(parts)}")
    for part in chosen:
        parts[part](bench)


if __name__ == "__main__":
    main()
