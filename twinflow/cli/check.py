"""`twinflow check`: which TensorFlow symbols of a script twinflow does not have.

Nothing of the script runs: its syntax tree says which names stand for modules of
TensorFlow, and the door's rule (compat.door.resolve) what twinflow has there.
"""

import ast
import builtins
import difflib
import os
from typing import NamedTuple

from twinflow.cli import (
    call_mistakes,
    drawing,
    graph_mistakes,
    numpy_habits,
    old_scripts,
)
from twinflow.cli.notebooks import cells
from twinflow.compat.door import resolve, table
from twinflow.compat.python2 import mending
from twinflow_terminal import running

_ENDS = (".py", ".ipynb")
_OLD = "Python 2:"


class Finding(NamedTuple):
    """A symbol that is missing or refused."""

    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}"


def main(paths: tuple[str, ...], as_json: bool = False, habits: bool = False) -> int:
    """List what is missing in files and folders; `habits`: what `run` mends, too.

    Returns:
        0 if nothing is, 1 if something is, 2 if a file cannot be read.
    """
    found: dict[str, list[Finding]] = {}
    for path in _files(paths):
        try:
            with open(path, "rb") as f:
                found[path] = _of_file(f.read(), path, habits)
        except (OSError, cells.Unreadable) as error:
            text = f"can't open file {path!r}: {error}"
            return drawing.failed("check", text)
    if as_json:
        drawing.write_json(_as_json(found))
    else:
        _tell(found, paths)
    return int(any(found.values()))


def _as_json(found):
    listed = [f._asdict() for findings in found.values() for f in findings]
    return {"files": list(found), "findings": listed}


def _tell(found, paths):
    for path, findings in found.items():
        print(*findings, sep="\n", end="\n" if findings else "")
        if any(f.text.startswith(_OLD) for f in findings):
            print(f"`twinflow run --py2 {path}` runs it as Python 2 did.")
    count = sum(map(len, found.values()))
    if not count:
        print(f"twinflow has every TensorFlow symbol of {', '.join(paths)}.")
    elif len(found) > 1 or count > 1:
        wrong = sum(map(bool, found.values()))
        print(f"{_count(count, 'finding')} in {wrong} of {_count(len(found), 'file')}")


def _count(number, word):
    return f"{number} {word}{'s' * (number != 1)}"


def _of_file(data, path, habits):
    """The Findings of a script, or of the cells of a notebook."""
    if not running.is_notebook(path):
        return findings(data, path, habits)
    code = cells.read(data, path)
    whole = cells.joined(code)
    name = whole.named(code)
    found = findings(whole.text, path, habits)
    places = (name(f.line).rpartition(":") for f in found)
    return [
        Finding(title, int(line), f.text) for f, (title, _, line) in zip(found, places)
    ]


def findings(source, path, habits=False):
    """The Findings of a file, in the order of its lines.

    Args:
        source: its bytes or text. path: its name, for the Findings. habits: list also
            what `twinflow run` mends.
    """
    try:
        tree = ast.parse(source, path)
    except SyntaxError as error:
        if not mending.is_old(source):
            text = f"Python 3 cannot read this: {error.msg}"
            return [Finding(path, error.lineno or 1, text)]
        old = [(s.line, f"{_OLD} {s}") for s in mending.spellings(source)]
        tree = mending.tree_of(source, path)
    else:
        old = [(node.lineno, text) for node, text in old_scripts.old_names(tree)]
    reader = _Reader(path)
    old += [
        (h.line, h.text) for h in numpy_habits.habits(tree) if habits or not h.mended
    ]
    reader.found = [Finding(path, line, text) for line, text in old]
    reader.imports(tree)
    reader.visit(tree)
    for kind in (call_mistakes, graph_mistakes):
        for line, text in kind.mistakes(tree, reader.meaning):
            reader.found.append(Finding(path, line, text))
    return sorted(set(reader.found), key=lambda f: (f.line, f.text))


