"""The growth rates, the plot, and the page of the scaling of training."""
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))
import fragments  # noqa: E402
import training_scaling  # noqa: E402


def rows_of(seconds):
    return [{**setting, "seconds": seconds(setting)} for setting in training_scaling.settings()]


def linear(setting):
    return (1e-5 * setting["queries"] * setting["features"] + 0.02 * setting["leaves"]) / setting["threads"]


class GrowthTest(unittest.TestCase):
    def test_exponent_is_that_of_a_power(self):
        self.assertAlmostEqual(training_scaling.exponent([(x, 3 * x**1.5) for x in (15, 31, 63, 127)]), 1.5)

    def test_fit_finds_both_parts_and_no_negative_one(self):
        alpha, beta = training_scaling.fit([(x, 2 * x + 7) for x in (1, 2, 4)], lambda x: x, lambda x: 1)
        self.assertAlmostEqual(alpha, 2)
        self.assertAlmostEqual(beta, 7)
        alpha, beta = training_scaling.fit([(x, x**2) for x in (1, 2, 4)], lambda x: x, lambda x: 1)
        self.assertGreater(alpha, 0)
        self.assertEqual(beta, 0)

    def test_growth_in_proportion_passes(self):
        text = training_scaling.tables(rows_of(linear))
        self.assertNotIn("**no**", text)
        self.assertIn("2.00 ×, 2.00 ×", text)

    def test_growth_faster_than_in_proportion_is_marked_where_it_is(self):
        text = training_scaling.tables(rows_of(lambda setting: linear(setting) * setting["features"] ** 0.3))
        marked = [line for line in text.splitlines() if "**no**" in line]
        self.assertEqual(len(marked), 2)
        self.assertTrue(all(line.startswith("| features") for line in marked))

    def test_plot_has_a_dot_for_each_point(self):
        root = xml.etree.ElementTree.fromstring(training_scaling.plot(rows_of(linear)))
        dots = root.findall(".//{http://www.w3.org/2000/svg}circle")
        points = sum(len(values) for values in training_scaling.AXES.values()) * len(training_scaling.THREADS)
        self.assertEqual(len(dots), points)


class FragmentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "page.md"

    def test_a_piece_replaces_only_the_previous_one(self):
        self.page.write_text("a\n<!-- one -->\nold\n<!-- /one -->\nb\n<!-- two -->\n<!-- /two -->\n")
        fragments.put("one", r"new \1", self.page)
        fragments.put("two", "2", self.page)
        self.assertEqual(self.page.read_text(), "a\n<!-- one -->\nnew \\1\n<!-- /one -->\nb\n<!-- two -->\n2\n<!-- /two -->\n")

    def test_a_page_without_the_place_is_refused_and_kept(self):
        self.page.write_text("a\n")
        with self.assertRaises(SystemExit):
            fragments.put("one", "new", self.page)
        self.assertEqual(self.page.read_text(), "a\n")


if __name__ == "__main__":
    unittest.main()
