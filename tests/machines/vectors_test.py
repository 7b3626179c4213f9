"""Other vectors: baseline, AVX2 and AVX-512 code compute the same bits. Unsupported instruction sets are skipped."""
import os
import re
import subprocess
import unittest

from machine_support import PODIUM, MachineTest

TARGETS = {"baseline": "baseline", "avx2": "AVX2", "avx512": "AVX-512"}


def version(target):
    return subprocess.run([PODIUM, "--version"], env={**os.environ, "PODIUM_SIMD": target}, capture_output=True, text=True, timeout=60)


class VectorsTest(MachineTest):
    def test_the_same_bits_on_each(self):
        here = []
        for target, shown in TARGETS.items():
            said = version(target)
            if said.returncode:
                self.assertRegex(said.stderr, "^podium: error: PODIUM_SIMD=.* this machine has no [^\n]*\n$")
            else:
                self.assertIn(f"SIMD {shown}\n", said.stdout)
                here.append(target)
        widest = self.outputs({"PODIUM_SIMD": here.pop()})
        for target in here:
            with self.subTest(target):
                self.assert_same(widest, self.outputs({"PODIUM_SIMD": target}))

    def test_no_variable_means_the_widest(self):
        have = [shown for target, shown in TARGETS.items() if version(target).returncode == 0]
        self.assertEqual(re.search("SIMD (.*)", version("").stdout).group(1), have[-1])

    def test_unknown_names_are_one_line_errors(self):
        said = version("sse9")
        self.assertEqual((said.returncode, said.stderr), (2, "podium: error: PODIUM_SIMD=sse9 is not one of baseline, avx2, avx512\n"))


if __name__ == "__main__":
    unittest.main()
