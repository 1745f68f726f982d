"""Pages and notebooks of examples/, made from the programs and what they printed.

A program is text in cells: `# %% [markdown]` begins prose, `# %%` begins code. What its
cells print and draw in a full run is kept in docs/examples (record.py writes it), so
that the site is built without running them.
"""

import ast
import hashlib
import json
import re
import textwrap
from pathlib import Path
from typing import NamedTuple

from pages import ROOT, put

EXAMPLES, RECORDS = ROOT / "examples", ROOT / "docs" / "examples"


class Example(NamedTuple):
    """A program: its path in examples/, its options, the modules beside it."""

    name: str
    path: str
    options: tuple = ()
    modules: tuple = ()


class Cell(NamedTuple):
    """`markdown` or `code`, and its text."""

    kind: str
    text: str


def listed() -> dict[str, list[Example]]:
    """{heading: its Examples} as examples/pages.json has them."""
    table = json.loads((EXAMPLES / "pages.json").read_text())
    return {heading: [_example(**row) for row in rows]
            for heading, rows in table.items()}  # fmt: skip


def _example(path, options=(), modules=(), name=None):
    return Example(name or Path(path).stem, path, tuple(options), tuple(modules))


def every() -> dict[str, Example]:
    """{name: Example}"""
    return {e.name: e for examples in listed().values() for e in examples}


# ------------------------------------------------------------------ programs as cells
def cells(source: str) -> list[Cell]:
    """The cells of a program; the first is its docstring, as prose."""
    docstring = ast.parse(source).body[0]
    lines = source.splitlines(keepends=True)
    title, _, text = ast.literal_eval(docstring.value).partition("\n")
    text = re.sub(r"(?m)(^    .*\n)+", _commands, text)
    found = [Cell("markdown", f"# {title.rstrip('.')}\n{text}".strip())]
    rest = "".join(lines[docstring.end_lineno :])
    for part in re.split(r"(?m)^(?=# %%)", rest):
        first, _, body = (
            part.partition("\n") if part.startswith("# %%") else ("", "", part)
        )
        if first.endswith("[markdown]"):
            prose, body = _prose(body)
            found.append(Cell("markdown", prose))
        if body.strip():
            shown = body.strip("\n").replace("  # fmt: skip", "")
            found.append(Cell("code", shown))
    return found


def _commands(match):
    return f"```sh\n{textwrap.dedent(match[0])}```\n"


def _prose(body):
    """Comments at the beginning of a cell as text, and what follows them."""
    lines = body.splitlines()
    count = next((i for i, x in enumerate(lines) if not x.startswith("#")), len(lines))
    prose = "\n".join(
        line.removeprefix("#").removeprefix(" ") for line in lines[:count]
    )
    return prose.strip(), "\n".join(lines[count:])


def source_of(example: Example) -> str:
    """The text of the program."""
    return (EXAMPLES / example.path).read_text()


def digest(example: Example) -> str:
    """Of the code of a program and of its modules; prose and spaces do not count."""
    text = [c.text for c in cells(source_of(example)) if c.kind == "code"]
    text += [(EXAMPLES / m).read_text() for m in example.modules]
    lines = [line for part in text for line in part.splitlines()]
    code = [line for line in lines if not line.lstrip().startswith("#")]
    whole = "".join("".join([*code, *example.options]).split())
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


