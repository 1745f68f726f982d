"""Functions as bytes, for a process that was started anew.

Note [Shipping]: what can be imported travels by its name, as with pickle. A function
that cannot (one of the main script, a lambda, a closure) travels by value: its code,
what its closure holds, and those globals that its code names. So a script needs no
`if __name__ == "__main__"` around it, unless a class of its own has to be found: for
that the other process runs the script again, under the name `__mp_main__`.
"""

import builtins
import dis
import importlib
import io
import marshal
import os
import pickle
import runpy
import sys
import types

MAIN, AGAIN = "__main__", "__mp_main__"
_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"}


def dumps(value):
    """The bytes of a value that may hold functions.

    Raises:
        pickle.PicklingError and others: a part of it cannot be sent.
    """
    file = io.BytesIO()
    _Shipper(file, 5).dump(value)
    return file.getvalue()


def loads(data):
    """The value of `dumps`, in another process that has called `set_out`."""
    return _Unshipper(io.BytesIO(data)).load()


class _Shipper(pickle.Pickler):
    def reducer_override(self, value):
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, types.FunctionType) and not _has_name(value):
            return _by_value(value)
        return NotImplemented


def _importable(name):
    """Whether a module of this name can be imported elsewhere."""
    module = sys.modules.get(name)
    if name in (MAIN, AGAIN) or module is None:
        return False
    return getattr(module, "__spec__", None) is not None


def _has_name(function):
    """Whether importing a module finds the function."""
    if not _importable(function.__module__):
        return False
    found = sys.modules[function.__module__]
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is function


def _by_value(function):
    code, name = function.__code__, function.__module__
    home, named, known = sys.modules.get(name), {}, function.__globals__
    if not _importable(name) or known is not vars(home):
        home = name or MAIN
        named = {n: known[n] for n in sorted(_globals_of(code)) if n in known}
    cells = [_held(c) for c in function.__closure__ or ()]
    state = {
        "globals": named, "cells": cells, "defaults": function.__defaults__,
        "keywords": function.__kwdefaults__, "names": dict(vars(function)),
        "qualname": function.__qualname__,
    }  # fmt: skip
    return _bare, (marshal.dumps(code), home, len(cells)), state, None, None, _fill


def _globals_of(code):
    """The names of globals in code and in the functions inside it."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname in _GLOBAL}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= _globals_of(inner)
    return found


def _held(cell):
    """What a cell holds, in a list; an empty one as long as nothing is bound."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []


_globals: dict[str, dict] = {}  # of functions that came by value, by module


def _bare(code, home, cells):
    """A function that `_fill` completes: it may refer to itself."""
    if isinstance(home, str):
        start = {"__builtins__": builtins, "__name__": home}
        known = _globals.setdefault(home, start)
    else:
        known = vars(home)
    closure = tuple(types.CellType() for _ in range(cells))
    return types.FunctionType(marshal.loads(code), known, None, None, closure)


def _fill(function, state):
    function.__globals__.update(state["globals"])
    for cell, held in zip(function.__closure__ or (), state["cells"]):
        if held:
            cell.cell_contents = held[0]
    function.__defaults__, function.__kwdefaults__ = (
        state["defaults"], state["keywords"],
    )  # fmt: skip
    function.__qualname__ = state["qualname"]
    vars(function).update(state["names"])


# ---------------------------------------------------------------------- the main script
def main_place():
    """Where another process finds this one's main script: (module, file)."""
    main = sys.modules[MAIN]
    name = getattr(getattr(main, "__spec__", None), "name", None)
    path = getattr(main, "__file__", None)
    return name, path if path and os.path.isfile(path) else None


class _Unshipper(pickle.Unpickler):
    def find_class(self, module, name):
        if module in (MAIN, AGAIN):
            _run_main_again()
        return super().find_class(module, name)


class _Main:
    """The main script of the process that sends functions to this one."""

    place, loaded = (None, None), False


def set_main(place):
    """Say what `main_place` gave in the process that sends functions to this one."""
    _Main.place = place


def _run_main_again():
    """Make `__main__` the main script of the other process, as multiprocessing does."""
    if _Main.loaded:
        return
    name, path = _Main.place
    if name is None and path is None:
        raise RuntimeError(
            "A class of an interactive session cannot be found by another process: "
            "put it in a module."
        )
    module = types.ModuleType(AGAIN)
    if name is not None:
        vars(module).update(runpy.run_module(name, run_name=AGAIN, alter_sys=True))
    else:
        vars(module).update(runpy.run_path(path, run_name=AGAIN))
    sys.modules[MAIN] = sys.modules[AGAIN] = module
    _Main.loaded = True
