"""Tensors made from a shape or a range."""

import builtins
import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, movement
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.errors import out_of_memory
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import Sum
from twinflow.ops.core.constant import (
    cast,
    constant,
    has_tensor,
    tensor_in,
)
from twinflow.ops.core.flow import Nothing
from twinflow.ops.core.infer import (
    check_scalar,
    host_ranked,
    ints,
    one_int,
    ranked,
    sizes,
    unchanged,
)
from twinflow.ops.core.shape import Rank
from twinflow.ops.core.shape import shape as shape_of

_LARGE = 1000  # elements: a graph holds that many, or more, as a Fill


def _infer_fill(dims, value):
    host_ranked(dims, 1, "dims must be a vector, got shape {}")
    ranked(value._shape, 0, "value must be a scalar, got shape {}")
    return sizes(dims, "Fill dimensions must be >= 0")


@bind_first
def _fill_kernel(xp, dims, value):
    if value.ndim or (type(dims) is np.ndarray and dims.ndim != 1):
        raise ValueError("a vector and a scalar are wanted")  # see infer
    return (movement.filled if xp is np else xp.full)(ints(dims), value, value.dtype)


Fill = define(
    "Fill",
    on_host="dims",
    infer=_infer_fill,
    kernel=_fill_kernel,
    grad=[lambda dy: _sum_all(dy)],
)


def _sum_all(dy):
    if dy._shape is None:
        axes = range(apply(Rank, (dy,)))
    else:
        axes = tuple(builtins.range(len(dy._shape)))
    return apply(Sum, (dy, axes))


