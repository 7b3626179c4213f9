"""synth, and inspect on its output."""
import unittest

from support import CliTest


class SynthTest(CliTest):
    def test_same_options_same_bytes_and_prefixes(self):
        small, large = self.synth("small.txt", 10), self.synth("large.txt", 25)
        self.assertTrue(large.read_text().startswith(small.read_text()))
        self.assertNotEqual(self.synth("other.txt", 10, 2).read_text(), small.read_text())
        self.assertEqual(self.synth("again.txt", 10, 1, "--threads", "3").read_text(), small.read_text())

    def test_standard_output(self):
        text = self.run_ok("synth", "--queries", 2, "--docs", 3, "--features", 2, "-o", "-")
        self.assertEqual(len(text.splitlines()), 6)
        self.assertRegex(text, r"^\d qid:1 1:\S+ 2:\S+ # docid = d1-1\n")

    def test_describes_each_feature(self):
        report = self.run_json("synth", "--queries", 2, "-o", self.path("x.csv"))
        kinds = [feature["kind"] for feature in report["features"]]
        self.assertEqual(len(kinds), 30)
        self.assertEqual(kinds[14], "constant")
        self.assertEqual(report["features"][15], {"feature": "16", "kind": "duplicate", "same_as": "3"})

    def test_inspect_finds_the_known_structure(self):
        data = self.path("x.podium")
        self.run_ok("synth", "--queries", 20, "-o", data)
        found = self.run_json("inspect", data)
        self.assertEqual((found["queries"], found["documents"], found["features"]), (20, 1000, 30))
        self.assertEqual(found["constant_features"], ["15"])
        self.assertEqual(found["duplicate_features"], [{"feature": "16", "same_as": "3"}])
        self.assertEqual(sum(found["grades"].values()), 1000)
        self.assertIn("constant features\t1: 15\n", self.run_ok("inspect", data))

    def test_inspect_counts_conflicts(self):
        data = self.path("x.txt", "0 qid:1 1:1\n1 qid:1 1:1\n0.5 qid:2 1:1\n")
        found = self.run_json("inspect", data)
        self.assertEqual(found["conflicting_documents"], 2)
        self.assertNotIn("grades", found)
        self.assertEqual(found["labels"], {"min": 0.0, "max": 1.0, "distinct": 3})

    def test_clicks_keep_positions(self):
        data = self.path("clicks.csv")
        self.run_ok("synth", "--preset", "clicks", "--queries", 3, "-o", data)
        rows = [line.split(",") for line in data.read_text().splitlines()]
        self.assertEqual(rows[0][:4], ["label", "qid", "docid", "position"])
        self.assertEqual(sorted(int(row[3]) for row in rows[1:11]), list(range(1, 11)))

    def test_hosts(self):
        plain = self.run_ok("synth", "--queries", 2, "--docs", 5, "--features", 2, "-o", "-")
        hosted = self.run_ok("synth", "--queries", 2, "--docs", 5, "--features", 2, "--hosts", 2, "-o", "-")
        self.assertEqual([line.partition(" host = ")[0] for line in hosted.splitlines()], plain.splitlines())
        hosts = [line.partition(" host = ")[2] for line in hosted.splitlines()]
        self.assertEqual(set(hosts[:5]), {"h1-1", "h1-2"})
        self.assertEqual(set(hosts[5:]), {"h2-1", "h2-2"})

    def test_errors_are_one_line(self):
        self.assert_fails(2, "required", "synth")
        self.assert_fails(2, "did you mean mslr", "synth", "--preset", "msrl", "-o", "x")
        self.assert_fails(2, "queries", "synth", "--queries", "0", "-o", "x")


if __name__ == "__main__":
    unittest.main()
