"""Checks of an installation: used on a prefix in the build folder and on a machine with the package."""
import pathlib
import re
import subprocess


def run(*command, stdin=None, cwd=None):
    result = subprocess.run([str(word) for word in command], input=stdin, capture_output=True, text=True, cwd=cwd, timeout=1800)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def build_examples(source, build, *options):
    run("cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror",
        *options)
    run("cmake", "--build", build, "-j", "2")


def make_data(podium, folder):
    """train, valid and test data of one population."""
    paths = [pathlib.Path(folder, f"{part}.txt") for part in ("train", "valid", "test")]
    for seed, path in enumerate(paths, 1):
        run(podium, "synth", "--queries", 60, "--docs", 12, "--features", 8, "--seed", seed, "-o", path, "--quiet")
    return paths


def values(text):
    """The values of lines such as `nDCG@10 0.512345`."""
    return {name: float(value) for name, value in re.findall(r"^(\S+) ([\d.]+)$", text, re.MULTILINE)}
