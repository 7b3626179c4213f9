"""Training on several workers: threads of this process, and whatever else is installed."""

import socket
import warnings

import numpy as np
import pytest
from scipy import sparse

import podium
from podium.distributed import Workers, WorkerError, run_in_threads

LEARNERS = {
    "lambdamart": {"trees": 5, "leaves": 7},
    "svm-map": {"C": 0.1},
    "lambdarank": {"epochs": 5, "hidden": "8"},
    "directrank": {"restarts": 2, "max_rounds": 3, "kicks": 0},
    "adarank": {"rounds": 5},
    "ranknet": {"epochs": 5, "hidden": "8"},
}


def parts_of(data, count, seed=0):
    """The rows of each worker: queries in any order, whole."""
    worker = np.random.default_rng(seed).integers(0, count, len(data.group))
    return [np.isin(data.qid, np.arange(100, 100 + len(data.group))[worker == rank]) for rank in range(count)]


def fitted(ranker, data, count, **more):
    parts = parts_of(data, count)

    def run(workers):
        mine = parts[workers.rank]
        given = {name: value[mine] for name, value in more.items() if isinstance(value, np.ndarray)}
        given |= {name: value for name, value in more.items() if name not in given}
        return podium.Ranker(**ranker.get_params()).fit(data.X[mine], data.y[mine], qid=data.qid[mine], workers=workers, **given)

    return run_in_threads(count, run, timeout=60)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_same_model_as_one_process(made, name, count):
    ranker = podium.Ranker(name, threads=1, **LEARNERS[name])
    alone = podium.Ranker(**ranker.get_params()).fit(made.X, made.y, qid=made.qid).model_.to_json()
    for one in fitted(ranker, made, count):
        assert one.model_.to_json() == alone


def test_validation_weights_and_callbacks(made, other):
    ranker = podium.Ranker("lambdamart", trees=8, leaves=5, threads=1, measure=["nDCG@5", "AP"])
    weight = np.linspace(0.5, 2, len(made.y)).astype(np.float32)
    weight[made.qid < 120] = 1.5  # constant within the queries of some workers
    arguments = {"eval_set": [(other.X, other.y), (made.X, made.y)], "eval_qid": [other.qid, made.qid]}
    alone = podium.Ranker(**ranker.get_params()).fit(made.X, made.y, qid=made.qid, sample_weight=weight, **arguments)
    halves = [np.isin(other.qid, range(115)), ~np.isin(other.qid, range(115))]
    own = parts_of(made, 2)
    steps = [[], []]

    def run(workers):
        mine, valid = own[workers.rank], halves[workers.rank]
        sets = {"eval_set": [(other.X[valid], other.y[valid]), (made.X[mine], made.y[mine])],
                "eval_qid": [other.qid[valid], made.qid[mine]]}
        return podium.Ranker(**ranker.get_params()).fit(
            made.X[mine], made.y[mine], qid=made.qid[mine], sample_weight=weight[mine], workers=workers,
            callbacks=lambda step: steps[workers.rank].append(step.number), **sets)

    for one in run_in_threads(2, run, timeout=60):
        assert one.model_.to_json() == alone.model_.to_json()
        assert one.history_ == alone.history_
        assert one.evaluations_ == alone.evaluations_
    assert steps[0] == steps[1] == list(range(1, 9))


def test_a_callback_of_one_worker_stops_all(made):
    def run(workers):
        mine = parts_of(made, 2)[workers.rank]
        stops = [] if workers.rank == 0 else [lambda step: podium.stop if step.number == 3 else None]
        return podium.LambdaMART(trees=10, threads=1).fit(made.X[mine], made.y[mine], qid=made.qid[mine], workers=workers,
                                                          callbacks=stops)

    assert [one.model_.trees for one in run_in_threads(2, run, timeout=60)] == [3, 3]


