#!/usr/bin/env python3
"""How honest the estimate of `podium auto` is: in repetitions on synthetic data, how often its 90 % interval contains the value that the final
model has on other queries of the same population, and how far the estimate is off on average.

Each repetition draws its own training queries, runs the whole search, and judges the model on the same many test queries, which choose nothing.
Arguments: [--repetitions 200] [--queries 100] [--presets plain,letor] [--trials 8] [--learners …] [--jobs N]. Writes the section of
docs/results/quality.md; finished repetitions are kept in build/recipes, so an interrupted run goes on."""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import tempfile

from five_fold import PODIUM, ROOT, podium, program
from pages import markdown, write_table

MEASURE = "nDCG@10"
TEST_SEED = 1_000_000  # training data have the seeds 1, 2, …
TEST_QUERIES = 5000


def synth(preset, queries, seed, path):
    subprocess.run([PODIUM, "synth", "--quiet", "--preset", preset, "--queries", str(queries), "--seed", str(seed), "-o", path], check=True)
    return path


def repetition(preset, seed, test, options):
    """{low, value, high, later}: the estimate with its interval, and the value on the test queries."""
    kept = ROOT / f"build/recipes/auto-coverage-{program()}/{preset}-{options.queries}-{options.trials}-{options.learners.replace(',', '+')}-{seed}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    with tempfile.TemporaryDirectory() as folder:
        train, model = synth(preset, options.queries, seed, f"{folder}/train.txt"), f"{folder}/model.json"
        said = podium("auto", "--data", train, "--measure", MEASURE, "--trials", options.trials, "--learners", options.learners, "--model", model)
        later = podium("eval", "--data", test, "--model", model, "--measures", MEASURE)["results"][0]["measures"][MEASURE]
    estimate = said["estimate"]
    found = {"low": estimate["low"], "value": estimate["value"], "high": estimate["high"], "later": later, "members": len(said["chosen"]),
             "curve": [point["value"] for point in estimate["learning_curve"]]}
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.rename(kept)
    return found


def row(preset, found):
    """How often the interval contains the later value, with the standard error of that share."""
    inside = [one["low"] <= one["later"] <= one["high"] for one in found]
    share = statistics.fmean(inside)
    off = [one["value"] - one["later"] for one in found]
    return [preset, str(len(found)), f"{100 * share:.1f} % ± {100 * math.sqrt(share * (1 - share) / len(found)):.1f}",
            str(sum(one["later"] < one["low"] for one in found)), str(sum(one["later"] > one["high"] for one in found)),
            f"{statistics.fmean(off):+.4f} ± {statistics.stdev(off) / math.sqrt(len(off)):.4f}",
            f"{statistics.fmean(one['later'] for one in found):.4f}", f"{statistics.fmean(one['members'] for one in found):.1f}"]


def repetitions(preset, options):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        test = synth(preset, TEST_QUERIES, TEST_SEED, f"{folder}/test.txt")
        return list(pool.map(lambda seed: repetition(preset, seed, test, options), range(1, options.repetitions + 1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--presets", default="plain,letor")
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--learners", default="lambdamart,linear,svm-map,listnet")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    rows = [row(preset, repetitions(preset, options)) for preset in options.presets.split(",")]
    text = f"{options.queries} training queries, `--trials {options.trials} --learners {options.learners}`.\n\n" + markdown(
        ["data", "repetitions", "interval contains it", "below", "above", "estimate − later value", "later " + MEASURE, "members"], rows)
    print(text)
    write_table("quality.md", "coverage", text)


if __name__ == "__main__":
    main()
