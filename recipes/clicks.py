#!/usr/bin/env python3
"""Training on simulated clicks: worlds × methods, nDCG@10 on queries that were judged but never shown.

A production ranker, trained on a few judged queries, shows its lists; users click by a click model. `lambdamart` is trained on
the clicks with each --debias and on the true grades. "Gap closed" is the share of the gap between naive
and the true grades that the method closes, mean over the seeds. Where the Python packages lightgbm and xgboost are installed, LightGBM's lambdarank with its
`position` option and XGBoost's `lambdarank_unbiased` learn from the same logs, a list per session, with as many trees, the same rate and one thread, with each number of --leaves (by default
6, as Podium takes for so many documents); the best mean is in the table. Times are those of training: for Podium the whole commands, with reading the log, and for ipw, affine and judged also
with fitting the click model; for the peers without reading, from arrays. Writes the tables of docs/results/clicks.md.
Arguments: [--queries N] [--sessions N] [--seeds N] [--trees N] [--leaves N...] [--jobs N] [--peers NAME...] [--only worlds|few|many|million|propensities]; the defaults take some half an hour on two
cores. "few" has a quarter of the sessions and fewer methods, "many" five times as many sessions, but no peers, "million" a million. Rows of peers that are not run are kept."""
import argparse
import concurrent.futures
import functools
import importlib.util
import pathlib
import random
import statistics
import tempfile
import time

from boosted_trees import read_letor
from five_fold import ROOT, podium
from pages import markdown, write_table

WORLDS = {"pbm, η = 1": ("pbm", 1, "pbm"), "pbm, no bias": ("pbm", 0, "pbm"), "trust, η = 1": ("trust", 1, "trust"),
          "dbn (pbm is wrong)": ("dbn", 1, "pbm"), "cascade (pbm is wrong)": ("cascade", 1, "pbm")}
METHODS = {"naive": False, "overlap": True, "ipw": True, "affine": True, "pairwise": False, "additive": False, "dual": False, "judged": True}
LOSSES = {"dual": "softmax", "affine": "squared"}
RATE = 0.1


