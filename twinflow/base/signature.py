"""The signature of an op: that of TensorFlow's OpDef, or one line in its notation.

    MatMul(a: T, b: T) -> (product: T); transpose_a=False, transpose_b=False
    Sum(input: T, reduction_indices: host Tidx) -> (output: T); keep_dims=False
    ConcatV2(values: N*T, axis: host Tidx) -> (output: T)

``host`` marks an input whose value shapes the result; ``N*T`` is a list of tensors,
``*T`` one whose tensors may differ in type (then T is the list of their types).
``ref`` marks the reference of a variable: the op gets its cell, and gives it back.
What follows the semicolon are the attributes that the kernel receives.

Most ops only name their type: `of_op_def` reads the rest from base.op_defs.
"""

import ast
import re
from typing import Any, NamedTuple, cast

from twinflow.base import dtypes, op_defs

_LINE = re.compile(r"(\w+)\((.*?)\) -> \((.*?)\)(?:; (.*))?$", re.S)
_FIXED = {t.name: t for t in dtypes.ALL_TYPES}
_FIXED |= {"flow": dtypes.flow, "array": dtypes.array_handle}


class Arg(NamedTuple):
    """One input or output: its type is fixed, or named by an attribute."""

    name: str
    type_attr: str | None
    dtype: dtypes.DType | None
    host: bool
    is_list: bool
    mixed: bool = False
    ref: bool = False


class Signature(NamedTuple):
    """What an op takes and gives."""

    type: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    attrs: dict
    type_attrs: tuple[str, ...]  # the attributes that are dtypes


def _arg(text: str) -> Arg:
    name, _, kind = (part.strip() for part in text.partition(":"))
    host, ref = kind.startswith("host "), kind.startswith("ref ")
    kind = kind.removeprefix("host ").removeprefix("ref ").strip()
    mixed = kind.startswith("*")
    is_list = mixed or kind.startswith("N*")
    kind = kind.removeprefix("N*").removeprefix("*")
    fixed = _FIXED.get(kind)
    return Arg(name, None if fixed else kind, fixed, host, is_list, mixed, ref)


def _args(text: str) -> tuple[Arg, ...]:
    return tuple(_arg(part) for part in text.split(",") if part.strip())


def _attrs(text: str | None) -> dict:
    if not text:
        return {}
    call = cast(ast.Call, ast.parse(f"f({text})", mode="eval").body)
    return {k.arg: _attr_value(k.value) for k in call.keywords}


def _attr_value(node: Any) -> Any:
    if isinstance(node, ast.Name):
        return _FIXED[node.id]
    return ast.literal_eval(node)


def parse(line: str) -> Signature:
    """Read a signature line.

    Raises:
        ValueError: the line is not in the notation above.
    """
    found = _LINE.match(" ".join(line.split()))
    if not found:
        raise ValueError(
            f"Not an op signature: {line!r}; expected 'Op(x: T) -> (y: T)'."
        )
    name, inputs, outputs, attrs_text = found.groups()
    attrs = _attrs(attrs_text)
    return Signature(name, _args(inputs), _args(outputs), attrs, _dtypes_in(attrs))


def of_op_def(
    op_type: str, host: str = "", attrs: dict | None = None, unread: str = ""
) -> Signature:
    """The signature that TensorFlow's OpDef gives an op.

    An attribute that is the type or the number of an input is left to the inputs; the
    others are what the kernel receives. One without a default has None here: the call
    has to give it. A reference to a string is an early form of a handle.

    Args:
        op_type: the type of the op.
        host: the names of the inputs whose values shape the result, in one text.
        attrs: {name: default} of attributes that are ours, or whose default is.
        unread: the names of the attributes that the op here has not, in one text.
    Raises:
        ValueError: TensorFlow has no such op.
    """
    op_def = op_defs.find(op_type)
    if op_def is None:
        raise ValueError(
            f"TensorFlow 1.12 has no op {op_type!r}: write its signature, as in "
            "'Op(x: T) -> (y: T)'."
        )
    on_host = host.split()
    inputs = tuple(_from_op_def(a, a.name in on_host) for a in op_def.inputs)
    outputs = tuple(_from_op_def(a, False) for a in op_def.outputs)
    implied = {a.type_attr for a in inputs} | _numbers(op_def) | {*unread.split()}
    free = {
        a.name: None if a.default is op_defs.NO_DEFAULT else a.default
        for a in op_def.attrs.values()
        if a.name not in implied
    }
    free |= attrs or {}
    types = {a.name for a in op_def.attrs.values() if a.type == "type"}
    types.update(_dtypes_in(free))
    type_attrs = tuple(name for name in free if name in types)
    return Signature(op_type, inputs, outputs, free, type_attrs)


def _dtypes_in(attrs: dict) -> tuple[str, ...]:
    return tuple(k for k, v in attrs.items() if isinstance(v, dtypes.DType))


def _from_op_def(a: op_defs.Arg, host: bool) -> Arg:
    type_attr = a.type_attr or a.list_attr or None
    is_list = bool(a.number_attr or a.list_attr)
    if a.is_ref and a.dtype is dtypes.string:
        return Arg(a.name, None, dtypes.resource, host, is_list)
    return Arg(a.name, type_attr, a.dtype, host, is_list, bool(a.list_attr), a.is_ref)


def _numbers(op_def: op_defs.OpDef) -> set[str]:
    return {a.number_attr for a in (*op_def.inputs, *op_def.outputs)}


def allowed_types(op_type: str) -> dict[str, tuple]:
    """{type attribute: the dtypes it may be}, without those that hold no numbers here.

    The order is that of TensorFlow's error texts.
    """
    op_def = op_defs.find(op_type)
    attrs = op_def.attrs.values() if op_def else ()
    return {
        a.name: tuple(t for t in a.allowed if not (t.is_quantized or t == "variant"))
        for a in attrs
        if a.allowed and a.type == "type"
    }
