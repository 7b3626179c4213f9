#!/usr/bin/env python3
"""What each kernel gains over the loop that one would write first: benchmarks/kernel_gains.py BUILD. Writes a piece of docs/performance.md.

Runs the benchmarks of a build that compare a kernel with a plain version in the same run, and makes one table of their ratios."""
import argparse
import pathlib
import re
import subprocess
import sys

import fragments

# Benchmark, what is fast, what it is compared with, and how the benchmark prints the ratio.
ROWS = (
    ("read_benchmark", "reading LETOR text, 1 thread: numbers and separators found without `strtod`, blocks of lines", "`getline` and `strtod`", r"1 thread .*?([\d.]+) x plain"),
    ("read_benchmark", "the same, 2 threads", "1 thread", r"2 threads .*?([\d.]+) x one thread"),
    ("histogram_benchmark", "histograms of all documents: derivatives as integers packed with a count into one word, blocks of features", "rows of bins, two arrays of doubles", r"1 document in 1 .*?one thread.*?: ([\d.]+) x"),
    ("histogram_benchmark", "histograms of a leaf with one document in 30", "the same", r"1 document in 30 .*?one thread.*?: ([\d.]+) x"),
    ("histogram_benchmark", "histograms of all documents, 2 threads", "1 thread", r"1 document in 1 .*?two threads.*?: ([\d.]+) x one"),
    ("histogram_benchmark", "a tree of 31 leaves, 2 threads", "1 thread", r"a tree of .*?with two \(([\d.]+) x\)"),
    ("pair_loss_benchmark", "derivatives of λ-nDCG: powers once per document, all pairs of a document in vectors, `exp` without tables", "`std::exp` a pair", r"^lambda-ndcg .*?([\d.]+) x the plain"),
    ("pair_loss_benchmark", "logistic loss over all pairs", "the same", r"^logistic-pairs .*?([\d.]+) x the plain"),
    ("forest_benchmark", "scoring by 500 trees of 31 leaves: 64 documents at a time, all tests of a tree on words of leaves", "walking down node by node", r"^\s*500 trees x\s+31 leaves.*?([\d.]+) x"),
    ("forest_benchmark", "scoring by 100 trees of 1,000 leaves: many documents walk at a time", "the same", r"^\s*100 trees x\s+1000 leaves.*?([\d.]+) x"),
    ("line_search_benchmark", "exact line search of nDCG@10, lists of 1,000, 40 % relevant: only crossings at the first ranks", "all crossings of pairs, sorted", r"nDCG@10 over lists of 1000.*?all pairs.*?([\d.]+) times faster"),
    ("line_search_benchmark", "the same for AP, 10 % relevant: only pairs of a relevant and another document", "the same", r"AP\s+over lists of 1000, 10 %.*?all pairs.*?([\d.]+) times faster"),
    ("line_search_benchmark", "AP, 40 % relevant", "the same", r"AP\s+over lists of 1000, 40 %.*?all pairs.*?([\d.]+) times faster"),
    ("sort_benchmark", "sorting lists of 41 documents: ranks counted on vectors", "`std::sort`", r"lists of +41: .*?([\d.]+) times faster"),
    ("sort_benchmark", "lists of 1,000: radix", "`std::sort`", r"lists of +1000: .*?([\d.]+) times faster"),
)


def table(build):
    said = {}
    lines = ["| what | against | gain | benchmark |", "|---|---|---|---|"]
    for benchmark, what, against, pattern in ROWS:
        if benchmark not in said:
            print(f"running {benchmark}", flush=True)
            said[benchmark] = subprocess.run([build / "benchmarks" / benchmark], check=True, capture_output=True, text=True).stdout
        found = re.search(pattern, said[benchmark], re.MULTILINE)
        if not found:
            sys.exit(f"{benchmark} prints nothing like {pattern}")
        lines.append(f"| {what} | {against} | {found.group(1)} × | `{benchmark}` |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    text = table(parser.parse_args().build)
    print(text)
    fragments.put("gains", text)


if __name__ == "__main__":
    main()
