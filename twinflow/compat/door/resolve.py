"""From a path of TensorFlow 1.12 to what twinflow has there.

Note [One rule]: a name of a module is, in this order,
1. what homes.txt says, for the names whose place in twinflow nobody could guess;
2. for a public module (tf.nn, tf.contrib.layers): what the same index of twinflow has,
   and nothing else;
3. a module below it;
4. for gen_*_ops: a function made from the op of that name; for *_pb2: a message;
5. the public name that the table gives, or one in the namespace of the module;
6. a name of twinflow's module of the same task (homes.txt);
7. a name that a module it takes over with a star is known to have;
8. a public name anywhere with the same last part;
   a name of the modules that it takes over with a star;
9. a module of that name, which TensorFlow's file imports.
"""

import difflib
import functools
import pkgutil
import types
from typing import NamedTuple

from twinflow.base import unsupported
from twinflow.compat.door import generated, homes, messages, table

_NONE = object()
TOP = "tensorflow"
_LATER = "compat.v1"  # what 1.12 has at the top, scripts of 2019 and later have there
_HOUSE = "twinflow."
_APART = ("python.keras", "python.layers", "contrib.")


class Submodule(NamedTuple):
    """Stands for the door's module of a path."""

    path: str


class Missing(AttributeError):
    """A name that twinflow does not have; the text says so in one line."""


def below(module_name):
    """The path below `tensorflow.`, "" for itself and for `tensorflow.compat.v1`."""
    path = module_name.removeprefix(TOP).removeprefix(".")
    if path == _LATER or path.startswith(f"{_LATER}."):
        return path.removeprefix(_LATER).removeprefix(".")
    return path


def is_module(path):
    """Whether the door has a module of this path, as "python.ops.nn_ops"."""
    if not path or path in homes.NAMES or path in homes.MODULES:
        return True
    if _is_public(path):
        return _index(path) is not None
    return path in table.packages()


def names(path):
    """The names that `dir` of a module shows."""
    index = _index(path)
    found = set(_homes(path))
    if index is not None:
        found |= {n for n in dir(index) if not n.startswith("_")}
    listed = table.modules().get(path)
    known = listed.names if listed else ()
    return sorted(found | {n for n in known if _find(path, n) is not _NONE})


def starred(path: str) -> list[str]:
    """The names that `from module import *` brings: the public ones that are there."""
    public = (n for n in names(path) if not n.startswith("_"))
    return [n for n in public if _find(path, n) is not _NONE]


def attribute(path, name, *default):
    """The object, or Submodule, that a module has under a name.

    Raises:
        Missing: twinflow does not have it, and no default was given.
    """
    found = _find(path, name)
    if found is not _NONE:
        return found
    if default:
        return default[0]
    raise Missing(why(path, name))


def why(path, name=None):
    """One line that says what is missing, and whether TensorFlow 1.12 has it."""
    inner = f"{path}.{name}".strip(".") if name else path
    outer, _, last = inner.rpartition(".")
    whole = f"{TOP}.{inner}"
    there = inner in table.packages() or table.has(outer, last)
    there = there or table.is_public(inner)
    text = f"twinflow does not have {whole}"
    if there:
        text += ", which is part of TensorFlow 1.12"
    reason = _reason(inner)
    near = None if there or reason else _nearest(outer, last)
    return text + (f". Did you mean {near}?" if near else reason)


def _nearest(outer, last):
    """The name of a module that is most like one that it has not; never a refused one.

    None where nothing is like it.
    """
    if not is_module(outer):
        return None
    like = difflib.get_close_matches(last, names(outer), n=5, cutoff=0.8)
    for name in like:
        inner = f"{outer}.{name}".strip(".")
        if unsupported.group_of_symbol(inner) or _reason(inner):
            continue
        found = _find(outer, name)
        if found is not _NONE and not _refuses(found):
            return f"{TOP}.{inner}"
    return None


def _refuses(found):
    """Whether all that a function does is refuse."""
    return (getattr(found, "__doc__", None) or "").lstrip().startswith("Refuse")


def _reason(inner):
    """What to do instead, where unsupported.txt says it."""
    outer, _, last = inner.rpartition(".")
    module = table.modules().get(outer)
    public = module.names.get(last) if module else ""
    spaced = f"{module.namespace}.{last}" if module and module.namespace else ""
    for path in filter(None, [inner, public, spaced]):
        group = unsupported.group_of_symbol(path)
        if group is not None and group.kind == "refused":
            return f" ({group.title}). {group.reason}"
    return ""


def _homes(path):
    """{name: where it lives} of a module, as its tables say."""
    own = homes.NAMES.get(path, {})
    return own if path else {**homes.NAMES[_LATER], **own}


