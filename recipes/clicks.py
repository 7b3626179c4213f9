#!/usr/bin/env python3
"""Training on simulated clicks: worlds × methods, nDCG@10 on queries that were judged but never shown.

A production ranker, trained on a few judged queries, shows its lists; users click by a click model. `lambdamart` is trained on
the clicks with each --debias and on the true grades. The last column is the share of the gap between naive
and the true grades that the method closes, mean over the seeds. Writes the table of docs/results/clicks.md.
Arguments: [--queries N] [--sessions N] [--seeds N] [--trees N]; the defaults take some minutes on two cores."""
import argparse
import pathlib
import random
import statistics
import tempfile

from five_fold import podium
from pages import markdown, write_table

WORLDS = {"pbm, η = 1": ("pbm", 1, "pbm"), "pbm, no bias": ("pbm", 0, "pbm"), "trust, η = 1": ("trust", 1, "trust"),
          "dbn (pbm is wrong)": ("dbn", 1, "pbm")}
METHODS = {"naive": False, "ipw": True, "affine": True, "pairwise": False, "additive": False, "dual": False, "judged": True}


def one_world(folder, clicks, eta, model, seed, given):
    """nDCG@10 by method; None for affine without a trust model."""
    files = {name: folder / f"{name}.txt" for name in ("docs", "test", "old")}
    for number, (name, queries) in enumerate((("docs", given.queries), ("test", 1000), ("old", 20))):
        podium("synth", "--queries", queries, "--docs", 10, "--features", 20, "--seed", seed + 100 * number, "-o", files[name])
    ranker, log, fit, out = (folder / name for name in ("production.json", "log.tsv.zst", "fit.json", "model.json"))
    podium("train", "linear", "--loss", "softmax", "--data", files["old"], "--model", ranker, "--force")
    podium("clicks", "simulate", "--data", files["docs"], "--ranker", ranker, "--sessions", given.sessions, "--click-model", clicks,
           "--eta", eta, "--seed", seed, "-o", log)
    podium("clicks", "fit", "--clicks", log, "--model", model, "-o", fit)

    def value(*options):
        learner = ("boosting", "--loss", "softmax") if "dual" in options else ("lambdamart",)
        podium("train", *learner, "--data", files["docs"], "--trees", given.trees, "--model", out, "--force", *options)
        return podium("eval", "--data", files["test"], "--model", out, "--measures", "nDCG@10")["results"][0]["measures"]["nDCG@10"]

    values = {"true grades": value()}
    for method, needs in METHODS.items():
        if method != "affine" or model == "trust":
            values[method] = value("--clicks", log, "--debias", method, *(("--propensities", fit) if needs else ()))
    return values


def determined(source, target):
    """The same documents with one more feature that determines the grade."""
    draw = random.Random(1)
    lines = []
    for line in source.read_text().splitlines():
        values, _, comment = line.partition(" #")
        lines.append(f"{values} 21:{float(values.split()[0]) + 0.9 * draw.random():.4f} #{comment}\n")
    target.write_text("".join(lines))


def propensity_table(folder, given):
    """The largest error of a propensity, at a million sessions of a PBM: models × what features say × exploration."""
    plain, well = folder / "plain.txt", folder / "well.txt"
    podium("synth", "--queries", given.queries, "--docs", 10, "--features", 20, "--seed", 1, "-o", plain)
    determined(plain, well)
    rows = []
    for name, docs in (("features determine the grade", well), ("features leave noise", plain)):
        for eta in (1, 0.5):
            for explore in (0.2, 0):
                log = folder / "log.tsv.zst"
                podium("clicks", "simulate", "--data", docs, "--ranker", "feature:1", "--sessions", 1_000_000, "--eta", eta, "--explore",
                       explore, "-o", log)
                errors = []
                for model in ("pbm", "harvest", "regression-em"):
                    if explore == 0 and model != "regression-em":
                        errors.append("refused")
                        continue
                    fit = podium("clicks", "fit", "--clicks", log, "--model", model, *(("--data", docs) if "-" in model else ()))
                    worst = max((abs(theta * p ** eta - 1) for p, theta in enumerate(fit["propensities"], 1)))
                    errors.append(f"{100 * worst:.1f} %")
                rows.append([name, str(eta), "20 %" if explore else "none", *errors])
    return markdown(["world", "η", "swaps", "pbm", "harvest", "regression-em"], rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("queries", 400), ("sessions", 200_000), ("seeds", 2), ("trees", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    text = ""
    for world, (clicks, eta, model) in WORLDS.items():
        with tempfile.TemporaryDirectory() as folder:
            runs = [one_world(pathlib.Path(folder), clicks, eta, model, seed, given) for seed in range(1, given.seeds + 1)]
        gaps = [run["true grades"] - run["naive"] for run in runs]
        rows = []
        for method in runs[0]:
            mean = statistics.mean(run[method] for run in runs)
            closed = [100 * (run[method] - run["naive"]) / gap for run, gap in zip(runs, gaps, strict=True) if gap > 0.005]
            rows.append([method, f"{mean:.4f}", f"{statistics.mean(closed):.0f} %" if closed else "no gap"])
        text += f"### {world}\n\n" + markdown(["method", "nDCG@10", "gap closed"], rows) + "\n"
    write_table("clicks.md", "table", text)
    with tempfile.TemporaryDirectory() as folder:
        write_table("clicks.md", "propensities", propensity_table(pathlib.Path(folder), given))


if __name__ == "__main__":
    main()
