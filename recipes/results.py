#!/usr/bin/env python3
"""Runs the recipes and writes docs/results.md: the figures that matter from each recipe's page, what is expected of them, and the papers' own.

Arguments: names of recipes to run (default: all); `--read` runs none and only reads the pages that are there. Exits 1 where a recipe fails,
where a page lacks a table or figure of a paper that its recipe claims to make, or where a figure is further from what is expected than its
tolerance."""
import dataclasses
import pathlib
import re
import subprocess
import sys
import time

from five_fold import ROOT
from pages import markdown

PAGES = ROOT / "docs/results"


class Figure:
    """A number in a table of a page: under a heading, in a row and a column, with what is expected of it."""

    def __init__(self, page, heading, row, column, expected, tolerance, paper="—"):
        self.page, self.heading, self.row, self.column = page, heading, row, column
        self.expected, self.tolerance, self.paper = expected, tolerance, paper

    def value(self):
        heading, head = "", None
        for line in (PAGES / self.page).read_text().splitlines():
            if line.startswith("#"):
                heading, head = line.lstrip("# "), None
            elif line.startswith("| ") or line.startswith("|-"):
                cells = [cell.strip().strip("*`") for cell in line.strip("|").split("|")]
                if head is None:
                    head = cells
                elif heading == self.heading and cells[0] == self.row and self.column in head:
                    return float(re.match(r"[-+0-9.]+", cells[head.index(self.column)])[0])
            else:
                head = None
        return None


def recipes():
    """name: (script with arguments, paper and tables, page, figures, reading)."""
    return {
        "kdd08-figures-4-6": (
            ["kdd08_along_c.py"], "[Chakrabarti08] Figures 4–6", "structural-svms-along-c.md",
            [Figure("structural-svms-along-c.md", "MQ2008", "svm-auc", "C = 1000", 0.4678, 0.005),
             Figure("structural-svms-along-c.md", "MQ2008", "svm-map", "C = 1000", 0.6316, 0.005)],
            "Slack, objective and norm behave as in the paper for AUC, MAP and NDCG; DORM and SVM-mrr do not leave w = 0 here."),
        "kdd08-figures-7-9": (
            ["kdd08_figure9.py", "--all"], "[Chakrabarti08] Figures 7, 9", "structural-svms.md",
            [Figure("structural-svms.md", "Structural SVMs: train criterion against test criterion", "svm-map", "OHSUMED MAP", 0.4472, 0.005,
                    ".586 (LETOR 2.0 edition, 25 features)"),
             Figure("structural-svms.md", "Structural SVMs: train criterion against test criterion", "svm-map", "MQ2007 MAP", 0.4627, 0.005)],
            "The paper's main finding holds: no criterion is best for itself throughout. Its gain from φ_mrr is not found again."),
        "kdd08-figures-8-10": (
            ["kdd08_times.py"], "[Chakrabarti08] Figures 8, 10", "structural-svm-times.md", [],
            "As in the paper the search for violated rankings takes the time, not the quadratic programme; with our oracles it is milliseconds."),
        "letor-ranksvm": (
            ["letor_ranksvm.py"], "LETOR 4.0, RankSVM-Struct", None, [],
            "Within 0.005 of the published five-fold MAP and MeanNDCG on both sets, or the recipe fails."),
        "sigir07-tables-6-11": (
            ["sigir07_tables.py"], "[Yue07] Tables 6–11", "svm-map.md", [],
            "SVM-map is far ahead of the plain classifier, as in the paper; it does not beat the best features, and SVM-roc is ahead of it here."),
        "kdd13-tables": (
            ["kdd13_tables.py"], "[Tan13] Tables 3, 4, 8, 10, 11, 13", "directrank.md", [],
            "directrank has the highest training nDCG@5 of the linear learners in every fold, as the paper promises; on test data that is worth little on sets this small."),
        "wsdm10-table-1": (
            ["wsdm10_table1.py"], "[Moon10] Table 1", "intervalrank.md",
            [Figure("intervalrank.md", "Table 1: OHSUMED", "intervalrank`, chosen by MAP", "MAP", 0.4466, 0.02, ".4466")],
            "MAP is within 0.01 of the paper's; its nDCG@1 and @2 are not reached (another edition with other features)."),
        "wsdm10-figure-3": (
            ["wsdm10_figure3.py", "2000", "300"], "[Moon10] Figure 3", "intervalrank.md", [],
            "The shape of the curves on synthetic data; the paper's search-engine data is not to be had."),
        "boosted-trees": (
            ["boosted_trees.py"], "trees on the LETOR sets", "boosted-trees.md",
            [Figure("boosted-trees.md", "MQ2007", "lambdamart", "nDCG@10", 0.4428, 0.003),
             Figure("boosted-trees.md", "MQ2008", "intervalrank --leaves 10", "nDCG@10", 0.5061, 0.003)],
            "LambdaMART is level with LightGBM at equal settings."),
        "gradient-learners": (
            ["gradient_learners.py"], "gradient learners on the LETOR sets", "gradient-learners.md",
            [Figure("gradient-learners.md", "MQ2008", "lambdarank", "nDCG@10", 0.5042, 0.003),
             Figure("gradient-learners.md", "MQ2007", "listnet", "nDCG@10", 0.4450, 0.003)],
            "ListNet is at or above its official figures."),
        "peers": (
            ["peers.py"], "other tools", "peers.md", [],
            "MAP on MQ2007 is significantly above LightGBM's; on nDCG@10 and on MQ2008 the best tools cannot be told apart."),
    }


def main():
    chosen = [name for name in sys.argv[1:] if name != "--read"]
    table = recipes()
    unknown = [name for name in chosen if name not in table]
    if unknown:
        sys.exit(f"no such recipe: {', '.join(unknown)}; there are {', '.join(table)}")
    wrong = 0
    if "--read" not in sys.argv:
        for name in chosen or table:
            print(f"== {name}", flush=True)
            code = subprocess.run([sys.executable, *table[name][0]], cwd=pathlib.Path(__file__).parent, check=False).returncode
            if code:
                print(f"{name} failed with exit code {code}", file=sys.stderr)
                wrong += 1
    overview, figures = [], []
    for name, (script, paper, page, expected, reading) in table.items():
        link = f"[{page}](results/{page})" if page else "—"
        overview.append([f"`{' '.join(script)}`", paper, link, reading])
        for one in expected:
            value = one.value()
            fine = value is not None and abs(value - one.expected) <= one.tolerance
            wrong += not fine
            figures.append([one.page.removesuffix(".md"), f"{one.heading}: {one.row}, {one.column}", one.paper,
                            "missing" if value is None else f"{value:.4f}", f"{one.expected:.4f} ± {one.tolerance}" + ("" if fine else " ✗")])
    text = (PAGES / "introduction.md").read_text().strip() + "\n\n## The recipes\n\n" + markdown(["recipe", "reproduces", "page", "reading"], overview)
    text += "\n## Figures that are watched\n\n" + markdown(["page", "figure", "paper", "here", "expected"], figures)
    peers = (PAGES / "peers.md").read_text().split("\n## ", 1)
    if len(peers) == 2:
        text += "\n## Beside other tools\n\nFrom [peers.md](results/peers.md), which says how it was made.\n\n## " + peers[1].strip() + "\n"
    (ROOT / "docs/results.md").write_text(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
