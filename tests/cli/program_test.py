"""The program around its commands: help, completion, misspelled options, progress, --quiet, files that are kept."""
import json
import os
import pty
import re
import subprocess
import unittest

from support import PODIUM, CliTest, podium


class HelpTest(CliTest):
    def test_of_the_program_and_a_command(self):
        self.assertEqual(self.run_ok("help"), self.run_ok("--help"))
        self.assertEqual(self.run_ok("help", "train"), self.run_ok("train", "--help"))
        self.assertEqual(self.run_ok("help", "train", "lambdamart"), self.run_ok("train", "lambdamart", "--help"))
        self.assertIn("podium help train", self.run_ok("help", "help"))

    def test_of_a_learner_a_loss_and_a_measure(self):
        self.assertEqual(self.run_ok("help", "lambdamart"), self.run_ok("learners", "lambdamart"))
        self.assertEqual(self.run_ok("help", "softmax"), self.run_ok("losses", "softmax"))
        self.assertEqual(self.run_ok("help", "nDCG@10"), self.run_ok("measures", "nDCG"))
        for one, many in (("learner", "learners"), ("loss", "losses"), ("measure", "measures")):
            self.assertEqual(self.run_ok("help", one), self.run_ok(many))

    def test_of_what_does_not_exist(self):
        result = podium("help", "lambdamrt")
        self.assertEqual((result.returncode, result.stderr), (2, "podium: error: no help on 'lambdamrt', did you mean "
                                                              "lambdamart? (podium help lists the commands)\n"))

    def test_completion(self):
        for shell, word in (("bash", "complete -F _podium podium"), ("zsh", "#compdef podium"), ("fish", "complete -c podium")):
            self.assertIn(word, self.run_ok("completion", shell))
        self.assert_fails(2, "'fishy' is not one of bash, zsh, fish, did you mean fish", "completion", "fishy")


class OptionTest(CliTest):
    def test_misspelled_options_come_before_missing_ones(self):
        self.assert_fails(2, "unknown argument '--dat', did you mean --data", "train", "linear", "--dat", "d.txt")
        self.assert_fails(2, "unknown argument '--dat', did you mean --data", "train", "--dat", "d.txt")
        self.assert_fails(2, "'--learn', did you mean --learners", "compare", "--data", "d.txt", "--learn", "linear")

    def test_names_of_other_tools(self):
        train = ("train", "lambdamart", "--data", "d.txt")
        for other, own in (("--n_estimators", "--trees"), ("--num-leaves", "--leaves"), ("--learning_rate=0.1", "--learning-rate"),
                           ("--n_jobs", "--threads"), ("--categorical_feature", "--categorical"), ("--min_split_loss", "--min-gain")):
            self.assert_fails(2, f"unknown argument '{other.split('=')[0]}', did you mean {own}\\?$", *train, other, 3)
        self.assert_fails(2, "unknown argument '--n_estimators', did you mean --rounds\\?$", "train", "adarank", "--data", "d.txt",
                          "--n_estimators", 3)

    def test_a_file_without_its_option(self):
        data = self.synth()
        self.assert_fails(2, rf"unknown argument '{data}', did you mean --data {data}\?$", "train", "linear", data)
        self.assert_fails(2, "unknown argument 'nowhere.csv'$", "train", "linear", "nowhere.csv")

    def test_abbreviations_of_several(self):
        self.assert_fails(2, "'--lea', did you mean --leaves or --learning-rate or --leaf-values", "train", "lambdamart",
                          "--data", "d.txt", "--lea", 3)


class QuietTest(CliTest):
    def quietly(self, *arguments):
        result = podium(*arguments, "--quiet")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_nothing_is_printed_about_files(self):
        data, model, scores = self.path("d.txt"), self.path("m.json"), self.path("s.txt")
        self.assertEqual(self.quietly("synth", "--queries", 20, "--docs", 8, "-o", data), "")
        self.assertEqual(self.quietly("prepare", data, "-o", self.path("d.csv")), "")
        self.assertEqual(self.quietly("train", "linear", "--data", data, "--model", model), "")
        self.assertEqual(self.quietly("score", "--model", model, "--data", data, "-o", scores), "")
        self.assertIn("nDCG@10", self.quietly("eval", "--data", data, "--model", model))
        self.assertIn("learner\tlinear", self.quietly("train", "linear", "--data", data))


class ModelFileTest(CliTest):
    def test_files_that_are_no_models_are_kept(self):
        data = self.synth()
        text = data.read_text()
        for command in (("train", "linear"), ("tune", "linear", "--valid", data, "--trials", 1)):
            train = (*command, "--data", data, "--model", data)
            self.assert_fails(2, r"data\.txt: --model: this file is not a model.*--force", *train)
            self.assertEqual(data.read_text(), text)
        other = self.path("m.json.zst", "not packed")
        self.assert_fails(2, "not a model", "train", "linear", "--data", data, "--model", other)
        self.run_ok("train", "linear", "--data", data, "--model", other, "--force")
        self.run_ok("train", "linear", "--data", data, "--model", other)
        self.assert_fails(2, "--force requires --model", "train", "linear", "--data", data, "--force")

    def test_flags_may_come_before_the_learner(self):
        data, model = self.synth(), self.path("m.json", "x")
        self.run_ok("train", "--data", data, "--model", model, "--force", "lambdamart", "--trees", 2)
        self.run_ok("train", "--strict", "lambdamart", "--data", data, "--trees", 20)

    def test_an_empty_file_has_nothing_to_lose(self):
        self.run_ok("train", "linear", "--data", self.synth(), "--model", self.path("m.json", ""))


class ProgressTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.path("data.podium")
        self.run_ok("synth", "--queries", 600, "--docs", 50, "--features", 50, "-o", self.data)

    def command(self, trees, *more):
        return [PODIUM, "train", "lambdamart", "--data", str(self.data), "--trees", str(trees), "--threads", "1", *more]

    def test_json_lines_say_how_long_it_takes(self):
        process = subprocess.Popen(self.command(100000, "--progress", "json"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            event = json.loads(line)
            if "seconds_left" in event:
                break
        process.kill()
        process.wait()
        process.stderr.close()
        self.assertGreater(event["seconds_left"], 1)
        self.assertEqual(event["total"], 100000)

    def test_a_terminal_says_how_long_it_takes(self):
        master, terminal = pty.openpty()
        process = subprocess.Popen(self.command(100000), stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        shown = ""
        while not re.search(r"/100000, about [0-9.e+]+ (s|minutes|hours|days) left", shown):
            shown += os.read(master, 4096).decode(errors="replace")
        process.kill()
        process.wait()
        os.close(master)


if __name__ == "__main__":
    unittest.main()
