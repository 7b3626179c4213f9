"""LETOR sets cleaned as [Chakrabarti08] section 4.1 did: without documents whose features are all 0, and without pairs of a good and a
bad document of one query whose features have a cosine above 0.99. Training, validation and test parts alike."""
import os
import pathlib
import subprocess
import sys

from five_fold import PODIUM, ROOT, data_folder, program

SUFFIX = ", cleaned"


def clean(source, target):
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{os.getpid()}-{target.name}")
    result = subprocess.run([PODIUM, "prepare", source, "-o", partial, "--relevant-from", "1", "--drop-zero-vectors", "--drop-conflicts",
                             "0.99", "--quiet"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{source}: {result.stderr}")
    partial.rename(target)


def folder_of(name):
    """The folder of a set: "MQ2007", or "MQ2007, cleaned", which is made once for each build of the program."""
    plain = name.removesuffix(SUFFIX)
    source = data_folder([plain]) / plain
    if name == plain:
        return source
    target = pathlib.Path(ROOT / "build/recipes" / f"cleaned-{program()}" / plain)
    for fold in range(1, 6):
        for part in ("train", "vali", "test"):
            clean(source / f"Fold{fold}/{part}.txt", target / f"Fold{fold}/{part}.txt")
    return target


def both(names):
    """Each set as it is and cleaned."""
    return [variant for name in names for variant in (name, name + SUFFIX)]
