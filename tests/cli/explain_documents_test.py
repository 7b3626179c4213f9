"""podium explain --query: contributions of features, as text, JSON and a page."""
import json
import re
import unittest

from support import CliTest


class ExplainDocumentsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.query = re.search(r"qid:(\S+)", self.data.read_text())[1]

    def train(self, learner, *more):
        model = self.folder / f"{learner}.json"
        self.run_ok("train", learner, "--data", self.data, "--model", model, "--quiet", *more)
        return model

    def explain(self, model, *more):
        return ("explain", "--model", model, "--data", self.data, "--query", self.query, *more)

    def test_contributions_add_up(self):
        models = {"terms": self.train("linear"), "shapley": self.train("lambdamart", "--trees", 20),
                  "integrated gradients": self.train("mlp", "--loss", "lambda-ndcg", "--hidden", 5,
                                                     "--epochs", 5)}
        for method, model in models.items():
            shown = self.run_json(*self.explain(model))
            self.assertEqual(shown["method"], method)
            self.assertEqual(len(shown["documents"]), 12)
            scores = [d["score"] for d in shown["documents"]]
            self.assertEqual(scores, sorted(scores, reverse=True))
            for document in shown["documents"]:
                total = document["base"] + sum(document["contributions"].values())
                self.assertAlmostEqual(total, document["score"], 5 if method.startswith("int") else 9)
                self.assertAlmostEqual(total + document["rest"], document["score"], 9)
                self.assertEqual(len(document["contributions"]), 8)

    def test_one_other_is_singular(self):
        text = self.run_ok(*self.explain(self.train("linear"), "--top", 6))
        self.assertRegex(text, r"\n  1 other  ")
        self.assertNotIn("1 others", text)

    def test_only_the_first_documents(self):
        model = self.train("linear")
        everything = self.run_json(*self.explain(model))
        shown = self.run_json(*self.explain(model, "--documents", 3))
        self.assertEqual(shown["documents"], everything["documents"][:3])
        self.assertEqual((shown["of"], everything["of"]), (12, 12))
        text = self.run_ok(*self.explain(model, "--documents", 3))
        self.assertIn("the first 3 of 12 documents", text)
        self.assertNotIn("\n4. ", text)
        self.assertIn(": 12 documents", self.run_ok(*self.explain(model, "--documents", 99)))
        self.assert_fails(2, "excludes", *self.explain(model, "--documents", 3, "--pair", "3,5"))
        self.assert_fails(2, "not in range", *self.explain(model, "--documents", 0))

    def test_pair(self):
        model = self.train("lambdamart", "--trees", 20)
        shown = self.run_json(*self.explain(model, "--pair", "3,5"))
        by_place = {d["place"]: d for d in shown["documents"]}
        difference = by_place[3]["score"] - by_place[5]["score"]
        self.assertAlmostEqual(shown["pair"]["difference"], difference, 12)
        self.assertAlmostEqual(sum(shown["pair"]["contributions"].values()), difference, 9)
        text = self.run_ok(*self.explain(model, "--pair", "3,5", "--quiet"))
        self.assertRegex(text, r"is (above|below) ")
        self.assert_fails(2, "no document '99'", *self.explain(model, "--pair", "3,99"))
        self.assert_fails(2, "--pair A,B", *self.explain(model, "--pair", "3"))

    def test_page(self):
        model = self.train("linear")
        rows = [row.replace("#", "#docid = </script><b>") if i == 0 else row
                for i, row in enumerate(self.data.read_text().splitlines())]
        self.data.write_text("\n".join(row if "#" in row else row + f" #docid = a<{i}"
                                       for i, row in enumerate(rows)) + "\n")
        page = self.folder / "why.html"
        self.run_ok(*self.explain(model, "-o", page, "--quiet"))
        html = page.read_text()
        self.assertTrue(html.startswith("<!doctype html>"))
        embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1]
        self.assertNotIn("<", embedded)
        self.assertEqual(len(json.loads(embedded)["documents"]), 12)
        self.assertNotRegex(html, r'(src|href)=')

    def test_files_by_suffix(self):
        model = self.train("linear")
        self.run_ok(*self.explain(model, "-o", self.folder / "why.json", "--quiet"))
        self.assertEqual(json.loads((self.folder / "why.json").read_text())["query"], self.query)
        self.run_ok(*self.explain(model, "-o", self.folder / "why.txt", "--top", 2, "--quiet"))
        self.assertRegex((self.folder / "why.txt").read_text(), r"\n  [45] others  ")

    def test_errors(self):
        model = self.train("linear")
        self.assert_fails(2, "has no such query", "explain", "--model", model, "--data", self.data, "--query",
                          "nothing")
        self.assert_fails(2, r"--top: Value 0 not in range 1 to 1000000 ", *self.explain(model, "--top", 0))
        self.assert_fails(2, "--query QID", "explain", "--model", model, "--data", self.data)


if __name__ == "__main__":
    unittest.main()
