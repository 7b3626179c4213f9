"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def text_of(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


SPACE = "padding:.15em .7em"


def html_table(header: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; columns of numbers are aligned to the right. Colours are the notebook's, in light and dark."""
    lines = list(rows)
    sides = ["right" if all(value is None or isinstance(value, (int, float)) for value in column) else "left"
             for column in zip(*lines, strict=True)] or ["left"] * len(header)

    def line(tag: str, values: Iterable[Any]) -> str:
        return "<tr>" + "".join(f'<{tag} style="text-align:{side};{SPACE}">{escape(text_of(value))}</{tag}>'
                                for side, value in zip(sides, values, strict=True)) + "</tr>"

    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    body = "".join(line("td", values) for values in lines)
    return f'<table class="podium">{title}<thead>{line("th", header)}</thead><tbody>{body}</tbody></table>'


def text_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The same in columns of text."""
    lines = [list(header), *([text_of(value) for value in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def bars(shares: Iterable[tuple[str, float]]) -> str:
    """Names with shares of 1 as bars."""
    rows = "".join(
        f'<tr><td style="text-align:left;{SPACE}">{escape(name)}</td><td style="text-align:left;white-space:nowrap;{SPACE}">'
        f'<span style="display:inline-block;background:currentColor;opacity:.5;height:.7em;width:{share * 12:.2f}em"></span> '
        f"{share:.3f}</td></tr>" for name, share in shares)
    return f'<table class="podium"><caption style="text-align:left">importance</caption><tbody>{rows}</tbody></table>'
