#!/usr/bin/env python3
"""DirectRank's tables [Tan13] on MQ2007, MQ2008, OHSUMED and synthetic data of MSLR's shape.

  train   training nDCG@5 of every linear learner in every fold (the paper's Table 11); exits 1 where directrank
          is not the highest
  test    five-fold test nDCG and winning numbers (Figure 2, Table 4), beside LETOR's published results
  err     directrank trained for ERR and MAP, in full and truncated at 10 (Table 8)
  spread  nDCG@10 over 100 random starts (section 3.3)
  rounds  time of one round (Table 13)
  trees   directrank-trees against mart and lambdamart (Table 10)

Arguments: names of tables (default: all). Writes them into docs/results/directrank.md."""
import concurrent.futures
import csv
import functools
import os
import pathlib
import statistics
import sys
import tempfile

from five_fold import ROOT, data_folder, one_fold, podium

SETS = ["MQ2008", "MQ2007", "OHSUMED"]
LINEAR = ["linear", "ranksvm", "svm-acc", "svm-auc", "svm-map", "svm-ndcg", "svm-ndcg-nc", "svm-mrr", "svm-combo",
          "dorm", "ranknet", "lambdarank", "listnet", "listmle", "rankcosine", "smoothrank", "softrank", "adarank",
          "coordinate-ascent", "feature"]
OFFICIAL = ["AdaRank-MAP", "AdaRank-NDCG", "RankBoost", "RankSVM-Struct", "ListNet"]
CUTS = [1, 3, 5, 8, 10]


def folds_of(name):
    return [data_folder([name]) / name / f"Fold{k}" for k in range(1, 6)]


def parallel(work, tasks):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda task: work(*task), tasks))


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def fit(fold, learner, *more):
    """Training nDCG@5, and test nDCG at every cut under LETOR's convention."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        trained = podium("train", learner, "--data", fold / "train.txt", "--model", model, "--measure", "nDCG@5", *more)
        tested = podium("eval", "--data", fold / "test.txt", "--model", model, "--convention", "letor", "--measures",
                        ",".join(f"nDCG@{k}" for k in CUTS))
    values = tested["results"][0]["measures"]
    return {"train": trained["measures"]["train"]["nDCG@5"], **{k: values[f"nDCG@{k}"] for k in CUTS}}


@functools.cache
def linear_results():
    """{(set, learner): one result a fold}, with the validation part to choose on."""
    tasks = [(name, learner, fold) for name in SETS for learner in ["directrank", *LINEAR] for fold in folds_of(name)]
    results = {}
    values = parallel(lambda name, learner, fold: fit(fold, learner, "--valid", fold / "vali.txt"), tasks)
    for (name, learner, _), value in zip(tasks, values):
        results.setdefault((name, learner), []).append(value)
    return results


def train_table():
    wrong, text = 0, ""
    for name in SETS:
        rows = {"directrank": [value["train"] for value in parallel(fit, [(fold, "directrank") for fold in folds_of(name)])]}
        rows |= {learner: [value["train"] for value in linear_results()[name, learner]] for learner in LINEAR}
        wrong += sum(rows["directrank"][k] <= max(rows[learner][k] for learner in LINEAR) for k in range(5))
        text += f"### {name}\n\n" + markdown(
            ["learner", *(f"fold {k}" for k in range(1, 6)), "mean"],
            [[learner, *(f"{v:.4f}" for v in many), f"{statistics.fmean(many):.4f}"] for learner, many in rows.items()]) + "\n"
    return text, wrong


def published(name):
    """{system: {cut: test nDCG, averaged over the folds}} of LETOR 4.0's baselines."""
    folder = pathlib.Path(os.environ["PODIUM_DATA"]) / "fixtures/letor4-official-results"
    values = {}
    for system in OFFICIAL:
        if system == "ListNet":
            rows = list(csv.DictReader(open(folder / f"ListNet-official.{name}.test.csv", encoding="utf-8")))
            folds = [row for row in rows if row["Folds"].startswith("Fold")]
            values[system] = {k: statistics.fmean(float(row[f"NDCG@{k}"]) for row in folds) for k in CUTS}
        else:
            lines = (folder / f"{system}.{name}.txt").read_text().splitlines()
            head = next(i for i, line in enumerate(lines) if line.startswith("Folds"))
            average = next(line for line in lines[head:] if line.startswith("average")).split()
            names = lines[head].split()
            values[system] = {k: float(average[names.index(f"NDCG@{k}")]) for k in CUTS}
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
    results = linear_results()
    values = {name: {learner: {k: statistics.fmean(fold[k] for fold in results[name, learner])
                               for k in CUTS} for learner in ["directrank", *LINEAR]} for name in SETS}
    text = ""
    with_official = {}
    for name in SETS:
        rows = dict(values[name])
        if name != "OHSUMED":
            official = published(name)
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


