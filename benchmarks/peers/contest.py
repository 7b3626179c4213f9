#!/usr/bin/env python3
"""Podium and its peers on the same data on this machine: contest.py PODIUM LINE_SEARCH_BENCHMARK FOLDER [--quick] [--only NAME,...].

Every contest runs its sides in turn (A B A B ...), at least three times each, with the same number of threads, and compares medians.
The contests are those of rows.CONTESTS; each gives rows: what, tool, figure, ratio to Podium, the bar, and whether it holds. A contest's
rows go into benchmarks/results/<date>.json as soon as it ends, so that one can be run again by itself, and all that is there into
docs/benchmarks.md. --quick is a tenth of the data and of the trees, runs once, judges nothing, and writes into FOLDER instead."""
import argparse
import datetime
import json
import os
import pathlib
import platform
from importlib import metadata

import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ["lightgbm", "xgboost", "catboost", "scikit-learn", "treelite", "pytrec-eval-terrier", "ir-measures", "ranx"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium", type=pathlib.Path)
    parser.add_argument("line_search", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data, one run each")
    parser.add_argument("--only", help="names of contests, comma-separated: " + ", ".join(rows.CONTESTS))
    parser.add_argument("--repeats", type=int, help="runs of each side (default 3)")
    options = parser.parse_args()
    options.only = options.only.split(",") if options.only else list(rows.CONTESTS)
    if unknown := [name for name in options.only if name not in rows.CONTESTS]:
        parser.error(f"no contest '{unknown[0]}'; there are {', '.join(rows.CONTESTS)}")
    return options


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def about(setting):
    return {"date": datetime.date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(), "repeats": setting.repeats,
            "podium": rows.version(setting.podium), "peers": {name: metadata.version(name) for name in PACKAGES}}


def table(results):
    lines = ["| work | tool | figure | against Podium | bar | holds |", "|---|---|---|---|---|---|"]
    for row in results:
        lines.append("| " + " | ".join([row["work"], row["tool"], row["figure"], row["ratio"], row["bar"], row["holds"]]) + " |")
    return "\n".join(lines)


def page(contests):
    done = [name for name in rows.CONTESTS if name in contests]
    last = contests[done[-1]]["about"]
    peers = ", ".join(f"{name} {version}" for name, version in last["peers"].items())
    missing = [name for name in rows.CONTESTS if name not in contests]
    return f"""# Podium beside its peers

Made by `make bench-peers` on {last['date']}: {last['processor']}, {last['cores']} cores; Podium {last['podium']}, {peers},
RankLib (RankyMcRankFace) 0.1.1. Medians of {last['repeats']} runs each, the sides in turn, with the same number of threads where a tool has a
choice (pytrec_eval, ir_measures and LinearSVC have one); a peer that grew its trees 1.4 times as long as the fastest peer in the first turn was
not run again. Times depend on the machine, ratios much less.

"Against Podium" is Podium's time (or memory) over the peer's in works whose bar is "≤", and the peer's over Podium's, how many times faster
Podium is, in those whose bar is "≥". Growing trees is without reading and binning for everybody. Memory is a process's peak; that of the
Python tools has about 150 MB of Python and its packages in it. XGBoost bins while it grows its first tree, so reading and binning has one
tree there. Reading TREC files into the Python tools' dictionaries is a plain loop. RankLib has its defaults; AdaRank's path wanders with
tolerance and measure, and the options in the table are the first of a short list that reach RankLib's figure. What bounds Podium, and what
was tried, is in [performance.md](performance.md); how each figure is taken, in `benchmarks/peers/rows.py` and `job.py`.

{table([row for name in done for row in contests[name]["rows"]])}
{f"{chr(10)}Not run: {', '.join(missing)}.{chr(10)}" if missing else ""}"""


def main():
    options = parse()
    setting = rows.Setting(options.podium.resolve(), options.line_search.resolve(), options.folder.resolve(), options.quick,
                           options.repeats or (1 if options.quick else 3))
    target = options.folder / "results.json" if options.quick else ROOT / f"benchmarks/results/{datetime.date.today().isoformat()}.json"
    document = options.folder / "benchmarks.md" if options.quick else ROOT / "docs/benchmarks.md"
    contests = json.loads(target.read_text()) if target.exists() else {}
    target.parent.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        print(f"== {name}", flush=True)
        contests[name] = {"about": about(setting), "rows": rows.CONTESTS[name](setting)}
        if options.quick:  # the bars are for the whole size
            for row in contests[name]["rows"]:
                row["bar"] = row["holds"] = ""
        print(table(contests[name]["rows"]), flush=True)
        target.write_text(json.dumps(contests, indent=1, ensure_ascii=False) + "\n")
        document.write_text(page(contests))
    print(f"\nin {target} and {document}")


if __name__ == "__main__":
    main()
