"""Runs the program as users do. The environment variable PODIUM is the path of the binary."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PODIUM = os.environ["PODIUM"]


def podium(*arguments, stdin=None, cwd=None, env=None):
    return subprocess.run([PODIUM, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          cwd=cwd, env=env, timeout=300)


class CliTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def path(self, name, text=None):
        path = self.folder / name
        if text is not None:
            path.write_text(text)
        return path

    def run_ok(self, *arguments, **options):
        result = podium(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def run_json(self, *arguments):
        return json.loads(self.run_ok(*arguments, "--json", "--quiet"))

    def assert_fails(self, code, pattern, *arguments, **options):
        """One line on standard error, `podium: error: …`, with this pattern, and this exit code."""
        result = podium(*arguments, "--quiet", **options)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], r"^podium: error: " + ("" if pattern.startswith("^") else ".*") +
                         pattern.lstrip("^"))

    def synth(self, name="data.txt", queries=40, seed=1, *more):
        path = self.folder / name
        self.run_ok("synth", "--queries", queries, "--docs", 12, "--features", 8, "--seed", seed,
                    "--quiet", "-o", path, *more)
        return path
