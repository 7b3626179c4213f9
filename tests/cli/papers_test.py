"""The pages about the papers: links are valid, and pages have the tables and figures that recipes claim for them."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "recipes"))
from claims import made, missing, numbers  # noqa: E402
import results  # noqa: E402


def anchors(page):
    """As GitHub derives them from headings."""
    heads = [line.lstrip("#").strip() for line in page.read_text().splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


class ClaimsTest(unittest.TestCase):
    def test_numbers_of_lists_and_ranges(self):
        self.assertEqual(numbers("Figures 7 and 9"), {("Figure", 7), ("Figure", 9)})
        self.assertEqual(numbers("Tables 6–8, 10 and Figure 3"),
                         {("Table", 6), ("Table", 7), ("Table", 8), ("Table", 10), ("Figure", 3)})
        self.assertEqual(numbers("Tables 6 to 8"), {("Table", 6), ("Table", 7), ("Table", 8)})

    def test_a_heading_counts_with_a_table_that_has_rows(self):
        table = "| a |\n|---|\n| 1 |\n"
        self.assertEqual(made(f"## Times (Figure 8)\n\n### MQ2007\n\n{table}"), {("Figure", 8)})
        self.assertEqual(made("## Times (Figure 8)\n\n| a |\n|---|\n"), set())
        self.assertEqual(made(f"## Times (Figure 8)\n\n## Others\n\n{table}"), set())
        self.assertEqual(missing("Figures 8, 10", f"## Times (Figure 8)\n\n{table}"), ["Figure 10"])

    def test_pages_have_what_recipes_claim(self):
        self.assertEqual(results.check_claims(results.recipes()), 0)

    def test_every_recipe_is_in_the_list(self):
        listed = {recipe.script[0] for recipe in results.recipes().values()}
        runnable = {path.name for path in (ROOT / "recipes").glob("*.py")
                    if path.read_text().startswith("#!") and path.name != "results.py"}
        self.assertEqual(listed, runnable)


class LinksTest(unittest.TestCase):
    def test_links_of_the_pages_are_valid(self):
        pages = [ROOT / "docs/papers.md", ROOT / "docs/results.md", *(ROOT / "docs/results").glob("*.md")]
        pages.remove(ROOT / "docs/results/introduction.md")  # the head of results.md
        for page in pages:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                if target.startswith(("http:", "https:")):
                    continue
                name, _, anchor = target.partition("#")
                place = (page.parent / name) if name else page
                self.assertTrue(place.exists(), f"{page.name}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(place), f"{page.name}: {target}")


if __name__ == "__main__":
    unittest.main()
