#!/usr/bin/env python3
"""Puts a generated piece into docs/performance.md: COMMAND | benchmarks/fragments.py NAME.

A piece lies between the lines `<!-- NAME -->` and `<!-- /NAME -->`; what was there is replaced, the rest of the page stays."""
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/performance.md"


def put(name, text, page=PAGE):
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    whole = page.read_text()
    if whole.count(begin) != 1 or whole.count(end) != 1:
        sys.exit(f"{page} has no place between {begin.strip()} and {end}")
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    page.write_text(re.sub(pattern, lambda _: f"{begin}{text.strip()}\n{end}", whole, flags=re.DOTALL))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    put(sys.argv[1], sys.stdin.read())
