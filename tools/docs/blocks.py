"""The code blocks of a Markdown page that the tests run or check, in order.

    ```sh, ```bash, ```python       run
    ```json                         read: one value or several
    ```cpp, ```cmake                compared with a file that is compiled: the line above is <!-- from FILE -->
    <!-- setup                      shell commands that the reader does not see: create files that the page assumes;
    ...                             Python code with <!-- setup python
    -->

More marks above a block:

    <!-- serves PORT -->            started in the background; the next block waits until the port answers. Also above a setup
    <!-- run with NEW instead of OLD -->    run with this text replaced: fewer trials, another device
    <!-- saved as FILE -->          written to this file of the page's folder instead of run; a later block runs it
    <!-- needs NAME: WHY -->        run only by test_docs.py --have NAME or --only NAME, by one of the targets in ELSEWHERE; holds for a
                                    setup between it and the block, too"""
import dataclasses
import json
import re

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([\w+-]*).*$")
MARK = re.compile(r"^\s*<!--\s*(serves\b|run with\b|saved as\b|needs\b|from\b)\s*(.*?)\s*-->\s*$")
SHELL = {"sh", "bash", "shell", "console"}
KINDS = {**dict.fromkeys(SHELL, "shell"), "python": "python", "json": "json", "cpp": "source", "cmake": "source"}
RUN = {"shell", "python"}
# What a block may need: the target of the Makefile that has it, and the file that runs the blocks.
ELSEWHERE = {
    "clone": ("test-clone", "tests/clone/run"),
    "consumers": ("test-consumers", "tests/consumers/run"),
    "engines": ("test-engines", "tests/engines/run"),
    "image": ("test-image", "tests/image/run"),
    "network": ("test-network", "tests/network/three_hosts_test.py"),
    "sdist": ("test-sdist", "tests/wheels/run_sdist"),
    "wheel": ("test-wheels", "tests/wheels/inside"),
}


@dataclasses.dataclass
class Block:
    kind: str  # shell, python, json or source
    line: int  # of the first line of code, from 1
    code: str
    hidden: bool = False  # a setup
    skipped: str | None = None  # the reason
    needs: str | None = None
    port: int | None = None  # of the server that it starts
    file: str | None = None  # that has the code, or gets it


def blocks_of(text):
    lines, found, marks, at = text.split("\n"), [], [], 0
    waiting = False  # for the setup or block below the marks
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line)
        if line.strip() in ("<!-- setup", "<!-- setup python"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "-->")
            setup = Block("python" if line.strip().endswith("python") else "shell", at + 2, "\n".join(lines[at + 1:end]), hidden=True)
            _apply(setup, [mark for mark in marks if mark[0] in ("needs", "serves")])
            marks, waiting = [mark for mark in marks if mark[0] != "serves"], False
            found.append(setup)
            at = end
        elif mark := MARK.match(line):
            if not mark[2]:
                raise ValueError(f"line {at + 1}: `{mark[1]}` without anything after it")
            marks.append((mark[1], mark[2], at + 1))
            waiting = True
        elif fence:
            indent, quotes, language = fence.groups()
            end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == quotes), None)
            if end is None:
                raise ValueError(f"line {at + 1}: a code block without an end")
            block = Block(KINDS.get(language, ""), at + 2, "\n".join(row.removeprefix(indent) for row in lines[at + 1:end]))
            _apply(block, marks)
            if block.kind:
                found.append(block)
            marks, at = [], end
        elif line.strip() and marks:
            if waiting:
                raise ValueError(f"line {at}: `{marks[-1][0]}` without a block below it")
            marks = []
        at += 1
    return found


def _apply(block, marks):
    for mark, value, line in marks:
        if mark == "from" and block.kind != "source":
            raise ValueError(f"line {line}: `from` is for cpp and cmake")
        if mark != "from" and block.kind not in RUN:
            raise ValueError(f"line {line}: `{mark}` above a block that is never run")
        if mark == "needs":
            name, _, why = value.partition(":")
            if not why or name not in ELSEWHERE:
                raise ValueError(f"line {line}: write `needs NAME: WHY`, with one of the names {', '.join(ELSEWHERE)}")
            block.needs, block.skipped = name, f"`make {ELSEWHERE[name][0]}` runs it: it needs {why.strip()}"
        elif mark == "serves":
            block.port = int(value)
        elif mark in ("from", "saved as"):
            block.file = value
        else:
            new, between, old = value.partition(" instead of ")
            if not between or old not in block.code:
                raise ValueError(f"line {line}: the block does not contain `{old}`")
            block.code = block.code.replace(old, new)
    if block.kind == "source" and not block.file:
        raise ValueError(f"line {block.line - 1}: name the file that has this code, <!-- from FILE -->")


def check_json(block):
    """None, or what is wrong."""
    decoder, rest = json.JSONDecoder(), block.code.strip()
    try:
        while rest:
            rest = rest[decoder.raw_decode(rest)[1]:].strip()
    except ValueError as problem:
        return f"not JSON: {problem}"
    return None


def _plain(text, comment):
    """Lines without indent, comments at their end, and empty ones."""
    lines = (re.sub(rf"(^|\s+){comment}.*$", "", line).strip() for line in text.split("\n"))
    return [re.sub(r"\s+", " ", line) for line in lines if line]


def check_source(block, text):
    """None, or what is wrong: the lines of the block must follow one another in the file. Comments do not count."""
    comment = "#" if block.file.endswith(".txt") else "//"
    wanted, lines = _plain(block.code, comment), _plain(text, comment)
    if any(lines[i:i + len(wanted)] == wanted for i in range(len(lines))):
        return None
    return f"{block.file} does not contain these lines"
