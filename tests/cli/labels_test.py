"""Labels that are not grades: counts, shares and labels below 0 are named, and can become grades."""
import json
import unittest

from support import CliTest, podium


def letor(labels):
    return "".join(f"{label} qid:{1 + i // 4} 1:{i * 7 % 11} 2:{i * 3 % 5}\n" for i, label in enumerate(labels))


class LabelsTest(CliTest):
    def notes(self, *arguments):
        result = podium(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def setUp(self):
        super().setUp()
        self.counts = self.path("counts.txt", letor([2392, 17, 0, 3, 0, 0, 41, 1]))
        self.shares = self.path("shares.txt", letor([0.2, 0.7, 0, 0.1, 0, 0.4, 0.3, 0]))
        self.scores = self.path("scores.txt", "1\n2\n3\n4\n5\n6\n7\n8\n")

    def test_counts_are_no_exponents(self):
        for learner, instead in (("lambdamart", "--gain linear"), ("smoothrank", "--gain linear"), ("dorm", "--gain linear"),
                                 ("mart --targets exp2", "--targets linear"),
                                 ("boosting --loss approx-ndcg", "gain=linear in the --loss")):
            self.assert_fails(1, f"the label 2392 is not a grade .*; use {instead}.*--bucket-labels", "train", *learner.split(),
                              "--data", self.counts)
        for learner in ("lambdamart", "smoothrank"):
            self.notes("train", learner, "--gain", "linear", "--data", self.counts)
            self.notes("train", learner, "--gain", "0;1;3;7", "--data", self.counts)
        self.assert_fails(1, "the label 2392 is not a grade", "tune", "lambdamart", "--trials", 2, "--data", self.counts, "--valid",
                          self.counts)

    def test_counts_are_noted_where_only_a_measure_suffers(self):
        note = r"labels above 31 are not grades: by the gain 2\^label − 1.* in nDCG@10;"
        self.assertRegex(self.notes("train", "linear", "--data", self.counts), note)
        self.assertNotIn("grades", self.notes("train", "linear", "--data", self.counts, "--measure", "nDCG(gain=linear)@10"))
        evaluate = ("eval", "--data", self.counts, "--scores", self.scores)
        self.assertRegex(self.notes(*evaluate, "--measures", "nDCG@10,AP"), note)
        self.assertEqual(self.notes(*evaluate, "--measures", "nDCG(gain=linear)@10,AP"), "")
        self.assertRegex(self.notes(*evaluate, "--measures", "ERR@10"), "labels above 4 count as 4 in ERR@10")

    def test_compare_says_it_once(self):
        data = self.path("many.txt", letor([(i * 37) % 101 for i in range(80)]))
        result = podium("compare", "--data", data, "--learners", "linear,mart,lambdamart", "--folds", 4, "--measures", "nDCG@10,nDCG@5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("labels above 31 are not grades"), 1, result.stderr)
        self.assertIn("matters in nDCG@10 and nDCG@5;", result.stderr)
        self.assertRegex(result.stdout, "lambdamart.*failed|lambdamart.*–")

    def test_fractions(self):
        evaluate = ("eval", "--data", self.shares, "--scores", self.scores)
        self.assertIn("no label reaches 1, from which on documents are relevant in AP and RR;", self.notes(*evaluate, "--measures", "AP,RR,nDCG"))
        self.assertEqual(self.notes(*evaluate, "--measures", "AP(rel=0.3),nDCG"), "")
        self.assertIn("count as the whole number below in nDCG(gain=0;1)", self.notes(*evaluate, "--measures", "nDCG(gain=0;1)"))

    def test_labels_below_zero(self):
        data = self.path("one.txt", "-1 qid:1 1:1\n0 qid:1 1:2\n")
        result = podium("train", "lambdamart", "--data", data)
        self.assertEqual(result.returncode, 1)
        self.assertIn("note: labels below 0 gain as little as 0 in the loss lambda-ndcg and nDCG@10\n", result.stderr)
        self.assertIn("no query contributes to the loss lambda-ndcg: each has no label above 0 (", result.stderr)
        self.assertNotIn("one grade", result.stderr)
        self.assert_fails(1, "each has no label above 0", "train", "lambdarank", "--data", data)
        self.notes("train", "ranknet", "--data", data)  # compares labels: -1 is below 0

    def test_why_no_query_contributes(self):
        for text, reason in (("1 qid:1 1:1\n0 qid:2 1:1\n", "one document$"), ("1 qid:1 1:1\n1 qid:1 1:2\n", "documents of one grade$"),
                             ("1 qid:1 1:1\n1 qid:1 1:2\n0 qid:2 1:1\n", "one document, or documents of one grade$"),
                             ("0.2 qid:1 1:1\n0.1 qid:1 1:2\n", r"only relevant or only non-relevant documents \(labels from 1 on")):
            self.assert_fails(1, f"no query contributes to the loss lambda-ap: each has {reason}", "train", "lambdamart", "--objective", "ap",
                              "--data", self.path("d.txt", text))


class BucketsTest(CliTest):
    def labels(self, path):
        return [float(line.split()[0]) for line in path.read_text().splitlines()]

    def test_equally_many_distinct_labels(self):
        data, out = self.path("d.txt", letor([0, 0, 0, 0, 5, 9, 1, 2392, 3, 0])), self.path("out.txt")
        self.assertIn("--bucket-labels 3,9", podium("prepare", data, "-o", out, "--bucket-labels", 3).stderr)
        self.assertEqual(self.labels(out), [0, 0, 0, 0, 1, 2, 0, 2, 1, 0])
        by_edges = self.path("edges.txt")
        self.run_ok("prepare", data, "-o", by_edges, "--bucket-labels", "3,9")
        self.assertEqual(by_edges.read_text(), out.read_text())

    def test_few_distinct_labels_keep_their_order(self):
        data, out = self.path("d.txt", letor([-1, 0, 0, 7])), self.path("out.txt")
        self.run_ok("prepare", data, "-o", out, "--bucket-labels", 5)
        self.assertEqual(self.labels(out), [0, 1, 1, 2])

    def test_later_data_get_the_same(self):
        data, later = self.path("d.txt", letor([0, 2, 4, 6])), self.path("later.txt", letor([-5, 100, 4, 3]))
        saved, out = self.path("t.json"), self.path("out.txt")
        report = self.run_json("prepare", data, "-o", self.path("x.txt"), "--bucket-labels", 2, "--save-transform", saved)
        self.assertEqual(report["label_edges"], [4])
        self.assertEqual(json.loads(saved.read_text())["label_edges"], [4])
        self.run_ok("prepare", later, "-o", out, "--transform", saved)
        self.assertEqual(self.labels(out), [0, 1, 1, 0])

    def test_a_split_learns_from_its_training_part(self):
        data = self.path("d.txt", letor([i * i for i in range(80)]))
        report = self.run_json("prepare", data, "-o", self.folder / "parts", "--split", "50,50", "--bucket-labels", 4)
        raw = self.run_json("prepare", data, "-o", self.folder / "raw", "--split", "50,50")
        train = sorted(set(self.labels(self.folder / "raw/train.txt")))
        self.assertEqual(report["label_edges"], [train[len(train) * b // 4] for b in (1, 2, 3)])
        self.assertEqual(len(raw["files"]), 2)

    def test_wrong_usage(self):
        data = self.path("d.txt", letor([0, 1]))
        prepare = ("prepare", data, "-o", self.path("o.txt"), "--bucket-labels")
        for text in ("1", "2.5", "33", "0"):
            self.assert_fails(2, "is not a number of buckets from 2 to 32", *prepare, text)
        self.assert_fails(2, "not in ascending order", *prepare, "3,3")
        self.assert_fails(2, "'a,b' is not 5", *prepare, "a,b")
        self.assert_fails(2, "excludes", *prepare, "3", "--relevant-from", 1)
        self.assert_fails(1, "\"label_edges\" is not in ascending order", "prepare", data, "-o", self.path("o.txt"), "--transform",
                          self.path("t.json", '{"format":"podium-transform","version":1,"label_edges":[3,1]}'))


if __name__ == "__main__":
    unittest.main()
