"""Stand-ins for modules that Python has dropped, as `imp`, `distutils` and `Queue`."""

import html
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pkgutil
import re
import shlex
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


def copy_tree(src, dst, *_, **__):
    """Copy what is in a folder into another; returns the paths of the new files."""
    found = []

    def copy(source, target):
        found.append(target)
        return shutil.copy2(source, target)

    shutil.copytree(src, dst, copy_function=copy, dirs_exist_ok=True)
    return found


def mkpath(name, mode=0o777, *_, **__):
    """Make a folder and those above it; returns those that were not there."""
    missing, path = [], os.path.normpath(name)
    while path and not os.path.isdir(path):
        missing.insert(0, path)
        path = os.path.dirname(path)
    os.makedirs(name, mode, exist_ok=True)
    return missing


def copy_file(src, dst, *_, **__):
    """Copy a file; returns (the new path, whether it was copied)."""
    return shutil.copy2(src, dst), True


def escape(s, quote=None):
    """The text with &, < and > (and quotes, if asked for) as HTML writes them."""
    return html.escape(s, quote=bool(quote))


_HEADS = {
    b"\xff\xd8\xff": "jpeg", b"\x89PNG\r\n\x1a\n": "png", b"GIF8": "gif",
    b"BM": "bmp", b"II*\0": "tiff", b"MM\0*": "tiff",
}  # fmt: skip


def what(file, h=None):
    """The kind of picture in a file (or its first bytes), as "png"; None if unknown."""
    if h is None and hasattr(file, "read"):
        place = file.tell()
        h = file.read(32)
        file.seek(place)
    elif h is None:
        with open(file, "rb") as opened:
            h = opened.read(32)
    if h[:4] == b"RIFF" and h[8:12] == b"WEBP":
        return "webp"
    return next((kind for head, kind in _HEADS.items() if h.startswith(head)), None)


_STAND_INS = {
    "cgi": {"escape": escape},
    "pipes": {"quote": shlex.quote},
    "imghdr": {"what": what},
    "distutils.dir_util": {
        "copy_tree": copy_tree, "mkpath": mkpath,
        "remove_tree": lambda directory, *_, **__: shutil.rmtree(directory),
    },
    "distutils.file_util": {"copy_file": copy_file},
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
    "ConfigParser": "configparser", "dummy_threading": "threading",
    "_dummy_threading": "threading", "sklearn.grid_search": "sklearn.model_selection",
    "sklearn.externals.joblib": "joblib", "sklearn.externals.six": "six",
}  # fmt: skip


_MADE = {  # what gives the names of a module, which loads others
    "sklearn.cross_validation": (
        "twinflow.compat.old_libraries.learning:cross_validation"
    ),
    "sklearn.externals": "builtins:dict",
    "gast": "twinflow.compat.old_libraries.syntax_trees:gast",
}
_PACKAGES = ("distutils", "sklearn.externals")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands last, so that it is asked only where Python has no such module."""

    def find_spec(self, name, path=None, target=None):
        if not any(name in table for table in (_STAND_INS, _RENAMED, _MADE)):
            return None
        is_package = name in _PACKAGES
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def exec_module(self, module):
        name = module.__name__
        if name in _STAND_INS:
            found = _STAND_INS[name]
        elif name in _MADE:
            found = pkgutil.resolve_name(_MADE[name])()
        else:
            found = vars(pkgutil.resolve_name(_RENAMED[name]))
        vars(module).update((n, v) for n, v in found.items() if n[:2] != "__")


class _Restored(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands first, for modules that are still there but have lost what was in them."""

    def find_spec(self, name, path=None, target=None):
        if name not in EMPTIED:
            return None
        return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module):
        vars(module).update(pkgutil.resolve_name(EMPTIED[module.__name__]))


EMPTIED = {"scipy.misc": "twinflow.compat.door.old_scipy:NAMES"}
FINDER, RESTORED = _Finder(), _Restored()
