"""Model files, exports, explanations, comparisons and plots."""

import json
import os
import pathlib
import pickle
import shutil
import subprocess

import numpy as np
import podium
import pytest
from sklearn.base import clone

# Cloned before fitting: models in module variables outlive the interpreter, and count as leaks.
KINDS = [podium.LambdaMART(trees=10, leaves=6), podium.Linear(), podium.MLP(epochs=30)]


@pytest.fixture(params=KINDS, ids=["forest", "linear", "mlp"])
def fitted(request, made):
    return clone(request.param).fit(made.X, made.y, qid=made.qid)


def test_files(fitted, made, tmp_path):
    wanted = fitted.predict(made.X)
    for name in ("model.json", "model.json.zst"):
        fitted.save(tmp_path / name)
        model = podium.load_model(tmp_path / name)
        np.testing.assert_array_equal(model.predict(made.X), wanted)
        assert model.learner == fitted.model_.learner and model.features == [str(f) for f in range(1, 7)]
    copy = pickle.loads(pickle.dumps(fitted.model_))
    np.testing.assert_array_equal(copy.predict(made.X), wanted)
    assert json.loads(copy.to_json())["training"]["queries"] == copy.training["queries"] == 60
    assert copy.training["documents"] == len(made.y)


def test_models_score_sparse_and_sets(fitted, made):
    from scipy import sparse
    wanted = fitted.predict(made.X)
    np.testing.assert_array_equal(fitted.predict(sparse.csr_matrix(made.X)), wanted)
    np.testing.assert_array_equal(fitted.model_.predict(podium.Dataset(made.X, qid=made.qid)), wanted)
    with pytest.raises(ValueError, match="X has 5 features"):
        fitted.model_.predict(made.X[:, 1:])


def test_facts(fitted, made):
    model = fitted.model_
    importance = model.importance()
    assert set(importance) == set(model.features)
    assert list(importance.values()) == sorted(importance.values(), reverse=True)
    assert next(iter(importance)) == "1"
    with pytest.raises(ValueError, match="kind"):
        model.importance("weight")
    if model.kind == "linear":
        np.testing.assert_allclose(made.X.astype(float) @ model.weights + model.bias, fitted.predict(made.X))
    else:
        with pytest.raises(AttributeError, match="only linear"):
            model.weights  # noqa: B018
    data = podium.Dataset(made.X, qid=made.qid)
    if model.kind == "forest":
        assert model.leaves(data).shape == (len(made.y), model.trees)
    else:
        with pytest.raises(ValueError, match="trees"):
            model.leaves(data)


def test_explanations_add_up(fitted, made):
    explained = fitted.model_.explain(podium.Dataset(made.X, qid=made.qid))
    for same in (fitted.explain(made.X), fitted.explain(podium.Dataset(made.X)), fitted.model_.explain(made.X)):
        np.testing.assert_array_equal(same.contributions, explained.contributions)
    np.testing.assert_array_equal(explained.scores, fitted.predict(made.X))
    total = explained.base + explained.contributions.sum(axis=1) + explained.rest
    np.testing.assert_allclose(total, explained.scores, atol=1e-9)
    if fitted.model_.kind != "mlp":
        assert np.abs(explained.rest).max() < 1e-9
    assert explained.to_frame().shape == (len(made.y), 8)


@pytest.mark.parametrize("kind", podium.export_formats(), ids=lambda kind: kind["name"])
def test_exports(kind, made, tmp_path):
    data = podium.Dataset(made.X, made.y, made.qid)
    carried = 0
    for ranker in KINDS:
        model = clone(ranker).fit(made.X, made.y, qid=made.qid).model_
        try:
            exported = model.export(tmp_path / "file", kind["name"], verify=data, missing_as_zero=True)
        except ValueError as error:
            assert str(error)  # refused, with a reason
            continue
        carried += 1
        assert exported.check["holds"] and exported.check["documents"] == len(made.y)
        assert (tmp_path / "file").read_bytes() == exported.content
        assert sorted(os.listdir(tmp_path)) == ["file"]
    assert carried > 0


def test_import(made, tmp_path):
    model = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid).model_
    model.export(tmp_path / "model.txt", "lightgbm")
    back = podium.import_model(tmp_path / "model.txt", "lightgbm")
    np.testing.assert_allclose(back.predict(made.X), model.predict(made.X), rtol=1e-12)
    with pytest.raises(ValueError, match="model.txt"):
        (tmp_path / "model.txt").write_text("tree\nnonsense")
        podium.import_model(tmp_path / "model.txt", "lightgbm")


def test_import_of_other_formats(made, tmp_path):
    model = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid).model_
    zeros = np.nan_to_num(made.X)
    for kind, source in (("xgboost-ubj", "xgboost"), ("onnx", "onnx")):
        model.export(tmp_path / "file", kind, missing_as_zero=True)
        back = podium.import_model(tmp_path / "file", source)
        for X in (zeros, made.X):
            np.testing.assert_allclose(back.predict(X), model.predict(zeros), rtol=1e-5, atol=1e-6)


