"""train --clicks is the same training as any: the same bytes on other devices, on ranks, and after a kill."""
import json
import shutil
import signal
import subprocess
import time
import unittest

from mpi_test import mpirun
from support import PODIUM, CliTest, podium

# The loss on clicks keeps a state in pairwise, additive and dual.
METHODS = {
    "naive": (),
    "ipw": ("--propensities",),
    "affine": ("--propensities",),
    "pairwise": (),
    "additive": (),
    "dual": (),
    "judged": (),
}


class ClickTrainingTest(CliTest):
    def setUp(self):
        super().setUp()
        self.docs, self.log, self.fit = (self.folder / name for name in ("docs.txt", "log.tsv", "fit.json"))
        self.run_ok("synth", "--queries", 30, "--docs", 7, "--features", 6, "--quiet", "-o", self.docs)
        self.run_ok("clicks", "simulate", "--data", self.docs, "--ranker", "feature:1", "--sessions", 4000, "--depth", 5,
                    "--click-model", "trust", "--quiet", "-o", self.log)
        self.run_ok("clicks", "fit", "--clicks", self.log, "--model", "trust", "--quiet", "-o", self.fit)

    def command(self, method, *more):
        losses = {"dual": "softmax", "affine": "squared"}
        learner = ("boosting", "--loss", losses[method]) if method in losses else ("lambdamart",)
        options = [part for option in METHODS[method] for part in (option, self.fit)]
        return ["train", *learner, "--clicks", self.log, "--debias", method, *options, "--trees", 12, "--leaves", 5, "--min-docs", 4,
                "--force", "--quiet", *more]

    def model(self, name, *command):
        path = self.folder / name
        self.run_ok(*command, "--model", path)
        return path.read_bytes()

    def test_devices_change_no_byte(self):
        for method in METHODS:
            with self.subTest(method=method):
                train = self.command(method, "--data", self.docs)
                self.assertTrue(self.model("cpu.json", *train) == self.model("device.json", *train, "--device", "emulated"),
                                "another model")

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun on this machine")
    @unittest.skipIf("built without" in podium("--version").stdout, "this build has no MPI")
    def test_ranks_change_no_byte(self):
        for method in METHODS:
            with self.subTest(method=method):
                train = self.command(method, "--data", self.docs)
                alone, model = self.model("alone.json", *train), self.folder / "ranks.json"
                result = subprocess.run(**mpirun(3, *train, "--model", model, "--threads", 1), timeout=300)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(model.read_bytes() == alone, "another model")
        # A rank may have nothing that was shown, and a document that no rank has is named with its line.
        lines = self.docs.read_text().splitlines()
        first = {line.split()[1].removeprefix("qid:") for line in lines[:70]}
        header, *shown = self.log.read_text().splitlines()
        place = header.split("\t").index("qid")
        few = self.path("few.tsv", "\n".join([header] + [line for line in shown if line.split("\t")[place] in first]) + "\n")
        train = ["train", "lambdamart", "--data", self.docs, "--clicks", few, "--debias", "pairwise", "--trees", 5, "--min-docs", 4,
                 "--force", "--quiet"]
        alone = self.model("alone.json", *train)
        result = subprocess.run(**mpirun(3, *train, "--model", model, "--threads", 1), timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(model.read_bytes() == alone, "another model")
        unknown = shown[0].split("\t")
        unknown[header.split("\t").index("docid")] = "nowhere"
        wrong = self.path("wrong.tsv", header + "\n" + "\t".join(unknown) + "\n")
        train[train.index(few)] = wrong
        result = subprocess.run(**mpirun(3, *train, "--model", model), timeout=120)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"podium: error: .*wrong.tsv:2: document 'nowhere' of query '.*' is not in the data")

    def test_a_killed_run_resumes_with_the_state_of_its_loss(self):
        for method in ("pairwise", "additive", "dual"):
            with self.subTest(method=method):
                train = self.command(method, "--data", self.docs)
                train[train.index("--trees") + 1] = 400
                whole = self.model("whole.json", *train)
                model, checkpoint = self.folder / "killed.json", self.folder / "killed.json.checkpoint"
                often = (*train, "--model", model, "--checkpoint-seconds", "0.005")
                process = subprocess.Popen([PODIUM, *map(str, often)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                while process.poll() is None and not checkpoint.exists():
                    time.sleep(0.002)
                process.kill()
                process.communicate()
                self.assertEqual(process.returncode, -signal.SIGKILL)
                self.assertTrue(checkpoint.exists())
                self.run_ok(*often, "--resume")
                self.assertTrue(model.read_bytes() == whole, "another model")
                model.unlink()

    def test_propensities_by_assumption_are_noted(self):
        fit = json.loads(self.fit.read_text())
        assumed = self.path("assumed.json", json.dumps(fit | {"components": 3, "assumed": True}))
        train = self.command("ipw", "--data", self.docs, "--model", self.folder / "m.json")
        train.remove("--quiet")
        train[train.index(self.fit)] = assumed
        result = podium(*train)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the propensities compare 3 groups of positions by an assumption", result.stderr)
        other = self.path("other.json", json.dumps(fit | {"model": "ubm", "components": 3, "assumed": False}))
        train[train.index(assumed)] = other
        self.assert_fails(1, "other.json: its positions are in 3 groups that no document connects: fit it again", *train)


if __name__ == "__main__":
    unittest.main()
