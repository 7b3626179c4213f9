#!/usr/bin/env python3
"""DirectRank with regression trees [Tan13]: Table 10 and the questions of section 4, on synthetic data of MSLR's shape
and on MQ2007.

  trees           test nDCG of mart, lambdamart and directrank-trees with 10, 30 and 50 leaves, after training on 1,000,
                  4,000 and 16,000 queries (10 and 30 leaves) (Table 10)
  tree variants   clipped weights, leveraging, and trees nearer to the measure (sections 2.4 and 4), on 1,000 and, where
                  there is time, 4,000 queries
  trees, MQ2007   the same systems on MQ2007, five folds

Arguments: names of tables (default: all). Writes them into docs/results/directrank.md. Figures are kept in
build/recipes/kdd13 under the program's checksum, so that an interrupted run continues where it ended."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import statistics
import sys
import tempfile

from five_fold import ROOT, data_folder, podium, program
from pages import markdown, write_table

KEPT = ROOT / "build/recipes/kdd13"
SIZES = {1000: [10, 30, 50], 4000: [10, 30, 50], 16000: [10, 30]}  # training queries: leaves
MEASURES = ["nDCG@1", "nDCG@10"]
STOP = "--trees 300 --early-stopping 40"
PAPER = "directrank-trees --weigh-on all --query-fraction 1 --learning-rate 1 --outside clip"
HALF = "--weigh-on held-out --query-fraction 0.5 --learning-rate 0.3"
SYSTEMS = {"mart": "mart", "mart, 0.3": "mart --learning-rate 0.3", "lambdamart": "lambdamart", "paper": PAPER,
           "default": "directrank-trees"}
VARIANTS = {  # with 10 leaves: (learner, sizes)
    "`mart`": ("mart", [1000, 4000]),
    "`mart --learning-rate 0.3`": ("mart --learning-rate 0.3", [1000, 4000]),
    "`lambdamart`": ("lambdamart", [1000, 4000]),
    "half of the queries": (f"directrank-trees {HALF}", [1000, 4000]),
    "half, `--leverage 3`": (f"directrank-trees {HALF} --leverage 3", [1000]),
    "half, `--weigh leaves`": (f"directrank-trees {HALF} --weigh leaves", [1000]),
    "half, `--loss lambda-ndcg`": (f"directrank-trees {HALF} --loss lambda-ndcg", [1000]),
    "the paper's": (PAPER, [1000, 4000]),
    "the paper's, `--outside search`": (PAPER.replace("clip", "search"), [1000, 4000]),
    "the paper's, `--weigh leaves`": (f"{PAPER} --weigh leaves", [1000]),
    "`--strategy leverage`, 3 passes": ("directrank-trees --strategy leverage --leverage 3", [1000]),
}


def synthetic(part, queries, seed):
    """A file of MSLR's shape. A smaller one has the first queries of a larger one of the same seed."""
    path = KEPT / f"mslr-{part}-{queries}.podium"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}.podium")
        podium("synth", "--preset", "mslr", "--queries", queries, "--seed", seed, "-o", fresh)
        fresh.rename(path)
    return path


def of_size(queries):
    """Training queries, and the 1,000 validation and test queries that all sizes share."""
    return synthetic("train", queries, 1), synthetic("vali", 1000, 2), synthetic("test", 1000, 3)


def mq2007():
    folds = [data_folder(["MQ2007"]) / f"MQ2007/Fold{k}" for k in range(1, 6)]
    return [tuple(fold / f"{part}.txt" for part in ("train", "vali", "test")) for fold in folds]


def tested(data, learner):
    """Training nDCG@10, test nDCG and seconds, computed once for each program, data and learner."""
    files = [str(path).removeprefix(str(ROOT)) for path in data]
    name = " ".join([program(), *files, learner])
    cell = KEPT / f"trees-{hashlib.sha256(name.encode()).hexdigest()[:24]}.json"
    if not cell.exists():
        train, valid, test = data
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model.json"
            summary = podium("train", *learner.split(), "--data", train, "--valid", valid, "--model", model,
                             "--measure", "nDCG@10")
            result = podium("eval", "--data", test, "--model", model, "--measures", ",".join(MEASURES))
        values = {"train": summary["measures"]["train"]["nDCG@10"], "seconds": summary["seconds"],
                  **result["results"][0]["measures"]}
        cell.parent.mkdir(parents=True, exist_ok=True)
        fresh = cell.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"cell": name, "values": values}))
        fresh.rename(cell)
    return json.loads(cell.read_text())["values"]


def all_tested(tasks):
    """{task: values} of tasks (data, learner), the largest data first."""
    tasks = sorted(set(tasks), key=lambda task: -task[0][0].stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(tasks, pool.map(lambda task: tested(*task), tasks)))


def in_bold(values):
    return [f"**{v:.4f}**" if v == max(values) else f"{v:.4f}" for v in values]


def leaves_table(data, numbers, systems=SYSTEMS):
    """Table 10's shape: a row for each number of leaves, a column for each measure and system. Figures are means over
    the sets of `data`."""
    tasks = {(name, leaves): [(one, f"{learner} --leaves {leaves} {STOP}") for one in data]
             for name, learner in systems.items() for leaves in numbers}
    values = all_tested(task for many in tasks.values() for task in many)
    rows = []
    for leaves in numbers:
        row = [str(leaves)]
        for measure in MEASURES:
            means = {name: statistics.fmean(values[task][measure] for task in tasks[name, leaves]) for name in systems}
            row += in_bold(means.values())
        rows.append(row)
    return markdown(["leaves", *(f"{name} @{m.split('@')[1]}" for m in MEASURES for name in systems)], rows)


def sizes_table():
    """Without the default at the largest size, where it is the paper's setting but for weights outside the range."""
    few = {name: learner for name, learner in SYSTEMS.items() if name != "default"}
    tables = {queries: leaves_table([of_size(queries)], numbers, few if queries == max(SIZES) else SYSTEMS)
              for queries, numbers in reversed(SIZES.items())}
    return "\n".join(f"### {queries:,} training queries\n\n{tables[queries]}" for queries in SIZES)


def variants_table():
    task = {(name, queries): (of_size(queries), f"{learner} --leaves 10 {STOP}")
            for name, (learner, sizes) in VARIANTS.items() for queries in sizes}
    values = all_tested(task.values())
    columns, shown = ["train", *MEASURES, "seconds"], sorted({queries for _, queries in task})
    rows = []
    for name in VARIANTS:
        row = [name]
        for queries in shown:
            one = values[task[name, queries]] if (name, queries) in task else None
            row += [f"{one[c]:.0f}" if c == "seconds" else f"{one[c]:.4f}" for c in columns] if one else ["—"] * len(columns)
        rows.append(row)
    names = ["training nDCG@10", "test nDCG@1", "test nDCG@10", "seconds"]
    return markdown(["10 leaves", *(f"{queries:,}: {name}" for queries in shown for name in names)], rows)


def mq2007_table():
    return leaves_table(mq2007(), [10, 30])


TABLES = {"trees": sizes_table, "tree variants": variants_table, "trees, MQ2007": mq2007_table}


def main():
    for name in sys.argv[1:] or TABLES:
        text = TABLES[name]()
        print(text, flush=True)
        write_table("directrank.md", name, text)


if __name__ == "__main__":
    main()
