"""Public indexes: a table of where names live, loaded at first use (PEP 562)."""

import importlib
import sys


def table(text):
    """Read `module: name name public=name` lines into {public: (module, name)}.

    A name of `*` stands for the module itself, as in `twinflow.nn: nn=*`.
    """
    found = {}
    for line in text.strip().splitlines():
        module, _, names = line.partition(":")
        for entry in names.split():
            public, _, name = entry.partition("=")
            found[public] = (module.strip(), name or public)
    return found


def attach(module_name, text):
    """`__getattr__` and `__dir__` for the public index `module_name`.

    Args:
        module_name: the `__name__` of the index.
        text: its table, see `table`.
    Returns:
        (__getattr__, __dir__, __all__)
    """
    names = table(text)

    def __getattr__(name):
        if name not in names:
            raise AttributeError(f"module {module_name!r} has no attribute {name!r}")
        home, attribute = names[name]
        module = importlib.import_module(home)
        value = module if attribute == "*" else getattr(module, attribute)
        setattr(sys.modules[module_name], name, value)
        return value

    def __dir__():
        return sorted({*vars(sys.modules[module_name]), *names})

    __getattr__.table = names  # type: ignore[attr-defined]  # see testing.stubs
    return __getattr__, __dir__, sorted(names)
