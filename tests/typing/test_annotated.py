"""Public functions say what they take and give: each of them is annotated."""

import ast
import functools
import inspect
from pathlib import Path

import twinflow
from tests.support.stubs import indexes

ROOT = Path(twinflow.__file__).parent
APART = ("twinflow.compat",)  # TensorFlow's deep modules
CALLED = ("__init__", "__call__")


def _home(value):
    return getattr(value, "__module__", None) or ""


def ours(value):
    return _home(value).startswith("twinflow")


def methods(cls):
    """The public methods and properties of a class, those of its bases too."""
    for base in filter(ours, cls.__mro__):
        for name, value in vars(base).items():
            if not name.startswith("_") or name in CALLED:
                value = getattr(value, "__func__", getattr(value, "fget", value))
                if inspect.isfunction(value):
                    yield value


def functions():
    """(index, name or None for a method, function) of all that is public."""
    for index, module in indexes().items():
        if index.startswith(APART):
            continue
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.ismodule(value) and value.__name__ not in indexes():
                own = {n for n, v in vars(value).items() if _home(v) == value.__name__}
                found = {n: vars(value)[n] for n in own if not n.startswith("_")}
            else:
                found = {name: value}
            for word, thing in found.items():
                of_class = inspect.isclass(thing)
                for function in filter(ours, methods(thing) if of_class else [thing]):
                    yield index, None if of_class else word, inspect.unwrap(function)


@functools.cache
def definitions(path):
    """The functions of a file by line and name: (FunctionDef, whether a method)."""
    found = {}

    def visit(node, method):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                first = min([child, *child.decorator_list], key=lambda n: n.lineno)
                found[first.lineno, child.name] = child, method
            elif isinstance(child, ast.ClassDef | ast.If):
                visit(child, method or isinstance(child, ast.ClassDef))

    visit(ast.parse(Path(path).read_text()), False)
    return found


def bare(definition, method):
    """The parameters without an annotation, and "return"."""
    a = definition.args
    given = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    static = any(
        getattr(d, "id", "") == "staticmethod" for d in definition.decorator_list
    )
    own = given[0].arg if method and not static and given[0] else None
    names = [p.arg for p in given if p and p.annotation is None and p.arg != own]
    return names + ["return"] * (definition.returns is None)


known = functools.cache(indexes)


@functools.cache
def written_out(index):
    """What `defined` says, and what the stub takes over of other indexes' stubs."""
    imports = (n for n in _stub(index) if isinstance(n, ast.ImportFrom))
    taken = ((n.module, a) for n in imports if n.module in known() for a in n.names)
    return defined(index) | {a.asname for home, a in taken if a.name in defined(home)}


def _stub(index):
    path = ROOT.joinpath(*index.split(".")[1:])
    path = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
    return ast.parse(path.read_text()).body


@functools.cache
def defined(index):
    """The functions and classes that the stub of an index defines, with types."""
    found = set()
    for node in _stub(index):
        if isinstance(node, ast.FunctionDef) and not bare(node, False):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            own = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            found |= set() if any(bare(n, True) for n in own) else {node.name}
    return found


def test_public_functions_are_annotated():
    missing, seen, made = {}, set(), 0
    for index, name, function in functions():
        code = getattr(function, "__code__", None)
        place = code and (code.co_firstlineno, function.__name__)
        file = code and code.co_filename
        found = definitions(file).get(place) if code and Path(file).is_file() else None
        if found:
            seen.add((file, place))
            if names := bare(*found):
                missing[f"{file}:{place}"] = names
        elif isinstance(function, twinflow.contrib.specs.Function):  # of its class
            continue
        elif callable(function) and name not in (None, "FLAGS"):  # made by a function
            made += 1
            if name not in written_out(index):
                missing[f"{index}.{name}"] = "not in the stub"
    assert len(seen) > 2000 and made > 300
    assert not missing, "\n".join(f"{k}: {v}" for k, v in missing.items())
