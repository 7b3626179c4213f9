#!/usr/bin/env python3
"""Where a LambdaMART training spends its time: benchmarks/training_profile.py PODIUM OUT. Writes a piece of docs/performance.md.

100 trees of 31 leaves on 3,000 queries of MSLR-WEB's shape, one thread, sampled by perf (Debian: linux-perf). OUT is a folder for the data and perf's file."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import fragments

QUERIES, TREES = 3000, 100
# The first pattern that a function's name matches is its part.
PARTS = (
    ("cutting features into bins", r"bin_documents|sort_floats|bin_thresholds|sample_features|bin_edges|bin_rows_kernel|find_bin|::merge$|Columns::read|FeatureRange|feature_ranges|BinnedDataset::bin$"),
    ("histograms", r"HistogramBuilder|add_all|add_columns|podium::subtract|[hH]istogram"),
    ("best splits", r"SplitFinder|BestSplit"),
    ("values of leaves", r"leaf_values|LeafSums|ExactSum|OrderFree"),
    ("moving documents to leaves", r"DocumentPartition|BinRoute|bins_of|TreeBuilder"),
    ("derivatives: pairs", r"sum_row|AdditiveSwapRow|additive_swap_row|::powers$|PairArrays|sum_pairs|RankedRows|BoundLambda|AdditiveWeights"),
    ("derivatives: ranking by score", r"::ranks$|SeededRanking|sort_keys|podium::\(anonymous namespace\)::count$"),
    ("rounding derivatives", r"QuantizedDerivatives|quantiz"),
    ("adding trees to scores", r"CpuTreeGrower|FastForest|add_block|FeatureBlock"),
    ("measuring", r"Measure|Evaluator|QueryRanker|ndcg|Ndcg"),
    ("naming the data in the model file", r"fingerprint|XXH"),
)


def profile(podium, folder):
    """{function: share}."""
    data, recorded = folder / "profile.podium", folder / "perf.data"
    words = [podium, "synth", "--preset", "mslr", "--queries", str(QUERIES), "--seed", "1", "--quiet", "-o", str(data)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    train = [podium, "train", "lambdamart", "--data", str(data), "--trees", str(TREES), "--leaves", "31", "--threads", "1", "--quiet"]
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "997", "-o", str(recorded), "--", *train], check=True, stdout=subprocess.DEVNULL)
    report = subprocess.run(["perf", "report", "-i", str(recorded), "--stdio", "--no-children", "--sort", "symbol", "-g", "none"], check=True, capture_output=True, text=True).stdout
    shares = {}
    for share, name in re.findall(r"^\s*([\d.]+)%\s+\[\.\]\s+(.+?)(?:\s{2,}.*)?$", report, re.MULTILINE):
        shares[name] = shares.get(name, 0) + float(share)
    kernel = sum(float(share) for share in re.findall(r"^\s*([\d.]+)%\s+\[k\]", report, re.MULTILINE))
    return shares, kernel


def part_of(name):
    return next((part for part, pattern in PARTS if re.search(pattern, name)), None)


def table(shares, kernel):
    parts = {part: [] for part, _ in PARTS}
    rest = []
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        parts.get(part_of(name), rest).append((share, name))
    lines = ["| part of a training | share |", "|---|---|"]
    rows = [(sum(share for share, _ in found), part) for part, found in parts.items() if found]
    rows += [(kernel, "the system (page faults)"), (sum(share for share, _ in rest), "the rest")]
    lines += [f"| {part} | {total:.1f} % |" for total, part in sorted(rows, reverse=True)]
    return "\n".join(lines), rest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("perf"):
        sys.exit("perf is not installed: apt-get install linux-perf")
    options.out.mkdir(parents=True, exist_ok=True)
    text, rest = table(*profile(options.podium, options.out))
    print(text)
    print("largest of the rest:", *(f"  {share:.1f} % {name[:150]}" for share, name in rest[:8]), sep="\n")
    fragments.put("profile", text)


if __name__ == "__main__":
    main()
