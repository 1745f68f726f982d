"""What lies at the top of a checkout."""

from pathlib import Path

from tests.source_tree import HIDDEN, TOP, Layout, project_files, read_layout

TOP_FILES = {
    ".gitignore", "CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md", "LICENSE", "MANIFEST.in", "Makefile", "PKG-INFO", "README.md",
    "pyproject.toml", "setup.cfg", "setup.py",
}  # fmt: skip


def check_top(layout, paths):
    """What lies at the top and is not named: left by a program that ran there."""
    folders = {TOP, *layout.beside}

    def known(path):
        top, *rest = path.parts
        if not rest:
            return top in TOP_FILES
        return top in folders or top.startswith(".") or top.endswith(".egg-info")

    return sorted(str(path) for path in paths if not known(path))


def test_nothing_lies_beside_the_named_folders():
    found = [p for p in project_files(".") if p.parts[0] not in HIDDEN]
    assert check_top(read_layout(), found) == []


def test_a_planted_artefact_is_found():
    layout = Layout(numbers={}, beside=frozenset({"docs"}))
    paths = ["README.md", "docs/a.md", f"{TOP}/a.py", ".ci/run", "census/graph.pbtxt",
             "adult.data"]  # fmt: skip
    assert check_top(layout, list(map(Path, paths))) == [
        "adult.data", "census/graph.pbtxt",
    ]  # fmt: skip
