"""Comparisons with systems that are not Podium's, and without pandas. XGBoost's, CatBoost's: tests/consumers."""

import subprocess
import sys
import textwrap

import numpy as np
import podium
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import Ridge

FEW = {"measures": ["nDCG@10", "AP"], "folds": 3, "permutations": 200}


@pytest.fixture(scope="module")
def data(made):
    return podium.Dataset(made.X, made.y, made.qid)


class Sizes(BaseEstimator):
    """Accepts groups as LightGBM does."""

    def fit(self, X, y, group=None, eval_set=None, eval_group=None):
        assert sum(group) == len(X) == len(y) and len(eval_set) == len(eval_group) == 1
        assert sum(eval_group[0]) == len(eval_set[0][0])
        self.weights_ = np.linalg.lstsq(X, y, rcond=None)[0]
        return self

    def predict(self, X):
        return X @ self.weights_


class Ids(Sizes):
    """Accepts ids as XGBoost does: whole numbers in ascending order."""

    def fit(self, X, y, *, qid=None, group=None, eval_set=None, eval_qid=None, verbose=True):
        assert (np.diff(qid) >= 0).all() and len(qid) == len(X) and verbose is False
        return Sizes.fit(self, X, y, np.bincount(qid), eval_set, [np.bincount(eval_qid[0])])


def first_feature(train, valid, test):
    assert not set(train.qids) & set(test.qids) and valid.n_queries > 0
    return test.X[:, 0]


def test_any_ranker_is_a_system(data):
    table = podium.compare(data, [podium.LambdaMART(trees=5, min_docs=5), Sizes(), Ids(), Ridge(1e-6), first_feature, "feature:1"], **FEW)
    assert table.systems == ["lambdamart(trees=5,min-docs=5)", "Sizes", "Ids", "Ridge", "first_feature", "feature:1"]
    assert dict(table["Sizes"])["nDCG@10"] == pytest.approx(table["Ids"]["nDCG@10"])
    assert table["first_feature"]["nDCG@10"] == pytest.approx(table["feature:1"]["nDCG@10"], abs=1e-12)
    assert table["first_feature"]["AP"] == pytest.approx(table["feature:1"]["AP"], abs=1e-12)
    assert "best" in {row["standing"] for row in table.values()}
    pairs = table.results["statistics"]["measures"]["nDCG@10"]["pairs"]
    assert pairs and table.results["complete"]


def test_names_and_a_loss_in_python(data):
    def squared(scores, labels):
        return 0.5 * ((scores - labels) ** 2).sum(), scores - labels

    table = podium.compare(data, {"own": podium.Linear(loss=podium.Loss(squared, convex=True)), "least squares": Sizes()}, **FEW)
    assert table.systems == ["own", "least squares"]
    twice = podium.compare(data, [Sizes(), Sizes()], **FEW)
    assert twice.systems == ["Sizes", "Sizes 2"]


def test_comparisons_are_resumed(data, tmp_path):
    calls = []

    class Counted(Sizes):
        def fit(self, X, y, group=None, eval_set=None, eval_group=None):
            calls.append(len(X))
            return super().fit(X, y, group, eval_set, eval_group)

    first = podium.compare(data, {"rival": Counted(), "line": "linear"}, folder=tmp_path / "results", **FEW)
    assert len(calls) == 3
    again = podium.compare(data, {"rival": Counted(), "line": "linear"}, folder=tmp_path / "results", **FEW)
    assert len(calls) == 3 and dict(again["rival"]) == dict(first["rival"])


def test_functions_of_the_features(data):
    model = podium.Linear().fit(data.X, data.y, qid=data.qid)
    table = podium.compare(data, {"one": lambda X: np.asarray(X)[:, 0], "three": lambda train, valid, test: test.X[:, 0],
                                  "any": lambda *parts: parts[2].X[:, 0], "predict": model.predict}, **FEW)
    assert dict(table["one"]) == dict(table["three"]) == dict(table["any"])
    assert table["predict"]["nDCG@10"] > table["one"]["nDCG@10"]
    with pytest.raises(TypeError, match="two: a function takes the features of the test rows, or three Datasets"):
        podium.compare(data, {"two": lambda train, test: 0}, **FEW)


def test_invalid_systems(data):
    with pytest.raises(TypeError, match="neither a learner's name"):
        podium.compare(data, [3], **FEW)
    with pytest.raises(ValueError, match="short: scores: one score per row"):
        podium.compare(data, {"short": lambda train, valid, test: [1.0]}, **FEW)
    with pytest.raises(ZeroDivisionError):
        podium.compare(data, {"broken": lambda train, valid, test: 1 / 0}, **FEW)


def test_scores_from_a_file(data, tmp_path):
    rows = [f"{qid}\t{x!r}" for qid, x in zip(data.qid, data.X[:, 0].tolist(), strict=True)]
    (tmp_path / "scores.tsv").write_text("qid\tscore\n" + "\n".join(rows) + "\n")
    table = podium.compare(data, ["feature:1", f"theirs=scores:{tmp_path}/scores.tsv"], **FEW)
    assert table["theirs"]["nDCG@10"] == pytest.approx(table["feature:1"]["nDCG@10"], abs=1e-12)
    (tmp_path / "bad.tsv").write_text("1\t2\n")
    bad = podium.compare(data, ["feature:1", f"theirs=scores:{tmp_path}/bad.tsv"], **FEW)
    assert "names its columns" in bad.results["systems"][1]["failed"]
    with pytest.raises(OSError, match="missing.tsv"):
        podium.compare(data, [f"theirs=scores:{tmp_path}/missing.tsv"], **FEW)


def test_lightgbm(data):
    lightgbm = pytest.importorskip("lightgbm")
    table = podium.compare(data, {"lightgbm": lightgbm.LGBMRanker(n_estimators=10, min_child_samples=5, verbose=-1),
                                  "podium": podium.LambdaMART(trees=10, min_docs=5)}, **FEW)
    assert table["lightgbm"]["nDCG@10"] > 0.7


def test_without_pandas(tmp_path):
    program = """
        import sys
        sys.modules["pandas"] = None
        import numpy as np, podium
        random = np.random.default_rng(1)
        X = random.normal(size=(300, 3)).astype(np.float32)
        data = podium.Dataset(X, X[:, 0] > 0, np.repeat(np.arange(30), 10))
        table = podium.compare(data, ["linear", "feature"], measures=["AP"], folds=3, permutations=100)
        print(table)
        assert table["linear"]["AP"] > 0.9 and "<table" in table._repr_html_()
        podium.LambdaMART(trees=2).fit(data).explain(X).scores
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:3] == ["system", "AP", "standing"]
