"""prepare: conversion, scaling, cleaning, saved transforms and splits, as users run them."""
import json
import unittest

from support import CliTest, podium

SMALL = """\
0 qid:1 1:1 2:0 # docid = a
1 qid:1 1:3 2:4 # docid = b
2 qid:1 1:2 2:4 # docid = c
0 qid:2 1:0 2:0 # docid = d
"""


class PrepareTest(CliTest):
    def prepared(self, *options, text=SMALL):
        """The output rows, as lists of words."""
        out = self.path("out.csv")
        self.run_ok("prepare", self.path("in.txt", text), "-o", out, "--quiet", *options)
        return [line.split(",") for line in out.read_text().splitlines()]

    def test_converts_by_suffix_and_back(self):
        data = self.synth("data.txt")
        for ending in ("csv", "tsv.gz", "podium", "txt.zst"):
            there, back = self.path(f"there.{ending}"), self.path(f"back-{ending}.txt")
            self.run_ok("prepare", data, "-o", there)
            self.run_ok("prepare", there, "-o", back)
            self.assertEqual(back.read_text(), data.read_text())

    def test_normalizes_within_queries(self):
        rows = self.prepared("--normalize", "query-minmax")
        self.assertEqual([row[3:] for row in rows],
                         [["1", "2"], ["0", "0"], ["1", "1"], ["0.5", "1"], ["0", "0"]])

    def test_selects_binarizes_and_cleans(self):
        rows = self.prepared("--features", "2", "--relevant-from", "2", "--drop-zero-vectors")
        self.assertEqual(rows, [["label", "qid", "docid", "2"], ["0", "1", "b", "4"], ["1", "1", "c", "4"]])

    def test_drops_conflicts_with_a_note(self):
        text = "0 qid:1 1:1 2:1\n1 qid:1 1:2 2:2\n1 qid:1 1:1 2:0\n0 qid:2 1:1 2:1\n"
        result = podium("prepare", self.path("in.txt", text), "-o", self.path("out.csv"),
                        "--drop-conflicts", "0.99")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("dropped 2 of 4 documents", result.stderr)
        self.assertEqual(len(self.path("out.csv").read_text().splitlines()), 3)

    def test_saved_transform_does_the_same_to_other_data(self):
        train, test = self.synth("train.txt", 30, 1), self.synth("test.txt", 20, 2)
        transform = self.path("t.json")
        self.run_ok("prepare", train, "-o", self.path("a.podium"), "--log1p", "--bins", "5",
                    "--features", "1-3", "--save-transform", transform)
        self.run_ok("prepare", train, "-o", self.path("b.podium"), "--transform", transform)
        self.assertEqual(self.path("a.podium").read_bytes(), self.path("b.podium").read_bytes())
        self.run_ok("prepare", test, "-o", self.path("c.csv"), "--transform", transform)
        thresholds = json.loads(transform.read_text(), parse_float=lambda t: t.removesuffix(".0"))
        header = self.path("c.csv").read_text().splitlines()[0].split(",")
        self.assertEqual(header[3:], [f"{f}>{t}" for f, cuts in zip("123", thresholds["thresholds"])
                                      for t in cuts])

    def test_split_makes_a_letor_folder(self):
        data, folder = self.synth("data.txt", 50), self.path("folder")
        files = self.run_json("prepare", data, "--split", "60,20,20", "-o", folder)["files"]
        self.assertEqual([f["queries"] for f in files], [30, 10, 10])
        lines = [(folder / f"{part}.txt").read_text().splitlines() for part in ("train", "vali", "test")]
        self.assertEqual(sorted(sum(lines, [])), sorted(data.read_text().splitlines()))
        self.run_ok("prepare", data, "--split", "60,20,20", "-o", self.path("again"))
        self.assertEqual((folder / "test.txt").read_text(), (self.path("again") / "test.txt").read_text())
        self.run_ok("prepare", data, "--split", "80,20", "-o", folder, "--format", "csv.gz", "--seed", "2")
        self.assertTrue((folder / "test.csv.gz").exists())

    def test_split_learns_bins_from_train_alone(self):
        data, folder, transform = self.synth("data.txt", 50), self.path("folder"), self.path("t.json")
        alone = self.path("alone.json")
        self.run_ok("prepare", data, "--split", "60,20,20", "-o", folder)
        self.run_ok("prepare", folder / "train.txt", "-o", self.path("x.podium"), "--bins", "9",
                    "--save-transform", alone)
        self.run_ok("prepare", data, "--split", "60,20,20", "-o", folder, "--format", "podium",
                    "--bins", "9", "--save-transform", transform)
        self.assertEqual(transform.read_text(), alone.read_text())

    def test_as_many_thresholds_as_requested(self):
        data, transform = self.synth("data.txt", 50), self.path("t.json")
        for rule in ("quantile", "even"):
            self.run_ok("prepare", data, "-o", self.path("x.podium"), "--bins", "9", "--bin-rule", rule,
                        "--features", "1-3", "--save-transform", transform)
            self.assertEqual([len(cuts) for cuts in json.loads(transform.read_text())["thresholds"]], [9] * 3)
        self.run_ok("prepare", data, "-o", self.path("x.podium"), "--normalize", "query-percentile", "--bins", "9",
                    "--bin-rule", "even", "--features", "1-3", "--save-transform", transform)
        for cuts in json.loads(transform.read_text())["thresholds"]:
            self.assertEqual(cuts, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])

    def test_errors_are_one_line(self):
        data, out = self.path("in.txt", SMALL), self.path("out.txt")
        self.assert_fails(2, "required", "prepare", data)
        self.assert_fails(2, "numbered 1 to 2", "prepare", data, "-o", out, "--features", "1-9")
        self.assert_fails(2, "query-minmax", "prepare", data, "-o", out, "--normalize", "minmax")
        self.assert_fails(2, "excludes", "prepare", data, "-o", out, "--transform", "t", "--bins", "3")
        self.assert_fails(2, "60,20,20", "prepare", data, "-o", out, "--split", "60;20")
        self.assert_fails(1, "would be empty", "prepare", data, "-o", out, "--split", "60,20,20")
        self.assert_fails(2, "not a suffix", "prepare", data, "-o", out, "--split", "1,1",
                          "--format", "xls")
        bad = self.path("bad.json", "{")
        self.assert_fails(1, r"bad\.json: bad transform", "prepare", data, "-o", out, "--transform", bad)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
