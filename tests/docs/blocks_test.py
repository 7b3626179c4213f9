"""Which code blocks of a page are run, and what the reference generator reads from a header."""
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import headers  # noqa: E402
from blocks import Block, blocks_of, check_json, check_source  # noqa: E402


class BlocksTest(unittest.TestCase):
    def test_shell_and_python_blocks_are_found_in_order(self):
        found = blocks_of("# a\n```sh\nls\n```\ntext\n```python\nx = 1\n```\n```json\n{}\n```\n")
        self.assertEqual([(b.kind, b.code, b.line) for b in found], [("shell", "ls", 3), ("python", "x = 1", 7), ("json", "{}", 10)])

    def test_indented_blocks_lose_their_indent(self):
        self.assertEqual(blocks_of("- a\n\n    ```sh\n    if a; then\n      b\n    fi\n    ```\n")[0].code, "if a; then\n  b\nfi")

    def test_setup_runs_at_its_position(self):
        self.assertEqual([b.code for b in blocks_of("<!-- setup\ntouch a\n-->\n```sh\ncat a\n```\n")], ["touch a", "cat a"])

    def test_a_block_is_skipped_with_a_reason_only(self):
        self.assertEqual(blocks_of("<!-- not run: needs root -->\n```sh\nls\n```\n```sh\nls\n```\n")[0].skipped, "needs root")
        self.assertIsNone(blocks_of("<!-- not run: needs root -->\n```sh\nls\n```\n```sh\nls\n```\n")[1].skipped)
        for wrong in ("<!-- not run: -->\n```sh\nls\n```\n", "<!-- not run: x -->\ntext\n", "<!-- not run: x -->\n```json\n{}\n```\n", "```sh\nls\n",
                      "<!-- run with a instead of b -->\n```sh\nls\n```\n", "<!-- needs x -->\n```sh\nls\n```\n", "```cpp\nint a;\n```\n"):
            with self.assertRaises(ValueError):
                blocks_of(wrong)

    def test_marks(self):
        self.assertEqual(blocks_of("<!-- serves 81 -->\n```sh\nls\n```\n")[0].port, 81)
        self.assertEqual(blocks_of("<!-- run with -x 2 instead of -x 50 -->\n```sh\nls -x 50\n```\n")[0].code, "ls -x 2")
        found = blocks_of("<!-- needs a: b -->\n<!-- setup python\nx = 1\n-->\n<!-- saved as x.py -->\n```python\nx\n```\n```sh\nls\n```\n")
        self.assertEqual([(b.needs, b.hidden, b.file) for b in found], [("a", True, None), ("a", False, "x.py"), (None, False, None)])

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
        page = "<!-- needs torch: make test-engines -->\n<!-- saved as a.py -->\n```python\nopen('b', 'w')\n```\n<!-- needs torch: x -->\n```sh\npython3 a.py; ls b\n```\n"
        self.assertIn("0 run, 2 not", self.run_page(page).stdout)
        done = self.run_page(page, "--have", "torch")
        self.assertIn("2 run, 0 not", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)


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
