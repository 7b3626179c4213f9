"""Any allocation fails: a one-line error and exit code 1, never a crash, a hang or half a file.
If the allocation is not essential, the correct result."""
import unittest

from fault_support import FaultTest


def moments(count, first=25, growth=1.15):
    """The first few allocations, then fewer and fewer, and the last few."""
    chosen, n = set(range(1, min(first, count) + 1)), first
    while n < count:
        n = int(n * growth) + 1
        chosen.add(min(n, count))
    return sorted(chosen | {n for n in range(count - 5, count + 1) if n > 0})


class MemoryTest(FaultTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth("data.txt", 30, 1)
        self.model = self.path("model.json")
        self.run_ok("train", "lambdamart", "--data", self.data, "--trees", 5, "--model", self.model)
        self.out = self.path("out")
        self.out.mkdir()

    def outputs(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir()}

    def clear(self):
        for path in self.out.iterdir():
            path.unlink()

    def sweep(self, call, *command, first=25, growth=1.15):
        counts = self.path("counts")
        self.clear()
        plain = self.run_with("", *command, "--quiet", count=counts)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        expected = self.outputs()
        count = dict(line.split() for line in counts.read_text().splitlines())[call]
        counts.unlink()
        failed = 0
        for n in moments(int(count), first, growth):
            for when in (f"{n}", f"{n}+"):
                self.clear()
                with self.subTest(f"{command[0]}, {call} {when} of {count}"):
                    result = self.run_with(f"{call}:{when}:ENOMEM", *command, "--quiet")
                    if result.returncode == 0:
                        self.assertEqual((result.stderr, self.outputs()), ("", expected))
                        continue
                    failed += 1
                    self.assert_one_line(result, "(not enough memory|Cannot allocate memory)")
                    # Files finished before are complete.
                    for name, content in self.outputs().items():
                        if not name.endswith(".checkpoint"):
                            self.assertEqual(content, expected.get(name), name)
        self.assertGreater(failed, 0)

    def test_train(self):
        self.sweep("malloc", "train", "lambdamart", "--data", self.data, "--valid", self.data, "--trees", 3, "--threads", 1,
                   "--model", self.out / "m.json", "--checkpoint-seconds", "0.000001")

    def test_train_with_threads(self):
        self.sweep("malloc", "train", "linear", "--data", self.data, "--threads", 3, "--model", self.out / "m.json",
                   first=5, growth=1.6)

    def test_score(self):
        self.sweep("malloc", "score", "--data", self.data, "--model", self.model, "-o", self.out / "s.txt.zst", "--threads", 1)

    def test_eval(self):
        self.sweep("malloc", "eval", "--data", self.data, "--model", self.model, "--per-query", self.out / "q.tsv", "--threads",
                   1, "--measures", "nDCG@10,AP,RR", first=5)

    def test_prepare(self):
        self.sweep("malloc", "prepare", self.data, "--normalize", "query-minmax", "-o", self.out / "p.podium", "--threads", 1)
        self.sweep("malloc", "prepare", self.data, "-o", self.out / "p.txt.gz", "--threads", 1, first=3, growth=1.8)

    def test_memory_that_is_mapped(self):
        self.sweep("mmap", "train", "lambdamart", "--data", self.data, "--trees", 2, "--threads", 1, "--model",
                   self.out / "m.json")


if __name__ == "__main__":
    unittest.main()
