"""Runs commands and measures them: wall time, peak memory, and what they say of themselves."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def measure(command, environment=None):
    """Runs to the end. "seconds", "memory" (peak resident MB of the process), and the last line of the output where it is JSON."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err, env=dict(os.environ, **(environment or {})))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode(errors="replace").strip()
        if process.returncode:
            sys.exit(f"{' '.join(str(part) for part in command)}: exit {process.returncode}\n{err.read().decode(errors='replace')[-2000:]}")
    last = text.splitlines()[-1] if text else ""
    figures = json.loads(last) if last.startswith("{") else {}
    return {"seconds": wall, "memory": usage.ru_maxrss / 1024, **({"said": figures} if figures else {})}


def interleaved(sides, repeats, note, hopeless=None):
    """Runs every side once, then again: A B C A B C. {name: [what each run gave]}. Sides that `hopeless`, asked with the results of the
    first turn, names are not run again."""
    runs = {name: [] for name in sides}
    left = list(sides)
    for i in range(repeats):
        for name in left:
            result = sides[name]()
            runs[name].append(result)
            note(f"  {name}: {', '.join(f'{k} {v:.3f}' for k, v in result.items() if isinstance(v, float))} (run {i + 1} of {repeats})")
        if i == 0 and hopeless:
            out = hopeless({name: mine[0] for name, mine in runs.items()})
            left = [name for name in left if name not in out]
    return runs


def medians(runs):
    """{name: {figure: median}}, and under "runs" how many there were."""
    return {name: {key: statistics.median(run[key] for run in mine) for key in mine[0] if isinstance(mine[0][key], (int, float))} | {"runs": len(mine)}
            for name, mine in runs.items()}
