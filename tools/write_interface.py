#!/usr/bin/env python3
"""Writes man pages, from what the program says of itself (podium --dump-interface), and shell completion, as podium completion prints it.

usage: tools/write_interface.py PODIUM FOLDER
FOLDER has the layout of share/: man/man1, bash-completion/completions, fish/vendor_completions.d; the file for zsh,
whose folder depends on the prefix, is FOLDER/../_podium."""
import json
import pathlib
import shutil
import subprocess
import sys

from interface import manual


def main():
    podium, folder = sys.argv[1], pathlib.Path(sys.argv[2])

    def ask(*arguments):
        return subprocess.run([podium, *arguments], check=True, capture_output=True, text=True).stdout

    interface = json.loads(ask("--dump-interface"))
    files = {f"man/man1/{name}.1": text for name, text in manual.pages(interface).items()}
    files["bash-completion/completions/podium"] = ask("completion", "bash")
    files["fish/vendor_completions.d/podium.fish"] = ask("completion", "fish")
    files["../_podium"] = ask("completion", "zsh")
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
