#!/usr/bin/env python3
"""Click logs: reading, and click models to convergence: benchmarks/click_logs.py PODIUM OUT. Writes the table of docs/results/clicks.md.

A log of --sessions sessions of ten documents is simulated under a position-based model, another under a DBN: 10,000 queries of 20 documents, 20 % of the sessions with
two documents swapped. Measured are whole commands on --threads threads, with reading: wall time, processor seconds and peak memory; medians of --repeats runs. A bar holds if the smaller of both
times is within it: on a machine with other work the wall time is longer than the processor seconds, which bound it on free cores. The peer is
clickmodels 1.0.2 (A. Chuklin's scripts on PyPI; PyClick is not there), translated to Python 3 by 2to3, on the first --peer-sessions sessions of the same logs: time per line is
compared, because it does not end on the whole log. Its EM does its default of 40 steps, without asking whether it has converged. --no-peer leaves it out. OUT keeps the logs."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "recipes"))

DEPTH = 10
PEER = "clickmodels==1.0.2"
PEER_MODELS = {"dbn": "DbnModel((0.9, 0.9, 0.9, 0.9), config=config)", "ubm": "UbmModel(config=config)"}


def log_of(podium, out, world, sessions):
    """The log, made once."""
    docs, log = out / "docs.txt", out / f"{world}-{sessions}.tsv"
    if not docs.exists():
        subprocess.run([podium, "synth", "--queries", "10000", "--docs", "20", "--features", "5", "--quiet", "-o", docs], check=True)
    if not log.exists():
        subprocess.run([podium, "clicks", "simulate", "--data", docs, "--ranker", "feature:1", "--click-model", world, "--sessions", str(sessions),
                        "--depth", str(DEPTH), "--quiet", "-o", log], check=True)
    return log


def measured(command):
    """Wall and processor seconds, peak memory in MB, and what the command says as JSON."""
    began = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command}: exit {process.returncode}")
    return {"seconds": time.perf_counter() - began, "processor": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024,
            "said": json.loads(text)}


def peer_folder(out):
    """The peer as a package for Python 3."""
    folder = out / PEER.replace("==", "-")
    if not folder.exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", PEER, "-d", out], check=True)
        with tarfile.open(out / f"{PEER.replace('==', '-')}.tar.gz") as archive:
            archive.extractall(out, filter="data")
        subprocess.run([sys.executable, "-m", "lib2to3", "-w", "-n", folder / "clickmodels"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def peer_log(log, sessions):
    """The first sessions, in the peer's format."""
    path = log.with_suffix(f".peer-{sessions}")
    if path.exists():
        return path
    with open(log, encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as out:
        place = {name: i for i, name in enumerate(next(lines).rstrip("\n").split("\t"))}
        done, current, documents, clicks = 0, None, {}, {}

        def end():
            order = sorted(documents)
            out.write("\t".join([current[0], current[1], "0", "0", json.dumps([documents[p] for p in order]), json.dumps([False] * len(order)),
                                 json.dumps([clicks[p] for p in order])]) + "\n")

        for line in lines:
            fields = line.rstrip("\n").split("\t")
            session = (fields[place["session"]], fields[place["qid"]])
            if session != current and current:
                end()
                done += 1
                documents, clicks = {}, {}
                if done == sessions:
                    break
            current = session
            position = int(fields[place["position"]])
            documents[position], clicks[position] = fields[place["docid"]], int(fields[place["click"]])
    return path


def peer_worker(folder, log, model):
    """Runs in a process of its own: seconds of reading and of EM, the number of lines."""
    sys.path.insert(0, folder)
    from clickmodels import inference
    from clickmodels.input_reader import InputReader

    began = time.perf_counter()
    reader = InputReader(DEPTH, DEPTH, False, DEPTH, False, discard_no_clicks=False)
    with open(log, encoding="utf-8") as lines:
        sessions = reader(lines)
    read = time.perf_counter()
    config = {"MAX_QUERY_ID": reader.current_query_id + 1, "MAX_DOCS_PER_QUERY": DEPTH, "MAX_ITERATIONS": 40}
    fitted = eval(PEER_MODELS[model], {**vars(inference), "config": config})  # the constructors above
    fitted.train(sessions)
    print(json.dumps({"reading": read - began, "fitting": time.perf_counter() - read, "lines": DEPTH * len(sessions)}))


def free_time(run):
    """An upper bound of the wall time on free cores."""
    return min(run["seconds"], run["processor"])


def row(work, tool, run, lines, bar="", holds=""):
    return [work, tool, f"{lines:,}", f"{run['seconds']:.2f} s", f"{run['processor']:.2f} s", f"{run['memory']:.0f} MB", f"{1e6 * free_time(run) / lines:.3f} µs", bar, holds]


def main():
    if sys.argv[1:2] == ["--peer-worker"]:
        return peer_worker(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("podium", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    for name, default in (("sessions", 1_000_000), ("peer-sessions", 5_000), ("threads", 2), ("repeats", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--print", action="store_true", help="print the table, and leave the page as it is")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    logs = {world: log_of(given.podium, given.out, world, given.sessions) for world in ("pbm", "dbn")}

    def best(*command):
        """The run of median wall time."""
        runs = [measured([given.podium, *command, "--threads", given.threads, "--quiet", "--json"]) for _ in range(given.repeats)]
        return sorted(runs, key=lambda run: run["seconds"])[len(runs) // 2]

    rows, ours = [], {}
    for work, limit, log, command in (("read and aggregate", 10, "pbm", ("inspect",)), ("fit pbm", 20, "pbm", ("fit", "--model", "pbm")),
                                      ("fit dbn", 60, "dbn", ("fit", "--model", "dbn")), ("fit ubm", None, "pbm", ("fit", "--model", "ubm")),
                                      ("fit sdbn", None, "dbn", ("fit", "--model", "sdbn")), ("fit harvest", None, "pbm", ("fit", "--model", "harvest")),
                                      ("fit trust", None, "pbm", ("fit", "--model", "trust"))):
        run = ours[work] = best("clicks", *command[:1], "--clicks", logs[log], *command[1:])
        steps = f", {run['said']['iterations']} steps" if run["said"].get("iterations") else ""
        rows.append(row(work + steps, "Podium", run, run["said"]["lines"], f"≤ {limit} s" if limit else "",
                        ("yes" if free_time(run) <= limit else "no") if limit else ""))
        print("  ".join(rows[-1]), flush=True)
    if not given.no_peer:
        folder = peer_folder(given.out)
        for model, world in (("dbn", "dbn"), ("ubm", "pbm")):
            mine = ours[f"fit {model}"]
            run = measured([sys.executable, __file__, "--peer-worker", folder, peer_log(logs[world], given.peer_sessions), model])
            ratio = free_time(run) / run["said"]["lines"] * mine["said"]["lines"] / free_time(mine)
            rows.append(row(f"fit {model}, 40 steps", "clickmodels", run, run["said"]["lines"], f"≥ 20 ×: {ratio:.0f} × per line", "yes" if ratio >= 20 else "no"))
            print("  ".join(rows[-1]), flush=True)
    from pages import markdown, write_table
    text = f"Medians of {given.repeats} runs with {given.threads} threads; one run of the peer.\n\n" if given.repeats > 1 else f"One run with {given.threads} threads.\n\n"
    text += markdown(["work", "tool", "lines", "wall time", "processor", "peak memory", "per line", "bar", "holds"], rows)
    if given.print:
        return print(text)
    write_table("clicks.md", "logs", text)


if __name__ == "__main__":
    main()
