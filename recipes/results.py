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

from claims import missing
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


@dataclasses.dataclass
class Recipe:
    script: list      # with arguments
    paper: str        # its key in the bibliography, or what else is made
    claims: str       # tables and figures of the paper that the page holds: "Figures 4–6"
    page: str         # in docs/results; "" where the recipe only checks
    reading: str
    figures: list = dataclasses.field(default_factory=list)  # that are watched


SVMS = "structural-svms.md"


def recipes():
    return {
        "kdd08-figures-4-6": Recipe(
            ["kdd08_along_c.py"], "Chakrabarti08", "Figures 4–6", "structural-svms-along-c.md",
            "AUC falls the most along C, MAP and NDCG little, as in the paper; DORM and SVM-mrr with φ_mrr do not leave w = 0, cleaned or not.",
            [Figure("structural-svms-along-c.md", "MQ2008", "svm-auc", "C = 1000", 0.4678, 0.005),
             Figure("structural-svms-along-c.md", "MQ2008", "svm-map", "C = 1000", 0.6316, 0.005)]),
        "kdd08-figures-7-9": Recipe(
            ["kdd08_figure9.py"], "Chakrabarti08", "Figures 7, 9", SVMS,
            "No criterion is best for itself throughout, as in the paper. Its gain from φ_mrr is not found again; which learner leads depends on the cleaning.",
            [Figure(SVMS, "OHSUMED", "svm-map", "MAP", 0.4472, 0.005, ".586 (another edition, cleaned)"),
             Figure(SVMS, "OHSUMED", "svm-combo", "MRR@10", 0.745, 0.01, ".813 (another edition, cleaned)"),
             Figure(SVMS, "MQ2007", "svm-combo", "MAP", 0.462, 0.005),
             Figure(SVMS, "MQ2007", "svm-mrr --map po --k 0", "MRR@10", 0.5732, 0.005)]),
        "kdd08-figures-8-10": Recipe(
            ["kdd08_times.py"], "Chakrabarti08", "Figures 8, 10", "structural-svm-times.md",
            "The search for violated rankings takes more time than the quadratic programme, as in the paper; McRank takes longer than both."),
        "letor-ranksvm": Recipe(
            ["letor_ranksvm.py"], "LETOR 4.0, RankSVM-Struct", "", "",
            "Within 0.005 of the published five-fold MAP and MeanNDCG on both sets, or the recipe fails."),
        "sigir07-tables-6-11": Recipe(
            ["sigir07_tables.py"], "Yue07", "Tables 6–11", "svm-map.md", "SVM-map is far ahead of the plain classifier and significantly ahead of SVM-roc on OHSUMED, as in the paper; level with SVM-roc on MQ2008 and with the best features on both."),
        "run-fusion": Recipe(
            ["run_fusion.py"], "Yue07", "", "run-fusion.md", "SVM-map is ahead of SVM-roc on runs, as in the paper, but not significantly, and behind the best run."),
        "kdd13-tables": Recipe(
            ["kdd13_tables.py"], "Tan13", "Tables 4, 8, 11, 13", "directrank.md", "directrank has the highest training nDCG@5 of the linear learners in every fold, as the paper promises; on test data that is worth little on sets this small."),
        "kdd13-protocol": Recipe(
            ["kdd13_protocol.py"], "Tan13", "Tables 4, 11, 12", "directrank.md", "The paper's own protocol gives neither its winning numbers nor its training figure of .446, whose measure is LETOR's; the number of jumping points behaves as in the paper."),
        "kdd13-trees": Recipe(
            ["kdd13_trees.py"], "Tan13", "Table 10", "directrank.md", "At 16,000 training queries the paper's setting beats MART, as in the paper; at 1,000 and 4,000 only with few leaves. LambdaMART is ahead of both."),
        "wsdm10-table-1": Recipe(
            ["wsdm10_table1.py"], "Moon10", "Table 1", "intervalrank.md", "MAP is reached; nDCG@1 and @2 are not. A finite barrier separates grades better, as the paper says, and does not rank better.",
            [Figure("intervalrank.md", "Table 1: OHSUMED", "intervalrank`, chosen by MAP", "MAP", 0.4487, 0.01, ".4466")]),
        "wsdm10-figure-3": Recipe(
            ["wsdm10_figure3.py", "2000", "600"], "Moon10", "Figure 3", "intervalrank.md", "IntervalRank with the pointwise term leads at nDCG@5 on synthetic data, not at nDCG@1 and not at every number of trees; the paper's search-engine data is not available."),
        "boosted-trees": Recipe(
            ["boosted_trees.py"], "trees on the LETOR sets", "", "boosted-trees.md",
            "LambdaMART is level with LightGBM at equal settings.",
            [Figure("boosted-trees.md", "MQ2007", "lambdamart", "nDCG@10", 0.4457, 0.003),
             Figure("boosted-trees.md", "MQ2008", "intervalrank --leaves 10", "nDCG@10", 0.5049, 0.003)]),
        "gradient-learners": Recipe(
            ["gradient_learners.py"], "gradient learners on the LETOR sets", "", "gradient-learners.md",
            "ListNet is at or above its official figures.",
            [Figure("gradient-learners.md", "MQ2008", "lambdarank", "nDCG@10", 0.5071, 0.003),
             Figure("gradient-learners.md", "MQ2007", "listnet", "nDCG@10", 0.4450, 0.003)]),
        "clicks": Recipe(
            ["clicks.py"], "simulated clicks", "", "clicks.md",
            "overlap needs the fewest clicks; ipw closes the gap to the true grades where its click model is right, and most of it where the model is wrong; without bias both cost little.",
            [Figure("clicks.md", "few sessions: pbm, η = 1", "overlap", "nDCG@10", 0.8313, 0.005),
             Figure("clicks.md", "many sessions: pbm, η = 1", "ipw", "nDCG@10", 0.8476, 0.005),
             Figure("clicks.md", "many sessions: trust, η = 1", "affine", "nDCG@10", 0.8379, 0.005)]),
        "quality": Recipe(
            ["quality.py", "--sets", "MQ2008,OHSUMED,shop:100", "--systems",
             "lambdamart;lambdamart --leaves 31;lambdamart --noise 1;lambdamart --oblivious;lambdamart --dart 0.1;lambdamart, tuned;LightGBM;LightGBM, tuned;"
             "XGBoost rank:ndcg, tuned"],
            "rankers beside tuned peers", "", "quality.md",
            "`lambdamart` with its defaults is ahead of LightGBM tuned on validation data on OHSUMED and on products, not on MQ2008. quality.py has more systems and sets, which take hours."),
        "auto-estimate": Recipe(
            ["auto_coverage.py", "--presets", "plain"], "the estimate of `podium auto`", "", "quality.md",
            "The 90 % interval of the estimate contains what the final model is worth about as often as it says."),
        "peers": Recipe(
            ["peers.py"], "other tools", "", "peers.md",
            "MAP on MQ2007 is significantly above LightGBM's; on nDCG@10 and on MQ2008 the best tools cannot be distinguished."),
    }


