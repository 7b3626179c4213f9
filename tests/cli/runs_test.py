"""prepare --runs: data from TREC runs, and the commands for learning from it."""
import json
import unittest

from support import CliTest, podium

A = "1 Q0 b 1 2 A\n1 Q0 c 2 3 A\n1 Q0 d 3 2 A\n1 Q0 a 4 1 A\n2 Q0 x 1 -1 A\n"
B = "2 Q0 y 1 5 B\n1 Q0 a 1 0.5 B\n1 Q0 e 9 0.75 B\n2 Q0 x 1 4 B\n3 Q0 x 1 4 B\n"
QRELS = "1 0 a 2\n1 0 c 0\n2 0 y 1\n4 0 y 1\n"


class RunsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.runs = f"{self.path('A.run', A)},{self.path('B.run', B)}"
        self.qrels = self.path("q.qrels", QRELS)
        self.out = self.path("out.csv")

    def prepared(self, *options):
        self.run_ok("prepare", "--runs", self.runs, "-o", self.out, "--quiet", *options)
        return self.out.read_text()

    def test_one_feature_per_run(self):
        self.assertEqual(self.prepared("--qrels", self.qrels, "--depth", 2),
                         "label,qid,docid,A,B\n2,1,a,2,0.5\n0,1,c,3,0.5\n0,1,d,2,0.5\n0,1,e,2,0.75\n"
                         "0,2,x,-1,4\n1,2,y,-1,5\n")
        self.assertEqual(self.prepared("--qrels", self.qrels, "--depth", 2, "--unjudged", "drop",
                                       "--missing-scores", "nan", "--indicators"),
                         "label,qid,docid,A,B,in_A,in_B\n2,1,a,,0.5,0,1\n0,1,c,3,,1,0\n1,2,y,,5,0,1\n")
        lines = self.prepared("--depth", 1).splitlines()
        self.assertEqual(lines[-1], "0,3,x,0,4")
        self.assertEqual(len(lines), 6)

    def test_runs_may_be_separate_arguments(self):
        self.run_ok("prepare", "--runs", *self.runs.split(","), "-o", self.out)
        self.assertTrue(self.out.read_text().startswith("label,qid,docid,A,B\n"))

    def test_reports_what_it_left_out(self):
        arguments = ["prepare", "--runs", self.runs, "--qrels", self.qrels, "-o", self.out]
        result = podium(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("topics without judgements, left out: 1", result.stderr)
        self.assertIn("judged topics that no run has: 1", result.stderr)
        self.assertIn("documents without a judgement, label 0: 4", result.stderr)
        self.assertEqual(self.run_json(*arguments)["runs"],
                         {"topics_without_judgements": 1, "judged_topics_in_no_run": 1,
                          "documents_without_judgement": 4})

    def test_the_other_steps_follow(self):
        text = self.prepared("--qrels", self.qrels, "--depth", 2, "--relevant-from", 2, "--normalize",
                             "query-minmax", "--features", "A", "--drop-zero-vectors")
        self.assertEqual(text, "label,qid,docid,A\n0,1,c,1\n")
        transform = self.path("t.json")
        self.prepared("--qrels", self.qrels, "--bins", 3, "--save-transform", transform)
        self.assertEqual(json.loads(transform.read_text())["features"], ["A", "B"])

    def many_runs(self):
        """Ten topics of twenty documents; each run orders them by a noisy grade."""
        names, judged = [], []
        for t in range(1, 11):
            judged += [f"{t} 0 d{t}-{d} {d * t % 7 // 4}\n" for d in range(20)]
        for r in range(3):
            lines = [f"{t} Q0 d{t}-{d} 0 {d * t % 7 + (d * (r + 3) + t) % 5} run{r}\n"
                     for t in range(1, 11) for d in range(20) if (d + t + r) % 4]
            names.append(str(self.path(f"run{r}.run", "".join(lines))))
        return ",".join(names), self.path("many.qrels", "".join(judged))

    def test_threads_change_nothing(self):
        runs, qrels = self.many_runs()
        outputs = []
        for threads in (1, 2, 4):
            self.run_ok("prepare", "--runs", runs, "--qrels", qrels, "--depth", 7, "-o", self.out, "--threads", threads)
            outputs.append(self.out.read_bytes())
        self.assertEqual(len(set(outputs)), 1)

    def test_from_runs_to_a_run_that_is_evaluated(self):
        runs, qrels = self.many_runs()
        folder, model, run = self.path("data"), self.path("model.json"), self.path("learned.run")
        self.run_ok("prepare", "--runs", runs, "--qrels", qrels, "--split", "70,30", "-o", folder)
        self.run_ok("train", "svm-map", "--data", folder / "train.csv", "--model", model, "--normalize",
                    "query-minmax", "--quiet")
        self.run_ok("score", "--model", model, "--data", folder / "test.csv", "--format", "run", "-o", run)
        result = self.run_json("eval", "--qrels", qrels, "--run", run, "--measures", "AP")
        self.assertEqual(result["queries"], 3)
        ids = {line.split()[2] for line in run.read_text().splitlines()}
        self.assertTrue(all(name.startswith("d") for name in ids))
        value = self.run_json("eval", "--data", folder / "test.csv", "--model", model, "--measures", "AP",
                              "--ties", "docid")["results"][0]["measures"]["AP"]
        self.assertAlmostEqual(result["results"][0]["measures"]["AP"], value, places=6)

    def test_bad_input_is_one_line(self):
        good = self.runs.split(",")[0]
        arguments = ["prepare", "-o", self.out, "--qrels", self.qrels, "--runs"]
        for text, complaint in (("1 Q0 a 1 3 me\n1 Q0 b 1\n", "bad.run:2: 4 of 6 columns"),
                                ("1 Q0 a 1 x me\n", "bad.run:1: the score 'x' is not a number"),
                                ("1 Q0 a 1 3 me\n1 Q0 a 9 2 me\n",
                                 "bad.run:2: document 'a' of topic '1' already appeared in line 1"),
                                ("1 Q0 a 1 -1e99 me\n", "bad.run:1: the score -1e\\+99 of document 'a' is too large"),
                                ("", "bad.run: no run in the file")):
            self.assert_fails(1, complaint, *arguments, f"{good},{self.path('bad.run', text)}")
        self.assert_fails(1, "q.qrels: no topic of the runs is judged", *arguments,
                          self.path("far.run", "9 Q0 a 1 3 me\n"))
        self.assert_fails(1, "^nowhere.run: ", *arguments, "nowhere.run")
        self.assertFalse(self.out.exists())

    def test_usage(self):
        data = self.path("in.txt", "0 qid:1 1:1\n")
        self.assert_fails(2, "give one of them", "prepare", data, "--runs", self.runs, "-o", self.out)
        self.assert_fails(2, "nothing to prepare:", "prepare", "-o", self.out)
        self.assert_fails(2, "--qrels needs --runs", "prepare", data, "--qrels", self.qrels, "-o", self.out)
        self.assert_fails(2, "--depth needs --runs", "prepare", data, "--depth", 3, "-o", self.out)
        runs = ["prepare", "--runs", self.runs, "-o", self.out]
        self.assert_fails(2, "--unjudged needs --qrels", *runs, "--unjudged", "drop")
        self.assert_fails(2, "--absent applies to data files", *runs, "--absent", "missing")
        self.assert_fails(2, "minimum", *runs, "--missing-scores", "lowest")
        self.assert_fails(2, "depth", *runs, "--depth", 0)


if __name__ == "__main__":
    unittest.main()
