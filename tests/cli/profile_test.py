"""--profile: what a run would take on more threads, and that the parallel parts stay parallel."""
import unittest

from support import CliTest, podium

# What one round of boosting consists of.
ROUNDS = ["derivatives", "scaling derivatives", "rounding derivatives", "histograms", "splits", "moving documents", "leaf values", "adding trees to scores"]
# Work over span of whole trainings with reading and preparing, by learner: about half of what it is.
BOUNDS = {
    ("svm-map", "--C", "1"): 12,
    ("lambdarank", "--epochs", "4"): 5,
    ("lambdarank", "--hidden", "64,32", "--epochs", "2"): 5,
    ("adarank", "--rounds", "20"): 8,
    ("rankboost", "--rounds", "20"): 5,
    ("ranksvm", "--C", "1"): 12,
}


class ProfileTest(CliTest):
    def data(self, queries):
        path = self.path("data.podium")
        self.run_ok("synth", "--preset", "mslr", "--queries", queries, "--seed", 1, "--quiet", "-o", path)
        return path

    def profile(self, *arguments):
        report = self.run_json(*arguments, "--profile", "--quiet")["profile"]
        return {phase["name"]: phase for phase in report["phases"]}, report["total"]

    def test_boosting_is_work_without_a_long_chain(self):
        phases, total = self.profile("train", "lambdamart", "--data", self.data(2500), "--trees", 8)
        work, span = (sum(phases[name][what] for name in ROUNDS) for what in ("work", "span"))
        self.assertGreater(work / span, 40)
        self.assertGreater(phases["histograms"]["regions"], 8 * 30)
        self.assertLess(total["predicted"]["16"], total["predicted"]["2"])

    def test_other_learners_stay_as_parallel_as_they_are(self):
        data = self.data(1000)
        for learner, bound in BOUNDS.items():
            with self.subTest(learner=learner):
                _, total = self.profile("train", *learner, "--data", data)
                self.assertGreater(total["work"] / total["span"], bound)

    def test_the_model_is_the_same(self):
        data = self.data(30)
        for name, more in (("a", ["--profile"]), ("b", ["--threads", 2])):
            self.run_ok("train", "lambdamart", "--data", data, "--trees", 5, "--model", self.path(f"{name}.json"), "--quiet", *more)
        self.assertEqual(self.path("a.json").read_bytes(), self.path("b.json").read_bytes())

    def test_every_command_that_has_it_shows_a_table(self):
        data, model, scores = self.data(10), self.path("m.json"), self.path("s.txt")
        runs = [("train", "linear", "--data", data, "--model", model), ("score", "--model", model, "--data", data, "-o", scores),
                ("eval", "--data", data, "--scores", scores), ("prepare", data, "-o", self.path("other.podium"))]
        for arguments in runs:
            with self.subTest(command=arguments[0]):
                done = podium(*arguments, "--profile", "--quiet")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r"processor seconds .* 64 t\n(.*\n)+total ")


if __name__ == "__main__":
    unittest.main()
