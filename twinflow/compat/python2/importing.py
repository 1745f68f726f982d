"""Scripts in Python 2, and the modules that lie beside them."""

import builtins
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from twinflow.base import spawn_hooks
from twinflow.compat.python2 import mending, modules, runtime

_INSTALLED = ("site-packages", "dist-packages")


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of Python 2; nothing is written, no .pyc either."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        folder = os.path.dirname(path) if _is_in_package(fullname, path) else None
        return mending.code_of(self.get_data(path), path, folder=folder)


def _is_in_package(name, path):
    return "." in name or os.path.basename(path) == "__init__.py"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules below a folder, but for what is installed there."""

    def __init__(self, root):
        self.root = os.path.join(os.path.realpath(root), "")

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not self._is_below(spec):
            return None
        spec.loader = Loader(name, spec.origin)
        return spec

    def _is_below(self, spec):
        if not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return False
        path = os.path.realpath(spec.origin)
        inner = path.removeprefix(self.root)
        return inner != path and not {*inner.split(os.sep)} & {*_INSTALLED}


def install(root: str) -> None:
    """Let this process, and those that it starts, read what is in a folder as Python 2.

    Args:
        root: the folder of the script.
    """
    modules.install()
    for name, function in runtime.STEPS.items():
        setattr(builtins, name, function)
    place = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path.insert(place, _Finder(root))
    spawn_hooks.call_first(functools.partial(install, root))
