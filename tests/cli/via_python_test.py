"""podium prepare --via python: tables that pyarrow reads."""
import importlib.util
import os
import sys
import unittest

from support import CliTest, podium

ROWS = 40


def table(pyarrow):
    """A text dictionary, a number with gaps, a flag, text and two columns that a label is made of."""
    brands = pyarrow.array([None if i % 9 == 0 else f"b{i % 4}" for i in range(ROWS)]).dictionary_encode()
    return pyarrow.table({
        "qid": [f"q{i // 8}" for i in range(ROWS)], "brand": brands,
        "price": pyarrow.array([None if i % 7 == 0 else 0.1 * i for i in range(ROWS)], pyarrow.float32()),
        "new": [i % 3 == 0 for i in range(ROWS)], "title": [f'a "thing", {i}' for i in range(ROWS)],
        "click": [i % 2 for i in range(ROWS)], "bought": [int(i % 6 == 1) for i in range(ROWS)]})


class WithoutPyArrowTest(CliTest):
    def environment(self, **variables):
        return {"env": {**os.environ, **variables}}

    def test_one_line_where_pyarrow_is_missing(self):
        self.path("fake").mkdir()
        self.path("fake/pyarrow.py", "raise ImportError('not here')\n")
        data = self.path("d.parquet", "PAR1")
        self.assert_fails(1, r"--via python: .* cannot import pyarrow \(not here\): pip install pyarrow", "prepare", "--via",
                          "python", data, "-o", self.path("d.podium"),
                          **self.environment(PODIUM_PYTHON=sys.executable, PYTHONPATH=str(self.path("fake"))))
        self.assertFalse(self.path("d.podium").exists())

    def test_one_line_where_python_is_missing(self):
        self.assert_fails(1, "--via python: /no/such/python cannot be started", "prepare", "--via", "python",
                          self.path("d.parquet", "PAR1"), "-o", self.path("d.podium"),
                          **self.environment(PODIUM_PYTHON="/no/such/python"))

    def test_files_that_cannot_be_read(self):
        out = self.path("d.podium")
        self.assert_fails(1, "absent.parquet: .*cannot be opened", "prepare", "--via", "python", self.path("absent.parquet"), "-o", out)
        for more in (("-",), (self.path("d.csv", "x\n"), "--separator", ";"), (self.path("d.csv", "x\n"), "--infer-schema")):
            self.assert_fails(2, "--via", "prepare", "--via", "python", *more, "-o", out)


@unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
class PyArrowTest(CliTest):
    def prepare(self, path, out, *more):
        result = podium("prepare", "--via", "python", path, "-o", out, "--label", "click+2*bought", "--ignore", "title", *more,
                        env={**os.environ, "PODIUM_PYTHON": sys.executable})
        self.assertEqual(result.returncode, 0, result.stderr)
        return out

    def test_parquet_and_feather_are_what_csv_is(self):
        import pyarrow
        import pyarrow.csv
        import pyarrow.feather
        import pyarrow.parquet

        made = table(pyarrow)
        parquet, feather, text = self.path("d.parquet"), self.path("d.feather"), self.path("d.csv")
        pyarrow.parquet.write_table(made, parquet)
        pyarrow.feather.write_feather(made, str(feather))
        plain = made.set_column(1, "brand", made["brand"].cast(pyarrow.string()))
        pyarrow.csv.write_csv(plain.set_column(3, "new", plain["new"].cast(pyarrow.uint8())), text)
        expected = self.path("expected.csv")
        self.run_ok("prepare", text, "-o", expected, "--label", "click+2*bought", "--ignore", "title", "--categorical", "brand")
        for path in (parquet, feather):
            self.assertEqual(self.prepare(path, self.path("out.csv")).read_text(), expected.read_text())
        self.assertIn("brand", self.run_ok("inspect", self.prepare(parquet, self.path("d.podium"))))

    def test_mistakes_name_the_table(self):
        import pyarrow
        import pyarrow.parquet

        path = self.path("d.parquet")
        run = ("prepare", "--via", "python", path, "-o", self.path("out.csv"))
        env = {"env": {**os.environ, "PODIUM_PYTHON": sys.executable}}
        pyarrow.parquet.write_table(table(pyarrow).append_column("list", [[[1]] * ROWS]), path)
        self.assert_fails(1, "d.parquet: --via python: column 'list' holds list", *run, **env)
        pyarrow.parquet.write_table(table(pyarrow).append_column("label", [[0] * ROWS]), path)
        self.assert_fails(1, r"d.parquet: row 1: .*title", *run, **env)
        path.write_bytes(path.read_bytes()[:200])
        self.assert_fails(1, "d.parquet: --via python: ", *run, **env)
        path.write_text("label,qid\n")
        self.assert_fails(1, "neither a Parquet file nor", *run, **env)


if __name__ == "__main__":
    unittest.main()
