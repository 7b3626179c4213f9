"""Click models, training on clicks, counterfactual values and interleaving."""

import json
import warnings

import numpy as np
import podium
import pytest
from podium import clicks, counterfactual, interleaving
from sklearn.base import clone

SHOWN = 5
THETA = 1 / np.arange(1, SHOWN + 1)


@pytest.fixture(scope="module")
def world(made, tmp_path_factory):
    """A log of a ranker that knows nothing, under a position-based model with known relevance."""
    random = np.random.default_rng(1)
    gamma = 0.1 + 0.8 * made.y / made.y.max()
    begin = np.concatenate([[0], np.cumsum(made.group)])
    lines = ["session\tqid\tdocid\tposition\tclick"]
    for s in range(12000):
        q = random.integers(len(made.group))
        rows = begin[q] + random.permutation(made.group[q])[:SHOWN]
        clicked = random.random(SHOWN) < THETA * gamma[rows]
        lines += [f"{s}\t{made.qid[row]}\td{row}\t{p + 1}\t{int(clicked[p])}" for p, row in enumerate(rows)]
    path = tmp_path_factory.mktemp("clicks") / "log.tsv"
    path.write_text("\n".join(lines) + "\n")
    data = podium.Dataset(made.X, qid=made.qid, docid=[f"d{row}" for row in range(len(made.y))])
    return path, data, gamma


@pytest.mark.parametrize("model", [clicks.PBM, clicks.TrustModel, clicks.CascadeModel, clicks.DCM, clicks.SDBN, clicks.DBN,
                                   clicks.UBM, clicks.Harvest, clicks.RankCTR, clicks.DocumentCTR])
def test_every_model_fits(world, model):
    path, data, _ = world
    fitted = clone(model(iterations=50)).fit(path)
    assert fitted.propensities_.shape == (SHOWN,)
    assert ((fitted.propensities_ > 0) & (fitted.propensities_ <= 1)).all()
    assert 1 <= fitted.perplexity() < 2
    assert fitted.perplexity(by_position=True).shape == (SHOWN,)
    assert set(fitted.relevance_) <= set(zip(data.qid, data.docids, strict=True))
    assert (np.diff(fitted.objective_) > -1e-6).all()


def test_pbm_finds_the_propensities(world, tmp_path):
    path, _, _ = world
    model = clicks.PBM().fit(clicks.Log(path))
    np.testing.assert_allclose(model.propensities_, THETA, rtol=0.15)
    assert model.components_ == 1
    low, high = model.intervals_.T
    assert (low <= model.propensities_).all() and not (high < model.propensities_).any()  # NaN: too few clicks
    model.save(tmp_path / "p.json")
    assert json.loads((tmp_path / "p.json").read_text()) == model.fit_
    kept = clicks.PBM().fit(path, propensities=THETA)
    np.testing.assert_allclose(kept.propensities_, THETA)
    assert clicks.PBM().fit(clicks.Log(path, max_position=2)).propensities_.shape == (2,)