def test_import_of_elasticsearch_names_the_features_it_uses(made, tmp_path):
    model = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid).model_
    model.export(tmp_path / "file", "elasticsearch", missing_as_zero=True)
    back = podium.import_model(tmp_path / "file", "elasticsearch")
    zeros = np.nan_to_num(made.X)
    columns = [model.features.index(name) for name in back.features]
    np.testing.assert_allclose(back.predict(zeros[:, columns]), model.predict(zeros), rtol=1e-5, atol=1e-6)


def test_targets(made):
    model = podium.LambdaMART(trees=5).fit(made.X, made.y, qid=made.qid).model_
    exported = model.export(None, target="opensearch:3.8", verify=podium.Dataset(made.X, made.y, made.qid))
    assert exported.format == "elasticsearch" and exported.check["holds"]
    assert b"isNullSameAsZero" in model.export(None, target="solr:9").content
    with pytest.raises(TypeError, match="a format or a target"):
        model.export(None)
    with pytest.raises(ValueError, match="target"):
        model.export(None, "onnx", target="solr:9")


def test_compare(made, tmp_path):
    data = podium.Dataset(made.X, made.y, made.qid)
    table = podium.compare(data, {"trees": podium.LambdaMART(trees=5, min_docs=5), "line": "linear",
                                  "best feature": "feature"},
                           measures=["nDCG@10", "AP"], folds=3, folder=tmp_path / "results", permutations=200)
    assert table.systems == list(table) == ["trees", "line", "best feature"]
    assert list(table["line"]) == ["nDCG@10", "AP", "standing"]
    frame = table.to_frame()
    assert list(frame.index) == table.systems and list(frame.columns) == ["nDCG@10", "AP", "standing"]
    assert frame["nDCG@10"].between(0.3, 1).all() and "best" in set(frame["standing"])
    assert "best feature" in repr(table) and "<td" in table._repr_html_()
    results = table.results
    assert len(results["queries"]) == 60 and results["complete"]
    assert (tmp_path / "results" / "results.json").exists()
    again = podium.compare(data, ["linear", podium.LambdaMART(trees=3)], measures=["AP"], folds=3,
                           permutations=200)
    assert again.systems[0] == "linear" and len(again) == 2
    with pytest.raises(TypeError, match="no option 'fold', did you mean folds"):
        podium.compare(data, ["linear"], fold=3)
    with pytest.raises(ValueError, match="lambdamart"):
        podium.compare(data, ["lambdamat"])


def test_plots(made, other, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    plot = podium.plot
    ranker = podium.LambdaMART(trees=15).fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y),
                                             eval_qid=other.qid)
    bars = plot.importance(ranker, top=3)
    assert [label.get_text() for label in bars.get_yticklabels()][-1] == next(iter(ranker.model_.importance()))
    curve = plot.learning_curve(ranker)
    assert len(curve.lines[0].get_xdata()) == len(ranker.history_)
    with pytest.raises(ValueError, match="history_ has no"):
        plot.learning_curve(ranker, values=["nonsense"])
    explained = ranker.model_.explain(podium.Dataset(made.X, qid=made.qid))
    assert len(plot.explanation(explained, 0, top=4).patches) == 4
    assert len(ranker.plot.explanation(made.X, 3, top=2).patches) == 2
    assert ranker.plot.importance(top=3).get_xlabel() and ranker.plot.learning_curve().lines
    figure, axes = pyplot.subplots()
    assert plot.importance(ranker.model_, kind="split", ax=axes) is axes
    figure.savefig(tmp_path / "plot.png")
    pyplot.close("all")


def test_real_data_is_scored_as_by_the_program(mq2008, tmp_path):
    train, vali, test = map(podium.read_letor, mq2008)
    ranker = podium.LambdaMART(trees=50).fit(train, eval_set=vali)
    assert ranker.score(test) > 0.4
    program = os.environ.get("PODIUM") or shutil.which("podium")
    if not program:
        pytest.skip("the program is not on the path: its scores are not compared")
    ranker.save(tmp_path / "model.json")
    subprocess.run([program, "train", "lambdamart", "--trees", "50", "--data", mq2008[0], "--valid", mq2008[1],
                    "--model", tmp_path / "program.json", "--quiet"], check=True, capture_output=True)
    for name in ("model.json", "program.json"):
        scored = subprocess.run([program, "score", "--model", tmp_path / name, "--data", mq2008[2], "--quiet"],
                                check=True, capture_output=True, text=True).stdout.split()
        np.testing.assert_array_equal(np.array(scored, float), ranker.predict(test))


def test_stub_and_marker_exist():
    package = pathlib.Path(podium.__file__).parent
    assert (package / "py.typed").exists() and (package / "_podium.pyi").exists()
