"""The glossary and the index of the Notes say what the sources say."""

import ast
import re
from collections import Counter
from pathlib import Path

from tests.source_tree import ROOT, TOP, project_files, python_files, table

WHERE = re.compile(r"`([\w/]+\.py): (\w+)`")
WRITTEN = re.compile(r'^[ ]*(?:"""|# )?Note \[([^\]\n]+)\]:', re.MULTILINE)
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
NAMED = re.compile(r"\bNote\s+(?:#\s+|\*\s+)?\[([^\]\n]+)\]")
SOURCES = (
    TOP,
    "twinflow_terminal",
    "native",
    "tests",
    "benchmarks",
    "examples",
    "docs",
)
TEXTS = {".py", ".c", ".h", ".md"}
HERE = Path("tests/test_words.py")  # has planted Notes


def defined(source):
    """The names that a module defines at its top: classes, functions, values."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return names


def check_glossary(rows, sources):
    """What is wrong with the glossary, as text.

    Args:
        rows: (word, meaning, where). sources: {path below twinflow: text}.
    """
    words = [word for word, _, _ in rows]
    wrong = [f"{w}: twice" for w, count in Counter(words).items() if count > 1]
    if words != sorted(words, key=str.lower):
        wrong.append("not in alphabetical order")
    classes = Counter(
        name
        for text in sources.values()
        for name in re.findall(r"^class (\w+)", text, re.M)
    )
    for word, _, where in rows:
        match = WHERE.fullmatch(where)
        path, name = match.groups() if match else (where, "")
        source = sources.get(path, "")
        if name not in defined(source):
            wrong.append(f"{word}: {where} is not there")
        elif not uses(word, source):
            wrong.append(f"{word}: {path} does not use the word")
        elif is_word_of(word, name) and classes[name] > 1:
            wrong.append(f"{word}: several classes {name}")
    return wrong


def plain(word):
    """`pass (of data)` as `pass`."""
    return word.partition(" (")[0].lower()


def uses(word, source):
    """Whether a word, or its parts, stand in a source."""
    return all(part in source.lower() for part in plain(word).split())


def is_word_of(word, name):
    """Whether a class is called by the word itself, and has no other meaning."""
    return name.lower() == plain(word).replace(" ", "") and " (" not in word


def check_notes(rows, texts):
    """What is wrong with the Notes and their index, as text.

    Args:
        rows: (Note, about, file). texts: {path: text}.
    """
    written = [
        (name, str(path))
        for path, text in texts.items()
        for name in WRITTEN.findall(text)
    ]
    counts = Counter(name for name, _ in written)
    wrong = [f"Note [{n}]: written {c} times" for n, c in counts.items() if c > 1]
    listed = {(name, file.strip("`")) for name, _, file in rows}
    wrong += [f"Note [{n}] in {p}: not in docs/notes.md" for n, p in written
              if (n, p) not in listed]  # fmt: skip
    wrong += [f"Note [{n}] of docs/notes.md: not in {p}" for n, p in sorted(listed)
              if (n, p) not in written]  # fmt: skip
    for path, text in texts.items():
        missing = sorted(set(NAMED.findall(text)) - set(counts))
        wrong += [
            f"{path}: refers to Note [{name}], which is nowhere" for name in missing
        ]
    return wrong


def test_the_words_of_the_glossary_are_those_of_the_sources():
    rows = table(
        (ROOT / "docs/glossary.md").read_text(), "word", "meaning", "defined in"
    )
    sources = {
        path.relative_to(TOP).as_posix(): (ROOT / path).read_text()
        for path in python_files(TOP)
    }
    assert not check_glossary(rows, sources)


def test_each_note_is_written_once_and_listed():
    rows = table((ROOT / "docs/notes.md").read_text(), "Note", "about", "file")
    paths = [p for p in project_files(*SOURCES) if p.suffix in TEXTS and p != HERE]
    texts = {path: (ROOT / path).read_text(errors="replace") for path in paths}
    assert not check_notes(rows, texts)
    assert [name for name, _, _ in rows] == sorted(name for name, _, _ in rows)


def test_planted_words_are_found():
    sources = {"a.py": "class Cell:\n    pass\n", "b.py": "class Cell: ...\nX = 1\n"}
    rows = [("plan", "", "`a.py: Plan`"), ("cell", "", "`a.py: Cell`"),
            ("tier", "", "`b.py: X`"), ("tier", "", "nowhere")]  # fmt: skip
    assert check_glossary(rows, sources) == [
        "tier: twice",
        "not in alphabetical order",
        "plan: `a.py: Plan` is not there",
        "cell: several classes Cell",
        "tier: b.py does not use the word",
        "tier: nowhere is not there",
    ]


def test_planted_notes_are_found():
    texts = {
        "a.py": '"""A.\n\nNote [One]: x.\n"""\n# Note [Two]: y; see Note [Three]\n',
        "b.py": '"""Note [Two]: again."""\n# see Note\n# [Four]\n',
    }
    rows = [("One", "", "`a.py`"), ("Two", "", "`a.py`"), ("Five", "", "`b.py`")]
    assert check_notes(rows, texts) == [
        "Note [Two]: written 2 times",
        "Note [Two] in b.py: not in docs/notes.md",
        "Note [Five] of docs/notes.md: not in b.py",
        "a.py: refers to Note [Three], which is nowhere",
        "b.py: refers to Note [Four], which is nowhere",
    ]
