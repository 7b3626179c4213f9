"""eval: conventions, formats and errors, on small files with known values."""
import math
import os
import subprocess
import unittest

from support import PODIUM, CliTest

DATA = """2 qid:1 1:3 # docid = a
0 qid:1 1:2 # docid = b
1 qid:1 1:1 # docid = c
0 qid:2 1:1 # docid = d
0 qid:2 1:1 # docid = e
"""


class EvalTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.path("data.txt", DATA)
        self.scores = self.path("s.txt", "3\n2\n1\n1\n1\n")

    def measures(self, *more):
        return self.run_json("eval", "--data", self.data, "--scores", self.scores, *more)["results"][0][
            "measures"]

    def test_text_follows_the_contract(self):
        lines = self.run_ok("eval", "--data", self.data, "--scores", self.scores, "--measures",
                            "nDCG@10,P@1").splitlines()
        ndcg = (3 + 1 / 2) / (3 + 1 / math.log2(3)) / 2
        self.assertEqual(lines[0], f"nDCG@10\ts\t{ndcg:.6f}")
        self.assertEqual(lines[1], "P@1\ts\t0.500000")
        self.assertRegex(lines[2], r"^# queries 2, without relevant 1, convention podium")

    def test_conventions_differ_where_they_should(self):
        perfect = (3 + 1 / 2) / (3 + 1 / math.log2(3))
        self.assertAlmostEqual(self.measures("--measures", "nDCG@10")["nDCG@10"], perfect / 2)
        self.assertAlmostEqual(
            self.measures("--measures", "nDCG@10", "--convention", "lightgbm")["nDCG@10"], (perfect + 1) / 2)
        self.assertAlmostEqual(
            self.measures("--measures", "nDCG@10", "--empty", "skip")["nDCG@10"], perfect)
        self.assertAlmostEqual(self.measures("--measures", "nDCG@3", "--convention", "letor")["nDCG@3"],
                               (3 + 1 / math.log2(3)) / 4 / 2)
        self.assertEqual(self.measures("--measures", "nDCG@10", "--convention", "letor")["nDCG@10"], 0)

    def test_baseline(self):
        worse = self.path("worse.txt", "1\n3\n2\n1\n1\n")
        arguments = ["eval", "--data", self.data, "--scores", self.scores, worse, "--measures", "RR,P@1"]
        lines = self.run_ok(*arguments, "--baseline", "s").splitlines()
        self.assertEqual(len(lines), 7)
        self.assertRegex(lines[6], r"^# P@1 worse against s: -0\.500000, 95 % \[.*\], better 0, equal 1, worse 1, "
                                   r"randomisation p 1, max-T 1 \(.*\)$")
        test = self.run_json(*arguments, "--baseline", "worse")["comparisons"][1]
        self.assertEqual((test["name"], test["mean"], test["wins"], test["losses"], test["p"]),
                         ("s", 0.5, 1, 0, 1))
        self.assert_fails(2, "there is no system .w.", *arguments, "--baseline", "w")
        self.assert_fails(2, "give --per-query a file", *arguments, "--baseline", "s", "--per-query", "-")
        self.path("other").mkdir()
        again = self.path("other/s.txt", self.scores.read_text())
        self.assert_fails(2, "two systems are called 's'", "eval", "--data", self.data, "--scores", self.scores,
                          again, "--baseline", "s")

    def test_geometric_means_are_compared_by_logarithms(self):
        worse = self.path("worse.txt", "1\n3\n2\n1\n1\n")
        test = self.run_json("eval", "--data", self.data, "--scores", self.scores, worse, "--measures", "GMAP",
                             "--empty", "skip", "--baseline", "s")["comparisons"][0]
        values = self.measures("--measures", "AP", "--empty", "skip")["AP"]
        self.assertAlmostEqual(test["mean"], math.log((1 / 2 + 2 / 3) / 2 / values))

    def test_per_query(self):
        table = self.path("pq.tsv")
        self.run_ok("eval", "--data", self.data, "--scores", self.scores, "--measures", "RR", "--per-query",
                    table)
        self.assertEqual(table.read_text(), "name\tqid\tRR\ns\t1\t1\ns\t2\t0\n")

    def test_trec_files_and_layout(self):
        qrels = self.path("q.qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\n")
        run = self.path("r.run", "1 Q0 a 1 3 me\n1 Q0 b 2 2 me\n1 Q0 c 3 1 me\n")
        text = self.run_ok("eval", "--qrels", qrels, "--run", run, "--format", "trec")
        self.assertIn("map                   \tall\t0.8333\n", text)
        self.assertIn("runid                 \tall\tme\n", text)
        lines = self.run_ok("eval", "--qrels", qrels, "--run", run, "--measures", "nDCG@10,map,P.1,3").splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines[:-1]], ["nDCG@10", "AP", "P@1", "P@3"])

    def test_timings(self):
        arguments = ["eval", "--data", self.data, "--scores", self.scores]
        self.assertNotIn("phases", self.run_json(*arguments))
        seconds = self.run_json(*arguments, "--timings")["phases"]
        self.assertEqual(sorted(seconds), ["evaluate", "read"])
        qrels = self.path("q.qrels", "1 0 a 2\n")
        run = self.path("r.run", "1 Q0 a 1 3 me\n")
        seconds = self.run_json("eval", "--qrels", qrels, "--run", run, "--timings")["phases"]
        self.assertTrue(all(value > 0 for value in seconds.values()))
        self.assert_fails(2, "--timings needs --json", *arguments, "--timings")

    def test_judgements_that_are_written_to_while_they_are_in_use(self):
        qrels = self.path("q.qrels", "1 0 a 2\n1 0 b 0\n")
        run = self.path("r.run")
        os.mkfifo(run)
        with subprocess.Popen([PODIUM, "eval", "--qrels", qrels, "--run", run, "--quiet"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            with open(run, "w") as pipe:  # opens when the program reads it: then the judgements have been read
                with open(qrels, "r+") as file:
                    file.write("1 0 xxxxxxxxxxxx")
                pipe.write("1 Q0 a 1 3 me\n")
            out, err = process.communicate()
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertRegex(err, r"^podium: error: .*q\.qrels: the file was changed while it was in use\n$")

    def test_trec_files_in_any_order_and_their_errors(self):
        qrels = self.path("q.qrels", "2 0 b 1\n1 0 a 2\n2 0 a 0\n1 0 c 1\n")
        run = self.path("r.run", "1 Q0 c 1 1 me\n2 Q0 a 1 7 me\n\n# note\n1 Q0 a 2 3 me\n2 Q0 b 2 7 me\n")
        arguments = ["eval", "--qrels", qrels, "--measures", "RR,P@1", "--threads"]
        table = self.path("pq.tsv")
        for threads in (1, 2, 3):
            self.run_ok(*arguments, threads, "--run", run, "--per-query", table)
            self.assertEqual(table.read_text(), "name\tqid\tRR\tP@1\nr\t1\t1\t1\nr\t2\t1\t1\n")
        for text, complaint in (("1 Q0 a 1 3 me\n1 Q0 b 1\n", "bad.run:2: 4 of 6 columns"),
                                ("1 Q0 a 1 x me\n", "bad.run:1: the score 'x' is not a number"),
                                ("1 Q0 a 1 3 me\n2 Q0 a 1 3 me\n1 Q0 a 9 2 me\n",
                                 "bad.run:3: document 'a' of topic '1' already appeared in line 1"),
                                ("# nothing\n", "no run in the file"), ("9 Q0 a 1 3 me\n", "no topic of the run")):
            self.assert_fails(1, complaint, *arguments, 2, "--run", self.path("bad.run", text))

    def test_relevance_depth(self):
        self.assertEqual(self.measures("--measures", "P@3", "--relevant-from", "2")["P@3"], 1 / 6)
        self.assertEqual(self.measures("--measures", "AP", "--depth", "1")["AP"], 0.25)

    def test_errors(self):
        self.assert_fails(2, "nothing to evaluate on", "eval")
        self.assert_fails(2, "nothing to evaluate:", "eval", "--data", self.data)
        self.assert_fails(2, "must be given together", "eval", "--qrels", "x")
        self.assert_fails(2, "did you mean letor", "eval", "--data", self.data, "--scores", self.scores,
                          "--convention", "leter")
        short = self.path("short.txt", "1\n2\n")
        self.assert_fails(1, "short.txt", "eval", "--data", self.data, "--scores", short)
        word = self.path("word.txt", "1\n2\nx\n1\n1\n")
        self.assert_fails(1, "word.txt:3: ", "eval", "--data", self.data, "--scores", word)
        self.assert_fails(1, "^nowhere: ", "eval", "--data", "nowhere", "--scores", self.scores)


if __name__ == "__main__":
    unittest.main()
