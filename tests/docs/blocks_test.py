"""Which code blocks of a page are run, and what the reference generator reads from a header."""
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/docs"), str(ROOT / "tests/docs")]
import headers  # noqa: E402
import search_engine  # noqa: E402
from blocks import ELSEWHERE, Block, blocks_of, check_json, check_source  # noqa: E402


class BlocksTest(unittest.TestCase):
    def test_shell_and_python_blocks_are_found_in_order(self):
        found = blocks_of("# a\n```sh\nls\n```\ntext\n```python\nx = 1\n```\n```json\n{}\n```\n")
        self.assertEqual([(b.kind, b.code, b.line) for b in found], [("shell", "ls", 3), ("python", "x = 1", 7), ("json", "{}", 10)])

    def test_indented_blocks_lose_their_indent(self):
        self.assertEqual(blocks_of("- a\n\n    ```sh\n    if a; then\n      b\n    fi\n    ```\n")[0].code, "if a; then\n  b\nfi")

    def test_setup_runs_at_its_position(self):
        self.assertEqual([b.code for b in blocks_of("<!-- setup\ntouch a\n-->\n```sh\ncat a\n```\n")], ["touch a", "cat a"])

    def test_marks_that_are_wrong(self):
        for wrong in ("<!-- serves -->\n```sh\nls\n```\n", "<!-- serves 80 -->\ntext\n", "<!-- serves 80 -->\n```json\n{}\n```\n", "```sh\nls\n",
                      "<!-- run with a instead of b -->\n```sh\nls\n```\n", "<!-- needs clone -->\n```sh\nls\n```\n",
                      "<!-- needs luck: it is rare -->\n```sh\nls\n```\n", "```cpp\nint a;\n```\n"):
            with self.assertRaises(ValueError, msg=wrong):
                blocks_of(wrong)

    def test_marks(self):
        self.assertEqual(blocks_of("<!-- serves 81 -->\n```sh\nls\n```\n")[0].port, 81)
        self.assertEqual(blocks_of("<!-- run with -x 2 instead of -x 50 -->\n```sh\nls -x 50\n```\n")[0].code, "ls -x 2")
        found = blocks_of("<!-- needs wheel: b -->\n<!-- setup python\nx = 1\n-->\n<!-- saved as x.py -->\n```python\nx\n```\n```sh\nls\n```\n")
        self.assertEqual([(b.needs, b.hidden, b.file) for b in found], [("wheel", True, None), ("wheel", False, "x.py"), (None, False, None)])

    def test_a_setup_may_be_the_server_and_need_something_by_itself(self):
        found = blocks_of("<!-- needs wheel: b -->\n<!-- serves 81 -->\n<!-- setup\na\n-->\n```sh\nb\n```\n<!-- needs wheel: b -->\n<!-- setup\nc\n-->\ntext\n```sh\nd\n```\n")
        self.assertEqual([(b.code, b.needs, b.port) for b in found], [("a", "wheel", 81), ("b", "wheel", None), ("c", "wheel", None), ("d", None, None)])

    def test_json_may_have_several_values(self):
        for code, good in (('{"a": 1}\n{"b":\n 2}\n', True), ('{"a": …}', False), ("{}\nx", False)):
            self.assertEqual(check_json(Block("json", 1, code)) is None, good, code)

    def test_source_is_compared_without_comments_and_indent(self):
        def check(code, text):
            return check_source(Block("source", 1, code, file="a.cc"), text)

        self.assertIsNone(check("int a;  // the first\nint b;", "{\n  int a;\n\n  // more\n  int b;  // b\n}"))
        self.assertIn("a.cc", check("int a;\nint c;", "int a;\nint b;\nint c;"))


class RunnerTest(unittest.TestCase):
    def run_page(self, text, *options):
        # In the repository, because the runner names pages relative to it.
        (ROOT / "build").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            return subprocess.run([sys.executable, ROOT / "tools/test_docs.py", "/bin/true", page.relative_to(ROOT), *options],
                                  capture_output=True, text=True)

    def test_blocks_share_a_folder_and_python_blocks_their_names(self):
        done = self.run_page("```python\nx = 6\n```\n```sh\necho 7 > seven; podium\n```\n```python\nassert x * int(open('seven').read()) == 42\n```\n")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("3 run", done.stdout)

    def test_failures_are_shown(self):
        for text in ("```sh\nfalse\necho later\n```\n", "```python\n1 / 0\n```\n", "```sh\nexit 3 | cat\n```\n"):
            done = self.run_page(text)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("page.md:2: this block fails", done.stdout)

    def test_a_server_runs_beside_the_next_blocks(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        page = (f"<!-- serves {port} -->\n```sh\nexec python3 -m http.server --bind 127.0.0.1 {port}\n```\n"
                f"```python\nimport urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}/').read()\n```\n")
        done = self.run_page(page)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.run_page("<!-- serves 9 -->\n```sh\ntrue\n```\n").returncode, 1)

    def test_what_needs_something_runs_if_it_is_there(self):
        page = ("<!-- needs engines: torch -->\n<!-- saved as a.py -->\n```python\nopen('b', 'w')\n```\n<!-- needs engines: x -->\n```sh\npython3 a.py; ls b\n```\n"
                "```sh\necho always\n```\n")
        done = self.run_page(page)
        self.assertIn("1 run, 2 not", done.stdout)
        self.assertIn("`make test-engines` runs it: it needs torch", done.stdout)
        for option, count in (("--have", "3 run, 0 not"), ("--only", "2 run, 0 not")):
            done = self.run_page(page, option, "engines")
            self.assertIn(count, done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.run_page(page, "--only", "wheel").returncode, 1)  # nothing was tested

    def test_another_shell_runs_the_blocks(self):
        self.assertEqual(self.run_page("```sh\n[ \"$WORD\" = x ]\n```\n", "--shell", "env WORD=x bash").returncode, 0)


