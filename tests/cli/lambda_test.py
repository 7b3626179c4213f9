"""λ-functions on the command line: lambdarank's options, check-loss, and the guide's page about both."""
import json
import pathlib
import re
import shlex
import unittest

from support import CliTest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/guide"


class LambdaTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth("train.txt", 30, 1)
        self.synth("vali.txt", 20, 2)

    def trained(self, *arguments):
        model = self.path("model.json")
        self.run_ok("train", *arguments, "--epochs", 5, "--data", self.data, "--model", model, "--quiet")
        return json.loads(model.read_text())

    def test_plain_gradients_are_the_default(self):
        plain = self.trained("lambdarank")
        self.assertEqual(plain["loss"], "lambda-ndcg(truncation=0,norm=none)")
        other = self.trained("lambdarank", "--norm", "lightgbm", "--truncation", 30)
        self.assertEqual(other["loss"], "lambda-ndcg")
        self.assertNotEqual(plain["model"], other["model"])
        same = self.trained("mlp", "--hidden", "", "--loss", "lambda-ndcg", "--learning-rate", 0.01)
        self.assertEqual(same["model"], other["model"])
        self.assertEqual(self.trained("mlp")["loss"], "lambda-ndcg")
        self.assert_fails(2, "norm", "train", "lambdarank", "--data", self.data, "--norm", "LightGBM")

    def test_commands_of_the_guide_run(self):
        for page in ("gradient-learners.md", "write-your-own-loss.md"):
            text = (GUIDE / page).read_text()
            commands = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
                        for line in block.splitlines() if line.startswith("podium ")]
            self.assertGreater(len(commands), 2, page)
            for command in commands:
                self.run_ok(*shlex.split(command)[1:], cwd=self.folder)

    def test_check_loss_answers_as_the_guide_says(self):
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in (GUIDE / "write-your-own-loss.md").read_text().splitlines() if line.startswith("| `")]
        self.assertGreater(len(rows), 6)
        for loss, exists, convex in rows:
            check = self.run_json("check-loss", loss.split("`")[1])
            self.assertEqual(check["cost_exists"], exists.startswith("yes"), loss)
            self.assertEqual(check["convex"], convex.startswith("yes"), loss)
            self.assertEqual(check["value_fits"], check["cost_exists"], loss)

    def test_check_loss_in_words(self):
        text = self.run_ok("check-loss", "margin-pairs(delta=2,form=literal)+100*score-ridge", "--lists", 50)
        lines = [line.split("\t") for line in text.splitlines()]
        answers = {line[0]: line[1] for line in lines if line[0]}
        self.assertEqual(answers["loss"], "margin-pairs(delta=2,form=literal)+100*score-ridge")
        self.assertRegex(answers["cost"], "^exists: .* loops")
        self.assertRegex(answers["convex"], "^no: ")
        self.assertEqual(answers["value"], "its slopes are the derivatives")
        self.assert_fails(2, "unknown loss 'lambdarank'", "check-loss", "lambdarank")


if __name__ == "__main__":
    unittest.main()
