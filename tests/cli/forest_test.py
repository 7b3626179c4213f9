"""Models with trees: score, its leaves, and inspect."""
import json
import unittest

from support import CliTest

TREE = {
    "feature": [0, 1], "threshold": [1, -0.5], "missing_left": [False, True], "left": [1, -3],
    "right": [-2, -1], "gain": [10, 2.5], "documents": [6, 4], "values": [100, 10, 1],
    "leaf_documents": [1, 2, 3],
}
LEAF = {key: [] for key in TREE} | {"values": [1000], "leaf_documents": [6]}
DATA = """1 qid:1 1:1 2:-0.5 3:7
0 qid:1 1:1 2:0 3:0
0 qid:1 1:1.5 2:-1 3:0
"""


class ForestTest(CliTest):
    def setUp(self):
        super().setUp()
        self.saved = {
            "format": "podium-model", "version": 1, "learner": "mart", "options": {"trees": 2},
            "loss": "squared", "measure": "nDCG@10", "features": ["1", "2", "3"],
            "missing": "split",
            "normalization": {"format": "podium-transform", "version": 1, "features": [],
                              "log1p": False, "normalize": "none", "thresholds": []},
            "model": {"type": "forest", "base": [0.5], "link": {"kind": "identity", "values": []},
                      "offset_feature": None, "trees": [TREE, LEAF]},
            "training": {"rows": 6, "queries": 1, "fingerprint": "0" * 16, "seed": 1,
                         "best_iteration": 2, "validation": {}},
        }
        self.model = self.path("forest.json", json.dumps(self.saved))
        self.data = self.path("data.txt", DATA)

    def test_scores_and_leaves(self):
        scored = self.run_ok("score", "--model", self.model, "--data", self.data)
        self.assertEqual(scored.split(), ["1001.5", "1100.5", "1010.5"])
        leaves = self.run_ok("score", "--model", self.model, "--data", self.data, "--leaves")
        self.assertEqual(leaves, "2\t0\n0\t0\n1\t0\n")
        self.assert_fails(2, "--leaves", "score", "--model", self.model, "--data", self.data,
                          "--leaves", "--format", "run")

    def test_leaves_are_in_the_order_of_the_input(self):
        data = self.path("mixed.txt", "0 qid:1 1:1 2:0\n0 qid:2 1:1.5 2:-1\n0 qid:1 1:0 2:-9\n")
        leaves = self.run_ok("score", "--model", self.model, "--data", data, "--leaves", "--quiet")
        self.assertEqual(leaves, "0\t0\n1\t0\n2\t0\n")

    def test_inspect(self):
        text = self.run_ok("inspect", self.model)
        self.assertIn("trained by mart", text)
        self.assertIn("2 trees, 4 leaves (2.0 per tree), depth 2", text)
        shown = self.run_json("inspect", self.model)
        self.assertEqual(shown["importance"],
                         [{"feature": "1", "importance": 10, "splits": 1},
                          {"feature": "2", "importance": 2.5, "splits": 1}])
        self.assertEqual(shown["forest"]["leaves"], 4)

    def test_trees(self):
        text = self.run_ok("inspect", self.model, "--trees")
        self.assertTrue(text.startswith("tree 0: 3 leaves, depth 2\n  1 <= 1, missing right"), text)
        self.assert_fails(2, "--trees needs a model", "inspect", self.data, "--trees")

    def test_linear_models_have_no_trees(self):
        self.saved["missing"] = "zero"
        self.saved["model"] = {"type": "linear", "weights": [1, 2, 3], "bias": 0}
        linear = self.path("linear.json", json.dumps(self.saved))
        self.assert_fails(2, "has no trees", "inspect", linear, "--trees")
        self.assert_fails(2, "--leaves needs a model with trees", "score", "--model", linear,
                          "--data", self.data, "--leaves")
        self.assertNotIn("forest", self.run_json("inspect", linear))

    def test_hostile_files_give_one_line(self):
        self.saved["model"]["trees"][0] = TREE | {"left": [0, -3]}
        damaged = self.path("damaged.json", json.dumps(self.saved))
        self.assert_fails(1, r"damaged.json: not a Podium model: 'model.trees\[0\]'", "inspect",
                          damaged)
        damaged.write_text("[" * 2000000)
        self.assert_fails(1, "nests too deep", "inspect", damaged)


if __name__ == "__main__":
    unittest.main()