def sessions_of(docs, log):
    """The log as lists: rows of the documents' features, clicks, positions from 0, lengths; each list in the order of its positions."""
    import numpy
    rows, _, _ = read_letor(docs)
    row_of = {}
    with open(docs, encoding="utf-8") as file:
        for number, line in enumerate(file):
            row_of[line.rsplit("docid = ", 1)[1].strip()] = number
    documents, clicks, positions, lengths, last = [], [], [], [], None
    with open(log, encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        place = [header.index(name) for name in ("session", "docid", "position", "click")]
        for line in file:
            fields = line.rstrip("\n").split("\t")
            session, docid, position, click = (fields[p] for p in place)
            if session != last:
                lengths.append(0)
                last = session
            lengths[-1] += 1
            documents.append(row_of[docid])
            clicks.append(int(click))
            positions.append(int(position) - 1)
    # Podium's simulator writes lists from the top.
    return rows[numpy.array(documents)], numpy.array(clicks), numpy.array(positions), lengths


def lightgbm_scores(lists, test, leaves, trees, seed):
    import lightgbm
    x, clicks, positions, lengths = lists
    began = time.perf_counter()
    data = lightgbm.Dataset(x, clicks, group=lengths, position=positions)
    model = lightgbm.train({"objective": "lambdarank", "num_leaves": leaves, "learning_rate": RATE, "num_threads": 1, "seed": seed, "verbose": -1},
                           data, trees)
    return model.predict(test), time.perf_counter() - began


def xgboost_scores(lists, test, leaves, trees, seed):
    import xgboost
    x, clicks, _, lengths = lists
    began = time.perf_counter()
    data = xgboost.QuantileDMatrix(x, clicks, group=lengths, nthread=1)
    options = {"objective": "rank:ndcg", "lambdarank_unbiased": True, "lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": 10,
               "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "eta": RATE, "nthread": 1, "seed": seed}
    model = xgboost.train(options, data, trees)
    return model.predict(xgboost.DMatrix(test)), time.perf_counter() - began


PEERS = {"LightGBM, position": ("lightgbm", lightgbm_scores), "XGBoost, unbiased": ("xgboost", xgboost_scores)}


def peers(wanted):
    return {name: function for name, (package, function) in PEERS.items() if package in wanted and importlib.util.find_spec(package)}


def ndcg(*asked):
    return podium("eval", *asked, "--measures", "nDCG@10")["results"][0]["measures"]["nDCG@10"]


def one_world(folder, clicks, eta, model, seed, given):
    """(nDCG@10, seconds) by method; affine only with a trust model."""
    files = {name: folder / f"{name}.txt" for name in ("docs", "test", "old")}
    for number, (name, queries) in enumerate((("docs", given.queries), ("test", 1000), ("old", 20))):
        podium("synth", "--queries", queries, "--docs", 10, "--features", 20, "--seed", seed + 100 * number, "-o", files[name])
    ranker, log, fit, out = (folder / name for name in ("production.json", "log.tsv", "fit.json", "model.json"))
    podium("train", "linear", "--loss", "softmax", "--data", files["old"], "--model", ranker, "--force")
    podium("clicks", "simulate", "--data", files["docs"], "--ranker", ranker, "--sessions", given.sessions, "--click-model", clicks,
           "--eta", eta, "--seed", seed, "-o", log)
    began = time.perf_counter()
    podium("clicks", "fit", "--clicks", log, "--model", model, "-o", fit)
    fitting = time.perf_counter() - began

    def value(*options):
        loss = next((loss for method, loss in LOSSES.items() if method in options), None)
        learner = ("boosting", "--loss", loss) if loss else ("lambdamart",)
        start = time.perf_counter()
        podium("train", *learner, "--data", files["docs"], "--trees", given.trees, "--model", out, "--force", *options)
        seconds = time.perf_counter() - start + (fitting if "--propensities" in options else 0)
        return ndcg("--data", files["test"], "--model", out), seconds

    values = {"true grades": value()}
    for method, needs in METHODS.items():
        if method in given.methods and (method != "affine" or model == "trust"):
            values[method] = value("--clicks", log, "--debias", method, *(("--propensities", fit) if needs else ()))
    others = peers(given.peers) if given.leaves else {}
    if others:
        lists, test = sessions_of(files["docs"], log), read_letor(files["test"])[0]
        for name, function in others.items():
            for leaves in given.leaves:
                scores, seconds = function(lists, test, leaves, given.trees, seed)
                file = folder / "scores.txt"
                file.write_text("".join(f"{s:.9g}\n" for s in scores))
                values[f"{name}, {leaves} leaves"] = ndcg("--data", files["test"], "--scores", file), seconds
    return values


def one_run(clicks, eta, model, given, seed):
    with tempfile.TemporaryDirectory() as folder:
        return one_world(pathlib.Path(folder), clicks, eta, model, seed, given)


def world_table(runs):
    """One row per method; of a peer's numbers of leaves the better."""
    methods = [method for method in runs[0] if all(method in run for run in runs)]
    for peer in {method.rsplit(",", 1)[0] for method in methods if method.endswith("leaves")}:
        own = sorted((method for method in methods if method.startswith(peer)), key=lambda method: statistics.mean(run[method][0] for run in runs))
        methods = [method for method in methods if method not in own[:-1]]
    gaps = [run["true grades"][0] - run["naive"][0] for run in runs]
    rows = []
    for method in methods:
        values = [run[method][0] for run in runs]
        spread = f" ± {statistics.stdev(values) / len(values) ** 0.5:.4f}" if len(values) > 1 else ""
        closed = [100 * (run[method][0] - run["naive"][0]) / gap for run, gap in zip(runs, gaps, strict=True) if gap > 0.005 and statistics.mean(gaps) > 0.005]
        rows.append([method, f"{statistics.mean(values):.4f}", spread.strip(), f"{statistics.mean(closed):.0f} %" if closed else "no gap",
                     f"{statistics.mean(run[method][1] for run in runs):.2f} s"])
    return markdown(["method", "nDCG@10", "standard error", "gap closed", "time"], rows) + "\n"


def kept_rows(heading, others):
    """Rows of peers from the page."""
    page = (ROOT / "docs/results/clicks.md").read_text(encoding="utf-8")
    section = page.partition(f"### {heading}\n")[2].partition("###")[0]
    return [line for line in section.splitlines() for name in PEERS if name not in others and line.startswith(f"| {name}")]


def worlds_text(given, prefix, worlds=None):
    text = f"Mean of {given.seeds} seeds, {given.sessions:,} sessions.\n\n"
    for world in worlds or WORLDS:
        clicks, eta, model = WORLDS[world]
        with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
            runs = list(pool.map(functools.partial(one_run, clicks, eta, model, given), range(1, given.seeds + 1)))
        kept = kept_rows(prefix + world, peers(given.peers)) if given.leaves else []
        table = "\n".join([world_table(runs).rstrip("\n"), *kept]) + "\n\n"
        text += f"### {prefix}{world}\n\n{table}"
        print(f"{world}\n{table}", flush=True)
    return text


def determined(source, target):
    """The same documents with one more feature that determines the grade."""
    draw = random.Random(1)
    lines = []
    for line in source.read_text().splitlines():
        values, _, comment = line.partition(" #")
        lines.append(f"{values} 21:{float(values.split()[0]) + 0.9 * draw.random():.4f} #{comment}\n")
    target.write_text("".join(lines))


def propensity_table(folder, given):
    """The largest error of a propensity, at a million sessions of a PBM: models × what features say × exploration."""
    plain, well = folder / "plain.txt", folder / "well.txt"
    podium("synth", "--queries", given.queries, "--docs", 10, "--features", 20, "--seed", 1, "-o", plain)
    determined(plain, well)
    rows = []
    for name, docs in (("features determine the grade", well), ("features leave noise", plain)):
        for eta in (1, 0.5):
            for explore in (0.2, 0):
                log = folder / "log.tsv.zst"
                podium("clicks", "simulate", "--data", docs, "--ranker", "feature:1", "--sessions", 1_000_000, "--eta", eta, "--explore",
                       explore, "-o", log)
                errors = []
                for model in ("pbm", "harvest", "regression-em"):
                    if explore == 0 and model != "regression-em":
                        errors.append("refused")
                        continue
                    fit = podium("clicks", "fit", "--clicks", log, "--model", model, *(("--data", docs) if "-" in model else ()))
                    worst = max((abs(theta * p ** eta - 1) for p, theta in enumerate(fit["propensities"], 1)))
                    errors.append(f"{100 * worst:.1f} %")
                rows.append([name, str(eta), "20 %" if explore else "none", *errors])
    return markdown(["world", "η", "swaps", "pbm", "harvest", "regression-em"], rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("queries", 400), ("sessions", 40_000), ("seeds", 5), ("trees", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--leaves", type=int, nargs="+", default=[6])
    parser.add_argument("--jobs", type=int, default=1, help="seeds at the same time, which makes times longer")
    parser.add_argument("--peers", nargs="*", default=["lightgbm", "xgboost"], help="Python packages, if they are installed")
    parser.add_argument("--only", choices=("worlds", "few", "many", "million", "propensities"))
    given = parser.parse_args()
    given.methods = list(METHODS)
    if given.only in (None, "worlds"):
        write_table("clicks.md", "table", worlds_text(given, ""))
    if given.only in (None, "few"):
        fewer = argparse.Namespace(**vars(given))
        fewer.sessions //= 4
        fewer.methods = ["naive", "overlap", "ipw", "additive"]
        write_table("clicks.md", "few", worlds_text(fewer, "few sessions: "))
    if given.only in (None, "million"):
        million = argparse.Namespace(**vars(given))
        million.sessions, million.leaves, million.methods = 1_000_000, [], ["naive", "overlap", "ipw"]
        write_table("clicks.md", "million", worlds_text(million, "a million sessions: ", ["pbm, η = 1", "pbm, no bias"]))
    if given.only in (None, "many"):
        given.sessions, given.seeds, given.leaves, given.methods = 5 * given.sessions, 2, [], ["naive", "overlap", "ipw", "affine", "judged"]
        write_table("clicks.md", "many", worlds_text(given, "many sessions: "))
    if given.only in (None, "propensities"):
        with tempfile.TemporaryDirectory() as folder:
            write_table("clicks.md", "propensities", propensity_table(pathlib.Path(folder), given))


if __name__ == "__main__":
    main()
