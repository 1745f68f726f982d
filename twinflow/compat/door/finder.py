"""The import hook that serves `tensorflow` and everything below it."""

import functools
import importlib.abc
import importlib.util
import pkgutil
import sys
import types

from twinflow.base import spawn_hooks, versions
from twinflow.compat.door import absent, homes, keras_alias, resolve
from twinflow.compat.horovod import finder as horovod
from twinflow.compat.old_libraries import changing, protos

_VERSIONS = {
    "__version__": versions.VERSION,
    "__git_version__": versions.GIT_VERSION,
    "__compiler_version__": versions.COMPILER_VERSION,
    "__cxx11_abi_flag__": versions.CXX11_ABI_FLAG,
    "__monolithic_build__": versions.MONOLITHIC_BUILD,
    "__file__": importlib.util.find_spec("twinflow").origin,
}


class DoorModule(types.ModuleType):
    """A module of TensorFlow 1.12 whose names are looked up in twinflow when used."""

    def __getattr__(self, name):
        if name == "__all__":
            return resolve.starred(resolve.below(self.__name__))
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        try:
            found = resolve.attribute(resolve.below(self.__name__), name)
        except resolve.Missing as error:
            raise AttributeError(str(error)) from None
        if isinstance(found, resolve.Submodule):
            found = module(found.path)
        vars(self)[name] = found
        return found

    def __setattr__(self, name, value):
        if isinstance(value, DoorModule) and name in homes.NAMES.get(
            resolve.below(self.__name__), ()
        ):
            return  # an import of a module that an object of its name hides
        home = None if name.startswith("__") else _home(self)
        if home is not None and name in vars(home):
            self._originals.setdefault(name, getattr(home, name))
            setattr(home, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        if name in self._originals:
            setattr(_home(self), name, self._originals.pop(name))
        super().__delattr__(name)

    @functools.cached_property
    def _originals(self):
        """What this module's home had before it was patched from here."""
        return {}

    def __dir__(self):
        return sorted({*vars(self), *resolve.names(resolve.below(self.__name__))})

    def __repr__(self):
        return f"<module {self.__name__!r} served by twinflow>"


def _home(made):
    """The module of twinflow that sees what is set in one of the door's, or None."""
    path = homes.PATCHED.get(resolve.below(made.__name__))
    return None if path is None else pkgutil.resolve_name(path)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `tensorflow` and what is below it; nothing of a real one is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != resolve.TOP and not name.startswith(resolve.TOP + "."):
            return None
        inner = resolve.below(name)
        if not resolve.is_module(inner):
            # Without `name`, or `from tensorflow.x import y` would hide the text.
            raise ModuleNotFoundError(resolve.why(inner))
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        made = DoorModule(spec.name, f"{spec.name}, served by twinflow.")
        if not resolve.below(spec.name):
            vars(made).update(_VERSIONS)
        if spec.name in (f"{resolve.TOP}.keras", f"{resolve.TOP}.python.keras"):
            vars(made)["__version__"] = keras_alias.VERSION
        return made

    def exec_module(self, module):
        loaded = homes.AT_ONCE.get(resolve.below(module.__name__))
        if loaded is not None:
            pkgutil.resolve_name(loaded)


def module(path):
    """The door's module of a path such as "python.ops.nn_ops"; "" is `tensorflow`."""
    return pkgutil.resolve_name(f"{resolve.TOP}.{path}".rstrip("."))


FINDER = Finder()
_FINDERS = (
    FINDER, horovod.FINDER, absent.RESTORED, changing.FINDER, protos.FINDER,
    absent.FINDER, keras_alias.FINDER,
)  # fmt: skip
_SERVED = DoorModule, keras_alias.KerasModule, horovod.HorovodModule


def is_open():
    """Whether `import tensorflow` gives twinflow."""
    return FINDER in sys.meta_path


def open_door():
    """Let `import tensorflow` give twinflow, in this process and from now on.

    Raises:
        ImportError: another tensorflow has been imported already.
    """
    if is_open():
        return
    found = sys.modules.get(resolve.TOP)
    if found is not None and not isinstance(found, DoorModule):
        raise ImportError(
            "tensorflow was imported before the door was opened, from "
            f"{getattr(found, '__file__', None)}. Put `import "
            "twinflow.compat.tensorflow` before it, or use `twinflow run`.",
            name=resolve.TOP,
        )
    sys.meta_path[:0] = _FINDERS[:5]
    changing.FINDER.change_loaded()
    sys.meta_path += _FINDERS[5:]
    spawn_hooks.call_first(open_door)


def close_door():
    """Undo `open_door`: the door's modules are forgotten."""
    spawn_hooks.call_no_more(open_door)
    changing.FINDER.undo()
    for finder in _FINDERS:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
    for name, found in sys.modules.copy().items():
        if isinstance(found, _SERVED) or name in absent.EMPTIED:
            del sys.modules[name]
