"""Which code blocks of a page are run, and what the reference generator reads from a header."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import headers  # noqa: E402
from blocks import blocks_of  # noqa: E402


class BlocksTest(unittest.TestCase):
    def test_shell_and_python_blocks_are_found_in_order(self):
        found = blocks_of("# a\n```sh\nls\n```\ntext\n```python\nx = 1\n```\n```json\n{}\n```\n")
        self.assertEqual([(b.kind, b.code, b.line) for b in found], [("shell", "ls", 3), ("python", "x = 1", 7)])

    def test_indented_blocks_lose_their_indent(self):
        self.assertEqual(blocks_of("- a\n\n    ```sh\n    if a; then\n      b\n    fi\n    ```\n")[0].code, "if a; then\n  b\nfi")

    def test_setup_runs_at_its_position(self):
        self.assertEqual([b.code for b in blocks_of("<!-- setup\ntouch a\n-->\n```sh\ncat a\n```\n")], ["touch a", "cat a"])

    def test_a_block_is_skipped_with_a_reason_only(self):
        self.assertEqual(blocks_of("<!-- not run: needs root -->\n```sh\nls\n```\n```sh\nls\n```\n")[0].skipped, "needs root")
        self.assertIsNone(blocks_of("<!-- not run: needs root -->\n```sh\nls\n```\n```sh\nls\n```\n")[1].skipped)
        for wrong in ("<!-- not run: -->\n```sh\nls\n```\n", "<!-- not run: x -->\ntext\n", "<!-- not run: x -->\n```json\n{}\n```\n", "```sh\nls\n"):
            with self.assertRaises(ValueError):
                blocks_of(wrong)


class RunnerTest(unittest.TestCase):
    def run_page(self, text):
        # In the repository, because the runner names pages relative to it.
        (ROOT / "build").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            return subprocess.run([sys.executable, ROOT / "tools/test_docs.py", "/bin/true", page.relative_to(ROOT)],
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
