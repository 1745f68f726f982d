"""The examples as pages and notebooks, and short runs of them in both modes."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.test_programs import PNG, example
from tests.source_tree import ROOT

pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")
sys.path.insert(0, str(ROOT / "docs" / "site"))
try:
    import programs
finally:
    sys.path.pop(0)

EVERY = programs.every()
BOTH = [
    (name, mode)
    for name, e in EVERY.items()
    for mode in ("graph", "eager")
    if mode == "graph" or "--eager" in programs.source_of(e)
]

# What shows no bar: steps in the log, and the lines of other programs.
QUICK = {"iris", "census", "trees", "records_estimator", "verify_debug", "distributed"}
WAYS = ["train", "estimator", "tpu_estimator"]  # of revnet, without a page


@pytest.mark.slow
@pytest.mark.parametrize("name, mode", BOTH)
def test_short_runs_in_both_modes(name, mode, tmp_path, monkeypatch):
    if name != "distributed":  # processes in step compile what they exchange
        monkeypatch.setenv("TWINFLOW_COMPILE", "never")
    if name == "export_serve":
        pytest.importorskip("onnxruntime")
    args = ["--short", "--folder", "here", *(["--eager"] if mode == "eager" else [])]
    out = example(EVERY[name].path, *args, folder=tmp_path)
    assert "=]" in out or name in QUICK
    *_, last = out.splitlines()
    assert last.startswith("The picture is here/")
    picture = tmp_path / last.removeprefix("The picture is ").removesuffix(".")
    assert picture.read_bytes().startswith(PNG)
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, options",
    [("vae", ["--short"]), ("codebase", ["--short"])],
)
def test_notebooks_run(name, options, tmp_path):
    book = programs.notebook(EVERY[name]._replace(options=tuple(options)))
    (tmp_path / "book.ipynb").write_text(json.dumps(book))
    done = subprocess.run(
        [sys.executable, "-m", "twinflow", "run", "book.ipynb"], cwd=tmp_path,
        capture_output=True, text=True, timeout=200,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert "The picture is output/" in done.stdout


@pytest.mark.parametrize("name", EVERY)
def test_the_record_is_that_of_the_code(name):
    example = EVERY[name]
    kept = programs.record(example)
    assert kept["code"] == programs.digest(example), f"make examples ARGS={name}"
    assert 0 < kept["seconds"] < 120
    code = [c for c in programs.cells(programs.source_of(example)) if c.kind == "code"]
    assert len(kept["cells"]) == len(code)
    for picture in programs.pictures(example):
        path = programs.RECORDS / name / picture
        assert path.read_bytes().startswith(PNG)
        assert path.stat().st_size < 200_000
    assert programs.pictures(example)


def test_every_program_has_a_page_or_is_part_of_one():
    paged = {p for e in EVERY.values() for p in (e.path, *e.modules)}
    others = {
        path.relative_to(ROOT / "examples").as_posix()
        for path in (ROOT / "examples").rglob("*.py")
    }
    assert others - paged == {f"revnet/{name}.py" for name in [*WAYS, "picture"]}


@pytest.mark.parametrize("name", WAYS)
def test_short_ways_to_train_a_revnet(name, tmp_path):
    out = example(f"revnet/{name}.py", "--short", "--folder", "here", folder=tmp_path)
    assert re.search(r"The pictures? (is|are) here/\w+\.png", out.splitlines()[-1])
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


SOURCE = '''"""A title.

    python a.py

More.
"""

import os

# %% [markdown]
# ## Prose
#
# Two paragraphs.

# %%
def f():
    return 1  # one


# %%
print(f())
'''


def test_cells():
    title, imports, prose, first, second = programs.cells(SOURCE)
    assert title.text == "# A title\n\n```sh\npython a.py\n```\n\nMore."
    assert imports == ("code", "import os")
    assert prose == ("markdown", "## Prose\n\nTwo paragraphs.")
    assert first == ("code", "def f():\n    return 1  # one")
    assert second == ("code", "print(f())")


def test_the_cells_are_the_program():
    for program in EVERY.values():
        source = programs.source_of(program)
        parts = [c.text for c in programs.cells(source) if c.kind == "code"]
        whole = ast.parse(source)
        whole.body.pop(0)  # the docstring
        assert ast.dump(ast.parse("\n".join(parts))) == ast.dump(whole)


def test_prose_does_not_change_the_digest(monkeypatch):
    example = EVERY["vae"]
    before, source = programs.digest(example), programs.source_of(example)
    monkeypatch.setattr(
        programs, "source_of", lambda e: source.replace("plane", "line")
    )
    assert programs.digest(example) != before  # it is code, too
    prose = source.replace("# ## The images", "# ## Images")
    monkeypatch.setattr(programs, "source_of", lambda e: prose)
    assert programs.digest(example) == before


def test_pages_show_what_was_printed(tmp_path):
    pages = {path.name: path for path in programs.write(Path(tmp_path))}
    page = pages["word2vec.md"].read_text()
    assert "of the nearest five are of the same group\n```" in page
    assert "![words.png](word2vec/words.png)" in page
    assert "`as a notebook <word2vec.ipynb>`" in page
    assert ":link: verify_debug" in pages["index.md"].read_text()
    assert json.loads(pages["vae.ipynb"].read_text())["nbformat"] == 4
