"""What the checks of engines share: data, learners, and the lines of the table docs/results/engines.md (report.py)."""

import contextlib
import hashlib
import json
import os
import signal
import sys
import time

import numpy as np
import pandas as pd
import podium

LEARNERS = {"lambdamart": podium.LambdaMART(trees=10, threads=1), "svm-map": podium.SVMMAP(C=0.1, threads=1),
            "lambdarank": podium.LambdaRank(epochs=5, threads=1),
            "directrank": podium.DirectRank(restarts=1, max_rounds=1, kicks=0, threads=1)}
WORKERS = (1, 2, 3)


def synthetic():
    random = np.random.default_rng(1)
    sizes = random.integers(4, 12, 60)
    X = random.normal(size=(int(sizes.sum()), 6)).astype(np.float32)
    rows = pd.DataFrame(X, columns=[f"f{number}" for number in range(6)])
    rows["label"] = np.digitize(X[:, 0] + 0.5 * random.normal(size=len(X)), [0.5, 1.5])
    rows["qid"] = np.repeat(np.arange(60), sizes)
    return rows


def letor(file):
    data = podium.read_letor(file)
    rows = pd.DataFrame(data.X, columns=[f"f{number}" for number in range(data.X.shape[1])])
    return rows.assign(label=data.y, qid=[int(qid) for qid in data.qid])


def sets(files):
    """Tables of rows by name: synthetic ones, and FILE's under the name of its folder's folder."""
    found = {"synthetic": synthetic()}
    for file in files:
        found[os.path.abspath(file).split(os.sep)[-3]] = letor(file)
    return found


def features(rows):
    return [name for name in rows.columns if name not in ("label", "qid")]


def digest(ranker):
    return hashlib.sha256(ranker.model_.to_json().encode()).hexdigest()[:16]


def fresh(learner):
    return type(learner)(**learner.get_params())


def alone(learner, rows):
    return digest(fresh(learner).fit(rows[features(rows)], rows.label, qid=rows.qid))


class Checks:
    """Prints what was found and stores it, a JSON line each, in the file that ENGINES_RESULTS names."""

    def __init__(self, engine):
        self.engine = engine
        self.wrong = []

    def model(self, data, learner, backend, workers, found, wanted, seconds):
        fine = found == wanted
        self._say(f"{data} {learner} {backend} {workers} {found} {'same' if fine else f'differs: {wanted}'} {seconds:.1f} s", fine)
        self._store(data=data, learner=learner, backend=backend, workers=workers, hash=found, same=fine, seconds=seconds)

    def case(self, what, fine, said, seconds=0.0):
        self._say(f"{what}: {said} ({seconds:.1f} s){'' if fine else ' WRONG'}", fine)
        self._store(case=what, said=str(said), same=bool(fine), seconds=seconds)

    def error(self, what, call, *parts):
        """The call raises one error whose text has these parts."""
        began = time.monotonic()
        try:
            call()
        except Exception as error:
            self.case(what, all(part in str(error) for part in parts), f"{type(error).__name__}: {error}", time.monotonic() - began)
        else:
            self.case(what, False, "no error", time.monotonic() - began)

    def _say(self, text, fine):
        print(self.engine, text, flush=True)
        if not fine:
            self.wrong.append(text)

    def _store(self, **line):
        if "ENGINES_RESULTS" in os.environ:
            with open(os.environ["ENGINES_RESULTS"], "a") as file:
                file.write(json.dumps({"engine": self.engine, **line}) + "\n")


class Deadly:
    """A loss, the squared error, that kills its process once, in its 200th call."""

    __name__ = "deadly"

    def __init__(self, marker):
        self.marker = marker
        self.calls = 0

    def __call__(self, scores, labels):
        self.calls += 1
        if self.calls == 200 and self.marker:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
        away = scores - labels
        return float((away**2).sum() / 2), away, np.ones_like(away)


def deadly(marker):
    return podium.Ranker("boosting", trees=30, leaves=4, loss=Deadly(marker), threads=1)


def _with_another_version():
    """In the next training, this process has a version of Podium of its own."""
    from podium.distributed import _agreement

    real = _agreement._podium.version

    def version():
        if sys._getframe(1).f_code.co_name != "agree_on_request":
            return real()
        _agreement._podium.version = real
        return f"0.0.{os.getpid()}"

    _agreement._podium.version = version
    return OtherVersion()  # which may be sent on


class _Squares:
    __name__ = "squares"

    def __call__(self, scores, labels):
        return float(((scores - labels)**2).sum() / 2), scores - labels, np.ones_like(scores)


class OtherVersion(_Squares):
    """A loss; wherever it is unpickled, Podium has another version."""

    def __reduce__(self):
        return _with_another_version, ()

    def __deepcopy__(self, memo):  # of the driver
        return self
