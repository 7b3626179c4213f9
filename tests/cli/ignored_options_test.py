"""Options without effect given the others, and misspelt choices, are refused in one line."""
import unittest

from support import CliTest, podium


class IgnoredOptionsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.valid = self.synth("valid.txt", 20, 2)

    def refused(self, pattern, *arguments):
        self.assert_fails(2, pattern, *arguments)

    def test_a_bin_rule_needs_bins(self):
        self.refused("--bin-rule needs --bins", "train", "linear", "--data", self.data, "--bin-rule", "even")
        self.refused("--bin-rule needs --bins", "tune", "lambdamart", "--data", self.data, "--valid",
                     self.valid, "--bin-rule", "even")
        self.refused("--bin-rule needs --bins", "compare", "--data", self.data, "--learners",
                     "feature,linear", "--bin-rule", "even")
        self.refused("--bin-rule needs --bins", "prepare", self.data, "-o", self.path("out.txt"),
                     "--bin-rule", "even")
        self.run_ok("train", "linear", "--data", self.data, "--bin-rule", "even", "--bins", 3, "--quiet")
        self.run_ok("train", "svm-acc", "--variant", "acc3", "--data", self.data, "--bin-rule", "quantile", "--quiet")

    def test_linear_accepts_the_options_of_its_optimizer(self):
        train = ["train", "linear", "--data", self.data]
        self.refused("--C belongs to --optimizer cutting-plane, and the loss squared is trained by the exact",
                     *train, "--C", 3)
        self.refused("--epochs belongs to --optimizer lbfgs", *train, "--epochs", 7)
        self.refused("--l2 belongs to the exact solution", *train, "--loss", "logistic-pairs", "--l2", 1)
        self.refused("--C belongs to", *train, "--optimizer", "lbfgs", "--C", 3)
        self.run_ok(*train, "--C", 3, "--optimizer", "cutting-plane", "--quiet")
        self.run_ok(*train, "--C", "auto", "--l2", 3, "--quiet")  # the default may be given

    def test_early_stopping_needs_validation_data(self):
        train = ["train", "lambdamart", "--trees", 2, "--data", self.data]
        self.refused("--early-stopping needs --valid", *train, "--early-stopping", 5)
        self.run_ok(*train, "--early-stopping", 0, "--quiet")

    def test_columns_belong_to_csv(self):
        for option in ("--label-column", "--host-column"):
            message = f"{option} applies to CSV and TSV, but .*valid.txt is read as LETOR text"
            self.refused(message, "inspect", self.valid, option, "x")
            self.refused(message, "train", "linear", "--data", self.valid, option, "x")
            self.refused(message, "tune", "mart", "--data", self.valid, "--valid", self.valid, option, "x")
            self.refused(message, "compare", "--data", self.valid, "--learners", "feature", option, "x")
        table = self.path("table.csv")
        self.run_ok("prepare", self.data, "-o", table)
        table.write_text(table.read_text().replace("label,", "stars,", 1))
        self.run_ok("train", "linear", "--data", table, "--valid", self.valid, "--label-column", "stars", "--quiet")

    def test_a_single_process_has_no_rank_timeout(self):
        self.refused("--rank-timeout only applies under mpirun", "train", "linear", "--data", self.data, "--rank-timeout", 5)

    def test_pointwise_adds_to_other_losses(self):
        for learner in ("linear", "mart"):
            self.refused(f"--pointwise adds squared error to other losses, and {learner} trains on the loss squared",
                         "train", learner, "--data", self.data, "--pointwise", 0.5)
        self.refused("--pointwise adds squared error", "compare", "--data", self.data, "--learners",
                     "feature,mart(pointwise=0.5)")
        self.run_ok("train", "linear", "--loss", "logistic-pairs", "--data", self.data, "--pointwise", 0.5, "--quiet")

    def test_comparisons(self):
        compare = ["compare", "--data", self.data, "--learners", "feature"]
        self.refused("--search needs --tune", *compare, "--search", "successive-halving")

    def test_parts_of_commands(self):
        model = self.path("m.json")
        self.run_ok("train", "linear", "--data", self.data, "--model", model, "--quiet")
        explain = ["explain", "--model", model, "--data", self.data]
        self.refused("--from requires --line", *explain, "--query", 1, "--from", 0)
        self.refused("--top excludes --line", *explain, "--line", 1, "--top", 3)
        self.refused("--absent needs --data", "eval", "--qrels", "q", "--run", "r", "--absent", "missing")
        self.folder.joinpath("results").mkdir()
        self.refused("--max-body needs --model", "serve", self.path("results"), "--max-body", 5)
        self.refused("--token needs --model", "serve", self.path("results"), "--token", "x")

    def test_lists_have_no_empty_items(self):
        run = self.path("a.run", "1 Q0 d1 1 0.5 x\n")
        self.refused("a name in the list is empty", "fuse", "--runs", f"{run},")
        self.refused("a name in the list is empty", "fuse", "--runs", f"{run},,{run}")
        self.assertIn("d1", self.run_ok("fuse", "--runs", f"{run}", run, "--quiet"))
        self.assertIn("d1", self.run_ok("fuse", "--runs", f"{run},{run}", "--quiet"))
        for measures in ("RR,", ",RR", "RR,,AP"):
            self.refused(f"the list of measures '{measures}' has an empty item", "train", "linear", "--data",
                         self.data, "--measure", measures)

    def test_misspelt_choices_name_the_nearest(self):
        for command in (["tune", "lambdamart", "--data", self.data, "--valid", self.valid],
                        ["compare", "--data", self.data, "--learners", "feature", "--tune", 2]):
            self.refused("--search: 'successive-halvin' is not one of latin-hypercube, successive-halving, "
                         "did you mean successive-halving\\?", *command, "--search", "successive-halvin")
            self.refused("--search: 'leaves=1-4' is not one of latin-hypercube, successive-halving", *command,
                         "--search", "leaves=1-4")
        self.refused("unknown argument '--leafs', did you mean --leaves\\?", "tune", "lambdamart", "--data",
                     self.data, "--valid", self.valid, "--leafs", 3)
        self.refused("unknown option 'leafs', did you mean leaves\\?", "compare", "--data", self.data,
                     "--learners", "feature,lambdamart(leafs=3)")
        self.refused("unknown option 'zzz'; there are .*leaves, .*learning-rate", "compare", "--data", self.data,
                     "--learners", "feature,lambdamart(zzz=3)")
        self.refused("--leaves 1: must be 2 or more", "compare", "--data", self.data,
                     "--learners", "feature,lambdamart(leaves=1)")

    def test_one_system_has_nothing_to_be_significant_against(self):
        text = self.run_ok("compare", "--data", self.data, "--learners", "feature", "--folds", 3, "--quiet")
        self.assertIn("no tests: only one system", text)
        self.assertNotIn("significant", text)
        self.assertNotIn("against", text)
        self.assertIn("sd of nDCG@10 over folds: 0.", text)
        two = self.run_ok("compare", "--data", self.data, "--learners", "feature,linear", "--folds", 3, "--quiet")
        self.assertRegex(two, r"(\*\*|none) significant \(")

    def test_one_is_singular(self):
        one = self.path("one.txt", "1 qid:1 1:0.5\n")
        self.assertEqual(self.run_ok("prepare", one, "-o", self.path("two.txt")),
                         f"{self.path('two.txt')}: 1 query, 1 document, 1 feature\n")
        run = self.path("a.run", "1 Q0 d1 1 0.5 x\n")
        self.assertIn("combsum of 1 run, 1 topic, 1 document",
                      self.run_ok("fuse", "--runs", run, "--method", "combsum", "-o", self.path("f.run")))
        apart = self.path("apart.txt", "1 qid:1 1:1\n0 qid:2 1:1\n0 qid:1 1:2\n")
        self.assertIn("1 row was not next to the others of its qid and has been regrouped",
                      podium("inspect", apart).stderr)


if __name__ == "__main__":
    unittest.main()