class Counting(Workers):
    """Passes everything on."""

    def __init__(self, workers):
        self._workers, self.rank, self.size, self.calls = workers, workers.rank, workers.size, 0

    def all_gather(self, data):
        self.calls += 1
        return self._workers.all_gather(data)

    def fail(self, message):
        self._workers.fail(message)


def test_a_tree_takes_few_exchanges():
    random = np.random.default_rng(5)
    X = random.normal(size=(6000, 20)).astype(np.float32)
    y, qid = (X[:, 0] * X[:, 1] + X[:, 2] > 0.5).astype(int), np.arange(6000) // 20

    def calls(workers, trees):
        mine, counting = qid % 2 == workers.rank, Counting(workers)
        podium.LambdaMART(trees=trees, leaves=31, threads=1).fit(X[mine], y[mine], qid=qid[mine], workers=counting)
        return counting.calls

    few, many = (run_in_threads(2, lambda workers, trees=trees: calls(workers, trees), timeout=60)[0] for trees in (2, 12))
    assert (many - few) / 10 < 25  # one per split would be 36


def test_sizes_of_queries_and_sparse_rows(made):
    X = sparse.csr_matrix(np.where(made.X > 0.5, made.X, 0))
    alone = podium.RankNet(epochs=3, threads=1).fit(X, made.y, group=made.group).model_.to_json()
    cut = int(made.group[:20].sum())

    def run(workers):
        rows, queries = (slice(0, cut), slice(0, 20)) if workers.rank == 0 else (slice(cut, None), slice(20, None))
        if workers.rank == 2:  # has nothing
            return podium.RankNet(epochs=3, threads=1).fit(None, workers=workers)
        return podium.RankNet(epochs=3, threads=1).fit(X[rows], made.y[rows], group=made.group[queries], workers=workers)

    assert {one.model_.to_json() for one in run_in_threads(3, run, timeout=60)} == {alone}


def test_tables_and_a_worker_without_rows(made):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(made.X, columns=[f"f{i}" for i in range(made.X.shape[1])]).assign(qid=made.qid)
    alone = podium.LambdaMART(trees=3, threads=1).fit(frame, made.y).model_.to_json()

    def run(workers):
        mine = parts_of(made, 2)[workers.rank] if workers.rank < 2 else np.zeros(len(frame), bool)
        ranker = podium.LambdaMART(trees=3, threads=1).fit(frame[mine], made.y[mine], workers=workers)
        assert list(ranker.feature_names_in_) == [f"f{i}" for i in range(made.X.shape[1])]
        return ranker.model_.to_json()

    assert set(run_in_threads(3, run, timeout=60)) == {alone}


def test_categories_of_all_workers(made):
    pandas = pytest.importorskip("pandas")
    brands = np.array(["a", "b", "c", "d"])[made.qid % 4]  # every worker has other values
    frame = pandas.DataFrame({"x": made.X[:, 0], "brand": brands, "qid": made.qid})
    alone = podium.LambdaMART(trees=3, threads=1, categorical="brand").fit(frame, made.y).model_.to_json()

    def run(workers):
        mine = made.qid % 2 == workers.rank
        ranker = podium.LambdaMART(trees=3, threads=1, categorical="brand")
        if workers.rank == 2:  # has nothing
            return ranker.fit(None, workers=workers).model_.to_json()
        return ranker.fit(frame[mine], made.y[mine], workers=workers).model_.to_json()

    assert set(run_in_threads(3, run, timeout=60)) == {alone}


def errors_of(count, function):
    """What each worker raises."""
    def run(workers):
        try:
            function(workers)
        except Exception as error:
            return error
        return None

    return run_in_threads(count, run, timeout=20)


def fit_part(made, workers, **changes):
    mine = parts_of(made, 3)[workers.rank]
    given = {"X": made.X[mine], "y": made.y[mine], "qid": made.qid[mine]} | changes
    parameters = given.pop("parameters", {})
    podium.LambdaMART(trees=3, threads=1, **parameters).fit(**given, workers=workers)


