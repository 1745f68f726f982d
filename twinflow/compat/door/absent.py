"""Stand-ins for modules that Python has dropped, as `imp`, `distutils` and `Queue`."""

import importlib.abc
import importlib.machinery
import importlib.util
import pkgutil
import re
import shutil
import sys
import types


class LooseVersion:
    """A version as its numbers and words, for comparing.

    Example: `LooseVersion("1.12.0") < LooseVersion("1.13.0rc1")`.
    """

    _PART = re.compile(r"\d+|[a-z]+", re.I)

    def __init__(self, vstring=None):
        self.vstring = vstring or ""
        parts = self._PART.findall(self.vstring)
        self.version = [int(p) if p.isdigit() else p for p in parts]

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return f"{type(self).__name__} ('{self}')"

    def _key(self):
        return [(isinstance(p, int), p) for p in self.version]

    def _other(self, other):
        return (other if isinstance(other, LooseVersion) else type(self)(other))._key()

    def __eq__(self, other):
        return self._key() == self._other(other)

    def __lt__(self, other):
        return self._key() < self._other(other)

    def __le__(self, other):
        return self._key() <= self._other(other)

    def __gt__(self, other):
        return self._key() > self._other(other)

    def __ge__(self, other):
        return self._key() >= self._other(other)

    __hash__ = None


class StrictVersion(LooseVersion):
    """Two or three numbers, the third 0 if not given."""

    def __init__(self, vstring=None):
        super().__init__(vstring)
        self.version += [0] * (3 - len(self.version))


def strtobool(val):
    """1 or 0 for a word that says yes or no.

    Raises:
        ValueError: it is neither.
    """
    val = val.lower()
    if val in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if val in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val!r}")


def load_source(name, pathname, file=None):
    """The module made by running a file."""
    loader = importlib.machinery.SourceFileLoader(name, pathname)
    spec = importlib.util.spec_from_file_location(name, pathname, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return sys.modules[name]


_STAND_INS = {
    "imp": {
        "load_source": load_source, "reload": importlib.reload,
        "new_module": types.ModuleType, "acquire_lock": lambda: None,
        "release_lock": lambda: None, "lock_held": lambda: False,
        "get_tag": lambda: sys.implementation.cache_tag,
        "cache_from_source": importlib.util.cache_from_source,
    },
    "distutils": {},
    "distutils.version": {
        "LooseVersion": LooseVersion, "StrictVersion": StrictVersion,
        "Version": LooseVersion,
    },
    "distutils.util": {"strtobool": strtobool},
    "distutils.spawn": {"find_executable": shutil.which},
}  # fmt: skip
_RENAMED = {
    "cPickle": "pickle", "Queue": "queue", "StringIO": "io", "cStringIO": "io",
    "ConfigParser": "configparser",
}  # fmt: skip


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands last, so that it is asked only where Python has no such module."""

    def find_spec(self, name, path=None, target=None):
        if name not in _STAND_INS and name not in _RENAMED:
            return None
        is_package = name == "distutils"
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def exec_module(self, module):
        name = module.__name__
        found = _STAND_INS.get(name) or vars(pkgutil.resolve_name(_RENAMED[name]))
        vars(module).update((n, v) for n, v in found.items() if n[:2] != "__")


FINDER = _Finder()
