"""Progress of long fits: a bar on terminals and in notebooks, lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

LONG = 2.0  # seconds before a bar appears by itself
BETWEEN = 0.1  # seconds between updates of a bar
LINES = 20  # about this many lines where there is no bar


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


def progress_of(verbose: Any, title: str, stream: TextIO | None = None) -> Progress | None:
    """What to show: ``verbose`` None shows a bar of long fits where there is a terminal or a notebook."""
    stream = stream or sys.stderr
    shows_bars = in_notebook() or (stream is not None and stream.isatty())
    if verbose is None:
        return Bar(title, stream, LONG) if shows_bars else None
    if not isinstance(verbose, (bool, int)):
        raise ValueError(f"verbose: None, 0 or 1 is needed, not {verbose!r}")
    if verbose <= 0:
        return None
    return Bar(title, stream, 0.0) if shows_bars else Lines(title, stream)


def described(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.5g}" for name, value in values.items())


@contextmanager
def shown(progress: Progress | None) -> Iterator[Progress | None]:
    """Ends what is shown, however the work ends."""
    try:
        yield progress
    finally:
        if progress is not None:
            progress.close()


class Progress:
    def __init__(self, title: str, stream: TextIO) -> None:
        self.title, self.stream = title, stream

    def __call__(self, number: int, total: int, values: dict[str, float]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Ends what is shown."""


class Lines(Progress):
    """A line now and then, for logs."""

    def __call__(self, number: int, total: int, values: dict[str, float]) -> None:
        step = max(total // LINES, 1) if total else 10
        if number == 1 or number % step == 0 or number == total:
            of = f"/{total}" if total else ""
            print(f"{self.title} [{number}{of}] {described(values)}".rstrip(), file=self.stream, flush=True)


class Bar(Progress):
    """tqdm's bar where it is installed (a widget in notebooks), else one line that is written again."""

    def __init__(self, title: str, stream: TextIO, after: float) -> None:
        super().__init__(title, stream)
        self.began = self.shown = time.monotonic()
        self.after = after
        self.bar: Any = None
        self.width = 0

    def __call__(self, number: int, total: int, values: dict[str, float]) -> None:
        values = {name: value for name, value in values.items() if name != "seconds left"}  # bars estimate them
        now = time.monotonic()
        if now - self.began < self.after or (now - self.shown < BETWEEN and number not in (1, total)):
            return
        self.shown = now
        if self.bar is None:
            self.bar = self._start(total)
        if self.bar is False:
            self._write(number, total, values, now)
            return
        self.bar.set_postfix_str(described(values), refresh=False)
        self.bar.update(number - self.bar.n)

    def _start(self, total: int) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=total or None, desc=self.title, file=self.stream, leave=self.after == 0)

    def _write(self, number: int, total: int, values: dict[str, float], now: float) -> None:
        left = f", {(now - self.began) / number * (total - number):.0f} s left" if total > number else ""
        rest = f", {described(values)}" if values else ""
        text = f"{self.title} {number}{f'/{total}' if total else ''}{left}{rest}"[:118]
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.bar:
            self.bar.close()
        elif self.width:
            self.stream.write("\n" if self.after == 0 else "\r" + " " * self.width + "\r")
            self.stream.flush()
