"""Arbitrary arguments: a result of the right shape, or one of the documented exceptions; never a crash.

The examples are the same in every run (derandomize), and few enough for a test.
"""

import numpy as np
import podium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

few = settings(max_examples=100, derandomize=True, deadline=None, database=None,
               suppress_health_check=list(HealthCheck))
REFUSALS = (ValueError, TypeError, OSError, RuntimeError)

DTYPES = st.sampled_from([np.float16, np.float32, np.float64, np.longdouble, np.int8, np.uint8, np.int64, np.uint64,
                          np.bool_, np.complex64, ">f4", "<U3", "S2", "datetime64[s]", object])
ROWS = st.integers(0, 6)
AWKWARD = st.sampled_from([0, 1, 2, -1, 0.5, np.nan, np.inf, -np.inf, 1e300, 1e-320, 2**53 + 1, None, "x", b"y", "", ()])


@st.composite
def laid_out(draw, array):
    """The same array in another layout: reversed, strided, transposed, read-only."""
    how = draw(st.sampled_from(["plain", "reversed", "strided", "fortran", "broadcast", "read-only", "byte"]))
    if array.ndim == 0 or how == "plain":
        return array
    if how == "reversed":
        return array[::-1]
    if how == "strided":
        return np.repeat(array, 2, axis=0)[::2]
    if how == "fortran":
        return np.asfortranarray(array)
    if how == "broadcast" and array.shape[0] > 0:
        return np.broadcast_to(array[:1], array.shape)
    if how == "byte" and array.dtype.kind == "f":  # not aligned
        raw = np.empty(array.nbytes + 1, dtype=np.uint8)
        out = raw[1:].view(array.dtype).reshape(array.shape)
        out[...] = array
        return out
    array = array.copy()
    array.flags.writeable = False
    return array


@st.composite
def arrays(draw, shapes):
    dtype = np.dtype(draw(DTYPES))
    shape = draw(shapes)
    if dtype.kind == "O":
        flat = [draw(AWKWARD) for _ in range(int(np.prod(shape)))]
        array = np.empty(len(flat), dtype=object)
        array[:] = flat
        return array.reshape(shape)
    return draw(laid_out(draw(hnp.arrays(dtype, shape))))


@st.composite
def sparse_matrices(draw):
    """Valid compressed rows, or with wrong indices and row ends."""
    rows, columns = draw(ROWS), draw(st.integers(0, 4))
    dense = draw(hnp.arrays(np.float32, (rows, columns), elements=st.sampled_from([0, 0, 1, 2.5, np.nan, np.inf])))
    matrix = draw(st.sampled_from([sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array]))(dense)
    if hasattr(matrix, "indptr") and draw(st.booleans()):
        matrix = matrix.copy()
        part = getattr(matrix, draw(st.sampled_from(["indices", "indptr"])))
        if part.size:
            part[draw(st.integers(0, part.size - 1))] = draw(st.sampled_from([-1, 0, 1, 3, 99, 2**31 - 1]))
    return matrix


MATRICES = st.one_of(arrays(st.tuples(ROWS, st.integers(0, 4))), arrays(st.tuples(ROWS)),
                     arrays(st.tuples(ROWS, st.integers(0, 2), st.integers(0, 2))), sparse_matrices(),
                     st.lists(st.lists(AWKWARD, max_size=3), max_size=4), AWKWARD)
VECTORS = st.one_of(arrays(st.tuples(ROWS)), arrays(st.tuples(ROWS, st.integers(0, 2))), st.lists(AWKWARD, max_size=6),
                    AWKWARD)


@st.composite
def fitting(draw):
    """Consistent rows, labels and queries, one of which may be replaced."""
    rows = draw(st.integers(1, 8))
    arguments = {"X": draw(hnp.arrays(np.float32, (rows, 2), elements=st.floats(-10, 10, width=32))),
                 "y": draw(hnp.arrays(np.int64, rows, elements=st.integers(0, 3))),
                 "qid": np.sort(draw(hnp.arrays(np.int64, rows, elements=st.integers(0, 2))))}
    wrong = draw(st.sampled_from(["X", "y", "qid", "sample_weight", "init", "nothing"]))
    if wrong != "nothing":
        arguments[wrong] = draw(MATRICES if wrong == "X" else VECTORS)
    return arguments


def rows_of(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


@few
@given(fitting(), st.sampled_from(["LambdaMART", "Linear", "ListNet"]))
def test_fit_and_predict(arguments, learner):
    X = arguments.pop("X")
    ranker = {"LambdaMART": lambda: podium.LambdaMART(trees=1, min_docs=1), "Linear": podium.Linear,
              "ListNet": lambda: podium.ListNet(epochs=1)}[learner]()
    try:
        scores = ranker.fit(X, arguments.pop("y"), **arguments).predict(X)
    except REFUSALS as refused:
        assert str(refused)
        return
    assert scores.shape == (rows_of(X),)
    assert np.isfinite(scores).all()


@pytest.fixture(scope="module")
def fitted(made):
    return podium.LambdaMART(trees=2).fit(made.X, made.y, qid=made.qid)


@few
@given(st.data())
def test_predict(fitted, data):
    X = data.draw(st.one_of(MATRICES, arrays(st.tuples(ROWS, st.just(6)))))
    try:
        scores = fitted.predict(X)
    except REFUSALS as refused:
        assert str(refused)
        return
    assert scores.shape == (rows_of(X),)


@few
@given(VECTORS, VECTORS, VECTORS, st.one_of(st.sampled_from(["nDCG@10", "AP", "RR@0", "nDCG@", "", "nDCG@10,", "λ"]), AWKWARD))
def test_evaluate(y, scores, qid, measure):
    try:
        value = podium.evaluate(y, scores, qid=qid, measures=measure)
    except REFUSALS as refused:
        assert str(refused)
        return
    assert value is not None


@few
@given(MATRICES, VECTORS, VECTORS)
def test_dataset(X, y, qid):
    try:
        data = podium.Dataset(X, y, qid=qid)
    except REFUSALS as refused:
        assert str(refused)
        return
    assert data.n_rows == rows_of(X)


@few
@given(st.sampled_from(["trees", "leaves", "learning_rate", "l2", "monotone", "loss", "seed", "threads"]), AWKWARD)
def test_options(made, name, value):
    try:
        ranker = podium.LambdaMART(**({"trees": 1} | {name: value})).fit(made.X[:50], made.y[:50], qid=made.qid[:50])
        scores = ranker.predict(made.X[:50])
    except REFUSALS as refused:
        assert str(refused)
        return
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("name", ["seed", "threads", "bins"])
def test_whole_numbers_are_not_truncated(made, name):
    with pytest.raises(ValueError, match=f"{name}: a whole number of at least 0 is needed, not 0.5"):
        podium.Linear(**{name: 0.5}).fit(made.X, made.y, qid=made.qid)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize(("part", "at", "value"), [("indices", 1, 99), ("indices", 1, -1), ("indptr", 1, 99), ("indptr", 1, -1)])
def test_damaged_sparse_matrices(form, part, at, value):
    matrix = form(np.array([[1, 0, 2], [0, 3, 0], [4, 5, 6]], np.float32))
    getattr(matrix, part)[at] = value
    with pytest.raises(ValueError, match="X: a damaged sparse matrix"):
        podium.Linear().fit(matrix, [0, 1, 2], qid=[1, 1, 1])
