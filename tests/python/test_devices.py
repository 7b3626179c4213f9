"""device=: the same models and scores, names that are checked, and what is listed."""

import os

import numpy as np
import podium
import pytest
from podium.distributed import run_in_threads
from scipy import sparse
from sklearn.base import clone

DEVICE = os.environ.get("PODIUM_TEST_DEVICE", "emulated")


def same(make, made, other, **fit):
    """Two rankers, on the CPU and on the other device, with the same bytes."""
    rankers = [make(device=device).fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid, **fit)
               for device in ("cpu", DEVICE)]
    assert rankers[0].model_.to_json() == rankers[1].model_.to_json()
    assert rankers[0].evaluations_ == rankers[1].evaluations_
    assert rankers[0].history_ == rankers[1].history_
    np.testing.assert_array_equal(rankers[0].predict(other.X, qid=other.qid), rankers[1].predict(other.X, qid=other.qid))
    return rankers[1]


@pytest.mark.parametrize("learner", ["LambdaMART", "MART", "McRank", "GBRank", "DirectRankTrees"])
def test_the_same_models(made, other, learner):
    same(lambda device: getattr(podium, learner)(trees=5, min_docs=5, device=device), made, other)


def test_a_loss_in_python(made, other):
    def loss(scores, labels):
        return 0.5 * np.sum((scores - labels) ** 2), scores - labels, np.ones_like(scores)

    same(lambda device: podium.Boosting(loss=loss, trees=4, device=device), made, other)


def test_several_validation_sets(made, other):
    rankers = [podium.LambdaMART(trees=5, device=device).fit(
        made.X, made.y, qid=made.qid, eval_set={"a": (other.X, other.y), "b": (made.X, made.y)},
        eval_qid={"a": other.qid, "b": made.qid}) for device in ("cpu", DEVICE)]
    assert rankers[0].evals_result_ == rankers[1].evals_result_


def test_scores_of_every_kind_of_input(made):
    model = podium.LambdaMART(trees=10).fit(made.X, made.y, qid=made.qid).model_
    X = np.tile(made.X, (3, 1))  # more rows than are scored in the calling thread
    for data in (X, X.astype(np.float64), sparse.csr_matrix(X), podium.Dataset(X, qid=np.arange(len(X)) // 7)):
        np.testing.assert_array_equal(model.predict(data), model.predict(data, device=DEVICE))


def test_compare_and_blend(made, tmp_path):
    data = podium.Dataset(made.X, made.y, qid=made.qid)
    results = [podium.compare(data, ["mart(trees=5)", "linear"], folds=3, device=device) for device in ("cpu", DEVICE)]
    assert repr(results[0]) == repr(results[1])
    members = [podium.MART(trees=5).fit(made.X, made.y, qid=made.qid), podium.Linear().fit(made.X, made.y, qid=made.qid)]
    blends = [podium.Blend(members, device=device).fit(made.X, made.y, qid=made.qid) for device in ("cpu", DEVICE)]
    assert blends[0].model_.to_json() == blends[1].model_.to_json()


def test_auto(made):
    rankers = [podium.AutoRanker(trials=2, learners="mart,linear", folds=3, device=device, verbose=0)
               .fit(made.X, made.y, qid=made.qid) for device in ("cpu", DEVICE)]
    assert rankers[0].model_.to_json() == rankers[1].model_.to_json()


def test_workers(made):
    whole = podium.LambdaMART(trees=4, threads=1).fit(made.X, made.y, qid=made.qid).model_.to_json()

    def run(workers):
        mine = made.qid % 2 == workers.rank
        ranker = podium.LambdaMART(trees=4, threads=1, device=DEVICE)
        return ranker.fit(made.X[mine], made.y[mine], qid=made.qid[mine], workers=workers).model_.to_json()

    assert run_in_threads(2, run, timeout=60) == [whole, whole]


def test_a_checkpoint_resumes_on_another_device(made, tmp_path):
    path = tmp_path / "checkpoint"

    def stopping(step):
        return podium.stop if step.number == 5 else None

    whole = podium.LambdaMART(trees=12).fit(made.X, made.y, qid=made.qid).model_.to_json()
    podium.LambdaMART(trees=12, device=DEVICE).fit(made.X, made.y, qid=made.qid, callbacks=stopping, checkpoint=path)
    assert path.exists()
    resumed = podium.LambdaMART(trees=12).fit(made.X, made.y, qid=made.qid, checkpoint=path)
    assert resumed.model_.to_json() == whole


def test_learners_without_trees_say_so(made):
    with pytest.warns(UserWarning, match=f'device="{DEVICE}": linear is trained on the CPU'):
        podium.Linear(device=DEVICE).fit(made.X, made.y, qid=made.qid)


@pytest.mark.parametrize("name", ["tpu", "cuda:x", "CPU", ""])
def test_wrong_names(made, name):
    with pytest.raises(ValueError, match="device: there is no device"):
        podium.LambdaMART(device=name).fit(made.X, made.y, qid=made.qid)
    with pytest.raises(ValueError, match='device="cuda:99": '):
        podium.LambdaMART(device="cuda:99").fit(made.X, made.y, qid=made.qid)


def test_wrong_types(made):
    ranker = podium.LambdaMART(trees=2).fit(made.X, made.y, qid=made.qid)
    for device in (None, 0, b"cpu"):
        with pytest.raises(TypeError, match="device: a name such as 'cpu' or 'cuda' is needed, not"):
            podium.LambdaMART(device=device).fit(made.X, made.y, qid=made.qid)
        with pytest.raises(TypeError, match="device: a name"):
            ranker.model_.predict(made.X, device=device)
        with pytest.raises(TypeError, match="device: a name"):
            podium.compare(podium.Dataset(made.X, made.y, qid=made.qid), ["mart"], device=device)


def test_names_of_other_tools():
    assert podium.LambdaMART(device_type="gpu").device == "cuda"
    assert podium.LambdaMART(task_type="GPU").device == "cuda"
    assert podium.LambdaMART(task_type="CPU").device == "cpu"
    assert podium.LambdaMART(device="gpu").device == "cuda"
    assert clone(podium.LambdaMART(device="cuda:1")).device == "cuda:1"


def test_devices_are_listed():
    found = podium.devices()
    assert [found[0]["name"], found[-1]["name"]] == ["cpu", "emulated"]
    for device in found[1:-1]:
        assert device["name"].startswith("cuda")
        assert device["usable"] or device["why_not"]
