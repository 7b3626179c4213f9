"""The data of the contest: made once, the same for everybody, as text and as arrays. data.py mslr FOLDER QUERIES TEST_QUERIES PODIUM or
data.py run FOLDER TOPICS DOCUMENTS; what is there is kept."""
import os
import pathlib
import subprocess
import sys

import numpy as np


def make_mslr(folder, queries, test_queries, podium):
    """train.txt, test.txt and their arrays in `folder`, MSLR-shaped: 120 documents per query, 136 features."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for part, count, seed in (("train", queries, 1), ("test", test_queries, 2)):
        text = folder / f"{part}.txt"
        if not text.exists():
            subprocess.run([podium, "synth", "--preset", "mslr", "--queries", count, "--seed", str(seed), "--quiet", "-o", text], check=True)
        if not (folder / f"{part}.groups.npy").exists():
            write_arrays(text, folder / part)
        if not (folder / f"{part}.svm.query").exists():
            write_without_qids(text, folder / f"{part}.svm")


def write_arrays(text, stem):
    """x (float32, documents × features), y and the queries' lengths, as .npy. Every line names every feature, so a line is a row of numbers."""
    parts = []
    with open(text) as lines:
        while chunk := lines.readlines(1 << 24):
            numbers = np.fromstring("".join(line.partition("#")[0] for line in chunk).replace("qid:", "0:").replace(":", " "), sep=" ")
            parts.append(numbers.reshape(len(chunk), -1)[:, [0, 2, *range(4, len(numbers) // len(chunk), 2)]].astype(np.float32))
    table = np.concatenate(parts)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(table[:, 1])) + 1, [len(table)]])
    np.save(f"{stem}.x.npy", np.ascontiguousarray(table[:, 2:]))
    np.save(f"{stem}.y.npy", table[:, 0].copy())
    np.save(f"{stem}.groups.npy", np.diff(starts))


def write_without_qids(text, path):
    """As LightGBM reads it: no qid:, no comment, and the queries' lengths in PATH.query. Features keep their numbers, so LightGBM's feature 0 is empty."""
    with open(text) as lines, open(path, "w") as out:
        for line in lines:
            label, _, rest = line.split(" ", 2)
            out.write(f"{label} {rest.partition(' #')[0]}\n")
    groups = np.load(str(path).replace(".svm", ".groups.npy"))
    pathlib.Path(f"{path}.query").write_text("".join(f"{n}\n" for n in groups))


def make_run(folder, queries, documents):
    """eval.run and eval.qrels, TREC: grades as rare as in MSLR-WEB30K."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "eval.run").exists():
        return
    queries, documents = int(queries), int(documents)
    random = np.random.default_rng(1)
    with open(folder / "part", "w") as run, open(folder / "eval.qrels", "w") as qrels:
        for q in range(queries):
            grades = np.searchsorted([0.52, 0.84, 0.97, 0.99], random.random(documents))
            scores = grades + 3 * random.random(documents)
            for rank, d in enumerate(np.argsort(-scores)):
                run.write(f"q{q} Q0 d{d} {rank} {scores[d]:.9g} r\n")
            for d in range(documents):
                qrels.write(f"q{q} 0 d{d} {grades[d]}\n")
    os.replace(folder / "part", folder / "eval.run")


if __name__ == "__main__":
    {"mslr": make_mslr, "run": make_run}[sys.argv[1]](*sys.argv[2:])
