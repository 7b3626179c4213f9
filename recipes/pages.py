"""Pages of docs/results: tables in Markdown, and the place in a page where a recipe writes them."""
from five_fold import ROOT


def markdown(head, rows):
    """A table; cells are text."""
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def write_table(page, name, text):
    """Puts the text between `<!-- NAME -->` and `<!-- end of NAME -->` of docs/results/PAGE."""
    path = ROOT / "docs/results" / page
    old = path.read_text()
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    path.write_text(old[:old.index(begin) + len(begin)] + "\n" + text.strip("\n") + "\n\n" + old[old.index(end):])
