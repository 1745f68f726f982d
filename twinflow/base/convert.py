"""Python values and arrays become arrays of a tensor's dtype, or a clear error."""

from collections.abc import Iterator
from math import copysign
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import Array
from twinflow.base.depth import too_deep
from twinflow.base.dimension import Dimension
from twinflow.base.dtypes import from_numpy
from twinflow.base.frames import warn_user
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.base.text import brief

_PLAIN = {
    bool: dtypes.bool,
    float: dtypes.float32,
    complex: dtypes.complex128,
    str: dtypes.string,
    bytes: dtypes.string,
}


def _unsupported(item: Any, whole: Any) -> Any:
    """The error for a value that no tensor can hold; `for_graph` words it anew."""
    text = (
        f"Attempt to convert a value ({brief(repr(item))}) with an unsupported type "
        f"({type(item)}) to a Tensor."
    )
    return _about(whole, text)


def _mixed(whole: Any) -> Any:
    """The error for a list of strings and other values, see `_unsupported`."""
    text = "Can't convert Python sequence with mixed types to Tensor."
    return _about(whole, text)


def _about(value: Any, text: str) -> Any:
    error: Any = advised(ValueError, text)
    error.unsupported = (value,)
    return error


class _Ragged:
    """A nested list whose parts differ in length."""

    def __init__(self, value: list | tuple) -> None:
        self.value = value

    def __str__(self) -> str:
        wanted: list[int] = []
        first: Any = self.value
        while isinstance(first, list | tuple):
            wanted.append(len(first))
            first = first[0] if first else None
        return f"{self.value} - got shape [{wanted[0]}], but wanted {wanted}."


def _is_odd(value: Any) -> bool:
    return not isinstance(value, complex | float | int | np.number | np.bool_)


def for_graph(error: Any, dtype: Any = None) -> Any:
    """An error of `to_array` for a dtype as TensorFlow raises it in a graph."""
    if not hasattr(error, "unsupported"):
        return error
    (value,) = error.unsupported
    if isinstance(value, _Ragged):
        return advised(ValueError, f"Argument must be a dense tensor: {value}")
    if value is None:
        return advised(ValueError, "None values not supported.")
    if hasattr(value, "_why_no_tensor"):
        return TypeError(value._why_no_tensor())
    if dtype is not None:
        value = next((v for v in _leaves(value) if _is_odd(v)), value)
        kind = type(value).__name__
        return TypeError(
            f"Expected {dtype.name}, got {brief(repr(value))} of type '{kind}' instead."
        )
    return advised(
        TypeError,
        f"Failed to convert object of type {type(value)} to Tensor. Contents: "
        f"{brief(str(value))}. Consider casting elements to a supported type.",
    )


def holds_tensor(value: Any) -> bool:
    """Whether a value is a tensor or variable, or a nested list that holds one.

    Raises:
        ValueError: it is nested too deep.
    """
    try:
        return _holds_tensor(value)
    except RecursionError as error:
        raise too_deep(error, value) from None


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_holds_tensor(v) for v in value)
    return is_tensor_like(value)


