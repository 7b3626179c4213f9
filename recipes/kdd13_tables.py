#!/usr/bin/env python3
"""DirectRank's tables [Tan13] on MQ2007, MQ2008, OHSUMED and synthetic data of MSLR's shape.

  train   training nDCG@5 of every linear learner in every fold (the paper's Table 11); exits 1 where directrank
          is not the highest
  test    five-fold test nDCG and winning numbers (Figure 2, Table 4), beside LETOR's published results
  err     directrank trained for ERR and MAP, in full and truncated at 10 (Table 8)
  spread  nDCG@10 over 100 random starts (section 3.3)
  rounds  time of one round (Table 13)
  classics  adarank and rankboost beside LETOR's published results; exits 1 where test MAP is more than 0.01 lower

Arguments: names of tables (default: all). Writes them into docs/results/directrank.md. Figures are kept in
build/recipes/kdd13 under the program's checksum, so that an interrupted run continues where it ended."""
import concurrent.futures
import csv
import functools
import hashlib
import json
import os
import pathlib
import statistics
import sys
import tempfile

from five_fold import PODIUM, ROOT, data_folder, one_fold, podium

SETS = ["MQ2008", "MQ2007", "OHSUMED"]
LINEAR = ["linear", "ranksvm", "svm-acc", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "svm-combo",
          "dorm", "ranknet", "lambdarank", "listnet", "listmle", "rankcosine", "smoothrank", "softrank", "adarank",
          "coordinate-ascent", "feature"]
OFFICIAL = ["AdaRank-MAP", "AdaRank-NDCG", "RankBoost", "RankSVM-Struct", "ListNet"]
CUTS = [1, 3, 5, 8, 10]
KEPT = ROOT / "build/recipes/kdd13"


def folds_of(name):
    return [data_folder([name]) / name / f"Fold{k}" for k in range(1, 6)]


def parallel(work, tasks):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda task: work(*task), tasks))


@functools.cache
def program():
    return hashlib.sha256(pathlib.Path(PODIUM).read_bytes()).hexdigest()


def kept(compute):
    """compute(*texts) -> {name: number}, computed once for each program and arguments."""
    @functools.wraps(compute)
    def recall(*arguments):
        name = " ".join([compute.__name__, *(str(a).removeprefix(str(ROOT)) for a in arguments)])
        cell = KEPT / (hashlib.sha256(f"{program()} {name}".encode()).hexdigest()[:24] + ".json")
        if not cell.exists():
            cell.parent.mkdir(parents=True, exist_ok=True)
            fresh = cell.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps({"cell": name, "values": compute(*arguments)}))
            fresh.rename(cell)
        return json.loads(cell.read_text())["values"]
    return recall


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


@kept
def fit(fold, learner, *more):
    """Training nDCG@5, and test nDCG at every cut under LETOR's convention."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        trained = podium("train", learner, "--data", fold / "train.txt", "--model", model, "--measure", "nDCG@5", *more)
        tested = podium("eval", "--data", fold / "test.txt", "--model", model, "--convention", "letor", "--measures",
                        ",".join(f"nDCG@{k}" for k in CUTS))
    return {"train": trained["measures"]["train"]["nDCG@5"], **tested["results"][0]["measures"]}


def fit_all(learners, *part):
    """{(set, learner): one result per fold}. part: "--valid", to choose on each fold's validation part."""
    tasks = [(name, learner, fold) for name in SETS for learner in learners for fold in folds_of(name)]
    values = parallel(lambda name, learner, fold: fit(fold, learner, *(x for p in part for x in (p, fold / "vali.txt"))), tasks)
    results = {}
    for (name, learner, _), value in zip(tasks, values):
        results.setdefault((name, learner), []).append(value)
    return results


def train_table():
    alone, chosen = fit_all(["directrank", *LINEAR]), fit_all(LINEAR, "--valid")
    wrong, text = 0, ""
    for name in SETS:
        rows = {"directrank": [fold["train"] for fold in alone[name, "directrank"]]}
        for learner in LINEAR:
            rows[learner] = [max(a["train"], b["train"]) for a, b in zip(alone[name, learner], chosen[name, learner])]
        wrong += sum(rows["directrank"][k] <= max(rows[learner][k] for learner in LINEAR) for k in range(5))
        text += f"### {name}\n\n" + markdown(
            ["learner", *(f"fold {k}" for k in range(1, 6)), "mean"],
            [[learner, *(f"{v:.4f}" for v in many), f"{statistics.fmean(many):.4f}"] for learner, many in rows.items()]) + "\n"
    return text, wrong


