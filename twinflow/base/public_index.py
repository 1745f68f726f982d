"""Public indexes: where names live, read from public_names.txt and loaded at first use.

`__getattr__` of a module is PEP 562.
"""

import functools
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twinflow.base.advice import nearest, say_fix

_TOP = "twinflow"
_FILE = Path(__file__).parents[1] / "public_names.txt"


def table(text: str) -> dict[str, tuple[str, str]]:
    """Read `module: name public=name` lines into {public: (module, name)}.

    A name of `*` stands for the module itself, as in `nn: nn=*`. A line that begins
    with spaces goes on with the names of the one before it.
    """
    names, module = {}, ""
    for line in text.strip().splitlines():
        entries = line
        if not line.startswith(" "):
            module, _, entries = line.partition(":")
        for entry in entries.split():
            public, _, name = entry.partition("=")
            names[public] = (module.strip(), name or public)
    return names


@functools.cache
def sections(file: Path = _FILE) -> dict[str, str]:
    """The lines below each `[head]` of a file; for public names, an index each."""
    _, *parts = file.read_text(encoding="ascii").split("\n[")
    return {head: body for head, _, body in (part.partition("]\n") for part in parts)}


def attach(
    module_name: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for the public index `module_name`."""
    lines = sections()[module_name.removeprefix(_TOP).removeprefix(".")]
    names = {
        public: (f"{_TOP}.{home}".removesuffix("."), name)
        for public, (home, name) in table(lines).items()
    }

    def __getattr__(name: str) -> Any:
        if name not in names:
            raise _unknown(module_name, name, names)
        home, attribute = names[name]
        module = importlib.import_module(home)
        value = module if attribute == "*" else getattr(module, attribute)
        setattr(sys.modules[module_name], name, value)
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[module_name]), *names})

    __getattr__.table = names  # type: ignore[attr-defined]  # see tests.support.stubs
    return __getattr__, __dir__, sorted(names)


def _unknown(module_name: str, name: str, names: dict) -> AttributeError:
    error = AttributeError(f"module {module_name!r} has no attribute {name!r}")
    found = None if name.startswith("_") else _similar(module_name, name, tuple(names))
    if found:
        say_fix(error, f"did you mean {found!r}?")
    return error


@functools.cache
def _similar(module_name: str, name: str, names: tuple[str, ...]) -> str | None:
    """The public name that is most like another one."""
    close = [n for n in names if n[:1] == name[:1] and abs(len(n) - len(name)) < 4]
    return nearest(name, close)
