"""Writes _learners.py: one estimator class per learner of the catalogue, with its options as keywords.

usage: generate_learners.py FOLDER_OF_THE_EXTENSION OUTPUT
Run by CMake when the extension is built, so that signatures, defaults and docstrings are those of the
library it holds."""
import pathlib
import sys
import textwrap

COMMON = """\
measure: str, callable, or a list of them
    Used to choose between models on ``eval_set``, and returned by ``score``; further ones are only logged.
convention: str
    How measures are computed; ``podium.conventions()`` lists them.
{loss}normalize: str or None
    Rescale features within each query, in training and scoring: query-minmax, query-zscore,
    query-percentile, none. None: as the method's paper does.
bins: int
    Replace each feature by indicators at this many thresholds; 0: as the method's paper does.
bin_rule: str or None
    How to place these thresholds: quantile, even. None: as the method's paper does.
impute: str or None
    What missing numbers become, in training and scoring: query-min, query-mean, mean, median, zero, none, auto.
    None: auto for learners whose models have no place for missing values, chosen on ``eval_set``.
indicators: str or None
    Add an input of 0 and 1 for each feature with missing values: yes, no, auto. None: auto.
encode: str or None
    How categories become numbers: target, one-hot, hash, auto. None: auto for learners that cannot use them.
features: str, list, or None
    Train on these only: "1-10,15", or names. Other columns of tables may then be text.
ignore: str, list, or None
    Columns of tables that are not features, such as text: names.
categorical: str, list, or None
    Columns that are categories, for learners that grow trees: names, or numbers counted from 1 for matrices. Columns
    of the pandas type ``category``, of polars' ``Categorical`` and ``Enum``, and Arrow dictionaries always are.
pointwise: float
    Add this many times the squared error to the loss.
seed: int
    The same seed gives the same model for any number of threads.
threads: int
    0: one per core.
device: str
    Where trees are grown and scored: "cpu", "cuda" (the first GPU), "cuda:1", "auto" (a GPU if there is one) or
    "emulated" (a GPU's work, done by the CPU: for tests). The models and scores are the same, byte for byte.
verbose: int or None
    1: show progress; 0: show nothing; None: show a bar where a fit takes long, on a terminal or in a notebook.

The names that other tools have for options can be used, too: ``podium.aliases()``."""
LOSS = """\
loss: str, callable, or None
    A name of ``podium.losses()``, or a function of one query's scores and labels; None: {loss}.
"""
NAMES = {"mart": "MART", "lambdamart": "LambdaMART", "mcrank": "McRank", "gbrank": "GBRank",
         "ranksvm": "RankSVM", "ranknet": "RankNet", "lambdarank": "LambdaRank", "listnet": "ListNet",
         "listmle": "ListMLE", "rankcosine": "RankCosine", "smoothrank": "SmoothRank",
         "softrank": "SoftRank", "mlp": "MLP", "intervalrank": "IntervalRank", "adarank": "AdaRank",
         "rankboost": "RankBoost", "frank": "FRank", "directrank": "DirectRank", "dorm": "DORM"}
PARTS = {"svm": "SVM", "map": "MAP", "ndcg": "NDCG", "mrr": "MRR", "auc": "AUC", "nc": "NC",
         "directrank": "DirectRank"}
HEAD = '''\
"""One estimator per learner, written from the catalogue when Podium was built: do not edit."""
# ruff: noqa: N803
from __future__ import annotations

from podium._parameters import LossLike, MeasureLike, NamesLike
from podium._ranker import Ranker

'''


def class_name(learner):
    if learner in NAMES:
        return NAMES[learner]
    return "".join(PARTS.get(part, part.capitalize()) for part in learner.split("-"))


def keyword(option):
    return option["name"].replace("-", "_")


def annotation(option):
    default = option["default"]
    if isinstance(default, str):
        # Text options often are lists of numbers, such as C: a number or a list is written as text.
        return "str" if option["choices"] else "str | float | list[float]"
    return type(default).__name__


def parameter_docs(entry):
    lines = []
    for option in entry["options"]:
        limits = option["range"] or " | ".join(option["choices"])
        kind = annotation(option).replace(" | ", " or ")
        lines.append(f"{keyword(option)}: {kind}, default {option['default']!r}")
        help_text = option["help"] + (f" ({limits})" if limits else "")
        lines += textwrap.wrap(help_text[0].upper() + help_text[1:] + ".", 96, initial_indent="    ",
                               subsequent_indent="    ", break_on_hyphens=False)
    own = entry["loss"] or "the learner's own"
    loss = LOSS.format(loss=own) if entry["takes_any_loss"] else ""
    return "\n".join(lines) + ("\n" if lines else "") + COMMON.format(loss=loss)


def class_source(entry):
    summary = entry["summary"]
    paper = f" [{entry['paper']}]" if entry["paper"] else ""
    doc = f'"""{summary[0].upper()}{summary[1:]}{paper}.\n\nParameters\n----------\n{parameter_docs(entry)}\n"""'
    common = [("measure", "MeasureLike", "'nDCG@10'"), ("convention", "str", "'podium'")]
    if entry["takes_any_loss"]:
        common.append(("loss", "LossLike", "None"))
    common += [("normalize", "str | None", "None"), ("bins", "int", "0"), ("bin_rule", "str | None", "None"),
               ("impute", "str | None", "None"), ("indicators", "str | None", "None"), ("encode", "str | None", "None"),
               ("features", "NamesLike", "None"), ("ignore", "NamesLike", "None"),
               ("categorical", "NamesLike", "None"), ("pointwise", "float", "0.0"),
               ("seed", "int", "1"), ("threads", "int", "0"), ("device", "str", "'cpu'"), ("verbose", "int | None", "None")]
    parameters = [(keyword(o), annotation(o), repr(o["default"])) for o in entry["options"]] + common
    signature = "".join(f"        {name}: {kind} = {default},\n" for name, kind, default in parameters)
    assignments = "".join(f"        self.{name} = {name}\n" for name, _, _ in parameters)
    doc = textwrap.indent(doc, "    ", lambda line: bool(line.strip()))
    return (f"class {class_name(entry['name'])}(Ranker):\n{doc}\n\n"
            f"    _learner = {entry['name']!r}\n\n"
            f"    def __init__(  # noqa: PLR0913\n        self,\n        *,\n{signature}    ) -> None:\n"
            f"{assignments}")


def main():
    sys.path.insert(0, sys.argv[1])
    import _podium

    entries = _podium.learners()
    names = sorted(class_name(entry["name"]) for entry in entries)
    exports = "__all__ = [\n" + "".join(f"    {name!r},\n" for name in names) + "]\n"
    by_name = "BY_NAME: dict[str, type[Ranker]] = {\n" + "".join(
        f"    {entry['name']!r}: {class_name(entry['name'])},\n" for entry in entries) + "}\n"
    text = HEAD + exports + "\n\n" + "\n\n".join(map(class_source, entries)) + "\n\n" + by_name
    compile(text, sys.argv[2], "exec")
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