def published(name, columns, systems=OFFICIAL):
    """{system: {column: test value, averaged over the folds}} of LETOR 4.0's baselines."""
    folder = pathlib.Path(os.environ["PODIUM_DATA"]) / "fixtures/letor4-official-results"
    values = {}
    for system in systems:
        if system == "ListNet":
            with open(folder / f"ListNet-official.{name}.test.csv", encoding="utf-8") as lines:
                folds = [row for row in csv.DictReader(lines) if row["Folds"].startswith("Fold")]
            values[system] = {c: statistics.fmean(float(row[c]) for row in folds) for c in columns}
            continue
        lines = (folder / f"{system}.{name}.txt").read_text().split("Performance on")[1].splitlines()
        row, head = {}, []
        for line in map(str.split, lines):
            if line and line[0] in ("Folds", "Para"):
                head = line[1:]
            elif line and line[0] in ("average", "Avg"):
                row |= dict(zip(head, map(float, line[1:])))
        values[system] = {c: row[c] for c in columns}
    return values


def winning_numbers(values, sets):
    """values: {set: {system: {cut: value}}}. How often each beats another, over the sets. [Tan13] section 3.1.1."""
    systems = list(values[sets[0]])
    return {system: {k: sum(values[s][system][k] > values[s][other][k] for s in sets for other in systems)
                     for k in CUTS} for system in systems}


def wins_table(values, sets):
    wins = winning_numbers(values, sets)
    order = sorted(wins, key=lambda system: -sum(wins[system].values()))
    return markdown(["system", *(f"@{k}" for k in CUTS)], [[s, *(str(wins[s][k]) for k in CUTS)] for s in order]) + "\n"


def test_table():
    results = fit_all(["directrank", *LINEAR], "--valid")
    values = {name: {learner: {k: statistics.fmean(fold[f"nDCG@{k}"] for fold in results[name, learner])
                               for k in CUTS} for learner in ["directrank", *LINEAR]} for name in SETS}
    text = ""
    with_official = {}
    for name in SETS:
        rows = dict(values[name])
        if name != "OHSUMED":
            official = {system: {k: row[f"NDCG@{k}"] for k in CUTS}
                        for system, row in published(name, [f"NDCG@{k}" for k in CUTS]).items()}
            with_official[name] = {"directrank": values[name]["directrank"], **official}
            rows |= {f"{system} (published)": row for system, row in official.items()}
        best = {k: max(row[k] for row in rows.values()) for k in CUTS}
        text += f"### {name}\n\n" + markdown(
            ["learner", *(f"nDCG@{k}" for k in CUTS)],
            [[learner, *(f"**{row[k]:.4f}**" if row[k] == best[k] else f"{row[k]:.4f}" for k in CUTS)]
             for learner, row in rows.items()]) + "\n"
    text += "### Winning numbers against LETOR 4.0's published results\n\n" + wins_table(with_official, ["MQ2007", "MQ2008"])
    text += "### Winning numbers among the linear learners, three sets\n\n" + wins_table(values, SETS)
    return text, 0


@kept
def tested(fold, learner, measure, convention, measures, *parts):
    """{"part measure": value} of a learner that chooses by `measure` on the fold's validation part."""
    choose = ("--measure", measure, "--convention", convention)
    values = one_fold(fold, learner, {convention: measures}, parts, choose)
    return {" ".join(key): value for key, value in values.items()}


def err_table():
    text = []
    light = "--restarts 0 --kicks 0 --starts linear,lambdarank"
    for measure, forces in [("ERR", "err"), ("AP", "ap")]:
        learners = [("directrank", f"directrank {light} --objective {measure}"),
                    ("directrank @10", f"directrank {light} --objective {measure}@10"),
                    ("lambdarank", f"lambdarank --objective {forces}"),
                    ("adarank", f"adarank --objective {measure}"),
                    ("coordinate-ascent", f"coordinate-ascent --objective {measure}"),
                    ("rankboost", "rankboost")]
        tasks = [(fold, learner, measure, "podium", measure, "train", "test")
                 for _, learner in learners for fold in folds_of("MQ2007")]
        values = parallel(tested, tasks)
        for part in ("train", "test"):
            means = [statistics.fmean(v[f"{part} {measure}"] for v in values[5 * i:5 * i + 5]) for i in range(len(learners))]
            text.append([f"{'MAP' if measure == 'AP' else measure}, {part}", *(f"{mean:.4f}" for mean in means)])
    return markdown(["", *(name for name, _ in learners)], text), 0


