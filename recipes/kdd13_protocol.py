#!/usr/bin/env python3
"""DirectRank [Tan13] as the paper ran it on LETOR (section 3.1.1): climbs nDCG@5 under LETOR's convention from 50 random starts, cyclic
coordinates, the Plackett-Luce point, nothing else; the iteration with the best MAP on the validation part is taken.

  protocol   test nDCG and winning numbers (Figure 2, Table 4) beside directrank's defaults; rounds, spread and unbounded intervals of the climbs
  table11    training nDCG@5 in every fold beside LETOR's own figures, under both conventions, and with more search
  jumps      jumping points per query against the length of the list (Table 12)

Arguments: names of tables (default: all). Writes them into docs/results/directrank.md. Figures are kept as those of kdd13_tables.py, which computes
some of them too: run it first."""
import csv
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile

from five_fold import podium
from kdd13_tables import CUTS, KEPT, OFFICIAL, SETS, fit, folds_of, kept, parallel, program, published, winning_numbers
from pages import markdown, write_table

PAGE = "directrank.md"
PUBLISHED = ["--starts", "", "--restarts", "50", "--kicks", "0", "--directions", "coordinates", "--order", "cyclic", "--point", "plackett-luce",
             "--tolerance", "0", "--early-stopping", "0"]
TABLE_4 = {"directrank": [8, 10, 10, 10, 10], "ListNet": [3, 6, 5, 7, 6], "AdaRank-MAP": [1, 3, 3, 2, 2], "AdaRank-NDCG": [4, 5, 5, 5, 5],
           "RankSVM-Struct": [4, 4, 3, 2, 3], "RankBoost": [9, 4, 4, 4, 4]}
TABLE_11 = {"AdaRank-NDCG": ".409", "ListNet": ".420", "RankBoost": ".442"}  # MQ2007; directrank .446
TABLE_12 = {"HP2003": [44.20, 50.42, 53.74, 64.60, 66.32], "HP2004": [40.76, 52.05, 59.18, 63.09, 65.11]}
LENGTHS = [50, 100, 200, 500, 1000]


def evaluated(model, data, convention, *measures):
    result = podium("eval", "--data", data, "--model", model, "--convention", convention, "--measures", ",".join(measures))
    return result["results"][0]["measures"]


