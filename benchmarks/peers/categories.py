"""Category splits of Podium, LightGBM and CatBoost on data that needs them (set_data.py), in one run, seed by seed:

    python categories.py PODIUM FOLDER [--seeds 5] [--queries 1000] [--columns 3] [--values 100] [--trees 200] [--threads 1]
                         [--systems podium,lightgbm,catboost] [--save FILE.json] [--podium OPTION...]

All train with learning rate 0.1 and otherwise with their defaults (LightGBM has 31 leaves, CatBoost symmetric trees, Podium a
number of leaves that suits the documents), stop early on validation data, and are tested on other queries of the same world.
Podium's seconds and memory are of `podium train` on CSV, reading included; those of the peers are of a Python process that
reads the same CSV by pandas, with the time to start Python and to import packages left out. Seconds are processor time, so
that a busy machine changes them little.
Needs the packages of requirements.txt of this folder, and pandas.
"""
import argparse
import datetime
import importlib.metadata
import json
import pathlib
import resource
import subprocess
import sys

import numpy as np

import set_data

LEARNING_RATE, PATIENCE, DOCS = 0.1, 30, 20


def ndcg(labels, scores, cut=10):
    """The mean over queries of DOCS documents that have a relevant one."""
    gains, scores = 2.0 ** labels.reshape(-1, DOCS) - 1, scores.reshape(-1, DOCS)
    discount = 1 / np.log2(np.arange(2, cut + 2))
    best = np.sort(gains, axis=1)[:, ::-1][:, :cut] @ discount
    order = np.argsort(-scores, axis=1, kind="stable")[:, :cut]
    found = np.take_along_axis(gains, order, axis=1) @ discount
    return float(np.mean(found[best > 0] / best[best > 0]))


def used(who):
    """Seconds of processor time, and the largest memory in MB."""
    usage = resource.getrusage(who)
    return usage.ru_utime, usage.ru_maxrss / 1024


def run_podium(folder, options):
    """In a process of its own, so that the children's memory is that of one training."""
    names = ",".join(f"c{i}" for i in range(options.columns))
    train = [options.program, "train", "lambdamart", "--data", folder / "train.csv", "--valid", folder / "vali.csv",
             "--categorical", names, "--trees", options.trees, "--learning-rate", LEARNING_RATE, "--early-stopping", PATIENCE,
             "--threads", options.threads, "--model", folder / "podium.json", "--force",
             "--quiet", *options.podium]
    subprocess.run([str(part) for part in train], check=True)
    seconds, memory = used(resource.RUSAGE_CHILDREN)
    subprocess.run([options.program, "score", "--model", folder / "podium.json", "--data", folder / "test.csv", "-o",
                    folder / "podium.scores", "--quiet"], check=True)
    return seconds, memory


def read_parts(folder):
    import pandas as pd

    parts = {name: pd.read_csv(folder / f"{name}.csv") for name in ("train", "vali", "test")}
    features = [name for name in parts["train"].columns if name not in ("label", "qid")]
    return parts, features, [name for name in features if name.startswith("c")]


def run_lightgbm(folder, options):
    import lightgbm as lgb
    import pandas as pd

    began, _ = used(resource.RUSAGE_SELF)
    parts, features, categories = read_parts(folder)
    for name in categories:
        kind = pd.CategoricalDtype(sorted(parts["train"][name].dropna().unique()))
        for part in parts.values():
            part[name] = part[name].astype(kind)

    def data(name, reference=None):
        part = parts[name]
        return lgb.Dataset(part[features], part.label, group=part.groupby("qid", sort=False).size(), reference=reference)

    train = data("train")
    model = lgb.train({"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "learning_rate": LEARNING_RATE,
                       "num_threads": options.threads, "verbose": -1}, train, options.trees,
                      valid_sets=[data("vali", train)], callbacks=[lgb.early_stopping(PATIENCE, verbose=False)])
    seconds, memory = used(resource.RUSAGE_SELF)
    np.savetxt(folder / "lightgbm.scores", model.predict(parts["test"][features]))
    return seconds - began, memory


