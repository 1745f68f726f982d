"""What TensorFlow 1.12 has in its modules, read from modules.txt."""

import functools
import re
from importlib import resources
from typing import NamedTuple

PACKAGE = "twinflow.compat.door"
_SPELLED_OUT = re.compile(r"  (\w+)\((.*)\) (\w+)$")


class Listed(NamedTuple):
    """One module of TensorFlow 1.12.

    Args:
        namespace: the public path of most of its names, as "nn"; "" for the top.
        stars: modules whose names it has too.
        names: {name: public path}, or "" where the path is not known.
    """

    namespace: str
    stars: tuple
    names: dict


def lines(file_name):
    """The lines of a data file, without comments."""
    text = (resources.files(PACKAGE) / file_name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def modules():
    """{path below `tensorflow.`: Listed} of every module in the table."""
    found = dict(map(_read, lines("modules.txt")))
    for path, functions in generated().items():
        found[path] = Listed("", (), dict.fromkeys(functions, ""))
    return found


@functools.cache
def generated():
    """{path of a gen_*_ops module: {function: (its op, its arguments or None)}}."""
    found: dict = {}
    for line in lines("gen_ops.txt"):
        if not line.startswith(" "):
            functions = found[line] = {}
        elif "(" not in line:
            functions.update(map(_function, line.split()))
        else:
            name, arguments, kind = _SPELLED_OUT.match(line).groups()
            functions[name] = kind, arguments
    return found


def _function(entry):
    name, _, kind = entry.rpartition("=")
    return name or _lower(kind), (kind, None)


def _lower(kind):
    """The name of an op's function: BatchFFT2D is batch_fft2d."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", kind)
    words = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", words).lower()
    return re.sub(r"(\d)_d(?=_|$)", r"\1d", words)


@functools.cache
def packages():
    """Every path that is a module of the table or holds one."""
    found = {"core", "contrib", "python"}
    for path in modules():
        parts = path.split(".")
        found.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return frozenset(found)


@functools.cache
def by_last_part():
    """{last part: path} of the modules; of several that of python.ops or framework."""
    found = {}
    for path in sorted(packages(), key=_rank):
        found.setdefault(path.rpartition(".")[2], path)
    return found


def has(path, name):
    """Whether TensorFlow 1.12 has a name in a module, as far as the table says."""
    module = modules().get(path)
    return module is not None and (
        name in module.names or any(has(star, name) for star in module.stars)
    )


def is_public(path):
    """Whether a public path, of a module or a name, is in TensorFlow 1.12."""
    return path in _public_paths()


def names_below(path: str) -> set[str]:
    """The names that TensorFlow 1.12 has in a module, public or not."""
    start = f"{path}." if path else ""
    public = (p[len(start) :] for p in _public_paths() if p.startswith(start))
    module = modules().get(path)
    stars = module.stars if module else ()
    found = {p for p in public if "." not in p} | set(module.names if module else ())
    found = found.union(*map(names_below, stars))
    return {n for n in found if n and not n.startswith("_")}


@functools.cache
def _public_paths():
    found = set()
    for module in modules().values():
        names = (f"{module.namespace}.{n}" for n in module.names if module.namespace)
        for path in filter(None, [module.namespace, *names, *module.names.values()]):
            parts = path.split(".")
            found.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return found


def _rank(path):
    parts = path.split(".")
    near = [["python", "ops"], ["python", "framework"], ["python", "eager"]]
    return (near.index(parts[:2]) if parts[:2] in near else 3, len(parts), path)


def _read(line):
    head, _, rest = line.partition(":")
    path, _, namespace = head.partition(" ")
    namespace = namespace.strip("[]")
    entries = rest.split()
    stars = tuple(e[1:] for e in entries if e.startswith("*"))
    pairs = (_entry(e, namespace) for e in entries if not e.startswith("*"))
    return path, Listed(namespace, stars, dict(pairs))


def _entry(text, namespace):
    name, equals, public = text.partition("=")
    if equals:
        return name, namespace + public if public.startswith(".") else public
    if "." in name:
        return name.rpartition(".")[2], name
    return name, ""
