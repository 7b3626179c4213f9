"""Where the program ``podium`` is."""

from __future__ import annotations

import os
import pathlib
import sys
import sysconfig


def program_path() -> str:
    """The program that was installed with this package.

    Raises FileNotFoundError where the package was built without it (CLI11 or cpp-httplib were missing)."""
    for folder in _script_folders():
        path = folder / "podium"
        if path.is_file() and os.access(path, os.X_OK):
            return os.fspath(path)
    raise FileNotFoundError("the program podium was not installed with this package: install a wheel, or build it with the "
                            "packages libcli11-dev and libcpp-httplib-dev installed")


def _script_folders() -> list[pathlib.Path]:
    """Folders of scripts of the environment, of the user (pip install --user), and beside the package (pip install --target)."""
    package = pathlib.Path(__file__).resolve().parent
    folders: list[str | pathlib.Path] = [
        sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"),
        package.parent / "bin",
        *(prefix / "bin" for prefix in package.parents[3:4]),  # PREFIX/lib/python3.x/site-packages/podium
        pathlib.Path(sys.executable).parent,
    ]
    return [pathlib.Path(folder) for folder in folders]
