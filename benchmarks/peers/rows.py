"""The contests: each runs Podium and its peers in turn and returns rows for the table. A ratio with "≤" is Podium's figure over the
peer's, one with "≥" the peer's over Podium's: how many times faster Podium is; rows without a bar are as the others of their work."""
import json
import pathlib
import re
import subprocess
import sys

from measured import interleaved, measure, medians

HERE = pathlib.Path(__file__).resolve().parent
TREES, LEAVES, RATE = 500, 31, 0.1
TEN = ["nDCG@1", "nDCG@5", "nDCG@10", "nDCG", "AP", "RR", "P@5", "P@10", "R@100", "Rprec"]
TEN_IR_MEASURES = ["nDCG@1", "nDCG@5", "nDCG@10", "nDCG", "AP", "RR", "P@5", "P@10", "R@100", "Rprec"]
TEN_PYTREC = ["ndcg_cut.1,5,10", "ndcg", "map", "recip_rank", "P.5,10", "recall.100", "Rprec"]
TEN_RANX = ["ndcg@1", "ndcg@5", "ndcg@10", "ndcg", "map", "mrr", "precision@5", "precision@10", "recall@100", "r-precision"]
# RankLib's number of the learner, and Podium's options from little work to more. AdaRank's path wanders with its tolerance and measure.
RANKLIB = {"coordinate-ascent": (4, ["--restarts 1", "--restarts 2", "--restarts 5"]),
           "adarank": (3, ["--rounds 30", "--rounds 500", "--tolerance 0.001", "--objective nDCG@5 --tolerance 0.001",
                           "--objective nDCG@5 --tolerance 0.0008"]),
           "rankboost": (2, ["--rounds 30", "--rounds 100", "--rounds 300", "--rounds 1000"]),
           "listnet": (7, ["--epochs 5", "--epochs 10", "--epochs 30", "--epochs 100"])}


class Setting:
    """Where things are, and how large the contest is."""

    def __init__(self, podium, line_search, folder, quick, repeats):
        self.podium, self.line_search, self.folder, self.quick, self.repeats = podium, line_search, folder, quick, repeats
        self.trees = TREES // 10 if quick else TREES

    def mslr(self):
        size = (600, 200) if self.quick else (6000, 2000)
        return made("mslr", self.folder / ("mslr-quick" if self.quick else "mslr"), *size, self.podium)

    def run(self):
        return made("run", self.folder / ("eval-quick" if self.quick else "eval"), 1000 if self.quick else 10000, 1000)

    def letor(self):
        fold = self.folder / "MQ2007/Fold1"
        return fold if fold.exists() else None


def made(kind, folder, *arguments):
    """By a process of its own: a process hands its peak memory on to those that it starts."""
    subprocess.run([sys.executable, HERE / "data.py", kind, folder, *map(str, arguments)], check=True)
    return folder


def version(podium):
    return subprocess.run([podium, "--version"], capture_output=True, text=True).stdout.split("\n")[0].split()[-1]


def note(text):
    print(text, file=sys.stderr, flush=True)


def job(name, **arguments):
    plain = {key: str(value) if isinstance(value, pathlib.Path) else value for key, value in arguments.items()}
    result = measure([sys.executable, HERE / "job.py", name, json.dumps(plain)], dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), str(arguments["threads"])))
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
    phases = result["said"]["phases"]
    return {**result, "train": phases["fit"], "load": phases["read"] + phases["bin"]}


def too_slow(first):
    """Peers that no repetition can make the fastest one; their figure is of one run. LightGBM has a bar of its own."""
    peers = {name: run["train"] for name, run in first.items() if name != "Podium"}
    return [name for name, seconds in peers.items() if seconds > 1.4 * min(peers.values()) and name != "LightGBM"]


