"""Names from files and command lines are printed as text, never as terminal commands."""
import csv
import io
import json
import unittest

from support import CliTest, podium

ESCAPE = "\x1b[2J"
TURNS = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


class ControlCharactersTest(CliTest):
    def assert_tame(self, text):
        wild = {c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or c in TURNS}
        self.assertEqual(wild, set(), text)

    def run_tame(self, *arguments, code=0):
        result = podium(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assert_tame(result.stdout)
        self.assert_tame(result.stderr)
        return result

    def setUp(self):
        super().setUp()
        rows = [f"{i % 3},q{i // 10}{ESCAPE},{i % 7},{i % 3}.5,1" for i in range(60)]
        self.data = self.path(f"evil{ESCAPE}\x9b.csv", f"label,qid,a{ESCAPE},b\x7f,c\n" + "\n".join(rows) + "\n")

    def test_tables_and_notes(self):
        model = self.path(f"m{ESCAPE}.json")
        said = self.run_tame("inspect", self.data).stdout
        self.assertIn("a\\x1b[2J", said)
        self.run_tame("train", "linear", "--data", self.data, "--model", model)
        self.run_tame("inspect", model)
        self.run_tame("explain", "--model", model, "--data", self.data, "--query", f"q1{ESCAPE}")
        self.assertIn("\tm\\x1b[2J\t", self.run_tame("eval", "--data", self.data, "--model", model).stdout)
        results = self.path("results")
        said = self.run_tame("compare", "--data", self.data, "--learners", f"one{ESCAPE}=linear,feature", "--folds", 3,
                             "-o", results)
        self.assertIn("one\\x1b[2J", said.stdout)

    def test_text_that_would_be_shown_backwards(self):
        table = self.path("table.csv", "label,qid,a\u202eb\n0,1,1\n1,1,2\n")
        self.assertIn("a\\xe2\\x80\\xaeb", self.run_tame("inspect", table).stdout)
        said = podium("inspect", table, "--json").stdout
        self.assertNotIn("\u202e", said)
        self.assertEqual(json.loads(said)["feature"][0]["name"], "a\u202eb")

    def test_errors(self):
        bad = self.path(f"bad{ESCAPE}.txt", f"0 qid:1 1:1\n0 qid:1 1:x{ESCAPE}\n")
        said = self.run_tame("inspect", bad, code=1).stderr
        self.assertIn("bad\\x1b[2J.txt:2: ", said)
        self.assertEqual(len(said.splitlines()), 1)
        said = self.run_tame("inspect", self.path("no\nsuch\x1b.txt"), code=1).stderr
        self.assertEqual(len(said.splitlines()), 1)
        self.run_tame("train", f"lin{ESCAPE}", "--data", self.data, code=2)

    def test_json_and_files_have_the_original_names(self):
        described = json.loads(self.run_tame("inspect", self.data, "--json").stdout)
        self.assertEqual([f["name"] for f in described["feature"]], [f"a{ESCAPE}", "b\x7f", "c"])
        copy = self.path("copy.csv")
        self.run_ok("prepare", self.data, "-o", copy)
        rows = list(csv.reader(io.StringIO(copy.read_text())))
        self.assertIn(f"a{ESCAPE}", rows[0])
        for line in podium("inspect", self.data, "--progress", "json").stderr.splitlines():
            self.assert_tame(line)
            json.loads(line)

    def test_lines_of_a_table_of_queries_are_lines(self):
        data = self.path("d.csv", 'label,qid,x\n' + "".join(f'{i % 2},"q\t{i // 4}",{i}\n' for i in range(12)))
        model = self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--model", model)
        table = self.path("per-query.tsv")
        self.run_ok("eval", "--data", data, "--model", model, "--per-query", table)
        rows = [line.split("\t") for line in table.read_text().splitlines()]
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(rows[1][1], "q\\x090")

    def test_runs_contain_words(self):
        data = self.path("d.csv", 'label,qid,docid,x\n1,"q 1",a,1\n0,"q 1",b,2\n')
        model = self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--model", model)
        self.assert_fails(1, "qid 'q 1' has white space", "score", "--model", model, "--data", data, "--format", "run")
        data = self.path("d.csv", f'label,qid,docid,x\n1,1,a,1\n0,1,b{ESCAPE},2\n')
        self.assert_fails(1, r"document id 'b\\x1b\[2J'", "score", "--model", model, "--data", data, "--format", "run")


if __name__ == "__main__":
    unittest.main()