def fill(dims: Any, value: TensorValue, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` with `value` everywhere.

    Args:
        dims: ints or an integer tensor. value: a scalar of any dtype.
        name: the name of the node in a graph.
    Example:
        tf.fill([2, 2], 7)  # [[7, 7], [7, 7]]
    """
    return apply(Fill, (dims, value), None, name)


def zeros(
    shape: ShapeValue, dtype: DTypeValue = dtypes.float32, name: str | None = None
) -> Tensor:
    """A tensor of zeros (False, empty strings).

    Args:
        shape: ints, a TensorShape or an integer tensor.
        dtype: the DType. name: the name of the node in a graph.
    Example:
        tf.zeros([2, 3])  # float32[2, 3]
    """
    return _filled(shape, 0, dtype, name or "zeros")


def ones(
    shape: ShapeValue, dtype: DTypeValue = dtypes.float32, name: str | None = None
) -> Tensor:
    """A tensor of ones (True).

    Args:
        shape: ints, a TensorShape or an integer tensor.
        dtype: the DType, not string. name: the name of the node in a graph.
    Example:
        tf.ones([2], tf.int32)  # [1, 1]
    """
    return _filled(shape, 1, dtype, name or "ones")


def _filled(shape, value, dtype, name):
    dtype = dtypes.as_dtype(dtype).base_dtype
    value = _of_dtype(value, dtype)
    mode = dispatch.current_mode()
    if is_tensor_like(shape) or has_tensor(shape):
        mode.leave_ids(_product_ids(shape))
        return _fill_node(mode, shape, value, dtype, name)
    dims = _sizes(shape)
    if (not mode.eager and math.prod(dims) >= _LARGE) or any(d < 0 for d in dims):
        return _fill_node(mode, dims, value, dtype, name)
    try:
        array = movement.filled(dims, value, dtype.np)
    except MemoryError as error:
        raise out_of_memory(error) from None
    return mode.make_constant(array, dtype, name)


def _product_ids(shape):
    """How many nodes TensorFlow makes of the product of a list with tensors in it, to
    compare it with 1000: Note [Ids]."""
    if is_tensor_like(shape):
        return 0
    known = [not is_tensor_like(d) for d in shape]
    lead = 0 if known[:2] != [True] * 2 else known.index(False) - 1
    pairs = [*enumerate(known)][1 + lead :]
    constants = sum(plain or all(known[:i]) for i, plain in pairs)
    return len(pairs) + constants + 2


def _of_dtype(value, dtype):
    """0 or 1 as strings and bools have them."""
    if dtype is dtypes.string:
        return _string_of(value)
    return bool(value) if dtype is dtypes.bool else value


def _string_of(value):
    if value:
        raise TypeError("There is no string for 1: tf.ones takes numbers and bool.")
    return b""


def _sizes(shape):
    try:
        dims = shape._dims if isinstance(shape, TensorShape) else ints(shape)
    except TypeError:  # of floats TensorFlow takes the whole part
        if isinstance(shape, np.ndarray) and shape.dtype.kind == "f":
            shape = shape.tolist()
        if not isinstance(shape, list | tuple):
            raise
        dims = ints([int(d) if isinstance(d, float) else d for d in shape])
    if None in dims:
        if not dispatch.current_mode().eager:
            raise advised(
                TypeError, "Expected int32, got None of type '_Message' instead."
            )
        raise advised(
            ValueError, f"Cannot make a tensor of the partly unknown shape {shape}."
        )
    return dims


def _fill_node(mode, shape, value, dtype, name):
    with mode.name_scope(name) as scope:
        return fill(shape, constant(value, dtype), scope)


def zeros_of(x):
    """Zeros like an array; of objects that know their own zeros (lists), these."""
    if x.dtype == object and x.size and hasattr(x.flat[0], "zeros"):
        out = np.empty(x.shape, object)
        for i in np.ndindex(x.shape):
            out[i] = x[i].zeros()
        return out
    return np.zeros(x.shape, x.dtype)


ZerosLike = define(
    "ZerosLike",
    infer=unchanged,
    kernel=lambda xp: zeros_of if xp is np else xp.zeros_like,
)


def zeros_like(
    tensor: TensorValue, dtype: DTypeValue | None = None, name: str | None = None,
    optimize: bool = True,
) -> Tensor:  # fmt: skip
    """Zeros of the shape of `tensor`, and of its dtype if `dtype` is None.

    Args:
        tensor: a tensor of any dtype and shape, which may be partly unknown.
        dtype: the DType. name: the name of the node in a graph.
        optimize: in a graph, make a constant where the shape is known.
    """
    t, name = tensor_in(tensor, name or "zeros_like", "tensor")
    wanted = t.dtype if dtype is None else dtypes.as_dtype(dtype)
    if wanted is dtypes.flow:
        return apply(Nothing, ())
    s = t._shape
    known = s is not None and None not in s
    if optimize and known and wanted is not dtypes.variant:
        return _filled(s, 0, wanted, name)
    if wanted.base_dtype is t.dtype.base_dtype:
        return apply(ZerosLike, (t,), None, name)
    return _filled_like(t, 0, wanted, name)


def ones_like(
    tensor: TensorValue, dtype: DTypeValue | None = None, name: str | None = None,
    optimize: bool = True,
) -> Tensor:  # fmt: skip
    """Ones of the shape of `tensor`, and of its dtype if `dtype` is None.

    Args: see tf.zeros_like.
    """
    t, name = tensor_in(tensor, name or "ones_like", "tensor")
    wanted = t.dtype if dtype is None else dtypes.as_dtype(dtype)
    s = t._shape
    if s is not None and None not in s:
        with dispatch.current_mode().counted(3):
            return _filled(s, 1, wanted, name)
    return _filled_like(t, 1, wanted, name)


def _filled_like(t, value, dtype, name):
    with dispatch.current_mode().name_scope(name) as scope:
        value = constant(_of_dtype(value, dtype.base_dtype), dtype)
        return fill(shape_of(t), value, scope)


def _numbers(*values):
    return [None if v is None else np.asarray(v).item() for v in values]


def _infer_range(start, limit, delta, Tidx):
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        host_ranked(value, 0, f"{name} must be a scalar, not shape {{}}")
    start, limit, delta = _numbers(start, limit, delta)
    if None in (start, limit, delta):
        return (None,)
    if delta == 0:
        raise InferError("Requires delta != 0: 0", "Requires delta != 0")
    if delta > 0 and start > limit:
        raise InferError(f"Requires start <= limit when delta > 0: {start:g}/{limit:g}")
    if delta < 0 and start < limit:
        raise InferError(f"Requires start >= limit when delta < 0: {start:g}/{limit:g}")
    if Tidx.is_integer:
        return (-((start - limit) // delta),)
    return (math.ceil(abs((limit - start) / delta)),)


def _range_kernel(start, limit, delta, Tidx):
    (n,) = _infer_range(start, limit, delta, Tidx)
    start, delta = (np.asarray(v, Tidx.np) for v in (start, delta))
    return (start + np.arange(n).astype(Tidx.np) * delta).astype(Tidx.np)


def _counted(start, limit, delta, Tidx):
    """The quick form: a few whole numbers, upwards from one that is known."""
    if not Tidx.is_integer or type(start) is not int or type(delta) is not int:
        return None
    if np.ndim(limit) or delta < 1:
        return None
    few = 0 <= int(limit) - start < movement.LARGE
    return np.arange(start, int(limit), delta, Tidx.np) if few else None


_RANGE_ORDER = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)

Range = define(
    "Range",
    on_host="start limit delta",
    attrs={"Tidx": dtypes.int32},
    infer=_infer_range,
    kernel=lambda xp: _range_kernel,
    quick=_counted,
)


def range(
    start: TensorValue, limit: TensorValue | None = None, delta: TensorValue = 1,
    dtype: DTypeValue | None = None, name: str | None = "range",
) -> Tensor:  # fmt: skip
    """The numbers start, start + delta, ... before `limit`.

    Args:
        start: the first number; the limit, counted from 0, if `limit` is None.
        limit: the end, which is not included.
        delta: the step, not 0.
        dtype: int32, int64, float32 or float64; by default the widest argument's.
        name: the name of the node in a graph.
    Returns:
        dtype[ceil((limit - start) / delta)].
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): delta leads away from limit.
    Example:
        tf.range(3, 9, 3)  # [3, 6]
    """
    if limit is None:
        start, limit = 0, start
    with dispatch.current_mode().name_scope(name) as scope:
        if dtype is None:
            found = [_dtype_of(v) for v in (start, limit, delta)]
            wanted = max(found, key=_place)
        else:
            wanted = dtypes.as_dtype(dtype)
        ends = [_as_number(v, wanted) for v in (start, limit, delta)]
        return apply(Range, ends, {"Tidx": wanted}, scope)


def _place(dtype):
    """Where a dtype stands among those that ranges have; other ints count as int32."""
    return _RANGE_ORDER.index(dtype) if dtype in _RANGE_ORDER else 0


def _dtype_of(value):
    """The DType that tf.convert_to_tensor gives to a number."""
    if is_tensor_like(value):
        return value.dtype.base_dtype
    if isinstance(value, np.generic | np.ndarray):
        return dtypes.from_numpy(np.asarray(value).dtype)
    if isinstance(value, float):
        return dtypes.float32
    if np.ndim(value):
        return dtypes.int32
    return dtypes.int32 if -(2**31) <= int(value) < 2**31 else dtypes.int64


def _as_number(value, dtype):
    return cast(value, dtype) if is_tensor_like(value) else value


@bind_first
def _linspace_kernel(xp, start, stop, num):
    if start.ndim or stop.ndim:
        raise ValueError("scalars are wanted")  # infer says it better
    return xp.linspace(start, stop, one_int(num), dtype=start.dtype)


def _infer_linspace(start, stop, num):
    ranked(start._shape, 0, "start must be a scalar, not shape {}")
    ranked(stop._shape, 0, "stop must be a scalar, not shape {}")
    check_scalar(num, "num")
    n = one_int(num)
    if n is not None and n <= 0:
        raise InferError(f"Requires num > 0: {n}")
    return (n,)


LinSpace = define(
    "LinSpace", on_host="num", infer=_infer_linspace, kernel=quiet(_linspace_kernel)
)


def linspace(
    start: TensorValue, stop: TensorValue, num: Any, name: str | None = None
) -> Tensor:
    """`num` numbers at equal distances from `start` to `stop`, both included.

    Args:
        start, stop: float scalars of one dtype. num: how many, at least 1.
        name: the name of the node in a graph.
    Example:
        tf.linspace(0., 1., 5)  # [0., 0.25, 0.5, 0.75, 1.]
    """
    return apply(LinSpace, (start, stop, num), None, name)


lin_space = linspace
