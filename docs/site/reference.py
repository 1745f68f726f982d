"""The pages of the reference: one for each public module and each class.

They are written before the site is built, from signatures and docstrings; nothing here
is written by hand. A thing with several names stands under the best known one, and the
others point to it.
"""

import enum
import inspect
import re
from pathlib import Path
from typing import Any, NamedTuple

import docstrings
from pages import put

from tests.support.stubs import indexes

_ADDRESS = re.compile(r"<([\w.]+) object at 0x[0-9a-f]+>")
# Not in the tree beside every page, which would be a thousand lines there.
_ORPHAN = "---\norphan: true\n---\n\n"
_SHOWN_SPECIALS = {"__call__", "__getitem__", "__iter__", "__len__", "__enter__"}


class Thing(NamedTuple):
    """Something public: its name, its value, and its other names."""

    name: str
    value: Any
    others: list


class Page(NamedTuple):
    """A public module: what it says, its Things, and {name: public name} of modules."""

    says: str
    things: list
    modules: dict


def public() -> dict:
    """{public module: its Page}, each Thing under its best known name."""
    pages, found = {}, {}
    known_modules = {id(m): _public(index) for index, m in indexes().items()}
    queue = [
        (_public(index), module, list(module.__getattr__.table))
        for index, module in sorted(indexes().items(), key=_nearness)
    ]
    for name, module, attributes in queue:  # which grows
        page = pages[name] = Page(docstrings.summary(module.__doc__), [], {})
        for attribute in attributes:
            full, value = f"{name}.{attribute}", getattr(module, attribute)
            if not inspect.ismodule(value):
                _add(page, full, value, found)
                continue
            page.modules[full] = known_modules.get(id(value), full)
            if id(value) not in known_modules:
                known_modules[id(value)] = full
                queue.append((full, value, _own_names(value)))
    return pages


def _add(page, full, value, found):
    known = None if _is_plain(value) else found.get(id(value))
    thing = known or Thing(full, value, [])
    if known is not None:
        known.others.append(full)
    elif not _is_plain(value):
        found[id(value)] = thing
    if not any(t is thing for t in page.things):
        page.things.append(thing)


