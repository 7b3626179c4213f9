"""``python -m podium``: the program that is installed with the package."""

from __future__ import annotations

import os
import sys

from podium._program import program_path


def main() -> None:
    path = program_path()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
