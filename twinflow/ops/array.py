"""Ops that make, view and rearrange tensors."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.convert import is_tensor_like, to_array
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.shapes import TensorShape
from twinflow.ops.infer import ints, merge, product, same, text

Const = define(
    "Const() -> (output: dtype); value=None, dtype=float32",
    infer=lambda value, dtype: np.shape(value),
    kernel=lambda xp: lambda value, dtype: value,
)


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A tensor that holds `value`.

    Args:
        value: a number, string, nested list or ndarray.
        dtype: the DType; by default float32, int32 or the array's own.
        shape: the shape; a shorter value is continued with its last element.
        name: the name of the node in a graph.
        verify_shape: refuse a value that does not have `shape` already.
    Returns:
        The tensor.
    Raises:
        TypeError: the value is not of `dtype`. ValueError: it does not fit `shape`.
    Example:
        tf.constant([1., 2.]) -> float32[2]
    """
    if is_tensor_like(value):
        return convert_to_tensor(value, dtype)
    wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
    if isinstance(value, list | tuple) and _has_tensor(value):
        return dispatch.Mode.stack(value, wanted)
    array, found = to_array(value, wanted)
    if shape is not None:
        array = _shaped(array, TensorShape(shape).as_list(), verify_shape)
    return dispatch.current_mode().make_constant(array, found, name)


def _has_tensor(value):
    if isinstance(value, list | tuple):
        return any(_has_tensor(v) for v in value)
    return is_tensor_like(value)


def _shaped(array, shape, verify):
    if tuple(shape) == array.shape:
        return array
    if verify:
        raise TypeError(f"Expected Tensor's shape: {tuple(shape)}, got {array.shape}.")
    size = product(shape)
    if array.size > size or not array.size:
        raise ValueError(
            f"Too many elements provided. Needed at most {size}, "
            f"but received {array.size}"
        )
    flat = array.ravel()
    return np.concatenate([flat, np.repeat(flat[-1:], size - flat.size)]).reshape(shape)


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None):
    """`value` as a tensor of the current mode.

    Args:
        value: a tensor, variable, number, string, nested list or ndarray.
        dtype: the DType it must have.
        name: the name of the Const in a graph.
        preferred_dtype: the DType to take where the value allows it.
    Raises:
        ValueError: a tensor of another dtype is given. TypeError: see tf.constant.
    """
    wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
    if type(value) is dispatch.EagerTensor and dispatch.observers is None:
        return _checked(value, wanted)
    if is_tensor_like(value):
        return _checked(_of_mode(value), wanted)
    if wanted is None and preferred_dtype is not None:
        try:
            return constant(value, preferred_dtype, name=name or "Const")
        except (TypeError, ValueError):
            pass
    return constant(value, wanted, name=name or "Const")


def _of_mode(value):
    mode = dispatch.current_mode()
    if mode.eager:
        return value._as_tensor() if hasattr(value, "_as_tensor") else value
    return mode.tensor(value)


def _checked(t, wanted):
    if wanted is not None and t.dtype.base_dtype is not wanted:
        raise ValueError(
            f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
            f"{t.dtype.name}: {str(t)!r}"
        )
    return t


Identity = define(
    "Identity(input: T) -> (output: T)",
    infer=same,
    kernel=lambda xp: lambda x: x,
    grad=[lambda dy: dy],
)


def identity(input, name=None):
    """A tensor with the value of `input`."""
    return apply(Identity, (input,), None, name)


StopGradient = define(
    "StopGradient(input: T) -> (output: T)", infer=same, kernel=lambda xp: lambda x: x
)


def stop_gradient(input, name=None):
    """The value of `input`, through which no gradient flows."""
    return apply(StopGradient, (input,), None, name)


Shape = define(
    "Shape(input: T) -> (output: out_type); out_type=int32",
    infer=lambda x, out_type: (None if x._shape is None else len(x._shape),),
    kernel=lambda xp: lambda x, out_type: np.array(np.shape(x), out_type.np),
)


