"""The contests: each runs Podium and its peers in turn and returns rows for the table. A ratio with "≤" is Podium's figure over the
peer's, one with "≥" the peer's over Podium's: how many times faster Podium is."""
import json
import pathlib
import re
import subprocess
import sys

import data
from measured import interleaved, measure, medians

HERE = pathlib.Path(__file__).resolve().parent
TREES, LEAVES, RATE = 500, 31, 0.1
TEN = ["nDCG@1", "nDCG@5", "nDCG@10", "nDCG", "AP", "RR", "P@5", "P@10", "R@100", "Rprec"]
TEN_IR_MEASURES = ["nDCG@1", "nDCG@5", "nDCG@10", "nDCG", "AP", "RR", "P@5", "P@10", "R@100", "Rprec"]
TEN_PYTREC = ["ndcg_cut.1,5,10", "ndcg", "map", "recip_rank", "P.5,10", "recall.100", "Rprec"]
TEN_RANX = ["ndcg@1", "ndcg@5", "ndcg@10", "ndcg", "map", "mrr", "precision@5", "precision@10", "recall@100", "r-precision"]
RANKLIB = {"coordinate-ascent": 4, "adarank": 3, "rankboost": 2, "listnet": 7}


class Setting:
    """Where things are, and how large the contest is."""

    def __init__(self, podium, line_search, folder, quick, repeats):
        self.podium, self.line_search, self.folder, self.quick, self.repeats = podium, line_search, folder, quick, repeats
        self.trees = TREES // 10 if quick else TREES

    def mslr(self):
        size = (600, 200) if self.quick else (6000, 2000)
        return data.make_mslr(self.podium, self.folder / ("mslr-quick" if self.quick else "mslr"), *size)

    def letor(self):
        fold = self.folder / "MQ2007/Fold1"
        return fold if fold.exists() else None


def version(podium):
    return subprocess.run([podium, "--version"], capture_output=True, text=True).stdout.split("\n")[0].split()[-1]


def note(text):
    print(text, file=sys.stderr, flush=True)


def job(name, **arguments):
    plain = {key: str(value) if isinstance(value, pathlib.Path) else value for key, value in arguments.items()}
    result = measure([sys.executable, HERE / "job.py", name, json.dumps(plain)], {"OMP_NUM_THREADS": str(arguments["threads"])})
    return {**result, **result.get("said", {})}


def row(work, tool, figure, ratio="", bar="", holds=""):
    return {"work": work, "tool": tool, "figure": figure, "ratio": ratio, "bar": bar, "holds": holds}


def judged(work, tool, figure, ratio, bar, least=None, most=None):
    holds = (least is None or ratio >= least) and (most is None or ratio <= most)
    return row(work, tool, figure, f"{ratio:.2f} ×", bar, "yes" if holds else "**no**")


def ndcg(setting, folder, scores):
    report = measure([setting.podium, "eval", "--data", folder / "test.podium", "--scores", scores, "--measures", "nDCG@10", "--json", "--quiet"])
    return report["said"]["results"][0]["measures"]["nDCG@10"]


def podium_train(setting, folder, threads, trees, model):
    result = measure([setting.podium, "train", "lambdamart", "--data", folder / "train.txt", "--trees", trees, "--leaves", LEAVES,
                      "--learning-rate", RATE, "--max-bins", 255, "--threads", threads, "--model", model, "--json", "--quiet"])
    return {**result, "train": result["said"]["seconds"], "load": result["seconds"]}


