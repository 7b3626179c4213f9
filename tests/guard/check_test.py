"""The regression guard's script: what counts as a regression, and its exit code."""
import copy
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/guard/check.py"
sys.path.insert(0, str(SCRIPT.parent))
import check  # noqa: E402

BASELINE = {"compiler": "GNU 12.2.0", "vectors": "AVX2", "kernels": {"sort": {"instructions": 1000, "items": 10}, "read": {"instructions": 600, "items": 100}}}

# Replaces valgrind: writes dumps like callgrind, then prints the output of podium_guard.
VALGRIND = """#!{python}
import json, sys
counts = {counts}
out = next(word.split("=")[1] for word in sys.argv if word.startswith("--callgrind-out-file="))
for number, (name, count) in enumerate(counts.items(), 1):
    open(f"{{out}}.{{number}}", "w").write(f"version: 1\\ndesc: Trigger: Client Request: {{name}}\\nevents: Ir\\nsummary: {{count}}\\n")
open(out, "w").write("desc: Trigger: Program termination\\nsummary: 0\\n")
print(json.dumps({{"compiler": "GNU 12.2.0", "vectors": "AVX2", "items": {{name: 10 for name in {kernels}}}}}))
"""


def changed(name, factor):
    measured = copy.deepcopy(BASELINE)
    measured["kernels"][name]["instructions"] = round(measured["kernels"][name]["instructions"] * factor)
    return measured


class CompareTest(unittest.TestCase):
    def verdict(self, measured, baseline=BASELINE):
        lines, is_well = check.compare(baseline, measured)
        return "\n".join(lines), is_well

    def test_the_same_counts_pass(self):
        text, is_well = self.verdict(BASELINE)
        self.assertTrue(is_well)
        self.assertIn("2 kernels within +25% of the baseline", text)

    def test_a_kernel_that_takes_more_fails_and_is_named(self):
        text, is_well = self.verdict(changed("sort", 1.3))
        self.assertFalse(is_well)
        self.assertIn("sort takes +30% instructions, more than +25%", text)
        self.assertNotIn("read takes", text)

    def test_a_little_more_passes(self):
        self.assertTrue(self.verdict(changed("sort", 1.2))[1])

    def test_more_items_are_no_regression(self):
        measured = changed("sort", 2)
        measured["kernels"]["sort"]["items"] *= 2
        self.assertTrue(self.verdict(measured)[1])

    def test_a_faster_kernel_passes_and_asks_for_a_lower_baseline(self):
        text, is_well = self.verdict(changed("read", 0.5))
        self.assertTrue(is_well)
        self.assertIn("faster than the baseline by over 25%: read", text)

    def test_a_kernel_without_a_baseline_fails(self):
        baseline = copy.deepcopy(BASELINE)
        del baseline["kernels"]["read"]
        text, is_well = self.verdict(BASELINE, baseline)
        self.assertFalse(is_well)
        self.assertIn("read is not in the baseline", text)

    def test_a_kernel_that_is_gone_fails(self):
        measured = copy.deepcopy(BASELINE)
        del measured["kernels"]["read"]
        text, is_well = self.verdict(measured)
        self.assertFalse(is_well)
        self.assertIn("read is in the baseline but is no kernel any more", text)

    def test_another_compiler_has_a_wider_bound(self):
        measured = changed("sort", 1.3)
        measured["compiler"] = "Clang 14.0.6"
        text, is_well = self.verdict(measured)
        self.assertTrue(is_well)
        self.assertIn("Clang 14.0.6 here, the baseline's is GNU 12.2.0", text)
        measured = changed("sort", 2.1)
        measured["compiler"] = "Clang 14.0.6"
        self.assertFalse(self.verdict(measured)[1])

    def test_the_last_numbers_of_a_version_do_not_matter(self):
        measured = changed("sort", 1.3)
        measured["compiler"] = "GNU 12.3.1"
        self.assertFalse(self.verdict(measured)[1])

    def test_other_vectors_are_not_compared_with_a_message(self):
        measured = changed("sort", 9)
        measured["vectors"] = "baseline"
        text, is_well = self.verdict(measured)
        self.assertTrue(is_well)
        self.assertIn("nothing compared", text)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.baseline = self.folder / "baseline.json"

    def run_with(self, counts, *options, kernels=None):
        valgrind = self.folder / "valgrind"
        valgrind.write_text(VALGRIND.format(python=sys.executable, counts=repr(counts), kernels=repr(kernels or list(counts))))
        valgrind.chmod(valgrind.stat().st_mode | stat.S_IXUSR)
        command = [sys.executable, str(SCRIPT), "guard", "--baseline", str(self.baseline), *options]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})

    def test_a_regression_fails_until_the_baseline_is_rewritten(self):
        self.assertEqual(self.run_with({"sort": 1000, "read": 60}, "--update").returncode, 0)
        self.assertEqual(json.loads(self.baseline.read_text())["kernels"]["sort"], {"instructions": 1000, "items": 10})
        self.assertEqual(self.run_with({"sort": 1010, "read": 60}).returncode, 0)
        slower = self.run_with({"sort": 1400, "read": 60})
        self.assertEqual(slower.returncode, 1)
        self.assertIn("sort takes +40% instructions", slower.stdout)
        self.assertEqual(self.run_with({"sort": 1400, "read": 60}, "--update").returncode, 0)
        self.assertEqual(self.run_with({"sort": 1400, "read": 60}).returncode, 0)

    def test_a_kernel_that_callgrind_did_not_count_is_an_error(self):
        result = self.run_with({"sort": 1000}, "--update", kernels=["sort", "read"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("counted nothing for read", result.stderr)

    def test_without_a_baseline_it_explains_how_to_make_one(self):
        result = self.run_with({"sort": 1000})
        self.assertEqual(result.returncode, 1)
        self.assertIn("make bench-baseline", result.stderr)


if __name__ == "__main__":
    unittest.main()
