"""Data from all sources: the same data gives the same model, and memory is shared where possible."""

import gc
import weakref

import numpy as np
import pandas
import podium
import polars
import pyarrow
import pytest
from scipy import sparse

NAMES = list("abcdef")


def scores(data):
    return podium.LambdaMART(trees=5, min_docs=5).fit(data).predict(data)


@pytest.fixture(scope="module")
def expected(made):
    return scores(podium.Dataset(made.X, made.y, made.qid))


def frame(made):
    return pandas.DataFrame(made.X, columns=NAMES).assign(grade=made.y, query=made.qid)


SOURCES = {
    "float64": lambda m: podium.Dataset(m.X.astype(np.float64), m.y, m.qid),
    "fortran": lambda m: podium.Dataset(np.asfortranarray(m.X), m.y, m.qid),
    "list": lambda m: podium.Dataset(m.X.tolist(), m.y.tolist(), m.qid.tolist()),
    "csr": lambda m: podium.Dataset(sparse.csr_matrix(m.X), m.y, m.qid),
    "csc": lambda m: podium.Dataset(sparse.csc_matrix(m.X), m.y, m.qid),
    "coo_array": lambda m: podium.Dataset(sparse.coo_array(m.X), m.y, m.qid),
    "int64 indices": lambda m: podium.Dataset(wide_indices(m.X), m.y, m.qid),
    "pandas": lambda m: podium.Dataset(frame(m), "grade", "query"),
    "pandas, columns apart": lambda m: podium.Dataset(frame(m)[NAMES], frame(m).grade, frame(m)["query"]),
    "polars": lambda m: podium.Dataset(polars.from_pandas(frame(m)), "grade", "query"),
    "polars, text ids": lambda m: podium.Dataset(
        polars.from_pandas(frame(m)).with_columns(polars.col("query").cast(polars.String)), "grade", "query"),
    "polars, categories": lambda m: podium.Dataset(polars.from_pandas(frame(m)).with_columns(
        polars.col("query").cast(polars.String).cast(polars.Categorical)), "grade", "query"),
    "arrow": lambda m: podium.Dataset(pyarrow.Table.from_pandas(frame(m)), "grade", "query"),
    "arrow in pieces": lambda m: podium.Dataset(pieces(m), "grade", "query"),
    "arrow slice": lambda m: podium.Dataset(
        pyarrow.concat_tables([pyarrow.Table.from_pandas(frame(m))] * 2).combine_chunks().slice(len(m.y)),
        "grade", "query"),
    "record batches": lambda m: podium.Dataset(pyarrow.RecordBatchReader.from_batches(
        pieces(m).schema, pieces(m).to_batches()), "grade", "query"),
    "arrow lists": lambda m: podium.Dataset(lists(m), m.y, m.qid),
}


def wide_indices(X):
    matrix = sparse.csr_matrix(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


def pieces(made):
    table = pyarrow.Table.from_pandas(frame(made))
    return pyarrow.concat_tables([table.slice(0, 13), table.slice(13, 100), table.slice(113)])


def lists(made):
    values = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(made.X.ravel()), made.X.shape[1])
    return pyarrow.table({"embedding": values})


@pytest.mark.parametrize("source", SOURCES)
def test_same_data_same_model(made, expected, source):
    data = SOURCES[source](made)
    assert (data.n_rows, data.n_queries, data.n_features) == (len(made.y), len(made.group), 6)
    np.testing.assert_array_equal(scores(data), expected)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                  "float16", "float32", "float64", "bool"])
def test_arrow_types_and_nulls(kind):
    values = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1], dtype=kind)
    column = pyarrow.array(values, mask=np.arange(9) == 4)
    table = pyarrow.table({"x": column, "all": pyarrow.nulls(9)})
    data = podium.Dataset(table, qid=np.zeros(9))
    wanted = values.astype(np.float32)
    wanted[4] = np.nan
    np.testing.assert_array_equal(data.X[:, 0], wanted)
    assert np.isnan(data.X[:, 1]).all()
    halves = pyarrow.table({"x": pyarrow.array(np.array([6e-8, 0.333, -65504], np.float16))})
    np.testing.assert_array_equal(podium.Dataset(halves, group=[3]).X[:, 0],
                                  np.array([6e-8, 0.333, -65504], np.float16).astype(np.float32))


def test_lists_with_nulls_are_missing():
    table = pyarrow.table({"v": pyarrow.array([[1, 2], None, [3, None]], pyarrow.list_(pyarrow.float32(), 2))})
    data = podium.Dataset(table, group=[3])
    np.testing.assert_array_equal(data.X, np.array([[1, 2], [np.nan] * 2, [3, np.nan]], np.float32))
    assert data.feature_names == ["v_0", "v_1"]


def test_no_copies(made):
    dense = podium.Dataset(made.X, made.y, made.qid)
    assert np.shares_memory(dense.X, made.X)
    matrix = sparse.csr_matrix(made.X)
    data = podium.Dataset(matrix, made.y, made.qid)
    assert np.shares_memory(data.X.data, matrix.data) and np.shares_memory(data.X.indices, matrix.indices)
    table = lists(made)
    buffer = np.asarray(table["embedding"].chunk(0).flatten())
    assert np.shares_memory(podium.Dataset(table, made.y, made.qid).X, buffer)


