"""Numbers from strings, and strings from numbers."""

import re
from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import same
from twinflow.ops.strings.arrays import as_text, filled, flat

_FLOAT = re.compile(
    rb"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|nan|(0[xX])([0-9a-fA-F]+))", re.I
)
_INT = re.compile(rb"-?\d+")


def parsed(value, dtype):
    """The number that a string stands for, or None.

    White space may stand around it; floats may be written as ``1e3``, ``inf``, ``nan``
    and ``0x1f``.
    """
    word = value.strip(b" \t\n\v\f\r")
    if dtype.is_integer:
        if not _INT.fullmatch(word):
            return None
        number = int(word)
        return number if dtype.min <= number <= dtype.max else None
    match = _FLOAT.fullmatch(word)
    if not match:
        return None
    if match[4]:
        number = float(int(match[5], 16))
        return -number if word.startswith(b"-") else number
    return _rounded_once(word, dtype)


def _rounded_once(word, dtype):
    """The nearest value of the dtype, not that of the nearest double."""
    double = float(word)
    if dtype is not dtypes.float32 or not isfinite(double):
        return double
    with np.errstate(over="ignore"):
        near = np.float32(double)
    error = double - float(near)
    if not error or not isfinite(error):
        return near
    other = np.nextafter(near, np.float32(np.inf if error > 0 else -np.inf))
    if float(other) - double != error:
        return near
    exact, middle = Decimal(word.decode()), Decimal(double)
    if exact == middle:
        return near
    return max(near, other) if exact > middle else min(near, other)


def _number_kernel(string_tensor, out_type):
    numbers = []
    for value in flat(string_tensor):
        number = parsed(value, out_type)
        if number is None:
            shown = value.decode("utf-8", "backslashreplace")
            raise invalid(
                f"StringToNumberOp could not correctly convert string: {shown}"
            )
        numbers.append(number)
    return np.array(numbers, out_type.np).reshape(np.shape(string_tensor))


StringToNumber = define("StringToNumber", infer=same, host=_number_kernel)


def string_to_number(
    string_tensor: Any, out_type: DTypeValue = dtypes.float32, name: str | None = None
) -> Tensor:
    """The numbers that strings stand for.

    Args:
        string_tensor: a string tensor, such as ["1", "-2.5e3"].
        out_type: float32, float64, int32 or int64. name: for a graph.
    Returns:
        A tensor of `out_type` and the same shape.
    Raises:
        InvalidArgumentError: a string is no number of this type.
    Example:
        tf.strings.to_number(["1", "2.5"])  # [1., 2.5]
    """
    attrs = {"out_type": dtypes.as_dtype(out_type).base_dtype}
    return apply(StringToNumber, (string_tensor,), attrs, name)


# ---------------------------------------------------------------------- to strings
_FILLS = ("", " ", "0", "+", "-")


def _format(dtype, precision, scientific, shortest, width, fill):
    """The printf format of one number."""
    floating = dtype.is_floating or dtype.is_complex
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer characters")
    if scientific and shortest and floating:
        raise invalid("Cannot select both scientific and shortest notation")
    if not floating:
        if scientific or shortest:
            raise invalid(
                "scientific and shortest format not supported for datatype "
                f"{_name(dtype)}"
            )
        if precision >= 0:
            raise invalid(f"precision not supported for datatype {_name(dtype)}")
    if fill not in _FILLS:
        raise invalid(f'Fill argument not supported: "{fill}"')
    kind = ("e" if scientific else "g" if shortest else "f") if floating else "d"
    out = "%"
    if width > -1:
        out += f"{fill}{width}"
    return out + (f".{precision}" if precision > -1 else "") + kind


def _name(dtype):
    return dtype.name


def _as_string_kernel(input, precision, scientific, shortest, width, fill):
    a = np.asarray(input)
    dtype = dtypes.from_numpy(a.dtype)
    form = _format(dtype, precision, scientific, shortest, width, as_text(fill))
    if dtype.is_bool:
        words = ["true" if v else "false" for v in a.ravel().tolist()]
    elif dtype.is_complex:
        words = [f"({form % v.real},{form % v.imag})" for v in a.ravel().tolist()]
    else:
        plain = form.replace("%0", "%", 1)  # zeros stand only before digits
        words = [(form if isfinite(v) else plain) % v for v in a.ravel().tolist()]
    return filled([w.encode() for w in words], a.shape)


AsString = define("AsString", infer=same, host=_as_string_kernel)


def as_string(
    input: TensorValue, precision: int = -1, scientific: bool = False,
    shortest: bool = False, width: int = -1, fill: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Numbers as C's printf writes them.

    Args:
        input: an int8 to int64, float32, float64, complex or bool tensor.
        precision: digits after the point, for floats; -1 = 6.
        scientific: as 1.5e+00. shortest: the shorter of the two forms.
        width: the least number of characters of a number; -1 = as many as it needs.
        fill: what stands in front: "" or " " for spaces, "0"; "+" also shows the sign;
            "-" puts the spaces behind.
        name: the name of the node in a graph.
    Returns:
        A string tensor of the same shape.
    Raises:
        InvalidArgumentError: the options do not go together, or with the dtype.
    Example:
        tf.as_string([3.14159, 2.71828], precision=2)  # [b"3.14", b"2.72"]
    """
    attrs = {
        "precision": precision, "scientific": scientific, "shortest": shortest,
        "width": width, "fill": fill,
    }  # fmt: skip
    return apply(AsString, (input,), attrs, name)