CASES = {
    "no id": (lambda made, mine: {"qid": [None, *made.qid[mine][1:]]}, "worker 1: qid: row 0 has no id"),
    "no label": (lambda made, mine: {"y": np.where(made.y[mine] == 0, np.nan, made.y[mine])}, "worker 1: Input y contains NaN (row"),
    "other width": (lambda made, mine: {"X": made.X[mine][:, :4]}, "X: worker 1 has 4 features, but worker 0 has 6"),
    "other parameters": (lambda made, mine: {"parameters": {"leaves": 5}}, "leaves: worker 1 has 5, but worker 0 has 0"),
    "weights": (lambda made, mine: {"sample_weight": np.ones(mine.sum())}, "worker 1 has weights, and worker 0 has none"),
    "sizes": (lambda made, mine: {"qid": None, "group": [int(mine.sum())]}, "ids of queries and others have sizes"),
    "a query of another worker": (lambda made, mine: {"qid": np.where(made.qid[mine] == made.qid[mine][0], 103, made.qid[mine])},
                                  "qid 103 is on worker 0 and on worker 1: all rows of a query must be on one worker"),
    "other checkpoint": (lambda made, mine: {"checkpoint": "elsewhere"}, "worker 1 has the checkpoint elsewhere, but worker 0 has none"),
    "other start": (lambda made, mine: {"init": "feature:1"}, "worker 1 has the start feature:1, but worker 0 has none"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_parts_are_an_error_everywhere(made, case):
    change, message = CASES[case]

    def run(workers):
        mine = parts_of(made, 3)[workers.rank]
        fit_part(made, workers, **(change(made, mine) if workers.rank == 1 else {}))

    assert 103 in made.qid[parts_of(made, 3)[0]]
    for rank, error in enumerate(errors_of(3, run)):
        assert message in str(error), (rank, error)
        assert str(error).count("worker 1: ") <= 1, (rank, error)
        assert isinstance(error, (ValueError, WorkerError))


@pytest.mark.parametrize("workers", [5, True, "four", [1], np.float64(1)])
def test_what_is_no_group_of_workers(made, workers):
    with pytest.raises(TypeError, match="workers: a group of workers is needed, such as .* not "):
        podium.LambdaMART(trees=2).fit(made.X, made.y, qid=made.qid, workers=workers)


def test_other_versions_are_refused(made, monkeypatch):
    from podium.distributed import _agreement

    versions = iter(["0.1.0", "0.2.0"])
    monkeypatch.setattr(_agreement._podium, "version", lambda: next(versions))
    errors = errors_of(2, lambda workers: fit_part(made, workers))
    assert {str(error) for error in errors} <= {"worker 1 has Podium 0.2.0, but worker 0 has 0.1.0",
                                                "worker 1 has Podium 0.1.0, but worker 0 has 0.2.0"}


def test_no_rows_anywhere():
    for error in errors_of(2, lambda workers: podium.LambdaMART().fit(None, workers=workers)):
        assert "X: the workers have no rows" in str(error)


def test_a_failing_worker_ends_the_others(made):
    def run(workers):
        def callback(step):
            if workers.rank == 2 and step.number == 2:
                raise OverflowError("a bug in a callback")

        fit_part(made, workers, callbacks=callback)

    errors = errors_of(3, run)
    assert isinstance(errors[2], OverflowError)
    for error in errors[:2]:
        assert isinstance(error, WorkerError) and str(error) == "worker 2: a bug in a callback"


def test_a_worker_that_never_comes(made):
    def run(workers):
        if workers.rank > 0:
            workers.timeout = 0.2
            fit_part(made, workers)

    with pytest.raises(WorkerError, match=r"worker 0 of 2 has not answered for 0.2 s: is its machine still running\?"):
        run_in_threads(2, run)


class Minimal:
    """The least that fit accepts: no base class, no sums."""

    def __init__(self, workers, breaks=False):
        self.rank, self.size = workers.rank, workers.size
        self._workers, self._breaks = workers, breaks

    def all_gather(self, data):
        parts = self._workers.all_gather(data)
        return parts[:1] if self._breaks else tuple(bytearray(part) for part in parts)


def test_any_object_with_all_gather(made):
    alone = podium.LambdaMART(trees=3, threads=1).fit(made.X, made.y, qid=made.qid).model_.to_json()

    def run(workers):
        mine = parts_of(made, 2)[workers.rank]
        return podium.LambdaMART(trees=3, threads=1).fit(made.X[mine], made.y[mine], qid=made.qid[mine],
                                                         workers=Minimal(workers)).model_.to_json()

    assert set(run_in_threads(2, run, timeout=60)) == {alone}
    assert issubclass(type(Minimal), type) and not issubclass(Minimal, Workers)


def test_checkpoint_resumes_with_the_same_bytes(made, tmp_path):
    file = tmp_path / "training.checkpoint"

    def ranker():
        return podium.LambdaMART(trees=12, leaves=5, threads=1)

    alone = ranker().fit(made.X, made.y, qid=made.qid).model_.to_json()

    class Lost(Exception):
        pass

    def run(workers, dies):
        def callback(step):
            if dies and workers.rank == 1 and step.number == 6:
                raise Lost

        mine = parts_of(made, workers.size)[workers.rank]
        return ranker().fit(made.X[mine], made.y[mine], qid=made.qid[mine], workers=workers, checkpoint=file,
                            checkpoint_seconds=1e-9, callbacks=callback).model_.to_json()

    with pytest.raises(Lost):
        run_in_threads(3, lambda workers: run(workers, True), timeout=60)
    assert file.exists()
    with pytest.raises(ValueError, match="checkpoint"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        podium.LambdaMART(trees=12, leaves=6, threads=1).fit(made.X, made.y, qid=made.qid, checkpoint=file)
    assert set(run_in_threads(2, lambda workers: run(workers, False), timeout=60)) == {alone}
    assert not file.exists()


def test_blocks_become_whole_queries_of_workers():
    pandas = pytest.importorskip("pandas")
    from podium.distributed import _queries as queries

    roles = queries.Roles("label", "qid", ("a", "b"))
    rows = pandas.DataFrame({"qid": [7, 7, 3, 5, 5, 3], "label": [1, 0, 2, 0, 1, 0], "a": np.arange(6.0), "b": np.arange(6)})
    blocks = [queries.in_float32(part, roles) for part in (rows[:3], rows[3:])]
    summaries = [queries.summarise(block.ids, "qid", number) for number, block in enumerate(blocks)]
    of_blocks, shares = queries.plan(summaries, 2)
    parts = [queries.Part(share, roles) for share in shares]
    for block, (ids, _), worker in zip(blocks, summaries, of_blocks):
        for part, piece in zip(parts, queries.divide(block, "qid", ids, worker, 2)):
            part.add(piece)
    given = [part.arguments(roles) for part in parts]
    assert sorted(len(one["y"]) for one in given) == [2, 4]
    for one in given:
        for qid in set(one["qid"].tolist()):
            assert one["X"][one["qid"] == qid].a.tolist() == rows[rows.qid == qid].a.tolist()  # in the table's order
    other = queries.in_float32(rows.assign(qid=9)[:3], roles)  # as many rows, but another query
    with pytest.raises(ValueError, match="qid: the table changed between two passes"):
        queries.divide(other, "qid", summaries[0][0], of_blocks[0], 2)


def test_a_named_port_is_held():
    pytest.importorskip("torch")
    from podium.distributed import _job as job

    host, port = job.listen("127.0.0.1", timeout=20)
    try:
        with socket.socket() as other, pytest.raises(OSError):
            other.bind((host, port))
    finally:
        del job._stores[port]