def shape(input, name=None, out_type=dtypes.int32):
    """The shape of `input`, as an integer tensor[rank]."""
    return apply(Shape, (input,), {"out_type": dtypes.as_dtype(out_type)}, name)


def _infer_reshape(x, shape):
    if shape is None:
        return None
    s = tuple(None if d is None or d == -1 else int(d) for d in shape)
    wild = -1 in [d for d in np.atleast_1d(np.asarray(shape, object)) if d is not None]
    total, rest = product(x._shape), product([d for d in s if d is not None])
    if total is None or (None in s and not wild) or s.count(None) > 1:
        return s
    if wild:
        if rest == 0 or total % rest:
            raise _bad_reshape(x, s, total)
        return tuple(total // rest if d is None else d for d in s)
    if rest != total:
        raise _bad_reshape(x, s, total)
    return s


def _bad_reshape(x, s, total):
    shown = [-1 if d is None else d for d in s]
    need = product([d for d in s if d is not None])
    if None in s:
        eager = (
            f"Input to reshape is a tensor with {total} values, but the requested "
            f"shape requires a multiple of {need}"
        )
    else:
        eager = (
            f"Input to reshape is a tensor with {total} values, but the requested "
            f"shape has {need}"
        )
    graph = f"Cannot reshape a tensor with {total} elements to shape {text(shown)}"
    return InferError(eager, f"{graph} ({need} elements)")


Reshape = define(
    "Reshape(tensor: T, shape: host Tshape) -> (output: T)",
    infer=_infer_reshape,
    kernel=lambda xp: lambda x, shape: xp.reshape(x, ints(shape)),
    grad=[lambda dy, shape_tensor: reshape(dy, shape_tensor)],
)


def reshape(tensor, shape, name=None):
    """`tensor` with another shape; one entry may be -1."""
    return apply(Reshape, (tensor, shape), None, name)


def _infer_broadcast_to(x, shape):
    if shape is None:
        return None
    s = ints(shape)
    if x._shape is not None and len(x._shape) > len(s):
        raise InferError(f"Incompatible shapes: {text(x._shape)} vs. {text(s)}")
    return s


def _broadcast_kernel(xp):
    if xp is not np:
        return lambda x, shape: xp.broadcast_to(x, ints(shape))

    def kernel(x, shape):
        out = np.empty(ints(shape), x.dtype)
        out[...] = x
        return out

    return kernel


BroadcastTo = define(
    "BroadcastTo(input: T, shape: host Tidx) -> (output: T)",
    infer=_infer_broadcast_to,
    kernel=_broadcast_kernel,
    grad=[lambda dy, shape_input: unbroadcast(dy, shape_input)],
)


def broadcast_to(input, shape, name=None):
    """`input` repeated along new and size-1 axes until it has `shape`."""
    return apply(BroadcastTo, (input, shape), None, name)


def _gradient_args(s0, s1):
    s0, s1 = ints(s0), ints(s1)
    n = max(len(s0), len(s1))
    a, b = (1,) * (n - len(s0)) + s0, (1,) * (n - len(s1)) + s1
    r0 = [i for i in range(n) if a[i] == 1 and (b[i] != 1 or i < n - len(s0))]
    r1 = [i for i in range(n) if b[i] == 1 and (a[i] != 1 or i < n - len(s1))]
    return np.array(r0, np.int32), np.array(r1, np.int32)


BroadcastGradientArgs = define(
    "BroadcastGradientArgs(s0: host T, s1: host T) -> (r0: int32, r1: int32)",
    infer=lambda s0, s1: [(None,), (None,)],
    kernel=lambda xp: _gradient_args,
)


def unbroadcast(dy, shape):
    """Sum `dy` over the axes that broadcasting a value of `shape` added."""
    if type(shape) is tuple and dy._shape == shape:
        return dy
    full = dy._shape_value()
    if type(shape) is tuple and type(full) is tuple:
        axes = tuple(_gradient_args(shape, full)[0].tolist())
    else:
        axes = apply(BroadcastGradientArgs, (shape, full))[0]
    total = apply(Sum, (dy, axes)) if type(axes) is not tuple or axes else dy
    return total if total._shape == shape else reshape(total, shape)


def _infer_transpose(x, perm):
    s = x._shape
    if perm is None or s is None:
        return None if perm is None else (None,) * len(perm)
    if sorted(ints(perm)) != list(range(len(s))):
        raise InferError(
            f"transpose expects a permutation of {len(s)} axes, got {text(ints(perm))}"
        )
    return tuple(s[p] for p in ints(perm))


Transpose = define(
    "Transpose(x: T, perm: host Tperm) -> (y: T)",
    infer=_infer_transpose,
    kernel=lambda xp: lambda x, perm: xp.transpose(x, ints(perm)),
    grad=[lambda dy, perm: transpose(dy, invert_permutation(perm))],
)

InvertPermutation = define(
    "InvertPermutation(x: host T) -> (y: int32)",
    infer=lambda x: (None if x is None else len(x),),
    kernel=lambda xp: lambda x: np.argsort(np.asarray(x)).astype(np.int32),
)


def invert_permutation(x, name=None):
    """The permutation that undoes `x` (int32[n])."""
    if isinstance(x, tuple | list | np.ndarray):
        return tuple(np.argsort(x).tolist())
    return apply(InvertPermutation, (x,), None, name)


def transpose(a, perm=None, name="transpose", conjugate=False):
    """`a` with its axes in the order `perm` (reversed if not given)."""
    a = convert_to_tensor(a)
    if perm is None:
        perm = tuple(reversed(range(len(a._shape))))
    return apply(Transpose, (a, perm), None, name)


def _concat_dim(dims):
    return None if None in dims else sum(dims)


def _infer_concat(values, axis):
    known = [v._shape for v in values if v._shape is not None]
    if not known or axis is None:
        return None if not known else (None,) * len(known[0])
    n, axis = len(known[0]), int(axis)
    if any(len(s) != n for s in known) or not -n <= axis < n:
        shapes = " vs. ".join(text(s) for s in known)
        raise InferError(
            f"ConcatOp : Dimensions of inputs should match: {shapes}, axis {axis}"
        )
    axis %= n
    out: tuple | None = None
    for s in known:
        other = s[:axis] + (None,) + s[axis + 1 :]
        out = other if out is None else _concat_merge(out, other, known, axis)
    joined = _concat_dim([s[axis] for s in known])
    joined = joined if len(known) == len(values) else None
    return out[:axis] + (joined,) + out[axis + 1 :]


def _concat_merge(a, b, known, axis):
    try:
        return merge(a, b)
    except InferError:
        shapes = [f"shape[{i}] = {text(s)}" for i, s in enumerate(known)]
        raise InferError(
            "ConcatOp : Dimensions of inputs should match: " + " vs. ".join(shapes),
            f"Dimension {axis} in both shapes must be equal: {' and '.join(shapes)}",
        ) from None


def _concat_grad(dy, values, axis):
    axis = int(axis)
    out, start = [], 0
    sizes = [v._shape[axis] for v in values]
    for size in sizes:
        out.append(slice_along(dy, axis, start, size))
        start += size
    return out


ConcatV2 = define(
    "ConcatV2(values: N*T, axis: host Tidx) -> (output: T)",
    infer=_infer_concat,
    kernel=lambda xp: lambda values, axis: xp.concatenate(values, int(axis)),
    grad=[_concat_grad],
)


def concat(values, axis, name="concat"):
    """Join `values` along `axis`."""
    if not isinstance(values, list | tuple):
        values = [values]
    if len(values) == 1:
        return identity(values[0], name)
    return apply(ConcatV2, (list(values), axis), None, name)


def slice_along(x, axis, start, size):
    """`size` entries of `x` along `axis` from `start`."""
    n = len(x._shape)
    begin, sizes = [0] * n, [-1] * n
    begin[axis], sizes[axis] = start, size
    return slice(x, tuple(begin), tuple(sizes))


def _infer_slice(x, begin, size):
    if size is None or x._shape is None:
        return None if size is None else (None,) * len(size)
    begin = (None,) * len(size) if begin is None else ints(begin)
    out = []
    for d, b, s in zip(x._shape, begin, ints(size), strict=True):
        whole = None if d is None or b is None else d - b
        out.append(whole if s == -1 else s)
        if d is not None and b is not None and s is not None and not _fits(d, b, s):
            raise InferError(f"Expected size[{len(out) - 1}] in [0, {d - b}], but got {s}")
    return tuple(out)


def _fits(d, b, s):
    return 0 <= b <= d and (s == -1 or 0 <= s <= d - b)


def _slice_kernel(x, begin, size):
    bounds = zip(ints(begin), ints(size), x.shape, strict=True)
    return x[tuple(_range(b, d if s == -1 else b + s) for b, s, d in bounds)]


def _range(start, stop):
    return np.s_[start:stop]


def _slice_grad(dy, shape_input, begin):
    return pad_to(dy, begin, shape_input)


Slice = define(
    "Slice(input: T, begin: host Index, size: host Index) -> (output: T)",
    infer=_infer_slice,
    kernel=lambda xp: _slice_kernel,
    grad=[_slice_grad],
)


def slice(input_, begin, size, name=None):
    """The block of `input_` that starts at `begin` and has `size` (-1: to the end)."""
    return apply(Slice, (input_, begin, size), None, name)


def _pad_to_kernel(xp):
    def kernel(x, begin, shape):
        pads = zip(ints(begin), ints(shape), x.shape, strict=True)
        return xp.pad(x, [(b, n - b - d) for b, n, d in pads])

    return kernel


PadTo = define(
    "TwinPadTo(input: T, begin: host int32, shape: host int32) -> (output: T)",
    infer=lambda x, begin, shape: None if shape is None else ints(shape),
    kernel=_pad_to_kernel,
    grad=[lambda dy, begin, shape_input: slice(dy, begin, shape_input)],
)


def pad_to(x, begin, shape):
    """Zeros of `shape` with `x` in them from `begin` on."""
    return apply(PadTo, (x, begin, shape))


def _infer_pack(values, axis):
    out = values[0]._shape
    for v in values[1:]:
        out = merge(out, v._shape)
    if out is None:
        return None
    axis %= len(out) + 1
    return out[:axis] + (len(values),) + out[axis:]


Pack = define(
    "Pack(values: N*T) -> (output: T); axis=0",
    infer=_infer_pack,
    kernel=lambda xp: lambda values, axis: xp.stack(values, axis),
    grad=[lambda dy, values, axis: unstack(dy, len(values), axis)],
)

Unpack = define(
    "Unpack(value: T) -> (output: N*T); num=0, axis=0",
    infer=lambda x, num, axis: [_without(x._shape, axis)] * num,
    kernel=lambda xp: lambda x, num, axis: list(xp.moveaxis(x, axis, 0)),
    grad=lambda dy, axis: (stack(dy, axis),),
)


def _without(s, axis):
    if s is None:
        return None
    axis %= len(s)
    return s[:axis] + s[axis + 1 :]


def stack(values, axis=0, name="stack"):
    """Join tensors of one shape along a new axis."""
    return apply(Pack, (list(values),), {"axis": axis}, name)


def unstack(value, num=None, axis=0, name="unstack"):
    """The list of slices of `value` along `axis`."""
    value = convert_to_tensor(value)
    num = value._shape[axis] if num is None else num
    if num is None:
        raise ValueError(f"Cannot infer num from shape {value.shape}")
    return apply(Unpack, (value,), {"num": num, "axis": axis}, name)


def _stack_nested(value, dtype):
    parts = [
        _stack_nested(v, dtype) if isinstance(v, list | tuple) else v for v in value
    ]
    return apply(Pack, (parts,), {"axis": 0}, "stack")


dispatch.Mode.stack = staticmethod(_stack_nested)

Cast = define(
    "Cast(x: SrcT) -> (y: DstT); DstT=float32",
    infer=lambda x, DstT: x._shape,
    kernel=lambda xp: lambda x, DstT: xp.asarray(x).astype(DstT.np),
    grad=[lambda dy, dtype_x: cast(dy, dtype_x) if _slopes(dtype_x) else None],
)


def _slopes(dtype):
    return dtype.is_inexact


def cast(x, dtype, name="Cast"):
    """`x` converted to `dtype` (floats to ints by cutting off)."""
    dtype = dtypes.as_dtype(dtype).base_dtype
    x = convert_to_tensor(x)
    if x.dtype is dtype:
        return x
    return apply(Cast, (x,), {"DstT": dtype}, name)


def _fill_kernel(xp):
    return lambda dims, value: xp.full(ints(dims), value, value.dtype)


Fill = define(
    "Fill(dims: host index_type, value: T) -> (output: T)",
    infer=lambda dims, value: None if dims is None else ints(dims),
    kernel=_fill_kernel,
    grad=[lambda dy: apply(Sum, (dy, tuple(range(len(dy._shape)))))],
)


def fill(dims, value, name="Fill"):
    """A tensor of shape `dims` with `value` everywhere."""
    return apply(Fill, (dims, value), None, name)


def zeros(shape, dtype=dtypes.float32, name="zeros"):
    """Zeros of `shape`."""
    return _filled(shape, 0, dtype, name)


def ones(shape, dtype=dtypes.float32, name="ones"):
    """Ones of `shape`."""
    return _filled(shape, 1, dtype, name)


def _filled(shape, value, dtype, name):
    dtype = dtypes.as_dtype(dtype).base_dtype
    if is_tensor_like(shape) or _has_tensor(shape):
        return fill(shape, constant(value, dtype), name)
    dims = TensorShape(shape).as_list()
    array = np.full(dims, value, dtype.np)
    return dispatch.current_mode().make_constant(array, dtype, name)


def zeros_like(tensor, dtype=None, name="zeros_like", optimize=True):
    """Zeros of the shape (and dtype) of `tensor`."""
    t = convert_to_tensor(tensor)
    return _filled(t._shape_value(), 0, dtype or t.dtype, name)


def ones_like(tensor, dtype=None, name="ones_like", optimize=True):
    """Ones of the shape (and dtype) of `tensor`."""
    t = convert_to_tensor(tensor)
    return _filled(t._shape_value(), 1, dtype or t.dtype, name)


def _sum_kernel(xp):
    if xp is not np:
        return lambda x, axes, keep_dims: xp.sum(
            x, ints(axes), dtype=x.dtype, keepdims=keep_dims
        )
    reduce = np.add.reduce
    return lambda x, axes, keep_dims: reduce(x, ints(axes), x.dtype, None, keep_dims)


def _infer_sum(x, axes, keep_dims=False):
    from_reduced = reduced(x, axes, keep_dims)
    return from_reduced


from twinflow.ops.infer import reduced  # noqa: E402
from twinflow.base.op import NUMBER  # noqa: E402

Sum = define(
    "Sum(input: T, reduction_indices: host Tidx) -> (output: T); keep_dims=False",
    infer=reduced,
    kernel=_sum_kernel,
    types=NUMBER,
    grad=[
        lambda dy, shape_input, reduction_indices: spread(
            dy, shape_input, reduction_indices
        )
    ],
)


def spread(dy, shape, axes):
    """Undo a reduction: repeat `dy` over `axes` until it has `shape`."""
    if dy._shape == ():
        return broadcast_to(dy, shape)
    if type(shape) is tuple and not is_tensor_like(axes):
        gone = {a % len(shape) for a in ints(axes)}
        kept = tuple(1 if i in gone else d for i, d in enumerate(shape))
    else:
        kept = apply(ReducedShape, (shape, axes))
    return broadcast_to(reshape(dy, kept), shape)


def _reduced_shape(shape, axes):
    shape = ints(shape)
    gone = {a % len(shape) for a in ints(axes)}
    return np.array([1 if i in gone else d for i, d in enumerate(shape)], np.int32)


ReducedShape = define(
    "TwinReducedShape(shape: host T, axes: host Tidx) -> (output: int32)",
    infer=lambda shape, axes: (None if shape is None else len(shape),),
    kernel=lambda xp: _reduced_shape,
)
