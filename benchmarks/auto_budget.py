#!/usr/bin/env python3
"""What `podium auto` makes of a given time: its estimate and its value on other queries of the same kind, beside `lambdamart`
with its defaults on the same training data, and how much of the time it took.

usage: benchmarks/auto_budget.py PODIUM [--seconds 12,30,60] [--sets mslr:200,mslr:1000,letor:100] [--threads 2]
The test queries choose nothing: they are another sample of the same synthetic population."""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("podium")
parser.add_argument("--seconds", default="12,30,60")
parser.add_argument("--sets", default="mslr:200,mslr:1000,letor:100")
parser.add_argument("--threads", default="2")
arguments = parser.parse_args()


def podium(*words):
    done = subprocess.run([arguments.podium, *map(str, words), "--quiet"], check=True, capture_output=True, text=True)
    return done.stdout


def value(model, data):
    return json.loads(podium("eval", "--json", "--model", model, "--data", data, "--measures", "nDCG@10"))["results"][0]["measures"]["nDCG@10"]


def synth(preset, queries, seed, path):
    podium("synth", "--preset", preset, "--queries", queries, "--seed", seed, "-o", path)
    return path


print(f"{'training data':<14}{'seconds':>8}{'used':>8}{'trials':>8}{'estimate':>10}{'test':>8}{'lambdamart':>12}{'takes':>8}")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for one in arguments.sets.split(","):
        preset, queries = one.split(":")
        train = synth(preset, queries, 1, folder / "train.podium")
        test = synth(preset, 1000, 77, folder / "test.podium")
        began = time.monotonic()
        podium("train", "lambdamart", "--data", train, "--threads", arguments.threads, "--model", folder / "trees.json", "--force")
        takes = time.monotonic() - began
        trees = value(folder / "trees.json", test)
        for seconds in arguments.seconds.split(","):
            found = json.loads(podium("auto", "--json", "--data", train, "--seconds", seconds, "--threads", arguments.threads,
                                      "--model", folder / "auto.json", "--force"))
            estimate = found["estimate"]["value"] if found["estimate"] else float("nan")
            print(f"{one:<14}{seconds:>8}{found['seconds']:>8.1f}{found['trials']:>8}{estimate:>10.4f}"
                  f"{value(folder / 'auto.json', test):>8.4f}{trees:>12.4f}{takes:>7.1f}s", flush=True)
