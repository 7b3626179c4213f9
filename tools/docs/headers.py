"""The C and C++ reference: one page per public header, from its comments.

A header is a comment, and then pieces separated by blank lines: comment lines followed by a declaration. That is how
include/podium is written, so no C++ parser is needed."""
import re

GUARDS = re.compile(r"^(#(pragma|include|ifndef|define PODIUM_C_H|endif|if|else|define PODIUM_API).*|namespace podium \{|\}  // namespace.*|extern \"C\" \{)$")
NAMES = (r"^(?:template <.*?>\s*)?(?:class|struct|enum class|enum)\s+(\w+)", r"^using (\w+) =", r"^typedef (?:struct|enum) (\w+)", r"(\w+)\(",
         r"(?:constexpr|const)\s+[\w:<> ]+?(\w+)\s*[={]")


def name_of(code):
    text = re.sub(r"\[\[\w+\]\]\s*", "", code)
    text = re.sub(r"//.*", "", text).strip()
    for pattern in NAMES:
        if found := re.search(pattern, text, re.S):
            return found.group(1)
    return None


def comment_text(lines):
    """The text of comment lines; indented parts become code."""
    text, code = [], False
    for line in lines:
        body = re.sub(r"^\s*(//|/\*|\*/|\*)\s?", "", line).replace("*/", "").rstrip()
        indented = body.startswith("   ") and not text[-1:] == [""] or (code and body.startswith("  "))
        if indented and not code:
            text.append("")
        code = indented
        text.append("    " + body if indented and not body.startswith("    ") else body)
    return "\n".join(text).strip()


def escaped(text):
    """Text of a comment as Markdown: no accidental emphasis or tags outside code."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("    "):
            parts = re.split(r"(`[^`]*`)", line)
            parts[::2] = [re.sub(r"([*_<>\[\]])", r"\\\1", part) for part in parts[::2]]
            line = "".join(parts)
        lines.append(line)
    return "\n".join(lines)


def is_comment(line):
    return re.match(r"\s*(//|/\*|\*/| \*)", line) is not None


def pieces(text):
    """The parts of a header between blank lines outside of braces and comments."""
    block, depth, inside = [], 0, False
    for line in text.split("\n"):
        bare = line.strip()
        if not inside and GUARDS.match(bare):
            continue
        if not bare and depth == 0 and not inside:
            if block:
                yield block
            block = []
            continue
        block.append(line)
        inside = (inside or "/*" in line) and "*/" not in line
        code = re.sub(r'//.*|/\*.*?\*/|"[^"]*"', "", line)
        depth += 0 if inside else code.count("{") - code.count("}")
    if block:
        yield block


def parts(block):
    comment = []
    lines = list(block)
    inside = False
    while lines and (inside or is_comment(lines[0])) and not re.search(r"NOLINT", lines[0]):
        inside = (inside or "/*" in lines[0]) and "*/" not in lines[0]
        comment.append(lines.pop(0))
    return comment, [line for line in lines if "NOLINT" not in line]


def introduction(text):
    lines = text.split("\n")
    intro = []
    inside = False
    while lines and (inside or is_comment(lines[0])):
        inside = (inside or "/*" in lines[0]) and "*/" not in lines[0]
        intro.append(lines.pop(0))
    return comment_text(intro), "\n".join(lines)


def page(path, language, title):
    intro, rest = introduction(path.read_text())
    out = [f"# {title}", escaped(intro), f"```{language}\n#include <podium/{path.name}>\n```"]
    seen = set()
    for block in pieces(rest):
        comment, code = parts(block)
        if not code:
            out.append(escaped(comment_text(comment)))
            continue
        name = name_of("\n".join(code))
        if name and name not in seen:
            seen.add(name)
            out.append(f"## {name}")
        if comment:
            out.append(escaped(comment_text(comment)))
        out.append(f"```{language}\n" + "\n".join(code).replace("PODIUM_API ", "").rstrip() + "\n```")
    return "\n\n".join(part for part in out if part) + "\n"


def pages(folder):
    made, rows = {}, []
    for path in sorted(folder.glob("*.h")):
        if path.name == "podium_c.h":
            made["reference/c.md"] = page(path, "c", "C reference: podium_c.h")
            continue
        made[f"reference/cpp/{path.stem}.md"] = page(path, "cpp", path.name)
        first = introduction(path.read_text())[0].split("\n\n")[0].replace("\n", " ")
        rows.append(f"| [`{path.name}`](cpp/{path.stem}.md) | {escaped(re.split(r'(?<=[a-z)])[.] ', first)[0].rstrip('.')).replace('|', '/')} |")
    made["reference/cpp.md"] = (
        "# C++ reference\n\nThe public headers, all in namespace `podium`. [Using the C++ library](../guide/cpp-library.md) says "
        "which to include for what; start with [`training.h`](cpp/training.md). Scoring from C is described [on its own page](c.md).\n\n"
        "| header | about |\n|---|---|\n" + "\n".join(rows) + "\n")
    return made
