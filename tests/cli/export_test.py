"""podium export, podium import: other systems' formats on the command line."""
import json
import re
import unittest

from support import CliTest


class ExportTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.forest = self.folder / "forest.json"
        self.run_ok("train", "lambdamart", "--trees", 20, "--data", self.data, "--model", self.forest, "--quiet")
        self.linear = self.folder / "linear.json"
        self.run_ok("train", "linear", "--data", self.data, "--model", self.linear, "--quiet")

    def export(self, model, to, *more):
        return ("export", "--model", model, "--to", to, "-o", self.folder / f"out.{to}", *more)

    def test_every_format_verifies(self):
        for to in ("lightgbm", "xgboost-json", "xgboost-ubj", "xgboost", "ranklib", "elasticsearch", "solr", "vespa", "onnx", "cpp"):
            report = self.run_json(*self.export(self.forest, to, "--verify", self.data))
            self.assertEqual(report["format"], to)
            self.assertEqual(report["bytes"], (self.folder / f"out.{to}").stat().st_size)
            check = report["verify"]
            self.assertEqual(check["documents"], 480)
            self.assertEqual(check["changed_decisions"], 0)
            self.assertEqual(check["changed_pairs"], 0)
            self.assertLessEqual(check["largest_difference"], check["tolerance"])
            self.assertGreater(check["pairs"], 1000)
        text = self.run_ok(*self.export(self.forest, "lightgbm", "--verify", self.data, "--quiet"))
        self.assertRegex(text, r"^verified on 480 documents: largest difference 0 of scores up to \d.*; "
                               r"0 of \d+ decisions changed; 0 of \d+ pairs in a different order")

    def test_every_format_takes_symmetric_trees(self):
        model = self.folder / "symmetric.json"
        self.run_ok("train", "lambdamart", "--trees", 20, "--oblivious", "--min-docs", 5, "--dart", 0.2,
                    "--data", self.data, "--model", model, "--quiet")
        for to in ("lightgbm", "xgboost-json", "xgboost-ubj", "xgboost", "ranklib", "elasticsearch", "solr", "vespa", "onnx", "cpp"):
            check = self.run_json(*self.export(model, to, "--verify", self.data))["verify"]
            self.assertEqual((check["changed_decisions"], check["changed_pairs"]), (0, 0), to)

    def test_linear_formats(self):
        for to in ("ranklib", "elasticsearch", "solr", "onnx", "cpp"):
            report = self.run_json(*self.export(self.linear, to, "--verify", self.data))
            self.assertEqual(report["verify"]["changed_pairs"], 0)
        self.assertTrue((self.folder / "out.ranklib").read_text().startswith("## Coordinate Ascent\n1:"))
        body = json.loads((self.folder / "out.elasticsearch").read_text())
        self.assertEqual(body["model"]["name"], "out")
        self.assertEqual(body["model"]["model"]["type"], "model/linear")
        self.assert_fails(1, "cannot export to lightgbm: the format has no linear models",
                          *self.export(self.linear, "lightgbm"))

    def test_refusals_leave_nothing_behind(self):
        scaled = self.folder / "scaled.json"
        self.run_ok("train", "linear", "--normalize", "query-minmax", "--data", self.data, "--model", scaled,
                    "--quiet")
        self.assert_fails(1, "query-minmax, which needs all documents of the query", *self.export(scaled, "onnx"))
        self.assert_fails(2, "unknown format 'lightgmb', did you mean lightgbm", *self.export(self.forest, "lightgmb"))
        grades = self.folder / "grades.json"
        self.run_ok("train", "mcrank", "--trees", 5, "--data", self.data, "--model", grades, "--quiet")
        self.assert_fails(1, "outputs, of which", *self.export(grades, "solr"))
        self.assertEqual([], list(self.folder.glob("out.*")))

    def test_nonnegative_and_name(self):
        report = self.run_json(*self.export(self.forest, "solr", "--nonnegative", "--name", "shop",
                                            "--verify", self.data))
        self.assertGreater(report["shift"], 0)
        self.assertEqual(json.loads((self.folder / "out.solr").read_text())["name"], "shop")
        saved = json.loads(self.linear.read_text())
        saved["model"]["weights"][0] = -1
        down = self.path("down.json", json.dumps(saved))
        self.assert_fails(1, "--nonnegative: only trees", *self.export(down, "solr", "--nonnegative"))

    def test_import_reads_an_export_back(self):
        self.run_ok(*self.export(self.forest, "lightgbm", "--quiet"))
        back = self.folder / "back.json"
        report = self.run_json("import", self.folder / "out.lightgbm", "--from", "lightgbm", "-o", back)
        self.assertEqual((report["type"], report["features"]), ("forest", 8))
        scores = [self.run_ok("score", "--model", model, "--data", self.data, "--quiet")
                  for model in (self.forest, back)]
        self.assertEqual(*scores)
        self.run_ok(*self.export(self.linear, "ranklib", "--quiet"))
        self.assertEqual(self.run_json("import", self.folder / "out.ranklib", "--from", "ranklib", "-o",
                                       back)["type"], "linear")

    def test_a_target_decides_about_missing_values(self):
        out = self.folder / "out.json"
        gaps = self.path("gaps.txt", re.sub(r" (\d+):\S+", lambda m: f" {m[1]}:nan" if int(m[1]) % 3 == 0 and len(m[0]) % 2
                                            else m[0], self.data.read_text()))
        learned = self.folder / "learned.json"
        self.run_ok("train", "lambdamart", "--trees", 20, "--leaves", 31, "--data", gaps, "--model", learned, "--quiet")
        for target in ("opensearch:3.8", "elasticsearch:9", "solr:9"):
            report = self.run_json("export", "--model", learned, "--target", target, "-o", out, "--verify", gaps)
            self.assertEqual(report["verify"]["changed_decisions"], 0)
        for target in ("opensearch:2.19", "opensearch:3.3", "elasticsearch:8", "solr:9.1"):
            self.assert_fails(1, "learned to send missing values elsewhere", "export", "--model", learned, "--target",
                              target, "-o", self.folder / "no")
        self.run_json("export", "--model", learned, "--target", "opensearch:2", "--missing", "zero", "-o", out,
                      "--verify", gaps)
        self.assert_fails(2, "--target solr:9 needs the format solr", "export", "--model", learned, "--target",
                          "solr:9", "--to", "onnx", "-o", self.folder / "no")
        self.assert_fails(2, "--to or --target is required", "export", "--model", learned, "-o", self.folder / "no")
        self.assert_fails(2, "opensearch:VERSION", "export", "--model", learned, "--target", "vespa:8", "-o",
                          self.folder / "no")
        self.assertFalse((self.folder / "no").exists())

    def test_exports_come_back(self):
        scores = self.run_ok("score", "--model", self.forest, "--data", self.data, "--quiet").split()
        back = self.folder / "back.json"
        for to, source in (("xgboost-json", "xgboost"), ("xgboost-ubj", "xgboost"), ("xgboost", "xgboost"),
                           ("onnx", "onnx"), ("solr", "solr"), ("elasticsearch", "elasticsearch")):
            self.run_ok(*self.export(self.forest, to, "--quiet"))
            self.run_ok("import", self.folder / f"out.{to}", "--from", source, "-o", back, "--quiet")
            found = self.run_ok("score", "--model", back, "--data", self.data, "--quiet").split()
            for ours, theirs in zip(scores, found, strict=True):
                self.assertAlmostEqual(float(ours), float(theirs), 5)

    def test_import_errors(self):
        bad = self.path("bad.txt", "tree\nnum_class=1\n")
        self.assert_fails(1, r"bad\.txt:2: the file stops before 'end of trees'", "import", bad, "--from",
                          "lightgbm", "-o", self.folder / "m.json")
        self.assert_fails(1, r"bad\.txt:1: not a RankLib model", "import", bad, "--from", "ranklib", "-o",
                          self.folder / "m.json")
        self.assert_fails(2, "--from", "import", bad, "--from", "svmlight", "-o", self.folder / "m.json")
        self.assertFalse((self.folder / "m.json").exists())


if __name__ == "__main__":
    unittest.main()
