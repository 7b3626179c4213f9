"""One measured piece of a peer's work, in a process of its own: job.py NAME ARGUMENTS (JSON). The last line of the
output is a JSON object with seconds of each phase; scores go to the file that the arguments name. OMP_NUM_THREADS is
set to "threads" by the caller. Imports are not timed, nor, but where it is a phase of its own (TREC files), what only turns
files into a peer's own types."""
import json
import resource
import sys
import time

import numpy as np


class Clock:
    """Seconds by phase: with clock("train"): ..."""

    def __init__(self):
        self.seconds = {}

    def __call__(self, phase):
        self.phase = phase
        return self

    def peak(self):
        """Notes the peak memory up to here, in MB."""
        self.seconds["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    def __enter__(self):
        self.began = time.perf_counter()

    def __exit__(self, *_):
        self.seconds[self.phase] = self.seconds.get(self.phase, 0) + time.perf_counter() - self.began


def arrays(folder, part):
    return (np.load(f"{folder}/{part}.x.npy", mmap_mode="r"), np.load(f"{folder}/{part}.y.npy"),
            np.load(f"{folder}/{part}.groups.npy"))


def save_scores(path, scores):
    np.savetxt(path, scores, fmt="%.9g")


def lightgbm_train(clock, folder, threads, trees, leaves, rate, quantised, model, scores):
    import lightgbm
    options = {"objective": "lambdarank", "num_leaves": leaves, "learning_rate": rate, "max_bin": 255, "min_data_in_leaf": 20,
               "num_threads": threads, "seed": 1, "verbose": -1, "metric": "none"}
    if quantised:
        options.update(use_quantized_grad=True, num_grad_quant_bins=16, quant_train_renew_leaf=True)
    with clock("load"):
        data = lightgbm.Dataset(f"{folder}/train.svm", params=options)
        data.construct()
    with clock("train"):
        booster = lightgbm.train(options, data, trees)
    clock.peak()
    booster.save_model(model)
    if scores:
        save_scores(scores, booster.predict(np.pad(arrays(folder, "test")[0], ((0, 0), (1, 0))), num_threads=threads))


def xgboost_train(clock, folder, threads, trees, leaves, rate, scores, load_only=False):
    import xgboost
    options = {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0,
               "eta": rate, "max_bin": 255, "nthread": threads, "seed": 1}
    if load_only:
        with clock("load"):
            data = xgboost.DMatrix(f"{folder}/train.txt?format=libsvm&indexing_mode=1", nthread=threads)
            xgboost.train(options, data, 1)
        return
    x, y, groups = arrays(folder, "train")
    data = xgboost.QuantileDMatrix(np.array(x), y, max_bin=255, nthread=threads, group=groups)
    with clock("train"):
        booster = xgboost.train(options, data, trees)
    clock.peak()
    save_scores(scores, booster.predict(xgboost.DMatrix(np.array(arrays(folder, "test")[0]), nthread=threads)))


def catboost_train(clock, folder, threads, trees, leaves, rate, scores):
    import catboost
    x, y, groups = arrays(folder, "train")
    data = catboost.Pool(np.array(x), y, group_id=np.repeat(np.arange(len(groups)), groups))
    data.quantize(border_count=254)
    model = catboost.CatBoostRanker(loss_function="YetiRank", iterations=trees, depth=int(np.ceil(np.log2(leaves))), learning_rate=rate,
                                    thread_count=threads, random_seed=1, verbose=False, allow_writing_files=False)
    with clock("train"):
        model.fit(data)
    clock.peak()
    save_scores(scores, model.predict(np.array(arrays(folder, "test")[0]), thread_count=threads))


def lightgbm_score(clock, folder, threads, model, scores):
    import lightgbm
    booster = lightgbm.Booster(model_file=model)
    x = np.array(arrays(folder, "test")[0])
    with clock("score"):
        values = booster.predict(x, num_threads=threads)
    save_scores(scores, values)


def xgboost_score(clock, folder, threads, dump, names, scores):
    import pathlib
    import xgboost  # noqa: F401  (loaded before the clock starts)
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/consumers"))
    from xgboost_model import from_dump
    booster = from_dump(json.load(open(dump)), json.load(open(names))["features"], pathlib.Path(folder))
    booster.set_param({"nthread": threads})
    x = np.array(arrays(folder, "test")[0])
    with clock("score"):
        values = booster.inplace_predict(x)
    save_scores(scores, values)


def treelite_score(clock, folder, threads, model, scores):
    import treelite
    forest = treelite.frontend.load_lightgbm_model(model)
    x = np.array(arrays(folder, "test")[0])
    with clock("score"):
        values = treelite.gtil.predict(forest, x, nthread=threads)
    save_scores(scores, np.ravel(values))


def podium_score(clock, folder, threads, library, model, scores):
    import ctypes
    assert threads == 1  # the library scores in the calling thread
    podium = ctypes.CDLL(library)
    podium.podium_last_error.restype = ctypes.c_char_p
    handle = ctypes.c_void_p()
    if podium.podium_model_load(model.encode(), ctypes.byref(handle)):
        sys.exit(podium.podium_last_error().decode())
    x = np.array(arrays(folder, "test")[0])
    values = np.empty(len(x))
    with clock("score"):
        status = podium.podium_score_dense(handle, x.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(x.shape[0]), ctypes.c_size_t(x.shape[1]),
                                           values.ctypes.data_as(ctypes.c_void_p))
    if status:
        sys.exit(podium.podium_last_error().decode())
    save_scores(scores, values)


def pair_differences(train):
    """All pairs of different grades of a query as differences, and weights: the pairs of each query weigh 1 / queries in all."""
    from sklearn.datasets import load_svmlight_file
    x, y, qid = load_svmlight_file(train, query_id=True)
    x, rows, each = x.toarray(), [], []
    for q in np.unique(qid):
        mine = np.flatnonzero(qid == q)
        better, worse = np.nonzero(y[mine][:, None] > y[mine][None, :])
        if len(better):
            rows.append(x[mine[better]] - x[mine[worse]])
            each.append(np.full(len(better), 1 / len(better)))
    return np.concatenate(rows), np.concatenate(each) / len(rows)


def linear_svc(clock, threads, train, target):
    """Podium's ranksvm objective; the tolerance is tightened until the objective is at most `target`, and that fit alone is timed."""
    from sklearn.svm import LinearSVC
    difference, weight = pair_differences(train)
    sign = np.where(np.arange(len(difference)) % 2, 1, -1)
    signed = difference * sign[:, None]
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
        model = LinearSVC(loss="hinge", C=1.0, fit_intercept=False, tol=tolerance, max_iter=100_000, dual=True)
        clock.seconds.pop("train", None)
        with clock("train"):
            model.fit(signed, sign, sample_weight=weight)
        w = model.coef_[0]
        clock.seconds["objective"] = float(0.5 * w @ w + weight @ np.maximum(0, 1 - difference @ w))
        if clock.seconds["objective"] <= target:
            break


def trec_input(clock, folder):
    with clock("read"):
        run, qrels = {}, {}
        for line in open(f"{folder}/eval.qrels"):
            qid, _, docid, grade = line.split()
            qrels.setdefault(qid, {})[docid] = int(grade)
        for line in open(f"{folder}/eval.run"):
            qid, _, docid, _, score, _ = line.split()
            run.setdefault(qid, {})[docid] = float(score)
    return run, qrels


def pytrec_eval_measures(clock, threads, folder, measures):
    import pytrec_eval
    run, qrels = trec_input(clock, folder)
    with clock("eval"):
        results = pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(run)
        means = {m: float(np.mean([r[m] for r in results.values()])) for m in next(iter(results.values()))}
    clock.seconds["ndcg_cut_10"] = means.get("ndcg_cut_10")


def ir_measures_measures(clock, threads, folder, measures):
    import ir_measures
    run, qrels = trec_input(clock, folder)
    with clock("eval"):
        means = ir_measures.calc_aggregate([ir_measures.parse_measure(m) for m in measures], qrels, run)
    clock.seconds["ndcg_cut_10"] = means[ir_measures.parse_measure("nDCG@10")]


def ranx_measures(clock, threads, folder, measures):
    import ranx
    run, qrels = trec_input(clock, folder)
    with clock("read"):
        run, qrels = ranx.Run(run), ranx.Qrels(qrels)
    ranx.evaluate(qrels, run, measures)  # compiles
    with clock("eval"):
        means = ranx.evaluate(qrels, run, measures)
    clock.seconds["ndcg_cut_10"] = float(means["ndcg@10"])


def main():
    clock = Clock()
    globals()[sys.argv[1]](clock, **json.loads(sys.argv[2]))
    print(json.dumps(clock.seconds))


if __name__ == "__main__":
    main()
