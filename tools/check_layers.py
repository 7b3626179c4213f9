#!/usr/bin/env python3
"""Checks that each folder of src/ includes only what is below it, that models are visited, and that flags stay in src/cli.

The table lists, for every folder, the folders it may include; a public header belongs to the folder
next to it. Code that depends on a model's kind must visit the variant, so that the compiler lists what a
new kind needs. Run without arguments; prints each wrong line and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

ALLOWED = {
    "core": set(),
    "device": {"core"},
    "distributed": {"core"},
    "solvers": {"core"},
    "data": {"core", "distributed"},
    "measures": {"core", "distributed", "data"},
    "models": {"core", "device", "distributed", "data"},
    "oracles": {"core", "data", "measures", "solvers"},
    "losses": {"core", "device", "data", "measures", "oracles", "solvers"},
    "trees": {"core", "device", "distributed", "data", "models"},
    "line_search": {"core", "distributed", "data", "measures"},
    "learners": {"core", "distributed", "data", "measures", "models", "losses", "oracles", "solvers",
                 "trees", "line_search", "device"},
    "experiments": {"core", "distributed", "data", "measures", "models", "losses", "oracles", "trees",
                    "line_search", "learners", "device"},
}
ALLOWED["gpu"] = {"core", "device", "models", "losses", "trees"}
ALLOWED["clicks"] = {"core", "distributed", "data", "measures", "models", "losses", "learners", "experiments"}
ALLOWED["c_api"] = {"core", "device", "distributed", "data", "models"}
ALLOWED["server"] = set(ALLOWED)
ALLOWED["cli"] = set(ALLOWED)

PUBLIC = {
    "error.h": "core", "stop.h": "core", "options.h": "core", "option_text.h": "core", "catalog.h": "core", "thread_pool.h": "core", "work_profile.h": "core",
    "context.h": "core", "device.h": "core", "gpu.h": "device", "checkpoint.h": "core", "communicator.h": "core", "link.h": "core", "version.h": "core",
    "buffer.h": "data", "feature_schema.h": "data", "dataset.h": "data", "data_io.h": "data", "transform.h": "data", "synthetic.h": "data",
    "describe.h": "data", "split.h": "data",
    "measure.h": "measures", "label_use.h": "measures", "rank_weights.h": "measures", "evaluator.h": "measures", "trec.h": "measures",
    "run_features.h": "measures", "rank_fusion.h": "measures",
    "loss.h": "losses", "loss_check.h": "losses", "oracle.h": "oracles", "model.h": "models", "export.h": "models", "explain.h": "models", "compiled_model.h": "models", "podium_c.h": "c_api", "learner.h": "learners", "training.h": "learners",
    "click_log.h": "clicks", "click_report.h": "clicks", "click_model.h": "clicks", "click_simulation.h": "clicks", "judgement.h": "clicks", "debiased.h": "clicks",
    "counterfactual.h": "clicks", "interleaving.h": "clicks", "ubi.h": "clicks",
    "significance.h": "experiments", "experiment.h": "experiments", "auto.h": "experiments", "blend.h": "experiments",
}

# Folders that must not mention ranking.
NEUTRAL = {"core": re.compile(r"\b(rank(ing|er)s?|nDCG|relevan\w*|quer(y|ies))\b", re.I),
           "solvers": re.compile(r"\b(rank(ing|er)s?|nDCG|relevan\w*|quer(y|ies)|document)\b", re.I)}

# Decisions by a model's kind that would silently ignore a new kind.
UNVISITED = re.compile(r"\b(get|get_if|holds_alternative)<(podium::)?(Linear|Forest|Mlp)>|\bmodel\.index\(\)")

# Options spelled as flags, which only the command line may do: podium/option_text.h.
FLAG = re.compile(r'"(?:[^"\\]|\\.)*?--(?:[A-Za-z{]|")')
COMMAND_WORDS = "src/experiments/comparison/command_words.cc"  # the command that repeats a result
COMMENT = re.compile(r'\s*//')

INCLUDE = re.compile(r'#include "([^"]+)"')


def folder_of_include(path):
    parts = path.split("/")
    if parts[0] == "podium":
        return PUBLIC.get(parts[1])
    return parts[0]


def check_file(path, folder):
    wrong = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.relative_to(ROOT)}:{number}"
        match = INCLUDE.match(line)
        if match:
            target = folder_of_include(match[1])
            if target is None or (target not in ALLOWED and target != folder):
                wrong.append(f"{place}: '{match[1]}' belongs to no folder (add it to PUBLIC)")
            elif target != folder and target not in ALLOWED[folder]:
                wrong.append(f"{place}: {folder} must not include {target} ({match[1]})")
        elif folder in NEUTRAL and (word := NEUTRAL[folder].search(line)):
            wrong.append(f"{place}: {folder} knows nothing of '{word[0]}'")
    return wrong + check_visits(path)


def check_visits(path):
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [f"{path.relative_to(ROOT)}:{number}: '{found[0]}': visit the model with one overload per kind"
            for number, line in lines if (found := UNVISITED.search(line))]


def check_flags(path):
    """Texts of the library name options in angle quotes; front ends spell them."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [f"{path.relative_to(ROOT)}:{number}: options are named ‹name› outside src/cli (podium/option_text.h)"
            for number, line in lines if not COMMENT.match(line) and FLAG.search(line.split('  //')[0])]


def main():
    wrong = []
    files = 0
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix not in {".cc", ".h"}:
            continue
        files += 1
        folder = path.relative_to(ROOT / "src").parts[0]
        if folder not in ALLOWED:
            wrong.append(f"src/{folder}: unknown folder (add it to ALLOWED)")
            continue
        wrong += check_file(path, folder)
        if folder != "cli" and path != ROOT / COMMAND_WORDS:
            wrong += check_flags(path)
    for path in sorted((ROOT / "include/podium").glob("*.h")):
        if path.name not in PUBLIC:
            wrong.append(f"include/podium/{path.name}: unknown public header (add it to PUBLIC)")
            continue
        files += 1
        folder = PUBLIC[path.name]
        wrong += [w for w in check_file(path, folder) if "knows nothing" not in w]
        wrong += check_flags(path)
    for path in sorted((ROOT / "python/src").glob("*.cc")):
        wrong += check_visits(path) + check_flags(path)
    print("\n".join(wrong) if wrong else f"layers: {files} files, every include goes downwards")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
