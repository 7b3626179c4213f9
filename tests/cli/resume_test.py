"""Training runs that are killed and resumed end with the same model as an uninterrupted run.

PODIUM_KILLS is how often each is killed (default 1; `make test-kill`: 20). With more than the default, real
data is used too, from PODIUM_DATA.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from support import PODIUM, CliTest, podium

DEFAULT_KILLS = 1
OFTEN = "0.005"  # seconds between checkpoints
KILLS = int(os.environ.get("PODIUM_KILLS", DEFAULT_KILLS))

# One of each kind of trainer: the learner and options that make it take about a second.
FAMILIES = {
    "boosting": ("lambdamart", "--trees", 300, "--leaves", 15, "--early-stopping", 0),
    "boosting with outputs": ("mcrank", "--trees", 60, "--leaves", 15, "--early-stopping", 0),
    "cutting planes": ("svm-map", "--C", "0.01,0.1,1,10", "--epsilon", "1e-4"),
    "concave-convex steps": ("svm-map", "--bound", "ramp", "--C", "1,100,10000", "--epsilon", "1e-5"),
    "pairwise cutting planes": ("ranksvm", "--C", "0.01,0.1,1,10", "--epsilon", "1e-4"),
    "L-BFGS": ("ranknet", "--hidden", 10, "--epochs", 300, "--optimizer", "lbfgs", "--early-stopping", 0),
    "Adam": ("listnet", "--hidden", "16", "--epochs", 60, "--optimizer", "adam", "--early-stopping", 0),
    "network": ("mlp", "--hidden", "16,8", "--epochs", 40, "--optimizer", "adam", "--early-stopping", 0),
    "AdaRank": ("adarank", "--rounds", 500),
    "RankBoost": ("rankboost", "--rounds", 300),
    "coordinate ascent": ("coordinate-ascent", "--restarts", 3),
    "DirectRank": ("directrank", "--restarts", 2),
    "DirectRank with trees": ("directrank-trees", "--trees", 60),
}


class ResumeTest(CliTest):
    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def start(self, *arguments):
        return subprocess.Popen([PODIUM, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def killed_at_random(self, *train, kills=KILLS):
        """Compares the model of a run that was killed with that of one that was not."""
        whole, model = self.path("whole.json"), self.path("killed.json")
        self.run_ok(*train, "--model", whole, "--checkpoint-seconds", 0)
        began = time.monotonic()
        self.run_ok(*train, "--model", model, "--checkpoint-seconds", OFTEN)
        duration = time.monotonic() - began
        self.assertEqual(model.read_bytes(), whole.read_bytes())
        killed = left_something = 0
        for _ in range(20 * kills):
            process = self.start(*train, "--model", model, "--checkpoint-seconds", OFTEN, "--resume")
            if killed < kills or left_something == 0:
                try:
                    process.wait(timeout=random.uniform(0, duration))
                except subprocess.TimeoutExpired:
                    process.kill()
            notes = process.communicate(timeout=300)[1]
            if process.returncode == -signal.SIGKILL:
                killed += 1
                left_something += self.path("killed.json.checkpoint").exists()
                continue
            self.assertEqual(process.returncode, 0, notes)
            self.assertEqual(model.read_bytes(), whole.read_bytes())
            if killed >= kills and left_something > 0:
                break
        else:
            self.fail(f"{killed} kills in {20 * kills} runs of {duration:.2f} s, {left_something} left a checkpoint")
        self.assertNotIn("killed.json.checkpoint", self.files())

    def all_families(self, *data):
        for family, (learner, *options) in FAMILIES.items():
            with self.subTest(family):
                self.killed_at_random("train", learner, *data, *options, "--threads", 2)
                self.assertEqual([name for name in self.files() if "tmp" in name], [])

    def test_killed_at_random_moments(self):
        for name, queries, seed in (("train.podium", 400, 1), ("valid.podium", 100, 2)):
            self.run_ok("synth", "--queries", queries, "--docs", 20, "--features", 20, "--seed", seed, "-o",
                        self.path(name))
        self.all_families("--data", self.path("train.podium"), "--valid", self.path("valid.podium"))

    @unittest.skipUnless(KILLS > DEFAULT_KILLS, "only with PODIUM_KILLS")
    @unittest.skipUnless("PODIUM_DATA" in os.environ, "PODIUM_DATA is not set")
    def test_killed_on_real_data(self):
        subprocess.run([pathlib.Path(os.environ["PODIUM_DATA"]) / "unpack", self.folder, "MQ2008"], check=True)
        fold = self.folder / "MQ2008" / "Fold1"
        self.all_families("--data", fold / "train.txt", "--valid", fold / "vali.txt")


class CheckpointTest(CliTest):
    """One training run, its checkpoint, and what may and may not resume from it."""

    def setUp(self):
        super().setUp()
        self.data = self.synth("train.txt", 200, 1)
        self.valid = self.synth("valid.txt", 50, 2)
        self.model = self.path("m.json")
        self.checkpoint = self.path("m.json.checkpoint")

    def command(self, *more, learner="lambdamart", data=None, trees=2000):
        return ("train", learner, "--data", data or self.data, "--valid", self.valid, "--trees", trees,
                "--early-stopping", 0, "--model", self.model, *more)

    def stop(self, number=signal.SIGTERM, *more):
        """Stops a training run as soon as it has a checkpoint."""
        process = subprocess.Popen([PODIUM, *map(str, self.command("--checkpoint-seconds", "0.01", *more))],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not self.checkpoint.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(number)
        out, notes = process.communicate(timeout=300)
        return process.returncode, out, notes

    def test_a_stop_leaves_the_model_so_far_and_a_checkpoint(self):
        whole = self.path("whole.json")
        self.run_ok("train", "lambdamart", "--data", self.data, "--valid", self.valid, "--trees", 2000,
                    "--early-stopping", 0, "--model", whole)
        for number in (signal.SIGTERM, signal.SIGINT):
            code, out, notes = self.stop(number)
            self.assertEqual(code, 128 + number, notes)
            self.assertIn("stopped", out)
            self.assertIn("--resume continues from", notes)
            so_far = json.loads(self.model.read_text())
            self.assertLess(len(so_far["model"]["trees"]), 2000)
            self.run_ok(*self.command("--resume"))
            self.assertEqual(self.model.read_bytes(), whole.read_bytes())
            self.assertFalse(self.checkpoint.exists())

    def test_a_stop_leaves_a_checkpoint_long_before_one_is_due(self):
        for learner, *options in (("lambdamart", "--trees", 2000, "--early-stopping", 0),
                                  ("rankboost", "--rounds", 20000, "--early-stopping", 0),
                                  ("directrank", "--restarts", 50),
                                  ("mlp", "--epochs", 5000, "--optimizer", "adam", "--early-stopping", 0)):
            command = ("train", learner, "--data", self.data, "--valid", self.valid, "--model", self.model, *options)
            process = subprocess.Popen([PODIUM, *map(str, command), "--progress", "json"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            for line in process.stderr:
                if "iteration" in line:
                    break
            process.terminate()
            out, notes = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 143, notes)
            self.assertIn("stopped", out)
            self.assertTrue(self.checkpoint.exists(), learner)
            self.checkpoint.unlink()

    def test_without_a_checkpoint_it_begins_at_the_start(self):
        result = podium("train", "linear", "--data", self.data, "--model", self.model, "--resume")
        self.assertEqual(result.returncode, 0)
        self.assertIn("there is no " + str(self.checkpoint), result.stderr)

    def test_what_may_not_resume(self):
        self.stop()
        kept = self.checkpoint.read_bytes()
        other = self.synth("other.txt", 201, 5)
        changed = self.path("changed.txt", self.data.read_text().replace(" 3:", " 3:1", 1))
        another = "the checkpoint belongs to another training run: "
        for reason, arguments in (
                (another + "--learning-rate was 0.1, now 0.05", self.command("--learning-rate", 0.05)),
                (another + "--seed was 1, now 2", self.command("--seed", 2)),
                (another + "--measure was nDCG@10, now AP", self.command("--measure", "AP")),
                (another + "--normalize was not given, now query-minmax",
                 self.command("--normalize", "query-minmax")),
                (another + "--features was not given, now 1-3", self.command("--features", "1-3")),
                (another + "--convention was ", self.command("--convention", "letor")),
                (another + "the learner was lambdamart, now mart", self.command(learner="mart")),
                ("belongs to other data: the number of training queries was 200, now 201",
                 self.command(data=other)),
                ("belongs to other data: the fingerprint of the training data", self.command(data=changed))):
            self.assert_fails(2, str(self.checkpoint) + ": .*" + reason, *arguments, "--resume")
        for reason, content in (("truncated", kept[:-1]), ("truncated", kept[:10]), ("truncated", b""),
                                ("damaged", kept[:-20] + b"\0" * 20), ("damaged", kept + b"\0"),
                                ("not a checkpoint", b"{}")):
            self.checkpoint.write_bytes(content)
            self.assert_fails(1, str(self.checkpoint) + ": .*" + reason, *self.command("--resume"))
        self.checkpoint.write_bytes(kept)
        self.run_ok(*self.command("--resume", "--threads", 1, "--checkpoint-seconds", 5))

    def test_without_resume_an_old_one_is_mentioned(self):
        self.stop()
        result = podium(*self.command(trees=3))
        self.assertIn("--resume would continue from it", result.stderr)
        self.checkpoint.write_text("mine")
        self.assert_fails(1, "m.json.checkpoint: not a checkpoint", *self.command(trees=3))
        self.assertEqual(self.checkpoint.read_text(), "mine")

    def test_wrong_usage(self):
        plain = ("train", "linear", "--data", self.data)
        self.assert_fails(2, "--resume needs --model FILE", *plain, "--resume")
        self.assert_fails(2, "--resume needs --model FILE", *plain, "--resume", "--model", "-")
        self.assert_fails(2, "--checkpoint-seconds needs --model FILE", *plain, "--checkpoint-seconds", 1)
        for value in ("-1", "soon", "nan", "inf"):
            self.assert_fails(2, "--checkpoint-seconds: ", *plain, "--model", self.model,
                              "--checkpoint-seconds", value)
        self.run_ok("train", "--resume", "linear", "--l2", "1", "--data", self.data, "--model", self.model)

    def test_a_model_that_cannot_be_written_is_refused_before_the_work(self):
        began = time.monotonic()
        self.assert_fails(1, "nowhere/m.json: cannot be written", "train", "lambdamart", "--data", self.data,
                          "--trees", 100000, "--early-stopping", 0, "--model", self.path("nowhere") / "m.json")
        self.assertLess(time.monotonic() - began, 5)


if __name__ == "__main__":
    unittest.main()
