"""The program that is installed with the package, and the report."""

import subprocess
import sys

import numpy as np
import pytest

import podium
from podium import _program
from podium._program import program_path


@pytest.fixture
def data():
    random = np.random.default_rng(3)
    x = random.normal(size=(240, 4)).astype(np.float32)
    y = np.digitize(x[:, 0] + random.normal(size=240), [0.5, 1.5])
    return podium.Dataset(x, y, qid=np.repeat(np.arange(24), 10))


def test_the_program_is_installed_and_of_the_same_version():
    text = subprocess.run([program_path(), "--version"], check=True, capture_output=True, text=True).stdout
    assert text.splitlines()[0] == f"podium {podium.__version__}"


def test_python_m_podium_is_the_program():
    result = subprocess.run([sys.executable, "-m", "podium", "learners", "--bad"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "--bad" in result.stderr
    direct = subprocess.run([program_path(), "--version"], check=True, capture_output=True).stdout
    assert subprocess.run([sys.executable, "-m", "podium", "--version"], check=True, capture_output=True).stdout == direct


@pytest.mark.parametrize("package", ["/podium", "/app/podium", "/usr/lib/python3/dist-packages/podium"])
def test_packages_near_the_root(monkeypatch, package):
    """pip install --target /app."""
    monkeypatch.setattr(_program, "__file__", f"{package}/_program.py")
    folders = [str(folder) for folder in _program._script_folders()]
    assert f"{package.removesuffix('/podium')}/bin" in folders and ("/usr/bin" in folders or not package.startswith("/usr"))


def test_the_program_knows_other_tools_names():
    known = {*podium.options("lambdamart"), "threads", "seed", "device", "measure", "categorical", "ignore"}
    asked = 0
    for row in podium.aliases():
        own = [name for name in row["option"].split(" or ") if name in known]
        if not own:
            continue
        asked += 1
        result = subprocess.run([program_path(), "train", "lambdamart", "--data", "x", f"--{row['alias']}", "1"], capture_output=True,
                                text=True, check=False)
        assert f"did you mean --{own[0].replace('_', '-')}?" in result.stderr, result.stderr
    assert asked > 40


def test_compare_writes_a_report(data, tmp_path):
    pytest.importorskip("pandas")
    page = tmp_path / "r.html"
    if "report yes" not in subprocess.run([program_path(), "--version"], capture_output=True, text=True, check=True).stdout:
        with pytest.raises(ValueError, match="no report"):
            podium.compare(data, ["linear"], folds=3, report=page)
        return
    podium.compare(data, ["linear", "feature"], folds=3, report=page)
    text = page.read_text(encoding="utf-8")
    assert text.lower().startswith("<!doctype html>")
    assert '"systems"' in text


def test_a_report_that_cannot_be_written_is_an_error_before_training(data, tmp_path):
    pytest.importorskip("pandas")
    with pytest.raises((OSError, ValueError)):
        podium.compare(data, ["linear"], folds=3, folder=tmp_path / "results", report=tmp_path / "nowhere" / "r.html")
    assert not (tmp_path / "results").exists()
