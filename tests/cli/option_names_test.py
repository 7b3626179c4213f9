"""The library names options, and the program spells them: --bound ramp, and nowhere ‹bound ramp›."""
import json
import unittest

from support import CliTest, podium


class OptionNamesTest(CliTest):
    def assert_spelled(self, text):
        self.assertNotIn("‹", text)

    def test_help_of_all_learners(self):
        for learner in json.loads(podium("learners", "--json").stdout)["learners"]:
            name = learner["name"]
            for words in (["train", name, "--help"], ["learners", name], ["learners", name, "--json"]):
                self.assert_spelled(podium(*words).stdout)
        self.assertIn("auto: the one given by --measure", podium("learners", "adarank").stdout)
        self.assertIn("auto: the one given by --measure", podium("train", "adarank", "--help").stdout.replace("\n", " "))

    def test_help_of_other_commands(self):
        for command in ("prepare", "compare", "eval", "synth", "export", "import", "fuse"):
            self.assert_spelled(podium(command, "--help").stdout)
        self.assert_spelled(podium("--dump-interface").stdout)

    def test_errors(self):
        data = self.synth()
        train = ["train", "directrank-trees", "--data", data]
        self.assert_fails(2, "^--min-weight 0.5 is not below --max-weight 0.3",
                          *train, "--min-weight", 0.5, "--max-weight", 0.3)
        self.assert_fails(2, "^--monotone does not hold .*: leave out --weigh leaves",
                          *train, "--monotone", "1:+1", "--weigh", "leaves")
        self.assert_fails(2, "^--trees: 'x' is not a whole number", *train, "--trees", "x")
        self.assert_fails(2, "^--objective: unknown measure 'nothing'",
                          "train", "lambdamart", "--data", data, "--objective", "nothing")
        self.assert_fails(2, "^loss 'listmle@x': k: 'x' is not a whole number",
                          "train", "linear", "--data", data, "--loss", "listmle@x")

    def test_notes(self):
        data = self.synth()
        train = ["train", "directrank-trees", "--trees", 2, "--leaves", 2, "--data", data]
        self.assertIn("--learning-rate 0.3 --query-fraction 0.5 --weigh-on held-out", podium(*train).stderr)
        lines = [json.loads(line) for line in podium(*train, "--progress", "json").stderr.splitlines()]
        notes = " ".join(line.get("note", "") for line in lines)
        self.assertIn("--weigh-on held-out", notes)
        self.assert_spelled(notes)

    def test_useless_models(self):
        data = self.synth()
        model = self.path("model.json")
        done = podium("train", "mart", "--data", data, "--min-docs", 100000, "--model", model, "--json")
        self.assertIn("too few documents for --min-docs", done.stderr)
        self.assertIn("too few documents for --min-docs", json.loads(done.stdout)["useless"])
        self.assertIn("too few documents for --min-docs", podium("inspect", model).stdout)


if __name__ == "__main__":
    unittest.main()
