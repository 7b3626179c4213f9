"""Man pages and shell completion from tools/write_interface.py. PODIUM_BUILD: the build folder."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from install_support import run

BUILD = pathlib.Path(os.environ["PODIUM_BUILD"])
SHARE = BUILD / "interface/share"
INTERFACE = json.loads(run(BUILD / "podium", "--dump-interface"))


def completed(line, folder="."):
    """What bash offers at the end of the line, without bash-completion's functions."""
    script = ('source "$1"; COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
              'compopt() { :; }; _podium; printf "%s\\n" "${COMPREPLY[@]}"')
    text = run("bash", "--norc", "-c", script, "bash", SHARE / "bash-completion/completions/podium", line, cwd=folder)
    return text.split()


def page(name):
    return (SHARE / f"man/man1/{name}.1").read_text()


class CompletionTest(unittest.TestCase):
    def test_commands(self):
        commands = [command["name"] for command in INTERFACE["commands"]]
        self.assertEqual(completed("podium "), [*commands, "--help", "--version"])
        self.assertEqual(completed("podium com"), ["compare"])

    def test_options_of_a_command(self):
        self.assertEqual(completed("podium train --val"), ["--valid", "--valid-init"])
        for command in INTERFACE["commands"]:
            offered = completed(f"podium {command['name']} --")
            for option in command["options"]:
                if option["names"][-1].startswith("--"):
                    self.assertIn(option["names"][-1], offered)

    def test_options_of_a_learner(self):
        self.assertEqual(completed("podium train linear --leav"), [])
        self.assertEqual(completed("podium train lambdamart --data x --leav"), ["--leaves"])
        self.assertEqual(completed("podium train --data x svm-map --bound "), ["hinge", "ramp"])
        self.assertEqual(completed("podium tune lambdamart --leav"), ["--leaves"])

    def test_names(self):
        self.assertEqual(completed("podium train lambdam"), ["lambdamart"])
        self.assertEqual(completed("podium learners svm-map"), ["svm-map"])
        self.assertEqual(completed("podium check-loss lambda-nd"), ["lambda-ndcg"])
        self.assertEqual(completed("podium train linear --loss soft"), [name for name in INTERFACE["names"]["loss"] if name.startswith("soft")])
        self.assertEqual(completed("podium eval --convention l"), ["letor", "lightgbm"])
        self.assertEqual(completed("podium eval --ties s"), ["stable"])
        self.assertEqual(completed("podium export --to vesp"), ["vespa"])
        self.assertEqual(completed("podium train linear --normalize query-m"), ["query-minmax"])

    def test_comma_separated_lists(self):
        self.assertEqual(completed("podium compare --learners svm-map,lambdam"), ["svm-map,lambdamart"])
        self.assertEqual(completed("podium eval --measures AP,nDC"), ["AP,nDCG"])

    def test_values_after_an_equals_sign(self):
        # readline replaces only the text after the sign.
        self.assertEqual(completed("podium eval --ties=s"), ["stable"])
        self.assertEqual(completed("podium eval --measures=AP,nDC"), ["AP,nDCG"])

    def test_lists_after_a_cut_off(self):
        # readline replaces the text from the @ on.
        self.assertEqual(completed("podium eval --measures nDCG@10,Judg"), ["@10,Judged"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "data.txt").touch()
            pathlib.Path(folder, "results").mkdir()
            self.assertEqual(completed("podium train linear --data d", folder), ["data.txt"])
            self.assertEqual(completed("podium score --data=d", folder), ["data.txt"])
            self.assertEqual(completed("podium inspect d", folder), ["data.txt"])
            self.assertEqual(completed("podium serve ", folder), ["results"])
            self.assertEqual(completed("podium train linear --seed ", folder), [])

    def test_other_shells_can_read_theirs(self):
        for shell, path in (("zsh", BUILD / "interface/_podium"), ("fish", SHARE / "fish/vendor_completions.d/podium.fish")):
            if shutil.which(shell):
                run(shell, "-n", path)

    def test_fish_offers_the_same(self):
        if not shutil.which("fish"):
            self.skipTest("no fish here")
        for line, expected in (("podium com", ["compare"]), ("podium train lambdam", ["lambdamart"]), ("podium eval --ties=s", ["--ties=stable"]),
                               ("podium eval --measures AP,nDC", ["AP,nDCG"]), ("podium train lambdamart --leaves", ["--leaves"])):
            script = f"source {SHARE}/fish/vendor_completions.d/podium.fish; complete -C '{line}'"
            offered = [entry.split("\t")[0] for entry in run("fish", "--no-config", "-c", script).splitlines()]
            for name in expected:
                self.assertIn(name, offered, line)


class ManualTest(unittest.TestCase):
    def test_a_page_per_command_with_every_option(self):
        for command in INTERFACE["commands"]:
            text = page(f"podium-{command['name']}").replace("\\-", "-")
            for option in command["options"]:
                self.assertIn(f"\\f{'B' if option['names'][-1].startswith('-') else 'I'}{option['names'][-1]}\\fR", text)
            self.assertIn(f"podium-{command['name']}", page("podium").replace("\\-", "-"))

    def test_groff_reports_no_errors(self):
        if not shutil.which("groff"):
            self.skipTest("no groff here")
        for path in sorted((SHARE / "man/man1").iterdir()):
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-Kutf8", path], capture_output=True, text=True)
            self.assertEqual(result.stderr, "", path.name)


if __name__ == "__main__":
    unittest.main()
