#!/usr/bin/env python3
"""What the engines cost beside `mpirun -n 3` of the program: benchmarks/engines.py PODIUM [--engines mpi,torch,spark] [--docs 100000] [--rounds 3];
with --memory the peak memory of workers that mpirun and torchrun start, with shares of random rows, 2 trees.

50 trees on 100,000 documents x 136 features, three workers on this machine with one thread each, in turns with the program, so that both meet the
same other load. `fit` is binning and trees, from the data in memory to the model on every worker; `data` is what it takes before to read a share or to move
rows between workers; `all` is the whole command, or the whole call of train. Ratios are of the medians. Memory is that of a worker above what a training of
a few rows needs (so without the interpreter, libraries and what these keep), and of the process that calls train, in shares. A share is a worker's third of the
data as it has it: features as float32, labels as float32, ids of queries as 64-bit integers. It needs the environment that
`make test-engines` makes: build/engines/venv/bin/python benchmarks/engines.py build/release/podium."""
import argparse
import contextlib
import importlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import podium

WORKERS, FEATURES, TREES = 3, 136, 50
ROW = 4 * FEATURES + 4 + 8  # bytes
PARTS = 12  # of tables
BARS = {"mpi": 1.3, "torch": 1.3, "spark": 3.0}
MEMORY_BAR = 1.5
LAUNCH = {"mpi": ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(WORKERS), sys.executable, "-m", "mpi4py"],
          "torch": [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(WORKERS)]}


def memory(key):
    """Of this process: VmRSS now or VmHWM, its peak, in bytes."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key + ":"))


class Timed(podium.LambdaMART):
    """Knows how long fit took and the peak memory of its process."""

    def fit(self, *args, **kwargs):
        began, used = time.perf_counter(), time.process_time()
        super().fit(*args, **kwargs)
        self.seconds_ = time.perf_counter() - began
        self.processor_ = time.process_time() - used
        self.peak_ = memory("VmHWM")
        return self


def learner(trees=TREES):
    return Timed(trees=trees, threads=1)


def digest(model):
    import hashlib

    return hashlib.sha256(model.encode()).hexdigest()[:16]


def random_rows(rows, rank):
    """In pieces, so that nothing else needs memory."""
    random = np.random.default_rng(rank)
    X = np.empty((rows, FEATURES), np.float32)
    for begin in range(0, rows, 1000):
        X[begin:begin + 1000] = random.normal(size=(min(1000, rows - begin), FEATURES))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 1).astype(np.float32) + (X[:, 3] > 1)
    return X, y.astype(np.float32), np.arange(rows) // 100 * WORKERS + rank


def worker(kind, folder):
    """One process of mpirun or torchrun: a few rows first, then its share, which is in the folder or so many random rows."""
    from podium.distributed import MPIWorkers, TorchWorkers

    with (MPIWorkers if kind == "mpi" else TorchWorkers)() as workers:
        few = np.random.default_rng(workers.rank).normal(size=(64, FEATURES)).astype(np.float32)
        learner(2).fit(few, few[:, 0] > 0, qid=np.repeat(np.arange(4) + 4 * workers.rank, 16), workers=workers)
        before = memory("VmHWM")
        began = time.perf_counter()
        if folder.isdigit():
            X, y, qid = random_rows(int(folder) // WORKERS, workers.rank)
        else:
            X, y, qid = (np.load(pathlib.Path(folder) / f"{name}-{workers.rank}.npy") for name in ("X", "y", "qid"))
        data = time.perf_counter() - began
        workers.all_gather(b"")
        ranker = learner(2 if folder.isdigit() else TREES).fit(X, y, qid=qid, workers=workers)
        if workers.rank == 0:
            print("FOUND", json.dumps({"fit": ranker.seconds_, "data": data, "hash": digest(ranker.model_.to_json()), "worker": ranker.peak_ - before,
                                       "driver": 0, "processor": ranker.processor_}), flush=True)


def launched(kind, folder):
    began = time.perf_counter()
    result = subprocess.run([*LAUNCH[kind], __file__, "--worker", kind, str(folder)], capture_output=True, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
    found = [line for line in result.stdout.splitlines() if "FOUND" in line]
    if result.returncode or not found:
        sys.exit(f"{kind}: {result.stderr[-3000:]}")
    return json.loads(found[0].partition("FOUND")[2]) | {"all": time.perf_counter() - began}


def processor_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def program(path, folder):
    """The program under mpirun, from Podium's own file of the data."""
    began, used = time.perf_counter(), processor_of_children()
    command = [*LAUNCH["mpi"][:5], path, "train", "lambdamart", "--data", folder / "all.podium", "--model", folder / "model.json", "--trees", TREES,
               "--threads", 1, "--quiet", "--json"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"mpirun: {result.stderr}")
    phases = json.loads(result.stdout.strip().splitlines()[-1])["phases"]
    return {"fit": phases["bin"] + phases["fit"], "data": phases["read"], "all": time.perf_counter() - began,
            "processor": (processor_of_children() - used) / WORKERS}


