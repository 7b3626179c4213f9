"""What the library needs to know about a group of workers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

TIMEOUT = 600.0  # seconds, as of the program


class WorkerError(RuntimeError):
    """Another worker failed or does not answer; the message says which, and why."""


class Workers(ABC):
    """A group of workers, as one of them sees it. ``fit(workers=…)`` takes any object with these members.

    Methods are called in the thread that called ``fit``, in the same order on every worker. ``all_gather`` is
    enough; a class may also have ``all_reduce_sum(values)``, which replaces an int64 array by its sum over all
    workers, in place.
    """

    rank: int  # counted from 0
    size: int
    timeout: float = TIMEOUT  # seconds to wait for the others

    @abstractmethod
    def all_gather(self, data: bytes) -> Sequence[Any]:
        """Every worker's bytes, in the order of ranks, on every worker. Lengths may differ."""

    @abstractmethod
    def fail(self, message: str) -> None:
        """Tells the others that this worker cannot continue: they raise a WorkerError instead of waiting.

        The group cannot be used afterwards.
        """

    def close(self) -> None:  # noqa: B027
        """Ends the group, if it was made by this object; ``with`` calls it. Not needed in scripts: they close at exit."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def silent(self, ranks: Sequence[int] = ()) -> WorkerError:
        """These workers have not answered; none: it is not known which."""
        if not ranks:
            return WorkerError(f"other workers have not answered for {self.timeout:g} s: are their machines still running?")
        who = f"worker {ranks[0]} of {self.size} has" if len(ranks) == 1 else \
            f"workers {', '.join(map(str, ranks))} of {self.size} have"
        machines = "is its machine" if len(ranks) == 1 else "are their machines"
        return WorkerError(f"{who} not answered for {self.timeout:g} s: {machines} still running?")


def failed(rank: int, message: str) -> WorkerError:
    return WorkerError(f"worker {rank}: {message}")


@contextmanager
def failures_reported(workers: Any) -> Iterator[None]:
    """A step of all workers: if it fails on one, the others are told, and do not wait for it."""
    try:
        yield
    except WorkerError:
        raise
    except BaseException as error:
        if workers is not None and workers.size > 1 and hasattr(workers, "fail"):
            workers.fail(cause_on(workers, error))
        raise


@contextmanager
def own_data(workers: Any) -> Iterator[None]:
    """Checks of this worker's data, whose errors name the worker. Not for what workers compare: they all raise that error."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if workers is None:
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"worker {workers.rank}: {error}").with_traceback(error.__traceback__) from None


def cause_on(workers: Any, error: BaseException) -> str:
    """An error as ``fail`` takes it: without the worker, which the others' errors name."""
    return str(error).removeprefix(f"worker {workers.rank}: ") or type(error).__name__


def several(workers: Any) -> Any:
    """The group, or None for a group of one."""
    if workers is None:
        return None
    if not all(hasattr(workers, name) for name in ("rank", "size", "all_gather")):
        raise TypeError(f"workers: a group of workers is needed, such as podium.distributed.TorchWorkers(), not {workers!r} "
                        "(threads= is the number of threads)")
    return None if workers.size == 1 else workers
