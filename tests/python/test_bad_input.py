"""Wrong input: exceptions that name the argument, and no crash."""

import warnings

import numpy as np
import podium
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError


def fit(made, **changed):
    arguments = {"X": made.X, "y": made.y, "qid": made.qid} | changed
    return podium.LambdaMART(trees=2).fit(arguments.pop("X"), arguments.pop("y"), **arguments)


def replaced(array, at, value):
    out = np.array(array, dtype=float)
    out[at] = value
    return out


@pytest.mark.parametrize(("argument", "change", "message"), [
    ("X", lambda m: m.X[:, 0], "1D array"),
    ("X", lambda m: m.X[:0], "0 sample"),
    ("X", lambda m: m.X[:, :0], "0 feature"),
    ("X", lambda m: replaced(m.X, (3, 1), np.inf), "X contains infinity"),
    ("X", lambda m: replaced(m.X, (3, 1), 1e300), "X contains infinity"),
    ("X", lambda m: m.X.astype(complex), "Complex data not supported"),
    ("X", lambda m: m.X[:-1], "y"),
    ("y", lambda m: None, "target y is None"),
    ("y", lambda m: m.y[:-1], "y"),
    ("y", lambda m: replaced(m.y, 4, np.nan), "Input y contains NaN .row 4"),
    ("y", lambda m: replaced(m.y, 4, np.inf), "Input y contains infinity"),
    ("y", lambda m: ["bad"] * len(m.y), "y: labels must be numbers"),
    ("qid", lambda m: None, "qid is missing"),
    ("qid", lambda m: m.qid[:-1], "qid: one id per row"),
    ("qid", lambda m: "query", "not the text 'query'; if that is a column of a table, give its values, table.'query'."),
    ("qid", lambda m: m.qid.reshape(-1, 1), "qid: one id per row"),
    ("qid", lambda m: replaced(m.qid, 7, np.nan), "qid: row 7 has no id"),
    ("qid", lambda m: [None, *m.qid[1:]], "qid: row 0 has no id"),
    ("group", lambda m: m.group, "qid and group: give one"),
    ("sample_weight", lambda m: np.ones(3), "sample_weight: one weight per row"),
    ("sample_weight", lambda m: replaced(np.ones(len(m.y)), 2, np.nan), "sample_weight: weight 2 is nan"),
    ("sample_weight", lambda m: replaced(np.ones(len(m.y)), 2, np.inf), "sample_weight: weight 2 is inf"),
    ("sample_weight", lambda m: replaced(np.ones(len(m.y)), 2, -1), "sample_weight: weight 2 is negative"),
    ("sample_weight", lambda m: np.zeros(len(m.y)), "sample_weight: all weights are zero"),
    ("sample_weight", lambda m: ["x"] * len(m.y), "sample_weight: weights must be numbers"),
    ("eval_set", lambda m: (m.X, m.y), "eval_qid is missing"),
    ("eval_set", lambda m: (m.X,), "eval_set: .X, y.,"),
    ("eval_set", lambda m: (m.X[:, 1:], m.y), "eval_set: X has 5 features"),
    ("eval_set", lambda m: [(m.X, m.y)] * 2, "eval_qid is missing"),
    ("eval_set", lambda m: [], "eval_set: at least one"),
    ("eval_qid", lambda m: m.qid, "eval_qid needs eval_set"),
    ("init", lambda m: "nonsense", "init: a Model"),
    ("init", lambda m: replaced(np.zeros(len(m.y)), 1, np.nan), "init: row 1"),
    ("eval_init", lambda m: np.zeros(len(m.y)), "eval_init needs"),
])
def test_fit(made, argument, change, message):
    with pytest.raises(ValueError, match=message):
        fit(made, **{argument: change(made)})


@pytest.mark.parametrize(("group", "message"), [
    (lambda m: m.group[:-1], "group: the sizes add up to"),
    (lambda m: [0, *m.group], "group: query 0 has the size 0"),
    (lambda m: m.group * 1.0, "group: the sizes of consecutive queries"),
    (lambda m: "abc", "group"),
])
def test_group(made, group, message):
    with pytest.raises(ValueError, match=message):
        fit(made, qid=None, group=group(made))


def test_callbacks_must_be_callable(made):
    with pytest.raises(TypeError, match="callbacks"):
        fit(made, callbacks=[3])


