#!/usr/bin/env python3
"""How training scales over ranks: benchmarks/scaling.py PODIUM [--queries 1000]. Writes docs/scaling.md.

Measures strong scaling (the same data on 1, 2 and 4 ranks) and weak scaling (as much data a rank) of one learner of each trainer, one thread per rank,
and the bytes that were sent; checks that all models are the same file. From the one-rank times it takes the cost of a document-feature, and with
that, the formulas for what is sent, and an assumed network computes what 10^9 documents x 500 features cost on 100 machines."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANKS = (1, 2, 4)
FEATURES, DOCUMENTS = 136, 120  # of the measured data, MSLR-shaped
# Learner, its options, and what an iteration is called.
LEARNERS = {
    "ranksvm": (["--C", "1"], "passes"),
    "lambdamart": (["--trees", "20", "--leaves", "31"], "trees"),
    "ranknet": (["--epochs", "10"], "evaluations"),
    "adarank": (["--rounds", "10"], "rounds"),
    "rankboost": (["--rounds", "10"], "rounds"),
    "directrank": (["--restarts", "1", "--starts", "", "--kicks", "0", "--max-rounds", "1"], "rounds"),
}
# The plan: machines of the cluster that the projection assumes.
MACHINES, CORES, NETWORK, MEMORY_BANDWIDTH = 100, 32, 1.25e9, 100e9  # bytes per second
PLAN_DOCUMENTS, PLAN_FEATURES, PLAN_LIST = 1e9, 500, 100
LEAVES, BINS, HIDDEN = 31, 255, 64


def run(podium, learner, data, ranks, model):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    command += [podium, "train", learner, "--data", data, "--model", model, "--threads", "1", "--quiet", "--json", *LEARNERS[learner][0]]
    diagnostics = pathlib.Path(model).with_suffix(".tsv")
    command += ["--diagnostics", diagnostics]
    began = time.perf_counter()
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    said = json.loads(result.stdout.strip().splitlines()[-1])
    names, values = (line.split("\t") for line in diagnostics.read_text().splitlines()[:2])
    passes = float(values[names.index("passes")]) if "passes" in names else said["iterations"]  # a line a C, not a pass
    return {"wall": time.perf_counter() - began, "train": said["seconds"], "sent": said.get("bytes_sent", 0), "iterations": max(1, passes)}


def synth(podium, queries, folder):
    text, cache = folder / f"{queries}.txt", folder / f"{queries}.podium"
    subprocess.run([podium, "synth", "--preset", "mslr", "--queries", str(queries), "--seed", "1", "--quiet", "-o", text], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([podium, "prepare", text, "-o", cache, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    text.unlink()
    return cache


def measured(podium, queries, folder):
    data = {n: synth(podium, queries * n, folder) for n in (1, 2, 4)}
    rows = []
    for learner in LEARNERS:
        files = set()
        for ranks in RANKS:
            strong = run(podium, learner, data[4], ranks, folder / "strong.json")
            files.add((folder / "strong.json").read_bytes())
            weak = run(podium, learner, data[ranks], ranks, folder / "weak.json")
            rows.append({"learner": learner, "ranks": ranks, "strong": strong, "weak": weak})
            print(learner, ranks, f"strong {strong['train']:.2f} s, weak {weak['train']:.2f} s, sent {strong['sent'] / 1e6:.2f} MB", flush=True)
        if len(files) != 1:
            sys.exit(f"{learner}: the model depends on the number of ranks")
    return rows


def measured_table(rows):
    lines = ["| learner | ranks | the same data: s | against 1 rank | data grows with the ranks: s | against 1 rank | sent by all ranks, MB |", "|---|---|---|---|---|---|---|"]
    first = {}
    for row in rows:
        one = first.setdefault(row["learner"], row)
        lines.append(f"| `{row['learner']}` | {row['ranks']} | {row['strong']['train']:.2f} | {row['strong']['train'] / one['strong']['train']:.2f} × | "
                     f"{row['weak']['train']:.2f} | {row['weak']['train'] / one['weak']['train']:.2f} × | {row['strong']['sent'] / 1e6:.2f} |")
    return "\n".join(lines)


def all_reduce(payload):
    """Bytes that a machine sends for a sum of `payload` bytes: a ring for integers."""
    return 2 * payload * (MACHINES - 1) / MACHINES


def doubling(payload):
    """The same for order-free sums: 32 bytes an element, recursive doubling."""
    return 4 * payload * math.ceil(math.log2(MACHINES))


def plan(rows, queries):
    """What an iteration costs at the plan's size: (learner, iteration, memory per machine in GB, sent per machine in MB, seconds computing, seconds sending)."""
    cells = PLAN_DOCUMENTS * PLAN_FEATURES / MACHINES
    share = PLAN_DOCUMENTS / MACHINES
    one = {row["learner"]: row["strong"] for row in rows if row["ranks"] == 1}
    here = 4 * queries * DOCUMENTS * FEATURES
    cost = {name: figures["train"] / figures["iterations"] / here for name, figures in one.items()}  # seconds per document-feature on one core
    raw, bins = 4 * cells / 1e9, cells / 1e9
    weights = PLAN_FEATURES * HIDDEN
    forms = {
        "ranksvm": ("pass", raw + share * 40 / 1e9, doubling(8 * PLAN_FEATURES) + 3 * 592),
        "lambdamart": ("tree", bins + share * 48 / 1e9, all_reduce((LEAVES - 1) * 16 * PLAN_FEATURES * BINS)),
        "ranknet": ("evaluation, linear", raw + share * 24 / 1e9, doubling(8 * PLAN_FEATURES)),
        f"ranknet --hidden {HIDDEN}": ("batch of 1,000 queries", raw + share * 24 / 1e9, doubling(8 * weights)),
        "adarank": ("round", raw + share * 24 / 1e9, all_reduce(16 * PLAN_FEATURES)),
        "rankboost": ("round", 2 * bins + share * 48 / 1e9, all_reduce(2056 * PLAN_FEATURES)),
        "directrank": ("round of d searches", raw + share * 40 / 1e9, PLAN_FEATURES * 0.5e6),
    }
    lines = ["| trainer | iteration | memory per machine, GB | sent per machine, MB | computing, s | sending, s | machines at which both are equal |", "|---|---|---|---|---|---|---|"]
    for name, (iteration, memory, sent) in forms.items():
        base = name.split()[0]
        work = cells if "hidden" not in name else 1000 * PLAN_LIST * PLAN_FEATURES * HIDDEN / MACHINES
        seconds = work * cost[base] / CORES
        sending = sent / NETWORK + 20e-6 * math.ceil(math.log2(MACHINES))
        lines.append(f"| `{name}` | {iteration} | {memory:.1f} | {sent / 1e6:.2f} | {seconds:.3g} | {sending:.3g} | {MACHINES * seconds / sending:.3g} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium")
    parser.add_argument("--queries", type=int, default=500, help="of the weak scaling's one rank")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(options.podium, options.queries, pathlib.Path(folder))
    text = (ROOT / "benchmarks/scaling.md.in").read_text()
    for name, value in {"MEASURED": measured_table(rows), "PLAN": plan(rows, options.queries), "CORES": str(os.cpu_count()),
                        "DOCUMENTS": f"{options.queries * 4 * DOCUMENTS:,}", "WEAK": f"{options.queries * DOCUMENTS:,}"}.items():
        text = text.replace(f"@{name}@", value)
    (ROOT / "docs/scaling.md").write_text(text)
    print("in docs/scaling.md")


if __name__ == "__main__":
    main()
