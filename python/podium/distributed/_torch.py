"""Workers that torch.distributed connects: torchrun, Ray Train, TorchDistributor, PyTorchJob and SLURM start them."""

from __future__ import annotations

import atexit
import time
from datetime import timedelta
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.distributed._workers import TIMEOUT, WorkerError, Workers, failed

SMALL = 1 << 10  # bytes that are sent with their length
LOOK = 1.0  # seconds between looks for failures of others
FAILED = "podium/failed"


class TorchWorkers(Workers):
    """The processes of a torch process group, connected by Gloo.

    The sums are of integers in the memory of the host, so a Gloo group is made beside one of NCCL. If torch has
    no process group yet, one is made as torchrun's environment says. What was made is destroyed by ``close``, at the
    end of a ``with``, or when the process exits; a process group that was there before is left alone.

    Parameters
    ----------
    group:
        A process group; None: all processes.
    timeout:
        Seconds to wait for the others.
    """

    _groups = 0  # made so far, the same number on every worker
    _open: ClassVar[list[TorchWorkers]] = []
    _made_default = False  # torch's process group is ours

    def __init__(self, group: Any = None, *, timeout: float = TIMEOUT) -> None:
        import torch
        from torch import distributed

        self._torch = torch
        self._dist = distributed
        limit = timedelta(seconds=timeout)
        if not distributed.is_initialized():
            distributed.init_process_group("gloo", timeout=limit)
            TorchWorkers._made_default = True
        ranks = None if group is None else distributed.get_process_group_ranks(group)
        self._group = distributed.new_group(ranks, timeout=limit, backend="gloo", use_local_synchronization=ranks is not None)
        TorchWorkers._groups += 1
        self._key = f"{FAILED}/{TorchWorkers._groups}/{ranks or 'all'}"
        self._store = distributed.distributed_c10d._get_default_store()
        self.rank = distributed.get_rank(self._group)
        self.size = distributed.get_world_size(self._group)
        self.timeout = timeout
        if not TorchWorkers._open:
            atexit.register(_close_all)
        TorchWorkers._open.append(self)

    def close(self) -> None:
        """Destroys the Gloo group and, if this is the last user of a process group that Podium made, that too."""
        if self not in TorchWorkers._open:
            return
        TorchWorkers._open.remove(self)
        group, self._group, self._store = self._group, None, None
        if not self._dist.is_initialized():  # the user has already destroyed all groups
            TorchWorkers._made_default = False
        elif TorchWorkers._made_default and not TorchWorkers._open:
            TorchWorkers._made_default = False
            self._dist.destroy_process_group()
        elif group in self._dist.distributed_c10d._world.pg_map:
            self._dist.destroy_process_group(group)

    def all_gather(self, data: bytes) -> list[Any]:
        mine = np.frombuffer(data, np.uint8)
        head = np.zeros(8 + SMALL, np.uint8)
        head[:8] = np.array([len(mine)], np.int64).view(np.uint8)
        head[8:8 + min(len(mine), SMALL)] = mine[:SMALL]
        heads = self._gather(head)
        sizes = [int(part[:8].copy().view(np.int64)[0]) for part in heads]
        if max(sizes) <= SMALL:
            return [part[8:8 + size] for part, size in zip(heads, sizes)]
        padded = np.zeros(max(sizes), np.uint8)
        padded[:len(mine)] = mine
        return [part[:size] for part, size in zip(self._gather(padded), sizes)]

    def all_reduce_sum(self, values: npt.NDArray[np.int64]) -> None:
        """Replaces the values by their sum over all workers."""
        self._require_open()
        self._wait(self._dist.all_reduce(self._torch.from_numpy(values), group=self._group, async_op=True))

    def fail(self, message: str) -> None:
        self._require_open()
        self._store.set(self._key, f"{self.rank} {message}")

    def _gather(self, mine: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
        """Arrays of the same length."""
        self._require_open()
        parts = [self._torch.empty(len(mine), dtype=self._torch.uint8) for _ in range(self.size)]
        self._wait(self._dist.all_gather(parts, self._torch.from_numpy(mine), group=self._group, async_op=True))
        return [part.numpy() for part in parts]

    def _wait(self, work: Any) -> None:
        began = time.monotonic()
        while True:
            try:
                work.wait(timedelta(seconds=min(LOOK, self.timeout)))
                return
            except RuntimeError as error:
                self._raise_failure()
                if work.is_completed():  # it did not: a connection was lost
                    time.sleep(LOOK)  # for the reason to arrive
                    self._raise_failure()
                    raise WorkerError(f"another worker was lost: {_first_line(error)}") from None
                if time.monotonic() - began > self.timeout:
                    raise self.silent() from None

    def _require_open(self) -> None:
        if self._group is None:
            raise RuntimeError("workers: this group of workers has been closed")

    def _raise_failure(self) -> None:
        try:
            said = self._store.get(self._key).decode() if self._store.check([self._key]) else ""
        except RuntimeError as error:  # its server is in the process that started first
            raise WorkerError(f"the worker with torch's store was lost: {_first_line(error)}") from None
        if said:
            rank, _, message = said.partition(" ")
            raise failed(int(rank), message)


def _close_all() -> None:
    """At exit: threads of a group that is still there would end the process by a signal."""
    for workers in list(TorchWorkers._open):
        workers.close()


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
