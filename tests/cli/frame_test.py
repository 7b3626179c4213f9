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

    def test_bad_configurations(self):
        self.fails_with_config(2, r"c\.toml: section 'syn'.*did you mean synth", "[syn]\nqueries = 3\n")
        self.fails_with_config(2, "another one", 'config = "d.toml"\n')
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
        self.assertEqual(report, {"file": str(self.path("s.txt")), "model": str(model), "queries": 40,
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
