"""The tests of ``podium prepare --via python`` that need pyarrow, which the Python of ctest may lack."""

import os
import pathlib
import subprocess
import sys

import pytest

from podium._program import program_path

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "cli"


def test_tables_that_pyarrow_reads():
    pytest.importorskip("pyarrow")
    result = subprocess.run([sys.executable, "-m", "unittest", "via_python_test"], cwd=FOLDER, capture_output=True, text=True,
                            check=False, env={**os.environ, "PODIUM": program_path(), "PYTHONDONTWRITEBYTECODE": "1"})
    assert result.returncode == 0, result.stderr
    assert "skipped" not in result.stderr
