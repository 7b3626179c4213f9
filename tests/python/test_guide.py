"""The Python blocks of the guide and of the README run, in order, and so do the examples."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md", "docs/guide/write-your-own-loss.md"])
def test_blocks_run(page, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    if not blocks:
        pytest.skip(f"{page} has no Python block")
    (tmp_path / "page.py").write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("example", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(example, tmp_path):
    done = subprocess.run([sys.executable, example, tmp_path / "made"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert {"report.html", "ranker.onnx", "ranker.txt"} <= {path.name for path in (tmp_path / "made").iterdir()}