def test_predict(made):
    with pytest.raises(NotFittedError):
        podium.LambdaMART().predict(made.X)
    ranker = fit(made)
    with pytest.raises(ValueError, match="X has 5 features, but LambdaMART is expecting 6"):
        ranker.predict(made.X[:, 1:])
    with pytest.raises(ValueError, match="X has 5 features"):
        ranker.predict(np.ascontiguousarray(made.X[:, 1:]))
    with pytest.raises(ValueError, match="1D array"):
        ranker.predict(made.X[0])
    with pytest.raises(ValueError, match="0 sample"):
        ranker.predict(made.X[:0])
    with pytest.raises(ValueError, match="qid is missing"):
        ranker.score(made.X, made.y)
    with pytest.raises(ValueError, match="sample_weight"):
        ranker.score(made.X, made.y, made.qid, sample_weight=np.linspace(0.1, 1, len(made.y)))


def test_infinite_scores_are_refused(made):
    linear = podium.Linear().fit(made.X, made.y, qid=made.qid)
    X = made.X.copy()
    X[5, 0] = np.inf
    with pytest.raises(ValueError, match="X: row 5 has the score"):
        linear.predict(X)


@pytest.mark.parametrize(("ranker", "message"), [
    (lambda: podium.DirectRankTrees(min_weight=0.5, max_weight=0.3), "^min_weight=0.5 is not below max_weight=0.3$"),
    (lambda: podium.Linear(optimizer="cutting-plane", epochs=7), '^epochs belongs to optimizer="lbfgs", adam or sgd'),
    (lambda: podium.LambdaMART(objective="nothing"), "^objective: unknown measure 'nothing'"),
    (lambda: podium.LambdaMART(leaves=1), "^leaves=1: must be 2 or more, or 0 for a number that suits the data$"),
])
def test_options_are_keyword_arguments(made, ranker, message):
    with pytest.raises(ValueError, match=message):
        ranker().fit(made.X, made.y, qid=made.qid)


def test_missing_values_are_accepted(made):
    X = made.X.copy()
    X[::7, 0] = np.nan
    for ranker in (podium.LambdaMART(trees=5), podium.Linear(), podium.MLP(epochs=2)):
        assert np.isfinite(ranker.fit(X, made.y, qid=made.qid).predict(X)).all()


@pytest.mark.parametrize(("arguments", "message"), [
    ({"scores": [1.0, 2.0]}, "scores: one score per row"),
    ({"scores": [1.0, np.nan, 2.0]}, "scores: row 1"),
    ({"y": [1, 2]}, "qid: one id per row|y"),
    ({"qid": None}, "qid is missing"),
    ({"measures": []}, "measures"),
    ({"measures": ["nDGC@10"]}, "unknown measure 'nDGC'"),
    ({"convention": "letro"}, "letor"),
    ({"y": [1, np.inf, 0]}, "Input y contains infinity"),
])
def test_evaluate(arguments, message):
    with pytest.raises(ValueError, match=message):
        podium.evaluate(**({"y": [1, 0, 2], "scores": [3.0, 2.0, 1.0], "qid": [1, 1, 1]} | arguments))


def test_files(tmp_path, made):
    with pytest.raises(OSError, match="missing.json"):
        podium.load_model(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text('{"format": ')
    with pytest.raises(ValueError, match="bad.json"):
        podium.load_model(tmp_path / "bad.json")
    (tmp_path / "bad.txt").write_text("1 qid:1 1:0.5\n1 qid:1 1:x\n")
    with pytest.raises(ValueError, match="bad.txt:2"):
        podium.read_letor(tmp_path / "bad.txt")
    with pytest.raises(OSError, match="no-such-folder"):
        fit(made).save(tmp_path / "no-such-folder" / "model.json")


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.bsr_matrix])
def test_damaged_sparse_matrices(made, kind):
    """SciPy's own check passes this one, and its conversions then read anywhere."""
    matrix = kind(np.zeros((6, 6), np.float32))
    matrix.indptr[2] = 2**31 - 1
    with pytest.raises(ValueError, match="X: a damaged sparse matrix"):
        fit(made).predict(matrix)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e300])
def test_infinity_in_few_rows(made, value):
    """Few rows of doubles take a short way, which must refuse the same; what it accepts gives no warning."""
    ranker = fit(made)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for accepted in (1e30, np.nan, 0.0):
            assert np.isfinite(ranker.predict(replaced(made.X[:20], (3, 1), accepted))).all()
    with pytest.raises(ValueError, match="infinity"):
        ranker.predict(replaced(made.X[:20], (3, 1), value))
