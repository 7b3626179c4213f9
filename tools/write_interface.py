#!/usr/bin/env python3
"""Writes man pages and shell completion from what the program says of itself (podium --dump-interface).

usage: tools/write_interface.py PODIUM FOLDER
FOLDER has the layout of share/: man/man1, bash-completion/completions, fish/vendor_completions.d; the file for zsh,
whose folder depends on the prefix, is FOLDER/../_podium."""
import json
import pathlib
import shutil
import subprocess
import sys

from interface import bash, fish, manual, zsh


def main():
    podium, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    interface = json.loads(subprocess.run([podium, "--dump-interface"], check=True, capture_output=True, text=True).stdout)
    files = {f"man/man1/{name}.1": text for name, text in manual.pages(interface).items()}
    files["bash-completion/completions/podium"] = bash.completion(interface)
    files["fish/vendor_completions.d/podium.fish"] = fish.completion(interface)
    files["../_podium"] = zsh.completion(interface)
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