def train(setting):
    """LambdaMART from text, with 2 threads and with 1: time of training, of reading and binning, memory, and the measure on test data."""
    folder = setting.mslr()
    if not (folder / "test.podium").exists():
        subprocess.run([setting.podium, "prepare", folder / "test.txt", "-o", folder / "test.podium", "--quiet"], check=True)
    rows = []
    for threads in (2, 1):
        same = {"folder": folder, "threads": threads, "trees": setting.trees, "leaves": LEAVES, "rate": RATE}
        sides = {"Podium": lambda: podium_train(setting, folder, threads, setting.trees, folder / "podium.json"),
                 "LightGBM": lambda: job("lightgbm_train", quantised=False, model=folder / "lightgbm.txt", scores=folder / "LightGBM.scores", **same),
                 "LightGBM quantised": lambda: job("lightgbm_train", quantised=True, model=folder / "quantised.txt",
                                                   scores=folder / "LightGBM quantised.scores", **same),
                 "XGBoost hist": lambda: job("xgboost_train", scores=folder / "XGBoost hist.scores", **same),
                 "CatBoost": lambda: job("catboost_train", scores=folder / "CatBoost.scores", **same)}
        figures = medians(interleaved(sides, setting.repeats, note))
        subprocess.run([setting.podium, "score", "--model", folder / "podium.json", "--data", folder / "test.podium", "-o",
                        folder / "Podium.scores", "--quiet"], check=True)
        quality = {name: ndcg(setting, folder, folder / f"{name}.scores") for name in sides}
        work = f"LambdaMART, {setting.trees} trees, {threads} thread{'s' if threads > 1 else ''}"
        mine = figures["Podium"]
        rows.append(row(work, "Podium", f"{mine['train']:.1f} s, nDCG@10 {quality['Podium']:.4f}"))
        fastest = min(figures[name]["train"] for name in sides if name not in ("Podium", "LightGBM"))
        for name in list(sides)[1:]:
            other = figures[name]["train"]
            figure = f"{other:.1f} s, nDCG@10 {quality[name]:.4f}"
            if name == "LightGBM" or other == fastest:
                rows.append(judged(work, name, figure, mine["train"] / other, "≤ 0.6 ×", most=0.6))
            else:
                rows.append(row(work, name, figure, f"{mine['train'] / other:.2f} ×"))
        behind = quality["LightGBM"] - quality["Podium"]
        rows.append(row(work, "LightGBM", "nDCG@10", f"{-behind:+.4f}", "≥ −0.002", "yes" if behind <= 0.002 else "**no**"))
        if threads == 2:
            rows.append(row("peak memory of that training", "Podium", f"{mine['memory']:.0f} MB"))
            rows.append(judged("peak memory of that training", "LightGBM", f"{figures['LightGBM']['memory']:.0f} MB",
                               mine["memory"] / figures["LightGBM"]["memory"], "≤ 0.7 ×", most=0.7))
    return rows


def load(setting):
    """From text to the first tree: reading and binning."""
    folder = setting.mslr()
    same = {"folder": folder, "threads": 2, "trees": 1, "leaves": LEAVES, "rate": RATE}
    sides = {"Podium": lambda: podium_train(setting, folder, 2, 1, folder / "one.json"),
             "LightGBM": lambda: job("lightgbm_train", quantised=False, model=folder / "one.txt", scores=None, **same),
             "XGBoost hist": lambda: job("xgboost_train", scores=None, load_only=True, **same)}
    figures = medians(interleaved(sides, setting.repeats, note))
    work, mine = "reading and binning from text, 2 threads", figures["Podium"]["load"]
    rows = [row(work, "Podium", f"{mine:.2f} s, with the first tree")]
    fastest = min(figures[name]["load"] for name in sides if name != "Podium")
    for name in list(sides)[1:]:
        other = figures[name]["load"]
        if other == fastest:
            rows.append(judged(work, name, f"{other:.2f} s", mine / other, "≤ 0.25 ×", most=0.25))
        else:
            rows.append(row(work, name, f"{other:.2f} s", f"{mine / other:.2f} ×"))
    return rows


