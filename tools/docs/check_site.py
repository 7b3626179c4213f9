#!/usr/bin/env python3
"""Checks a built site: nothing is loaded from other sites, the links of the root's documents exist, and there is a search index.

usage: tools/docs/check_site.py FOLDER
mkdocs --strict has checked the links and anchors between the pages."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADED = re.compile(r"""<(?:script|img|iframe|source)[^>]*\ssrc=["'](?:https?:)?//|<link[^>]*\shref=["'](?:https?:)?//|@import|url\(["']?(?:https?:)?//""")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)[^)]*\)")


def loads_from_elsewhere(site):
    return [f"{path.relative_to(site)}: loads {found.group(0)}" for path in [*site.rglob("*.html"), *site.rglob("*.css")]
            if (found := LOADED.search(path.read_text(encoding="utf-8")))]


def broken_root_links():
    wrong = []
    for page in sorted(ROOT.glob("*.md")):
        text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
        wrong += [f"{page.name}: {target} does not exist" for target in LINK.findall(text)
                  if "://" not in target and not (ROOT / target).exists()]
    return wrong


def main():
    site = pathlib.Path(sys.argv[1])
    wrong = loads_from_elsewhere(site) + broken_root_links()
    if not list(site.glob("search/search_index.js*")):
        wrong.append("there is no search index")
    pages = len(list(site.rglob("*.html")))
    print("\n".join(wrong) if wrong else f"{site}/index.html: {pages} pages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
