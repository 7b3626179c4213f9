"""Workers that are threads of one process: for tests, and to try a program before it runs on a cluster."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from podium.distributed._workers import TIMEOUT, WorkerError, Workers, cause_on, failed

T = TypeVar("T")


class _Table:
    """Where threads put their bytes. A round ends when all have taken what they need."""

    def __init__(self, size: int) -> None:
        self.changed = threading.Condition()
        self.parts: list[list[bytes | None]] = [[None] * size]  # of each round that has not ended, from `first`
        self.first = 0
        self.taken = [0]
        self.failure: tuple[int, str] | None = None


class ThreadWorkers(Workers):
    """One of the threads that ``run_in_threads`` starts."""

    def __init__(self, table: _Table, rank: int, size: int, timeout: float = TIMEOUT) -> None:
        self._table = table
        self._round = 0
        self.rank = rank
        self.size = size
        self.timeout = timeout

    def all_gather(self, data: bytes) -> list[bytes]:
        table = self._table
        with table.changed:
            while self._round - table.first >= len(table.parts):
                table.parts.append([None] * self.size)
                table.taken.append(0)
            at = self._round - table.first
            parts = table.parts[at]
            parts[self.rank] = data
            table.changed.notify_all()
            deadline = time.monotonic() + self.timeout
            while any(part is None for part in parts):
                if table.failure is not None:
                    raise failed(*table.failure)
                if not table.changed.wait(deadline - time.monotonic()) and time.monotonic() >= deadline:
                    raise self.silent([rank for rank, part in enumerate(parts) if part is None])
            at = self._round - table.first
            table.taken[at] += 1
            if table.taken[0] == self.size:
                del table.parts[0], table.taken[0]
                table.first += 1
            self._round += 1
            return [part for part in parts if part is not None]

    def fail(self, message: str) -> None:
        with self._table.changed:
            self._table.failure = self._table.failure or (self.rank, message)
            self._table.changed.notify_all()


def run_in_threads(size: int, function: Callable[[ThreadWorkers], T], *, timeout: float = TIMEOUT) -> list[T]:
    """Calls the function in this many threads, each with its own worker of one group; their results, by rank.

    If a thread raises, so do the others in their next exchange; the first exception is raised here.
    """
    table = _Table(size)
    results: list[T | None] = [None] * size
    errors: list[tuple[int, BaseException]] = []

    def run(rank: int) -> None:
        workers = ThreadWorkers(table, rank, size, timeout)
        try:
            results[rank] = function(workers)
        except BaseException as error:  # raised below
            errors.append((rank, error))
            workers.fail(cause_on(workers, error))

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        own = [error for _, error in sorted(errors, key=lambda pair: pair[0]) if not isinstance(error, WorkerError)]
        raise own[0] if own else errors[0][1]
    return results  # type: ignore[return-value]
