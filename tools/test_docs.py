#!/usr/bin/env python3
"""Runs the code blocks of every page, and the notebooks.

usage: tools/test_docs.py PODIUM [--jobs N] [--have NAME] [--only NAME] [--shell COMMAND] [--show] [--update-notebooks] [PAGE ...]
Run it with the Python that has the package (tools/test_docs does). PODIUM is - where a page installs the program. The blocks of a page run in order in one temporary folder,
with PODIUM on the PATH, all Python blocks of the page in one interpreter. tools/docs/blocks.py describes how a page marks blocks
that run only with --have; --only leaves out all others. --shell names what runs shell blocks instead of bash: on another system, as another
user. --show prints blocks with their output. In the shell, $REPO is the repository, and the home folder is a temporary one, too. JSON is
read, and excerpts of source code are compared with their files. Exits with 1 if a block fails."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

REPO = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO / "tools/docs"))
from blocks import RUN, blocks_of, check_json, check_source  # noqa: E402

ROOT_PAGES = ("README.md", "CONTRIBUTING.md")
SERVER_SECONDS = 60
EXIT_SECONDS = 30
# Reads one block per line from standard input, answers on file descriptor 3.
INTERPRETER = """
import json, os, sys, traceback
scope = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    good = True
    try:
        exec(compile(block["code"], block["name"], "exec"), scope)
    except BaseException:
        traceback.print_exc()
        good = False
    sys.stdout.flush()
    os.write(3, b"1" if good else b"0")