def run_catboost(folder, options):
    import catboost
    import pandas  # noqa: F401 (imported before the clock starts)

    began, _ = used(resource.RUSAGE_SELF)
    parts, features, categories = read_parts(folder)

    def data(name):
        table = parts[name][features].copy()
        for category in categories:
            table[category] = table[category].fillna("").astype(str)
        return catboost.Pool(table, parts[name].label, group_id=parts[name].qid, cat_features=categories)

    model = catboost.CatBoostRanker(
        loss_function="YetiRank", eval_metric="NDCG:top=10;type=Exp", iterations=options.trees, learning_rate=LEARNING_RATE,
        early_stopping_rounds=PATIENCE, thread_count=options.threads, verbose=False, allow_writing_files=False)
    model.fit(data("train"), eval_set=data("vali"))
    seconds, memory = used(resource.RUSAGE_SELF)
    np.savetxt(folder / "catboost.scores", model.predict(data("test")))
    return seconds - began, memory


SYSTEMS = {"podium": run_podium, "lightgbm": run_lightgbm, "catboost": run_catboost}


def measured(system, folder):
    """Scores of the test data, seconds and memory; runs this program again for one system."""
    out = subprocess.run([sys.executable, sys.argv[0], "--one", system, *sys.argv[1:]], check=True, capture_output=True, text=True).stdout
    seconds, memory = json.loads(out.splitlines()[-1])
    return np.loadtxt(folder / f"{system}.scores"), seconds, memory


def contest(options):
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    systems = options.systems.split(",")
    print("seed\t" + "\t".join(f"{system} {figure}" for figure in ("nDCG@10", "s", "MB") for system in systems))
    rows = []
    for seed in range(1, options.seeds + 1):
        for part, shift, queries in (("train", 0, options.queries), ("vali", 1, options.queries // 4),
                                     ("test", 2, options.queries // 2)):
            made = set_data.make(100 * seed + shift, queries, DOCS, options.columns, options.values, world=seed)
            set_data.write(folder / f"{part}.csv", *made)
        found = [measured(system, folder) for system in systems]
        rows.append([ndcg(made[0], scores) for scores, _, _ in found] + [s for _, s, _ in found] + [m for _, _, m in found])
        print(f"{seed}\t" + line(rows[-1], len(systems)), flush=True)
    print("mean\t" + line(np.mean(rows, axis=0), len(systems)))
    if options.save:
        options.save.write_text(saved(options, systems, rows))


def version(system, options):
    if system == "podium":
        said = subprocess.run([options.program, "--version"], check=True, capture_output=True, text=True).stdout
        return said.splitlines()[0].split()[1]
    return importlib.metadata.version(system)


def saved(options, systems, rows):
    """What was run, and each seed's figures."""
    about = {name: getattr(options, name) for name in ("queries", "columns", "values", "trees", "threads")}
    about |= {"date": datetime.date.today().isoformat(), "documents per query": DOCS, "options of podium": options.podium,
              "versions": {system: version(system, options) for system in systems}}
    figures = [{"seed": seed, "system": system, "nDCG@10": round(row[i], 6), "seconds": round(row[len(systems) + i], 2),
                "MB": round(row[2 * len(systems) + i])} for seed, row in enumerate(rows, 1) for i, system in enumerate(systems)]
    lines = ",\n  ".join(json.dumps(figure) for figure in figures)
    return f'{{\n "about": {json.dumps(about)},\n "rows": [\n  {lines}\n ]\n}}\n'


def line(figures, systems):
    return "\t".join(f"{value:.4f}" if i < systems else f"{value:.2f}" if i < 2 * systems else f"{value:.0f}"
                     for i, value in enumerate(figures))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    for name, value in (("seeds", 5), ("queries", 1000), ("columns", 3), ("values", 100), ("trees", 200), ("threads", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--save", type=pathlib.Path, help="write each seed's figures to this file")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--podium", nargs=argparse.REMAINDER, default=[], help="further options of podium train")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(SYSTEMS[options.one](options.folder, options)))
    else:
        contest(options)


if __name__ == "__main__":
    main()
