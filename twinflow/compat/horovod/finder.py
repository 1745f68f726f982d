"""The import hook that serves `horovod`: its interfaces to TensorFlow and Keras.

It stands before a Horovod that is installed, which is bound to a real TensorFlow.
"""

import importlib.abc
import importlib.util
import pkgutil
import types

VERSION = "0.18.2"
_HERE = "twinflow.compat.horovod"
_HOMES = {
    "horovod": None,
    "horovod.tensorflow": "tensorflow",
    "horovod.tensorflow.compression": "compression",
    "horovod.tensorflow.keras": "keras",
    "horovod.tensorflow.keras.callbacks": "callbacks",
    "horovod.keras": "keras",
    "horovod.keras.callbacks": "callbacks",
}


class HorovodModule(types.ModuleType):
    """A module of Horovod with the names of one of twinflow's."""


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `horovod` and what twinflow has of it."""

    def find_spec(self, name, path=None, target=None):
        if name != "horovod" and not name.startswith("horovod."):
            return None
        if name not in _HOMES:
            raise ModuleNotFoundError(
                f"No module named {name!r}: twinflow has horovod.tensorflow and "
                "horovod.keras",
                name=name,
            )
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return HorovodModule(spec.name, "Horovod's interface, served by twinflow.")

    def exec_module(self, module):
        home = _HOMES[module.__name__]
        if home is None:
            vars(module)["__version__"] = VERSION
            return
        found = vars(pkgutil.resolve_name(f"{_HERE}.{home}"))
        names = found.get("__all__") or [n for n in found if n[:1] != "_"]
        vars(module).update({n: found[n] for n in names}, __all__=list(names))


FINDER = Finder()
