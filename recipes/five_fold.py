"""Five-fold experiments on LETOR folders with the podium program: train on each fold, choose on its
validation part, evaluate on its test part, average. Shared by the recipes beside this file."""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PODIUM = os.environ.get("PODIUM", str(ROOT / "build/release/podium"))


def data_folder(names):
    """The folder with the sets, unpacked once into build/data from $PODIUM_DATA."""
    source = os.environ.get("PODIUM_DATA")
    if not source:
        sys.exit("set PODIUM_DATA to the folder with the data sets (see CONTRIBUTING.md)")
    folder = ROOT / "build/data"
    missing = [name for name in names if not (folder / name / "Fold5/test.txt").exists()]
    if missing:
        subprocess.run([f"{source}/unpack", folder, *missing], check=True, stdout=subprocess.DEVNULL)
    return folder


@functools.cache
def program():
    """Tells one build of the program from another: kept figures belong to one."""
    return hashlib.sha256(pathlib.Path(PODIUM).read_bytes()).hexdigest()[:16]


def podium(*arguments):
    result = subprocess.run([PODIUM, *map(str, arguments), "--json", "--quiet", "--threads", "1"],
                            capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: {result.stderr}")
    answer = json.loads(result.stdout)
    if answer.get("termination") == "stopped":  # by a signal: its figures are not those of the training
        sys.exit(f"{' '.join(map(str, arguments))}: was stopped")
    return answer


def one_fold(fold, learner, measures, parts, choose):
    """Trains and evaluates on one fold: {(part, measure): value}, with the training's seconds."""
    values = {}
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        summary = podium("train", *learner.split(), "--data", fold / "train.txt", "--valid", fold / "vali.txt",
                         "--model", model, *choose)
        values["train", "seconds"] = summary["seconds"]
        for part in parts:
            for convention, names in measures.items():
                result = podium("eval", "--data", fold / f"{part}.txt", "--model", model, "--convention",
                                convention, "--measures", names)
                for name, value in result["results"][0]["measures"].items():
                    values[part, name] = value
    return values


def five_folds(sets, learners, measures, parts=("test",), choose=("--measure", "nDCG@10"), folder_of=None):
    """{(set, learner): {(part, measure): mean over the folds}}, folds in parallel.
    measures: {convention: comma-separated names}. folder_of: a set's folder with Fold1 … Fold5, where it is not the data's own."""
    folders = {name: folder_of(name) if folder_of else data_folder([name]) / name for name in sets}
    tasks = [(name, learner, folders[name] / f"Fold{k}")
             for name in sets for learner in learners for k in range(1, 6)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda task: one_fold(task[2], task[1], measures, parts, choose), tasks))
    folds = {}
    for (name, learner, _), values in zip(tasks, results):
        folds.setdefault((name, learner), []).append(values)
    return {key: {measure: statistics.fmean(one[measure] for one in many) for measure in many[0]}
            for key, many in folds.items()}