def score(setting):
    """The same forest, trained by Podium and exported, on one thread."""
    folder = setting.mslr()
    model = folder / "podium.json"
    if not model.exists():
        podium_train(setting, folder, 2, setting.trees, model)
    for form, path in (("lightgbm", folder / "exported.txt"), ("xgboost", folder / "exported.json")):
        subprocess.run([setting.podium, "export", "--model", model, "--to", form, "-o", path, "--quiet"], check=True)
    library = setting.podium.parent / "libpodium_c.so"
    sides = {"Podium": lambda: job("podium_score", threads=1, folder=folder, library=library, model=model, scores=folder / "p.scores"),
             "LightGBM": lambda: job("lightgbm_score", threads=1, folder=folder, model=folder / "exported.txt", scores=folder / "l.scores"),
             "XGBoost": lambda: job("xgboost_score", threads=1, folder=folder, dump=folder / "exported.json", names=model, scores=folder / "x.scores"),
             "treelite": lambda: job("treelite_score", threads=1, folder=folder, model=folder / "exported.txt", scores=folder / "t.scores")}
    figures = medians(interleaved(sides, setting.repeats, note))
    work, mine = f"scoring {setting.trees} trees, one thread, the same forest", figures["Podium"]["score"]
    documents = sum(1 for _ in open(folder / "p.scores"))
    each = lambda name: f"{figures[name]['score'] / documents * 1e6:.2f} µs a document"
    rows = [row(work, "Podium", each("Podium"))]
    others = {name: figures[name]["score"] / mine for name in list(sides)[1:]}
    for name, ratio in others.items():
        if name == "LightGBM":
            rows.append(judged(work, name, each(name), ratio, "≥ 8 ×", least=8))
        elif ratio == min(others.values()):
            rows.append(judged(work, name, each(name), ratio, "≥ 2 ×", least=2))
        else:
            rows.append(row(work, name, each(name), f"{ratio:.2f} ×"))
    if min(others.values()) == others["LightGBM"]:
        rows.append(judged(work, "LightGBM", "the fastest peer", others["LightGBM"], "≥ 2 ×", least=2))
    return rows


def ranksvm(setting):
    """ranksvm at C = 1 to a gap of 0.1 %, against LinearSVC on all pair differences, as precise as it takes to get there."""
    fold = setting.letor()
    if not fold:
        return [row("ranksvm, MQ2007 Fold1", "", "skipped: PODIUM_DATA is not set")]

    def podium():
        result = measure([setting.podium, "train", "ranksvm", "--C", 1, "--epsilon", 0.001, "--data", fold / "train.txt", "--threads", 1,
                          "--json", "--quiet"])
        return {**result, "train": result["said"]["seconds"], "objective": result["said"]["objective"]["primal"]}

    target = podium()["objective"]
    sides = {"Podium": podium, "LinearSVC": lambda: job("linear_svc", threads=1, train=fold / "train.txt", target=target * 1.001)}
    figures = medians(interleaved(sides, setting.repeats, note))
    work = "ranksvm, MQ2007 Fold1, C = 1, one thread"
    figure = lambda name: f"{figures[name]['train']:.3f} s, objective {figures[name]['objective']:.6f}"
    return [row(work, "Podium", figure("Podium")),
            judged(work, "LinearSVC", figure("LinearSVC"), figures["LinearSVC"]["train"] / figures["Podium"]["train"], "≥ 20 ×", least=20)]


