"""Training and scoring with Dask.

>>> ranker = podium.dask.train(table, podium.LambdaMART(trees=300), label="grade", qid="query")
>>> scored = podium.dask.predict(table, ranker)

Every worker of the cluster gets whole queries and trains on them; the model is that of one process with all rows. The
process that calls ``train`` sees no rows, only how many each query has.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
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
from podium.distributed._queries import Part, Piece, Roles, divide, in_float32, plan, roles_of, summarise
from podium.distributed._workers import TIMEOUT, WorkerError, failures_reported

LOOK = 2.0  # seconds between looks for lost workers


def train(table: Any, learner: Any = "lambdamart", *, label: str = "label", qid: str = "qid", features: Any = None,
          weight: str | None = None, valid: Any = None, num_workers: int | None = None, checkpoint: str | None = None,
          checkpoint_seconds: float = 300.0, timeout: float = TIMEOUT, backend: str = "auto", client: Any = None,
          **options: Any) -> Ranker:
    """Trains on a Dask DataFrame, on the workers of its cluster.

    Parameters
    ----------
    table:
        A Dask DataFrame: one row per document.
    learner:
        A ranker such as ``podium.LambdaMART(trees=300)``, or a name with its options as further keywords.
    label, qid, weight:
        Names of columns.
    features:
        Names of columns; None: every column of numbers that has no other role.
    valid:
        Validation data, a Dask DataFrame with the same columns.
    num_workers:
        How many workers of the cluster to use; None: all.
    checkpoint, checkpoint_seconds:
        As of ``fit``; the file must be on storage that all workers share. If a worker is lost, calling ``train``
        again resumes from there, with the same result.
    timeout:
        Seconds to wait for a worker.
    backend:
        What connects the workers: "torch" (Gloo, faster), "engine" (an actor of Dask), or "auto": torch where all
        workers have it.
    client:
        The Dask client; None: the current one.
    """
    from distributed import get_client

    check_arguments(num_workers, timeout, backend)
    ranker = ranker_of(learner, options)
    client = get_client() if client is None else client
    roles = roles_of(table.columns, _numeric(table), label, qid, features, weight)
    try:
        client.wait_for_workers(num_workers or 1, timeout=timeout)  # one that was lost may be about to come back
    except TimeoutError:
        raise WorkerError(f"num_workers: the cluster had fewer than {num_workers or 1} workers for {timeout:g} s") from None
    addresses = sorted(client.scheduler_info(n_workers=-1)["workers"])[:num_workers]
    cluster = _Cluster(client, addresses, checkpoint)
    sets = [cluster.parts(one, roles) for one in ([table] if valid is None else [table, valid])]
    if backend == "auto":
        backend = "torch" if all(client.run(has_torch, workers=addresses).values()) else "engine"
    if backend == "torch":
        meeting = client.submit(listen, _host(addresses[0]), timeout, workers=addresses[:1], pure=False).result()
    else:
        meeting = client.submit(Exchange, len(addresses), timeout, actor=True, workers=addresses[:1]).result()
    training = uuid.uuid4().hex
    try:
        return first_ranker(cluster.wait_for([
            cluster.submit(rank, _work, rank, len(addresses), ranker, roles, [parts[rank] for parts in sets], meeting, training,
                           checkpoint, checkpoint_seconds, timeout) for rank in range(len(addresses))]))
    except BaseException:  # a lost worker, Ctrl-C: the others must not wait for it, as they cannot do anything else meanwhile
        client.run(_give_up, training, workers=cluster.alive())
        raise


class _Cluster:
    """The workers that take part, by rank."""

    def __init__(self, client: Any, addresses: list[str], checkpoint: str | None) -> None:
        self.client = client
        self.addresses = addresses
        self.checkpoint = checkpoint

    def submit(self, rank: int, function: Any, *arguments: Any) -> Any:
        return self.client.submit(function, *arguments, workers=[self.addresses[rank]], allow_other_workers=False, retries=0,
                                  pure=False)

    def wait_for(self, futures: list[Any]) -> list[Any]:
        """Their results; an error if a worker is lost, because no other may do its tasks."""
        from distributed import wait

        pending = set(futures)
        try:
            while pending:
                try:
                    pending = wait(pending, timeout=LOOK, return_when="FIRST_COMPLETED").not_done
                except TimeoutError:
                    self._require_workers()
            return list(self.client.gather(futures))
        finally:
            self.client.cancel([one for one in futures if not one.done()])

    def parts(self, table: Any, roles: Roles) -> list[Any]:
        """For each worker a future of its part.

        The workers hold the blocks, in float32, until it is known what goes where; then few blocks at a time are
        divided, and freed as soon as their pieces have been added to parts.
        """
        from dask.delayed import delayed

        size = len(self.addresses)
        blocks = deque(self.client.compute([delayed(in_float32)(block, roles) for block in table[roles.all].to_delayed()]))
        try:
            summaries = self.wait_for([self.client.submit(_summarise, block, roles.qid, number) for number, block in enumerate(blocks)])
        except KeyError as error:
            raise ValueError(f"the partitions of the table have different columns: {error.args[0]}") from None
        of_blocks, shares = plan(summaries, size)
        parts = [self.submit(rank, Part, share, roles) for rank, share in enumerate(shares)]
        under_way: deque[list[Any]] = deque()
        for (ids, _), worker in zip(summaries, of_blocks):
            pieces = self.client.submit(divide, blocks.popleft(), roles.qid, ids, worker, size)
            parts = [self.submit(rank, _added, part, self.client.submit(_item, pieces, rank))
                     for rank, part in enumerate(parts)]
            under_way.append([self.submit(rank, type, part) for rank, part in enumerate(parts)])
            if len(under_way) > size:
                self.wait_for(under_way.popleft())
        # The training tasks take all threads: nothing may be left to compute, and errors are found here.
        while under_way:
            self.wait_for(under_way.popleft())
        return parts

    def alive(self) -> list[str]:
        known = self.client.scheduler_info(n_workers=-1)["workers"]
        return [address for address in self.addresses if address in known]

    def _require_workers(self) -> None:
        alive = self.alive()
        for rank, address in enumerate(self.addresses):
            if address not in alive:
                advice = f"; train again to resume from {self.checkpoint}" if self.checkpoint else ""
                raise WorkerError(f"worker {rank} ({address}) was lost{advice}")


def _added(part: Part, piece: Piece) -> Part:
    """The same part: every state of it has only one user."""
    part.add(piece)
    return part


def _summarise(block: Piece, qid: str, number: int) -> Any:
    return summarise(block.ids, qid, number)


def _item(pieces: list[Any], rank: int) -> Any:
    return pieces[rank]


def _work(rank: int, size: int, ranker: Ranker, roles: Roles, sets: list[Part], meeting: Any, training: str,
          checkpoint: str | None, checkpoint_seconds: float, timeout: float) -> Any:
    """A worker's task."""
    from distributed import get_worker

    worker = get_worker()
    threads = max(1, worker.state.nthreads)

    def run(workers: Any) -> Any:
        with failures_reported(workers):
            parts = [part.arguments(roles) for part in sets]
        return fit_part(ranker, workers, parts[0], parts[1] if len(parts) > 1 else None, threads, checkpoint,
                        checkpoint_seconds)

    def fit() -> Any:
        if isinstance(meeting, tuple):
            with torch_group(meeting, rank, size, timeout) as workers:
                return run(workers)
        return run(ExchangeWorkers(lambda method, *given: _answer(getattr(meeting, method)(*given), training), rank, size, timeout))

    return result_of(rank, fit)


_given_up: set[str] = set()  # trainings, in the process of a worker


def _answer(future: Any, training: str) -> Any:
    """Of the actor; if the process of an actor is lost, Dask may wait forever."""
    while True:
        try:
            return future.result(timeout=LOOK)
        except (asyncio.TimeoutError, TimeoutError):
            if training in _given_up:
                _given_up.discard(training)
                raise WorkerError("another worker was lost") from None


def _give_up(training: str) -> None:
    _given_up.add(training)


def _host(address: str) -> str:
    return address.rpartition("://")[2].rpartition(":")[0]


def _numeric(table: Any) -> list[str]:
    return [str(name) for name, dtype in table.dtypes.items() if dtype.kind in "fiub"]


def predict(table: Any, ranker: Ranker, *, qid: str | None = None, output: str = "score") -> Any:
    """The table with a column of scores, computed partition by partition where they are.

    qid is needed only by models that scale features within each query; rows are then moved so that each query is
    in one partition.
    """
    if require_scorable(ranker, qid):
        table = table.shuffle(qid)
    meta = table._meta.assign(**{output: 0.0}).astype({output: "float64"})
    return table.map_partitions(with_scores, ranker, qid, output, meta=meta)
