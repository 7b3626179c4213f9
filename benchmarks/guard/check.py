#!/usr/bin/env python3
"""Compares instruction counts of the main kernels with a stored baseline: check.py GUARD [--update].

Runs podium_guard under callgrind and compares each kernel's instructions with baseline.json beside this file. Fails where a kernel takes over a quarter
more, or is not in the baseline; says where one takes that much less, so that the baseline can be lowered (--update rewrites it).

Counts do not depend on how busy the machine is, but on the compiler: another one than the baseline's gets a wider bound. Valgrind does not know AVX-512, so
kernels run with AVX2 at most; where even that differs from the baseline's, nothing can be compared, and it says so."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BASELINE = pathlib.Path(__file__).resolve().parent / "baseline.json"
BOUND = 0.25  # the share that a kernel may take more
OTHER_COMPILER_BOUND = 1.0


def read_counts(folder):
    """Instructions by kernel, from the files that callgrind dumped."""
    counts = {}
    for path in sorted(folder.glob("counts.*")):
        text = path.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
        total = re.search(r"^summary: (\d+)$", text, re.MULTILINE)
        if name and total:
            counts[name.group(1)] = int(total.group(1))
    return counts


def measure(guard):
    """What a run of podium_guard says, with "kernels": {name: {"instructions": …, "items": …}}."""
    if not shutil.which("valgrind"):
        sys.exit("bench-check: valgrind is not installed: run `tools/setup test`")
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counts", str(guard)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"bench-check: {' '.join(command)}: exit code {result.returncode}\n{result.stderr}")
        said = json.loads(result.stdout)
        counts = read_counts(pathlib.Path(folder))
    items = said.pop("items")
    silent = [name for name in items if not counts.get(name)]
    if silent:
        sys.exit(f"bench-check: callgrind counted nothing for {', '.join(silent)}")
    said["kernels"] = {name: {"instructions": counts[name], "items": items[name]} for name in items}
    return said


def same_compiler(one, other):
    """Compilers that differ in the last numbers of their version only are the same."""
    return [word.split(".")[0] for word in one.split()] == [word.split(".")[0] for word in other.split()]


def per_item(kernel):
    return kernel["instructions"] / kernel["items"]


def compare(baseline, measured):
    """The lines to print, and whether all is well."""
    if baseline["vectors"] != measured["vectors"]:
        return [f"nothing compared: here kernels run with {measured['vectors']} under valgrind, the baseline's with {baseline['vectors']}"], True
    bound, lines, failures, lower = BOUND, [], [], []
    if not same_compiler(baseline["compiler"], measured["compiler"]):
        bound = OTHER_COMPILER_BOUND
        lines.append(f"{measured['compiler']} here, the baseline's is {baseline['compiler']}: the bound is {bound:+.0%}, not {BOUND:+.0%}")
    lines.append(f"{'kernel':<18} {'instructions an item':>20} {'baseline':>10} {'change':>8}")
    for name, kernel in measured["kernels"].items():
        before = baseline["kernels"].get(name)
        if not before:
            lines.append(f"{name:<18} {per_item(kernel):>20.2f} {'none':>10}")
            failures.append(f"{name} is not in the baseline: add it with `make bench-baseline`")
            continue
        change = per_item(kernel) / per_item(before) - 1
        lines.append(f"{name:<18} {per_item(kernel):>20.2f} {per_item(before):>10.2f} {change:>+8.1%}")
        if change > bound:
            failures.append(f"{name} takes {change:+.0%} instructions, more than {bound:+.0%}: undo that, or explain it in the commit and run `make bench-baseline`")
        elif change < -BOUND and bound == BOUND:
            lower.append(name)
    failures += [f"{name} is in the baseline but is no kernel any more: run `make bench-baseline`" for name in baseline["kernels"] if name not in measured["kernels"]]
    if lower:
        lines.append(f"faster than the baseline by over {BOUND:.0%}: {', '.join(lower)}; `make bench-baseline` makes that the new one")
    lines += failures or [f"{len(measured['kernels'])} kernels within {bound:+.0%} of the baseline ({measured['compiler']}, {measured['vectors']})"]
    return lines, not failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("guard", type=pathlib.Path, help="the program podium_guard")
    parser.add_argument("--baseline", type=pathlib.Path, default=BASELINE)
    parser.add_argument("--update", action="store_true", help="write the baseline instead of comparing with it")
    options = parser.parse_args()
    measured = measure(options.guard)
    if options.update:
        options.baseline.write_text(json.dumps(measured, indent=1) + "\n")
        print(f"{len(measured['kernels'])} kernels in {options.baseline}")
        return 0
    if not options.baseline.exists():
        sys.exit(f"bench-check: no {options.baseline}: make it with `make bench-baseline`")
    lines, is_well = compare(json.loads(options.baseline.read_text()), measured)
    print("\n".join(lines))
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