def is_tensor_like(value: TensorValue) -> bool:
    """Whether `value` is a tensor, or stands for one (a variable)."""
    return isinstance(value, Tensor | TensorLike)


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, variable, SparseTensor or IndexedSlices.

    Example: `tf.contrib.framework.is_tensor(tf.constant(1))  # True`
    """
    return isinstance(x, Tensor | TensorLike | Composite)


class Manners:
    """How a program of its time is met; the door changes it.

    Attributes:
        cut_off: numbers become what is wanted, as in TensorFlow 1.12: eagerly floats
            lose their fractions with a warning, arrays of NumPy are cast, and integers
            of more bits lose them. All these are refused otherwise.
    """

    cut_off = False


manners = Manners()
_CUT_OFF = (
    "{!r} loses its fraction, because {} is wanted beside it: TensorFlow 1.12 did so "
    "silently. Cast one of the two with tf.cast."
)


def to_array(value: Any, dtype: dtypes.DType | None = None) -> Any:
    """Copy `value` into an array.

    Args:
        value: a number, string, nested list of them, or an ndarray.
        dtype: the wanted DType; None = float32 for floats, int32 for ints that fit it,
            the array's own for ndarrays.
    Returns:
        (ndarray owned by nobody else, DType)
    Raises:
        TypeError: a value is not of the wanted dtype, and would lose by conversion.
        ValueError: a ragged list, an int beyond int64, or what no tensor can hold.
    """
    if isinstance(value, Dimension | TensorShape):
        return _dims(value, dtype)
    try:
        return _converted(value, dtype)
    except RecursionError as error:
        raise too_deep(error, value) from None


def _converted(
    value: Any, dtype: dtypes.DType | None
) -> tuple[Array | dtypes.DType, ...]:
    array = _as_array(value)
    found = from_numpy(array.dtype)
    if found is dtypes.uint64 and not isinstance(value, np.ndarray | np.generic):
        raise ValueError(
            "Can't convert Python sequence with out-of-range integer to Tensor."
        )
    if found is dtypes.string:
        return _strings(array, value, dtype)
    if isinstance(value, np.ndarray | np.generic):
        wanted = dtype or found
        if dtype is not None and wanted is not found:
            _check_cast(value, array, found, wanted)
    else:
        wanted = dtype or _default(value, array, found)
        if wanted is not found:
            _check_cast(value, array, found, wanted)
    if manners.cut_off:
        if found.is_complex and not wanted.is_complex:
            array = array.real
        with np.errstate(invalid="ignore"):
            return np.array(array, wanted.np), wanted
    return np.array(array, wanted.np), wanted


def number_array(value: float, dtype: dtypes.DType) -> np.ndarray:
    """The 0-d array of a Python number: nobody may write to it, it may be a kept one.

    Floats keep theirs, all but -0.0, which is equal to 0.
    """
    plain = value or copysign(1.0, value) > 0
    array = dtype.scalars.get(value) if plain else None
    if array is None:
        array = to_array(value, dtype)[0]
        if plain and value == value and dtype.is_inexact:  # nan is never found again
            array.flags.writeable = False
            if len(dtype.scalars) > 1000:
                dtype.scalars.clear()
            dtype.scalars[value] = array
    return array


def held(value: Array | np.generic) -> Array | np.generic:
    """A kernel's result as an array; NumPy gives a 0-d object as the object itself."""
    return np.array(value, object) if type(value) is bytes else value


def _as_array(value: Any) -> Array:
    try:
        if isinstance(value, list | tuple):
            value = _plain(value)
        if isinstance(_first(value), str | bytes):
            return _objects(value)
        array = np.asarray(value)
    except ValueError as error:
        text = f"Can't convert non-rectangular Python sequence to Tensor: {error}"
        raise _about(_Ragged(value), text) from None
    if isinstance(value, list) and array.dtype.kind in "SU":
        raise _mixed(value)
    return array


def _dims(value: Any, dtype: Any) -> tuple:
    """A shape as a vector, or one of its dimensions, as an array."""
    one = isinstance(value, Dimension)
    dims = (value.value,) if one else value.tuple
    if dims is None or None in dims:
        kind = "an unknown Dimension" if one else "a partially known TensorShape"
        raise ValueError(f"Cannot convert {kind} to a Tensor: {value}")
    if dtype not in (None, dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    large = max(dims, default=0)
    if dtype is dtypes.int32 and large >= 2**31:
        raise ValueError(
            "Cannot convert a TensorShape to dtype int32; a dimension is too large "
            f"({large})"
        )
    found = dtype or (dtypes.int32 if large < 2**31 else dtypes.int64)
    return np.array(dims[0] if one else dims, found.np), found


def _objects(value: Any) -> Array:
    """Strings as they are: NumPy's own kinds drop zeros at the end."""
    array = np.array(value, object)
    if any(isinstance(v, list | tuple) for v in array.ravel().tolist()):
        raise ValueError("the lists differ in length")
    return array


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for v in value:
            yield from _leaves(v)
    else:
        yield value


def _plain(value: Any) -> Any:
    """Lists with Dimensions in them as lists of ints."""
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value.__index__() if type(value).__name__ == "Dimension" else value


def _default(value: Any, array: Array, found: dtypes.DType) -> dtypes.DType:
    if found is dtypes.float64:
        first = _first(value)  # as in TensorFlow, eager mode keeps NumPy's own doubles
        double = getattr(first, "dtype", None) == np.float64
        return found if double and dispatch.current_mode().eager else dtypes.float32
    if found is dtypes.int64:
        fits = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
        return dtypes.int32 if fits else found
    return found


def _check_cast(
    value: Any, array: Array, found: dtypes.DType, wanted: dtypes.DType
) -> None:
    """Numbers go to wider kinds only: bool -> int -> float -> complex.

    Arrays of ints may be taken for bools too, and whole floats for ints.
    """
    if found is wanted or not array.size:
        return
    if wanted.np is None or wanted is dtypes.string:
        raise _expected(value, wanted)
    of_numpy = isinstance(value, np.ndarray | np.generic)
    if manners.cut_off and _cast_anyway(value, array, found, wanted):
        return
    if found.is_bool or (wanted.is_bool and found.is_integer and of_numpy):
        return
    whole = of_numpy and found.is_floating and np.array_equal(array, np.trunc(array))
    if wanted.is_bool or (wanted.is_integer and not (found.is_integer or whole)):
        raise _expected(value, wanted)
    if found.is_complex and not wanted.is_complex:
        raise _expected(value, wanted)
    if wanted.is_integer:
        low, high = np.iinfo(wanted.np).min, np.iinfo(wanted.np).max
        if array.min() < low or array.max() > high:
            raise ValueError(
                f"Expected values of {wanted.name} (between {low} and {high}), "
                f"got {value!r}. Choose a wider dtype."
            )


def _cast_anyway(
    value: Any, array: Array, found: dtypes.DType, wanted: dtypes.DType
) -> bool:
    """Whether TensorFlow 1.12 casts these numbers, whatever they lose by it."""
    of_numpy = isinstance(value, np.ndarray | np.generic)
    eager = dispatch.current_mode().eager
    if found.is_integer and wanted.is_integer:
        return True
    if wanted.is_integer and found.is_floating and (eager or of_numpy):
        if not np.array_equal(array, np.trunc(array)):
            warn_user(_CUT_OFF.format(value, wanted.name))
        return True
    numbers = found.is_integer or found.is_floating or found.is_complex
    return of_numpy and numbers and wanted.np is not None


def _expected(value: Any, wanted: dtypes.DType) -> Any:
    kinds = (bool, int, np.integer) if wanted.is_integer else ()
    culprit = next((v for v in _leaves(value) if not isinstance(v, kinds)), value)
    return advised(
        TypeError,
        f"Expected {wanted.name}, got {culprit!r} of type "
        f"'{type(culprit).__name__}' instead.",
    )


def _first(value: Any) -> Any:
    while isinstance(value, list | tuple) and len(value):
        value = value[0]
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value[()]
    return value


def _strings(
    array: Array, value: Any, dtype: dtypes.DType | None
) -> tuple[Array | dtypes.DType, ...]:
    flat = [_bytes(v, value) for v in array.ravel().tolist()]
    if dtype is not None and dtype is not dtypes.string:
        raise _expected(value, dtype)
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.shape), dtypes.string