def train(setting):
    """LambdaMART beside all peers with 2 threads: time of growing the trees, peak memory, and the measure on test data."""
    rows, figures = grow(setting, 2, ["LightGBM", "LightGBM quantised", "XGBoost hist", "CatBoost, YetiRank"])
    mine, other = figures["Podium"]["memory"], figures["LightGBM"]["memory"]
    work = "peak memory of that training"
    return rows + [row(work, "Podium", f"{mine:.0f} MB"), judged(work, "LightGBM", f"{other:.0f} MB", mine / other, "≤ 0.7 ×", most=0.7)]


def train_one_thread(setting):
    """The same with one thread, beside LightGBM."""
    return grow(setting, 1, ["LightGBM"])[0]


def grow(setting, threads, peers):
    folder = setting.mslr()
    if not (folder / "test.podium").exists():
        subprocess.run([setting.podium, "prepare", folder / "test.txt", "-o", folder / "test.podium", "--quiet"], check=True)
    same = {"folder": folder, "threads": threads, "trees": setting.trees, "leaves": LEAVES, "rate": RATE}
    jobs = {"LightGBM": lambda: job("lightgbm_train", quantised=False, model=folder / "lightgbm.txt", scores=folder / "LightGBM.scores", **same),
            "LightGBM quantised": lambda: job("lightgbm_train", quantised=True, model=folder / "quantised.txt",
                                              scores=folder / "LightGBM quantised.scores", **same),
            "XGBoost hist": lambda: job("xgboost_train", scores=folder / "XGBoost hist.scores", **same),
            "CatBoost, YetiRank": lambda: job("catboost_train", scores=folder / "CatBoost, YetiRank.scores", **same)}
    sides = {"Podium": lambda: podium_train(setting, folder, threads, setting.trees, folder / "podium.json")}
    figures = medians(interleaved(sides | {name: jobs[name] for name in peers}, setting.repeats, note, too_slow))
    subprocess.run([setting.podium, "score", "--model", folder / "podium.json", "--data", folder / "test.podium", "-o", folder / "Podium.scores",
                    "--quiet"], check=True)
    quality = {name: ndcg(setting, folder, folder / f"{name}.scores") for name in figures}
    once = lambda name: " (one run)" if figures[name]["runs"] < setting.repeats else ""
    figure = lambda name: f"{figures[name]['train']:.1f} s{once(name)}, {figures[name]['memory']:.0f} MB, nDCG@10 {quality[name]:.4f}"
    work, mine = f"LambdaMART, {setting.trees} trees, {threads} thread{'s' if threads > 1 else ''}", figures["Podium"]["train"]
    rows = [row(work, "Podium", figure("Podium"))]
    fastest = min(figures[name]["train"] for name in peers)
    for name in peers:
        ratio = mine / figures[name]["train"]
        if name == "LightGBM" or figures[name]["train"] == fastest:
            rows.append(judged(work, name, figure(name), ratio, "≤ 0.6 ×", most=0.6))
        else:
            rows.append(row(work, name, figure(name), f"{ratio:.2f} ×"))
    ahead = quality["Podium"] - quality["LightGBM"]
    rows.append(row(work, "LightGBM", "nDCG@10", f"{ahead:+.4f}", "≥ −0.002", "yes" if ahead >= -0.002 else "**no**"))
    return rows, figures


def load(setting):
    """Reading and binning, from text to where the first tree begins."""
    folder = setting.mslr()
    same = {"folder": folder, "threads": 2, "trees": 1, "leaves": LEAVES, "rate": RATE}
    sides = {"Podium": lambda: podium_train(setting, folder, 2, 1, folder / "one.json"),
             "LightGBM": lambda: job("lightgbm_train", quantised=False, model=folder / "one.txt", scores=None, **same),
             "XGBoost hist": lambda: job("xgboost_train", scores=None, load_only=True, **same)}
    figures = medians(interleaved(sides, setting.repeats, note))
    work, mine = "reading and binning from text, 2 threads", figures["Podium"]["load"]
    rows = [row(work, "Podium", f"{mine:.2f} s")]
    fastest = min(figures[name]["load"] for name in sides if name != "Podium")
    for name in list(sides)[1:]:
        other = figures[name]["load"]
        if other == fastest:
            rows.append(judged(work, name, f"{other:.2f} s", mine / other, "≤ 0.25 ×", most=0.25))
        else:
            rows.append(row(work, name, f"{other:.2f} s", f"{mine / other:.2f} ×"))
    return rows


