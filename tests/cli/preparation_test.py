"""Missing values, encoded categories, labels from columns, and preference pairs on the command line."""
import json
import random
import unittest

from support import CliTest, podium


def log(queries=40, seed=1, brands=30):
    """CSV of a log: a brand that decides, a score that is missing for half of the rows, clicks and purchases."""
    chance = random.Random(seed)
    lines = ["qid,docid,brand,bm25,noise,click,purchase,importance"]
    for query in range(queries):
        for document in range(8):
            brand, match = chance.randrange(brands), chance.random()
            liked = (brand % 3) / 2 + match + 0.3 * chance.random()
            score = f"{10 + match:.3f}" if match > 0.5 else chance.choice(["", "NULL", "?", "nan"])
            lines.append(f"q{query},d{document},b{brand},{score},{chance.random():.3f},{int(liked > 1)},"
                         f"{int(liked > 1.5)},{1 + query % 2}")
    return "\n".join(lines) + "\n"


def runs(queries, seed, engines=12):
    """Rank aggregation: the scores of engines, each of which has none for half of the documents, more often for bad ones."""
    chance = random.Random(seed)
    lines = ["label,qid," + ",".join(f"e{engine}" for engine in range(engines))]
    for query in range(queries):
        for _ in range(15):
            good = chance.gauss(0, 1)
            scores = [f"{5 + good * (0.5 + 0.05 * engine) + chance.gauss(0, 1.5):.3f}"
                      if chance.random() < (0.65 if good > 0 else 0.35) else "NULL" for engine in range(engines)]
            lines.append(f"{(good > 0.3) + (good > 1.2)},{query},{','.join(scores)}")
    return "\n".join(lines) + "\n"


READ = ("--categorical", "brand", "--label", "click*0.5+purchase", "--query-weight", "importance")


class PreparationTest(CliTest):
    def setUp(self):
        super().setUp()
        self.train, self.valid = self.path("train.csv", log()), self.path("valid.csv", log(seed=2))

    def fit(self, learner, *more, model="m.json"):
        path = self.path(model)
        self.run_ok("train", learner, "--data", self.train, "--valid", self.valid, *READ, "--model", path, *more)
        return path, json.loads(path.read_text())

    def test_the_choices_are_in_the_model_and_shown(self):
        path, saved = self.fit("linear")
        kept = saved["normalization"]
        self.assertIn(kept["impute"], ("zero", "mean", "query-mean", "query-min"))
        self.assertEqual(kept["encodings"][0]["kind"], "target")
        self.assertEqual(saved["training"]["label"], "click*0.5+purchase")
        text = self.run_ok("inspect", path)
        self.assertIn("encode brand\ttarget", text)
        self.assertIn("label\tclick*0.5+purchase", text)
        shown = self.run_json("inspect", path)["preparation"]
        self.assertEqual(shown["encode"], {"brand": "target"})
        self.assertEqual(shown["impute"], kept["impute"])

    def test_linear_models_are_near_trees_where_half_of_the_values_are_missing(self):
        train, valid, test = (self.path(name, runs(queries, seed)) for name, queries, seed in
                              (("a.csv", 80, 1), ("b.csv", 40, 2), ("c.csv", 80, 3)))

        def ndcg(learner, *more):
            model = self.path("agg.json")
            self.run_ok("train", learner, "--data", train, "--valid", valid, "--model", model, "--force", *more)
            return float(self.run_ok("eval", "--model", model, "--data", test, "--measures", "nDCG@10").split()[2])

        trees = ndcg("lambdamart", "--trees", "60")
        plain = ndcg("linear", "--impute", "zero", "--indicators", "no")
        for learner in ("linear", "ranksvm"):
            found = ndcg(learner)
            self.assertGreater(found, trees - 0.01)
            self.assertGreater(found, plain + 0.02)

    def test_equal_query_weights_change_nothing(self):
        lines = log().splitlines()
        same = "\n".join([lines[0]] + [line.rsplit(",", 1)[0] + ",3" for line in lines[1:]]) + "\n"
        data = self.path("same.csv", same)
        read = ("--categorical", "brand", "--label", "click*0.5+purchase")
        for learner in ("lambdamart", "linear"):
            scores = []
            for weights in ("--query-weight", "--ignore"):
                model = self.path(f"{learner}{weights}.json")
                self.run_ok("train", learner, "--data", data, *read, weights, "importance", "--encode", "target", "--model", model)
                scores.append(self.run_ok("score", "--model", model, "--data", data, *read, weights, "importance"))
            self.assertEqual(scores[0], scores[1])

    def test_a_constant_chosen_without_validation_is_told(self):
        data = self.path("d.csv", log())
        result = podium("train", "ranksvm", "--data", data, *READ, "--model", self.path("c.json"))
        self.assertIn("--C is 1, as there is no --valid to choose it by", result.stderr)
        given = podium("train", "ranksvm", "--data", data, *READ, "--C", "1", "--model", self.path("g.json"))
        self.assertNotIn("to choose it by", given.stderr)

    def test_scores_explanations_and_threads_agree(self):
        path, _ = self.fit("ranksvm", "--impute", "query-min", "--indicators", "yes", "--encode", "one-hot")
        scores = self.run_ok("score", "--model", path, "--data", self.valid, *READ)
        self.assertEqual(scores, self.run_ok("score", "--model", path, "--data", self.valid, *READ, "--threads", 2))
        again, _ = self.fit("ranksvm", "--impute", "query-min", "--indicators", "yes", "--encode", "one-hot",
                            "--threads", 2, model="two.json")
        self.assertEqual(path.read_bytes(), again.read_bytes())
        explained = self.run_json("explain", "--model", path, "--data", self.valid, *READ, "--query", "q0")
        for document in explained["documents"]:
            total = sum(document["contributions"].values()) + document["rest"] + document["base"]
            self.assertAlmostEqual(total, document["score"], 6)

    def test_exports_say_what_stands_in_the_way(self):
        path, _ = self.fit("linear", "--impute", "mean", "--features", "bm25,noise")
        self.assert_fails(1, r"replaces missing values \(--impute mean with indicators\)",
                          "export", "--model", path, "--to", "ranklib", "-o", self.path("out.txt"))
        path, _ = self.fit("linear", "--impute", "zero", "--indicators", "no", "--features", "bm25,noise", model="z.json")
        self.run_ok("export", "--model", path, "--to", "ranklib", "-o", self.path("out.txt"))
        path, _ = self.fit("linear", "--impute", "zero", "--indicators", "no", model="c.json")
        self.assert_fails(1, "'brand'", "export", "--model", path, "--to", "ranklib", "-o", self.path("out.txt"))

    def test_data_without_missing_values_gives_the_same_model(self):
        data, plain, chosen = self.synth(), self.path("a.json"), self.path("b.json")
        self.run_ok("train", "linear", "--data", data, "--valid", data, "--impute", "none", "--model", plain)
        self.run_ok("train", "linear", "--data", data, "--valid", data, "--model", chosen)
        self.assertEqual(plain.read_bytes(), chosen.read_bytes())
        self.assertNotIn("impute", plain.read_text())

    def test_bad_options_are_one_line(self):
        self.assert_fails(1, "train.csv:1: --label: there is no column 'clik', did you mean click\\?",
                          "train", "linear", "--data", self.train, "--label", "clik")
        self.assert_fails(2, r"--label: at the end of 'click\*': a number or a column is expected",
                          "train", "linear", "--data", self.train, "--label", "click*")
        self.assert_fails(2, "--indicators needs --impute", "train", "lambdamart", "--data", self.train, *READ,
                          "--indicators", "yes")
        self.assert_fails(2, "--impute: ", "train", "linear", "--data", self.train, *READ, "--impute", "most")

    def test_compare_has_the_options(self):
        self.run_ok("compare", "--data", self.train, *READ, "--learners",
                    "linear,a=linear(impute=mean,encode=one-hot)", "--folds", 3, "-o", self.path("results"),
                    "--measures", "nDCG@5", "--permutations", 100)


