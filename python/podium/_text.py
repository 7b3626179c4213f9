"""Words of messages."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 row", "3 rows"."""
    return f"{count} {one if count == 1 else many or one + 's'}"