def run(names, table):
    """Runs the recipes one by one; how many failed."""
    failed, times = 0, {}
    for name in names:
        print(f"== {name}", flush=True)
        began = time.monotonic()
        code = subprocess.run([sys.executable, *table[name].script], cwd=pathlib.Path(__file__).parent, check=False).returncode
        times[name] = time.monotonic() - began
        if code:
            print(f"{name} failed with exit code {code}", file=sys.stderr)
            failed += 1
    for name, seconds in times.items():
        print(f"{name}\t{seconds:.0f} s")
    print(f"all\t{sum(times.values()):.0f} s", flush=True)
    return failed


def check_claims(table):
    """How many tables and figures are claimed and not on their page."""
    wrong = 0
    for name, recipe in table.items():
        absent = missing(recipe.claims, (PAGES / recipe.page).read_text()) if recipe.page else []
        for what in absent:
            print(f"{name} claims {what}, but docs/results/{recipe.page} has no table under a heading that names it", file=sys.stderr)
        wrong += len(absent)
    return wrong


def main():
    chosen = [name for name in sys.argv[1:] if name != "--read"]
    table = recipes()
    unknown = [name for name in chosen if name not in table]
    if unknown:
        sys.exit(f"no such recipe: {', '.join(unknown)}; there are {', '.join(table)}")
    wrong = 0 if "--read" in sys.argv else run(chosen or table, table)
    wrong += check_claims(table)
    overview, figures = [], []
    for recipe in table.values():
        link = f"[{recipe.page}](results/{recipe.page})" if recipe.page else "—"
        made = f"[{recipe.paper}] {recipe.claims}" if recipe.claims else recipe.paper
        overview.append([f"`{' '.join(recipe.script)}`", made, link, recipe.reading])
        for one in recipe.figures:
            value = one.value()
            fine = value is not None and abs(value - one.expected) <= one.tolerance
            wrong += not fine
            figures.append([one.page.removesuffix(".md"), f"{one.heading}: {one.row}, {one.column}", one.paper,
                            "missing" if value is None else f"{value:.4f}", f"{one.expected:.4f} ± {one.tolerance}" + ("" if fine else " ✗")])
    text = (PAGES / "introduction.md").read_text().strip() + "\n\n## The recipes\n\n" + markdown(["recipe", "reproduces", "page", "reading"], overview)
    text += "\n## Figures that are checked\n\n" + markdown(["page", "figure", "paper", "here", "expected"], figures)
    peers = (PAGES / "peers.md").read_text().split("\n## ", 1)
    if len(peers) == 2:
        text += "\n## Compared with other tools\n\nFrom [peers.md](results/peers.md), which describes the method.\n\n## " + peers[1].strip() + "\n"
    (ROOT / "docs/results.md").write_text(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
