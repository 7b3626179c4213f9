"""Another C library: no result of the program depends on the last bits of its elementary functions (other_libm.c), and it calls none of them."""
import os
import subprocess
import unittest

from machine_support import PODIUM, MachineTest

SHIM = os.environ["PODIUM_OTHER_LIBM"]
LIBRARIES = [PODIUM, *os.environ["PODIUM_LIBRARIES"].split(":")]

# Allowed imports from libm: functions whose result IEEE 754 or C defines to the bit, because they are exact or correctly rounded.
EXACT = {"ceil", "floor", "fmod", "frexp", "ilogb", "ldexp", "llrint", "llround", "lrint", "lround", "modf", "nearbyint", "nextafter", "nextafterf",
         "rint", "round", "scalbn", "sqrt", "sqrtf", "trunc"}


def symbols(path, *options):
    lines = subprocess.run(["nm", "-D", *options, path], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


class LibmTest(MachineTest):
    def test_only_exact_functions_are_imported(self):
        for path in LIBRARIES:
            loaded = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
            libm = next(line.split()[2] for line in loaded.splitlines() if "libm.so" in line)
            used = symbols(path, "--undefined-only") & symbols(libm, "--defined-only")
            self.assertEqual(used - EXACT, set(), path)
            self.assertTrue(used, "nm found nothing")

    def test_other_last_bits_change_nothing(self):
        log = self.folder / "called.txt"
        other = self.outputs({"LD_PRELOAD": SHIM, "PODIUM_LIBM_LOG": str(log)})
        self.assert_same(self.outputs({}), other)
        self.assertFalse(log.exists() and log.read_text(), "called: " + log.read_text() if log.exists() else "")


if __name__ == "__main__":
    unittest.main()
