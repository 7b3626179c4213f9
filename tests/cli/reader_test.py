"""What the reader makes of files as users have them: separators, no header, an index, other packings, wrong formats."""
import bz2
import lzma
import random
import unittest

from support import CliTest, podium

ROWS = [("label", "qid", "docid", "bm25", "price"), (2, "a", "d1", 1.5, 10), (0, "a", "d2", 0.5, 20), (1, "b", "d3", 2.5, 30), (0, "b", "d4", 0.25, 40)]


def csv(separator=",", header=True):
    return "".join(separator.join(map(str, row)) + "\n" for row in ROWS[0 if header else 1:])


class CsvTest(CliTest):
    def features(self, path, *more):
        shown = self.run_json("inspect", path, *more)
        self.assertEqual((shown["queries"], shown["documents"]), (2, 4))
        return [feature["name"] for feature in shown["feature"]]

    def test_separators_are_found(self):
        for separator in (",", ";", "\t", "|"):
            for name in ("d.csv", "d.tsv", "d.data"):
                self.assertEqual(self.features(self.path(name, csv(separator))), ["bm25", "price"])
        self.assertEqual(self.features(self.path("d.csv", csv(" ")), "--separator", " "), ["bm25", "price"])
        self.assertEqual(self.features(self.path("d.csv", csv("\t")), "--separator", "tab"), ["bm25", "price"])
        named = csv(";").replace("label", "clicks").replace("qid", "search,es")
        self.assertEqual(self.features(self.path("d.csv", named), "--label-column", "clicks", "--qid-column", "search,es"),
                         ["bm25", "price"])
        self.assert_fails(2, "--separator: 'ab' is neither one character nor tab", "inspect", self.path("d.csv"), "--separator", "ab")
        self.assert_fails(2, "--separator applies to CSV and TSV, but .* is read as LETOR text", "inspect", self.synth(), "--separator", ";")

    def test_no_header(self):
        for separator in (",", ";", "\t"):
            path = self.path("d.csv", csv(separator, header=False))
            self.assertEqual(self.features(path, "--no-header", "--docid-column", 3), ["4", "5"])
        moved = self.path("d.csv", "a,2,1.5\na,0,0.5\nb,1,2.5\nb,0,0.25\n")
        self.assertEqual(self.features(moved, "--no-header", "--qid-column", 1, "--label-column", 2), ["3"])
        self.assert_fails(1, r"d\.csv:3: the row does not have 3 fields, as the first one does", "inspect", "--no-header",
                          self.path("d.csv", "1,a,2\n0,a,1\n0,b\n"))
        self.assert_fails(1, r"d\.csv:1: 'x' is not a number|d\.csv:1:", "inspect", "--no-header", self.path("d.csv", csv()))
        self.assert_fails(2, "--no-header applies to CSV and TSV", "inspect", self.synth(), "--no-header")

    def test_columns_by_number(self):
        renamed = self.path("d.csv", csv().replace("label,qid", "x,y"))
        self.assertEqual(self.features(renamed, "--label-column", 1, "--qid-column", 2), ["bm25", "price"])

    def test_the_index_of_a_table(self):
        text = ",label,qid,bm25\n0,2,a,1.5\n1,0,a,0.5\n2,1,b,2.5\n3,0,b,0.25\n"
        result = podium("inspect", self.path("d.csv", text), "--json")
        self.assertIn("d.csv: the first column has no name: it is taken for the index", result.stderr)
        self.assertEqual(self.features(self.path("d.csv")), ["bm25"])
        result = podium("inspect", self.path("d.csv", "Unnamed: 0" + text), "--json")
        self.assertIn("the column 'Unnamed: 0' is the index of a table that was saved, and a feature here: --ignore 1", result.stderr)
        self.assertEqual(self.features(self.path("d.csv"), "--ignore", 1), ["bm25"])

    def test_text_is_read_where_it_is_not_needed(self):
        chance = random.Random(3)
        rows = [(chance.randrange(3), row // 10, "red, hat", chance.random(), chance.random(), chance.random() < 0.5) for row in range(300)]
        lines = "".join(f'{label},{qid},"{title}",{a},{b},{stock}\n' for label, qid, title, a, b, stock in rows)
        table = self.path("t.csv", "label,qid,title,a,b,stock\n" + lines)
        numbers = self.path("n.csv", "label,qid,a,stock\n" + "".join(
            f"{label},{qid},{a},{int(stock)}\n" for label, qid, title, a, b, stock in rows))
        self.assert_fails(1, r"t.csv:2: 'title' is 'red, hat', which is not a number; --ignore title leaves it out", "inspect", table)
        model, other = self.path("m.json"), self.path("o.json")
        for learner, more in (("lambdamart", ("--trees", 5)), ("linear", ())):
            self.run_ok("train", learner, "--data", table, "--features", "a, stock", "--model", model, *more)
            self.run_ok("train", learner, "--data", numbers, "--model", other, "--force", *more)
            scores = [self.run_ok("score", "--model", one, "--data", data)
                      for one, data in ((model, table), (model, numbers), (other, numbers), (other, table))]
            self.assertEqual(scores, scores[:1] * 4)
        self.run_ok("prepare", table, "--features", "a,stock", "-o", self.path("p1.csv"))
        self.run_ok("prepare", numbers, "-o", self.path("p2.csv"))
        self.assertEqual(self.path("p1.csv").read_text(), self.path("p2.csv").read_text())
        self.run_ok("tune", "linear", "--data", table, "--valid", table, "--features", "a,stock", "--trials", 2)
        self.assert_fails(1, "'title' is 'red, hat'", "train", "linear", "--data", table, "--features", "title,a")
        self.assert_fails(2, "no feature 'stok' in the data, did you mean stock", "train", "linear", "--data", table, "--features", "stok")

    def test_one_of_two_queries_can_be_ignored(self):
        path = self.path("d.csv", "label,qid,query,bm25\n2,a,red shoes,1.5\n0,a,red shoes,0.5\n1,b,tent,2.5\n0,b,tent,1\n")
        self.assert_fails(1, "both 'qid' and 'query' would fit", "inspect", path)
        for ignored in ("query", "3"):
            self.assertEqual(self.features(path, "--ignore", ignored), ["bm25"])
        self.assertEqual(self.features(path, "--ignore", "qid", "--qid-column", "query"), ["bm25"])


class PackingTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.plain = self.run_json("inspect", self.data)
        text = self.data.read_bytes()
        half = text.index(b"\n", len(text) // 2) + 1
        self.packed = {"xz": lzma.compress(text[:half]) + lzma.compress(text[half:]),
                       "bz2": bz2.compress(text[:half]) + bz2.compress(text[half:])}

    def test_xz_and_bzip2_are_read(self):
        for ending, packed in self.packed.items():
            path = self.path(f"d.txt.{ending}")
            path.write_bytes(packed)
            result = podium("inspect", path, "--json", "--quiet")
            if "this build cannot read" in result.stderr:
                self.assertRegex(result.stderr, r"decompress it with `(unxz|bunzip2) -k` first")
                continue
            self.assertEqual({**self.run_json("inspect", path), "file": ""}, {**self.plain, "file": ""})
            path.write_bytes(packed[:-20])
            self.assert_fails(1, rf"d\.txt\.{ending}: .*truncated", "inspect", path)
            path.write_bytes(b"x" + packed)
            self.assert_fails(1, "damaged one", "inspect", path)
            path.write_bytes(packed)
            self.assert_fails(1, "decompresses to more than 100 bytes", "inspect", path, "--max-unpacked-bytes", 100)
            self.run_ok("prepare", path, "--split", "50,50", "-o", self.folder / ending)
            self.assertTrue((self.folder / ending / "train.txt").exists())

    def test_they_are_not_written(self):
        for ending in self.packed:
            self.assert_fails(2, "only read: write .gz or .zst", "prepare", self.data, "-o", self.path(f"o.txt.{ending}"))


class WrongFormatTest(CliTest):
    def test_other_formats_are_named(self):
        for begin, pattern in ((b"PAR1\x15\x04", "this is Parquet: .*read_parquet"), (b"PK\x03\x04", "zip archive.*save the sheet as CSV"),
                               (b"ARROW1\0\0", "Arrow"), (b"\x89HDF\r\n\x1a\n", "HDF5"), (b"SQLite format 3\0", "SQLite"),
                               (b'{"label": 1}\n', "this is JSON"), (b"<!DOCTYPE html>", "HTML"), (b"\xff\xfel\0a\0", "UTF-16.*iconv"),
                               (b"\x1f\x8b\x08", r"compressed by gzip: its name must end in \.gz"), (b"BZh9", "bzip2"),
                               (b"\x93NUMPY", "NumPy"), (b"\x80\x04\x95", "pickle")):
            for name in ("d.csv", "d.txt", "d.data"):
                path = self.path(name)
                path.write_bytes(begin + b"\1\2\3\n")
                self.assert_fails(1, rf"{name}: .*{pattern}", "inspect", path)

    def test_a_model_is_no_data(self):
        data, model = self.synth(), self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--model", model)
        self.assert_fails(1, r"m\.json: this is a model: give a file with documents", "train", "linear", "--data", model)

    def test_a_file_under_another_suffix(self):
        packed = self.path("d.podium")
        self.run_ok("prepare", self.synth(), "-o", packed)
        packed.rename(self.path("d.bin"))
        self.assertEqual(self.run_json("inspect", self.path("d.bin"))["queries"], 40)


if __name__ == "__main__":
    unittest.main()
