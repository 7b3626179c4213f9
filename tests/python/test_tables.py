"""Tables as users have them: unsorted, with text and index columns, lazy, in pieces, in Parquet files."""

import warnings

import numpy as np
import pandas
import podium
import polars
import pyarrow
import pytest
from pyarrow import parquet
from scipy import sparse

NAMES = list("abcdef")


def ranker():
    return podium.LambdaMART(trees=5, min_docs=5)


@pytest.fixture(scope="module")
def frame(made):
    return pandas.DataFrame(made.X, columns=NAMES).assign(grade=made.y, query=made.qid)


@pytest.fixture(scope="module")
def mixed(made):
    """An order in which queries are interleaved, but the order of rows within queries and of queries is kept."""
    random = np.random.default_rng(5)
    position = np.arange(len(made.y), dtype=float)
    first = np.isin(np.arange(len(made.y)), np.concatenate([[0], np.cumsum(made.group)[:-1]]))
    moved = np.where(first, position * 1e-6, position + random.uniform(0, 40, len(made.y)))
    order = np.argsort(moved, kind="stable")
    within = np.concatenate([order[made.qid[order] == query] for query in np.unique(made.qid)])
    rank_in_order = np.empty(len(order), int)
    rank_in_order[order] = np.arange(len(order))
    slots = [np.sort(rank_in_order[made.qid == query]) for query in np.unique(made.qid)]
    out = np.empty(len(order), int)
    for rows, places in zip((np.flatnonzero(made.qid == query) for query in np.unique(made.qid)), slots, strict=True):
        out[places] = rows
    assert sorted(out) == sorted(within)
    return out