class PairsTest(CliTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(3)
        rows, pairs = ["label,qid,docid,x,y"], ["qid\tbetter\tworse\tweight"]
        for query in range(60):
            values = [chance.random() for _ in range(6)]
            rows += [f"0,q{query},d{d},{values[d]:.4f},{chance.random():.4f}" for d in range(6)]
            for _ in range(6):
                a, b = chance.sample(range(6), 2)
                better, worse = (a, b) if values[a] > values[b] else (b, a)
                pairs.append(f"q{query}\td{better}\td{worse}\t{chance.choice([1, 2])}")
        self.data, self.pairs = self.path("d.csv", "\n".join(rows) + "\n"), self.path("p.tsv", "\n".join(pairs) + "\n")

    def learned(self, learner, *more):
        model = self.path("m.json")
        self.run_ok("train", learner, "--data", self.data, "--preferences", self.pairs, "--model", model, *more)
        return model.read_bytes()

    def test_pairs_alone_teach_every_learner_over_pairs(self):
        for learner, *more in (["ranknet"], ["lambdarank"], ["lambdamart", "--trees", 30], ["ranksvm"],
                               ["gbrank", "--trees", 30], ["linear", "--loss", "exponential-pairs"],
                               ["boosting", "--loss", "fidelity-pairs", "--trees", 30], ["mlp", "--loss", "hinge-pairs"],
                               ["frank"], ["rankboost", "--pairs", "sum"]):
            for only in ([], ["--preferences-only"]):
                model = self.learned(learner, *more, *only)
                self.assertEqual(model, self.learned(learner, *more, *only, "--threads", 2))
                self.assertIn(b"preferences(", model)
                self.assertNotIn(b'"useless"', model)

    def test_the_better_documents_score_higher(self):
        self.learned("ranknet", "--preferences-only")
        scores = [float(x) for x in self.run_ok("score", "--model", self.path("m.json"), "--data", self.data).split()]
        right = 0
        lines = self.pairs.read_text().splitlines()[1:]
        for line in lines:
            query, better, worse, _ = line.split("\t")
            base = 6 * int(query[1:])
            right += scores[base + int(better[1:])] > scores[base + int(worse[1:])]
        self.assertGreater(right / len(lines), 0.9)

    def test_other_learners_refuse_by_name(self):
        for learner in ("listnet", "adarank", "svm-auc", "svm-map", "coordinate-ascent", "linear", "mart"):
            self.assert_fails(2, f"^{learner} cannot use --preferences: ", "train", learner, "--data", self.data,
                              "--preferences", self.pairs)
        self.assert_fails(2, "--preferences-only needs --preferences", "train", "ranknet", "--data", self.data, "--preferences-only")

    def test_the_other_meaning_of_pairs_gets_a_hint(self):
        for learner in ("ranksvm", "frank"):
            self.assert_fails(2, r"^--pairs: '\S+p.tsv' is not one of average, sum; pairs to learn from are --preferences \S+p.tsv$",
                              "train", learner, "--data", self.data, "--pairs", self.pairs)
        self.assert_fails(2, "--pairs: 'mean' is not one of average, sum", "train", "ranksvm", "--data", self.data, "--pairs", "mean")
        for learner in ("lambdamart", "ranknet"):
            self.assert_fails(2, r"^unknown argument '--pairs', did you mean --preferences\?$",
                              "train", learner, "--data", self.data, "--pairs", self.pairs)

    def test_structured_losses_say_why_they_take_no_pairs(self):
        self.assert_fails(2, "structured-auc compares whole rankings of graded documents", "train", "svm-auc",
                          "--data", self.data, "--preferences", self.pairs)

    def test_bad_pairs_are_named_with_their_line(self):
        for text, message in (("q0,d1,d1\n", "bad.csv:1: document 'd1' is preferred to itself"),
                              ("q0,d1,d2\nq0,d1,d9\n", "bad.csv:2: query 'q0' has no document 'd9'"),
                              ("q0,d1,d2\nq99,d1,d2\n", "bad.csv:2: the data has no query 'q99'"),
                              ("q0,d1,d2,-1\n", "bad.csv:1: the weight is '-1'"),
                              ("q0,d1\n", "bad.csv:1: the row has 2 fields"),
                              ("qid,better\n", "bad.csv:1: there is no column 'worse'"),
                              ("qid,better,worse\n", "bad.csv: the file has no pairs")):
            self.assert_fails(1, message, "train", "ranknet", "--data", self.data,
                              "--preferences", self.path("bad.csv", text))
        rows = "label,qid,docid,x\n1,a,a1,1\n0,a,a2,2\n1,b,b1,3\n0,b,b2,4\n"
        self.assert_fails(1, "bad.csv:1: document 'b1' is one of query 'b', not of 'a'", "train", "ranknet",
                          "--data", self.path("two.csv", rows), "--preferences", self.path("bad.csv", "a,a1,b1\n"))

    def test_documents_without_ids_have_numbers_and_cycles_are_allowed(self):
        data = self.path("n.txt", "0 qid:1 1:1\n0 qid:1 1:2\n0 qid:1 1:3\n0 qid:2 1:5\n0 qid:2 1:4\n")
        self.run_ok("train", "ranksvm", "--data", data, "--preferences-only",
                    "--preferences", self.path("p.csv", "1,3,1\n1,1,2\n1,2,3\n2,1,2,\n".replace("2,1,2,", "2,1,2")))
        self.assert_fails(1, "p.csv:1: '4' is not a document of query '1': the data has no docids, so documents are "
                             "numbers from 1 to 3", "train", "ranksvm", "--data", data,
                          "--preferences", self.path("p.csv", "1,4,1\n"))

    def test_neither_the_order_of_rows_nor_of_pairs_matters(self):
        rows = ["1,1,a,1,0", "0,1,b,2,1", "0,1,c,2,1", "0,1,d,3,5", "1,2,a2,1,1", "0,2,b2,2,4", "0,2,c2,2,2"]
        pairs = ["1,b,a,0.3", "1,b,d,0.7", "1,c,d,0.1", "1,d,c,1.3"]

        def model(name, rows, pairs):
            data = self.path(f"{name}.csv", "label,qid,docid,x,y\n" + "\n".join(rows) + "\n")
            out = self.path(f"{name}.json")
            self.run_ok("train", "lambdamart", "--trees", 20, "--min-docs", 1, "--noise", 1, "--data", data,
                        "--preferences", self.path(f"{name}.pairs.csv", "\n".join(pairs) + "\n"), "--model", out)
            return out.read_bytes()

        first = model("first", rows, pairs)
        self.assertEqual(model("rows", [rows[i] for i in (2, 1, 0, 3, 6, 4, 5)], pairs), first)
        self.assertEqual(model("pairs", rows, pairs[::-1]), first)


if __name__ == "__main__":
    unittest.main()
