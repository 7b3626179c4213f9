"""Category splits of Podium and LightGBM on data that needs them (set_data.py), in one run, seed by seed:

    python categories.py PODIUM FOLDER [--seeds 5] [--queries 1000] [--columns 3] [--values 100] [--trees 200] [--threads 1]

Both train 31 leaves, learning rate 0.1, stop early on validation data, and are tested on other queries of the same world.
Podium's seconds and memory are of `podium train` on CSV, reading included; LightGBM's are of a Python process that reads
the same CSV by pandas, with the time to start Python and import it left out.
Needs numpy, pandas and lightgbm (requirements.txt of this folder, and pandas).
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np

import set_data

LEARNING_RATE, LEAVES, PATIENCE = 0.1, 31, 30


def ndcg(labels, qid, scores, cut=10):
    values = []
    for begin, end in zip(*(lambda b: (b[:-1], b[1:]))(np.append(np.unique(qid, return_index=True)[1], len(qid))), strict=True):
        gains = 2.0 ** labels[begin:end] - 1
        discount = 1 / np.log2(np.arange(2, min(cut, end - begin) + 2))
        best = np.sort(gains)[::-1][:cut] @ discount
        if best > 0:
            values.append(gains[np.argsort(-scores[begin:end], kind="stable")[:cut]] @ discount / best)
    return float(np.mean(values))


def measured(command):
    """Seconds of processor time, and the largest memory of it in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    out = subprocess.run(["/usr/bin/env", *map(str, command)], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime - before.ru_utime, time.monotonic() - began


def podium(program, folder, names, options):
    model, scores = folder / "podium.json", folder / "podium.scores"
    report = folder / "podium.memory"
    train = [program, "train", "lambdamart", "--data", folder / "train.csv", "--valid", folder / "vali.csv", "--categorical",
             names, "--trees", options.trees, "--leaves", LEAVES, "--learning-rate", LEARNING_RATE, "--early-stopping",
             PATIENCE, "--threads", options.threads, "--model", model, "--force", "--quiet", *options.podium]
    _, seconds, _ = measured([sys.executable, __file__, "--memory", report, "--", *train])
    subprocess.run([program, "score", "--model", model, "--data", folder / "test.csv", "-o", scores, "--quiet"], check=True)
    return np.loadtxt(scores), seconds, int(report.read_text())


def lightgbm(folder, options):
    out, _, _ = measured([sys.executable, __file__, "--lightgbm", folder, "--trees", options.trees, "--threads",
                          options.threads])
    found = json.loads(out.splitlines()[-1])
    return np.loadtxt(folder / "lightgbm.scores"), found["seconds"], found["memory"]


def run_lightgbm(folder, options):
    import lightgbm as lgb
    import pandas as pd

    began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    parts = {name: pd.read_csv(folder / f"{name}.csv") for name in ("train", "vali", "test")}
    features = [name for name in parts["train"].columns if name not in ("label", "qid")]
    for name in (name for name in features if name.startswith("c")):
        kind = pd.CategoricalDtype(sorted(parts["train"][name].dropna().unique()))
        for part in parts.values():
            part[name] = part[name].astype(kind)

    def data(name, reference=None):
        part = parts[name]
        return lgb.Dataset(part[features], part.label, group=part.groupby("qid", sort=False).size(), reference=reference)

    train = data("train")
    model = lgb.train({"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "learning_rate": LEARNING_RATE,
                       "num_leaves": LEAVES, "num_threads": options.threads, "verbose": -1}, train, options.trees,
                      valid_sets=[data("vali", train)], callbacks=[lgb.early_stopping(PATIENCE, verbose=False)])
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - began
    np.savetxt(folder / "lightgbm.scores", model.predict(parts["test"][features]))
    print(json.dumps({"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))


def contest(options):
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    print("seed\tPodium nDCG@10\tLightGBM nDCG@10\tPodium s\tLightGBM s\tratio\tPodium MB\tLightGBM MB")
    for seed in range(1, options.seeds + 1):
        for part, shift, queries in (("train", 0, options.queries), ("vali", 1, options.queries // 4),
                                     ("test", 2, options.queries // 2)):
            made = set_data.make(100 * seed + shift, queries, 20, options.columns, options.values, world=seed)
            set_data.write(folder / f"{part}.csv", *made)
        labels, qid = made[:2]
        names = ",".join(f"c{i}" for i in range(options.columns))
        ours, our_seconds, our_memory = podium(options.program, folder, names, options)
        theirs, their_seconds, their_memory = lightgbm(folder, options)
        rows.append((ndcg(labels, qid, ours), ndcg(labels, qid, theirs), our_seconds, their_seconds,
                     our_seconds / their_seconds, our_memory / 1024, their_memory / 1024))
        print(f"{seed}\t" + "\t".join(f"{value:.4f}" for value in rows[-1]), flush=True)
    print("mean\t" + "\t".join(f"{value:.4f}" for value in np.mean(rows, axis=0)))


def main():
    if sys.argv[1] == "--memory":  # runs the command after "--", and reports its largest memory in KB
        subprocess.run(sys.argv[4:], check=True)
        pathlib.Path(sys.argv[2]).write_text(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--lightgbm", type=pathlib.Path, help=argparse.SUPPRESS)
    for name, value in (("seeds", 5), ("queries", 1000), ("columns", 3), ("values", 100), ("trees", 200), ("threads", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--podium", nargs=argparse.REMAINDER, default=[], help="further options of podium train")
    options = parser.parse_args()
    if options.lightgbm:
        run_lightgbm(options.lightgbm, options)
    else:
        contest(options)


if __name__ == "__main__":
    main()