"""


def serves(child, port):
    """Waits until the child answers at the port."""
    for _ in range(SERVER_SECONDS * 10):
        if child.poll() is not None:
            return False
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.1)
    return False


class Page:
    """Runs the blocks of one page."""

    def __init__(self, path, environment, folder, given):
        self.path, self.environment, self.folder, self.given = path, environment, folder, given
        self.log = open(folder.parent / (folder.name + ".log"), "w+b")
        self.groups, self.python = [], None

    def start(self, block):
        child = subprocess.Popen([*shlex.split(self.given.shell), "-euo", "pipefail", "-c", block.code], cwd=self.folder, env=self.environment,
                                 stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        self.groups.append(child.pid)
        return child

    def shell(self, block):
        child = self.start(block)
        return serves(child, block.port) if block.port else child.wait(self.given.block_seconds) == 0

    def interpreter(self, block):
        if self.python is None:
            self.answers, write = os.pipe()
            self.python = subprocess.Popen(["bash", "-c", f'exec "$0" -c "$1" 3>&{write}', sys.executable, INTERPRETER],
                                           cwd=self.folder, env=self.environment, stdin=subprocess.PIPE, text=True,
                                           stdout=self.log, stderr=self.log, pass_fds=[write], start_new_session=True)
            os.close(write)
            self.groups.append(self.python.pid)
        name = f"{self.path.name}, line {block.line}"
        self.python.stdin.write(json.dumps({"code": block.code, "name": name}) + "\n")
        self.python.stdin.flush()
        if not select.select([self.answers], [], [], self.given.block_seconds)[0]:
            self.log.write(f"no end after {self.given.block_seconds} s\n".encode())
            self.log.flush()
            return False
        return os.read(self.answers, 1) == b"1"

    def read(self, block):
        """Blocks that are not run: None, or what is wrong."""
        if block.kind == "json":
            return check_json(block)
        file = REPO / block.file
        return check_source(block, file.read_text(encoding="utf-8")) if file.is_file() else f"there is no {block.file}"

    def failure(self, block, output):
        return f"{self.path.relative_to(REPO)}:{block.line}: this block fails:\n{block.code}\n--- output:\n{output}"

    def output(self, begin):
        self.log.seek(begin)
        return self.log.read().decode(errors="replace")

    def run(self):
        """(run, skipped, the first failure or None)"""
        run, skipped = 0, []
        for block in blocks_of(self.path.read_text(encoding="utf-8")):
            if self.given.only and block.needs != self.given.only:
                continue
            if block.needs and block.needs not in (*self.given.have, self.given.only):
                if not block.hidden:
                    skipped.append((block.line, block.skipped))
                continue
            run += not block.hidden
            if block.kind not in RUN:
                if problem := self.read(block):
                    return run, skipped, self.failure(block, problem)
                continue
            if block.file:
                (self.folder / block.file).write_text(block.code + "\n", encoding="utf-8")
                continue
            begin = self.log.tell()
            good = self.shell(block) if block.kind == "shell" else self.interpreter(block)
            if self.given.show and not block.hidden:
                print(f"--- {self.path.name}, line {block.line}\n{block.code}\n--- prints\n{self.output(begin)}", flush=True)
            if not good:
                return run, skipped, self.failure(block, self.output(begin)[-4000:])
        return run, skipped, None

    def close(self):
        if self.python is not None:
            self.python.stdin.close()  # it ends by itself, with the processes that it started elsewhere (Ray)
            try:
                self.python.wait(EXIT_SECONDS)
            except subprocess.TimeoutExpired:
                pass
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.log.close()


def test_page(path, environment, folder, given):
    folder.mkdir()
    page = Page(path, environment, folder, given)
    begin = time.monotonic()
    try:
        return (*page.run(), time.monotonic() - begin)
    except (ValueError, subprocess.TimeoutExpired) as problem:
        return 0, [], f"{path.relative_to(REPO)}: {problem}", time.monotonic() - begin
    finally:
        page.close()


def test_notebook(path, environment, folder, given):
    """Executes a notebook; with --update-notebooks its outputs are stored."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    folder.mkdir()
    begin = time.monotonic()
    notebook = nbformat.read(path, as_version=4)
    try:
        NotebookClient(notebook, timeout=given.block_seconds, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute(
            env=dict(environment, MPLBACKEND="module://matplotlib_inline.backend_inline"))
    except CellExecutionError as problem:
        return 0, [], f"{path.relative_to(REPO)}: {problem}", time.monotonic() - begin
    if given.update_notebooks:
        for cell in notebook.cells:
            cell.get("metadata", {}).pop("execution", None)
        notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
        nbformat.write(notebook, path)
    return sum(cell.cell_type == "code" for cell in notebook.cells), [], None, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("podium")
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--have", action="append", default=[], help="run blocks that need this")
    parser.add_argument("--only", help="run only blocks that need this")
    parser.add_argument("--shell", default="bash", help="what runs shell blocks, with bash's arguments")
    parser.add_argument("--block-seconds", type=int, default=900, help="how long a block may take")
    parser.add_argument("--show", action="store_true", help="print the blocks with their output")
    parser.add_argument("--update-notebooks", action="store_true")
    given = parser.parse_intermixed_args()
    pages = [REPO / page for page in given.pages] or \
        [*(REPO / page for page in ROOT_PAGES), *sorted((REPO / "docs").rglob("*.md")), *sorted((REPO / "docs").rglob("*.ipynb"))]
    failures = total = left_out = 0
    with tempfile.TemporaryDirectory(prefix="podium-docs-") as work, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        programs = pathlib.Path(work, "programs")
        programs.mkdir()
        home = pathlib.Path(work, "home")
        home.mkdir()
        if given.podium != "-":
            shutil.copy(given.podium, programs / "podium")
        module = pathlib.Path(given.podium).resolve().parent / "podium_mpi.so"  # loaded under mpirun
        if module.exists():
            shutil.copy(module, programs)
        environment = dict(os.environ, REPO=str(REPO), HOME=str(home), MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1",
                           PATH=f"{programs}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
                           # More ranks than cores, and as root in containers.
                           OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        os.environ["PATH"] = environment["PATH"]  # where nbclient looks for the kernel
        jobs = {}
        for number, page in enumerate(pages):
            folder = pathlib.Path(work, f"page{number}")
            jobs[page] = pool.submit(test_notebook, page, environment, folder, given) if page.suffix == ".ipynb" \
                else pool.submit(test_page, page, environment, folder, given)
        for page, job in jobs.items():
            run, skipped, failure, seconds = job.result()
            total += run
            left_out += len(skipped)
            if run or skipped or failure:
                print(f"{'FAILS' if failure else 'ok':5} {page.relative_to(REPO)}: {run} run, {len(skipped)} not, {seconds:.1f} s", flush=True)
            for line, reason in skipped:
                print(f"        line {line}: {reason}")
            if failure:
                failures += 1
                print(failure, flush=True)
    print(f"{total} blocks of {len(pages)} pages, {left_out} not run, {failures} pages fail")
    if given.only and not total:
        print(f"no block needs {given.only}")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
