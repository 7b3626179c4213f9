"""Workers that meet at an actor of their engine (Ray, Dask), whose own transport carries the bytes.

The actor lives in an event loop: a call waits there, without a thread, until all workers have called. The reply of
a sum is the sum, so that n integers cost each worker n up and n down, whatever the number of workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.distributed._workers import TIMEOUT, Workers, failed


class _Round:
    """One call of all workers."""

    def __init__(self) -> None:
        self.complete = asyncio.Event()
        self.parts: dict[int, Any] = {}
        self.total: Any = None
        self.left = 0  # workers that have had the answer


class Exchange:
    """The actor. Answers are ("data", …), ("failed", rank, message) or ("silent", ranks)."""

    def __init__(self, size: int, timeout: float = TIMEOUT) -> None:
        self._size = size
        self._timeout = timeout
        self._rounds: dict[int, _Round] = {}
        self._failure: tuple[str, int, str] | None = None

    async def gather(self, call: int, rank: int, data: bytes) -> tuple[Any, ...]:
        now = self._rounds.setdefault(call, _Round())
        now.parts[rank] = data
        return await self._meet(call, now, lambda: [now.parts[rank] for rank in range(self._size)])

    async def add(self, call: int, rank: int, values: npt.NDArray[np.int64]) -> tuple[Any, ...]:
        now = self._rounds.setdefault(call, _Round())
        now.total = values if now.total is None else now.total + values
        now.parts[rank] = None
        return await self._meet(call, now, lambda: now.total)

    async def fail(self, rank: int, message: str) -> None:
        self._failure = self._failure or ("failed", rank, message)
        for now in self._rounds.values():
            now.complete.set()

    async def _meet(self, call: int, now: _Round, answer: Callable[[], Any]) -> tuple[Any, ...]:
        if len(now.parts) == self._size:
            now.complete.set()
        if self._failure is None:
            try:
                await asyncio.wait_for(now.complete.wait(), self._timeout)
            except asyncio.TimeoutError:
                return ("silent", sorted(set(range(self._size)) - set(now.parts)))
        if len(now.parts) < self._size:
            return self._failure or ("silent", [])
        now.left += 1
        if now.left == self._size:
            del self._rounds[call]
        return ("data", answer())


class ExchangeWorkers(Workers):
    """``ask(method, …)`` calls the actor and waits for its answer."""

    def __init__(self, ask: Callable[..., Any], rank: int, size: int, timeout: float = TIMEOUT) -> None:
        self._ask = ask
        self._calls = 0
        self.rank = rank
        self.size = size
        self.timeout = timeout

    def all_gather(self, data: bytes) -> list[bytes]:
        return list(self._exchange("gather", data))

    def all_reduce_sum(self, values: npt.NDArray[np.int64]) -> None:
        values[:] = self._exchange("add", values)

    def fail(self, message: str) -> None:
        self._ask("fail", self.rank, message)

    def _exchange(self, method: str, data: Any) -> Any:
        self._calls += 1
        kind, *answer = self._ask(method, self._calls, self.rank, data)
        if kind == "failed":
            raise failed(*answer)
        if kind == "silent":
            raise self.silent(answer[0])
        return answer[0]