def assert_equal_scores(ours, theirs):
    with open(ours) as one, open(theirs) as other:
        if any(abs(float(a) - float(b)) > 1e-4 for a, b in zip(one, other, strict=True)):
            sys.exit(f"{theirs}: not the scores of {ours}")


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
    for other in "lxt":
        assert_equal_scores(folder / "p.scores", folder / f"{other}.scores")
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
    if figures["LinearSVC"]["objective"] > target * 1.001:
        sys.exit("LinearSVC did not reach the objective with any tolerance: nothing to compare")
    return [row(work, "Podium", figure("Podium")),
            judged(work, "LinearSVC", figure("LinearSVC"), figures["LinearSVC"]["train"] / figures["Podium"]["train"], "≥ 20 ×", least=20)]


def ranklib_scores(setting, fold, model, out):
    subprocess.run(["java", "-cp", f"{setting.folder}/jars/*", "ciir.umass.edu.eval.Evaluator", "-load", model, "-rank", fold / "train.txt",
                    "-score", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    plain = out.with_suffix(".plain")
    plain.write_text("".join(line.split()[-1] + "\n" for line in open(out)))
    return plain


def training_measure(setting, fold, **source):
    (kind, path), = source.items()
    report = measure([setting.podium, "eval", "--data", fold / "train.txt", f"--{kind}", path, "--measures", "nDCG@10", "--json", "--quiet"])
    return report["said"]["results"][0]["measures"]["nDCG@10"]


def beside_ranklib(setting, fold, learner, number, rungs):
    ours, theirs = setting.folder / f"{learner}.json", setting.folder / f"{learner}.ranklib"

    def podium(options):
        return measure([setting.podium, "train", learner, *options.split(), "--data", fold / "train.txt", "--model", ours, "--threads", 2, "--json",
                        "--quiet"])

    def peer():
        return measure(["java", "-cp", f"{setting.folder}/jars/*", "ciir.umass.edu.eval.Evaluator", "-train", fold / "train.txt", "-ranker", number,
                        "-metric2t", "NDCG@10", "-save", theirs, "-silent"])

    first = [peer()]
    target = training_measure(setting, fold, scores=ranklib_scores(setting, fold, theirs, setting.folder / f"{learner}.scores"))
    for rung in rungs:
        podium(rung)
        reached = training_measure(setting, fold, model=ours)
        if reached >= target:
            break
    podium("")
    usual = training_measure(setting, fold, model=ours)
    sides = {"RankLib": lambda: first.pop() if first else peer(), "rung": lambda: podium(rung), "defaults": lambda: podium("")}
    seconds = {name: run["seconds"] for name, run in medians(interleaved(sides, setting.repeats, note)).items()}
    figure = f"{seconds['RankLib']:.2f} s, training nDCG@10 {target:.4f}"
    work = f"{learner}, MQ2007 Fold1, to RankLib's training measure"
    rows = [row(work, "Podium", f"{seconds['rung']:.2f} s with {rung}, training nDCG@10 {reached:.4f}"),
            judged(work, "RankLib", figure, seconds["RankLib"] / seconds["rung"], "≥ 20 ×", least=20)]
    if reached < target:
        rows[-1]["holds"] = "**no**: the training measure is lower"
    work = f"{learner}, MQ2007 Fold1, each with its defaults"
    return rows + [row(work, "Podium", f"{seconds['defaults']:.2f} s, training nDCG@10 {usual:.4f}"),
                   row(work, "RankLib", figure, f"{seconds['RankLib'] / seconds['defaults']:.2f} ×")]


def ranklib(setting):
    """RankLib's classics with its defaults, whole programs from text to model. Podium with its defaults, and with as much work as it takes to
    reach RankLib's training nDCG@10: the first rung of the learner's ladder that does (finding it is not timed)."""
    fold = setting.letor()
    if not fold:
        return [row("RankLib's learners, MQ2007 Fold1", "", "skipped: PODIUM_DATA is not set")]
    return [each for learner, (number, rungs) in RANKLIB.items() for each in beside_ranklib(setting, fold, learner, number, rungs)]


def evaluate(setting):
    """Ten measures of a TREC run. Alone: from each tool's own types in memory. Whole: from the files; the peers' reading and evaluating without
    their start, Podium's whole process."""
    folder = setting.run()
    sides = {"Podium": lambda: podium_eval(setting, folder),
             "pytrec_eval": lambda: job("pytrec_eval_measures", threads=2, folder=folder, measures=TEN_PYTREC),
             "ir_measures": lambda: job("ir_measures_measures", threads=2, folder=folder, measures=TEN_IR_MEASURES),
             "ranx": lambda: job("ranx_measures", threads=2, folder=folder, measures=TEN_RANX)}
    figures = medians(interleaved(sides, setting.repeats, note))
    alone = {name: run["eval"] for name, run in figures.items()}
    whole = {name: run["eval"] + run["read"] for name, run in figures.items()} | {"Podium": figures["Podium"]["seconds"]}
    rows = []
    for work, seconds in (("ten measures, evaluation alone, data in memory", alone), ("ten measures, whole, from TREC files", whole)):
        figure = lambda name, seconds=seconds: f"{seconds[name]:.2f} s, nDCG@10 {figures[name]['ndcg_cut_10']:.4f}"
        rows.append(row(work, "Podium", figure("Podium")))
        rows += [judged(work, name, figure(name), seconds[name] / seconds["Podium"], "≥ 10 ×", least=10) for name in list(sides)[1:]]
    return rows


def podium_eval(setting, folder):
    result = measure([setting.podium, "eval", "--qrels", folder / "eval.qrels", "--run", folder / "eval.run", "--measures", ",".join(TEN),
                      "--threads", 2, "--json", "--timings", "--quiet"])
    said = result["said"]
    return {**result, "read": said["phases"]["read"], "eval": said["phases"]["evaluate"],
            "ndcg_cut_10": said["results"][0]["measures"]["nDCG@10"]}


def line_search(setting):
    """directrank's exact line search and a round of them, at 1,000 documents per query, on one thread. Naive: all crossings sorted, the list sorted
    and the measure evaluated afresh between each two. All pairs, a strong baseline: the measure updated at each crossing instead."""
    text = subprocess.run([setting.line_search, "20" if setting.quick else "600", "1"], check=True, capture_output=True, text=True).stdout
    rows = []
    for line in text.splitlines():
        if found := re.match(r"(\S+) +(over lists of 1000|a round over .*? features)(.*): +(.*), (naive|all pairs) +(.*): ([\d.]+) times faster", line):
            measure_name, where, share, mine, other, figure, times = found.groups()
            work = f"directrank, {measure_name} {where}{share}"
            if other == "naive":
                rows += [row(work, "Podium", mine), judged(work, "naive exhaustive search", figure, float(times), "≥ 10 ×", least=10)]
            else:
                rows.append(row(work, "all pairs, a strong baseline", figure, f"{float(times):.2f} ×"))
    if not rows:
        sys.exit(f"{setting.line_search}: none of its lines was understood")
    return rows


CONTESTS = {"train": train, "train-one-thread": train_one_thread, "load": load, "score": score, "ranksvm": ranksvm, "ranklib": ranklib,
            "eval": evaluate, "directrank": line_search}