def ranklib_scores(setting, fold, model, out):
    subprocess.run(["java", "-cp", f"{setting.folder}/jars/*", "ciir.umass.edu.eval.Evaluator", "-load", model, "-rank", fold / "train.txt",
                    "-score", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    plain = out.with_suffix(".plain")
    plain.write_text("".join(line.split()[-1] + "\n" for line in open(out)))
    return plain


def ranklib(setting):
    """RankLib's classics with its defaults, whole programs from text to model; Podium's until the training measure is at least as high."""
    fold = setting.letor()
    if not fold:
        return [row("RankLib's learners, MQ2007 Fold1", "", "skipped: PODIUM_DATA is not set")]
    rows = []
    for learner, number in RANKLIB.items():
        ours, theirs = setting.folder / f"{learner}.json", setting.folder / f"{learner}.ranklib"
        sides = {"Podium": lambda: measure([setting.podium, "train", learner, "--data", fold / "train.txt", "--model", ours, "--threads", 2,
                                            "--json", "--quiet"]),
                 "RankLib": lambda: measure(["java", "-cp", f"{setting.folder}/jars/*", "ciir.umass.edu.eval.Evaluator", "-train",
                                             fold / "train.txt", "-ranker", number, "-metric2t", "NDCG@10", "-save", theirs, "-silent"])}
        figures = medians(interleaved(sides, 1 if setting.quick or learner == "coordinate-ascent" else setting.repeats, note))
        scores = ranklib_scores(setting, fold, theirs, setting.folder / f"{learner}.scores")
        report = measure([setting.podium, "eval", "--data", fold / "train.txt", "--model", ours, "--scores", scores, "--measures", "nDCG@10",
                          "--json", "--quiet"])["said"]["results"]
        quality = dict(zip(("Podium", "RankLib"), (one["measures"]["nDCG@10"] for one in report)))
        work = f"{learner}, MQ2007 Fold1"
        rows.append(row(work, "Podium", f"{figures['Podium']['seconds']:.2f} s, training nDCG@10 {quality['Podium']:.4f}"))
        rows.append(judged(work, "RankLib", f"{figures['RankLib']['seconds']:.2f} s, training nDCG@10 {quality['RankLib']:.4f}",
                           figures["RankLib"]["seconds"] / figures["Podium"]["seconds"], "≥ 20 ×", least=20))
        if quality["Podium"] < quality["RankLib"]:
            rows[-1]["holds"] = "**no**: the training measure is lower"
    return rows


def evaluate(setting):
    """Ten measures: Podium from TREC files, reading included; the peers without reading, from their own types in memory."""
    folder = setting.folder / ("eval-quick" if setting.quick else "eval")
    folder.mkdir(exist_ok=True)
    data.make_run(folder, *((1000, 1000) if setting.quick else (10000, 1000)))
    sides = {"Podium": lambda: podium_eval(setting, folder),
             "pytrec_eval": lambda: job("pytrec_eval_measures", threads=2, folder=folder, measures=TEN_PYTREC),
             "ir_measures": lambda: job("ir_measures_measures", threads=2, folder=folder, measures=TEN_IR_MEASURES),
             "ranx": lambda: job("ranx_measures", threads=2, folder=folder, measures=TEN_RANX)}
    figures = medians(interleaved(sides, setting.repeats, note))
    work, mine = "ten measures, TREC run and judgements", figures["Podium"]
    rows = [row(work, "Podium", f"{mine['eval']:.2f} s, and {mine['seconds'] - mine['eval']:.2f} s of reading")]
    for name in list(sides)[1:]:
        rows.append(judged(work, name, f"{figures[name]['eval']:.2f} s without reading", figures[name]["eval"] / mine["eval"], "≥ 10 ×", least=10))
    return rows


def podium_eval(setting, folder):
    result = measure([setting.podium, "eval", "--qrels", folder / "eval.qrels", "--run", folder / "eval.run", "--measures", ",".join(TEN),
                      "--threads", 2, "--json", "--quiet"])
    return {**result, "eval": result["said"].get("seconds", result["seconds"])}


def line_search(setting):
    """One exact line search of directrank against evaluating the measure at every crossing, at 1,000 documents a query."""
    text = subprocess.run([setting.line_search, "20" if setting.quick else "600", "1"], check=True, capture_output=True, text=True).stdout
    rows = []
    for line in text.splitlines():
        if found := re.match(r"(\S+) +over lists of 1000, +(\d+) % relevant: +(.*): ([\d.]+) times faster", line):
            rows.append(judged(f"directrank's line search, {found[1]}, lists of 1,000, {found[2]} % relevant", "all pairs", found[3], float(found[4]),
                               "≥ 10 ×", least=10))
    return rows


CONTESTS = {"train": train, "load": load, "score": score, "ranksvm": ranksvm, "ranklib": ranklib, "eval": evaluate, "directrank": line_search}