@kept
def random_starts(fold):
    """Where the climbs from 100 random starts ended: mean, deviation, least and most nDCG@10."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log.tsv"
        podium("train", "directrank", "--data", fold / "train.txt", "--valid", fold / "test.txt", "--starts", "",
               "--restarts", 100, "--kicks", 0, "--early-stopping", 0, "--measure", "nDCG@10", "--diagnostics", path)
        with open(path, encoding="utf-8") as lines:
            ends = {row["start"]: row for row in csv.DictReader(lines, delimiter="\t")}
    values = {}
    for part, column in (("training", "train nDCG@10"), ("test", "valid nDCG@10")):
        many = [float(row[column]) for row in ends.values()]
        for figure in (statistics.fmean, statistics.stdev, min, max):
            values[f"{part} {figure.__name__}"] = figure(many)
    return values


def spread_table():
    values = random_starts(folds_of("MQ2007")[0])
    rows = [[part, *(f"{values[f'{part} {figure}']:.4f}" for figure in ("fmean", "stdev", "min", "max"))]
            for part in ("training", "test")]
    return markdown(["MQ2007, fold 1", "mean", "deviation", "least", "most"], rows), 0


def mslr_shaped():
    """A folder with train, vali and test of MSLR's shape: 1,000, 500 and 500 queries."""
    folder = KEPT / "mslr"
    folder.mkdir(parents=True, exist_ok=True)
    for part, queries, seed in (("train", 1000, 1), ("vali", 500, 2), ("test", 500, 3)):
        if not (folder / f"{part}.txt").exists():
            podium("synth", "--preset", "mslr", "--queries", queries, "--seed", seed, "-o", folder / f"{part}.txt")
    return folder


def rounds_table():
    rows = []
    sets = [(name, folds_of(name)[0]) for name in SETS] + [("MSLR-shaped, 1,000 queries", mslr_shaped())]
    for name, folder in sets:
        shape = podium("inspect", folder / "train.txt")
        work = shape["documents"] * shape["features"]
        for point in ("middle", "plackett-luce"):
            result = podium("train", "directrank", "--data", folder / "train.txt", "--starts", "", "--restarts", 1,
                            "--kicks", 0, "--max-rounds", 5, "--point", point)
            seconds, rounds = result["seconds"], result["iterations"]
            rows.append([name, point, f"{shape['documents']:,} × {shape['features']}", f"{seconds / rounds:.2f}",
                         f"{work * rounds / seconds / 1e6:.1f}"])
    return markdown(["data", "point", "documents × features", "seconds per round", "million document-features per second"],
                    rows), 0


def classics_table():
    rows, wrong = [], 0
    for name in ("MQ2007", "MQ2008"):
        for learner, system in (("adarank", "AdaRank-MAP"), ("rankboost", "RankBoost")):
            values = parallel(tested, [(fold, learner, "AP", "letor", "AP", "test") for fold in folds_of(name)])
            ours, theirs = statistics.fmean(v["test AP"] for v in values), published(name, ["MAP"], [system])[system]["MAP"]
            wrong += ours < theirs - 0.01
            rows.append([name, learner, f"{ours:.4f}", f"{theirs:.4f}", f"{ours - theirs:+.4f}"])
    return markdown(["set", "learner", "test MAP", "published", "difference"], rows), wrong


TABLES = {"train": train_table, "test": test_table, "err": err_table, "spread": spread_table,
          "rounds": rounds_table, "classics": classics_table}


def main():
    page = ROOT / "docs/results/directrank.md"
    wrong = 0
    for name in sys.argv[1:] or TABLES:
        text, failed = TABLES[name]()
        wrong += failed
        print(text, flush=True)
        old = page.read_text()
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        page.write_text(old[:old.index(begin) + len(begin)] + "\n" + text.rstrip("\n") + "\n\n" + old[old.index(end):])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