def _own_names(module):
    """What a module that is no index shows."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(listed)
    own = {n for n, v in vars(module).items()
           if getattr(v, "__module__", None) == module.__name__}  # fmt: skip
    return sorted(n for n in own if not n.startswith("_"))


def _nearness(item):
    return "contrib" in item[0], item[0].count("."), item[0]


def _public(index):
    return index.replace("twinflow", "tf", 1)


def _is_plain(value):
    return isinstance(value, int | float | str | bytes | bool | type(None))


def write(folder: Path) -> list[Path]:
    """Write all pages into a folder."""
    pages = public()
    written = [put(folder / "index.md", _index_page(pages))]
    for module, page in pages.items():
        text, classes = _module_page(module, page, pages)
        written.append(put(folder / f"{module}.md", text))
        written += [put(folder / f"{t.name}.md", _class_page(t)) for t in classes]
    return written


def _index_page(pages):
    rows = [f"* [`{m}`](<{m}.md>)  {page.says}" for m, page in sorted(pages.items())]
    return (
        "# Reference\n\nEvery public module, and in it every public name: `tf` "
        "is `import twinflow as tf`, or `import tensorflow as tf` under "
        "`twinflow run`.\n\n"
        + "\n".join(rows) + "\n"
    )  # fmt: skip


def _module_page(module, page, pages):
    """(the text of a module's page, the things on it that have pages of their own)."""
    home = [t for t in page.things if t.name.rpartition(".")[0] == module]
    classes = [t for t in home if _is_class(t.value)]
    functions = [t for t in home if callable(t.value) and not _is_class(t.value)]
    values = [t for t in home if not callable(t.value)]
    above = module.rpartition(".")[0]
    parts = [
        f"{_ORPHAN}# {module}",
        _within(above if above in pages else ""),
        page.says,
    ]
    inner = {m: m for m in pages if m.rpartition(".")[0] == module} | page.modules
    if inner:
        parts.append(
            "Modules: " + ", ".join(_module_link(*m) for m in sorted(inner.items()))
        )
    if classes:
        rows = [f"[`{t.name}`](<{t.name}.md>)\n: {_first(t)}\n" for t in classes]
        parts.append("## Classes\n\n" + "\n".join(rows))
    if functions:
        parts.append("## Functions\n\n" + "\n\n".join(map(_function, functions)))
    if values:
        parts.append("## Values\n\n" + "\n\n".join(map(_value, values)))
    elsewhere = [t for t in page.things if t not in home]
    if elsewhere:
        parts.append("## Other names\n\n" + _elsewhere(module, elsewhere))
    return "\n\n".join(parts) + "\n", classes


def _module_link(name, public_name):
    link = f"[`{public_name}`](<{public_name}.md>)"
    return link if name == public_name else f"`{name}` (which is {link})"


def _within(module):
    """A line that leads to the page above."""
    page = f"[`{module}`](<{module}.md>)" if module else "[reference](index.md)"
    return f"In {page}."


def _first(thing):
    return docstrings.summary(inspect.getdoc(thing.value)) or "\\ "


def _elsewhere(module, things):
    rows = []
    for t in things:
        mine = next((n for n in t.others if n.rpartition(".")[0] == module), t.name)
        rows.append(f"* `{mine}`: {link(t)}")
    return "\n".join(rows)


def link(thing: Thing) -> str:
    """A link to where a Thing is told of."""
    if _is_class(thing.value):
        return f"[`{thing.name}`](<{thing.name}.md>)"
    return f"{{py:obj}}`{thing.name}`"


def _is_class(value):
    return inspect.isclass(value) and not issubclass(value, BaseException)


def _function(thing):
    if inspect.isclass(thing.value):
        return _directive("exception", thing, _signature(thing.value))
    return _directive("function", thing, _signature(thing.value))


def _value(thing):
    shown = f":value: {_short(thing.value)}\n"
    also = _also(thing)
    return f"````{{py:data}} {thing.name}\n{shown}\n{also}\n````"


def _short(value):
    text = _ADDRESS.sub(r"<\1>", " ".join(repr(value).split()))
    return text if len(text) < 70 else f"{text[:66]} ..."


def _directive(kind, thing, signature):
    body = docstrings.markdown(inspect.getdoc(thing.value))
    also = _also(thing)
    return f"`````{{py:{kind}}} {thing.name}{signature}\n\n{body}\n\n{also}\n`````"


def _also(thing):
    if not thing.others:
        return ""
    return "Also " + ", ".join(f"`{n}`" for n in sorted(set(thing.others))) + "."


def _class_page(thing):
    cls = thing.value
    around = _within(thing.name.rpartition(".")[0])
    directive = _directive("class", thing, _signature(cls))
    parts = [f"{_ORPHAN}# {thing.name}", around, directive]
    bases = [b for b in cls.__mro__[1:] if b.__module__.startswith("twinflow")]
    methods, inherited = [], {}
    for name, owner, member in _members(cls, bases):
        if owner is cls:
            methods.append(_member(thing.name, name, member))
        else:
            inherited.setdefault(owner.__name__, []).append(name)
    if methods:
        parts.append("## Members\n\n" + "\n\n".join(methods))
    if inherited:
        rows = [
            f"* from {docstrings.escaped(owner)}: " + ", ".join(f"`{n}`" for n in names)
            for owner, names in inherited.items()
        ]
        parts.append("## Inherited\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _members(cls, bases):
    """(name, the class that has it, the member) of what is public, sorted."""
    found = {}
    for owner in (cls, *bases):
        for name, member in vars(owner).items():
            public = not name.startswith("_") or name in _SHOWN_SPECIALS
            if public and not isinstance(member, type):
                found.setdefault(name, (owner, member))
    return [(name, *found[name]) for name in sorted(found)]


def _member(cls, name, member):
    if isinstance(member, property):
        body = docstrings.markdown(inspect.getdoc(member))
        return f"````{{py:property}} {cls}.{name}\n\n{body}\n````"
    function = getattr(member, "__func__", member)
    if not callable(function):
        shown = "" if isinstance(member, enum.Enum) else f":value: {_short(member)}\n"
        return f"````{{py:attribute}} {cls}.{name}\n{shown}\n````"
    option = ""
    if isinstance(member, staticmethod | classmethod):
        option = f":{type(member).__name__}:\n"
    signature = _signature(function, drop_first=not isinstance(member, staticmethod))
    body = docstrings.markdown(inspect.getdoc(function))
    return f"`````{{py:method}} {cls}.{name}{signature}\n{option}\n{body}\n`````"


# ---------------------------------------------------------------------- signatures
def _signature(value, drop_first=False):
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = list(signature.parameters.values())[1 if drop_first else 0 :]
    found, starred = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            found.append("*")
        starred = starred or p.kind in (p.VAR_POSITIONAL, p.KEYWORD_ONLY)
        found.append(_parameter(p))
    return f"({', '.join(found)})"


def _parameter(p):
    name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
    return name if p.default is p.empty else f"{name}={_default(p.default)}"


def _default(value):
    if inspect.isclass(value) or inspect.isfunction(value):
        return value.__name__
    text = " ".join(repr(value).split())
    return "..." if "<" in text or len(text) > 40 else text
