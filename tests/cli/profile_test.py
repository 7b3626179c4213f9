"""--profile: what a run would take on more threads, and that the parallel parts stay parallel."""
import unittest

from support import CliTest, podium

# What one round of boosting consists of.
ROUNDS = ["derivatives", "scaling derivatives", "rounding derivatives", "histograms", "splits", "moving documents", "leaf values", "adding trees to scores"]
# Work over span of whole trainings, reading and preparing included: about half of what was seen.
BOUNDS = {
    ("svm-map", "--C", "1"): 14,
    ("ranksvm", "--C", "1"): 16,
    ("lambdarank", "--epochs", "4"): 3,
    ("lambdarank", "--hidden", "64,32", "--epochs", "2"): 3,
    ("adarank", "--rounds", "20"): 7,
    ("rankboost", "--rounds", "20"): 4,
}
TRIES = 5  # what else runs on the machine can only lengthen a phase: the shortest of several runs counts


class ProfileTest(CliTest):
    def data(self, queries):
        path = self.path("data.podium")
        self.run_ok("synth", "--preset", "mslr", "--queries", queries, "--seed", 1, "--quiet", "-o", path)
        return path

    def profile(self, *arguments):
        report = self.run_json(*arguments, "--profile", "--quiet")["profile"]
        return {phase["name"]: phase for phase in report["phases"]}, report["total"]

    def total(self, *arguments):
        _, total = self.profile(*arguments)
        return {"total": total}

    def rounds(self, data):
        phases, total = self.profile("train", "lambdamart", "--data", data, "--trees", 10, "--leaves", 31)
        self.assertGreater(phases["histograms"]["regions"], 10 * 20)
        self.assertLess(total["predicted"]["16"], total["predicted"]["2"])
        return {name: phases[name] for name in ROUNDS}

    def assert_reaches(self, bound, run):
        """The work of all phases over their spans, each phase at its shortest among the runs so far."""
        shortest, seen = {}, []
        while len(seen) < TRIES and max(seen, default=0) < bound:
            for name, phase in run().items():
                shortest[name] = min(shortest.get(name, phase), phase, key=lambda one: one["span"])
            work, span = (sum(phase[what] for phase in shortest.values()) for what in ("work", "span"))
            seen.append(work / span)
        self.assertGreaterEqual(max(seen), bound, f"of {seen}")

    def test_boosting_is_work_without_a_long_chain(self):
        data = self.data(10000)
        self.assert_reaches(40, lambda: self.rounds(data))

    def test_other_learners_stay_as_parallel_as_they_are(self):
        data = self.data(1000)
        for learner, bound in BOUNDS.items():
            with self.subTest(learner=learner):
                self.assert_reaches(bound, lambda learner=learner: self.total("train", *learner, "--data", data))

    def test_constants_before_the_first_tree_are_found_in_few_steps(self):
        # Near the optimum the loss rises and falls by its rounding, which no halving of the step changes.
        path = self.path("long.txt")
        self.run_ok("synth", "--queries", 40, "--docs", 800, "--features", 10, "--quiet", "-o", path)
        phases, _ = self.profile("train", "mcrank", "--data", path, "--trees", 1)
        self.assertLess(phases["derivatives"]["regions"], 60)

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