def _files(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, _, names in os.walk(path):
            yield from sorted(
                os.path.join(folder, n) for n in names if n.endswith(_ENDS)
            )


class _Reader(ast.NodeVisitor):
    """Knows what names stand for: `known` holds objects and modules of the door."""

    def __init__(self, path):
        self.path, self.known, self.found = path, {}, []
        self.lacking = {}  # names that a star does not bring: why
        self.own = set(dir(builtins))  # names that the script itself gives

    def add(self, node, text):
        self.found.append(Finding(self.path, node.lineno, text))

    # ---------------------------------------------------------------- imports
    def imports(self, tree):
        """Note the imports, wherever they stand; then the plain second names."""
        nodes = list(ast.walk(tree))
        self.own.update(filter(None, map(_given_name, nodes)))
        for node in nodes:
            if isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self._import_from(node)
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                self._second_name(node.targets[0], node.value)

    def _import(self, node):
        for alias in node.names:
            if not _is_tensorflow(alias.name):
                continue
            inner = resolve.below(alias.name)
            if not resolve.is_module(inner):
                self.add(node, resolve.why(inner))
            elif alias.asname:
                self.known[alias.asname] = resolve.Submodule(inner)
            else:
                self.known[resolve.TOP] = resolve.Submodule("")

    def _import_from(self, node):
        if not _is_tensorflow(node.module):
            return
        inner = resolve.below(node.module)
        if not resolve.is_module(inner):
            self.add(node, resolve.why(inner))
            return
        for alias in node.names:
            if alias.name == "*":
                self._star(inner)
                continue
            value = self._attribute(node, resolve.Submodule(inner), alias.name)
            if value is not None:
                self.known[alias.asname or alias.name] = value

    def _star(self, inner):
        """Note the names that a star brings, and those that it would in TensorFlow."""
        there = resolve.starred(inner)
        self.known.update((n, resolve.attribute(inner, n)) for n in there)
        for name in table.names_below(inner) - set(there):
            self.lacking[name] = resolve.why(inner, name)

    def visit_Name(self, node):
        """A name that only a star of TensorFlow would have brought."""
        used = isinstance(node.ctx, ast.Load)
        if used and node.id in self.lacking and node.id not in self.own:
            self.add(node, self.lacking[node.id])

    def _second_name(self, target, value):
        """`layers = tf.layers`: modules only, other values change as programs run."""
        if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
            found = self.meaning(value)
            if isinstance(found, resolve.Submodule):
                self.known.setdefault(target.id, found)

    # ---------------------------------------------------------------- uses
    def visit_Attribute(self, node):
        if not isinstance(node.ctx, ast.Load) or self.value(node) is None:
            self.generic_visit(_root(node))

    def value(self, node):
        """What a chain of names stands for, or None."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        outer = self.value(node.value)
        return None if outer is None else self._attribute(node, outer, node.attr)

    def meaning(self, node):
        """What a chain of names stands for, or None; nothing is found on the way."""
        quiet = _Reader(self.path)
        quiet.known = self.known
        return quiet.value(node)

    def _attribute(self, node, outer, name):
        if isinstance(outer, resolve.Submodule):
            return self._of_module(node, outer.path, name)
        if isinstance(outer, type) and not hasattr(outer, name):
            whole = f"{outer.__module__}.{outer.__qualname__}"
            near = difflib.get_close_matches(name, dir(outer), 1)
            hint = f". Did you mean {near[0]}?" if near else ""
            self.add(node, f"twinflow does not have {name} of {whole}{hint}")
            return None
        return getattr(outer, name, None) if isinstance(outer, type) else None

    def _of_module(self, node, path, name):
        if name.startswith("__"):
            return None
        try:
            found = resolve.attribute(path, name)
        except resolve.Missing as error:
            self.add(node, str(error))
            return None
        self._refused(node, ".".join(filter(None, [path, name])), found)
        return found

    def _refused(self, node, path, found):
        refusal = _refusal(found)
        if refusal:
            self.add(node, f"twinflow refuses {resolve.TOP}.{path}: {refusal}")


def _given_name(node):
    """The name that a node of the syntax tree gives a meaning, or None."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return node.id
    if isinstance(node, ast.alias):
        return node.asname or node.name.partition(".")[0]
    if isinstance(node, ast.ExceptHandler):
        return node.name
    return node.arg if isinstance(node, ast.arg) else None


def _is_tensorflow(module):
    return module == resolve.TOP or module.startswith(resolve.TOP + ".")


def _root(node):
    """What stands at the left end of a chain of attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _refusal(found):
    """The first line of the docstring of a function that only refuses, or None."""
    doc = getattr(found, "__doc__", None)
    first = doc.strip().splitlines()[0] if isinstance(doc, str) and doc.strip() else ""
    return first if first.startswith("Refuse") else None
