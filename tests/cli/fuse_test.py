"""fuse: combining TREC runs, and the guide's page about it."""
import os
import pathlib
import re
import subprocess
import unittest

from support import PODIUM, CliTest

A = "1 Q0 a 3 10 A\n1 Q0 b 2 6 A\n1 Q0 c 1 2 A\n"
B = "1 Q0 d 1 0.5 B\n1 Q0 c 1 1 B\n2 Q0 z 1 -4 B\n"
GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/rank-fusion.md"


class FuseTest(CliTest):
    def setUp(self):
        super().setUp()
        self.runs = f"{self.path('A.run', A)},{self.path('B.run', B)}"

    def fused(self, *options):
        return self.run_ok("fuse", "--runs", self.runs, *options)

    def test_writes_a_run_to_standard_output(self):
        self.assertEqual(self.fused("--method", "combmnz"),
                         "1 Q0 c 1 2 podium-combmnz\n1 Q0 a 2 1 podium-combmnz\n1 Q0 b 3 0.5 podium-combmnz\n"
                         "1 Q0 d 4 0 podium-combmnz\n2 Q0 z 1 1 podium-combmnz\n")
        self.assertEqual(self.fused("--method", "combmnz", "-o", "-"), self.fused("--method", "combmnz"))

    def test_every_method(self):
        for method, options, scores in (("combsum", [], ["1", "1", "0.5", "0", "1"]),
                                        ("combsum", ["--normalize", "none"], ["10", "6", "3", "0.5", "-4"]),
                                        ("borda", [], ["6", "5.5", "4.5", "4", "1"]),
                                        ("borda", ["--depth", "1"], ["3", "3", "1"])):
            lines = self.fused("--method", method, *options).splitlines()
            self.assertEqual([line.split()[4] for line in lines], scores, method)
        ranks = [float(line.split()[4]) for line in self.fused().splitlines()]
        for value, expected in zip(ranks, (1 / 63 + 1 / 61, 1 / 61, 1 / 62, 1 / 62, 1 / 61)):
            self.assertAlmostEqual(value, expected, places=15)
        self.assertIn(" 0.5 podium-rrf\n", self.fused("--method", "rrf", "--k", 1))

    def test_threads_and_the_order_of_runs_change_nothing(self):
        texts = ["".join(f"{t} Q0 d{d} 1 {(d * (7 + r) + t) % 31 / 7} r\n" for t in range(40) for d in range(30)
                         if (d + t) % (r + 2)) for r in range(4)]
        paths = [str(self.path(f"r{r}.run", text)) for r, text in enumerate(texts)]
        for method in ("combsum", "combmnz", "rrf", "borda"):
            outputs = {self.run_ok("fuse", "--runs", ",".join(order), "--method", method, "--threads", threads)
                       for order in (paths, paths[::-1]) for threads in (1, 3)}
            self.assertEqual(len(outputs), 1)

    def test_report(self):
        out = self.path("out.run.gz")
        self.assertEqual(self.run_json("fuse", "--runs", self.runs, "-o", out),
                         {"schema": 1, "file": str(out), "method": "rrf", "k": 60.0, "depth": 1000, "runs": self.runs.split(","),
                          "topics": 2, "documents": 5})
        qrels = self.path("q", "1 0 c 1\n")
        value = self.run_json("eval", "--qrels", qrels, "--run", out, "--measures", "RR")
        self.assertEqual(value["results"][0]["measures"]["RR"], 1)

    def test_bad_input_is_one_line(self):
        self.assert_fails(1, "bad.run:1: the score 'x'", "fuse", "--runs", self.path("bad.run", "1 Q0 a 1 x t\n"))
        self.assert_fails(1, "bad.run:2: document 'a' of topic '1'", "fuse", "--runs",
                          self.path("bad.run", "1 Q0 a 1 1 t\n1 Q0 a 1 2 t\n"))
        self.assert_fails(1, "no run in the file", "fuse", "--runs", self.path("bad.run", ""))
        self.assert_fails(2, "--runs is required", "fuse")
        self.assert_fails(2, "did you mean combsum", "fuse", "--runs", self.runs, "--method", "combsun")
        self.assert_fails(2, "--k applies to rrf", "fuse", "--runs", self.runs, "--method", "borda", "--k", 3)
        self.assert_fails(2, "--normalize applies to", "fuse", "--runs", self.runs, "--normalize", "none")
        self.assert_fails(2, "give -o FILE", "fuse", "--runs", self.runs, "--json")

    def test_the_guide_runs_as_written(self):
        blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreater(len(blocks), 2)
        self.path("bin").mkdir()
        (self.folder / "bin/podium").symlink_to(pathlib.Path(PODIUM).resolve())
        result = subprocess.run(["sh", "-e", "-c", "\n".join(blocks)], cwd=self.folder, capture_output=True, text=True,
                                env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("learned", result.stdout)


if __name__ == "__main__":
    unittest.main()
