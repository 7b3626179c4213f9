"""AutoRanker, Blend, search spaces and Optuna."""

import json
import os
import signal
import subprocess
import threading

import numpy as np
import pandas
import podium
import pytest
from podium._program import program_path
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

PROGRAM = os.environ.get("PODIUM") or program_path()
FEW = {"trials": 5, "learners": ["linear", "adarank", "mart"], "folds": 3}


@pytest.fixture(scope="module")
def fitted(made):
    return podium.AutoRanker(**FEW).fit(made.X, made.y, qid=made.qid)


def members(made):
    return [podium.Linear().fit(made.X, made.y, qid=made.qid), podium.MART(trees=10).fit(made.X, made.y, qid=made.qid)]


def test_auto_finds_what_the_program_finds(fitted, made, tmp_path):
    data = podium.Dataset(made.X, made.y, made.qid)
    data.write(tmp_path / "d.podium")
    subprocess.run([PROGRAM, "auto", "--quiet", "--data", tmp_path / "d.podium", "--trials", "5", "--learners", "linear,adarank,mart",
                    "--folds", "3", "--model", tmp_path / "m.json", "-o", tmp_path / "run"], check=True, stdout=subprocess.DEVNULL)
    assert podium.load_model(tmp_path / "m.json").to_json() == fitted.model_.to_json()
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["estimate"]["value"] == fitted.estimate_.value


def test_the_estimate_and_the_leaderboard(fitted):
    found = fitted.estimate_
    assert found.low < found.value < found.high and found.confidence == 0.9
    assert found.queries == 60 and set(found.against) == {"best single learner", "lambdamart", "best feature"}
    assert "90% interval" in repr(found)
    (few, with_few), (many, with_many) = found.learning_curve.items()
    assert few == pytest.approx(1 / 3) and many == pytest.approx(2 / 3)
    assert found.value == pytest.approx(with_many + (with_many - with_few) / 3)
    frame = fitted.leaderboard_.to_frame()
    assert list(frame.columns) == ["learner", "value", "weight", "without", "options"]
    assert frame["value"].is_monotonic_decreasing
    assert frame["weight"].sum() == pytest.approx(1)
    assert sorted(frame["learner"]) == ["adarank", "linear", "mart"]
    assert "learner" in repr(fitted.leaderboard_)


def test_it_is_a_ranker_like_others(fitted, made, other, tmp_path):
    scores = fitted.predict(other.X)
    assert scores.shape == (len(other.X),)
    assert fitted.score(other.X, other.y, qid=other.qid) > 0.8
    assert (fitted.rank(other.X, qid=other.qid)[:3] >= 1).all()
    fitted.save(tmp_path / "m.json")
    np.testing.assert_array_equal(podium.load_model(tmp_path / "m.json").predict(other.X), scores)
    exported = fitted.export(None, "onnx", verify=podium.Dataset(other.X, other.y, other.qid))
    assert exported.check["holds"]
    assert fitted.explain(other.X).contributions.shape == other.X.shape
    html = fitted._repr_html_()
    assert "out-of-fold" in html and "estimate:" in html
    fitted.report(tmp_path / "r.html")
    assert "podium-auto" in (tmp_path / "r.html").read_text()
    with pytest.raises(NotFittedError):
        clone(fitted).predict(made.X)


def test_simple_and_latency(made):
    simple = podium.AutoRanker(**FEW, simple=True).fit(made.X, made.y, qid=made.qid)
    assert len(simple.members_) == 1 and simple.model_.kind != "blend"
    fast = podium.AutoRanker(**FEW, max_latency=1000).fit(made.X, made.y, qid=made.qid)
    assert sum(member["microseconds"] for member in fast.members_) <= 1000
    assert fast.summary_["latency_front"]


def test_tables_with_names_and_validation_data(made, other):
    table = pandas.DataFrame(made.X, columns=list("abcdef")).assign(qid=made.qid)
    valid = pandas.DataFrame(other.X, columns=list("abcdef")).assign(qid=other.qid)
    ranker = podium.AutoRanker(**FEW).fit(table, made.y, eval_set=(valid, other.y))
    assert ranker.estimate_.queries == 30
    assert list(ranker.feature_names_in_) == list("abcdef")
    assert ranker.predict(valid).shape == (len(valid),)


