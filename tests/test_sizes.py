"""Sizes: 500 lines a file, 50 a function, 79 of the package for each public name; the
lines of each package are printed.
"""

import ast
import functools
import statistics
from collections import Counter

from tests.source_tree import ROOT, TOP, package_of, python_files

FILE_LIMIT = 500
FUNCTION_LIMIT = 50
MEDIAN_WISH = 150  # lines a file: reported, not enforced
PER_NAME = 79.1  # lines: as many as before the last families of tf.contrib came

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (*FUNCTION, ast.ClassDef)


def docstring_lines(node):
    """How many lines the docstring of a function or class takes."""
    if ast.get_docstring(node, clean=False) is None:
        return 0
    first = node.body[0]
    return first.end_lineno - first.lineno + 1


def body_lines(function):
    """Lines of a function's body, the docstrings in it left out."""
    inner = [node for node in ast.walk(function) if isinstance(node, DOCUMENTED)]
    whole = function.end_lineno - function.body[0].lineno + 1
    return whole - sum(map(docstring_lines, inner))


@functools.cache
def functions(source):
    """(name, line, body lines) of every function of a file, nested ones included."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, FUNCTION)]
    return [(f.name, f.lineno, body_lines(f)) for f in found]


def check_sizes(source, path):
    """What is too long in a file, as text."""
    lines = len(source.splitlines())
    wrong = (
        [f"{path}: {lines} lines, at most {FILE_LIMIT}"] if lines > FILE_LIMIT else []
    )
    for name, line, length in functions(source):
        if length > FUNCTION_LIMIT:
            wrong.append(
                f"{path}:{line}: {name} has {length} lines, at most {FUNCTION_LIMIT}"
            )
    return wrong


def report(sources):
    """Lines per package, the median file and the median function, as text.

    Args:
        sources: {path: source} of the package's files.
    """
    lengths = {path: len(source.splitlines()) for path, source in sources.items()}
    bodies = [n for source in sources.values() for *_, n in functions(source)]
    packages = Counter()
    for path, length in lengths.items():
        packages[package_of(path)] += length
    rows = [f"  {name:<12}{count:>6}" for name, count in packages.most_common()]
    median_file = statistics.median(list(filter(None, lengths.values())) or [0])
    return "\n".join([
        f"lines per package ({sum(lengths.values())} in {len(lengths)} files)",
        *rows,
        f"median file {median_file:.0f} lines (wish: at most {MEDIAN_WISH}), "
        f"median function {statistics.median(bodies or [0]):.0f}",
    ])  # fmt: skip


def public_names(table):
    """How many names public_names.txt publishes: `module: name public=name` in lines
    that go on where they begin with spaces, below `[index]`.
    """
    lines = [line for line in table.splitlines() if line and line[0] not in "#["]
    return sum(len(line.rpartition(": ")[2].split()) for line in lines)


def test_the_house_grows_no_faster_than_what_it_offers():
    names = public_names((ROOT / TOP / "public_names.txt").read_text())
    paths = python_files(TOP)
    lines = sum(len((ROOT / path).read_text().splitlines()) for path in paths)
    assert lines / names <= PER_NAME


def test_public_names_are_counted():
    table = (
        "# Where: they live\n\n[]\nbase.a: one two\n  three=3\nb: b=*\n[c]\nc: four\n"
    )
    assert public_names(table) == 5


def test_files_and_functions_are_short(record_property):
    paths = python_files(TOP, "twinflow_terminal", "tests", "benchmarks", "examples")
    sources = {path: (ROOT / path).read_text() for path in paths}
    house = {path: text for path, text in sources.items() if path.parts[0] == TOP}
    record_property("summary", report(house))
    wrong = [line for path, text in sources.items() for line in check_sizes(text, path)]
    assert not wrong, "\n".join(wrong)


def function_of(lines, indent=""):
    """The source of a function with a three-line docstring and a body this long."""
    body = ['"""One', "two", 'three."""', *["x = 1"] * lines]
    return "\n".join([indent + "def f(a,", indent + "      b):",
                      *[indent + "    " + line for line in body]])  # fmt: skip


def test_planted_long_functions_are_found():
    assert check_sizes(function_of(50), "a.py") == []
    assert check_sizes(function_of(51), "a.py") == [
        "a.py:1: f has 51 lines, at most 50"
    ]
    method = "class C:\n" + function_of(51, indent="    ")
    assert check_sizes(method, "a.py") == ["a.py:2: f has 51 lines, at most 50"]
    nested = "def g():\n" + function_of(48, indent="    ")
    assert check_sizes(nested, "a.py") == []  # 48, and two lines of f's signature


def test_planted_long_files_are_found():
    assert check_sizes("x = 1\n" * 500, "a.py") == []
    assert check_sizes("x = 1\n" * 501, "a.py") == ["a.py: 501 lines, at most 500"]


def test_the_report_counts_lines_per_package():
    text = report({"twinflow/base/a.py": "x\n" * 30, "twinflow/base/b.py": "x\n" * 10,
                   "twinflow/ops/c.py": "x\n" * 20})  # fmt: skip
    assert " ".join(text.split()) == (
        "lines per package (60 in 3 files) base 40 ops 20 "
        "median file 20 lines (wish: at most 150), median function 0"
    )


def test_the_report_of_nothing_is_not_an_error():
    assert "0 in 0 files" in report({})
