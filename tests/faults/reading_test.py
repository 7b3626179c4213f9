"""Files that fail, shrink or change while they are read."""
import unittest

from fault_support import FaultTest


class ReadingTest(FaultTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth("data.txt", 60, 1)
        self.model = self.path("model.json")
        self.run_ok("train", "linear", "--l2", 1, "--data", self.data, "--model", self.model)

    def large(self, name):
        """Large enough that its second half is on pages of its own, and is not read in one go."""
        path = self.path(name)
        self.run_ok("synth", "--queries", 2000, "--docs", 10, "--features", 20, "--quiet", "-o", path)
        return path

    def test_a_file_that_cannot_be_read(self):
        packed = self.path("packed.txt.gz")
        self.run_ok("prepare", self.data, "-o", packed)
        for fault, path, message in (("open:1:EACCES", self.data, "cannot be opened: Permission denied"),
                                     ("open:1:EMFILE", self.data, "cannot be opened: Too many open files"),
                                     ("mmap:1:ENOMEM", self.data, "not enough memory|Cannot allocate memory"),
                                     ("read:1:EIO", packed, "cannot be read: Input/output error"),
                                     ("read:1:EIO", self.model, "cannot be read: Input/output error")):
            result = self.run_with(fault, "score", "--model", self.model, "--data",
                                   packed if path == packed else self.data, "--quiet", path=path)
            self.assert_one_line(result, f"{path}: .*({message})")

    def test_a_mapped_file_that_shrinks(self):
        for name in ("large.podium", "large.txt"):
            for fault in ("mmap:1:shrink", "open:1:shrink"):
                data = self.large(name)
                out = self.path("scores.txt", "old")
                before = self.names()
                result = self.run_with(fault, "score", "--model", self.model, "--data", data, "-o", out, "--quiet",
                                       path=data, victim=data)
                # Cut before it is mapped it is a shorter file, and the last line may still be one.
                if name.endswith(".podium") or fault.startswith("mmap"):
                    self.assert_one_line(result, "large.*(truncated|shorter|size)")
                else:
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                if result.returncode == 1:
                    self.assertEqual(out.read_text(), "old")
                self.assertEqual(self.names(), before)

    def test_a_file_that_shrinks_during_training(self):
        data = self.large("large.podium")
        model = self.path("m.json", "old")
        before = self.names()
        # The map is there, and some of it has been read, when the first output is opened.
        result = self.run_with("fsync:1:shrink", "train", "lambdamart", "--data", data, "--trees", 100, "--model", model,
                               "--checkpoint-seconds", "0.0001", "--quiet", path=".checkpoint", victim=data)
        if result.returncode == 0:
            self.assertNotEqual(model.read_text(), "old")  # everything had been read before
        else:
            self.assert_one_line(result, "large.podium: the file was truncated while it was in use")
            self.assertEqual(model.read_text(), "old")
            self.assertEqual([name for name in self.names() if name not in before], ["m.json.checkpoint"])

    def test_packed_files_that_end_early(self):
        for ending in ("gz", "zst"):
            data = self.large("large.txt." + ending)
            result = self.run_with("read:1:shrink", "inspect", data, "--quiet", path=data, victim=data)
            self.assert_one_line(result, "large.*truncated")


if __name__ == "__main__":
    unittest.main()
