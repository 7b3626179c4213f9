"""The code blocks of a Markdown page that the tests run, in order.

    ```sh, ```bash, ```python       run, unless the line above is <!-- not run: REASON -->
    <!-- setup                      shell commands that the reader does not see: create files that the page assumes
    ...
    -->                                                                                                        """
import dataclasses
import re

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([\w+-]*).*$")
NOT_RUN = re.compile(r"^\s*<!--\s*not run:\s*(.*?)\s*-->\s*$")
SHELL = {"sh", "bash", "shell", "console"}


@dataclasses.dataclass
class Block:
    kind: str  # shell or python
    line: int  # of the first line of code, from 1
    code: str
    skipped: str | None = None  # the reason


def blocks_of(text):
    lines, found, reason, at = text.split("\n"), [], None, 0
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line)
        if line.strip() == "<!-- setup":
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "-->")
            found.append(Block("shell", at + 2, "\n".join(lines[at + 1:end])))
            at = end
        elif note := NOT_RUN.match(line):
            if not note.group(1):
                raise ValueError(f"line {at + 1}: `not run` without a reason")
            reason = note.group(1)
        elif fence:
            indent, mark, language = fence.groups()
            end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == mark), None)
            if end is None:
                raise ValueError(f"line {at + 1}: a code block without an end")
            code = "\n".join(row.removeprefix(indent) for row in lines[at + 1:end])
            if language in SHELL or language == "python":
                found.append(Block("python" if language == "python" else "shell", at + 2, code, reason))
            elif reason:
                raise ValueError(f"line {at + 1}: `not run` above a block that is never run")
            reason, at = None, end
        elif line.strip() and reason:
            raise ValueError(f"line {at}: `not run` without a block below it")
        at += 1
    return found
