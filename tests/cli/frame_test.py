"""What every command shares: --config, --seed, --json, hostile files, interrupted runs."""
import gzip
import json
import os
import signal
import subprocess
import time
import unittest

from support import PODIUM, CliTest


class FrameTest(CliTest):
    def fails_with_config(self, code, pattern, text):
        self.assert_fails(code, pattern, "synth", "--queries", 2, "-o", self.path("x.txt"), "--config",
                          self.path("c.toml", text))

    def test_command_line_overrides_the_configuration(self):
        config = self.path("c.toml", f'output = "{self.path("no.txt")}"\nqueries = 3\n')
        self.run_ok("synth", "--config", config, "-o", self.path("yes.txt"))
        self.assertFalse(self.path("no.txt").exists())
        self.run_ok("synth", "--config", config, "--queries", 2)
        self.assertEqual(self.run_json("inspect", self.path("no.txt"))["queries"], 2)

    def test_a_section_goes_before_the_top(self):
        config = self.path("c.toml", "docs = 2 # documents\r\n[synth]\r\ndocs = 5\n[train]\ntrees = 1_000\n")
        self.run_ok("synth", "--config", config, "--queries", 3, "-o", self.path("x.txt"))
        self.assertEqual(self.run_json("inspect", self.path("x.txt"))["documents"], 15)

    def test_lists_flags_and_the_learner_of_a_configuration(self):
        config = self.path("c.toml", """learner = "lambdamart"
trees = 2_0
json = true
measure = [
  "AP",  # the first chooses
  'nDCG@5',
]
train.seed = 4
""")
        summary = json.loads(self.run_ok("train", "--config", config, "--data", self.synth(), "--quiet"))
        self.assertEqual((summary["learner"], summary["options"]["trees"]), ("lambdamart", 20))
        self.assertEqual(list(summary["measures"]["train"]), ["AP", "nDCG@5"])
        summary = self.run_json("train", "linear", "--config", self.path("d.toml", 'learner = "mart"\n'), "--data",
                                self.path("data.txt"))
        self.assertEqual(summary["learner"], "linear")

    def test_bad_configurations(self):
        self.fails_with_config(2, r"c\.toml:2: section 'syn'.*did you mean synth", "[syn]\nqueries = 3\n")
        self.fails_with_config(2, "another one", 'config = "d.toml"\n')
        self.fails_with_config(2, r"c\.toml:3: podium synth has no option 'doc', did you mean docs", "# c\n\ndoc = 3\n")
        self.fails_with_config(2, r"c\.toml:1: --docs: 'x' is not a whole number", 'docs = "x"\n')
        self.fails_with_config(2, r"c\.toml:2: --threads: Value 0 not in range", "[synth]\nthreads = 0\n")
        self.fails_with_config(2, r'c\.toml:1: .*write text in quotes, preset = "letor"', "preset = letor\n")
        self.fails_with_config(2, r"c\.toml:1: 'docs' needs a value", "docs\n")
        self.fails_with_config(2, r"c\.toml:1: 'docs' has no value", "docs =\n")
        self.fails_with_config(2, r"c\.toml:2: 'docs' is already set in line 1", "docs = 3\ndocs = 4\n")
        self.fails_with_config(2, r"c\.toml:1: text in quotes must end", 'preset = "letor\n')
        self.fails_with_config(2, r"c\.toml:1: '4' after the end", "docs = 3 4\n")
        self.fails_with_config(2, r"c\.toml:3: the list of 'docs' needs a comma", "docs = [\n3\n4\n")
        self.fails_with_config(2, r"c\.toml:1: section 'synth' needs a closing", "[synth\n")
        self.fails_with_config(2, "not a TOML file", "\0\1\n")
        self.fails_with_config(1, "larger than the 1048576 bytes", "#" * (1 << 20) + "\n")
        out = ("synth", "-o", self.path("x.txt"))
        self.assert_fails(1, "is a directory", *out, "--config", self.folder)
        self.assert_fails(1, "cannot be opened", *out, "--config", self.path("absent.toml"))
        self.assert_fails(2, "needs a file", *out, "--config=")
        config = self.path("c.toml", "queries = 3\n")
        self.assert_fails(2, "given twice", *out, "--config", config, "--config", config)
        self.assertFalse(self.path("x.txt").exists())

    def test_seeds_are_not_wrapped_around(self):
        for seed in ("-1", "18446744073709551616", "1.5", "x", ""):
            self.assert_fails(2, "--seed: .* whole number", "synth", "-o", self.path("x.txt"), f"--seed={seed}")
        self.run_ok("synth", "--queries", 2, "-o", self.path("x.txt"), "--seed", 2**64 - 1)

    def test_limits_show_a_short_range(self):
        self.assert_fails(2, r"--depth: Value 0 not in range 1 to 1000000000 ", "eval", "--depth", "0")

    def test_json_needs_standard_output_alone(self):
        data, model = self.synth(), self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--model", model)
        score = ("score", "--model", model, "--data", data)
        for command in (("synth", "-o", "-"), ("prepare", data, "-o", "-"), score):
            self.assert_fails(2, "give -o FILE", *command, "--json")
        report = self.run_json(*score, "-o", self.path("s.txt"))
        self.assertEqual(report, {"schema": 1, "file": str(self.path("s.txt")), "model": str(model), "queries": 40,
                                  "documents": 480})

    def test_scores_are_numbers(self):
        data, model = self.synth(), self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--model", model)
        saved = json.loads(model.read_text())
        saved["model"]["weights"] = [1e308 for _ in saved["model"]["weights"]]
        model.write_text(json.dumps(saved))
        self.assert_fails(1, r"data\.txt: the model .*m\.json gives row \d+ the score", "score", "--model", model,
                          "--data", data, "-o", self.path("s.txt"))
        self.assertFalse(self.path("s.txt").exists())

    def test_models_that_decompress_to_too_much(self):
        bomb = self.path("m.json.gz")
        with gzip.open(bomb, "wb", compresslevel=1) as file:
            for _ in range(300):
                file.write(bytes(1 << 20))
        self.assert_fails(1, r"m\.json\.gz: larger than", "inspect", bomb)

    def test_names_the_list_command(self):
        self.assert_fails(2, "`podium losses`", "losses", "x")

    def test_full_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        for command in ("--help", "learners"):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PODIUM, command], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((result.returncode, result.stderr),
                             (1, "podium: error: cannot write to standard output\n"))

    def test_interrupted_runs_leave_nothing(self):
        data = self.path("data.podium")
        self.run_ok("synth", "--queries", 4000, "--docs", 50, "--features", 30, "-o", data)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([PODIUM, "prepare", data, "-o", self.path("out.txt.gz"), "--quiet"])
            while process.poll() is None and len(list(self.folder.iterdir())) < 2:
                time.sleep(0.001)
            process.send_signal(number)
            self.assertEqual(process.wait(60), -number)
            self.assertEqual(list(self.folder.iterdir()), [data])


if __name__ == "__main__":
    unittest.main()
