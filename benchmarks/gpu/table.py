#!/usr/bin/env python3
"""Writes the rows of a run of gpu.py as the table of GPUs in docs/benchmarks.md: benchmarks/gpu/table.py GPU_JSON HEADLINE

HEADLINE says on which machine, with which driver, and when. The table is between two comments, which `make bench-peers` leaves alone."""
import json
import pathlib
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/benchmarks.md"
BEGIN, END = "<!-- gpu -->", "<!-- /gpu -->"
WORK = {
    "train": "LambdaMART, 500 trees of 31 leaves, 711,739 × 136",
    "leaves": "LambdaMART, 100 trees of 255 leaves, 711,739 × 136",
    "large": "LambdaMART, 100 trees of 31 leaves, 10 million × 136",
    "score": "scoring 234,427 documents with 500 trees",
}
BARS = {"train": 0.4, "leaves": 0.5, "large": 0.5, "score": 0.5}


def block(text, name):
    """The part of the document between the comments of this name, with these, or nothing."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in text:
        return ""
    return text[text.index(begin) : text.index(end) + len(end)] + "\n"


def gpu_block(text):
    return block(text, "gpu")


def peer(rows, part):
    """The fastest run of XGBoost on the GPU."""
    return min((row["seconds"] for row in rows if row["part"] == part and row["tool"].startswith("XGBoost") and row["tool"].endswith("cuda") and "seconds" in row),
               default=None)


def line(row, rows):
    seconds, best, ours = row["seconds"], peer(rows, row["part"]), row["tool"] == "podium cuda"
    figure = f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
    more = [f"{row[key]:.2f} s {what}" for key, what in (("read", "reading"), ("bin", "binning")) if row.get(key)]
    more += [f"{row['gpu_mib']} MiB on the GPU"] if row.get("gpu_mib") else []
    more += [f"nDCG@10 {row['ndcg']:.4f}"] if row.get("ndcg") else []
    more += [row["way"]] if row.get("way") else []
    ratio, bar = (f"{seconds / best:.2f} ×", f"≤ {BARS[row['part']]}") if ours and best else ("", "")
    name = row["tool"].replace("podium", "Podium").replace(" cuda", ", GPU").replace(" cpu", ", 16 threads")
    return f"| {WORK[row['part']]} | {name} | {'; '.join([figure, *more])} | {ratio} | {bar} |"


def main():
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())
    quality = next((row["ndcg"] for row in rows if row["part"] == "train" and row["tool"] == "podium" and "ndcg" in row), None)
    for row in rows:
        if row["part"] == "train" and row["tool"] == "podium cuda":
            row["ndcg"] = quality
    same = all(row["same_bytes"] for row in rows if "same_bytes" in row)
    table = [BEGIN, "## On a GPU", "", sys.argv[2], "",
             "Seconds are those of growing trees, with Podium's validation after every tree where it says nDCG@10 (XGBoost has none); scoring is from the host's memory to the host's",
             "memory, with the program, the data and the model loaded. Memory is what the driver reports of a process that grows 20 trees, with what the driver itself takes.",
             f"Podium's models and scores of the GPU and of the CPU were {'the same bytes in every row' if same else '**not** the same bytes in every row'}. Made by",
             "`make bench-gpu` and `benchmarks/gpu/table.py`; [the guide](guide/gpu.md) says where the time goes.", "",
             "| work | tool | figure | Podium / XGBoost, GPU | bar |", "|---|---|---|---|---|"]
    table += [line(row, rows) for part in WORK for row in rows if row["part"] == part and "seconds" in row]
    table += [END, ""]
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(text.replace(gpu_block(text), "\n".join(table)) if BEGIN in text else text.rstrip("\n") + "\n\n" + "\n".join(table))


if __name__ == "__main__":
    main()
