"""Losses in Python, callbacks, Ctrl-C, and the interpreter's lock."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import podium
import pytest
from sklearn.base import clone


def squared(scores, labels):
    error = scores - labels
    return 0.5 * (error**2).sum(), error, np.ones_like(error)


def test_loss_in_python_equals_the_built_in(made):
    own = podium.Boosting(loss=podium.Loss(squared, convex=True), trees=10).fit(made.X, made.y, qid=made.qid)
    built_in = podium.Boosting(loss="squared", trees=10).fit(made.X, made.y, qid=made.qid)
    np.testing.assert_allclose(own.predict(made.X), built_in.predict(made.X), rtol=1e-9)
    assert own.model_.loss == "python:squared"
    assert podium.Model.from_json(own.model_.to_json()).loss == "python:squared"


def softmax_loss(scores, labels):
    """ListNet's cross entropy, top one."""
    def softmax(x):
        e = np.exp(x - x.max())
        return e / e.sum()

    p, target = softmax(scores), softmax(labels.astype(float))
    return -(target * np.log(p)).sum(), p - target, p * (1 - p) + 1e-6


@pytest.mark.parametrize("ranker", [podium.Boosting(trees=10), podium.Linear(epochs=20, optimizer="lbfgs"), podium.MLP(epochs=3)])
def test_loss_in_python_trains_every_kind(made, ranker):
    ranker = clone(ranker).set_params(loss=podium.Loss(softmax_loss, convex=True, shift_invariant=True))
    ranker.fit(made.X, made.y, qid=made.qid)
    assert ranker.score(made.X, made.y, made.qid) > 0.8


def test_query_weights_reach_losses_in_python(made):
    weights = np.linspace(0.1, 2, len(made.group))
    own = podium.Boosting(loss=squared, trees=5).fit(made.X, made.y, qid=made.qid, sample_weight=weights)
    built_in = podium.Boosting(loss="squared", trees=5).fit(made.X, made.y, qid=made.qid, sample_weight=weights)
    np.testing.assert_allclose(own.predict(made.X), built_in.predict(made.X), rtol=1e-9)
    with pytest.raises(ValueError, match="sample_weight"):
        podium.Boosting(loss=squared, trees=5).fit(made.X, made.y, qid=made.qid,
                                                   sample_weight=np.linspace(0.1, 2, len(made.y)))


@pytest.mark.parametrize(("function", "message"), [
    (lambda s, y: 1.0, "return .value, first."),
    (lambda s, y: (1.0, s[:-1]), "first has the shape"),
    (lambda s, y: (1.0, s * np.nan), "first is not finite"),
    (lambda s, y: (1.0, s, np.inf + s), "second is not finite"),
    (lambda s, y: (np.nan, s), "the value of a query is nan"),
])
def test_losses_in_python_are_checked(made, function, message):
    with pytest.raises(ValueError, match=message):
        podium.Boosting(loss=function, trees=2).fit(made.X, made.y, qid=made.qid)


def test_errors_in_python_losses_propagate(made):
    def broken(scores, labels):
        raise KeyError("of mine")

    with pytest.raises(KeyError, match="of mine"):
        podium.Boosting(loss=broken, trees=2).fit(made.X, made.y, qid=made.qid)


def test_callbacks_see_every_iteration_in_the_calling_thread(made):
    seen, threads = [], set()

    def watch(step):
        seen.append((step.number, step.total, dict(step.values)))
        threads.add(threading.get_ident())

    ranker = podium.LambdaMART(trees=7).fit(made.X, made.y, qid=made.qid, callbacks=watch)
    assert [number for number, _, _ in seen] == list(range(1, 8))
    assert threads == {threading.get_ident()}
    assert [{"iteration": n, **values} for n, _, values in seen] == ranker.history_


def test_a_callback_stops(made):
    ranker = podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid,
                                              callbacks=[lambda step: None, stop_at(5)])
    assert ranker.termination_ == "stopped"
    assert 5 <= ranker.model_.trees <= 6

    def raises(step):
        if step.number == 7:
            raise podium.StopTraining

    ranker = podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid, callbacks=raises)
    assert ranker.termination_ == "stopped" and 7 <= ranker.model_.trees <= 8


def test_only_podium_stop_ends_training(made):
    """tqdm's bar.update returns True if it has drawn: that does not request a stop."""
    class Bar:
        def __init__(self):
            self.n = 0

        def update(self, step):
            self.n += 1
            return True

    for answer in (True, 1, "stop", podium.StopTraining, np.ones(3)):
        ranker = podium.LambdaMART(trees=4).fit(made.X, made.y, qid=made.qid, callbacks=lambda step, a=answer: a)
        assert ranker.model_.trees == 4 and ranker.termination_ == "iteration-limit"
    bar = Bar()
    podium.LambdaMART(trees=4).fit(made.X, made.y, qid=made.qid, callbacks=bar.update)
    assert bar.n == 4


def test_training_measures_in_callbacks_without_validation_data(made, other):
    seen = []
    ranker = podium.LambdaMART(trees=3).fit(made.X, made.y, qid=made.qid, callbacks=seen.append)
    assert seen[-1].values["train nDCG@10"] == pytest.approx(ranker.score(made.X, made.y, made.qid), abs=1e-12)
    seen.clear()
    podium.LambdaMART(trees=3).fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid,
                                   callbacks=seen.append)
    assert "valid nDCG@10" in seen[0].values and "train nDCG@10" not in seen[0].values
    assert "train nDCG@10" not in podium.LambdaMART(trees=3).fit(made.X, made.y, qid=made.qid).history_[0]


