"""Each of thirty mistakes is found by the checker that is named for it."""

import re
from pathlib import Path

import pytest

from tests.source_tree import ROOT
from tests.typing.test_checkers import pyright_errors, run
from tests.typing.thirty import HEAD, MISTAKES
from twinflow.cli import check


def _programs(folder, checker):
    """{file name: (the words, the line of the first statement)} of the written ones."""
    found = {}
    for number, (_, by, words, program) in enumerate(MISTAKES):
        if by == checker:
            path = folder / f"mistake{number}.py"
            head = HEAD if by == "check" else HEAD.replace("tensorflow", "twinflow")
            path.write_text(f"{head}{program}\n")
            found[path.name] = words
    return found


def _of_pyright(folder, names):
    return [(file, text) for file, _, text in
            pyright_errors(folder, [folder / name for name in names])]  # fmt: skip


def _of_mypy(folder, names):
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'programs'}"
    options = ("--config-file=", "--check-untyped-defs", "--no-error-summary", cache)
    text = run("mypy", *options, *names, folder=folder)
    return re.findall(r"^(\S+\.py):\d+: error: (.*)$", text, re.MULTILINE)


def _of_check(folder, names):
    return [(name, f.text) for name in names
            for f in check.findings(Path(folder, name).read_bytes(), name)]  # fmt: skip


CHECKERS = {"pyright": _of_pyright, "mypy": _of_mypy, "check": _of_check}


def test_there_are_thirty():
    assert len({title for title, *_ in MISTAKES}) == 30
    page = (ROOT / "docs" / "guides" / "types.md").read_text()
    assert [t for t, _, words, _ in MISTAKES if f"| {t} |" not in page] == []
    assert [w for _, _, w, _ in MISTAKES if f"`{w}`" not in page] == []
    assert {by for _, by, *_ in MISTAKES} == set(CHECKERS)


@pytest.mark.parametrize("checker", CHECKERS)
def test_each_is_found(checker, tmp_path):
    expected = _programs(tmp_path, checker)
    said = {name: [] for name in expected}
    for name, text in CHECKERS[checker](tmp_path, list(expected)):
        said[name].append(text)
    missed = {
        name: (words, said[name])
        for name, words in expected.items()
        if len(said[name]) != 1 or words not in said[name][0]
    }
    assert not missed
