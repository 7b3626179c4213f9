#!/usr/bin/env python3
"""Writes the options of each learner, as the program declares them, into docs/reference/learners/NAME.md.

usage: tools/update_reference.py PODIUM [--check]
With --check nothing is written: exits with 1 if a page is missing or out of date."""
import json
import pathlib
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/learners"
BEGIN, END = "<!-- options, written by tools/update_reference.py -->\n", "<!-- end of options -->\n"


def ask(podium, *arguments):
    return json.loads(subprocess.run([podium, *arguments, "--json"], check=True, capture_output=True,
                                     text=True).stdout)


def options_table(entry):
    if not entry["options"]:
        return "This learner has no options of its own.\n"
    tuned = any("search" in option for option in entry["options"])
    rows = ["| option | default | tuned | meaning |", "|---|---|---|---|"] if tuned else \
           ["| option | default | meaning |", "|---|---|---|"]
    for option in entry["options"]:
        default = option["default"]
        if isinstance(default, bool):
            default = str(default).lower()
        limits = option.get("range") or ", ".join(option.get("choices", []))
        meaning = option["help"] + (f" ({limits})" if limits else "")
        cells = [f"`--{option['name']}`", f"`{default}`"]
        cells += [option.get("search", "").replace("|", "/")] if tuned else []
        rows.append("| " + " | ".join([*cells, meaning.replace("|", "/")]) + " |")
    return "\n".join(rows) + "\n"


def main():
    podium, check = sys.argv[1], "--check" in sys.argv
    wrong = []
    for listed in ask(podium, "learners")["learners"]:
        page = PAGES / f"{listed['name']}.md"
        if not page.exists():
            wrong.append(f"{page.name} is missing")
            continue
        text = page.read_text()
        begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        fresh = text[:begin] + options_table(ask(podium, "learners", listed["name"])) + text[end:]
        if fresh != text:
            wrong.append(f"{page.name} is out of date: run tools/update_reference.py")
            if not check:
                page.write_text(fresh)
    if check and wrong:
        print("\n".join(wrong))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
