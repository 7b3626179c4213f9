"""Training and scoring with Ray.

>>> ranker = podium.ray.train(dataset, podium.LambdaMART(trees=300), label="grade", qid="query", num_workers=4)
>>> scored = podium.ray.predict(dataset, ranker)

Every worker, an actor, gets whole queries and trains on them; the model is that of one process with all rows. The
process that calls ``train`` sees no rows, only how many each query has.
"""

from __future__ import annotations

from typing import Any

from podium._ranker import Ranker
from podium.distributed._exchange import Exchange, ExchangeWorkers
from podium.distributed._job import (
    check_arguments,
    first_ranker,
    fit_part,
    has_torch,
    listen,
    ranker_of,
    require_scorable,
    result_of,
    torch_group,
    with_scores,
)
from podium.distributed._queries import Part, Roles, Share, divide, in_float32, plan, roles_of, summarise
from podium.distributed._workers import TIMEOUT, WorkerError, failures_reported


def train(table: Any, learner: Any = "lambdamart", *, label: str = "label", qid: str = "qid", features: Any = None,
          weight: str | None = None, valid: Any = None, num_workers: int = 1, cpus_per_worker: int = 1,
          checkpoint: str | None = None, checkpoint_seconds: float = 300.0, timeout: float = TIMEOUT, backend: str = "auto",
          **options: Any) -> Ranker:
    """Trains on a Ray Dataset, on actors of the cluster.

    Parameters
    ----------
    table:
        A ``ray.data.Dataset``: one row per document. It is materialized in Ray's object store.
    learner:
        A ranker such as ``podium.LambdaMART(trees=300)``, or a name with its options as further keywords.
    label, qid, weight:
        Names of columns.
    features:
        Names of columns; None: every column of numbers that has no other role.
    valid:
        Validation data, a ``ray.data.Dataset`` with the same columns.
    num_workers, cpus_per_worker:
        How many actors train, and with how many threads each.
    checkpoint, checkpoint_seconds:
        As of ``fit``; the file must be on storage that all workers share. If a worker is lost, calling ``train``
        again resumes from there, with the same result.
    timeout:
        Seconds to wait for a worker.
    backend:
        What connects the workers: "torch" (Gloo, faster), "engine" (an actor of Ray), or "auto": torch where all
        workers have it.
    """
    import ray

    check_arguments(num_workers, timeout, backend)
    ranker = ranker_of(learner, options)
    tables = [table.materialize()] + ([] if valid is None else [valid.materialize()])
    roles = roles_of(tables[0].columns(), _numeric(tables[0]), label, qid, features, weight)
    for one in tables[1:]:
        roles_of(one.columns(), [], label, qid, roles.features, weight)
    worker = ray.remote(num_cpus=cpus_per_worker, max_restarts=0, max_task_retries=0)(_Worker)
    actors = [worker.remote(rank, num_workers, timeout) for rank in range(num_workers)]
    exchange = ray.remote(num_cpus=0)(Exchange).options(max_concurrency=4 * num_workers + 4).remote(num_workers, timeout)
    try:
        all_have_torch = all(ray.get([actor.has_torch.remote() for actor in actors], timeout=timeout))  # when all have started
        for one in tables:
            _give(one, roles, actors)
        if backend == "auto":
            backend = "torch" if all_have_torch else "engine"
        meeting = ray.get(actors[0].address.remote()) if backend == "torch" else exchange
        return first_ranker(ray.get([actor.train.remote(ranker, roles, meeting, cpus_per_worker, checkpoint, checkpoint_seconds)
                                     for actor in actors]))
    except ray.exceptions.GetTimeoutError:
        raise WorkerError(f"num_workers: the cluster did not start {num_workers} workers with {cpus_per_worker} CPU"
                          f"{'' if cpus_per_worker == 1 else 's'} each within {timeout:g} s") from None
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, ValueError) else error from None
    except ray.exceptions.RayActorError as error:
        advice = f"; train again to resume from {checkpoint}" if checkpoint else ""
        raise WorkerError(f"a worker was lost{advice}: {str(error).strip().splitlines()[0]}") from None
    finally:
        for actor in [*actors, exchange]:
            ray.kill(actor)


