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
        """Large enough that its second half is on other pages, and is not read at once."""
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
                # If it is cut before it is mapped, it is just a shorter file, whose last line may be valid.
                if name.endswith(".podium") or fault.startswith("mmap"):
                    self.assert_one_line(result, "large.*(truncated|shorter|size|changed while it was read)")
                else:
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                if result.returncode == 1:
                    self.assertEqual(out.read_text(), "old")
                self.assertEqual(self.names(), before)

    def test_a_file_that_shrinks_during_training(self):
        data = self.large("large.podium")
        model = self.path("m.json", "old")
        before = self.names()
        # When the first output is opened, the file is mapped and partly read.
        result = self.run_with("fsync:1:shrink", "train", "lambdamart", "--data", data, "--trees", 100, "--force", "--model", model,
                               "--checkpoint-seconds", "0.0001", "--quiet", path=".checkpoint", victim=data)
        self.assert_one_line(result, "large.podium: the file (was truncated while it was in use|changed while it was read)")
        self.assertEqual(model.read_text(), "old")
        self.assertEqual([name for name in self.names() if name not in before], ["m.json.checkpoint"])

    def test_a_file_that_is_rewritten_while_it_is_read(self):
        """In place, with the same size, and with digits replaced by digits."""
        for name in ("large.txt", "large.csv", "large.txt.gz", "large.txt.zst", "large.podium"):
            data = self.large(name)
            call = "read" if name.endswith(("gz", "zst")) else "mmap"
            out = self.path("out.podium", "old")
            before = self.names()
            result = self.run_with(f"{call}:1:rewrite", "prepare", data, "-o", out, "--quiet", path=data, victim=data)
            self.assert_one_line(result, f"{name}: the file changed while it was read")
            self.assertEqual(out.read_text(), "old")
            self.assertEqual(self.names(), before)

    def test_other_files_that_are_rewritten_while_they_are_read(self):
        scores = self.path("scores.txt")
        self.run_ok("score", "--model", self.model, "--data", self.data, "-o", scores)
        qrels = self.path("qrels", "".join(f"1 0 d{i} {i % 2}\n" for i in range(100)))
        run = self.path("run", "".join(f"1 Q0 d{i} {i} {200 - i} me\n" for i in range(100)))
        packed = self.path("packed.json.zst")
        self.run_ok("train", "linear", "--l2", 1, "--data", self.data, "--model", packed)
        for fault, path, arguments in (
                ("read:1:rewrite", self.model, ("score", "--model", self.model, "--data", self.data)),
                ("read:1:rewrite", packed, ("score", "--model", packed, "--data", self.data)),
                ("mmap:1:rewrite", scores, ("eval", "--scores", scores, "--data", self.data)),
                ("mmap:1:rewrite", qrels, ("eval", "--qrels", qrels, "--run", run)),
                ("mmap:1:rewrite", run, ("eval", "--qrels", qrels, "--run", run))):
            content = path.read_bytes()
            result = self.run_with(fault, *arguments, "--quiet", path=path, victim=path)
            self.assert_one_line(result, f"{path.name}: the file changed while it was read")
            self.assertEqual(result.stdout, "")
            self.assertNotEqual(path.read_bytes(), content)
            path.write_bytes(content)

    def test_a_cache_that_is_rewritten_while_it_is_trained_on(self):
        data = self.large("large.podium")
        model = self.path("m.json", "old")
        result = self.run_with("fsync:1:rewrite", "train", "ranknet", "--data", data, "--epochs", 20, "--force", "--model", model,
                               "--checkpoint-seconds", "0.0001", "--quiet", path=".checkpoint", victim=data)
        self.assert_one_line(result, "large.podium: the file changed while it was read")
        self.assertEqual(model.read_text(), "old")

    def test_compressed_files_that_end_early(self):
        for ending in ("gz", "zst"):
            data = self.large("large.txt." + ending)
            result = self.run_with("read:1:shrink", "inspect", data, "--quiet", path=data, victim=data)
            self.assert_one_line(result, "large.*changed while it was read")


if __name__ == "__main__":
    unittest.main()
