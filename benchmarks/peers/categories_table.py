"""Puts runs of categories.py together: each seed's figures into benchmarks/results/categories-DATE.json, and their means into
docs/benchmarks.md.

    python categories_table.py RUN.json ...
"""
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/gpu"))
from table import block  # noqa: E402

NAMES = {"podium": "Podium", "lightgbm": "LightGBM", "catboost": "CatBoost"}


def lines(run):
    about = run["about"]
    shape = (f"{about['columns']} categories of {about['values']:,} values, {about['queries'] * about['documents per query']:,} documents, "
             f"{about['trees']} trees")
    for system, version in about["versions"].items():
        rows = [row for row in run["rows"] if row["system"] == system]
        options = " ".join(about["options of podium"]) if system == "podium" else ""
        name = f"{NAMES[system]} {version}" + (f", `{options}`" if options else "")
        values = [row["nDCG@10"] for row in rows]
        yield (f"| {shape} | {name} | {np.mean(values):.4f} | {min(values):.4f} to {max(values):.4f} | "
               f"{np.mean([row['seconds'] for row in rows]):.2f} | {max(row['MB'] for row in rows)} |")


def main():
    runs = [json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:]]
    date = max(run["about"]["date"] for run in runs)
    stored = ROOT / f"benchmarks/results/categories-{date}.json"
    texts = ["{\"about\": " + json.dumps(run["about"]) + ",\n \"rows\": [\n  " + ",\n  ".join(map(json.dumps, run["rows"])) + "\n ]}"
             for run in runs]
    stored.write_text("[\n" + ",\n".join(texts) + "\n]\n")
    part = ["<!-- categories -->", "## Categories", "",
            f"Made by `benchmarks/peers/categories.py` and `categories_table.py` on {date}, one thread, on data whose best ranking needs sets of values. Each seed is another world;",
            "nDCG@10 is the mean, the smallest and the largest value over queries that nothing else saw. Seconds are processor time for reading and training, on a machine that did other work; MB are",
            f"the largest. Each seed's figures are in `benchmarks/results/{stored.name}`; [the guide](guide/columns.md#training) says how the options were settled, on other queries.", "",
            "| data | system | nDCG@10 | of the seeds | s | MB |", "|---|---|---|---|---|---|",
            *(line for run in runs for line in lines(run)), "<!-- /categories -->", ""]
    document = ROOT / "docs/benchmarks.md"
    text = document.read_text()
    old, gpu, new = block(text, "categories"), block(text, "gpu"), "\n".join(part)
    if old:
        text = text.replace(old, new)
    elif gpu:
        text = text.replace(gpu, f"{new}\n{gpu}")
    else:
        text += "\n" + new
    document.write_text(text)


if __name__ == "__main__":
    main()
