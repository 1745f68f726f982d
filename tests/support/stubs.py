"""Writes the .pyi files of the public indexes: `python -m tests.support.stubs`.

The indexes load names at their first use, which editors and type checkers cannot see;
the stub beside each says where every name lives. With --check nothing is written, and
the exit status says whether the stubs are up to date.
"""

import ast
import builtins
import functools
import inspect
import pkgutil
import re
import sys
import textwrap
import types
from pathlib import Path

import twinflow
from tests.support import message_stubs
from twinflow.base import written

_WRITTEN = "# Made by `make stubs` from the table of the index.\n"
_WORDS = {  # what signatures are written with, and where it lives
    "Any": "typing", "Callable": "collections.abc", "Iterator": "collections.abc",
    "Sequence": "collections.abc", "Tensor": "twinflow.base.tensor",
    "TensorValue": "twinflow.base.operators", "Array": "twinflow.base.annotations",
    "AxisValue": "twinflow.base.annotations", "DTypeValue": "twinflow.base.annotations",
    "ShapeValue": "twinflow.base.annotations",
}  # fmt: skip
_RESULTS = {  # of functions that base.written made, by their package
    "twinflow.layers": "Tensor", "twinflow.metrics": "tuple[Tensor, Any]",
}  # fmt: skip
_KEPT_BY_NAME = (  # where classes keep their settings under names that no line assigns
    "twinflow.keras.layers", "twinflow.keras.optimizers", "twinflow.layers",
    "twinflow.rnn.cells", "twinflow.estimator.run_config",
)  # fmt: skip
_READ = (property, types.MemberDescriptorType)  # members that are read, or slots
_PLAIN_DECORATORS = {"contextlib.contextmanager", "contextmanager"}


