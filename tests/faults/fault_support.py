"""Runs the program with faults (shim.c). Environment variables: PODIUM and PODIUM_SHIM."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from support import PODIUM, CliTest  # noqa: E402

SHIM = os.environ["PODIUM_SHIM"]


class FaultTest(CliTest):
    def run_with(self, faults, *arguments, path=None, but=None, victim=None, log=None, count=None, stdin=None,
                 seconds=60):
        """The finished process. `faults` in the syntax of shim.c; the rest are its other settings."""
        environment = {**os.environ, "LD_PRELOAD": SHIM, "PODIUM_FAULTS": faults}
        for name, value in (("PATH", path), ("NOT", but), ("VICTIM", victim), ("LOG", log), ("COUNT", count)):
            if value is not None:
                environment["PODIUM_FAULT_" + name] = str(value)
        return subprocess.run([PODIUM, *map(str, arguments)], env=environment, capture_output=True, text=True,
                              input=stdin, timeout=seconds)

    def assert_one_line(self, result, pattern, code=1):
        self.assertEqual(result.returncode, code, (result.stderr, result.stdout))
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], "^podium: error: .*" + pattern)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())
