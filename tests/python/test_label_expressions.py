"""Labels that are computed from columns of a table."""

import numpy as np
import pandas as pd
import podium
import pytest

TABLE = pd.DataFrame({"qid": [1, 1, 2, 2], "bm25": [0.5, 1.5, 2.5, 0.25], "click": [1, 0, 1, 1], "bought": [0, 0, 1, 0]})


def test_columns_of_the_label_are_no_features() -> None:
    data = podium.Dataset(TABLE, label="click*0.5+2*bought")
    np.testing.assert_allclose(data.y, [0.5, 0, 2.5, 0.5])
    assert data.feature_names == ["bm25"]


def test_is_the_same_as_that_of_a_file(tmp_path) -> None:
    path = tmp_path / "d.csv"
    TABLE.to_csv(path, index=False)
    expression = "max(click, 3*bought) - 1"
    np.testing.assert_array_equal(podium.Dataset(TABLE, label=expression).y, podium.Dataset.read(path, label=expression).y)


def test_models_name_it() -> None:
    model = podium.LambdaMART(trees=2, min_docs=1).fit(podium.Dataset(TABLE, label="click+bought")).model_
    assert '"label": "click+bought"' in model.to_json() or '"label":"click+bought"' in model.to_json()


@pytest.mark.parametrize(("label", "message"), [
    ("click+", "label"), ("clik*2", "label: X has no column 'clik'.*click"), ("click/bought", "label: click/bought is (inf|nan|-nan) in row 0"),
])
def test_mistakes(label: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        podium.Dataset(TABLE, label=label)


def test_gaps_and_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="label: the column 'click' has no value in row 1"):
        podium.Dataset(TABLE.assign(click=[1, None, 1, 1]), label="click")
    with pytest.raises(ValueError, match="label: the column 'click' does not hold numbers"):
        podium.Dataset(TABLE.assign(click=["a", "b", "c", "d"]), label="click")
    with pytest.raises(ValueError, match="label: y has the labels already"):
        podium.Dataset(TABLE, "click", label="bought")
