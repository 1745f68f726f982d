"""Values from outside become tensors, and tensors change dtype."""

import functools
import sys
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.convert import (
    CONVERSIONS,
    converted,
    for_graph,
    holds_tensor,
    is_tensor_like,
    number_array,
    to_array,
)
from twinflow.base.dispatch import apply
from twinflow.base.errors import ResourceExhaustedError, out_of_memory
from twinflow.base.op import NUMBER, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.pieces import in_pieces
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, ResourceHandle, Tensor
from twinflow.ops.core.describe import published
from twinflow.ops.core.infer import product, unchanged
from twinflow.ops.core.sparse_values import on_values

Const = define(
    "Const",
    infer=lambda value, dtype: np.shape(value),
    kernel=lambda xp: lambda value, dtype: value,
)


def constant(
    value: TensorValue, dtype: DTypeValue | None = None,
    shape: ShapeValue | None = None, name: str | None = "Const",
    verify_shape: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor that holds `value`.

    Args:
        value: a number, string, nested list or ndarray.
        dtype: the DType; by default float32, int32 or the array's own.
        shape: the shape. A single number fills it; in a graph a shorter value is
            continued with its last element.
        name: the name of the node in a graph.
        verify_shape: refuse a value that does not have `shape` already.
    Returns:
        The tensor.
    Raises:
        TypeError: the value is not of `dtype`, or (eager) has not as many elements as
            `shape`. ValueError: it has more elements than `shape`.
    Example:
        tf.constant([1., 2.])  # float32[2]
    """
    if is_tensor_like(value):
        return convert_to_tensor(value, dtype)
    wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
    if isinstance(value, list | tuple) and has_tensor(value):
        return dispatch.current_mode().stack(value, wanted)
    try:
        if wanted is not None and type(value) in (float, int):
            array, found = number_array(value, wanted), wanted
        else:
            array, found = to_array(value, wanted)
    except ValueError as error:
        now = dispatch.current_mode().eager
        raise (error if now else for_graph(error)) from None
    if shape is not None:
        dims = TensorShape(shape).as_list()
        now = dispatch.current_mode().eager
        if 0 in dims and (array.size == 1 if now else type(value) is not np.ndarray):
            array = np.empty(dims, array.dtype)
        array = _shaped(array, dims, verify_shape)
    return dispatch.current_mode().make_constant(array, found, name)


has_tensor = holds_tensor


def _shaped(array, shape, verify):
    shape, size = tuple(shape), product(shape)
    if shape == array.shape:
        return array
    if verify:
        raise TypeError(f"Expected Tensor's shape: {shape}, got {array.shape}.")
    if array.size != size and array.size != 1 and dispatch.current_mode().eager:
        raise TypeError(
            "Eager execution of tf.constant with unsupported shape (value has "
            f"{array.size} elements, shape is {shape} with {size} elements)."
        )
    if array.size > size or (size and not array.size):
        raise ValueError(
            f"Too many elements provided. Needed at most {size}, "
            f"but received {array.size}"
        )
    return _continued(array.ravel(), size).reshape(shape)


def _continued(flat, size):
    """`size` values: those of `flat`, then the last of them again and again.

    Raises:
        ResourceExhaustedError: there is no memory for so many.
    """
    if size > sys.maxsize:
        raise ResourceExhaustedError(
            None, None, f"OOM when allocating tensor with {size} elements"
        )
    try:
        return np.concatenate([flat, np.repeat(flat[-1:], size - flat.size)])
    except MemoryError as error:
        raise out_of_memory(error) from None


def convert_to_tensor(
    value: Any, dtype: DTypeValue | None = None, name: str | None = None,
    preferred_dtype: Any = None,
) -> Tensor:  # fmt: skip
    """`value` as a tensor of the current mode.

    Args:
        value: a tensor, variable, number, string, nested list or ndarray.
        dtype: the DType it must have.
        name: the name of the Const in a graph.
        preferred_dtype: the DType to take where the value allows it.
    Returns:
        `value` itself if it is a tensor, else a new tensor.
    Raises:
        ValueError: a tensor of another dtype is given. TypeError: see tf.constant.
    Example:
        tf.convert_to_tensor([1, 2])  # int32[2]
    """
    wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
    if type(value) is dispatch.EagerTensor and dispatch.observers is None:
        return _checked(value, wanted)
    if is_tensor_like(value):
        variable = value if isinstance(value, ResourceHandle) else None
        return _checked(_of_mode(value), wanted, variable)
    if CONVERSIONS and (found := converted(value, wanted, name)) is not None:
        return _of_mode(found)
    if wanted is None and preferred_dtype is not None:
        try:
            return constant(value, preferred_dtype, name=name or "Const")
        except (TypeError, ValueError):
            pass
    return constant(value, wanted, name=name or "Const")


def tensor_in(value, scope, name=None):
    """(`value` as a tensor, the name for its node): a new Const is `scope/name`."""
    mode = dispatch.current_mode()
    if mode.eager or is_tensor_like(value):
        return convert_to_tensor(value), scope
    with mode.name_scope(scope) as full:
        return convert_to_tensor(value, name=name), full


def _of_mode(value):
    mode = dispatch.current_mode()
    if mode.eager:
        return value._as_tensor() if hasattr(value, "_as_tensor") else value
    return mode.tensor(value)


def _checked(t, wanted, variable=None):
    if wanted is not None and t.dtype.base_dtype is not wanted:
        if variable is not None:
            raise ValueError(
                f"Incompatible type conversion requested to type {wanted.name!r} for "
                f"variable of type {variable.dtype.name!r}"
            )
        raise advised(
            ValueError,
            f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
            f"{t.dtype.name}: {str(t)!r}",
        )
    return t


Identity = define(
    "Identity",
    infer=unchanged,
    kernel=lambda xp: lambda input: input,
    grad=[lambda dy: dy],
    static=lambda node, value: value(node.inputs[0]),
)


def identity(input: TensorValue, name: str | None = None) -> Tensor:
    """A new tensor with the value of `input`.

    Args:
        input: a tensor of any dtype and shape. name: the name of the node in a graph.
    """
    return apply(Identity, (input,), None, name)


StopGradient = define(
    "StopGradient", infer=unchanged, kernel=lambda xp: lambda input: input
)


def stop_gradient(input: TensorValue, name: str | None = None) -> Tensor:
    """The value of `input`, through which no gradient flows.

    Args:
        input: a tensor of any dtype and shape. name: the name of the node in a graph.
    Example:
        slope = tfe.gradients_function(lambda x: tf.stop_gradient(x) * x)
        slope(3.)  # [3.0]
    """
    return apply(StopGradient, (input,), None, name)


def _cast_kernel(x, DstT):
    if x.dtype.kind == "c" and not DstT.is_complex and not DstT.is_bool:
        x = x.real
    return _CASTS[DstT](x) if x.size >= _LARGE and DstT in _CASTS else x.astype(DstT.np)


_LARGE = 16384  # elements
_CASTS = {
    t: in_pieces(functools.partial(lambda dtype, x: x.astype(dtype), t.np), 1)
    for t in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
}


@bind_first
def _cast_in_xla(jax, x, DstT):
    if DstT.is_bool or DstT.is_complex:
        return x.astype(DstT.np)
    x = x.real if x.dtype.kind == "c" else x
    if DstT.is_integer and jax.numpy.issubdtype(x.dtype, np.floating):
        wide = DstT.size == 8 or (DstT.size == 4 and DstT.is_unsigned)
        x = _cut_off(jax.numpy, x, np.int64 if wide else np.int32)
    return x.astype(DstT.np)


def _cut_off(jnp, x, kind):
    """As x86 does it, and so NumPy and TensorFlow: what does not fit gives the least.

    XLA itself gives 0 for nan and the nearest integer for what is too large.
    """
    x = x.astype(np.float32) if x.dtype.itemsize < 4 else x
    least = np.iinfo(kind).min
    fits = (x >= float(least)) & (x < -float(least))
    return jnp.where(fits, jnp.where(fits, x, 0).astype(kind), kind(least))


_CASTABLE = NUMBER | {dtypes.bool}

Cast = define(
    "Cast",
    unread="Truncate",
    infer=unchanged,
    kernel=lambda xp: _cast_kernel,
    lower=_cast_in_xla,
    types={"SrcT": _CASTABLE, "DstT": _CASTABLE},
    grad=[lambda dy, dtype_x: cast(dy, dtype_x) if dtype_x.is_inexact else None],
)


def cast(x: TensorValue, dtype: Any, name: str | None = None) -> Any:
    """`x` converted to `dtype`.

    Args:
        x: a numeric or bool tensor, dense or sparse. Floats become ints by cutting off,
            complex numbers real ones by dropping the imaginary part.
        dtype: the DType to have. name: the name of the node in a graph.
    Returns:
        `x` itself where it has that dtype already.
    Raises:
        TypeError: strings cannot be cast.
    Example:
        tf.cast([1.9, -1.9], tf.int32)  # [1, -1]
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, Composite):
        sparse = on_values(x, lambda values: cast(values, dtype, name))
        if sparse is not None:
            return sparse
    x, name = tensor_in(x, name or "Cast", "x")
    if x.dtype.base_dtype is dtype:
        return x
    return apply(Cast, (x,), {"DstT": dtype}, name)


def _caster(fname, dtype, node):
    def to(x: TensorValue, name: str = node) -> Tensor:
        return cast(x, dtype, name)

    doc = f"`x` as {dtype.name}: the same as `tf.cast(x, tf.{dtype.name})`."
    return published(to, fname, doc)


to_float = _caster("to_float", dtypes.float32, "ToFloat")
to_double = _caster("to_double", dtypes.float64, "ToDouble")
to_int32 = _caster("to_int32", dtypes.int32, "ToInt32")
to_int64 = _caster("to_int64", dtypes.int64, "ToInt64")
to_bfloat16 = _caster("to_bfloat16", dtypes.bfloat16, "ToBFloat16")
to_complex64 = _caster("to_complex64", dtypes.complex64, "ToComplex64")
to_complex128 = _caster("to_complex128", dtypes.complex128, "ToComplex128")
