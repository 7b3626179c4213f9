"""A notebook as a page: its cells in order, with the outputs that are stored in the file."""
import json
import re


def text_of(value):
    return "".join(value) if isinstance(value, list) else value


def output(item):
    data = item.get("data", {})
    if "image/png" in data:
        return f'<img alt="output of the cell above" src="data:image/png;base64,{text_of(data["image/png"]).strip()}">'
    if "text/html" in data and "<table" in text_of(data["text/html"]):
        table = re.sub(r"<style.*?</style>|</?div>|\n\s*\n", "", text_of(data["text/html"]), flags=re.S)
        table = re.sub(r'<table( border="1")? class="(dataframe|podium)">', "<table>", table)  # as the page's own
        return f'<div markdown="0">{table.strip()}</div>'
    text = text_of(item.get("text", data.get("text/plain", ""))).rstrip()
    return f'```{{.text .output}}\n{text}\n```' if text else ""


def page(path):
    out = ["---\nhide: [toc]\n---"]  # the room is needed for code
    for cell in json.loads(path.read_text())["cells"]:
        source = text_of(cell["source"]).rstrip()
        if cell["cell_type"] == "markdown":
            out.append(source)
        elif cell["cell_type"] == "code":
            out.append(f"```python\n{source}\n```")
            out += [output(item) for item in cell["outputs"]]
    out.append(f"*This page is `docs/notebooks/{path.name}`, which `make test-docs` executes.*")
    return "\n\n".join(part for part in out if part) + "\n"