class _Worker:
    """An actor: takes its pieces one after the other, then trains."""

    def __init__(self, rank: int, size: int, timeout: float) -> None:
        self._rank = rank
        self._size = size
        self._timeout = timeout
        self._parts: list[Part] = []

    def take(self, share: Share, roles: Roles, pieces: list[Any]) -> None:
        """``pieces``: references, so that only one of them is in this process at a time."""
        import ray

        part = Part(share, roles)
        for piece in pieces:
            part.add(ray.get(piece))
        self._parts.append(part)

    def has_torch(self) -> bool:
        return has_torch()

    def address(self) -> tuple[str, int]:
        import ray

        return listen(ray.util.get_node_ip_address(), self._timeout)

    def train(self, ranker: Ranker, roles: Roles, meeting: Any, threads: int, checkpoint: str | None,
              checkpoint_seconds: float) -> Any:
        def run(workers: Any) -> Ranker:
            with failures_reported(workers):
                parts = [part.arguments(roles) for part in self._parts]
            return fit_part(ranker, workers, parts[0], parts[1] if len(parts) > 1 else None, threads, checkpoint,
                            checkpoint_seconds)

        def fit() -> Ranker:
            import ray

            if isinstance(meeting, tuple):
                with torch_group(meeting, self._rank, self._size, self._timeout) as workers:
                    return run(workers)
            return run(ExchangeWorkers(lambda method, *given: ray.get(getattr(meeting, method).remote(*given)), self._rank,
                                       self._size, self._timeout))

        return result_of(self._rank, fit)


def _give(table: Any, roles: Roles, actors: list[Any]) -> None:
    """Divides the blocks of a table, where they are, between the actors."""
    import ray

    size = len(actors)
    blocks = table.to_arrow_refs()
    summaries = ray.get([ray.remote(_summarise).remote(block, roles.qid, number) for number, block in enumerate(blocks)])
    of_blocks, shares = plan(summaries, size)
    pieces = [ray.remote(_divide).options(num_returns=size).remote(block, roles, ids, worker, size)
              for block, (ids, _), worker in zip(blocks, summaries, of_blocks)]
    columns = [[one] if size == 1 else one for one in pieces]
    ray.get([actor.take.remote(share, roles, [one[rank] for one in columns])
             for rank, (actor, share) in enumerate(zip(actors, shares))])


def _summarise(block: Any, qid: str, number: int) -> Any:
    return summarise(_columns(block, [qid])[qid], qid, number)


def _divide(block: Any, roles: Roles, ids: Any, worker: Any, size: int) -> Any:
    pieces = divide(in_float32(_columns(block, roles.all), roles), roles.qid, ids, worker, size)
    return pieces[0] if size == 1 else pieces


def _columns(block: Any, names: list[str]) -> Any:
    for name in names:
        if name not in block.column_names:
            raise ValueError(f"the blocks of the dataset have different columns: one has no {name!r}")
    return block.select(names).to_pandas()


def _numeric(table: Any) -> list[str]:
    import pyarrow

    schema = table.schema()
    return [name for name, kind in zip(schema.names, schema.types)
            if isinstance(kind, pyarrow.DataType) and (pyarrow.types.is_floating(kind) or pyarrow.types.is_integer(kind)
                                                       or pyarrow.types.is_boolean(kind))]


def predict(table: Any, ranker: Ranker, *, qid: str | None = None, output: str = "score") -> Any:
    """The dataset with a column of scores, computed block by block where they are.

    qid is needed only by models that scale features within each query; rows are then grouped by query.
    """
    import ray

    model = ray.put(ranker)

    def score(block: Any) -> Any:
        return with_scores(block, ray.get(model), qid, output)

    if require_scorable(ranker, qid):
        return table.groupby(qid).map_groups(score, batch_format="pandas")
    return table.map_batches(score, batch_format="pandas")
