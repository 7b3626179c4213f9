"""Workers that mpirun or srun started, through mpi4py."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.distributed._workers import TIMEOUT, Workers, failed

LARGEST = 1 << 30  # bytes in one transfer: MPI counts in int
SMALL = 1 << 10  # bytes that are sent with their length
CONTROL = 1


class MPIWorkers(Workers):
    """The processes of an MPI communicator.

    A waiting worker sleeps between polls, so that workers which share cores do not slow down those that
    compute. Start scripts by ``mpirun -n 4 python -m mpi4py train.py``: the job then ends if one of them fails.

    Parameters
    ----------
    comm:
        An mpi4py communicator, which is duplicated; None: all processes of the job.
    timeout:
        Seconds to wait for the others.
    """

    def __init__(self, comm: Any = None, *, timeout: float = TIMEOUT) -> None:
        from mpi4py import MPI

        self._mpi = MPI
        comm = MPI.COMM_WORLD if comm is None else comm
        self._comm = comm.Dup()
        self._control = comm.Dup()
        self._sent: list[Any] = []  # control messages on their way
        self.rank = self._comm.Get_rank()
        self.size = self._comm.Get_size()
        self.timeout = timeout

    def all_gather(self, data: bytes) -> list[Any]:
        mine = np.frombuffer(data, np.uint8)
        head = np.zeros(8 + SMALL, np.uint8)
        head[:8] = np.array([len(mine)], np.int64).view(np.uint8)
        head[8:8 + min(len(mine), SMALL)] = mine[:SMALL]
        heads = np.empty((self.size, head.size), np.uint8)
        self._wait(self._comm.Iallgather(head, heads))
        sizes = heads[:, :8].copy().view(np.int64).ravel()
        if sizes.max() <= SMALL:
            return [heads[rank, 8:8 + sizes[rank]] for rank in range(self.size)]
        parts = [np.empty(size, np.uint8) for size in sizes]
        step = LARGEST // self.size
        for at in range(0, int(sizes.max()), step):
            counts = np.clip(sizes - at, 0, step)
            begins = np.concatenate([[0], np.cumsum(counts)])
            arrived = np.empty(begins[-1], np.uint8)
            self._wait(self._comm.Iallgatherv(mine[at:at + step], [arrived, (counts, begins[:-1]), self._mpi.BYTE]))
            for rank, part in enumerate(parts):
                part[at:at + counts[rank]] = arrived[begins[rank]:begins[rank + 1]]
        return parts

    def all_reduce_sum(self, values: npt.NDArray[np.int64]) -> None:
        """Replaces the values by their sum over all workers."""
        step = LARGEST // 8
        for at in range(0, len(values), step):
            self._wait(self._comm.Iallreduce(self._mpi.IN_PLACE, values[at:at + step], op=self._mpi.SUM))

    def fail(self, message: str) -> None:
        for rank in range(self.size):
            if rank != self.rank:
                self._sent.append(self._control.isend(message, dest=rank, tag=CONTROL))

    def _wait(self, request: Any) -> None:
        """Nothing between the first polls, then sleeps: yielding would cost the others their time slices."""
        began = time.monotonic()
        while not request.Test():
            waited = time.monotonic() - began
            if waited > 40e-6:
                time.sleep(20e-6 if waited < 1e-3 else 200e-6 if waited < 1 else 2e-3)
            if waited > 10e-3:
                status = self._mpi.Status()
                if self._control.iprobe(self._mpi.ANY_SOURCE, CONTROL, status):
                    message = self._control.recv(source=status.Get_source(), tag=CONTROL)
                    raise failed(status.Get_source(), message)
            if waited > self.timeout:
                raise self.silent()
