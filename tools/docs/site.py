"""MkDocs hooks: pages of the site that are generated, and links that leave docs/.

Generated are the C and C++ reference (from the headers' comments), the Python reference (from the package's __all__), the
list of learners (from their pages), the notebooks, the example programs, and copies of the documents in the root."""
import ast
import logging
import pathlib
import posixpath
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import headers  # noqa: E402
import notebooks  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOT_PAGES = {"ARCHITECTURE.md": "developing/architecture.md", "CONTRIBUTING.md": "developing/contributing.md",
              "SECURITY.md": "developing/security.md", "CHANGELOG.md": "developing/changelog.md",
              "README.md": "index.md", "docs/reference/learners/": "reference/learners.md",
              "docs/formats/": "formats/letor.md", "docs/notebooks/": "notebooks/first-model.md"}
log = logging.getLogger("mkdocs.hooks")  # a warning fails a strict build
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def page_of(path):
    """The page of the site that shows this file or folder of the repository, or None."""
    if path in ROOT_PAGES:
        return ROOT_PAGES[path]
    if path.startswith("examples/"):
        name = path.rstrip("/").split("/")[-1]
        return "developing/examples.md" + (f"#{name.replace('.', '')}" if "." in name else "")
    if path == "include/podium/podium_c.h":
        return "reference/c.md"
    if path.startswith("include/podium/") and path.endswith(".h"):
        return f"reference/cpp/{path.split('/')[-1][:-2]}.md"
    if path.startswith("docs/notebooks/") and path.endswith(".ipynb"):
        return path[5:-6] + ".md"
    return path[5:] if path.startswith("docs/") else None


def relinked(markdown, source, shown_at):
    """Links of a file of the repository (source) as links of the page that shows it."""
    def replace(match):
        text, target = match.groups()
        path, _, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match.group(0)
        there = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) + ("/" if path.endswith("/") else "")
        page = page_of(there)
        if page is None:
            return match.group(0)  # not shown: mkdocs reports it
        link = posixpath.relpath(page, posixpath.dirname(shown_at) or ".")
        return f"[{text}]({link}{'#' + anchor if anchor else ''})"
    return LINK.sub(replace, markdown)


def paper_keys():
    return set(re.findall(r"^\| (\w+\d\d\w?) \|", (ROOT / "docs/bibliography.md").read_text(), re.M))


def cited(markdown, shown_at):
    """[Tan13] and [Burges05, Burges06] as links to the bibliography, outside of code."""
    keys, page = paper_keys(), posixpath.relpath("bibliography.md", posixpath.dirname(shown_at) or ".")

    def link(match):
        first = match.group(0).split(",")[0]
        if first not in keys:
            log.warning("%s cites [%s], which the bibliography does not have", shown_at, first)
        return re.sub(r"\w+", lambda word: f"[{word[0]}]({page}#{word[0].lower()})" if word[0] in keys else word[0], match.group(0))

    def outside_code(line):
        parts = re.split(r"(`[^`]*`)", line)
        parts[::2] = [re.sub(r"(?<=\[)[A-Z]\w+\d\d\w?(?:, [^\[\]()]*)?(?=\](?![(\[]))", link, part) for part in parts[::2]]
        return "".join(parts)

    lines, inside = [], False
    for line in markdown.split("\n"):
        inside ^= line.lstrip().startswith("```")
        lines.append(line if inside or line.startswith("#") else outside_code(line))
    return "\n".join(lines)


def learner_classes():
    """The name of each learner's class in Python, as python/generate_learners.py forms it."""
    scope = {}
    tree = ast.parse((ROOT / "python/generate_learners.py").read_text())
    kept = [node for node in tree.body if isinstance(node, (ast.Assign, ast.FunctionDef))]
    exec(compile(ast.Module(kept, []), "generate_learners", "exec"), scope)  # our own file
    return scope["class_name"]


def learners_page():
    class_name = learner_classes()
    rows = []
    for page in sorted((ROOT / "docs/reference/learners").glob("*.md")):
        text = page.read_text()
        title = re.match(r"# `[^`]+`:? ?(.*)", text).group(1)
        choose = re.search(r"\*\*Choose it\*\* (.*?)(?=\n\n|\Z)", text, re.S)
        advice = " ".join(choose.group(1).split()) if choose else ""
        advice = re.split(r"(?<=[.:])\s(?=[A-Z`])", advice)[0] if advice else ""
        rows.append(f"| [`{page.stem}`](learners/{page.name}) | `podium.{class_name(page.stem)}` | {title} | {advice} |")
    return ("# Learners\n\nEvery learner with its name on the command line and its class in Python. All of them take the options of "
            "`podium train`; each page lists the learner's own. [Choosing a learner](../guide/choosing-a-learner.md) compares them.\n\n"
            "| learner | in Python | method | choose it |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")


