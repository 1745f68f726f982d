"""Writes the .pyi files of the public indexes: `python -m tests.support.stubs`.

The indexes load names at their first use, which editors and type checkers cannot see;
the stub beside each says where every name lives. With --check nothing is written, and
the exit status says whether the stubs are up to date.
"""

import inspect
import pkgutil
import sys
import textwrap
from pathlib import Path

import twinflow
from twinflow.base import written

_WRITTEN = "# Made by `make stubs` from the table of the index.\n"
_TYPES = """from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
"""


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


def stub(module):
    """The text of the stub of an index."""
    names, made, classes = [], [], {}
    for name, (home, attribute) in module.__getattr__.table.items():
        names.append(name)
        if attribute == "*":
            package, _, last = home.rpartition(".")
            made.append(f"from {package} import {last} as {name}")
        elif (function := _made_by_factory(home, attribute)) is not None:
            made.append(_signature(function, name))
        elif (function := _made_of_parameters(home, attribute)) is not None:
            made.append(f"def {name}({_written_out(function)}): ...")
        elif (home, attribute) in classes:
            made.append(f"{name} = {classes[home, attribute]}")
        elif (init := _init_made_of_parameters(home, attribute)) is not None:
            classes[home, attribute] = name
            made.append(f"from {home} import {attribute} as _{name}")
            made.append(f"class {name}(_{name}):")
            made.append(f"    def __init__({_written_out(init)}) -> None: ...")
        else:
            made.append(f"from {home} import {attribute} as {name}")
    if module is twinflow:
        names.append("__version__")
        made.append("__version__: str")
    body = "\n".join(made) + "\n"
    imports = _TYPES if "TensorValue" in body else ""
    listed = textwrap.fill(", ".join(f'"{name}"' for name in names), 88) + "\n"
    return f"{_WRITTEN}{imports}{body}\n__all__ = [\n{listed}]\n"


def _made_by_factory(home, attribute):
    """The Python function of an op that base.factory made, or None."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    function = getattr(value, "__wrapped__", value)
    code = getattr(function, "__code__", None)
    return function if code and code.co_filename == "<twinflow op>" else None


def _signature(function, name):
    """The line of a function of one or two tensors."""
    *tensors, last = inspect.signature(function).parameters
    assert last == "name", f"{name} has other arguments than base.factory makes."
    arguments = ", ".join(f"{t}: TensorValue" for t in tensors)
    return f"def {name}({arguments}, name: str | None = None) -> Tensor: ..."


def _made_of_parameters(home, attribute):
    """A function that base.written made, or None."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    code = getattr(value, "__code__", None)
    return value if code and code.co_filename == written.__file__ else None


def _init_made_of_parameters(home, attribute):
    """The `__init__` of a class, if base.written made it, or None."""
    value = getattr(pkgutil.resolve_name(home), attribute)
    init = vars(value).get("__init__") if isinstance(value, type) else None
    code = getattr(init, "__code__", None)
    return init if code and code.co_filename == written.__file__ else None


def _written_out(function):
    """The parameters of a function."""
    parameters = inspect.signature(function).parameters.values()
    return ", ".join(
        "*" * (p.kind is p.VAR_KEYWORD) * 2
        + p.name
        + "=..." * (p.default is not p.empty)
        for p in parameters
    )


def path_of(module):
    """Where the stub of an index lies."""
    return Path(module.__file__).with_suffix(".pyi")


def main(check):
    stale = []
    for name, module in indexes().items():
        path, text = path_of(module), stub(module)
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text)
    print(f"{len(stale)} stubs {'are out of date' if check else 'written'}:", *stale)
    return bool(check and stale)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
