"""Modules that are changed as soon as a program imports them."""

import functools
import importlib.abc
import importlib.machinery
import pkgutil
import sys
from collections.abc import Callable
from typing import Any, NamedTuple


class Change(NamedTuple):
    """Names for a module or class.

    Args:
        place: the module or class. missing: names and values, put where it has none.
        wrapped: names of what it has, and functions from that to what replaces it.
    """

    place: Any
    missing: dict[str, Any]
    wrapped: dict[str, Callable] = {}


_HERE = "twinflow.compat.old_libraries"
CHANGES = {  # module: the function from it, once it is loaded, to its Changes
    "PIL.Image": f"{_HERE}.pictures:image",
    "PIL.ImageDraw": f"{_HERE}.pictures:drawing",
    "PIL.ImageFont": f"{_HERE}.pictures:fonts",
    "h5py": f"{_HERE}.science:hdf5",
    "yaml": f"{_HERE}.science:yaml",
    "scipy": f"{_HERE}.science:scipy",
    "scipy.integrate": f"{_HERE}.science:integrate",
    "scipy.signal": f"{_HERE}.science:signal",
    "scipy.stats": f"{_HERE}.science:stats",
    "matplotlib": f"{_HERE}.plotting:matplotlib",
    "matplotlib.mlab": f"{_HERE}.plotting:mlab",
    "matplotlib.cm": f"{_HERE}.plotting:colors",
    "matplotlib.figure": f"{_HERE}.plotting:figures",
    "matplotlib.axes": f"{_HERE}.plotting:axes",
    "matplotlib.pyplot": f"{_HERE}.plotting:pyplot",
    "pandas": f"{_HERE}.tables:pandas",
    "sklearn.preprocessing": f"{_HERE}.learning:preprocessing",
}


class Changer(importlib.abc.MetaPathFinder):
    """Stands first; finds what Python finds, and changes it once it is loaded."""

    def __init__(self):
        self._undo = []

    def find_spec(self, name, path=None, target=None):
        if name not in CHANGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Changing(spec.loader, self._change)
        return spec

    def change_loaded(self) -> None:
        """Change what is loaded already."""
        for name in CHANGES:
            if name in sys.modules:
                self._change(name)

    def undo(self) -> None:
        """Leave every module as it was."""
        while self._undo:
            self._undo.pop()()

    def _change(self, name):
        find = pkgutil.resolve_name(CHANGES[name])
        for place, missing, wrapped in find(sys.modules[name]):
            values = {n: v for n, v in missing.items() if not hasattr(place, n)}
            before = {n: getattr(place, n) for n in wrapped if hasattr(place, n)}
            values |= {n: wrapped[n](old) for n, old in before.items()}
            for n, value in values.items():
                setattr(place, n, value)
            self._undo.append(functools.partial(_restore, place, values, before))


def _restore(place, values, before):
    for name in values:
        if name in before:
            setattr(place, name, before[name])
        else:
            delattr(place, name)


class _Changing(importlib.abc.Loader):
    """A loader, and what comes after it."""

    def __init__(self, inner, change):
        self.inner, self.change = inner, change

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def create_module(self, spec):
        return self.inner.create_module(spec)

    def exec_module(self, module):
        self.inner.exec_module(module)
        module.__loader__ = module.__spec__.loader = self.inner
        self.change(module.__name__)


FINDER = Changer()