def indexes():
    """Every module of the package that is a public index, by name."""
    root = Path(twinflow.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        if "__all__ = attach(" in path.read_text() and path.name != "stubs.py":
            parts = path.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            name = ".".join(("twinflow", *parts))
            found[name] = pkgutil.resolve_name(name)
    return found


def stub(module, first=None):
    """The text of the stub of an index.

    Args:
        first: {(home, attribute): (index, name)} of what other stubs write out, which
            this one only names; what it writes out is added.
    """
    first = {} if first is None else first
    table = module.__getattr__.table
    names, made, classes, texts = list(table), [], {}, {}
    for name, (home, attribute) in table.items():
        if attribute == "*":
            package, _, last = home.rpartition(".")
            made.append(f"from {package} import {last} as {name}")
        elif (place := first.get((home, attribute))) and place[0] != module.__name__:
            made.append(f"from {place[0]} import {place[1]} as {name}")
        elif (line := _written_out(home, attribute, name, names)) is not None:
            made.append(line)
            first.setdefault((home, attribute), (module.__name__, name))
            texts[line] = _documented(line.removesuffix(" ..."), home, attribute)
        elif (home, attribute) in classes:
            made.append(f"{name} = {classes[home, attribute]}")
        elif body := _class_body(home, attribute, names):
            classes[home, attribute] = name
            first.setdefault((home, attribute), (module.__name__, name))
            made.append(f"from {home} import {attribute} as _{name}")
            made += [head := f"class {name}(_{name}):", *body]
            texts[head] = _documented(head, home, attribute)
        else:
            made.append(f"from {home} import {attribute} as {name}")
    if module is twinflow:
        names.append("__version__")
        made.append("__version__: str")
    body = "\n".join(texts.get(line, line) for line in made) + "\n"
    listed = textwrap.fill(", ".join(f'"{name}"' for name in names), 88) + "\n"
    return f"{_WRITTEN}{_imports(made, names)}{body}\n__all__ = [\n{listed}]\n"


def _documented(line, home, attribute):
    """The first line of a function or class, and its docstring, for editors."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    text = inspect.getdoc(value) or ""
    if not text or '"""' in text or text.endswith(("\\", '"')):
        return line if line.startswith("class") else f"{line} ..."
    quoted = textwrap.indent(f'r"""{text}\n"""', "    ")
    return f"{line}\n{quoted}"


def _imports(lines, names):
    """The imports of the words in the signatures among the lines of a stub."""
    text = " ".join(x for x in lines if not x.startswith("from "))
    words = set(re.findall(r"\w+", text))
    known = [f"from {home} import {w}" for w, home in _WORDS.items() if w in words]
    made = ["import builtins"] * ("builtins" in words) + sorted(known)
    return "".join(line + "\n" for line in made)


def _class_body(home, attribute, names):
    """What checkers do not see of a class: settings kept by name, a made __init__."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    if not isinstance(value, type) or message_stubs.is_message(value):
        return []
    put = [f"    {name}: Any" for name in _unseen(value)]
    if not home.startswith(_KEPT_BY_NAME):
        return put
    code = getattr(value.__init__, "__code__", None)
    if code is None:
        return []
    seen = set().union(*map(_seen, _own(value)))
    hidden = [n for n in _settings(value) if n not in seen]
    body = [f"    {name}: Any" for name in hidden] + [
        x for x in put if x[4:-5] not in hidden
    ]
    if "__init__" in vars(value) and code.co_filename == written.__file__:
        parameters = _parameters(value.__init__, {}, names)
        body.append(f"    def __init__({parameters}) -> None: ...")
    return body


def _unseen(value):
    """The members that are put on a class where no checker sees it."""
    own = _own(value)
    if not own or own[0] is not value or _source(value) is None:
        return []
    if issubclass(value, tuple):
        return []
    made = [n for c in own for n, v in vars(c).items() if isinstance(v, _READ)]
    seen = set().union(*(_seen(c) for c in own if _source(c)))
    return [n for n in dict.fromkeys(made) if n not in seen and not n.startswith("_")]


def _settings(value):
    """The names that objects of a class keep of what they were made with, and add."""
    _, *named = inspect.signature(value.__init__).parameters.values()
    kept = [p.name for p in named if p.kind is p.POSITIONAL_OR_KEYWORD]
    sources = "".join(map(_source, _own(value)))
    return dict.fromkeys([*kept, *re.findall(r'_add_own\(\s*"(\w+)"', sources)])


@functools.cache
def _source(cls):
    """The text of a class; None where it was made by a function."""
    try:
        return inspect.getsource(cls)
    except (OSError, TypeError):
        return None


@functools.cache
def _seen(cls):
    """The names that checkers see in the text of a class."""
    nodes = list(ast.walk(ast.parse(textwrap.dedent(_source(cls)))))
    stored = {
        n.attr for n in nodes
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }  # fmt: skip
    defined = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    whole = [x for n in nodes if isinstance(n, ast.ClassDef) for x in n.body]
    assigned = [t for x in whole if isinstance(x, ast.Assign) for t in x.targets]
    assigned += [x.target for x in whole if isinstance(x, ast.AnnAssign)]
    return stored | defined | {n.id for n in assigned if isinstance(n, ast.Name)}


def _own(value):
    """The classes of the house among the bases of a class, that were written down."""
    return [c for c in value.__mro__ if c.__module__.startswith("twinflow.")]


def _written_out(home, attribute, name, names):
    """The signature of a function that checkers do not see where it lives, or None."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    function = inspect.unwrap(value) if callable(value) else value
    code = getattr(function, "__code__", None)
    if code is None or inspect.isclass(value):
        return None
    if code.co_filename == "<twinflow op>":
        return _of_tensors(function, name)
    if code.co_filename == written.__file__:
        package = ".".join(home.split(".")[:2])
        result = _RESULTS.get(package, "Any")
        return f"def {name}({_parameters(function, {}, names)}) -> {result}: ..."
    node = _definitions(code.co_filename).get(code.co_firstlineno)
    if node is None or (node.name == attribute and _is_visible(node, code)):
        return None
    said = {a.arg: a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    result = _annotation(node.returns, names)
    return f"def {name}({_parameters(function, said, names)}) -> {result}: ..."


def _is_visible(node, code):
    """Whether checkers see a function at the top of its module as it is."""
    decorators = {ast.unparse(d) for d in node.decorator_list}
    return "<locals>" not in code.co_qualname and decorators <= _PLAIN_DECORATORS


@functools.cache
def _definitions(file):
    """The function definitions of a file by the line that their code names."""
    functions = (
        n for n in ast.walk(ast.parse(Path(file).read_text()))
        if isinstance(n, ast.FunctionDef)
    )  # fmt: skip
    return {min(x.lineno for x in (n, *n.decorator_list)): n for n in functions}


def _annotation(node, names):
    """The text of an annotation in a stub that defines `names`."""
    if node is None:
        return "Any"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    words = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if not all(w in _WORDS or hasattr(builtins, w) for w in words):
        return "Any"
    return ast.unparse(_Qualified(set(names)).visit(node))


class _Qualified(ast.NodeTransformer):
    """Names the module of a builtin that the stub has another meaning for."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        if node.id not in self.names or not hasattr(builtins, node.id):
            return node
        return ast.Attribute(ast.Name("builtins"), node.id)


def _of_tensors(function, name):
    """The line of a function of one or two tensors."""
    *tensors, last = inspect.signature(function).parameters
    assert last == "name", f"{name} has other arguments than base.factory makes."
    arguments = ", ".join(f"{t}: TensorValue" for t in tensors)
    return f"def {name}({arguments}, name: str | None = None) -> Tensor: ..."


def _parameters(function, said, names):
    """The parameters of a function with the annotations in `said`."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    made, open_ = [], True
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.KEYWORD_ONLY and open_:
            made.append("*")
        open_ = open_ and p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        said_of_it = _annotation(said.get(p.name), names)
        text = f"{stars.get(p.kind, '')}{p.name}"
        text += f": {said_of_it}" * (p.name != "self")
        made.append(text + " = ..." * (p.default is not p.empty))
    return ", ".join(made)


def path_of(module):
    """Where the stub of a module lies."""
    return Path(module.__file__).with_suffix(".pyi")


def written_stubs():
    """(name, path, text) of every stub."""
    found, first = indexes(), {}
    for name, module in found.items():
        yield name, path_of(module), stub(module, first)
    tables = [module.__getattr__.table for module in found.values()]
    for home, names in message_stubs.homes(tables).items():
        path = path_of(pkgutil.resolve_name(home))
        yield home, path, message_stubs.stub(home, names)


def main(check):
    stale = []
    for name, path, text in written_stubs():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text)
    print(f"{len(stale)} stubs {'are out of date' if check else 'written'}:", *stale)
    return bool(check and stale)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
