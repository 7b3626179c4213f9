"""Which tables and figures of a paper a page holds, by its headings: "## Train against test (Figures 7 and 9)". A heading counts when a table
with at least one row follows it before the next heading of the same or a higher level."""
import re

NAMES = re.compile(r"(Table|Figure)s? (\d+(?:(?:, | and | to |–)\d+)*)")


def numbers(text):
    """{("Figure", 7), ("Figure", 9)} of "Figures 7 and 9"; ranges are spelled "6 to 8" or "6–8"."""
    found = set()
    for kind, listed in NAMES.findall(text):
        previous = None
        for separator, number in re.findall(r"(, | and | to |–)?(\d+)", listed):
            first = previous + 1 if separator in (" to ", "–") else int(number)
            found |= {(kind, k) for k in range(first, int(number) + 1)}
            previous = int(number)
    return found


def made(page_text):
    """What the page holds."""
    open_headings, found = [], set()  # [(level, what it names)]
    head = False
    for line in page_text.splitlines():
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            open_headings = [(depth, names) for depth, names in open_headings if depth < level] + [(level, numbers(line))]
        elif line.startswith("|---"):
            head = True
        elif line.startswith("| ") and head:
            found |= {name for _, names in open_headings for name in names}
        if not line.startswith("|"):
            head = False
    return found


def missing(claims, page_text):
    """Those of the claims ("Figures 4–6") that the page does not hold, as text."""
    return sorted(f"{kind} {number}" for kind, number in numbers(claims) - made(page_text))