def err_table():
    text = []
    light = "--restarts 4 --kicks 4"
    for measure, forces in [("ERR", "err"), ("AP", "ap")]:
        learners = [("directrank", f"directrank {light} --objective {measure}"),
                    ("directrank @10", f"directrank {light} --objective {measure}@10"),
                    ("lambdarank", f"lambdarank --objective {forces}"),
                    ("adarank", f"adarank --objective {measure}"),
                    ("coordinate-ascent", f"coordinate-ascent --objective {measure}"),
                    ("rankboost", "rankboost")]
        tasks = [(fold, learner, {"podium": measure}, ("train", "test"), ("--measure", measure))
                 for _, learner in learners for fold in folds_of("MQ2007")]
        values = parallel(one_fold, tasks)
        for part in ("train", "test"):
            means = [statistics.fmean(v[part, measure] for v in values[5 * i:5 * i + 5]) for i in range(len(learners))]
            text.append([f"{'MAP' if measure == 'AP' else measure}, {part}", *(f"{mean:.4f}" for mean in means)])
    return markdown(["", *(name for name, _ in learners)], text), 0


def last_values(diagnostics, column):
    """The column's value where each start's climb ended."""
    ends = {}
    for row in csv.DictReader(open(diagnostics, encoding="utf-8"), delimiter="\t"):
        ends[row["start"]] = float(row[column])
    return list(ends.values())


def spread_table():
    fold = folds_of("MQ2007")[0]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log.tsv"
        podium("train", "directrank", "--data", fold / "train.txt", "--valid", fold / "test.txt", "--starts", "",
               "--restarts", 100, "--kicks", 0, "--early-stopping", 0, "--measure", "nDCG@10", "--diagnostics", path)
        for part, column in (("training", "train nDCG@10"), ("test", "valid nDCG@10")):
            ends = last_values(path, column)
            rows.append([part, f"{statistics.fmean(ends):.4f}", f"{statistics.stdev(ends):.4f}", f"{min(ends):.4f}",
                         f"{max(ends):.4f}"])
    return markdown(["MQ2007, fold 1", "mean", "deviation", "least", "most"], rows), 0


def rounds_table():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        mslr = pathlib.Path(folder) / "mslr.podium"
        podium("synth", "--preset", "mslr", "--queries", 1000, "-o", mslr)
        sets = [(name, folds_of(name)[0] / "train.txt") for name in SETS] + [("MSLR-shaped, 1,000 queries", mslr)]
        for name, data in sets:
            for point in ("middle", "plackett-luce"):
                result = podium("train", "directrank", "--data", data, "--starts", "", "--restarts", 1, "--kicks", 0,
                                "--max-rounds", 5, "--point", point)
                seconds, rounds = result["seconds"], result["iterations"]
                shape = podium("inspect", data)
                work = shape["documents"] * shape["features"]
                rows.append([name, point, f"{shape['documents']:,} × {shape['features']}", f"{seconds / rounds:.2f}",
                             f"{work * rounds / seconds / 1e6:.1f}"])
    return markdown(["data", "point", "documents × features", "seconds a round", "million document-features a second"],
                    rows), 0


def trees_table():
    names = ["mart", "lambdamart", "directrank-trees", "directrank-trees --learning-rate 0.3",
             "directrank-trees --learning-rate 0.3 --leverage 3"]
    measures = ["nDCG@1", "nDCG@10"]
    text = ""
    with tempfile.TemporaryDirectory() as folder:
        mslr = pathlib.Path(folder)
        for part, seed in (("train", 1), ("vali", 2), ("test", 3)):
            podium("synth", "--preset", "mslr", "--queries", 1000 if part == "train" else 500, "--seed", seed, "-o",
                   mslr / f"{part}.txt")
        for title, folds in [("MSLR-shaped, 1,000 queries", [mslr]), ("MQ2007, five folds", folds_of("MQ2007"))]:
            tasks = [(fold, f"{name} --leaves {leaves}", {"podium": ",".join(measures)}, ("test",),
                      ("--measure", "nDCG@10")) for name in names for leaves in (10, 30, 50) for fold in folds]
            values = iter(parallel(one_fold, tasks))
            rows = []
            for name in names:
                for leaves in (10, 30, 50):
                    many = [next(values) for _ in folds]
                    rows.append([name, str(leaves), *(f"{statistics.fmean(v['test', m] for v in many):.4f}" for m in measures)])
            text += f"### {title}\n\n" + markdown(["learner", "leaves", *measures], rows) + "\n"
    return text, 0


TABLES = {"train": train_table, "test": test_table, "err": err_table, "spread": spread_table,
          "rounds": rounds_table, "trees": trees_table}


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
