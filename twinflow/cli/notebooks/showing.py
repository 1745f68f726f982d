"""display() and what cells end with: printed, or kept where it is a picture."""

import importlib.abc
import importlib.util
import sys
import traceback
import types

from twinflow.base import tracebacks
from twinflow.cli.notebooks import plots


def display(*values: object, **kwargs: object) -> None:
    """Print values as a cell shows them; pictures are kept beside the plots."""
    for value in values:
        shown(value)


def shown(value: object) -> None:
    """Print one value, or keep it where it is a picture."""
    for kind in ("png", "jpeg"):
        made = getattr(value, f"_repr_{kind}_", None)
        data = made() if callable(made) and not isinstance(value, type) else None
        data = data[0] if isinstance(data, tuple) else data
        if isinstance(data, bytes):
            plots.current().keep(data, kind)
            return
    if type(value).__name__ == "Figure" and hasattr(value, "savefig"):
        value.savefig(plots.current().path(), bbox_inches="tight")
        return
    print(repr(value))


class DisplayObject:
    """Something to show: text or bytes, or the name of a file that holds them.

    Args:
        data: the text or the bytes, or a name or address. url, filename: of it.
    """

    def __init__(self, data=None, url=None, filename=None, *args, **kwargs):
        is_name = isinstance(data, str) and len(data) < 1000 and not filename
        self.data, self.url = data, url
        self.filename = filename or (data if is_name else None)

    def __repr__(self):
        what = self.url or self.filename or self.data
        what = f"{len(what)} bytes" if isinstance(what, bytes) else what
        return f"<{type(self).__name__}: {what}>"


class Image(DisplayObject):
    """A picture."""

    def _bytes(self):
        if isinstance(self.data, bytes):
            return self.data
        try:
            with open(self.filename, "rb") as file:
                return file.read()
        except (OSError, TypeError, ValueError):
            return b""

    def _repr_png_(self):
        data = self._bytes()
        return data if data.startswith(b"\x89PNG") else None

    def _repr_jpeg_(self):
        data = self._bytes()
        return data if data.startswith(b"\xff\xd8") else None


class _Text(DisplayObject):
    """A text, shown as it is written."""

    def __repr__(self):
        return str(self.data)


def clear_output(wait: bool = False) -> None:
    """What was printed stays."""


class Shell:
    """What get_ipython() gives: its magics are left out, and named."""

    config: dict = {}

    def __bool__(self) -> bool:
        return False

    user_ns = property(lambda self: vars(sys.modules["__main__"]))

    def run_line_magic(self, name: str, line: str = "", *args: object) -> None:
        """Say that a magic is left out."""
        skipped(f"%{name} {line}".strip())

    def run_cell_magic(self, name: str, line: str = "", cell: str = "") -> None:
        """Say that the magic and its cell are left out."""
        skipped(f"%%{name} {line}".strip())

    def magic(self, line: str) -> None:
        """Say that a magic is left out."""
        skipped(f"%{line}")

    def system(self, command: str) -> None:
        """Say that a command is left out."""
        skipped(f"!{command}")

    getoutput = getoutputs = system


def skipped(what: str, place: str = "") -> None:
    """Say that something of a notebook is not run."""
    print(f"twinflow: {place}left out: {what}", file=sys.stderr)


SHELL = Shell()


def get_ipython() -> Shell:
    """The stand-in for IPython's shell; false, so that libraries see no shell."""
    return SHELL


_TEXTS = ("HTML", "Markdown", "Latex", "Math", "Pretty", "Javascript", "JSON", "SVG")
_OBJECTS = ("Audio", "Video", "YouTubeVideo", "IFrame", "FileLink", "FileLinks")
NAMES = {
    "display": display, "Image": Image, "clear_output": clear_output,
    "DisplayObject": DisplayObject, "set_matplotlib_formats": lambda *args: None,
    **{f"display_{kind}": display for kind in ("html", "png", "pretty", "svg")},
    **{name: type(name, (_Text,), {}) for name in _TEXTS},
    **{name: type(name, (DisplayObject,), {}) for name in _OBJECTS},
}  # fmt: skip
_MODULES = {
    "IPython": {"get_ipython": get_ipython, "version_info": (7, 0, 0)},
    "IPython.display": NAMES, "IPython.core": {}, "IPython.core.display": NAMES,
    "IPython.core.pylabtools": {"figsize": lambda *args: None},
}  # fmt: skip


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives what notebooks import of IPython, whether it is installed or not.

    The real one prints where pictures are to be kept.
    """

    def find_spec(self, name, path=None, target=None):
        if name not in _MODULES:
            return None
        inner = name in ("IPython", "IPython.core")
        return importlib.util.spec_from_loader(name, self, is_package=inner)

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(_MODULES[module.__name__])


def install() -> None:
    """Let `import IPython` find the stand-in."""
    if not any(isinstance(f, Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, Finder())
        for name in _MODULES:
            sys.modules.pop(name, None)


def print_error(
    kind: type[BaseException], error: BaseException, tb: types.TracebackType | None
) -> None:
    """Print an error with the lines of cells, which are in no file."""
    with tracebacks.shortened(error, tb) as (short, count):
        tracebacks.say(count)
        traceback.print_exception(kind, error, short)