def _find(path, name):
    home = _homes(path).get(name)
    if home:
        return pkgutil.resolve_name(home)
    if f"{path}.{name}" == _LATER:
        return Submodule(_LATER)
    if _is_public(path):
        return _in_public(path, name)
    if is_module(f"{path}.{name}"):
        return Submodule(f"{path}.{name}")
    for make in (generated.function, messages.message):
        found = make(path, name)
        if found is not None:
            return found
    for step in (_listed, _same_task, _taken_over, _anywhere, _starred, _imported):
        found = step(path, name)
        if found is not _NONE:
            return found
    return _NONE


def _is_public(path):
    """Whether a path belongs to the public interface: no part of it is `python`."""
    parts = path.split(".")
    if parts[0] in ("examples", "tools"):
        return False
    deep = parts[0] == "contrib" and len(parts) > 2 and path in table.modules()
    return not (deep or {"python", "core"} & set(parts))


def _in_public(path, name):
    index = _index(path)
    whole = f"{path}.{name}".lstrip(".")
    found = _NONE if index is None or name.startswith("__") else _get(index, name)
    if isinstance(found, types.ModuleType):
        own = found.__name__.startswith(_HOUSE)
        return Submodule(whole) if own else found
    if found is _NONE and not _is_public(whole) and is_module(whole):
        return Submodule(whole)
    return found


def _listed(path, name):
    module = table.modules().get(path)
    if module is None:
        return _NONE
    public = module.names.get(name)
    found = _public(public) if public else _NONE
    contrib = ".".join(path.split(".")[:2]) if path.startswith("contrib.") else ""
    for namespace in filter(None, [module.namespace, contrib]):
        if found is _NONE:
            found = _public(f"{namespace}.{name}")
    return found


def _taken_over(path, name):
    """As `_starred`, of what the other module is known to have."""
    return _of_stars(path, name, generated_ones=False)


def _starred(path, name):
    return _of_stars(path, name, generated_ones=True)


def _of_stars(path, name, generated_ones):
    """A name of the modules whose names a module has too."""
    module = table.modules().get(path)
    for star in module.stars if module else ():
        is_generated = star.rpartition(".")[2].startswith("gen_")
        if generated_ones if is_generated else table.has(star, name):
            found = _find(star, name)
            if found is not _NONE:
                return found
    return _NONE


def _is_import(module, name):
    """Whether a name is that of another module, which a module imports."""
    if not module or module.stars or name in module.names:
        return False
    return table.by_last_part().get(name, "contrib.").startswith("python.")


def _same_task(path, name):
    imported = _is_import(table.modules().get(path), name)
    for home in homes.MODULES.get(path, ()):
        found = _get(pkgutil.resolve_name(home), name)
        if imported and getattr(found, "__module__", home) != home:
            continue
        if found is not _NONE and not isinstance(found, types.ModuleType):
            return found
    return _NONE


def _imported(path, name):
    found = table.by_last_part().get(name)
    return Submodule(found) if found and path in table.modules() else _NONE


def _anywhere(path, name):
    """A public name by its last part, where it cannot be a namesake.

    keras' `placeholder` is not tf.placeholder, and contrib.layers' `dropout` is not
    nn.dropout: these take nothing from elsewhere; others that have a namespace take
    only names of the top.
    """
    if path.startswith(_APART):
        return _NONE
    module = table.modules().get(path)
    if _is_import(module, name):
        return _NONE
    top_only = module and (module.namespace or module.names.get(name))
    for public in _by_name().get(name, ()):
        if not (public.startswith("keras.") or (top_only and "." in public)):
            found = _public(public)
            if found is not _NONE:
                return found
    return _NONE


def _public(path):
    """The object of a public path, such as "nn.relu"."""
    index, _, name = path.rpartition(".")
    module = _index(index)
    found = _NONE if module is None else _get(module, name)
    return _NONE if isinstance(found, types.ModuleType) else found


@functools.cache
def _index(path):
    """twinflow's public index of a path, or None."""
    if not _is_public(path):
        return None
    found = pkgutil.resolve_name("twinflow")
    for part in filter(None, path.split(".")):
        if not isinstance(found, types.ModuleType):
            return None
        found = _get(found, part)
    return found if isinstance(found, types.ModuleType) else None


@functools.cache
def _by_name():
    """{last part: [public paths]}, those with fewer parts first."""
    found: dict = {}
    waiting = [""]
    while waiting:
        path = waiting.pop(0)
        for name, (_, attribute) in _index(path).__getattr__.table.items():
            whole = f"{path}.{name}".lstrip(".")
            if attribute != "*":
                found.setdefault(name, []).append(whole)
            elif hasattr(_index(whole), "__getattr__"):
                waiting.append(whole)
    return found


def _get(module, name):
    """A name of a module; packages inside the house are no names of an index."""
    try:
        found = getattr(module, name)
    except AttributeError:
        return _NONE
    inside = isinstance(found, types.ModuleType) and found.__name__.startswith(_HOUSE)
    if inside and name not in getattr(module, "__all__", (name,)):
        return _NONE
    return found
