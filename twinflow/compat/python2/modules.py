"""Modules of Python 2, by their old names, and what modules have lost since."""

import collections
import csv
import importlib.abc
import importlib.util
import io
import itertools
import os
import pickle
import pkgutil
import string
import subprocess
import sys
import types
import urllib

# Old module -> the modules that have its names today, the first of them first.
_RENAMED = {
    "cPickle": ["pickle"], "StringIO": [], "cStringIO": [], "Queue": ["queue"],
    "ConfigParser": ["configparser"], "SocketServer": ["socketserver"],
    "urllib2": ["urllib.request", "urllib.error", "urllib.parse"],
    "urlparse": ["urllib.parse"], "httplib": ["http.client"],
    "Cookie": ["http.cookies"],
    "cookielib": ["http.cookiejar"], "HTMLParser": ["html.parser"],
    "htmlentitydefs": ["html.entities"], "BaseHTTPServer": ["http.server"],
    "SimpleHTTPServer": ["http.server"], "CGIHTTPServer": ["http.server"],
    "xmlrpclib": ["xmlrpc.client"], "robotparser": ["urllib.robotparser"],
    "commands": ["subprocess"], "thread": ["_thread"], "dummy_thread": ["_thread"],
    "__builtin__": ["builtins"], "exceptions": ["builtins"], "copy_reg": ["copyreg"],
    "repr": ["reprlib"], "UserDict": ["collections"], "UserList": ["collections"],
    "UserString": ["collections"], "anydbm": ["dbm"], "sets": [], "md5": [], "sha": [],
    "future_builtins": ["builtins"], "Tkinter": ["tkinter"],
    "tkMessageBox": ["tkinter.messagebox"], "tkFileDialog": ["tkinter.filedialog"],
    "ttk": ["tkinter.ttk"],
}  # fmt: skip


class StringIO:
    """A file in memory, of texts or of bytes: the first that is written decides."""

    def __init__(self, initial=""):
        self._file = io.BytesIO(initial) if _is_bytes(initial) else io.StringIO(initial)

    def write(self, value):
        """Append; an empty file takes bytes as well as texts."""
        if _is_bytes(value) and isinstance(self._file, io.StringIO):
            if self._file.getvalue():
                value = bytes(value).decode("latin1")
            else:
                self._file = io.BytesIO()
        return self._file.write(value)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __iter__(self):
        return iter(self._file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()


def _is_bytes(value):
    return isinstance(value, bytes | bytearray | memoryview)


def _bytes_of(file):
    """The file of bytes below one of texts: protocol 0 of pickle was text."""
    return getattr(file, "buffer", file)


_pickle_load, _pickle_dump, _csv_reader = pickle.load, pickle.dump, csv.reader


def _load(file, **kwargs):
    return _pickle_load(_bytes_of(file), **{"encoding": "latin1", **kwargs})


def _loads(data, **kwargs):
    data = data.encode("latin1") if isinstance(data, str) else data
    return pickle.loads(data, **{"encoding": "latin1", **kwargs})


def _dump(value, file, protocol=None):
    return _pickle_dump(value, _bytes_of(file), protocol)


def _reader(lines, *args, **kwargs):
    """csv.reader, of a file of bytes too."""
    texts = (x.decode("utf-8", "replace") if _is_bytes(x) else x for x in lines)
    return _csv_reader(texts, *args, **kwargs)


_PICKLE = {"load": _load, "loads": _loads, "dump": _dump}
_BUFFERS = {"StringIO": StringIO}
_MORE = {
    "cPickle": _PICKLE, "StringIO": _BUFFERS, "cStringIO": _BUFFERS,
    "UserDict": {"IterableUserDict": collections.UserDict},
    "sets": {"Set": set, "ImmutableSet": frozenset},
    "ConfigParser": {"SafeConfigParser": "ConfigParser"},
    "commands": {"getstatus": subprocess.getoutput},
    "md5": {"new": "hashlib:md5", "md5": "hashlib:md5"},
    "sha": {"new": "hashlib:sha1", "sha": "hashlib:sha1"},
    "future_builtins": {"ascii": repr},
}  # fmt: skip


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives modules under the names that they had."""

    def find_spec(self, name, path=None, target=None):
        if name not in _RENAMED:
            return None
        return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module):
        name = module.__name__
        for home in reversed(_RENAMED[name]):
            found = vars(pkgutil.resolve_name(home))
            vars(module).update((n, v) for n, v in found.items() if n[:2] != "__")
        for new, value in _MORE.get(name, {}).items():
            if isinstance(value, str):
                home = value if ":" in value else f"{_RENAMED[name][0]}:{value}"
                value = pkgutil.resolve_name(home)
            setattr(module, new, value)


FINDER = _Finder()
OLD_NAMES = frozenset(_RENAMED)


# ---------------------------------------------------------------- names in modules
def _joined(words, sep=" "):
    return sep.join(words)


def _of_strings(name):
    return lambda text, *args: getattr(text, name)(*args)


_STRING = {
    "letters": string.ascii_letters, "lowercase": string.ascii_lowercase,
    "uppercase": string.ascii_uppercase, "maketrans": str.maketrans, "atoi": int,
    "atof": float, "atol": int, "join": _joined, "joinfields": _joined,
    **{
        name: _of_strings(name)
        for name in (
            "split", "replace", "lower", "upper", "strip", "lstrip", "rstrip", "find",
            "rfind", "index", "count", "zfill", "ljust", "rjust", "center", "translate",
            "capitalize", "expandtabs", "swapcase",
        )
    },
}  # fmt: skip
_TYPES = {
    "StringType": str, "UnicodeType": str, "StringTypes": (str, bytes), "IntType": int,
    "LongType": int, "FloatType": float, "BooleanType": bool, "ListType": list,
    "TupleType": tuple, "DictType": dict, "DictionaryType": dict, "TypeType": type,
    "ComplexType": complex, "FileType": io.IOBase, "ObjectType": object,
    "ClassType": type, "InstanceType": object,
}  # fmt: skip
_URLLIB = (
    ("urllib.request", ("urlopen", "urlretrieve", "URLopener", "FancyURLopener",
                        "pathname2url", "url2pathname", "urlcleanup")),
    ("urllib.parse", ("urlencode", "quote", "quote_plus", "unquote", "unquote_plus")),
)  # fmt: skip


def _urllib():
    return {
        name: getattr(home, name)
        for path, names in _URLLIB
        for home in [pkgutil.resolve_name(path)]
        for name in names
        if hasattr(home, name)
    }


def _exc_clear():
    """Python 3 forgets an error at the end of its block."""


_LOST = [
    (string, _STRING),
    (types, _TYPES),
    (itertools, {
        "izip": zip, "imap": map, "ifilter": filter,
        "izip_longest": itertools.zip_longest,
        "ifilterfalse": itertools.filterfalse,
    }),
    (sys, {
        "maxint": sys.maxsize, "exc_clear": _exc_clear,
        "setdefaultencoding": lambda name: None,
    }),
    (os, {"getcwdu": os.getcwd}),
]  # fmt: skip


def install():
    """Give this process the modules of Python 2, and the names that modules had."""
    if FINDER in sys.meta_path:
        return
    sys.meta_path.insert(0, FINDER)
    for name in _RENAMED:
        if name in sys.modules:
            del sys.modules[name]  # a stand-in with fewer names
    pickle.load, pickle.dump, csv.reader = _load, _dump, _reader
    for module, names in [*_LOST, (urllib, _urllib())]:
        for name, value in names.items():
            if name not in vars(module):
                setattr(module, name, value)
