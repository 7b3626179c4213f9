"""Workers that meet at a server of Python's own multiprocessing.managers, on the first of them.

For engines whose collectives are too slow (a barrier of Spark takes a second): these only carry the address and the
secret of the server. Its connections are authenticated, and each has its own thread, in which a call waits.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.managers import BaseManager
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.distributed._exchange import ExchangeWorkers
from podium.distributed._workers import WorkerError, Workers


ANSWER = -1  # beside the parts of ranks


class Meeting:
    """The methods of ``Exchange``, for threads."""

    def __init__(self, size: int, timeout: float) -> None:
        self._size = size
        self._timeout = timeout
        self._changed = threading.Condition()
        self._rounds: dict[int, dict[int, Any]] = {}
        self._left: dict[int, int] = {}
        self._failure: tuple[str, int, str] | None = None

    def gather(self, call: int, rank: int, data: bytes) -> tuple[Any, ...]:
        return self._meet(call, rank, data, lambda parts: [parts[one] for one in range(self._size)])

    def add(self, call: int, rank: int, values: npt.NDArray[np.int64]) -> tuple[Any, ...]:
        return self._meet(call, rank, values, lambda parts: sum(parts.values()))

    def fail(self, rank: int, message: str) -> None:
        with self._changed:
            self._failure = self._failure or ("failed", rank, message)
            self._changed.notify_all()

    def _meet(self, call: int, rank: int, data: Any, answer: Any) -> tuple[Any, ...]:
        with self._changed:
            parts = self._rounds.setdefault(call, {})
            parts[rank] = data
            if len(parts) == self._size:  # before anybody goes on: the first worker's arrays are its own
                parts[ANSWER] = answer(parts)
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: ANSWER in parts or self._failure, self._timeout):
                return ("silent", sorted(set(range(self._size)) - set(parts)))
            if ANSWER not in parts:
                return self._failure  # type: ignore[return-value]
            self._left[call] = self._left.get(call, 0) + 1
            if self._left[call] == self._size:
                del self._rounds[call], self._left[call]
        return ("data", parts[ANSWER])


def _send_at_once(file: int) -> None:
    """Long messages go in two parts, of which the second would wait for an acknowledgement of the first."""
    with socket.socket(fileno=os.dup(file)) as made:
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@contextmanager
def meeting_of(tasks: Workers, host: str, timeout: float) -> Iterator[Workers]:
    """Fast workers of slow ones; ``host``: of the first, as the others reach it."""
    class Manager(BaseManager):
        pass

    if tasks.rank == 0:
        meeting = Meeting(tasks.size, timeout)
        secret = secrets.token_bytes(32)
        Manager.register("meeting", callable=lambda: meeting, exposed=("gather", "add", "fail"))
        server: Any = Manager(("", 0), secret).get_server()
        _send_at_once(server.listener._listener._socket.fileno())  # connections inherit it
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tasks.all_gather(int(server.address[1]).to_bytes(4, "big") + secret)
        yield ExchangeWorkers(lambda method, *given: getattr(meeting, method)(*given), 0, tasks.size, timeout)
        return
    first = bytes(tasks.all_gather(b"")[0])
    Manager.register("meeting", exposed=("gather", "add", "fail"))
    manager = Manager((host, int.from_bytes(first[:4], "big")), first[4:])
    try:
        manager.connect()
        proxy = manager.meeting()  # type: ignore[attr-defined]
        proxy._connect()
        _send_at_once(proxy._tls.connection.fileno())
        yield ExchangeWorkers(lambda method, *given: getattr(proxy, method)(*given), tasks.rank, tasks.size, timeout)
    except (EOFError, ConnectionError) as error:
        raise WorkerError(f"worker 0 was lost: {error or type(error).__name__}") from None
