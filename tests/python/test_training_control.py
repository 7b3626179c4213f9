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
    ranker.set_params(loss=podium.Loss(softmax_loss, convex=True, shift_invariant=True))
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


def test_errors_in_python_losses_come_out(made):
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
                                              callbacks=[lambda step: None, lambda step: step.number == 5])
    assert ranker.termination_ == "stopped"
    assert 5 <= ranker.model_.trees <= 6


def test_errors_in_callbacks_come_out(made):
    def broken(step):
        raise LookupError("of mine")

    with pytest.raises(LookupError, match="of mine"):
        podium.LambdaMART(trees=500).fit(made.X, made.y, qid=made.qid, callbacks=broken)


LONG = """
    import numpy as np, podium, sys
    random = np.random.default_rng(1)
    X = random.normal(size=(20000, 20)).astype(np.float32)
    y = (X[:, 0] + random.normal(size=20000) > 0).astype(int)
    ranker = podium.LambdaMART(trees=1000000)
    try:
        ranker.fit(X, y, group=[20] * 1000, callbacks=lambda step: step.number == 1 and print("on", flush=True))
    except KeyboardInterrupt:
        print("interrupted", hasattr(ranker, "model_"))
"""


def test_ctrl_c():
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(LONG)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "on\n"
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted False\n"
    assert process.returncode == 0


def test_the_interpreter_is_free_while_training(made):
    """Another thread goes on counting while one long call runs."""
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


def test_fits_in_threads_side_by_side(made):
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
