"""The examples in the docstrings of what is public, and whether they do as they say.

An example is the section `Example:` of a docstring: Python on the lines below it, or in
backquotes beside it. A comment that is a Python literal is the value of the expression
or of the name that its line ends: `tf.add(1, 2)  # 3`. Floats agree to the digits that
are shown, integers and texts exactly; numbers without brackets are those of an array,
in order; `float32[2, 3]` is a dtype and a shape. A comparison by itself is true.
"""

import ast
import contextlib
import inspect
import io
import linecache
import re
import textwrap
import tokenize
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from tests.fresh.zygote import Program
from tests.support.stubs import indexes

_SECTION = re.compile(r"^Examples?:[ ]*(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_GRAPH = re.compile(r"Session\(|placeholder|\bsess\b|Graph\(")
_SHAPED = re.compile(r"([a-z]+\d*)\[([\d, ]*)\]")
_CHECK = "_check_of_docstring"
_SOURCE = "_keep_source"


class Example(NamedTuple):
    """What a docstring shows: the public name, the package it is of, the code."""

    name: str
    package: str
    code: str

    def program(self):
        """The Program that runs it and compares the values that it states."""
        eager = _GRAPH.search(self.code) is None
        code = checking(self.code)
        shown = f"{_SOURCE}({self.name!r}, {code!r})\n"
        values = {_CHECK: check, _SOURCE: keep_source}
        return Program(shown + code, self.name, eager, values)


def keep_source(name, code):
    """Let functions of an example be looked up, as those of a file can be."""
    lines = ["\n", *code.splitlines(keepends=True)]
    linecache.cache[name] = (len(code), None, lines, name)


def section(docstring):
    """The code of a docstring's example, or None."""
    match = _SECTION.search(inspect.cleandoc(docstring or ""))
    if match is None:
        return None
    text = match[1]
    beside = re.findall(r"`([^`]+)`", text)
    if beside and not text.startswith("\n"):
        text = "\n".join(beside)
    return textwrap.dedent(text).strip()


def examples():
    """An Example for each different one that a public name or its member shows."""
    shown = {}
    for name, home, value in _documented():
        code = section(getattr(value, "__doc__", None))
        if code and code not in shown:
            shown[code] = Example(name, _package(value, home), code)
    return list(shown.values())


def _documented():
    """(name, home, object) of the public functions, classes and members, once each."""
    seen = set()
    named = [
        (
            f"{index}.{public}".replace("twinflow", "tf", 1),
            home,
            getattr(module, public),
        )
        for index, module in sorted(indexes().items(), key=_nearness)
        for public, (home, _) in module.__getattr__.table.items()
    ]
    members = [
        (name + member, home, owned)
        for name, home, value in named
        for member, owned in _members(value).items()
    ]
    for name, home, value in named + members:
        if callable(value) and id(value) not in seen:
            seen.add(id(value))
            yield name, home, value


def _nearness(item):
    """Sorts the indexes so that an object has the best known of its names."""
    return "contrib" in item[0], item[0]


def _package(value, home):
    """The package that an object is made in, `ops` for twinflow.ops.math.clip."""
    parts = (getattr(value, "__module__", None) or "").split(".")
    return (parts if parts[0] == "twinflow" and parts[2:] else home.split("."))[1]


def _members(value):
    """{".name": function} of the public methods and properties of a class."""
    members = {}
    for base in value.__mro__ if inspect.isclass(value) else ():
        ours = str(base.__module__).startswith("twinflow")
        for name, member in vars(base).items() if ours else ():
            member = member.fget if isinstance(member, property) else member
            if not name.startswith("_"):
                members.setdefault(f".{name}", getattr(member, "__func__", member))
    return members


def checking(code):
    """The code with a call of `check` around each value that a comment states."""
    try:
        tree, comments = ast.parse(code), _comments(code)
    except SyntaxError:
        return code  # which then shows it
    last_of_line = {
        node.end_lineno: node
        for node in sorted(ast.walk(tree), key=_end)
        if isinstance(node, ast.Expr | ast.Assign)
    }
    for line, statement in last_of_line.items():
        stated = _literal(line, comments)
        if stated is None and isinstance(statement.value, ast.Compare):
            stated = "True"
        if stated is not None:
            _wrap(statement, stated)
    return ast.unparse(tree)


def _end(node):
    return getattr(node, "end_col_offset", 0)


def _comments(code):
    """{line: text of its comment}, of the comments alone on a line too."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }


def _literal(line, comments):
    """The source of the literal beside a line, which may go on below it, or None."""
    text = comments.get(line)
    while text is not None:
        with contextlib.suppress(SyntaxError, ValueError):
            _values(text)
            return text
        line += 1
        more = comments.get(line)
        text = None if more is None else f"{text} {more}"
    return None


def _wrap(statement, stated):
    """Check the value of a statement, or what it prints."""
    holder, value = statement, statement.value
    match value:
        case ast.Call(func=ast.Name(id="print"), args=[printed]):
            holder, value = value, printed
    checked = ast.Call(ast.Name(_CHECK, ast.Load()), [value, ast.Constant(stated)], [])
    if holder is statement:
        statement.value = checked
    else:
        holder.args = [checked]


class Number(NamedTuple):
    """A number as it is written, and how far off it may be."""

    value: complex
    tolerance: float


class Shaped(NamedTuple):
    """The dtype and shape that a tensor should have."""

    dtype: str
    shape: list


def _values(text):
    """The nested lists, dicts and Numbers of a literal; ValueError if it is none."""
    if match := _SHAPED.fullmatch(text):
        return Shaped(match[1], [int(size) for size in match[2].split(",") if size])
    return _of_node(ast.parse(text.strip(), mode="eval").body, text.strip())


def _of_node(node, text):
    match node:
        case ast.List() | ast.Tuple():
            return [_of_node(item, text) for item in node.elts]
        case ast.Dict():
            keys = map(ast.literal_eval, node.keys)
            items = [_of_node(item, text) for item in node.values]
            return dict(zip(keys, items, strict=True))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = _of_node(operand, text)
            if isinstance(number, Number):
                return number._replace(value=-number.value)
        case ast.Name(id="nan" | "inf" as name):
            return Number(float(name), 0.0)
        case ast.Constant(value=float() as value):
            written = ast.get_source_segment(text, node)
            shown = Decimal(written).as_tuple().exponent
            shown = shown if "e" in written else min(shown, -1)
            return Number(value, 0.51 * 10.0**shown)
    value = ast.literal_eval(node)
    return Number(value, 1e-6) if isinstance(value, complex) else value


def check(value, stated):
    """The value; AssertionError if it is not what the docstring states."""
    wanted = _values(stated)
    if isinstance(wanted, Shaped):
        shaped = Shaped(value.dtype.name, value.shape.as_list())
        assert shaped == wanted, f"{shaped} is not what is stated: {stated}"
        return value
    shown = _plain(value)
    if not stated.startswith(("[", "(", "{")) and isinstance(shown, list):
        shown = np.ravel(shown).tolist()
        wanted = wanted if isinstance(wanted, list) else [wanted]
    _compare(shown, wanted, stated)
    return value


def _compare(value, wanted, stated):
    value = _plain(value)
    match wanted:
        case list():
            same = isinstance(value, list | tuple) and len(value) == len(wanted)
            pairs = zip(value, wanted, strict=True) if same else ()
        case dict():
            same = isinstance(value, dict) and value.keys() == wanted.keys()
            pairs = [(value[key], wanted[key]) for key in wanted] if same else ()
        case Number(number, tolerance):
            pairs = ()
            same = bool(np.isclose(value, number, 1e-6, tolerance, equal_nan=True))
        case _:
            same, pairs = value == wanted, ()
    assert same, f"{value!r} is not what is stated: {stated}"
    for item, part in pairs:
        _compare(item, part, stated)


def _plain(value):
    """A tensor, an array or a shape as numbers and lists of them."""
    if hasattr(value, "as_list"):
        return value.as_list()
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
