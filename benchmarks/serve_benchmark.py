#!/usr/bin/env python3
"""How many documents a second `podium serve` scores: benchmarks/serve_benchmark.py PODIUM [--seconds 10].

Requests of 100 documents x 136 features (JSON objects, names and values) to a forest of 500 trees, over
loopback, with wrk. The server computes on one core (--threads 1, pinned to core 0) and wrk is pinned to
another where there is one. Target: 20,000 documents a second or more, 99 of 100 requests within 20 ms.
With the right to do so (root) both run at a raised priority, so that other work on the machine disturbs
less; the line that is printed says so.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

DOCUMENTS, FEATURES, TREES = 100, 136, 500
WANTED_RATE, WANTED_MILLISECONDS = 20_000, 20

POST = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "%s"
local file = io.open("%s", "rb")
wrk.body = file:read("*a")
file:close()
done = function(summary, latency, requests)
  io.write(string.format("RESULT %%d %%d %%d %%f %%f\\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.read + summary.errors.timeout + summary.errors.connect,
    latency:percentile(50), latency:percentile(99)))
end
"""


def raised():
    """The words in front of a command that raise its priority, where that is allowed."""
    allowed = subprocess.run(["nice", "-n", "-10", "true"], capture_output=True, text=True)
    return ["nice", "-n", "-10"] if allowed.returncode == 0 and not allowed.stderr else []


def make_model(podium, folder):
    data, model = folder / "data.txt", folder / "model.json"
    subprocess.run([podium, "synth", "--queries", "60", "--docs", str(DOCUMENTS), "--features", str(FEATURES),
                    "--seed", "1", "--quiet", "-o", data], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([podium, "train", "lambdamart", "--data", data, "--trees", str(TREES), "--leaves", "31", "--quiet",
                    "--model", model], check=True, stdout=subprocess.DEVNULL)
    return data, model


def bodies(data, folder):
    """The first query's documents, as objects, as arrays and as LETOR lines."""
    lines = data.read_text().splitlines()[:DOCUMENTS]
    rows = [dict(pair.split(":") for pair in line.split("#")[0].split()[2:]) for line in lines]
    rows = [{str(f): float(row.get(str(f), 0)) for f in range(1, FEATURES + 1)} for row in rows]
    texts = {
        "objects": ("application/json", json.dumps({"documents": [{"features": row} for row in rows]})),
        "arrays": ("application/json", json.dumps({"documents": [list(row.values()) for row in rows]})),
        "LETOR lines": ("text/plain", "\n".join(lines) + "\n"),
    }
    for name, (kind, text) in texts.items():
        path = folder / (name.replace(" ", "-") + ".body")
        path.write_text(text)
        yield name, kind, path


def measure(url, kind, body, seconds, connections, folder):
    script = folder / "post.lua"
    script.write_text(POST % (kind, body))
    core = ["taskset", "-c", "1"] if os.cpu_count() > 1 else []
    command = [*raised(), *core, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, url + "v1/score"]
    output = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\S+) (\S+)", output)
    requests, microseconds, errors = map(int, found.groups()[:3])
    if errors:
        sys.exit(f"{errors} requests failed:\n{output}")
    return requests * DOCUMENTS / (microseconds / 1e6), float(found[4]) / 1000, float(found[5]) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("podium")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--model", type=pathlib.Path, help="with --data: use these, and train nothing")
    parser.add_argument("--data", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data, model = (options.data, options.model) if options.model else make_model(options.podium, folder)
        priority = raised()
        server = subprocess.Popen([*priority, "taskset", "-c", "0", options.podium, "serve", "--model", model, "--port",
                                   "0", "--threads", "1", "--quiet"], stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().strip()
            urllib.request.urlopen(url + "healthz").close()
            print(f"podium serve, one core{', raised priority' if priority else ''}: {TREES} trees, requests of "
                  f"{DOCUMENTS} documents x {FEATURES} features, {options.connections} connections")
            missed = False
            for name, kind, body in bodies(data, folder):
                rate, median, p99 = measure(url, kind, body, options.seconds, options.connections, folder)
                print(f"  {name:12} {rate:9,.0f} documents/s   median {median:6.2f} ms   p99 {p99:6.2f} ms   "
                      f"({body.stat().st_size / 1000:.0f} kB a request)")
                missed |= name == "objects" and (rate < WANTED_RATE or p99 > WANTED_MILLISECONDS)
        finally:
            server.terminate()
            server.wait()
    print(f"asked for with objects: {WANTED_RATE:,} documents/s, p99 {WANTED_MILLISECONDS} ms: {'MISSED' if missed else 'met'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