def test_a_folder_is_resumed_and_replayed(made, tmp_path):
    first = podium.AutoRanker(**FEW, folder=tmp_path / "run").fit(made.X, made.y, qid=made.qid)
    again = podium.AutoRanker(**FEW, folder=tmp_path / "run").fit(made.X, made.y, qid=made.qid)
    assert first.model_.to_json() == again.model_.to_json()
    known = {"learners": FEW["learners"], "folds": 3}
    replayed = podium.AutoRanker(**known).fit(made.X, made.y, qid=made.qid, replay=tmp_path / "run/log.json")
    assert first.model_.to_json() == replayed.model_.to_json()
    with pytest.raises(ValueError, match="on other training data"):
        podium.AutoRanker(**known).fit(made.X[:, :5], made.y, qid=made.qid, replay=tmp_path / "run/log.json")


def test_a_callback_ends_the_search_and_the_best_is_kept(made):
    seen = []

    def stop_after_three(step):
        seen.append(step.number)
        return podium.stop if step.number >= 3 else None

    ranker = podium.AutoRanker(**{**FEW, "trials": 40}).fit(made.X, made.y, qid=made.qid, callbacks=stop_after_three)
    assert ranker.stopped_ and ranker.estimate_ is None and ranker.summary_["trials"] < 40
    assert seen[-1] >= 3
    assert ranker.predict(made.X).shape == (len(made.X),)


@pytest.fixture
def ctrl_c():
    """Python ignores Ctrl-C in programs that a shell started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_best_so_far(made):
    sent = []

    def interrupt(step):  # the number of trials that are done, which may grow by several at once
        if step.number >= 3 and not sent:
            sent.append(threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)))
            sent[0].start()
            sent[0].join()  # before the search can end

    with pytest.warns(UserWarning, match="interrupted: the best so far is kept"):
        ranker = podium.AutoRanker(**{**FEW, "trials": 5000}).fit(made.X, made.y, qid=made.qid, callbacks=interrupt)
    assert ranker.stopped_ and ranker.summary_["trials"] < 5000


def test_mistakes_of_auto(made):
    with pytest.raises(ValueError, match="trials and seconds cannot be combined"):
        podium.AutoRanker(trials=3, seconds=5).fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="did you mean linear"):
        podium.AutoRanker(trials=1, learners="linaer").fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="documents of different grades"):
        podium.AutoRanker(trials=1).fit(made.X, np.zeros(len(made.y)), qid=made.qid)
    with pytest.raises(TypeError, match="measure"):
        podium.AutoRanker(trials=1, measure=lambda labels, scores: 0.5).fit(made.X, made.y, qid=made.qid)
    with pytest.warns(UserWarning, match="60 of the 60 queries of the validation data are also in the training data"):
        podium.AutoRanker(**{**FEW, "trials": 1}).fit(made.X, made.y, qid=made.qid, eval_set=(made.X, made.y), eval_qid=made.qid)


def test_a_blend_of_rankers_models_and_files(made, other, tmp_path):
    linear, trees = members(made)
    trees.save(tmp_path / "trees.json")
    blend = podium.Blend([linear.model_, tmp_path / "trees.json"]).fit(other.X, other.y, qid=other.qid)
    same = podium.Blend([linear, trees]).fit(other.X, other.y, qid=other.qid)
    assert blend.model_.to_json() == same.model_.to_json()
    assert blend.weights_.sum() == pytest.approx(1) and blend.value_ >= max(blend.values_) - 0.02
    expected = sum(member["weight"] / member["scale"] * member["model"].predict(other.X) for member in blend.model_.members)
    np.testing.assert_allclose(blend.predict(other.X), expected, rtol=1e-12)
    podium.Dataset(other.X, other.y, other.qid).write(tmp_path / "v.podium")
    linear.save(tmp_path / "linear.json")
    subprocess.run([PROGRAM, "blend", "--quiet", "--models", tmp_path / "linear.json", tmp_path / "trees.json", "--data",
                    tmp_path / "v.podium", "--model", tmp_path / "b.json"], check=True, stdout=subprocess.DEVNULL)
    assert podium.load_model(tmp_path / "b.json").to_json() == blend.model_.to_json()
    blend.save(tmp_path / "mine.json")
    assert podium.load_model(tmp_path / "mine.json").kind == "blend"
    assert blend.export(None, "cpp", verify=podium.Dataset(other.X, other.y, other.qid)).check["holds"]
    assert clone(blend).fit(other.X, other.y, qid=other.qid).model_.to_json() == blend.model_.to_json()


def test_mistakes_of_blends(made, other):
    linear, trees = members(made)
    with pytest.warns(UserWarning, match="linear, mart were trained on this data"):
        podium.Blend([linear, trees]).fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match="this Linear is not fitted"):
        podium.Blend([podium.Linear()]).fit(other.X, other.y, qid=other.qid)
    with pytest.raises(ValueError, match="at least one"):
        podium.Blend([]).fit(other.X, other.y, qid=other.qid)
    with pytest.raises(TypeError, match="neither a fitted ranker"):
        podium.Blend([3]).fit(other.X, other.y, qid=other.qid)
    one = podium.Blend([linear]).fit(other.X, other.y, qid=other.qid)
    assert one.held_out_ is None and one.weights_.tolist() == [1]


def test_compare_takes_searches_and_blends(made):
    data = podium.Dataset(made.X, made.y, made.qid)
    found = podium.compare(data, {"auto": podium.AutoRanker(**{**FEW, "trials": 3}),
                                  "both": podium.Blend([podium.Linear(), podium.MART(trees=5)]),
                                  "text": "blend(linear,mart(trees=5))", "linear": "linear"},
                           measures=["nDCG@10"], folds=3, permutations=200)
    assert found["both"]["nDCG@10"] == found["text"]["nDCG@10"]
    assert 0.5 < found["auto"]["nDCG@10"] <= 1
    with pytest.raises(ValueError, match="seconds"):
        podium.compare(data, {"auto": podium.AutoRanker()}, measures=["nDCG@10"], folds=3)
    with pytest.raises(ValueError, match="give it Rankers"):
        podium.compare(data, {"both": podium.Blend(["m.json"])}, measures=["nDCG@10"], folds=3)


def test_search_spaces_are_those_of_the_learners():
    space = podium.search_space("lambdamart")
    options = podium.options("lambdamart")
    assert "learning_rate" in space and set(space) <= set(options)
    for row in podium.learners():
        for name, one in podium.search_space(row["name"]).items():
            assert set(one) in ({"type", "default", "choices"}, {"type", "default", "low", "high", "log"})
            low = one["choices"][0] if one["type"] == "choice" else one["low"]
            high = one["choices"][-1] if one["type"] == "choice" else one["high"]
            for value in (low, high):
                podium.Ranker(row["name"], **{name: value})._request()
    with pytest.raises(ValueError, match="did you mean lambdamart"):
        podium.search_space("lambdamrat")


class Trial:
    """What the callback and suggest use of Optuna's trials."""

    def __init__(self, prunes_at=None):
        self.reported, self.prunes_at = [], prunes_at

    def report(self, value, step):
        self.reported.append((step, value))

    def should_prune(self):
        return self.prunes_at is not None and len(self.reported) >= self.prunes_at

    def suggest_int(self, name, low, high, log):
        return low

    def suggest_float(self, name, low, high, log):
        return high

    def suggest_categorical(self, name, choices):
        return choices[0]


