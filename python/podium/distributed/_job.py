"""What the modules of engines share: the ranker to train, the step of a worker, scores of a block."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import numpy as np
from sklearn.base import clone

from podium._ranker import Ranker
from podium.distributed._torch import TorchWorkers
from podium.distributed._workers import TIMEOUT, WorkerError, Workers

ERRORS = (WorkerError, ValueError, TypeError, OSError, MemoryError, RuntimeError, Exception)  # as drivers raise them
BACKENDS = ("auto", "engine", "torch")


def ranker_of(learner: Any, options: dict[str, Any]) -> Ranker:
    """A fresh ranker: of a name, a class or a ranker."""
    if isinstance(learner, str):
        return Ranker(learner, **options)
    if isinstance(learner, type) and issubclass(learner, Ranker):
        return learner(**options)
    if not isinstance(learner, Ranker):
        raise TypeError(f"learner: a name, or a ranker like podium.LambdaMART(), is needed, not {learner!r}")
    made: Ranker = clone(learner)
    return made.set_params(**options) if options else made


def check_arguments(num_workers: Any, timeout: Any, backend: str) -> None:
    if num_workers is not None and (not isinstance(num_workers, (int, np.integer)) or num_workers < 1):
        raise ValueError(f"num_workers: a whole number of at least 1 is needed, not {num_workers!r}")
    if not isinstance(timeout, (int, float)) or not timeout > 0:
        raise ValueError(f"timeout: a number of seconds is needed, not {timeout!r}")
    if backend not in BACKENDS:
        raise ValueError(f"backend: one of {', '.join(BACKENDS)} is needed, not {backend!r}")


def fit_part(ranker: Ranker, workers: Workers | None, train: dict[str, Any], valid: dict[str, Any] | None,
             threads: int, checkpoint: str | None, checkpoint_seconds: float) -> Ranker:
    """Trains on a worker's parts, which ``Part.arguments`` made."""
    if ranker.threads == 0:
        ranker.threads = threads
    more: dict[str, Any] = {}
    if valid is not None:
        more = {"eval_set": (valid["X"], valid.get("y")), "eval_qid": valid.get("qid"),
                "eval_sample_weight": valid.get("sample_weight")}
    return ranker.fit(**train, **more, workers=workers, checkpoint=checkpoint, checkpoint_seconds=checkpoint_seconds)


def result_of(rank: int, fit: Callable[[], Ranker]) -> Any:
    """Of a worker's task: worker 0 has the ranker. Errors are returned, because engines would repeat a task that fails."""
    try:
        fitted = fit()
    except Exception as error:
        kind = next(one for one in ERRORS if isinstance(error, one))
        return rank, kind.__name__, str(error) or type(error).__name__
    return fitted if rank == 0 else None


def first_ranker(results: Sequence[Any]) -> Ranker:
    """The result of the training; or the error of the worker that failed first, not of those that heard about it."""
    errors = [one for one in results if isinstance(one, tuple)]
    own = [one for one in errors if one[1] != WorkerError.__name__] or errors
    if not own:
        return next(one for one in results if one is not None)  # type: ignore[no-any-return]
    rank, name, message = own[0]
    alike = len(errors) == len(results) and all(one[2] == message for one in errors)
    kind = next(one for one in ERRORS if one.__name__ == name)
    raise kind(message if alike or kind is WorkerError else f"worker {rank}: {message}")


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


_stores: dict[int, Any] = {}  # of groups that worker 0, this process, is about to form, by port


def listen(host: str | None = None, timeout: float = TIMEOUT) -> tuple[str, int]:
    """Where worker 0 of a torch_group is reached: it listens from now on, so that no other process can take the port."""
    from torch import distributed

    host = host or socket.gethostbyname(socket.gethostname())
    store = distributed.TCPStore(host, 0, is_master=True, wait_for_workers=False, timeout=timedelta(seconds=timeout))
    _stores[store.port] = store
    return host, int(store.port)


@contextmanager
def torch_group(address: tuple[str, int], rank: int, size: int, timeout: float = TIMEOUT) -> Iterator[TorchWorkers]:
    """Workers of a process that has no process group yet; worker 0 listens at the address."""
    from torch import distributed

    limit = timedelta(seconds=timeout)
    store = _stores.pop(address[1]) if rank == 0 else distributed.TCPStore(*address, is_master=False, timeout=limit)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=limit)
    try:
        yield TorchWorkers(timeout=timeout)
    finally:
        distributed.destroy_process_group()


def with_scores(block: Any, ranker: Ranker, qid: str | None, output: str) -> Any:
    """A pandas block with a column of scores."""
    names = [name for name in getattr(ranker, "feature_names_in_", [])]
    for name in names:
        if name not in block.columns:
            raise ValueError(f"the table has no column {name!r}, which the model needs")
    if len(block) == 0:
        return block.assign(**{output: np.empty(0, np.float64)})
    return block.assign(**{output: ranker.predict(block[names], qid=None if qid is None else block[qid].to_numpy())})


def require_scorable(ranker: Ranker, qid: str | None) -> bool:
    """Whether rows of a query must be scored together."""
    if not hasattr(ranker, "feature_names_in_"):
        raise ValueError("ranker: it was fitted without names of features, so columns cannot be found")
    needs = bool(ranker.model_._native.needs_queries)
    if needs and qid is None:
        raise ValueError("qid is missing: this model scales features within each query")
    return needs
