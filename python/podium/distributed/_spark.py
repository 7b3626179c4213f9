"""Workers that are tasks of a barrier stage of Spark, connected by ``BarrierTaskContext.allGather``."""

from __future__ import annotations

import base64
from typing import Any

from podium.distributed._workers import Workers, failed

FAILED = "!"  # begins a message of a task that cannot continue; other messages are in base 64


class SparkWorkers(Workers):
    """The tasks of a barrier stage: ``rdd.barrier().mapPartitions(…)``, ``df.mapInPandas(…, barrier=True)``.

    Spark sends messages as text through the driver, and each exchange takes a second, because a waiting task looks
    once a second: ``podium.spark.train`` uses this only to introduce the tasks to each other. How long a task waits for
    others is said by ``spark.barrier.sync.timeout``.

    Parameters
    ----------
    context:
        What ``BarrierTaskContext.get()`` returns; None: that of this task.
    """

    def __init__(self, context: Any = None) -> None:
        from pyspark import BarrierTaskContext

        self._context = BarrierTaskContext.get() if context is None else context
        self.rank = self._context.partitionId()
        self.size = len(self._context.getTaskInfos())

    @property
    def host(self) -> str:
        """Of the first task."""
        return str(self._context.getTaskInfos()[0].address).rpartition(":")[0]

    def barrier(self) -> None:
        """Waits for all tasks; takes about a second."""
        self._context.barrier()

    def all_gather(self, data: bytes) -> list[bytes]:
        parts = self._context.allGather(base64.b64encode(data).decode("ascii"))
        for rank, part in enumerate(parts):
            if part.startswith(FAILED):
                raise failed(rank, part.removeprefix(FAILED))
        return [base64.b64decode(part) for part in parts]

    def fail(self, message: str) -> None:
        self._context.allGather(FAILED + message)
