#!/usr/bin/env python3
"""How LambdaMART's training time grows: benchmarks/training_scaling.py PODIUM OUT. Writes docs/plots/training_scaling.svg and a piece of docs/performance.md.

30 trees on synthetic data of MSLR-WEB's shape, one of documents, features and leaves varied at a time, with 1 and 2 threads; all settings in turn, three times,
the median of each. OUT is a folder for the data and for results.json. Beside the measured growth stands the formula's: a tree takes

    a n d (1 + log2(L) / 2)    histograms: each level of a balanced tree sums the smaller half of its documents
  + b n                        derivatives, rounding, moving documents to leaves
  + c d B (2 L - 1)            searching B bins of each feature in every leaf, and subtracting histograms

for n documents, d features, L leaves, so time grows at most in proportion to any of them."""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

import fragments
import log_plot

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = {"queries": 3000, "features": 136, "leaves": 31}
AXES = {"queries": (1500, 3000, 6000), "features": (34, 68, 136), "leaves": (15, 31, 63, 127)}
THREADS = (1, 2)
TREES, REPEATS = 30, 3
# What of the formula varies along an axis, what does not, and how that is written.
FORMS = {
    "queries": (lambda n: n, lambda n: 1, "α n + β"),
    "features": (lambda d: d, lambda d: 1, "α d + β"),
    "leaves": (lambda leaves: 2 * leaves - 1, lambda leaves: 1 + math.log2(leaves) / 2, "α (2 L − 1) + β (1 + ½ log₂ L)"),
}
SLACK = 0.05  # of an exponent, for noise


def settings():
    seen = []
    for axis, values in AXES.items():
        for value in values:
            for threads in THREADS:
                setting = {**BASE, axis: value, "threads": threads}
                if setting not in seen:
                    seen.append(setting)
    return seen


def data_file(podium, folder, setting):
    path = folder / f"{setting['queries']}x{setting['features']}.podium"
    if not path.exists():
        command = [podium, "synth", "--preset", "mslr", "--queries", setting["queries"], "--features", setting["features"], "--seed", 1, "--quiet", "-o", path]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return path


def train(podium, folder, setting):
    """Seconds of fitting, without reading and binning."""
    command = [podium, "train", "lambdamart", "--data", data_file(podium, folder, setting), "--trees", TREES, "--leaves", setting["leaves"],
               "--threads", setting["threads"], "--quiet", "--json"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    said = json.loads(result.stdout.strip().splitlines()[-1])
    return said["phases"]["fit"]


def measure(podium, folder):
    runs = {json.dumps(setting): [] for setting in settings()}
    for repeat in range(REPEATS):
        for key, seconds in runs.items():
            seconds.append(train(podium, folder, json.loads(key)))
            print(f"{repeat + 1}/{REPEATS} {key} {seconds[-1]:.2f} s", flush=True)
    return [{**json.loads(key), "seconds": statistics.median(seconds), "runs": seconds} for key, seconds in runs.items()]


def line(rows, axis, threads):
    """(value, seconds) along an axis."""
    others = {name: value for name, value in BASE.items() if name != axis}
    chosen = [row for row in rows if row["threads"] == threads and all(row[name] == value for name, value in others.items())]
    return sorted((row[axis], row["seconds"]) for row in chosen)


def exponent(points):
    """The slope of log seconds by log value, by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def fit(points, grows, stays):
    """α, β ≥ 0 that leave the least squared relative error of α grows(x) + β stays(x)."""
    rows = [(grows(x) / y, stays(x) / y) for x, y in points]
    aa, ab, bb = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(r[0] for r in rows), sum(r[1] for r in rows)
    determinant = aa * bb - ab * ab
    alpha, beta = (a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant
    if alpha < 0:
        alpha, beta = 0.0, b / bb
    elif beta < 0:
        alpha, beta = a / aa, 0.0
    return alpha, beta


def growth_row(points, axis, threads):
    grows, stays, form = FORMS[axis]
    alpha, beta = fit(points, grows, stays)
    fitted = [(x, alpha * grows(x) + beta * stays(x)) for x, _ in points]
    off = max(abs(model / y - 1) for (_, y), (_, model) in zip(points, fitted))
    times = ", ".join(f"{y:.2f}" for _, y in points)
    power, allowed = exponent(points), exponent(fitted)
    verdict = "yes" if power <= 1 + SLACK else "**no**"
    values = ", ".join(f"{x:,}" for x, _ in points)
    name = {"queries": "documents (queries × 120)", "features": "features", "leaves": "leaves"}[axis]
    return f"| {name}: {values} | {threads} | {times} | {power:.2f} | {form}: {allowed:.2f}, within {off:.0%} | {verdict} |"


def tables(rows):
    lines = ["| varied | threads | seconds | exponent | formula, fitted: exponent | at most in proportion |", "|---|---|---|---|---|---|"]
    lines += [growth_row(line(rows, axis, threads), axis, threads) for axis in AXES for threads in THREADS]
    lines += ["", "| 2 threads against 1 | gain |", "|---|---|"]
    for axis in AXES:
        gains = [f"{one / two:.2f} ×" for (_, one), (_, two) in zip(line(rows, axis, 1), line(rows, axis, 2))]
        lines.append(f"| {'documents' if axis == 'queries' else axis}, as above | {', '.join(gains)} |")
    return "\n".join(lines)


def plot(rows):
    titles = {"queries": "queries of 120 documents", "features": "features", "leaves": "leaves"}
    panels = [{"title": titles[axis], "lines": {f"{threads} thread{'s' * (threads > 1)}": line(rows, axis, threads) for threads in THREADS}} for axis in AXES]
    return log_plot.svg(panels, f"seconds for {TREES} trees", "in proportion")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("podium")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = measure(options.podium, options.out)
    (options.out / "results.json").write_text(json.dumps(rows, indent=1) + "\n")
    text = tables(rows)
    print(text)
    plot_file = ROOT / "docs/plots/training_scaling.svg"
    plot_file.parent.mkdir(exist_ok=True)
    plot_file.write_text(plot(rows))
    fragments.put("training-scaling", text)
    print("in docs/performance.md and docs/plots/training_scaling.svg")


if __name__ == "__main__":
    main()