def test_relevance_from_features(world, tmp_path):
    path, data, _ = world
    model = clone(clicks.RegressionEM(learner="boosting(trees=30)", refits=6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(path, data=data)
    assert model.propensities_.shape == (SHOWN,)
    assert (np.diff(model.objective_) >= 0).all()
    assert model.fit_["relevance"]["learner"] == "boosting(trees=30)"
    assert model.fit_["relevance"]["refits"] <= 6
    model.save(tmp_path / "p.json")
    assert json.loads((tmp_path / "p.json").read_text())["model"] == "regression-em"
    with pytest.raises(ValueError, match="needs data="):
        clicks.RegressionEM().fit(path)
    with pytest.raises(ValueError, match="cannot learn probabilities"):
        clicks.RegressionEM(learner="ranksvm").fit(path, data=data)


def test_dual_learns_propensities_beside_the_ranker(world, other):
    path, data, _ = world
    ranker = podium.Ranker("boosting", loss="softmax", trees=30).fit(data, clicks=path, debias="dual")
    assert ranker.score(other.X, other.y, qid=other.qid) > 0.8
    for wrong in (podium.LambdaMART(trees=2), podium.Ranker("listnet")):
        with pytest.raises(ValueError, match="boosting with loss"):
            wrong.fit(data, clicks=path, debias="dual")


def test_training_on_clicks(world, made, other, tmp_path):
    path, data, _ = world
    model = clicks.PBM().fit(path)
    model.save(tmp_path / "p.json")
    values = {}
    for debias in ("naive", "ipw", "overlap", "judged", "pairwise", "additive"):
        given = {"propensities": model} if debias in ("ipw", "overlap", "judged") else {}
        ranker = podium.LambdaMART(trees=30, leaves=6).fit(data, clicks=path, debias=debias, **given)
        values[debias] = ranker.score(other.X, other.y, qid=other.qid)
    assert min(values.values()) > 0.8
    ranker = podium.LambdaMART(trees=5, leaves=6)
    one = ranker.fit(data, clicks=path, propensities=model).predict(made.X, qid=made.qid)
    assert ranker.clicks_["largest_weight"] > 3
    np.testing.assert_array_equal(one, ranker.fit(data, clicks=path, propensities=tmp_path / "p.json").predict(made.X, qid=made.qid))
    clipped = ranker.fit(data, clicks=path, propensities=model, propensity_clip=0.5)
    assert clipped.clicks_["largest_weight"] == 2


def test_rows_without_ids_are_numbered(world, made, tmp_path):
    log = tmp_path / "log.tsv"
    log.write_text("session\tqid\tdocid\tposition\tclick\n" + "".join(
        f"{s}\t{made.qid[0]}\t{d}\t{d}\t{int(d == s % 3 + 1)}\n" for s in range(30) for d in (1, 2, 3)))
    first = made.qid == made.qid[0]
    ranker = podium.Ranker("linear").fit(made.X[first], qid=made.qid[first], clicks=log, debias="naive")
    assert ranker.n_features_in_ == made.X.shape[1]
    with pytest.raises(ValueError, match="is not in the data; drop_unmatched"):
        ranker.fit(made.X[~first], qid=made.qid[~first], clicks=log, debias="naive")


def test_values_of_rankers(world):
    path, data, gamma = world
    random = np.random.default_rng(5).normal(size=len(gamma))
    for estimator in ("ips", "snips", "dm", "dr"):
        found = counterfactual.evaluate(data, {"random": random, "best": gamma}, path, propensities=THETA,
                                        estimator=estimator, resamples=200)
        value = found.values["best"]
        assert value.interval[0] < value.value < value.interval[1]
        assert found.differences["best"].difference > 0
        assert found.differences["best"].p < 0.05


def test_report(world, tmp_path):
    path, data, _ = world
    page = tmp_path / "r.html"
    made = clicks.report(path, page, models=[clicks.PBM(), clicks.RankCTR()], data=data,
                         rankers={"up": data.X[:, 0], "down": -data.X[:, 0]})
    pbm = clicks.PBM().fit(path)
    np.testing.assert_allclose(made["models"][0]["propensities"], pbm.propensities_, rtol=1e-6)
    assert [one["name"] for one in made["values"]["results"]] == ["up", "down"]
    assert "podium-clicks-report" in page.read_text()
    with pytest.raises(ValueError, match="data: rankers"):
        clicks.report(path, page, rankers={"a": [1.0]})
    with pytest.raises(TypeError, match="models: a click model"):
        clicks.report(path, page, models=["pbm"])


def test_interleaving(tmp_path):
    a, b = list("wxyz"), list("zyxw")
    shown = interleaving.interleave(a, b, session="s", query="q", depth=2)
    assert shown == interleaving.interleave(a, b, session="s", query="q")[:2]
    assert {owner for _, owner in shown} == {"a", "b"}
    verdict = interleaving.analyse([("q1", 1), ("q2", 0), ("q1", 1)] * 20)
    assert (verdict.a_wins, verdict.b_wins, verdict.ties, verdict.queries) == (40, 0, 20, 2)
    assert verdict.sequential_p < 1e-4 < 1
    assert verdict.decided_after < 30
    log = tmp_path / "log.tsv"
    log.write_text("session\tqid\tdocid\tposition\tclick\towner\n" + "".join(
        f"{s}\tq\t{document}\t{p}\t{int(owner == 'b')}\t{owner}\n" for s in range(9)
        for p, (document, owner) in enumerate(interleaving.interleave(a, b, session=str(s), query="q"), 1)))
    assert interleaving.analyse(log).preference == -1
    with pytest.raises(ValueError, match="no session of the click log is left"):
        interleaving.analyse(log, max_clicks=1)
    with pytest.raises(ValueError, match="max_clicks is for a file"):
        interleaving.analyse([("q1", 1)], max_clicks=1)


def test_refuses_what_a_log_does_not_determine(tmp_path):
    log = tmp_path / "fixed.tsv"
    log.write_text("session\tqid\tdocid\tposition\tclick\n" + "".join(
        f"{s}\tq\td{p}\t{p}\t{int(s % (p + 1) == 0)}\n" for s in range(40) for p in (1, 2, 3)))
    for model in (clicks.PBM, clicks.UBM, clicks.DBN, clicks.TrustModel):
        with pytest.raises(ValueError, match="does not determine"):
            model().fit(log)
    assert clicks.SDBN().fit(log).propensities_.shape == (3,)


def test_wrong_arguments(world, made):
    path, data, _ = world
    ranker = podium.LambdaMART(trees=2)
    for message, given in (("debias='ipw'|needs propensities", {"debias": "ipw"}),
                           ("propensity_clip is for", {"debias": "naive", "propensity_clip": 0.1}),
                           ("propensities are for", {"debias": "naive", "propensities": THETA}),
                           ("not fitted", {"propensities": clicks.PBM()}),
                           ("above 0 and at most 1", {"propensities": [1, 0]}),
                           ("known up to 2", {"propensities": [1, 0.5]}),
                           ("y cannot be used with clicks", {"y": made.y})):
        with pytest.raises(ValueError, match=message):
            ranker.fit(data, clicks=path, **given)
    with pytest.raises(ValueError, match="propensities needs clicks"):
        ranker.fit(made.X, made.y, qid=made.qid, propensities=THETA)
    with pytest.raises(TypeError, match="a podium.clicks.Log or a path"):
        ranker.fit(data, clicks=3, debias="naive")
    with pytest.raises(ValueError, match="only PBM"):
        clicks.DBN().fit(path, propensities=THETA)
    with pytest.raises(TypeError, match="is the base"):
        clicks.ClickModel().fit(path)
    with pytest.raises(ValueError, match="the winner"):
        interleaving.analyse([("q", 2)])
    with pytest.raises(ValueError, match="different documents"):
        interleaving.interleave(["x", "x"], ["x"], session="s", query="q")