def _bytes(item: Any, value: Any) -> bytes:
    if isinstance(item, bytes):
        return item
    if isinstance(item, str):
        return item.encode("utf-8")
    first = _first(value)
    if isinstance(value, list | tuple) and isinstance(first, str | bytes | int | float):
        raise _mixed(value)
    raise _unsupported(first, value)


# ------------------------------------------------------------------ the user's types
CONVERSIONS: list = []  # (priority, types, function), in the order to try


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Any, priority: Any = 100
) -> None:
    """Let values of a type be taken wherever a tensor is.

    Args:
        base_type: a class, or a tuple of classes.
        conversion_func: ``(value, dtype=None, name=None, as_ref=False) -> tensor``;
            NotImplemented leaves the value to the next function.
        priority: smaller numbers are tried first.
    Raises:
        TypeError: `base_type` is no class, one of Python's or NumPy's numbers, or
            `conversion_func` is no function.
    Example:
        class Meters:
            number = 3.

        def convert(value, dtype=None, name=None, as_ref=False):
            return tf.constant(value.number, dtype, name=name)

        tf.register_tensor_conversion_function(Meters, convert)
        tf.add(Meters(), 1.)  # 4.0
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(t, type) for t in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if any(issubclass(t, int | float | np.generic | np.ndarray) for t in types):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars "
            "and arrays."
        )
    if not callable(conversion_func):
        raise advised(TypeError, "conversion_func must be callable.")
    CONVERSIONS.append((priority, types, conversion_func))
    CONVERSIONS.sort(key=lambda entry: entry[0])


def converted(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """What the functions of the user's types make of `value`, or None.

    Raises:
        RuntimeError: a function gives no tensor, or one of another dtype.
    """
    for _, types, function in CONVERSIONS:
        if not isinstance(value, types):
            continue
        found = function(value, dtype=dtype, name=name, as_ref=False)
        if found is NotImplemented:
            continue
        if not is_tensor_like(found):
            raise RuntimeError(
                f"Conversion function {function!r} for type {types} returned "
                f"non-Tensor: {found!r}"
            )
        if dtype is not None and not dtype.is_compatible_with(found.dtype):
            raise RuntimeError(
                f"Conversion function {function!r} for type {types} returned "
                f"incompatible dtype: requested = {dtype.name}, actual = "
                f"{found.dtype.name}"
            )
        return found
    return None
