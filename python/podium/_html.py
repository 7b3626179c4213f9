"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def text_of(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def html_table(header: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; numbers are aligned to the right. Colours are the notebook's, in light and dark."""
    def cell(tag: str, value: Any) -> str:
        align = "right" if isinstance(value, (int, float)) else "left"
        return f'<{tag} style="text-align:{align}">{escape(text_of(value))}</{tag}>'

    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in header)
    body = "".join("<tr>" + "".join(cell("td", value) for value in row) + "</tr>" for row in rows)
    return f'<table class="podium">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def text_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The same in columns of text."""
    lines = [list(header), *([text_of(value) for value in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def bars(shares: Iterable[tuple[str, float]]) -> str:
    """Names with shares of 1 as bars."""
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(name)}</td><td style="text-align:left">'
        f'<div style="display:inline-block;background:currentColor;opacity:.5;height:.7em;width:{share * 12:.2f}em"></div> '
        f"{share:.3f}</td></tr>" for name, share in shares)
    return f'<table class="podium"><caption style="text-align:left">importance</caption><tbody>{rows}</tbody></table>'
