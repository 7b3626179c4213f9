"""TREC runs: features from them, and fusion."""

import numpy as np
import podium
import pytest

A = "1 Q0 a 3 10 A\n1 Q0 b 2 6 A\n1 Q0 c 1 2 A\n"
B = "1 Q0 d 1 0.5 B\n1 Q0 c 1 1 B\n2 Q0 z 1 -4 B\n"


@pytest.fixture
def runs(tmp_path):
    paths = [tmp_path / "A.run", tmp_path / "B.run"]
    for path, text in zip(paths, (A, B), strict=True):
        path.write_text(text)
    return paths


def test_features(runs, tmp_path):
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 a 2\n1 0 c 1\n")
    with pytest.warns(UserWarning, match="left out: 1"):
        data = podium.run_features(runs, qrels)
    assert data.feature_names == ["A", "B"]
    assert (data.qids, data.docids) == (["1"], ["a", "b", "c", "d"])
    np.testing.assert_array_equal(data.y, [2, 0, 1, 0])
    np.testing.assert_array_equal(data.X, [[10, 0.5], [6, 0.5], [2, 1], [2, 0.5]])


def test_features_without_judgements(runs):
    data = podium.run_features(runs, depth=1, missing_scores="nan", indicators=True)
    assert data.docids == ["a", "c", "z"]
    nan = np.nan
    np.testing.assert_array_equal(data.X, [[10, nan, 1, 0], [nan, 1, 0, 1], [nan, -4, 0, 1]])
    assert not data.y.any()


def test_fusion(runs):
    assert podium.fuse(runs, "combmnz") == {"1": {"c": 2, "a": 1, "b": 0.5, "d": 0}, "2": {"z": 1}}
    assert list(podium.fuse(runs, "borda")["1"]) == ["c", "a", "b", "d"]
    assert podium.fuse(runs)["1"]["c"] == pytest.approx(1 / 63 + 1 / 61)
    assert podium.fuse(runs, k=1)["2"]["z"] == 0.5


def test_errors(runs, tmp_path):
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 a 1 x t\n")
    with pytest.raises(ValueError, match=r"bad\.run:1: the score 'x' is not a number"):
        podium.fuse([bad])
    with pytest.raises(ValueError, match="did you mean combsum"):
        podium.fuse(runs, "combsun")
    with pytest.raises(TypeError, match="a list of files"):
        podium.run_features(runs[0])