def test_values_are_reported_to_a_trial(made, other):
    trial = Trial()
    options = podium.optuna.suggest(trial, "mart")
    assert set(options) == set(podium.search_space("mart"))
    ranker = podium.MART(trees=4, **{name: value for name, value in options.items() if name != "trees"})
    ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid,
               callbacks=podium.optuna.PruningCallback(trial))
    assert [step for step, _ in trial.reported] == [1, 2, 3, 4]
    assert trial.reported[-1][1] == ranker.history_[-1]["valid nDCG@10"]
    with pytest.raises(ValueError, match="give fit an eval_set"):
        podium.MART(trees=2).fit(made.X, made.y, qid=made.qid, callbacks=podium.optuna.PruningCallback(Trial()))
    with pytest.raises(ValueError, match="'valid AP' is not among"):
        ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid,
                   callbacks=podium.optuna.PruningCallback(Trial(), "valid AP"))


def test_a_study_of_optuna(made, other):
    optuna = pytest.importorskip("optuna", reason="optuna is not installed: pip install optuna to run this test")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial):
        ranker = podium.LambdaMART(**{**podium.optuna.suggest(trial, "lambdamart"), "trees": 20})
        ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid,
                   callbacks=podium.optuna.PruningCallback(trial))
        return ranker.validation_["nDCG@10"]

    pruner = optuna.pruners.PercentilePruner(1.0, n_startup_trials=1, n_warmup_steps=0)
    study = optuna.create_study(direction="maximize", pruner=pruner, sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(objective, n_trials=6)
    states = [trial.state.name for trial in study.trials]
    assert states[0] == "COMPLETE" and "PRUNED" in states
    assert 0 < study.best_value <= 1
