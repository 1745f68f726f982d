"""The OpDefs of TensorFlow 1.12: the inputs, outputs and attributes of its ops.

    t1 = float32 float64                          a list of types, used as {t1}
    Op(x: T, y: ref int32, z: N*T, w: *L) -> (u: T); T:type{t1}, N:int>=1, L:*type,
      b:bool=False [stateful] # 9 Use another one

After the semicolon stand the attributes with their types (``*`` = a list), the values
they may have, the smallest one, and the default; then what the op is, and the version
of GraphDefs from which on it is not there, with what is to be used instead.
"""

import ast
import functools
import importlib.resources
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from twinflow.base import dtypes

ANOTHER = "TwinEffect"  # before the type of an op of TensorFlow that we have twice
NO_DEFAULT: Any = type("NoDefault", (), {"__repr__": lambda self: "NO_DEFAULT"})()
_LINE = re.compile(
    r"(\w+)\((.*?)\) -> \((.*?)\)(?:; (.*?))?(?: \[([a-z ]+)\])?(?: # (\d+) (.*))?$"
)
_ATTR = re.compile(
    r"(\w+):(\*?)(\w+)(?:\{(.*?)\})?(?:>=(-?\d+))?"
    r"(?:=('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\[.*?\]|\(.*?\)|[^,\s]+))?(?:, |$)"
)
_TYPES = {t.name: t for t in dtypes.ALL_TYPES}


class Arg(NamedTuple):
    """An input or output.

    Args:
        name: what it is called. dtype: its DType, or None where an attribute says it.
        type_attr: the attribute that is its type. number_attr: the one that says how
            many tensors it is. list_attr: the one that lists the types of its tensors.
        is_ref: whether it is a reference.
    """

    name: str
    dtype: dtypes.DType | None
    type_attr: str
    number_attr: str
    list_attr: str
    is_ref: bool


class Attr(NamedTuple):
    """An attribute.

    Args:
        name: what it is called. type: as in OpDefs: "int", "list(type)" ...
        default: the value, or NO_DEFAULT. allowed: the values it may have; () = any.
        minimum: the smallest number (or length of a list), or None.
    """

    name: str
    type: str
    default: Any
    allowed: tuple
    minimum: int | None


class OpDef(NamedTuple):
    """What TensorFlow 1.12 says about an op.

    Args:
        name: its type. inputs, outputs: tuples of Arg. attrs: {name: Attr}.
        flags: words of "stateful commutative aggregate uninitialized".
        removed: (version of GraphDefs without it, what to use instead), or None.
    """

    name: str
    inputs: tuple
    outputs: tuple
    attrs: dict
    flags: tuple
    removed: tuple | None


@functools.cache
def _file() -> tuple[dict[str, str], ...]:
    """({name of a list of types: its types}, {op type: its line})"""
    path = importlib.resources.files("twinflow.base") / "op_defs.txt"
    text = path.read_text(encoding="utf-8").replace("\n  ", " ")
    lists, ops = {}, {}
    for line in text.splitlines()[1:]:
        name, equals, names = line.partition(" = ")
        if equals and name.isalnum():
            lists[name] = names
        else:
            ops[line.partition("(")[0]] = line
    return lists, ops


def add(text: str) -> list[str]:
    """Note further ops, in lines as those of the file.

    Returns:
        Their types.
    """
    more = lines_of(text)
    _file()[1].update(more)
    find.cache_clear()
    return list(more)


def kinds() -> list:
    """The types of all ops, in the order of the alphabet."""
    return list(_file()[1])


@functools.cache
def find(kind: str) -> Any:
    """The OpDef of an op type, or None where TensorFlow 1.12 has no such op.

    Example:
        from twinflow.base import op_defs
        op_defs.find("MatMul").attrs["transpose_a"].default  # False
    """
    line = _file()[1].get(kind.removeprefix(ANOTHER))
    return None if line is None else parsed(line)


def lines_of(text: str) -> dict[str, str]:
    """{op type: its line} of a text with a heading, as in the file."""
    lines = text.replace("\n  ", " ").splitlines()[1:]
    return {line.partition("(")[0]: line for line in lines}


def parsed(line: str) -> OpDef:
    """The OpDef that a line says."""
    parts = cast(re.Match, _LINE.match(line)).groups()
    name, inputs, outputs, attrs, flags, version, instead = parts
    found = {a.name: a for a in _attrs(attrs or "")}
    removed = (int(version), instead) if version else None
    return OpDef(
        name, _args(inputs, found), _args(outputs, found), found,
        tuple((flags or "").split()), removed,
    )  # fmt: skip


def _args(text: str, attrs: dict[str, Attr]) -> tuple[Arg, ...]:
    return tuple(_arg(part, attrs) for part in text.split(", ") if part)


def _arg(text: str, attrs: dict[str, Attr]) -> Arg:
    name, _, kind = text.partition(": ")
    is_ref = kind.startswith("ref ")
    number, star, kind = kind.removeprefix("ref ").rpartition("*")
    if star and not number:
        return Arg(name, None, "", "", kind, is_ref)
    if kind in attrs:
        return Arg(name, None, kind, number, "", is_ref)
    return Arg(name, _TYPES[kind], "", number, "", is_ref)


def _attrs(text: str) -> Iterator[Attr]:
    for name, star, kind, allowed, minimum, default in _ATTR.findall(text):
        words = _file()[0].get(allowed, allowed).replace("''", "").split(" ")
        words = words if allowed else []
        values = [_TYPES[w] if kind == "type" else w for w in words]
        value = _value(kind, default, star) if default else NO_DEFAULT
        whole = f"list({kind})" if star else kind
        least = int(minimum) if minimum else None
        yield Attr(name, whole, value, tuple(values), least)


def _value(kind: str, text: str, star: str = "") -> Any:
    """A default: lists become tuples, types DTypes."""
    if star or kind == "tensor":
        kind = "int" if kind == "tensor" else kind  # the one tensor holds uint8
        return tuple(_value(kind, word) for word in text[1:-1].split())
    if kind == "type":
        return _TYPES[text]
    if kind == "float":
        return float(text)
    return ast.literal_eval(text)