@kept
def published_protocol(fold):
    """The climbs of a fold: the figures of the chosen model, the highest point of all iterations, and how the climbs went."""
    with tempfile.TemporaryDirectory() as folder:
        model, log = pathlib.Path(folder) / "model.json", pathlib.Path(folder) / "log.tsv"
        podium("train", "directrank", *PUBLISHED, "--data", fold / "train.txt", "--valid", fold / "vali.txt", "--objective", "nDCG@5",
                         "--measure", "AP", "--convention", "letor", "--model", model, "--diagnostics", log)
        with open(log, encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        values = {f"test {name}": value
                  for name, value in evaluated(model, fold / "test.txt", "letor", "AP", *(f"nDCG@{k}" for k in CUTS)).items()}
        values["chosen train"] = evaluated(model, fold / "train.txt", "letor", "nDCG@5")["nDCG@5"]
    climbed = next(name for name in rows[0] if name.startswith("train "))
    ends = {row["start"]: row for row in rows}
    heights = [float(row[climbed]) for row in ends.values()]
    return values | {"highest train": max(float(row[climbed]) for row in rows), "mean end": statistics.fmean(heights),
                     "deviation": statistics.stdev(heights), "rounds": len(rows),
                     "unbounded": sum(float(row["unbounded steps"]) for row in rows)}


def protocol_table():
    results = {name: parallel(published_protocol, [(fold,) for fold in folds_of(name)]) for name in SETS}
    defaults = {name: parallel(fit, [(fold, "directrank", "--valid", fold / "vali.txt") for fold in folds_of(name)]) for name in SETS}
    columns = [f"nDCG@{k}" for k in CUTS]
    rows, values = [], {}
    for name in SETS:
        ours = {"directrank": {k: statistics.fmean(one[f"test nDCG@{k}"] for one in results[name]) for k in CUTS},
                "defaults": {k: statistics.fmean(one[f"nDCG@{k}"] for one in defaults[name]) for k in CUTS}}
        rows.append([name, "the paper's protocol", *(f"{ours['directrank'][k]:.4f}" for k in CUTS)])
        rows.append([name, "our defaults", *(f"{ours['defaults'][k]:.4f}" for k in CUTS)])
        if name != "OHSUMED":
            theirs = published(name, [f"NDCG@{k}" for k in CUTS])
            values[name] = ours | {system: {k: theirs[system][f"NDCG@{k}"] for k in CUTS} for system in OFFICIAL}
            best = {k: max((values[name][system][k], system) for system in OFFICIAL) for k in CUTS}
            rows.append([name, "best of LETOR's five", *(f"{best[k][0]:.4f} ({best[k][1]})" for k in CUTS)])
    text = "### Test nDCG\n\n" + markdown(["set", "directrank", *columns], rows) + "\n"

    sets = list(values)
    paper = winning_numbers({s: {a: v for a, v in values[s].items() if a != "defaults"} for s in sets}, sets)
    plain = winning_numbers({s: {a: v for a, v in values[s].items() if a != "directrank"} for s in sets}, sets)
    wins = [["directrank, the paper's protocol", *(f"{paper['directrank'][k]} ({w})" for k, w in zip(CUTS, TABLE_4["directrank"]))],
            ["directrank, our defaults", *(str(plain["defaults"][k]) for k in CUTS)]]
    wins += [[system, *(f"{paper[system][k]} ({w})" for k, w in zip(CUTS, TABLE_4[system]))] for system in OFFICIAL]
    text += "### Winning numbers, with the paper's Table 4 in parentheses\n\n" + markdown(["system", *(f"@{k}" for k in CUTS)], wins) + "\n"

    rows = []
    for name in SETS:
        shape = podium("inspect", folds_of(name)[0] / "train.txt")
        many = results[name]
        rounds, unbounded = sum(one["rounds"] for one in many), sum(one["unbounded"] for one in many)
        rows.append([name, f"{statistics.fmean(one['mean end'] for one in many):.4f}", f"{statistics.fmean(one['deviation'] for one in many):.4f}",
                     f"{rounds / (50 * len(many)):.1f}", f"{unbounded:.0f} of {rounds * shape['features']:,}"])
    text += "### The climbs\n\n" + markdown(["set", "training nDCG@5 at the end, mean", "deviation, mean of the folds", "rounds per climb",
                                             "steps into an unbounded interval"], rows)
    return text


def letor_training(name, system):
    """LETOR's own training nDCG@5, one per fold."""
    folder = pathlib.Path(os.environ["PODIUM_DATA"]) / "fixtures/letor4-official-results"
    if system == "ListNet":
        with open(folder / f"ListNet-official.{name}.train.csv", encoding="utf-8") as lines:
            return [float(row["NDCG@5"]) for row in csv.DictReader(lines) if row["Folds"].startswith("Fold")]
    lines = (folder / f"{system}.{name}.txt").read_text().split("Performance on training set")[1].splitlines()
    head, *rows = [line.split() for line in lines if line.split()]
    return [float(row[head.index("NDCG@5")]) for row in rows[:5]]


@kept
def highest(fold, convention, *more):
    """Training nDCG@5 under both conventions of directrank's highest point where it climbs under `convention`; with `more` options it continues
    from the point that it reaches without."""
    with tempfile.TemporaryDirectory() as folder:
        model = KEPT / f"highest-{convention}-{fold.parent.name}-{fold.name}-{program()[:16]}.json"
        climb = ["--data", fold / "train.txt", "--measure", "nDCG@5", "--convention", convention]
        if more:
            further = pathlib.Path(folder) / "model.json"
            podium("train", "directrank", *climb, "--init", model, "--restarts", 0, "--starts", "", *more, "--model", further)
            model = further
        else:
            podium("train", "directrank", *climb, "--model", model)
        return {c: evaluated(model, fold / "train.txt", c, "nDCG@5")["nDCG@5"] for c in ("podium", "letor")}


def table11():
    text = ""
    for name in ("MQ2007", "MQ2008"):
        rows = [[system, "LETOR", letor_training(name, system), TABLE_11.get(system) if name == "MQ2007" else None]
                for system in ("AdaRank-NDCG", "RankSVM-Struct", "ListNet", "RankBoost")]
        folds = [(fold,) for fold in folds_of(name)]
        protocol = parallel(published_protocol, folds)
        letor = parallel(highest, [(*fold, "letor") for fold in folds])
        rows.append(["paper's protocol, chosen by validation MAP", "letor", [one["chosen train"] for one in protocol], ".446"])
        rows.append(["paper's protocol, highest iteration", "letor", [one["highest train"] for one in protocol], ".446"])
        if name == "MQ2007":
            standard = parallel(highest, [(*fold, "podium") for fold in folds])
            rows.append(["our defaults, climbing `podium`", "podium", [one["podium"] for one in standard], None])
            rows.append(["the same models", "letor", [one["letor"] for one in standard], ".446"])
        rows.append(["our defaults, climbing `letor`", "letor", [one["letor"] for one in letor], ".446"])
        if name == "MQ2007":
            more = parallel(highest, [(*fold, "letor", "--kicks", "60") for fold in folds])
            rows.append(["60 more kicks from there", "letor", [one["letor"] for one in more], ".446"])
        cells = [[who, convention, *(f"{v:.4f}" for v in many), f"{statistics.fmean(many):.4f}", (paper or "—") if name == "MQ2007" else "—"]
                 for who, convention, many, paper in rows]
        text += f"### Training nDCG@5, {name}\n\n" + markdown(
            ["directrank, or LETOR's system", "evaluated by", *(f"fold {k}" for k in range(1, 6)), "mean", "paper"], cells) + "\n"
    return text


def queries_of(paths, shortest):
    """The lines of every query with at least so many documents."""
    lists = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                lists.setdefault(line.split(" ", 2)[1], []).append(line)
    return [many for many in lists.values() if len(many) >= shortest]


def count_jumps(lists, length, model, folder):
    """Of lists cut to their first documents, along the first feature: swaps among the first five places, and changes of nDCG@5, per query.
    With a grade of its own for every document each swap changes DCG."""
    counts = []
    for measure, distinct in (("DCG(gain=linear)@5", True), ("nDCG@5", False)):
        cut = folder / "cut.txt"
        with open(cut, "w", encoding="utf-8") as out:
            for many in lists:
                for place, line in enumerate(many[:length]):
                    out.write(f"{place} {line.split(' ', 1)[1]}" if distinct else line)
        counts.append(podium("explain", "--line", "1", "--model", model, "--data", cut, "--measure", measure)["jumps"] / len(lists))
    return counts


def jumps_table():
    """Per set and weights: how many swaps, how many changes of nDCG@5."""
    rows = {0: [[f"{name} (paper)", "?", "?", *(f"{v:.2f}" for v in many)] for name, many in TABLE_12.items()], 1: []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sets = []
        for preset in ("letor", "mslr"):
            podium("synth", "--preset", preset, "--queries", 50, "--docs", 1400, "--seed", 1, "-o", folder / f"{preset}.txt")
            sets.append((f"synthetic, {preset}", [folder / f"{preset}.txt"], LENGTHS))
        for title, lengths in (("OHSUMED", LENGTHS[:3]), ("MQ2007", LENGTHS[:2])):
            sets.append((title, [folds_of(title)[0] / f"{part}.txt" for part in ("train", "vali", "test")], lengths))
        for title, paths, lengths in sets:
            lists = queries_of(paths, lengths[-1])
            model = folder / "model.json"
            podium("train", "ranksvm", "--data", paths[0], "--model", model)
            for weights in ("ranksvm", "random"):
                if weights == "random":
                    saved, draw = json.loads(model.read_text()), random.Random(1)
                    saved["model"]["weights"] = [draw.uniform(-1, 1) for _ in saved["model"]["weights"]]
                    model.write_text(json.dumps(saved))
                counts = [count_jumps(lists, length, model, folder) for length in lengths]
                for kind, table in rows.items():
                    table.append([title, weights, str(len(lists)), *(f"{one[kind]:.2f}" for one in counts), *("—" for _ in LENGTHS[len(lengths):])])
    head = ["data", "other weights", "queries", *(f"m = {m}" for m in LENGTHS)]
    return ("### Swaps among the first five places, per query\n\n" + markdown(head, rows[0]) +
            "\n### Changes of nDCG@5, per query\n\n" + markdown(head, rows[1]))


TABLES = {"protocol": protocol_table, "table11": table11, "jumps": jumps_table}


def main():
    for name in sys.argv[1:] or TABLES:
        text = TABLES[name]()
        print(text, flush=True)
        write_table(PAGE, name, text)


if __name__ == "__main__":
    main()