class ElsewhereTest(unittest.TestCase):
    """Blocks that `make test-docs` leaves out are run by another target."""

    def needs(self):
        found = {}
        for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
            for block in blocks_of(page.read_text(encoding="utf-8")):
                if block.needs and not block.hidden:
                    found.setdefault(block.needs, set()).add(page.relative_to(ROOT))
        return found

    def test_a_target_runs_every_page_that_needs_something(self):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        needs = self.needs()
        self.assertEqual(sorted(needs), sorted(ELSEWHERE))
        for name, (target, file) in ELSEWHERE.items():
            recipe = makefile.split(f"\n{target}:", 1)[1].split("\n\n", 1)[0]
            folder = pathlib.Path(file).parent
            self.assertRegex(recipe, rf"{re.escape(str(folder))}/run|cd {re.escape(str(folder))} .*{re.escape(pathlib.Path(file).stem)}", name)
            text = (ROOT / file).read_text(encoding="utf-8")
            self.assertRegex(text, rf"--(have|only)\W+{name}\b")
            for page in needs[name]:
                self.assertTrue(str(page) in text or "for page in" in text and page.stem in text, f"{file} does not run {page}")


class SearchEngineTest(unittest.TestCase):
    """The stand-in of the tutorial refuses what the plugin refuses."""
    LEAVES = [{"nodeid": 1, "leaf": 0.0}, {"nodeid": 2, "leaf": 1.0}]

    def model(self, **changes):
        tree = dict({"nodeid": 0, "depth": 0, "split": "a", "split_condition": 1.0, "yes": 1, "no": 2, "missing": 2, "children": self.LEAVES}, **changes)
        return {"model": {"name": "m", "model": {"type": "model/xgboost+json", "definition": json.dumps([tree])}}}

    def test_models(self):
        self.assertEqual(search_engine.check_model(self.model(), {"a"})[0], "m")
        for changes in ({"gain": 1}, {"split": "b"}, {"children": self.LEAVES[::-1]}):
            with self.assertRaises(search_engine.Refused, msg=changes):
                search_engine.check_model(self.model(**changes), {"a"})

    def test_feature_sets(self):
        def check(**changes):
            feature = dict({"name": "a", "params": ["q"], "template": {"match": {"title": "{{q}}"}}}, **changes)
            return search_engine.check_featureset({"featureset": {"name": "s", "features": [feature]}})

        self.assertEqual(list(check()), ["a"])
        for changes in ({"params": []}, {"kind": 1}, {"template": {"match": {}, "term": {}}}):
            with self.assertRaises(search_engine.Refused, msg=changes):
                check(**changes)


class HeadersTest(unittest.TestCase):
    def test_a_piece_is_a_comment_and_a_declaration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.h")
            path.write_text("// About a_b.\n#pragma once\n\n#include <x>\n\nnamespace podium {\n\n// Does it.\nint act(int a);\n\n"
                            "struct S {\n  int x;\n\n  int y;  // why\n};\n\n}  // namespace podium\n")
            page = headers.page(path, "cpp", "a.h")
        self.assertIn("About a\\_b.", page)
        self.assertIn("## act\n\nDoes it.\n\n```cpp\nint act(int a);\n```", page)
        self.assertIn("## S\n\n```cpp\nstruct S {\n  int x;\n\n  int y;  // why\n};\n```", page)

    def test_every_public_header_has_a_page_with_declarations(self):
        pages = headers.pages(ROOT / "include/podium")
        self.assertEqual(len(pages), len(list((ROOT / "include/podium").glob("*.h"))) + 1)
        for name, text in pages.items():
            self.assertIn("\n## " if name != "reference/cpp.md" else "| header |", text, name)


if __name__ == "__main__":
    unittest.main()
