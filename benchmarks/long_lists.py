#!/usr/bin/env python3
"""How costs grow with the length of a list: benchmarks/long_lists.py PODIUM OUT. Writes docs/results/long-lists.md.

One query of 1,000, 20,000 and 500,000 documents with 16 features and five grades; every learner for a few rounds, every loss in two rounds of boosting, every
measure of scores with ten different values and of scores that are all equal. One thread; processor seconds and peak memory of the whole program, with reading the
data; a cell ends after --limit processor seconds, and the longer lists of its row are then left out. Beside them stands the slope between the last two lengths:
1 is proportional to the length, 2 to its square. OUT keeps the data and results.json, so a second run only fills what is missing (--again: all of it)."""
import argparse
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/results/long-lists.md"
LENGTHS = (1000, 20000, 500000)
FEW = {"trees": 3, "rounds": 3, "epochs": 3, "max-rounds": 1, "max-passes": 3, "restarts": 1, "kicks": 0, "C": 1}
OWN = {"directrank": {"restarts": 0, "starts": "linear"}, "ranksvm": {}}
MEASURES = {"IPrec": "IPrec@0.5", "Success": "Success@1000", "Judged": "Judged@1000", "Unjudged": "Unjudged@1000"}


def names(podium, kind):
    listed = json.loads(subprocess.run([podium, kind, "--json"], check=True, capture_output=True, text=True).stdout)
    return [entry["name"] for entry in listed[kind]]


def few_rounds(podium, learner):
    """The options of the learner that bound its work."""
    described = subprocess.run([podium, "learners", learner], check=True, capture_output=True, text=True).stdout
    own = {line.split()[0] for line in described.splitlines() if line.startswith("  ") and line[2:3].strip()}
    chosen = {name: value for name, value in {**FEW, **OWN.get(learner, {})}.items() if name in own}
    return [word for name, value in chosen.items() for word in (f"--{name}", str(value))]


def data_file(podium, folder, length):
    path = folder / f"list{length}.podium"
    if not path.exists():
        subprocess.run([podium, "synth", "--queries", "1", "--docs", str(length), "--features", "16", "--quiet", "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


def score_file(folder, length, different):
    path = folder / f"scores{length}of{different}.txt"
    if not path.exists():
        path.write_text("".join(f"{(i * 2654435761 >> 7) % different}\n" for i in range(length)))
    return path


def run(command, limit):
    """Processor seconds and MB of a command, or why there are none."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if os.WIFSIGNALED(status):
        return {"failed": f"> {limit} s"}
    if os.WEXITSTATUS(status) != 0:
        return {"failed": "does not apply"}
    return {"seconds": seconds, "megabytes": usage.ru_maxrss / 1024}


def rows(podium, folder):
    """(section, row, command of a length)"""
    train = lambda words: lambda n: [podium, "train", *words, "--data", str(data_file(podium, folder, n)), "--model", str(folder / "model.json"), "--threads", "1", "--quiet"]
    evaluate = lambda measure, different: lambda n: [podium, "eval", "--data", str(data_file(podium, folder, n)), "--scores", str(score_file(folder, n, different)),
                                                     "--measures", measure, "--threads", "1", "--quiet"]
    for loss in [*names(podium, "losses"), "lambda-ndcg(truncation=0)", "lambda-tau", "lambda-bpref", "softrank@10", "smooth@10"]:
        yield "losses", loss, train(["boosting", "--loss", loss, "--trees", "2"])
    for measure in names(podium, "measures"):
        measure = MEASURES.get(measure, measure)
        yield "measures", f"{measure}, 10 scores", evaluate(measure, 10)
        yield "measures", f"{measure}, one score", evaluate(measure, 1)
    for learner in names(podium, "learners"):
        yield "learners", learner, train([learner, *few_rounds(podium, learner)])


def measure_all(podium, folder, results, limit, again):
    for section, row, command in rows(podium, folder):
        cells = results.setdefault(section, {}).setdefault(row, {})
        for length in LENGTHS:
            if str(length) not in cells or again:
                cells[str(length)] = run(command(length), limit)
                (folder / "results.json").write_text(json.dumps(results, indent=1))
                print(section, row, length, cells[str(length)], file=sys.stderr, flush=True)
            if "failed" in cells[str(length)]:
                break


def slope(cells):
    done = [(n, cells[str(n)]["seconds"]) for n in LENGTHS if "seconds" in cells.get(str(n), {})]
    if len(done) < 2 or done[-1][1] < 0.3:
        return ""
    (n, s), (more, longer) = done[-2:]
    return f"{math.log(longer / max(s, 0.01)) / math.log(more / n):.1f}"


def cell(cells, length):
    found = cells.get(str(length))
    if not found:
        return ""
    return found.get("failed") or f"{found['seconds']:.2f} s, {found['megabytes']:.0f} MB"


def table(title, part):
    lines = [f"| {title} | " + " | ".join(f"{n:,}" for n in LENGTHS) + " | slope |", "|---" * (len(LENGTHS) + 2) + "|"]
    for row, cells in part.items():
        lines.append(f"| `{row}` | " + " | ".join(cell(cells, n) for n in LENGTHS) + f" | {slope(cells)} |")
    return "\n".join(lines)


def page(results):
    intro = PAGE.read_text().split("<!-- tables -->")[0]
    tables = "\n\n".join(table(title, results[section]) for section, title in
                         (("learners", "learner, a few rounds"), ("losses", "loss, two trees"), ("measures", "measure, tied scores")) if section in results)
    PAGE.write_text(f"{intro}<!-- tables -->\n{tables}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("podium")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=60, help="processor seconds of a cell (60)")
    parser.add_argument("--again", action="store_true", help="measure every cell anew")
    parser.add_argument("--page", action="store_true", help="write the page from what is there")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    stored = arguments.out / "results.json"
    results = json.loads(stored.read_text()) if stored.exists() else {}
    if not arguments.page:
        measure_all(arguments.podium, arguments.out, results, arguments.limit, arguments.again)
    page(results)


if __name__ == "__main__":
    main()
