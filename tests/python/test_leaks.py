"""What the extension holds is freed at the end of the interpreter: nanobind reports on stderr what is not."""

import subprocess
import sys

SCRIPT = """
import numpy as np
import podium

X = np.random.default_rng(1).normal(size=(200, 3)).astype(np.float32)
data = podium.Dataset(X, X[:, 0] > 0, np.repeat(np.arange(10), 20))
ranker = podium.LambdaMART(trees=2).fit(data)


class Cycle:
    pass


def squared(scores, labels):
    squared.ranker = ranker
    return float(((scores - labels) ** 2).sum()), 2 * (scores - labels), np.full_like(scores, 2)


def fails(step):
    raise RuntimeError(step)


cycle = Cycle()
cycle.itself, cycle.ranker, cycle.data = cycle, ranker, data
ranker.cycle = cycle
own = podium.Ranker("boosting", loss=podium.Loss(squared), trees=2).fit(data)
try:
    podium.LambdaMART(trees=2).fit(data, callbacks=[fails])
except RuntimeError as error:
    cycle.error = error
print(len(own.predict(X)))
"""


def test_nothing_outlives_the_interpreter():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("200\n", "")