@contextlib.contextmanager
def table(engine, folder):
    """A call that trains on a stored table of the engine, read again each time; the cluster is there already."""
    import pandas

    files, few = [folder / f"part-{one}.parquet" for one in range(PARTS)], folder / "few.parquet"
    for one in range(WORKERS):
        X, y, qid = (np.load(folder / f"{name}-{one}.npy") for name in ("X", "y", "qid"))
        rows = pandas.DataFrame(X, columns=[f"f{number}" for number in range(FEATURES)]).assign(label=y, qid=qid)
        for part, file in enumerate(files[one::WORKERS]):
            rows.iloc[len(rows) * part * WORKERS // PARTS:len(rows) * (part + 1) * WORKERS // PARTS].to_parquet(file)
    pandas.read_parquet(files[0]).head(400).to_parquet(few)
    module = importlib.import_module(f"podium.{engine}")
    names = [str(file) for file in files]
    if engine == "spark":
        import pyspark
        from pyspark.sql import SparkSession

        os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        spark = SparkSession.builder.master("local-cluster[3,1,1024]").config("spark.ui.enabled", "false").config(
            "spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "3").getOrCreate()
        yield lambda backend, trees, which: module.train(spark.read.parquet(*which), learner(trees), num_workers=WORKERS, backend=backend), names, [str(few)]
        spark.stop()
    elif engine == "dask":
        import dask.dataframe as dd
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
            yield lambda backend, trees, which: module.train(dd.read_parquet(which), learner(trees), num_workers=WORKERS, backend=backend), names, [str(few)]
    else:
        import ray
        import ray.data

        ray.init(num_cpus=WORKERS + 1, include_dashboard=False, log_to_driver=False)
        yield lambda backend, trees, which: module.train(ray.data.read_parquet(which), learner(trees), num_workers=WORKERS, backend=backend), names, [str(few)]
        ray.shutdown()


def called(train, backend, names, few):
    small = train(backend, 2, few)
    driver = memory("VmRSS")
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    began = time.perf_counter()
    ranker = train(backend, TREES, names)
    took = time.perf_counter() - began
    return {"fit": ranker.seconds_, "data": took - ranker.seconds_, "all": took, "hash": digest(ranker.model_.to_json()),
            "worker": ranker.peak_ - small.peak_, "processor": ranker.processor_, "driver": memory("VmHWM") - driver}


def prepared(path, docs, folder):
    text = folder / "all.txt"
    subprocess.run([path, "synth", "--preset", "mslr", "--queries", str(round(docs / 120)), "--seed", "1", "--quiet", "-o", text], check=True)
    subprocess.run([path, "prepare", text, "-o", folder / "all.podium", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    data = podium.read_letor(text)
    qid = np.array([int(one) for one in data.qid])
    for one in range(WORKERS):
        mine = qid % WORKERS == one
        for name, values in (("X", data.X), ("y", data.y), ("qid", qid)):
            np.save(folder / f"{name}-{one}.npy", np.asarray(values)[mine])
    text.unlink()
    return len(qid)


def measured(engine, backend, run, path, folder, rounds):
    found, beside = [], []
    for _ in range(rounds):
        beside.append(program(path, folder))
        found.append(run())
        print(engine, backend, {name: round(value, 2) if isinstance(value, float) else value for name, value in found[-1].items()},
              {name: round(value, 2) for name, value in beside[-1].items()}, flush=True)
    middle = {name: statistics.median(one[name] for one in found) for name in ("fit", "data", "all", "worker", "driver", "processor")}
    return engine, backend, middle, {name: statistics.median(one[name] for one in beside) for name in ("fit", "data", "all", "processor")}, {one["hash"] for one in found}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("podium")
    parser.add_argument("--engines", default="mpi,torch,dask,ray,spark")
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--backends", default="engine,torch")
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    if shutil.which("mpirun") is None:
        sys.exit("mpirun is needed")
    if arguments.memory:
        for kind in LAUNCH:
            found = launched(kind, str(arguments.docs))
            print(f"{kind}: {arguments.docs:,} rows x {FEATURES}, a share is {ROW * arguments.docs / WORKERS / 1e6:.0f} MB; peak of a worker "
                  f"{found['worker'] / (ROW * arguments.docs / WORKERS):.2f} shares (bar {MEMORY_BAR})", flush=True)
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        docs = prepared(arguments.podium, arguments.docs, folder)
        share = ROW * docs / WORKERS
        rows = []
        for engine in arguments.engines.split(","):
            if engine in LAUNCH:
                rows.append(measured(engine, engine, lambda kind=engine: launched(kind, folder), arguments.podium, folder, arguments.rounds))
                continue
            with table(engine, folder) as (train, names, few):
                rows += [measured(engine, backend, lambda to=backend: called(train, to, names, few), arguments.podium, folder, arguments.rounds)
                         for backend in arguments.backends.split(",")]
        print(f"\n{docs:,} documents x {FEATURES}, {TREES} trees, {WORKERS} workers; a share is {share / 1e6:.1f} MB\n")
        print("| engine | connected by | fit, s | mpirun's, s | ratio | bar | of processor, s | a rank's in all, s | data, s | all, s | mpirun's, s | worker's memory, shares | caller's, shares |")
        print("|---" * 13 + "|")
        for engine, backend, found, beside, _ in rows:
            bar = BARS.get(engine)
            print(f"| {engine} | {backend} | {found['fit']:.1f} | {beside['fit']:.1f} | {found['fit'] / beside['fit']:.2f} | {f'{bar:.1f}' if bar else '—'} | "
                  f"{found['processor']:.2f} | {beside['processor']:.2f} | {found['data']:.1f} | {found['all']:.1f} | {beside['all']:.1f} | {found['worker'] / share:.2f} | {max(0, found['driver']) / share:.2f} |")
        hashes = set().union(*(one[4] for one in rows))
        print(f"\nmodels: {', '.join(sorted(hashes))}")
        missed = [f"{engine} ({backend})" for engine, backend, found, beside, _ in rows if found["fit"] > BARS.get(engine, 1e9) * beside["fit"]]
        heavy = [f"{engine} ({backend})" for engine, backend, found, _, _ in rows if found["worker"] > MEMORY_BAR * share]
        print(f"above the bar of time: {', '.join(missed) or 'none'}; above {MEMORY_BAR} shares of memory: {', '.join(heavy) or 'none'}")
        return 1 if len(hashes) != 1 else 0


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        worker(*sys.argv[2:])
    else:
        sys.exit(main())