def test_errors_in_callbacks_propagate(made):
    def broken(step):
        raise LookupError("of mine")

    with pytest.raises(LookupError, match="of mine"):
        podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid, callbacks=broken)


def stop_at(number):
    return lambda step: podium.stop if step.number == number else None


LONG = """
    import numpy as np, podium, sys
    random = np.random.default_rng(1)
    X = random.normal(size=(20000, 20)).astype(np.float32)
    y = (X[:, 0] + random.normal(size=20000) > 0).astype(int)
    ranker = podium.LambdaMART(trees=1000000)
    try:
        ranker.fit(X, y, group=[20] * 1000, callbacks=lambda step: step.number == 1 and print("on", flush=True),
                   on_interrupt=sys.argv[1])
        print("kept", ranker.model_.trees > 0, ranker.termination_)
    except KeyboardInterrupt:
        print("interrupted", hasattr(ranker, "model_"))
"""


@pytest.mark.parametrize(("on_interrupt", "wanted"), [("raise", "interrupted False\n"), ("keep", "kept True stopped\n")])
def test_ctrl_c(on_interrupt, wanted):
    process = subprocess.Popen([sys.executable, "-W", "error::DeprecationWarning", "-c", textwrap.dedent(LONG), on_interrupt],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "on\n"
    process.send_signal(signal.SIGINT)
    try:
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == wanted
    assert process.returncode == 0
    assert ("the model after" in errors) == (on_interrupt == "keep")


def test_ctrl_c_in_a_callback(made):
    def interrupts(step):
        if step.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid, callbacks=interrupts)
    with pytest.warns(UserWarning, match="interrupted: the model after"):
        ranker = podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid, callbacks=interrupts, on_interrupt="keep")
    assert 3 <= ranker.model_.trees <= 4
    with pytest.raises(ValueError, match="on_interrupt: raise or keep"):
        podium.LambdaMART().fit(made.X, made.y, qid=made.qid, on_interrupt="ask")


def test_several_named_validation_sets(made, other):
    def fitted(**given):
        ranker = podium.LambdaMART(trees=30, early_stopping=5, measure=["nDCG@5", "AP"])
        return ranker.fit(made.X, made.y, qid=made.qid, **given)

    alone = fitted(eval_set=(other.X, other.y), eval_qid=other.qid)
    ranker = fitted(eval_set={"dev": (other.X, other.y), "all": podium.Dataset(made.X, made.y, made.qid)},
                    eval_qid={"dev": other.qid})
    np.testing.assert_array_equal(ranker.predict(made.X), alone.predict(made.X))  # the first one is used to choose
    assert set(ranker.evaluations_) == {"dev", "all"}
    assert ranker.evaluations_["all"]["nDCG@5"] == pytest.approx(ranker.score(made.X, made.y, made.qid), abs=1e-12)
    assert ranker.validation_ == ranker.evaluations_["dev"] == alone.validation_
    best = ranker.history_[ranker.best_iteration_ - 1]
    assert best["all AP"] == pytest.approx(ranker.evaluations_["all"]["AP"], abs=1e-12)
    assert best["dev nDCG@5"] == pytest.approx(ranker.validation_["nDCG@5"], abs=1e-12)
    assert len(ranker.evals_result_["dev"]["AP"]) == len(ranker.history_)
    listed = fitted(eval_set=[(other.X, other.y), (made.X, made.y)], eval_qid=[other.qid, made.qid])
    assert listed.evaluations_ == {"valid": ranker.evaluations_["dev"], "valid_2": ranker.evaluations_["all"]}
    line = podium.Linear().fit(made.X, made.y, qid=made.qid, eval_set=[(other.X, other.y), (made.X, made.y)],
                               eval_group=[other.group, made.group])
    assert line.evaluations_["valid_2"]["nDCG@10"] == pytest.approx(line.score(made.X, made.y, made.qid), abs=1e-12)
    for wrong, message in (({"eval_set": {}}, "at least one"), ({"eval_set": {"train": (made.X, made.y)}}, "cannot be the name"),
                           ({"eval_set": [(made.X, made.y)] * 2, "eval_qid": [made.qid]}, "a list of 2"),
                           ({"eval_set": {"dev": (made.X, made.y)}, "eval_qid": {"def": made.qid}}, "did you mean dev")):
        with pytest.raises(ValueError, match=message):
            fitted(**wrong)


def test_the_interpreter_is_free_while_training(made):
    """Another thread continues counting during one long call."""
    counted, done = 0, threading.Event()

    def train():
        podium.LambdaMART(trees=400, threads=1).fit(made.X, made.y, qid=made.qid)
        done.set()

    thread = threading.Thread(target=train)
    began = time.monotonic()
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    elapsed = time.monotonic() - began
    assert counted > 50 * elapsed


def test_parallel_fits_in_threads(made):
    wanted = podium.LambdaMART(trees=20).fit(made.X, made.y, qid=made.qid).predict(made.X)
    results = {}

    def train(number):
        seen = []
        ranker = podium.LambdaMART(trees=20).fit(made.X, made.y, qid=made.qid, callbacks=seen.append)
        results[number] = ranker.predict(made.X), len(seen)

    threads = [threading.Thread(target=train, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for scores, steps in results.values():
        np.testing.assert_array_equal(scores, wanted)
        assert steps == 20
    assert len(results) == 4


def test_use_in_a_forked_process(made):
    """No threads are kept between calls, so a child of fork() can score."""
    ranker = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid)
    wanted = ranker.predict(made.X)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(ranker.predict(made.X), wanted) else 1)
    assert os.waitpid(child, 0)[1] == 0
