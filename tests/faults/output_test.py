"""Disks that are full, slow, read-only or broken: the old file stays, and a one-line error explains the problem."""
import os
import subprocess
import unittest

from fault_support import FaultTest


class OutputTest(FaultTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth("data.txt", 60, 1)
        self.model = self.path("m.json", "the old model")
        self.train = ("train", "lambdamart", "--data", self.data, "--trees", 200, "--leaves", 8, "--force",
                      "--model", self.model)
        self.before = self.names()

    def test_a_model_that_cannot_be_written(self):
        for fault, message in (("write:1+:ENOSPC", "No space left"), ("write:1:short,write:2+:ENOSPC", "No space left"),
                               ("write:1:EDQUOT", "quota"), ("fsync:1:EIO", "Input/output error"),
                               ("rename:1:EACCES", "Permission denied")):
            result = self.run_with(fault, *self.train, "--quiet", "--checkpoint-seconds", 0, path="m.json")
            self.assert_one_line(result, "m.json: cannot be written: .*" + message)
            self.assertEqual(self.model.read_text(), "the old model", fault)
            self.assertEqual(self.names(), self.before, fault)

    def test_a_checkpoint_outlives_the_model_that_cannot_be_written(self):
        whole = self.path("whole.json")
        self.run_ok(*self.train[:-1], whole)
        result = self.run_with("write:1+:ENOSPC", *self.train, "--quiet", "--checkpoint-seconds", "0.0001",
                               path="m.json", but=".checkpoint")
        self.assert_one_line(result, r"No space left.*m.json.checkpoint is kept: .*--resume")
        self.assertEqual(self.model.read_text(), "the old model")
        self.assertIn("m.json.checkpoint", self.names())
        self.run_ok(*self.train, "--resume")
        self.assertEqual(self.model.read_bytes(), whole.read_bytes())
        self.assertNotIn("m.json.checkpoint", self.names())

    def test_checkpoints_that_cannot_be_written(self):
        whole = self.path("whole.json")
        self.run_ok(*self.train[:-1], whole)
        often = (*self.train, "--checkpoint-seconds", "0.0001")
        for fault, message in (("write:1+:ENOSPC", "No space left"), ("open:1+:EROFS", "Read-only file system"),
                               ("fsync:1+:EIO", "Input/output error"), ("rename:1+:ENOSPC", "No space left")):
            result = self.run_with(fault, *often, path=".checkpoint")
            self.assertEqual(result.returncode, 0, result.stderr)
            notes = [line for line in result.stderr.splitlines() if "checkpoint" in line]
            self.assertEqual(len(notes), 1, result.stderr)
            self.assertRegex(notes[0], "podium: note: the checkpoint cannot be written, training continues: .*" + message)
            self.assertEqual(self.model.read_bytes(), whole.read_bytes())
            self.assertEqual([name for name in self.names() if "checkpoint" in name], [])

    def test_a_checkpoint_stays_when_the_next_ones_cannot_be_written(self):
        """The disk fills up after some checkpoints, and stays full for the model."""
        result = self.run_with("fsync:3+:ENOSPC", *self.train, "--checkpoint-seconds", "0.0001", path="m.json.")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("training continues and the previous one is kept"), 1, result.stderr)
        self.assertEqual(self.model.read_text(), "the old model")
        whole = self.path("whole.json")
        self.run_ok(*self.train[:-1], whole)
        resumed = self.run_with("", *self.train, "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertNotIn("starts from the beginning", resumed.stderr)
        self.assertEqual(self.model.read_bytes(), whole.read_bytes())

    def test_other_outputs_that_cannot_be_written(self):
        model = self.path("ridge.json")
        self.run_ok("train", "linear", "--data", self.data, "--model", model, "--l2", 1)
        for command in (("score", "--model", model, "--data", self.data),
                        ("prepare", self.data, "--normalize", "query-minmax"),
                        ("synth", "--queries", 5, "--docs", 5, "--features", 3)):
            for ending in ("txt", "txt.gz", "txt.zst"):
                out = self.path("out." + ending, "old")
                before = self.names()
                result = self.run_with("write:1:ENOSPC", *command, "--quiet", "-o", out, path="out.txt")
                self.assert_one_line(result, "cannot be written: .*No space left")
                self.assertEqual(out.read_text(), "old")
                self.assertEqual(self.names(), before)
                out.unlink()

    def test_short_writes_and_interruptions(self):
        quiet = self.run_with("", *self.train, "--quiet", "--checkpoint-seconds", "0.01")
        self.assertEqual(quiet.returncode, 0, quiet.stderr)
        expected = self.model.read_bytes()
        for faults in ("write:%2:short", "write:1+:short", "write:%2:EINTR",
                       "write:%3:EINTR,write:%2:short,fsync:%2:EINTR,open:%2:EINTR,read:%2:EINTR,mmap:99:ENOMEM",
                       "read:1+:short"):
            self.model.write_text("old")
            result = self.run_with(faults, *self.train, "--quiet", "--checkpoint-seconds", "0.01",
                                   path=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.model.read_bytes(), expected, faults)

    def test_everything_with_interruptions_and_short_reads(self):
        model = self.path("ridge.json")
        self.run_ok("train", "linear", "--data", self.data, "--model", model, "--l2", 1)
        packed = self.path("data.txt.zst")
        self.run_ok("prepare", self.data, "-o", packed)
        faults = "read:%2:EINTR,read:%3:short,write:%2:EINTR,write:%3:short,open:%2:EINTR,fsync:%2:EINTR"
        for data in (self.data, packed):
            for command in (("score", "--model", model, "--data", data), ("eval", "--model", model, "--data", data),
                            ("inspect", data), ("prepare", data, "--features", "1-3", "-o", "-")):
                plain = self.run_with("", *command, "--quiet")
                self.assertEqual(plain.returncode, 0, plain.stderr)
                result = self.run_with(faults, *command, "--quiet", path=self.folder)
                self.assertEqual((result.returncode, result.stdout), (0, plain.stdout), result.stderr)

    def test_only_named_files_are_written(self):
        log = self.path("log")
        model, table, out = self.path("n.json"), self.path("table.tsv"), self.path("out.podium")
        comparison, report = self.path("comparison"), self.path("report.html")
        commands = (
            (("train", "lambdamart", "--data", self.data, "--valid", self.data, "--trees", 50, "--model", model,
              "--diagnostics", table, "--checkpoint-seconds", "0.001"), (model, f"{model}.checkpoint", table)),
            (("score", "--model", model, "--data", self.data, "-o", self.path("scores.txt")),
             (self.path("scores.txt"),)),
            (("eval", "--model", model, "--data", self.data, "--per-query", self.path("q.tsv")), (self.path("q.tsv"),)),
            (("prepare", self.data, "-o", out), (out,)),
            (("inspect", self.data, model), ()),
            (("export", "--model", model, "--to", "lightgbm", "-o", self.path("x.txt")), (self.path("x.txt"),)),
            (("compare", "--data", self.data, "--learners", "linear,feature", "--folds", 3, "-o", comparison,
              "--report", report), (comparison, report)))
        for arguments, outputs in commands:
            result = self.run_with("", *arguments, "--quiet", log=log)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = log.read_text().splitlines() if log.exists() else []
            self.assertEqual(bool(lines), bool(outputs))
            for line in lines:
                path = line.split(" ", 1)[1]
                # The kernel's file for measuring memory does not count.
                self.assertTrue(path.startswith(tuple(map(str, outputs))) or path == "/proc/self/clear_refs", line)
            log.unlink(missing_ok=True)
        self.assertEqual([name for name in self.names() if name.endswith(".tmp")], [])

    def test_a_read_only_folder(self):
        if os.geteuid() == 0:
            # For root, only read-only mounts are read-only.
            self.mount("-o", "ro", "tmpfs")
        else:
            self.path("disk").mkdir(mode=0o555)
        result = self.run_with("", "train", "lambdamart", "--data", self.data, "--trees", 1000000, "--early-stopping", 0,
                               "--quiet", "--model", self.path("disk") / "m.json")
        self.assert_one_line(result, "disk/m.json: cannot be written: (Read-only file system|Permission denied)")

    def mount(self, *options):
        folder = self.path("disk")
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", *options, folder], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("cannot mount a file system here: " + done.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_a_disk_that_is_really_full(self):
        disk = self.mount("-o", "size=256k", "tmpfs")
        model = disk / "m.json"
        model.write_text("the old model")
        whole = self.path("whole.json")
        train = ("train", "lambdamart", "--data", self.data, "--trees", 400, "--leaves", 16, "--early-stopping", 0, "--force")
        self.run_ok(*train, "--model", whole)
        self.assertGreater(whole.stat().st_size, 256 << 10)
        result = self.run_with("", *train, "--model", model, "--checkpoint-seconds", "0.0001")
        self.assertEqual(result.returncode, 1, result.stderr)
        *notes, error = result.stderr.splitlines()
        self.assertEqual(len([note for note in notes if "the previous one is kept: " in note]), 1, result.stderr)
        self.assertRegex(error, "^podium: error: .*m.json: cannot be written: No space left on device; .*--resume")
        self.assertEqual(model.read_text(), "the old model")
        self.assertEqual(sorted(path.name for path in disk.iterdir()), ["m.json", "m.json.checkpoint"])
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        self.run_ok(*train, "--model", model, "--resume")
        self.assertEqual(model.read_bytes(), whole.read_bytes())


if __name__ == "__main__":
    unittest.main()