# ------------------------------------------------------------------ notebooks
def notebook(example: Example) -> dict:
    """A notebook (nbformat 4.5); options stand in its first cell of code."""
    first, *rest = cells(source_of(example))
    argv = [Path(example.path).name, *example.options]
    title = first.text.partition("\n")[0].removeprefix("# ")
    setup = (
        f"import os\nimport sys\n\n__doc__ = {json.dumps(title)}\n"
        f"sys.argv = {json.dumps(argv)}  # the program, and its options\n"
        'os.makedirs("output", exist_ok=True)'
    )
    modules = [
        Cell(
            "code", f"%%writefile {Path(m).name}\n{(EXAMPLES / m).read_text().rstrip()}"
        )
        for m in example.modules
    ]
    made = [first, Cell("code", setup), *modules, *rest]
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": [_notebook_cell(i, cell) for i, cell in enumerate(made)],
        "metadata": {"kernelspec": python, "language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip


def _notebook_cell(number, cell):
    found = {"cell_type": cell.kind, "id": f"cell-{number}", "metadata": {},
             "source": cell.text.splitlines(keepends=True)}  # fmt: skip
    if cell.kind == "code":
        found |= {"execution_count": None, "outputs": []}
    return found


# ------------------------------------------------------------------ pages
def record(example: Example) -> dict:
    """What a full run printed and drew, by cells of code."""
    return json.loads((RECORDS / example.name / "record.json").read_text())


def page(example: Example) -> str:
    """The page of an example, as Markdown."""
    first, *rest = cells(source_of(example))
    kept = record(example)
    shown = iter(kept["cells"])
    parts = [first.text, _facts(example, kept)]
    parts += [_module(m) for m in example.modules]
    for cell in rest:
        if cell.kind == "markdown":
            parts.append(cell.text)
        else:
            parts += [f"```python\n{cell.text}\n```", *_shown(example, next(shown))]
    return "\n\n".join(parts) + "\n"


def _facts(example, kept):
    name = Path(example.path).name
    options = " ".join(["", *example.options])
    return (
        f"```{{admonition}} {_time(kept['seconds'])} on two cores\n:class: tip\n"
        f"`python examples/{example.path}{options}`, or take it with you: "
        f"{{download}}`as a notebook <{example.name}.ipynb>`, "
        f"{{download}}`as a program <{name}>`.\n```"
    )


def _time(seconds):
    return f"{max(1, round(seconds))} seconds"


def _module(path):
    source = (EXAMPLES / path).read_text().rstrip()
    return (
        f"```{{dropdown}} The module {Path(path).name}\n~~~python\n{source}\n~~~\n```"
    )


def _shown(example, output):
    if output["text"]:
        yield f"{{.output}}\n```text\n{output['text'].rstrip()}\n```"
    for picture in output["pictures"]:
        yield f"![{picture}]({example.name}/{picture})"


def pictures(example: Example) -> list[str]:
    """The names of its pictures; the last one stands for it."""
    return [name for cell in record(example)["cells"] for name in cell["pictures"]]


def _card(example):
    first = cells(source_of(example))[0].text
    title, _, text = first.partition("\n")
    sentence = re.sub(r"```.*?```\n*", "", text, flags=re.DOTALL).strip()
    sentence = " ".join(sentence.split("\n\n")[0].split())
    image = f"{example.name}/{pictures(example)[-1]}"
    return (
        f":::{{grid-item-card}} {title.removeprefix('# ')}\n:link: {example.name}\n"
        f":link-type: doc\n:img-top: {image}\n\n{sentence}\n\n*"
        f"{_time(record(example)['seconds'])}*\n:::"
    )


def _entry(example):
    """A line of the tree beside every page: the title up to its colon."""
    title = cells(source_of(example))[0].text.partition("\n")[0].removeprefix("# ")
    return f"{re.split('[:?] |[:?]$|, ', title)[0]} <{example.name}>"


def _index(groups):
    parts = [
        "# Examples",
        "Whole programs with what they print and draw, made from the files of "
        "`examples/`; each is a notebook, too. The seconds are those of two cores. "
        "Each writes only into `--folder`, runs as a graph or (`--eager`) eagerly, and "
        "within seconds with `--short`.",
    ]
    for heading, examples in groups.items():
        cards = "\n\n".join(map(_card, examples))
        parts.append(
            f"## {heading}\n\n::::{{grid}} 1 2 2 3\n:gutter: 3\n\n{cards}\n\n::::"
        )
    names = "\n".join(map(_entry, every().values()))
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def write(folder: Path) -> list[Path]:
    """Write the index, and of each example its page, notebook and program.

    Their pictures are copied with the other files of docs/.
    """
    found = [put(folder / "index.md", _index(listed()))]
    for example in every().values():
        text = json.dumps(notebook(example), indent=1, ensure_ascii=False) + "\n"
        found += [
            put(folder / f"{example.name}.md", page(example)),
            put(folder / f"{example.name}.ipynb", text),
            put(folder / Path(example.path).name, source_of(example)),
        ]
    return found