def test_data_outlives_its_source(made):
    X = made.X.copy()
    gone = weakref.ref(X)
    data = podium.Dataset(X, made.y, made.qid)
    view = data.X
    del X
    gc.collect()
    assert gone() is not None  # the data set keeps it
    np.testing.assert_array_equal(data.X, made.X)
    del data
    gc.collect()
    np.testing.assert_array_equal(view, made.X)  # and the view keeps the data set
    del view
    gc.collect()
    assert gone() is None


def test_predict_from_everything(made):
    ranker = podium.LambdaMART(trees=5).fit(frame(made)[NAMES], made.y, qid=made.qid)
    wanted = ranker.predict(frame(made)[NAMES])
    for X in (polars.from_pandas(frame(made)[NAMES]), pyarrow.Table.from_pandas(frame(made)[NAMES])):
        np.testing.assert_array_equal(ranker.predict(X), wanted)
        np.testing.assert_array_equal(ranker.model_.predict(X), wanted)
    with pytest.warns(UserWarning, match="valid feature names"):
        np.testing.assert_array_equal(ranker.predict(sparse.csr_matrix(made.X)), wanted)


@pytest.mark.parametrize(("X", "message"), [
    (pandas.DataFrame({"a": ["x", "y"]}), "a|could not convert"),
    (pandas.DataFrame({"a": pandas.to_datetime(["2020", "2021"])}), "X: column 'a' has the type datetime"),
    (polars.DataFrame({"a": ["x", "y"]}), "X: column 'a' holds text, not numbers"),
    (polars.DataFrame({"a": [[1], [2]]}), "X: column 'a' has the Arrow type"),
    (pyarrow.table({"a": pyarrow.array([1, 1]).dictionary_encode()}), "categories"),
    (pyarrow.chunked_array([[1, 2]]), "X: not a table with columns"),
])
def test_columns_that_are_not_numbers(X, message):
    with pytest.raises(ValueError, match=message):
        podium.Dataset(X, qid=[1, 1])


def test_wrong_columns(made):
    with pytest.raises(ValueError, match="y: X has no column 'label'"):
        podium.Dataset(frame(made), "label", "query")
    with pytest.raises(TypeError, match="string names"):
        podium.Dataset(frame(made).rename(columns={"a": 1}), "grade", "query")
    with pytest.raises(ValueError, match="feature_names"):
        podium.Dataset(made.X, made.y, made.qid, feature_names=["a"])
    with pytest.raises(ValueError, match="no value in row 1"):
        podium.Dataset(polars.DataFrame({"x": [1.0, 2.0], "qid": ["a", None]}))
    with pytest.raises(ValueError, match="X: this Dataset has no labels"):
        podium.LambdaMART().fit(podium.Dataset(made.X, qid=made.qid))
    with pytest.raises(ValueError, match="qid: the Dataset already has it"):
        podium.LambdaMART().fit(podium.Dataset(made.X, made.y, made.qid), qid=made.qid)


def test_files_and_parts(made, tmp_path, expected):
    data = podium.Dataset(made.X, made.y, made.qid, feature_names=NAMES)
    for name in ("data.podium", "data.csv", "data.csv.gz"):
        data.write(tmp_path / name)
        back = podium.Dataset.read(tmp_path / name)
        np.testing.assert_array_equal(back.X, made.X)
        np.testing.assert_array_equal(back.y, made.y)
        assert list(back.qid) == [str(q) for q in made.qid] and back.feature_names == NAMES
    podium.Dataset(made.X, made.y, made.qid).write(tmp_path / "data.txt")
    np.testing.assert_array_equal(scores(podium.read_letor(tmp_path / "data.txt")), expected)
    parts = data.split([60, 20, 20], seed=7)
    assert sum(part.n_queries for part in parts) == data.n_queries
    assert len(set().union(*(part.qids for part in parts))) == data.n_queries
    second = data.select([1])
    np.testing.assert_array_equal(second.X, made.X[made.group[0]:made.group[:2].sum()])
    with pytest.raises(IndexError, match="no query 60"):
        data.select([60])


def test_missing_in_sparse_text(tmp_path):
    (tmp_path / "data.txt").write_text("".join(f"{i % 2} qid:{i // 4} {i % 9 + 1}:{i}\n" for i in range(80)))
    zero, missing = (podium.read_letor(tmp_path / "data.txt", absent=absent) for absent in ("zero", "missing"))
    assert sparse.issparse(zero.X) and zero.X.shape == (80, 9)
    if not missing._native.is_dense:
        with pytest.raises(ValueError, match="missing"):
            missing.X  # noqa: B018
    (tmp_path / "mixed.txt").write_text("1 qid:1 1:1\n0 qid:2 1:1\n0 qid:1 1:2\n")
    with pytest.warns(UserWarning, match="has been regrouped"):
        mixed = podium.read_letor(tmp_path / "mixed.txt")
    assert mixed.n_queries == 2