def test_unsorted_rows_are_regrouped(made, mixed):
    wanted = ranker().fit(made.X, made.y, qid=made.qid)
    with pytest.warns(podium.RegroupedWarning, match=r"qid: the rows of query \d+ are not contiguous .rows \d+ and \d+.: the rows have"):
        found = ranker().fit(made.X[mixed], made.y[mixed], qid=made.qid[mixed])
    np.testing.assert_array_equal(found.predict(made.X), wanted.predict(made.X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", podium.RegroupedWarning)
        np.testing.assert_array_equal(wanted.rank(made.X[mixed], qid=made.qid[mixed]), wanted.rank(made.X, qid=made.qid)[mixed])
        assert wanted.score(made.X[mixed], made.y[mixed], made.qid[mixed]) == wanted.score(made.X, made.y, made.qid)
        weights = np.linspace(0.5, 2, len(made.group))[made.qid - made.qid[0]]
        weighted = ranker().fit(made.X[mixed], made.y[mixed], qid=made.qid[mixed], sample_weight=weights[mixed])
        np.testing.assert_array_equal(
            weighted.predict(made.X), ranker().fit(made.X, made.y, qid=made.qid, sample_weight=weights).predict(made.X))
        start = wanted.predict(made.X)
        np.testing.assert_array_equal(
            ranker().fit(made.X[mixed], made.y[mixed], qid=made.qid[mixed], init=start[mixed]).predict(made.X),
            ranker().fit(made.X, made.y, qid=made.qid, init=start).predict(made.X))
        values = podium.evaluate(made.y[mixed], start[mixed], made.qid[mixed])
        assert values == podium.evaluate(made.y, start, made.qid)


def test_scores_are_in_the_callers_order(made, mixed):
    scaled = podium.Linear(normalize="query-zscore").fit(made.X, made.y, qid=made.qid)
    wanted = scaled.predict(made.X, qid=made.qid)
    explained = scaled.explain(made.X, qid=made.qid)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", podium.RegroupedWarning)
        for X in (made.X[mixed], sparse.csr_matrix(made.X[mixed])):
            np.testing.assert_array_equal(scaled.predict(X, qid=made.qid[mixed]), wanted[mixed])
        np.testing.assert_array_equal(scaled.explain(made.X[mixed], qid=made.qid[mixed]).contributions,
                                      explained.contributions[mixed])
        np.testing.assert_array_equal(scaled.model_.predict(made.X[mixed], qid=made.qid[mixed].astype(str)), wanted[mixed])


def test_a_dataset_of_unsorted_rows_keeps_their_positions(made, mixed):
    ids = np.array([f"d{row}" for row in range(len(made.y))])
    with pytest.warns(podium.RegroupedWarning):
        data = podium.Dataset(made.X[mixed], made.y[mixed], made.qid[mixed], docid=ids[mixed])
    np.testing.assert_array_equal(data.X, made.X)
    np.testing.assert_array_equal(data.y, made.y)
    np.testing.assert_array_equal(made.X[mixed][data.rows], data.X)
    assert data.docids == list(ids)
    np.testing.assert_array_equal(podium.Dataset(made.X, made.y, made.qid).rows, np.arange(len(made.y)))
    X = made.X[mixed].copy()
    X[7, 0] = np.inf
    line = podium.Linear(normalize="query-zscore").fit(made.X, made.y, qid=made.qid)
    assert line is not None


def test_text_columns_are_ignored_on_request(made, frame):
    texts = frame.assign(title="some words", url=[f"/{row}" for row in range(len(frame))])
    wanted = ranker().fit(podium.Dataset(frame, "grade", "query"))
    for table in (texts, polars.from_pandas(texts), pyarrow.Table.from_pandas(texts)):
        data = podium.Dataset(table, "grade", "query", ignore=["title", "url"])
        assert data.feature_names == NAMES
        np.testing.assert_array_equal(ranker().fit(data).predict(data), wanted.predict(data))
        chosen = podium.Dataset(table, "grade", "query", features=["b", "a"])
        assert chosen.feature_names == ["b", "a"] and chosen.X.shape == (len(made.y), 2)
        np.testing.assert_array_equal(chosen.X, made.X[:, [1, 0]])
    with pytest.raises(ValueError, match=r"column 'title'.*ignore=\['title'\] leaves it out"):
        podium.Dataset(texts, "grade", "query")
    with pytest.raises(ValueError, match="features: X has no column 'aa'"):
        podium.Dataset(texts, "grade", "query", features=["aa"])
    rest = texts.drop(columns=["grade", "query"])
    own = podium.LambdaMART(trees=5, min_docs=5, ignore=["title", "url"]).fit(rest, made.y, qid=made.qid)
    assert list(own.feature_names_in_) == NAMES
    np.testing.assert_array_equal(own.predict(rest), own.predict(rest[NAMES]))
    np.testing.assert_array_equal(own.predict(polars.from_pandas(rest)), own.predict(rest))
    two = podium.LambdaMART(trees=5, min_docs=5, features=["a", "b"]).fit(rest, made.y, qid=made.qid)
    assert two.model_.features == ["a", "b"]
    np.testing.assert_array_equal(two.predict(rest), two.predict(rest[NAMES]))
    for few in (rest[["b", "a"]], polars.from_pandas(rest[["title", "a", "b"]]), pyarrow.Table.from_pandas(rest[["a", "b"]])):
        np.testing.assert_array_equal(two.predict(few), two.predict(rest))
    assert two.explain(rest[["b", "a"]]).features == ["a", "b"]
    with pytest.raises(ValueError, match="features: X has no column 'b'"):
        two.predict(rest[["a", "c"]])
    # A ranker that was fitted on a Dataset ignores the same columns of tables.
    fitted = ranker().fit(podium.Dataset(texts, "grade", "query", ignore="title,url"))
    np.testing.assert_array_equal(fitted.predict(texts), wanted.predict(frame))


def test_text_that_training_did_not_see_is_left_alone(made, frame, tmp_path):
    rest = frame.drop(columns=["grade", "query"])
    fitted = ranker().fit(rest, made.y, qid=made.qid)
    scores = fitted.predict(rest)
    fitted.save(tmp_path / "model.json")
    texts = rest.assign(title="some words", when=pandas.Timestamp("2026-01-31"))
    for table in (texts, polars.from_pandas(texts)):
        np.testing.assert_array_equal(fitted.predict(table), scores)
        np.testing.assert_array_equal(fitted.explain(table).scores, scores)
        np.testing.assert_array_equal(podium.load_model(tmp_path / "model.json").predict(table), scores)
    with pytest.raises(ValueError, match="unseen at fit time:\n- more"):
        fitted.predict(texts.assign(more=1.0))
    with pytest.raises(ValueError, match="column 'a' has the type"):
        fitted.predict(texts.assign(a="x"))


def test_names_of_columns_are_for_datasets(frame):
    with pytest.raises(ValueError, match=r"y: one label per row is needed, not the name of a column: podium.Dataset\(X, 'grade', qid\)"):
        ranker().fit(frame, "grade", "query")


def test_categories_of_one_fit(made, frame):
    """As LightGBM's and CatBoost's fit take them."""
    rest = frame.drop(columns=["grade", "query"]).assign(colour=np.where(made.y > 0, "red", "blue"))
    own = podium.LambdaMART(trees=5, min_docs=5, categorical=["colour"]).fit(rest, made.y, qid=made.qid)
    for name in ("categorical_feature", "cat_features"):
        once = podium.LambdaMART(trees=5, min_docs=5).fit(rest, made.y, qid=made.qid, **{name: ["colour"]})
        assert once.categorical is None
        np.testing.assert_array_equal(once.predict(rest), own.predict(rest))


def test_chosen_features_of_a_file(made, frame, tmp_path):
    frame.assign(title="some words", stock=made.y > 1).to_csv(tmp_path / "data.csv", index=False)
    columns = {"label_column": "grade", "qid_column": "query"}
    data = podium.Dataset.read(tmp_path / "data.csv", features=["b", "stock"], **columns)
    assert data.feature_names == ["b", "stock"]
    np.testing.assert_array_equal(data.X, np.column_stack([made.X[:, 1], made.y > 1]).astype(np.float32))
    with pytest.raises(ValueError, match="'title' is 'some words', which is not a number; ignore=\"title\" leaves it out"):
        podium.Dataset.read(tmp_path / "data.csv", **columns)
    with pytest.raises(ValueError, match="no feature 'bb' in the data, did you mean b"):
        podium.Dataset.read(tmp_path / "data.csv", features=["bb"], **columns)
    with pytest.raises(ValueError, match="no option 'qid', did you mean qid_column"):
        podium.Dataset.read(tmp_path / "data.csv", qid="query")


@pytest.mark.parametrize("kind", ["float32", "category", "object"])
def test_columns_of_the_same_name(made, frame, kind):
    """Refused, with the name, unless they are not used."""
    twice = pandas.concat([frame[["a", "b", "query"]], frame[["a"]].astype(kind)], axis=1)
    for table in (twice, twice.assign(colour=pandas.Categorical(np.where(made.y > 0, "red", "blue")))):
        for use in (lambda X: ranker().fit(X.drop(columns="query"), made.y, qid=made.qid), lambda X: podium.Dataset(X, made.y, "query")):
            with pytest.raises(ValueError, match="X: several columns are named 'a'"):
                use(table)
    with pytest.raises(ValueError, match="X: several columns are named 'query'"):
        podium.Dataset(pandas.concat([frame[["query", "a"]], frame[["query"]]], axis=1), made.y, "query")
    ignoring = podium.LambdaMART(trees=5, min_docs=5, ignore="a").fit(twice.drop(columns="query"), made.y, qid=made.qid)
    assert list(ignoring.feature_names_in_) == ["b"]
    arrow = pyarrow.table([made.X[:, 0], made.X[:, 1], made.qid], names=["a", "a", "qid"])
    with pytest.raises(ValueError, match="X: several columns are named 'a'"):
        ranker().fit(arrow, made.y)


def test_an_index_saved_by_pandas_is_not_a_feature(frame, tmp_path):
    frame.to_csv(tmp_path / "data.csv")
    back = pandas.read_csv(tmp_path / "data.csv")
    with pytest.warns(UserWarning, match="'Unnamed: 0' is the index of a table"):
        data = podium.Dataset(back, "grade", "query")
    assert data.feature_names == NAMES
    again = podium.Dataset(back, "grade", "query", ignore="Unnamed: 0")
    assert again.feature_names == NAMES
    read = podium.Dataset.read(tmp_path / "data.csv")
    assert read.feature_names == NAMES and read.n_rows == len(frame)


@pytest.mark.parametrize("source", ["lazy", "generator", "polars pieces", "arrays", "duckdb"])
def test_lazy_tables_and_pieces(made, frame, source):
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    if source == "lazy":
        data = podium.Dataset(polars.from_pandas(frame).lazy(), "grade", "query")
    elif source == "generator":
        data = podium.Dataset((batch for batch in table.to_batches(max_chunksize=37)), "grade", "query")
    elif source == "polars pieces":
        data = podium.Dataset(polars.from_pandas(frame).iter_slices(50), "grade", "query")
    elif source == "arrays":
        data = podium.Dataset((made.X[row:row + 40] for row in range(0, len(made.y), 40)), made.y, made.qid)
    else:
        duckdb = pytest.importorskip("duckdb")
        data = podium.Dataset(duckdb.from_arrow(table), "grade", "query")
    np.testing.assert_array_equal(data.X, made.X)
    np.testing.assert_array_equal(data.y, made.y)
    assert list(data.qid) == [str(q) for q in made.qid]


def test_pieces_must_agree():
    with pytest.raises(ValueError, match="batch 1 has other columns"):
        podium.Dataset(iter([np.ones((2, 2)), np.ones((2, 3))]), group=[4])
    with pytest.raises(ValueError, match="without any batch"):
        podium.Dataset(iter([]), group=[4])


def test_parquet(made, frame, tmp_path):
    table = frame.rename(columns={"query": "qid"}).assign(docid=[f"d{row}" for row in range(len(frame))], title="words")
    table.to_parquet(tmp_path / "data.parquet", index=False)
    data = podium.Dataset.read(tmp_path / "data.parquet", ignore=["title"])
    np.testing.assert_array_equal(data.X, made.X)
    np.testing.assert_array_equal(data.y, made.y)
    assert data.docids[:2] == ["d0", "d1"] and data.feature_names == NAMES
    frame.to_parquet(tmp_path / "other", index=False)  # by its first bytes
    again = podium.Dataset.read(tmp_path / "other", label_column="grade", qid_column="query")
    np.testing.assert_array_equal(again.X, made.X)
    with pytest.raises(ValueError, match="label_column: .*has no column 'grad', did you mean grade"):
        podium.Dataset.read(tmp_path / "other", label_column="grad")
    parquet.write_table(pyarrow.table({"x": [1.0]}), tmp_path / "bare.parquet")
    with pytest.raises(ValueError, match="which column has the labels"):
        podium.Dataset.read(tmp_path / "bare.parquet")
    with pytest.raises(TypeError, match="bare.parquet: Parquet files have no option 'label_colum', did you mean label_column"):
        podium.Dataset.read(tmp_path / "bare.parquet", label_colum="grade")


def test_columns_of_files(tmp_path):
    """categorical= and ignore= of Dataset.read."""
    rows = [f"{i % 3},{i // 4},{i * 0.5},{('red', 'blue', 'green')[i % 3]},text {i}" for i in range(40)]
    (tmp_path / "data.csv").write_text("label,qid,price,brand,title\n" + "\n".join(rows) + "\n")
    data = podium.Dataset.read(tmp_path / "data.csv", categorical="brand", ignore=["title"])
    assert data.feature_names == ["price", "brand"]
    assert sorted(data.categories["brand"]) == ["blue", "green", "red"]
    codes = np.array([data.categories["brand"].index(("red", "blue", "green")[i % 3]) for i in range(40)])
    np.testing.assert_array_equal(data.X[:, 1], codes)
    assert len(podium.Linear().fit(data).model_.weights) == 1 + 3  # one input per brand
    trees = podium.LambdaMART(trees=2, min_docs=1, min_category_docs=1, category_l2=0).fit(data)
    assert trees.model_.categories == data.categories
    numbers = podium.Dataset.read(tmp_path / "data.csv", ignore="brand,title")
    assert numbers.feature_names == ["price"] and numbers.categories == {}
    assert podium.LambdaMART(trees=2, min_docs=1).fit(numbers).model_.features == ["price"]
    with pytest.raises(ValueError, match="ignore|titel"):
        podium.Dataset.read(tmp_path / "data.csv", ignore=["titel"])
    data.write(tmp_path / "data.podium")
    assert podium.Dataset.read(tmp_path / "data.podium").categories == data.categories
    assert data.select([0, 1]).categories == data.categories


def test_queries_are_optional_for_scores(made):
    fitted = ranker().fit(made.X, made.y, qid=made.qid)
    np.testing.assert_array_equal(fitted.predict(podium.Dataset(made.X)), fitted.predict(made.X))
    assert fitted.model_.leaves(made.X).shape == (len(made.y), 5)
    scaled = podium.Linear(normalize="query-zscore").fit(made.X, made.y, qid=made.qid)
    for call in (scaled.predict, scaled.explain, scaled.model_.predict):
        with pytest.raises(ValueError, match="qid is missing"):
            call(podium.Dataset(made.X))
    with pytest.raises(ValueError, match="qid is missing"):
        podium.Dataset(made.X, made.y)


def test_docids(made):
    data = podium.Dataset(made.X, made.y, made.qid, docid=np.arange(len(made.y)))
    assert data.docids[:3] == ["0", "1", "2"]
    table = pandas.DataFrame(made.X, columns=NAMES).assign(id=[f"doc {row}" for row in range(len(made.y))])
    named = podium.Dataset(table, made.y, made.qid, docid="id")
    assert named.docids[1] == "doc 1" and named.feature_names == NAMES
    with pytest.raises(ValueError, match="docid: one id per row"):
        podium.Dataset(made.X, made.y, made.qid, docid=["a"])


def test_files_without_a_header(tmp_path):
    """Options of read() that are yes or no."""
    (tmp_path / "data.csv").write_text("".join(f"{i % 3},{i // 5},{i},{i % 7}\n" for i in range(50)))
    for said in (True, np.True_, "true"):
        data = podium.Dataset.read(tmp_path / "data.csv", no_header=said)
        assert (data.n_rows, data.n_queries, data.feature_names) == (50, 10, ["3", "4"])
    (tmp_path / "named.csv").write_text("label,qid,a\n" + "".join(f"{i % 3},{i // 5},{i}\n" for i in range(50)))
    for said in (False, None):
        assert podium.Dataset.read(tmp_path / "named.csv", no_header=said, label_column=None).feature_names == ["a"]
    with pytest.raises(TypeError, match="no_header"):
        podium.Dataset.read(tmp_path / "data.csv", no_header=object())


def test_options_of_comparisons_that_are_not_text(tmp_path, made):
    data = podium.Dataset(made.X, made.y, made.qid)
    few = {"measures": ["AP"], "folds": np.int64(3), "permutations": 100, "baseline": None}
    plain = podium.compare(data, ["feature:1", "linear"], **few)
    assert plain["linear"] == podium.compare(data, ["feature:1", "linear"], measures="AP", folds="3", permutations="100")["linear"]
    without = podium.compare(data, ["linear"], without=["1", "2"], **few)
    assert without["linear"]["AP"] < plain["linear"]["AP"] - 0.05
