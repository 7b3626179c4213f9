#!/usr/bin/env python3
"""Podium and its peers on the same data on this machine: contest.py PODIUM LINE_SEARCH_BENCHMARK FOLDER [--quick] [--only NAME,...].

Every contest runs its sides in turn (A B A B ...), at least three times each, with the same number of threads, and compares medians.
Writes benchmarks/results/<date>.json and docs/benchmarks.md; --quick is smaller, runs once, and writes to FOLDER instead. The contests
are in the list CONTESTS below; each returns rows: what, side, figure, ratio to Podium, and the bar."""
import argparse
import datetime
import json
import pathlib
import platform
import sys
from importlib import metadata

import rows
from measured import measure

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ["lightgbm", "xgboost", "catboost", "scikit-learn", "treelite", "pytrec-eval-terrier", "ir-measures", "ranx"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium", type=pathlib.Path)
    parser.add_argument("line_search", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data, one run each")
    parser.add_argument("--only", help="names of contests, comma-separated: " + ", ".join(rows.CONTESTS))
    parser.add_argument("--repeats", type=int, help="runs of each side (default 3)")
    return parser.parse_args()


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def table(results):
    lines = ["| work | tool | figure | against Podium | bar | holds |", "|---|---|---|---|---|---|"]
    for row in results:
        lines.append("| " + " | ".join([row["work"], row["tool"], row["figure"], row["ratio"], row["bar"], row["holds"]]) + " |")
    return "\n".join(lines)


def page(results, about):
    return f"""# Podium beside its peers

Made by `make bench-peers` on {about['date']}: {about['processor']}, {about['cores']} cores seen. {about['podium']}. {', '.join(f'{k} {v}' for k, v in about['peers'].items())}, RankLib
(RankyMcRankFace) 0.1.1. Medians of {about['repeats']} runs each, run in turn. Times depend on the machine; ratios much less. What bounds Podium is in
[performance.md](performance.md).

{table(results)}

`ratio` is Podium's time (or memory) over the peer's where the bar is "≤", and the peer's over Podium's where it is "≥".
"""


def main():
    options = parse()
    chosen = options.only.split(",") if options.only else list(rows.CONTESTS)
    for name in chosen:
        if name not in rows.CONTESTS:
            sys.exit(f"no contest '{name}'; there are {', '.join(rows.CONTESTS)}")
    setting = rows.Setting(options.podium.resolve(), options.line_search.resolve(), options.folder.resolve(), options.quick,
                           options.repeats or (1 if options.quick else 3))
    results = []
    for name in chosen:
        print(f"== {name}", flush=True)
        for row in rows.CONTESTS[name](setting):
            print(f"{row['work']} | {row['tool']} | {row['figure']} | {row['ratio']} | {row['bar']} | {row['holds']}", flush=True)
            results.append(row)
    import os
    about = {"date": datetime.date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(), "repeats": setting.repeats,
             "podium": measure([options.podium, "--version"]) and "Podium " + rows.version(options.podium),
             "peers": {name: metadata.version(name) for name in PACKAGES}}
    whole = not options.quick and not options.only
    target = ROOT / f"benchmarks/results/{about['date']}.json" if whole else options.folder / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"about": about, "rows": results}, indent=1) + "\n")
    document = ROOT / "docs/benchmarks.md" if whole else options.folder / "benchmarks.md"
    document.write_text(page(results, about))
    print(f"\n{table(results)}\n\nin {target} and {document}")


if __name__ == "__main__":
    main()
