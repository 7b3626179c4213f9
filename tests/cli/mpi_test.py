"""train under mpirun: the same model as one process, from every kind of file, and a clear end after failures."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import PODIUM, CliTest, podium

# One learner of each family, with options for short training.
LEARNERS = {
    "lambdamart": ["--trees", 12, "--leaves", 7, "--min-docs", 5],
    "mart": ["--trees", 8, "--leaves", 5, "--min-docs", 5, "--query-fraction", 0.5],
    "mcrank": ["--trees", 4, "--leaves", 5, "--min-docs", 5],
    "ranksvm": ["--C", 1],
    "svm-map": ["--C", 1],
    "linear": [],
    "ranknet": ["--epochs", 4],
    "listnet": ["--epochs", 4],
    "adarank": ["--rounds", 20],
    "rankboost": ["--rounds", 20],
    "directrank": ["--restarts", 2],
    "coordinate-ascent": ["--restarts", 1],
    "feature": [],
}


def mpirun(ranks, *arguments, options=(), **more):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = ["mpirun", "-n", ranks, "--oversubscribe", *options, PODIUM, *arguments]
    return dict(args=[str(c) for c in command], env=environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun on this machine")
@unittest.skipIf("built without" in podium("--version").stdout, "this build has no MPI")
class MpiTest(CliTest):
    def setUp(self):
        super().setUp()
        self.train = self.synth("train.txt", 41, 1)
        self.valid = self.synth("valid.txt", 17, 2)

    def ranks_ok(self, ranks, *arguments):
        result = subprocess.run(**mpirun(ranks, *arguments), timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def ranks_fail(self, ranks, code, pattern, *arguments, options=()):
        """One line from podium on standard error, in addition to mpirun's output."""
        result = subprocess.run(**mpirun(ranks, *arguments, "--quiet", options=options), timeout=120)
        self.assertEqual(result.returncode, code, result.stderr)
        lines = [line for line in result.stderr.splitlines() if "podium: error:" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], "^podium: error: " + pattern)

    def model(self, name, ranks, learner, *arguments):
        """The summary and the bytes of the model from this many ranks; 0: one process without mpirun."""
        path = self.path(name)
        command = ["train", learner, "--model", path, "--quiet", "--json", "--threads", 1, *arguments]
        summary = json.loads(self.ranks_ok(ranks, *command) if ranks else self.run_ok(*command))
        for name in ("seconds", "phases", "ranks", "bytes_sent"):
            summary.pop(name, None)
        return summary, path.read_bytes()

    def test_every_family_finds_the_same_model(self):
        with self.train.open("a") as file:  # queries that do not contribute, some of them on rank 2
            for qid in ("one", "same"):
                file.write(f"0 qid:{qid} 1:1\n" * (1 if qid == "one" else 3))
        for learner, options in LEARNERS.items():
            common = [learner, "--data", self.train, "--valid", self.valid, *options]
            alone = self.model("alone.json", 0, *common)
            for ranks in (1, 3) if learner == "lambdamart" else (3,):  # each start of mpirun takes a second
                with self.subTest(learner=learner, ranks=ranks):
                    found = self.model("ranks.json", ranks, *common)
                    self.assertTrue(alone[1] == found[1], "another model")
                    self.assertEqual(alone[0], found[0])

    def test_every_kind_of_file_gives_the_same_model(self):
        cache, table = self.path("train.podium"), self.path("train.csv")
        for to in (cache, table):
            self.run_ok("prepare", self.train, "-o", to, "--quiet")
        rows = self.train.read_text().splitlines(keepends=True)
        cuts = [0, 12 * 9, 12 * 11, len(rows)]  # at queries, which have 12 documents
        for rank in range(3):
            self.path(f"part-{rank}.txt", "".join(rows[cuts[rank]:cuts[rank + 1]]))
        learner = ["ranksvm", "--valid", self.valid]
        alone = self.model("alone.json", 0, *learner, "--data", self.train)
        for data in (self.train, cache, self.path("part-{rank}.txt")):
            with self.subTest(data=data):
                self.assertTrue(alone == self.model("ranks.json", 3, *learner, "--data", data))
        alone = self.model("alone.json", 0, "ranksvm", "--data", table)
        self.assertTrue(alone == self.model("ranks.json", 3, "ranksvm", "--data", table))

    def test_preparation_and_starting_scores_are_those_of_all_data(self):
        prepared = ["--data", self.train, "--normalize", "query-zscore", "--bins", 4, "--features", "1-6"]
        self.assertTrue(self.model("alone.json", 0, "ranksvm", *prepared) ==
                        self.model("ranks.json", 3, "ranksvm", *prepared))
        for variant in ("acc3", "acc4"):
            self.assertTrue(self.model("alone.json", 0, "svm-acc", "--variant", variant, "--data", self.train) ==
                            self.model("ranks.json", 3, "svm-acc", "--variant", variant, "--data", self.train))
        scores = self.path("scores.txt", "".join(f"{i % 7 / 4}\n" for i in range(41 * 12)))
        started = ["--data", self.train, "--init", scores, "--trees", 5]
        self.assertTrue(self.model("alone.json", 0, "lambdamart", *started) ==
                        self.model("ranks.json", 3, "lambdamart", *started))

    def test_ranks_without_queries(self):
        small = self.synth("small.txt", 2, 3)
        for learner in ("ranksvm", "lambdamart", "listnet", "adarank", "coordinate-ascent"):
            with self.subTest(learner=learner):
                common = [learner, "--data", small, "--valid", self.valid, *LEARNERS[learner]]
                self.assertTrue(self.model("alone.json", 0, *common) ==
                                self.model("ranks.json", 4, *common))

    def test_the_summary_has_the_sent_bytes(self):
        summary = json.loads(self.ranks_ok(3, "train", "linear", "--data", self.train, "--json", "--quiet"))
        self.assertEqual(summary["ranks"], 3)
        self.assertGreater(summary["bytes_sent"], 0)

    def test_errors_are_printed_once(self):
        self.ranks_fail(3, 1, r"\S*none.txt: ", "train", "linear", "--data", self.path("none.txt"))
        self.ranks_fail(3, 2, ".*unknown argument '--dta'", "train", "linear", "--data", self.train,
                        "--dta", 1)
        self.ranks_fail(3, 2, ".*only `podium train`", "eval", "--data", self.train)
        rows = self.train.read_text()
        wrong = self.path("wrong.txt", rows + "1 qid:x 1:oops\n")
        self.ranks_fail(3, 1, rf"\S*wrong.txt:{rows.count(chr(10)) + 1}: rank 2: .*'oops'",
                        "train", "linear", "--data", wrong)
        self.ranks_fail(2, 1, r"/dev/full/m.json: ", "train", "linear", "--data", self.train,
                        "--model", "/dev/full/m.json")

    def test_a_qid_that_returns_is_refused(self):
        rows = self.train.read_text()
        qid = re.search(r"qid:(\S+)", rows)[1]
        again = self.path("again.txt", rows + f"1 qid:{qid} 1:1\n")
        self.ranks_fail(3, 1, rf"\S*again.txt: qid {qid} appears in the part of rank 2", "train",
                        "linear", "--data", again)

    def test_compressed_text_is_refused_with_advice(self):
        packed = self.path("train.txt.gz")
        self.run_ok("prepare", self.train, "-o", packed, "--quiet")
        self.ranks_fail(2, 2, r".*podium prepare.*\{rank\}", "train", "linear", "--data", packed)

    def long_training(self, *more):
        """A training run with three ranks that would take minutes, in its second iteration or later."""
        big = self.synth("big.txt", 300, 4)
        job = subprocess.Popen(**mpirun(
            3, "train", "lambdamart", "--data", big, "--trees", 100000, "--threads", 1,
            "--progress", "json", "--model", self.path("long.json"), *more))
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stderr.close)
        self.addCleanup(job.kill)
        for line in job.stderr:
            if '"iteration":2' in line:
                break
        children = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
        return job, [int(child) for child in children]

    def test_a_killed_rank_ends_the_job(self):
        job, ranks = self.long_training()
        os.kill(ranks[1], signal.SIGKILL)
        began = time.monotonic()
        _, errors = job.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 20)
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("mpirun", errors)

    def test_a_silent_rank_ends_the_job(self):
        job, ranks = self.long_training("--rank-timeout", 3, "--checkpoint-seconds", 0.01)
        os.kill(ranks[2], signal.SIGSTOP)
        _, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1)
        lines = [line for line in errors.splitlines() if "podium: error" in line]
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], r"^podium: error: rank 2 of 3 has not answered for 3 s: is its machine"
                                   r" still running\? Training can be resumed from \S*long.json.checkpoint with --resume$")
        self.assertFalse(self.path("long.json").exists())
        self.assertTrue(self.path("long.json.checkpoint").exists())

    def test_a_suspended_job_continues(self):
        job, ranks = self.long_training("--rank-timeout", 2, "--json")
        for rank in ranks:
            os.kill(rank, signal.SIGSTOP)
        time.sleep(4)  # longer than the time-out
        for rank in ranks:
            os.kill(rank, signal.SIGCONT)
        for _ in range(3):
            self.assertIn("iteration", job.stderr.readline())
        os.kill(job.pid, signal.SIGUSR1)
        output, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, errors)
        self.assertEqual(json.loads(output)["termination"], "stopped")

    def test_a_signal_stops_all_and_keeps_the_model(self):
        for send in ("one rank", "mpirun"):
            with self.subTest(to=send):
                job, ranks = self.long_training("--json")
                if send == "one rank":
                    os.kill(ranks[1], signal.SIGTERM)
                else:
                    os.kill(job.pid, signal.SIGUSR1)  # mpirun forwards it to all ranks
                output, errors = job.communicate(timeout=60)
                # SIGUSR1 requests the model so far; SIGTERM is an interruption, on any rank.
                self.assertEqual(job.returncode, 143 if send == "one rank" else 0, errors)
                self.assertEqual(json.loads(output)["termination"], "stopped")
                self.assertTrue(self.path("long.json").exists())

    def test_version_names_mpi(self):
        self.assertRegex(self.run_ok("--version"), r"\nMPI \S.* v?\d+\.\d+")
        self.assertEqual(self.ranks_ok(2, "--version").count("\nMPI "), 1)


if __name__ == "__main__":
    unittest.main()
