"""podium explain --line: the measure as a function of one weight."""
import json
import unittest

from support import CliTest


class ExplainTest(CliTest):
    def setUp(self):
        super().setUp()
        # Two documents with scores x1 + w x2; the good one wins from w = 0.5 on.
        self.data = self.path("data.txt", "1 qid:1 1:0 2:2\n0 qid:1 1:1 2:0\n")
        self.saved = {
            "format": "podium-model", "version": 1, "learner": "linear", "options": {},
            "loss": "squared", "measure": "nDCG@10", "features": ["1", "2"], "missing": "zero",
            "normalization": {"format": "podium-transform", "version": 1, "features": [],
                              "log1p": False, "normalize": "none", "thresholds": []},
            "model": {"type": "linear", "weights": [1, 0.25], "bias": 0},
            "training": {"rows": 2, "queries": 1, "fingerprint": "0" * 16, "seed": 1,
                         "best_iteration": 1, "validation": {}},
        }
        self.model = self.path("model.json", json.dumps(self.saved))

    def explain(self, *more):
        return ("explain", "--line", "2", "--model", self.model, "--data", self.data, *more)

    def test_json(self):
        shown = self.run_json(*self.explain("--measure", "RR"))
        self.assertEqual(shown["weight"], 0.25)
        self.assertEqual(shown["value"], 0.5)
        self.assertEqual([(p["from"], p["to"], p["value"]) for p in shown["pieces"]],
                         [(None, 0.5, 0.5), (0.5, None, 1.0)])
        self.assertEqual(shown["jumps"], 1)
        self.assertEqual((shown["best"]["from"], shown["best"]["to"], shown["best"]["value"]),
                         (0.5, None, 1.0))
        self.assertFalse(shown["best"]["holds_weight"])

    def test_range_and_file(self):
        out = self.folder / "line.json"
        text = self.run_ok(*self.explain("--from", "-1", "--to", "0.4", "-o", out, "--quiet"))
        self.assertIn("along the weight of feature 2", text)
        written = json.loads(out.read_text())
        self.assertEqual([(p["from"], p["to"]) for p in written["pieces"]], [(-1, 0.4)])
        self.assertTrue(written["best"]["holds_weight"])

    def test_pieces_agree_with_eval(self):
        data = self.synth()
        model = self.folder / "ridge.json"
        self.run_ok("train", "linear", "--data", data, "--model", model, "--quiet")
        shown = self.run_json("explain", "--line", "3", "--model", model, "--data", data)
        saved = json.loads(model.read_text())
        checked = [p for p in shown["pieces"] if p["from"] is not None and p["to"] is not None]
        self.assertGreater(len(checked), 10)
        for piece in checked[::max(1, len(checked) // 10)]:
            saved["model"]["weights"][2] = (piece["from"] + piece["to"]) / 2
            moved = self.path("moved.json", json.dumps(saved))
            result = self.run_json("eval", "--data", data, "--model", moved, "--measures", "nDCG@10")
            self.assertAlmostEqual(result["results"][0]["measures"]["nDCG@10"], piece["value"], 9)

    def test_with_distinct_grades_jumps_are_swaps_of_the_first_places(self):
        # Swaps of the first five ranks as in [Tan13], Algorithm 2: here by sorting between all crossings.
        data = self.folder / "short.txt"
        self.run_ok("synth", "--queries", 3, "--docs", 25, "--features", 2, "--seed", 4, "-o", data, "--quiet")
        queries = {}
        for line in data.read_text().splitlines():
            label, qid, *values = line.split("#")[0].split()
            queries.setdefault(qid, []).append([float(v.split(":")[1]) for v in values])
        graded = self.path("graded.txt", "".join(
            f"{grade} {qid} 1:{x} 2:{y}\n" for qid, many in queries.items() for grade, (x, y) in enumerate(many)))
        swaps = 0
        for many in queries.values():
            crossings = sorted({(b[0] - a[0]) / (a[1] - b[1]) for a in many for b in many if a[1] > b[1]})
            middles = [(x + y) / 2 for x, y in zip(crossings, crossings[1:])]
            orders = [sorted(range(len(many)), key=lambda i: -many[i][0] - alpha * many[i][1])[:5]
                      for alpha in [crossings[0] - 1, *middles, crossings[-1] + 1]]
            swaps += sum(before != after for before, after in zip(orders, orders[1:]))
        shown = self.run_json("explain", "--line", "2", "--model", self.model, "--data", graded,
                              "--measure", "DCG(gain=linear)@5")
        self.assertGreater(swaps, 30)
        self.assertEqual(shown["jumps"], swaps)

    def test_text(self):
        text = self.run_ok(*self.explain("--quiet"))
        self.assertIn("breakpoints\t1 of single queries, 2 pieces", text)
        self.assertRegex(text, r"-inf +0\.5 +0\.630930 \*\n")

    def test_errors(self):
        self.assert_fails(2, "the model has no such feature", "explain", "--line", "7", "--model",
                          self.model, "--data", self.data)
        self.assert_fails(2, "--from 1 is not below --to 0", *self.explain("--from", 1, "--to", 0))
        self.saved |= {"learner": "mart", "missing": "split"}
        self.saved["model"] = {"type": "forest", "base": [0.5],
                               "link": {"kind": "identity", "values": []},
                               "offset_feature": None, "trees": []}
        forest = self.path("forest.json", json.dumps(self.saved))
        self.assert_fails(1, "--line needs a linear model", "explain", "--line", "2", "--model",
                          forest, "--data", self.data)


if __name__ == "__main__":
    unittest.main()
