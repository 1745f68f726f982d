"""The one-line signature of an op, in the notation of TensorFlow's OpDefs.

    MatMul(a: T, b: T) -> (product: T); transpose_a=False, transpose_b=False
    Sum(input: T, reduction_indices: host Tidx) -> (output: T); keep_dims=False
    ConcatV2(values: N*T, axis: host Tidx) -> (output: T)

``host`` marks an input whose value shapes the result; ``N*T`` is a list of tensors,
``*T`` one whose tensors may differ in type (then T is the list of their types).
``ref`` marks the reference of a variable: the op gets its cell, and gives it back.
What follows the semicolon are the attributes that the kernel receives.
"""

import ast
import re
from typing import NamedTuple, cast

from twinflow.base import dtypes

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


def _arg(text):
    name, _, kind = (part.strip() for part in text.partition(":"))
    host, ref = kind.startswith("host "), kind.startswith("ref ")
    kind = kind.removeprefix("host ").removeprefix("ref ").strip()
    mixed = kind.startswith("*")
    is_list = mixed or kind.startswith("N*")
    kind = kind.removeprefix("N*").removeprefix("*")
    fixed = _FIXED.get(kind)
    return Arg(name, None if fixed else kind, fixed, host, is_list, mixed, ref)


def _args(text):
    return tuple(_arg(part) for part in text.split(",") if part.strip())


def _attrs(text):
    if not text:
        return {}
    call = cast(ast.Call, ast.parse(f"f({text})", mode="eval").body)
    return {k.arg: _attr_value(k.value) for k in call.keywords}


def _attr_value(node):
    if isinstance(node, ast.Name):
        return _FIXED[node.id]
    return ast.literal_eval(node)


def parse(line):
    """Read a signature line.

    Raises:
        ValueError: the line is not in the notation above.
    """
    found = _LINE.match(" ".join(line.split()))
    if not found:
        raise ValueError(
            f"Not an op signature: {line!r}; expected 'Op(x: T) -> (y: T)'."
        )
    name, inputs, outputs, attrs = found.groups()
    return Signature(name, _args(inputs), _args(outputs), _attrs(attrs))
