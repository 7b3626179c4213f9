"""Categories in tables: pandas, polars, Arrow and matrices, in training and in scoring."""

import numpy as np
import pandas
import podium
import pytest
from scipy import sparse

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

BRANDS = ["zeta", "acme", "beta", "ñu", "10", "9"]
GOOD = {"acme", "ñu", "9"}


def shop(seed=1, queries=40, rows=10):
    """A table whose labels follow a set of brands and a number."""
    draw = np.random.default_rng(seed)
    n = queries * rows
    brand = np.array(BRANDS, object)[draw.integers(len(BRANDS), size=n)]
    price = draw.uniform(size=n)
    size = draw.integers(5, size=n)
    label = np.isin(brand, list(GOOD)).astype(int) + (price > 0.5) + (size == 3)
    brand[draw.uniform(size=n) < 0.05] = None
    return pandas.DataFrame({"brand": brand, "price": price, "size": size, "new": draw.uniform(size=n) < 0.5}), label, \
        np.repeat(np.arange(queries), rows)


def ranker(**options):
    return podium.LambdaMART(trees=20, min_docs=5, min_category_docs=1, category_l2=0.5, threads=1, **options)


def forms(frame):
    """The same table in all types that say that brand is a category."""
    yield frame.assign(brand=frame.brand.astype("category"))
    yield frame.assign(brand=pandas.Categorical(frame.brand, categories=["unused", *reversed(BRANDS)]))
    table = polars.from_pandas(frame)
    yield table.with_columns(polars.col("brand").cast(polars.Categorical))
    yield table.with_columns(polars.col("brand").cast(polars.Enum(BRANDS)))
    arrow = pyarrow.Table.from_pandas(frame)
    yield arrow.set_column(0, "brand", arrow["brand"].dictionary_encode())


def test_types_of_tables_give_the_same_model():
    frame, label, qid = shop()
    expected = ranker(categorical="brand").fit(frame, label, qid)
    assert expected.model_.categories == {"brand": ["9", "10", "acme", "beta", "zeta", "ñu"]}
    assert expected.score(frame, label, qid) > 0.99
    for table in forms(frame):
        found = ranker().fit(table, label, qid)
        assert found.model_.to_json() == expected.model_.to_json()
        np.testing.assert_array_equal(found.predict(table), expected.predict(frame))
    texts = (polars.from_pandas(frame), pyarrow.Table.from_pandas(frame), frame.assign(brand=frame.brand.astype("string")))
    for table in texts:
        assert ranker(categorical=["brand"]).fit(table, label, qid).model_.to_json() == expected.model_.to_json()


def test_text_must_be_named():
    frame, label, qid = shop()
    with pytest.raises(ValueError, match=r"categorical=\['brand'\] makes it a category, ignore=\['brand'\] leaves it out"):
        ranker().fit(frame, label, qid)
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    plain = frame.assign(brand=frame.brand.astype("string"))
    for table in (polars.from_pandas(plain), pyarrow.Table.from_pandas(plain)):
        with pytest.raises(ValueError, match=r"holds text, not numbers; categorical=\['brand'\] makes it a category"):
            ranker().fit(table, label, qid)
    with pytest.raises(ValueError, match="categorical: X has no column 'brandt'; did you mean|categorical: X has no column 'brandt'"):
        ranker(categorical="brandt").fit(frame, label, qid)


def test_numbers_and_booleans_are_numbers_unless_named():
    frame, label, qid = shop()
    table = frame.drop(columns="brand")
    assert ranker().fit(table, label, qid).model_.categories == {}
    named = ranker(categorical=["size", "new"]).fit(table, label, qid)
    assert named.model_.categories == {"new": ["False", "True"], "size": ["0", "1", "2", "3", "4"]}
    floats = table.assign(size=table["size"].astype(float))
    np.testing.assert_array_equal(named.predict(floats), named.predict(table))


def test_values_are_matched_by_name():
    frame, label, qid = shop()
    model = ranker(categorical="brand").fit(frame, label, qid)
    other = shop(seed=2)[0]
    scores = model.predict(other)
    order = other.assign(brand=pandas.Categorical(other.brand, categories=sorted(BRANDS)))
    np.testing.assert_array_equal(model.predict(order), scores)
    np.testing.assert_array_equal(model.model_.predict(order), scores)
    np.testing.assert_array_equal(model.predict(other.iloc[:3]), scores[:3])
    missing = model.predict(other.assign(brand=None))
    np.testing.assert_array_equal(model.predict(other.assign(brand="never seen")), missing)
    assert (missing != scores).any()
    explained = model.explain(other)
    np.testing.assert_allclose(explained.base + explained.contributions.sum(axis=1), scores)
    assert model.feature_importances_[0] > 0


def test_validation_data_and_files(tmp_path):
    frame, label, qid = shop()
    valid, valid_label, valid_qid = shop(seed=3, queries=20)
    model = ranker(categorical="brand").fit(frame, label, qid, eval_set=(valid, valid_label), eval_qid=valid_qid)
    assert model.validation_["nDCG@10"] > 0.95
    model.save(tmp_path / "m.json")
    back = podium.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(back.predict(valid), model.predict(valid))
    data = podium.Dataset(frame.assign(label=label, qid=qid), "label", categorical="brand")
    assert data.categories == {"brand": ["9", "10", "acme", "beta", "zeta", "ñu"]}
    assert ranker().fit(data).model_.to_json() == ranker(categorical="brand").fit(frame, label, qid).model_.to_json()


def test_matrices():
    frame, label, qid = shop()
    codes = frame.brand.map({brand: 10 * number for number, brand in enumerate(BRANDS)})
    X = np.column_stack([codes.astype(float), frame.price, frame["size"]]).astype(np.float32)
    model = ranker(categorical=[1]).fit(X, label, qid)
    assert model.model_.categories == {"1": ["0", "10", "20", "30", "40", "50"]}
    scores = model.predict(X)
    np.testing.assert_array_equal(model.predict(X[:5]), scores[:5])
    np.testing.assert_array_equal(model.model_.predict(X), scores)
    filled = np.nan_to_num(X, nan=60)
    np.testing.assert_array_equal(model.predict(sparse.csr_matrix(filled)), model.predict(filled))
    with pytest.raises(ValueError, match="categorical: X has no column '7': its columns are 1 to 3"):
        ranker(categorical=[7]).fit(X, label, qid)


def test_batches_have_common_values():
    frame, label, qid = shop()
    whole = ranker(categorical="brand").fit(frame, label, qid)
    pieces = (frame.iloc[begin:begin + 150] for begin in range(0, len(frame), 150))
    assert ranker(categorical="brand").fit(pieces, label, qid).model_.to_json() == whole.model_.to_json()


def test_other_learners_encode():
    frame, label, qid = shop()
    fitted = podium.Linear(categorical="brand").fit(frame, label, qid)
    assert len(fitted.model_.weights) > len(fitted.model_.features)  # one input per brand
    assert len(set(fitted.predict(frame, qid=qid))) > 1