def python_page():
    tree = ast.parse((ROOT / "python/podium/__init__.py").read_text())
    names = next(ast.literal_eval(node.value) for node in tree.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    estimators = ["AutoRanker", "Blend"]
    classes = [name for name in names if name[0].isupper() and name not in ("Ranker", *estimators)]
    modules = ["clicks", "counterfactual", "interleaving"]
    functions = [name for name in names if name[0].islower() and name not in (*modules, "optuna", "plot")]
    engines = ["spark", "dask", "ray"]
    known = {*modules, *engines, "distributed", "optuna", "plot"}
    for path in sorted((ROOT / "python/podium").iterdir()):
        if path.stem[0].islower() and (path.suffix == ".py" or (path / "__init__.py").exists()) and path.stem not in known:
            log.warning("the Python reference has no section for podium.%s", path.stem)
    parts = ["# Python reference", "From the docstrings of the package. The [guide](../guide/python.md) shows how the parts work together.",
             "## Estimators", "Every learner has a class of its own with its options in the signature; "
             "[Learners](learners.md) lists them. All are subclasses of `Ranker`.", "::: podium.Ranker\n    options:\n      inherited_members: [predict, rank, score, explain, "
             "export, save, plot, feature_importances_, evals_result_, spec]",
             *[f"::: podium.{name}\n    options:\n      inherited_members: [predict, rank, score, explain, export, save, feature_importances_]"
               for name in estimators],
             "## Classes", *[f"::: podium.{name}" for name in classes],
             "## Functions", *[f"::: podium.{name}" for name in functions],
             "## Clicks", *[f"::: podium.{name}" for name in modules],
             "## Several machines", "Training with other processes, and with the tables of Spark, Dask and Ray; "
             "[Training on several machines](../guide/distributed.md) shows how.",
             *[f"::: podium.{name}" for name in ("distributed", *engines)],
             "## Optuna", "::: podium.optuna\n    options:\n      show_root_heading: false\n      show_root_toc_entry: false",
             "## Plots", "::: podium.plot\n    options:\n      show_root_heading: false\n      show_root_toc_entry: false"]
    return "\n\n".join(parts) + "\n"


def examples_page():
    parts = ["# Example programs\n\n[Using the C++ library](../guide/cpp-library.md) shows how to build those in C++ and C.\n"]
    paths = [path for name in ("python", "cpp", "c") for path in sorted((ROOT / "examples" / name).iterdir())]
    for path in filter(pathlib.Path.is_file, paths):
        language = {".py": "python", ".cc": "cpp", ".c": "c", ".txt": "cmake"}[path.suffix]
        parts.append(f"## {path.name} {{#{path.name.replace('.', '')}}}\n\n```{language}\n{path.read_text().rstrip()}\n```\n")
    return "\n".join(parts)


def section(nav, title):
    """The list of pages below this title, wherever it is in the navigation."""
    for item in nav:
        for name, below in item.items() if isinstance(item, dict) else ():
            if isinstance(below, list):
                if name == title:
                    return below
                if (found := section(below, title)) is not None:
                    return found
    return None


def on_config(config):
    section(config.nav, "Learners").extend({page.stem: f"reference/learners/{page.name}"}
                                           for page in sorted((ROOT / "docs/reference/learners").glob("*.md")))
    section(config.nav, "C++").extend({path.name: f"reference/cpp/{path.stem}.md"}
                                      for path in sorted((ROOT / "include/podium").glob("*.h")) if path.name != "podium_c.h")
    return config


def on_files(files, config):
    made = {"reference/learners.md": learners_page(), "reference/python.md": python_page(),
            "developing/examples.md": examples_page(), **headers.pages(ROOT / "include/podium")}
    for name, shown_at in ROOT_PAGES.items():
        if shown_at.startswith("developing/"):
            made[shown_at] = relinked((ROOT / name).read_text(), name, shown_at)
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        made[f"notebooks/{path.stem}.md"] = notebooks.page(path)
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.generated_by:
        return markdown
    if page.file.src_uri == "bibliography.md":
        return re.sub(r"^\| (\w+\d\d\w?) \|", lambda key: f'| <span id="{key[1].lower()}">{key[1]}</span> |', markdown, flags=re.M)
    return cited(relinked(markdown, "docs/" + page.file.src_uri, page.file.src_uri), page.file.src_uri)
