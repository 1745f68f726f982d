"""Ops that pass a value on: as it is, checked, as a copy, or with its bits reread."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, shapes
from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import NUMBER, InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import Shaped, ints, merge, sizes, text, unchanged

_BITS = (
    dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int64,
    dtypes.int32, dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64,
    dtypes.int8, dtypes.int16, dtypes.complex64, dtypes.complex128, dtypes.qint8,
    dtypes.quint8, dtypes.qint16, dtypes.quint16, dtypes.qint32,
)  # fmt: skip


def _pass(dy):
    return dy


def _define_pass(line, **facts):
    """An op whose kernel gives its input."""
    return define(line, infer=unchanged, kernel=lambda xp: lambda input: input, **facts)


GuaranteeConst = _define_pass("GuaranteeConst")
Snapshot = _define_pass("Snapshot", grad=[_pass])
DeepCopy = define(
    "DeepCopy", infer=unchanged, kernel=lambda xp: lambda x: xp.array(x), stateful=True
)
DebugGradientIdentity = _define_pass("DebugGradientIdentity", grad=[_pass])
DebugGradientRefIdentity = _define_pass(  # of the value: not the reference itself
    "DebugGradientRefIdentity(input: T) -> (output: T)", grad=[_pass]
)


def guarantee_const(input: TensorValue, name: str | None = None) -> Any:
    """`input`, of which the program promises that it never changes.

    Args:
        input: a tensor or variable. name: the name of the node in a graph.
    """
    return apply(GuaranteeConst, (input,), None, name)


# ------------------------------------------------------------------ identity_n
def _pass_all(dy):
    return (list(dy),)


def _infer_all(input):
    if not input:
        raise InferError(
            "Length for attr 'T' of 0 must be at least minimum 1",
            "List argument 'input' to 'IdentityN' Op with length 0 shorter than "
            "minimum length 1.",
        )
    return [x._shape for x in input]


IdentityN = define(
    "IdentityN", infer=_infer_all, kernel=lambda xp: list, grad=_pass_all, none_ok=True
)


def identity_n(input: TensorValue, name: str | None = None) -> Any:
    """New tensors with the values of several tensors, as one op.

    Args:
        input: a list of tensors, which may differ in dtype.
        name: the name of the node in a graph.
    Returns:
        A list of tensors.
    Example:
        tf.identity_n([1, 2.5])  # [1, 2.5]
    """
    return apply(IdentityN, (list(input),), None, name)


# ------------------------------------------------------------------ prevent_gradient
def _refuse(message):
    raise LookupError(f"Gradient explicitly disabled. Reason: {message!r}")


PreventGradient = define(
    "PreventGradient",
    infer=unchanged,
    kernel=lambda xp: lambda input, message: input,
    grad=[lambda message: _refuse(message)],
)


def prevent_gradient(input, message="", name=None):
    """`input`; asking for a gradient through it is an error.

    Args:
        input: a tensor. message: the reason, for the error. name: for a graph.
    Raises:
        LookupError: its gradient is asked for.
    """
    return apply(PreventGradient, (input,), {"message": message}, name)


# ------------------------------------------------------------------ ensure_shape
def _infer_ensured(input, shape):
    if input._shape is None or shape is None:
        return shape if input._shape is None else input._shape
    message = (
        f"Shape of tensor {getattr(input, 'name', None) or 'input'} "
        f"{text(input._shape)} is not compatible with expected shape {text(shape)}."
    )
    return merge(shape, input._shape, message)


def _check_ensured(input, shape):
    """What is wrong with the shape once the value is there, or None."""
    try:
        _infer_ensured(Shaped(np.shape(input)), shape)
    except InferError as error:
        return str(error)
    return None


EnsureShape = define(
    "EnsureShape",
    infer=_infer_ensured,
    kernel=lambda xp: lambda input, shape: input,
    grad=[_pass],
    guard=lambda xp: lambda input, shape: xp.asarray(not _check_ensured(input, shape)),
    check=_check_ensured,
)


def ensure_shape(x: TensorValue, shape: ShapeValue, name: str | None = None) -> Tensor:
    """`x`, whose shape is checked when it is there, and known from here on.

    Args:
        x: a tensor. shape: a TensorShape or what makes one; None is unknown.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (when it runs) or ValueError (when a graph knows better):
            the shape is another.
    Example:
        tf.ensure_shape(tf.ones([2, 3]), [None, 3]).shape  # (2, 3)
    """
    wanted = shapes.as_shape(shape).tuple
    return apply(EnsureShape, (x,), {"shape": wanted}, name)


# ------------------------------------------------------------------ bitcast
def _infer_bitcast(input, type):
    s, old, new = input._shape, input.dtype.base_dtype.size, type.size
    if s is None or old == new:
        return s
    if old > new:
        return (*s, old // new)
    if not s or s[-1] not in (None, new // old):
        kind = dtypes.cpp_name(input.dtype.base_dtype)
        raise InferError(
            f"Cannot bitcast from {kind} to {dtypes.cpp_name(type)}: shape {text(s)}",
            f"Cannot bitcast due to shape. {s[-1] if s else 0} does not match "
            f"{new // old}",
        )
    return s[:-1]


def _bitcast_kernel(input, type):
    x = np.ascontiguousarray(input).reshape(np.shape(input))
    old, new = x.dtype.itemsize, type.np.itemsize
    if old == new:
        return x.view(type.np)
    if old > new:
        flat = x.reshape(-1).view(type.np)
        return flat.reshape(*x.shape, old // new)
    return x.reshape(-1).view(type.np).reshape(x.shape[:-1])


def _to_bytes(jax, x):
    """uint8[..., itemsize]"""
    bits = jax.lax.bitcast_convert_type
    if x.dtype.kind == "c":
        x = jax.numpy.stack([x.real, x.imag], -1)
        return bits(x, np.uint8).reshape(*x.shape[:-1], -1)
    return bits(x, np.uint8).reshape(*x.shape, -1)


def _of_bytes(jax, x, dtype):
    bits = jax.lax.bitcast_convert_type
    if dtype.kind == "c":
        parts = x.reshape(*x.shape[:-1], 2, -1)
        parts = bits(parts, np.dtype(f"f{dtype.itemsize // 2}"))
        return jax.lax.complex(parts[..., 0], parts[..., 1])
    return bits(x[..., 0] if dtype.itemsize == 1 else x, dtype)


@bind_first
def _bitcast_in_xla(jax, input, type):
    x, new = jax.numpy.asarray(input), np.dtype(type.np)
    old = x.dtype.itemsize
    if old == new.itemsize and "c" not in (x.dtype.kind, new.kind):
        return jax.lax.bitcast_convert_type(x, new)
    shape = x.shape[:-1] if old < new.itemsize else x.shape
    if old > new.itemsize:
        shape = (*shape, old // new.itemsize)
    if 0 in shape:
        return jax.numpy.zeros(shape, new)
    return _of_bytes(jax, _to_bytes(jax, x).reshape(*shape, new.itemsize), new)


Bitcast = define(
    "Bitcast",
    infer=_infer_bitcast,
    kernel=lambda xp: _bitcast_kernel,
    lower=_bitcast_in_xla,
    types={"T": _BITS, "type": _BITS},
)


def bitcast(input: TensorValue, type: Any, name: str | None = None) -> Tensor:
    """The bits of `input` read as another dtype.

    Args:
        input: a numeric tensor. type: the DType to read them as.
        name: the name of the node in a graph.
    Returns:
        A tensor of dtype `type`: of the shape of `input` where elements are equally
        large, with one more axis where they get smaller, without the last axis where
        they get larger.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the last axis does not fit.
    Example:
        tf.bitcast([1.], tf.int32)  # [1065353216]
    """
    kind = dtypes.as_dtype(type).base_dtype
    return apply(Bitcast, (input,), {"type": kind}, name)


# ------------------------------------------------------------------ in place
def _inplace_kernel(method):
    def bound(xp):
        def numpy_kernel(x, i, v):
            out = np.array(x)
            rows = [row % len(out) for row in ints(i)]
            if method == "set":
                out[rows] = v
            else:
                getattr(np, _UFUNC[method]).at(out, rows, v)
            return out

        def kernel(x, i, v):
            v = -v if method == "subtract" else v
            place = xp.asarray([row % len(x) for row in ints(i)], np.int32)
            return getattr(x.at[place], "set" if method == "set" else "add")(v)

        return numpy_kernel if xp is np else kernel

    return bound


_UFUNC = {"add": "add", "subtract": "subtract"}


def _infer_inplace(x, i, v):
    if i is not None and np.ndim(i) != 1:
        shape = text(np.shape(i))
        raise InferError(f"i must be a vector. {shape}", later=True)
    problem = _misfit(x._shape, v._shape, None if i is None else len(ints(i)))
    if problem:
        raise InferError(problem, later=True)
    if i is not None and x._shape and x._shape[0] == 0 and len(ints(i)):
        raise InferError(f"x has no rows to change: {text(x._shape)}", later=True)
    return x._shape


def _misfit(x, v, count):
    """What is wrong with rows `v` for `count` places of `x`, as far as it is known."""
    if x is None or v is None or None in (*x, *v):
        return None
    pair = f"{text(x)} vs. {text(v)}"
    if len(x) != len(v):
        return f"x and v shape doesn't match (ranks differ): {pair}"
    for axis in range(1, len(x)):
        if x[axis] != v[axis]:
            return f"x and v shape doesn't match at index {axis} : {pair}"
    if count not in (None, v[0]):
        return f"i and x shape doesn't match at index 0: [{count}] vs. {text(v)}"
    return None


def _define_inplace(kind, method):
    return define(
        kind,
        on_host="i",
        infer=_infer_inplace,
        kernel=_inplace_kernel(method),
        types=None if method == "set" else NUMBER,
    )


InplaceUpdate = _define_inplace("InplaceUpdate", "set")
InplaceAdd = _define_inplace("InplaceAdd", "add")
InplaceSub = _define_inplace("InplaceSub", "subtract")

Empty = define(
    "Empty",
    on_host="shape",
    infer=lambda shape, dtype, init: sizes(shape),
    kernel=lambda xp: lambda shape, dtype, init: _empty(xp, ints(shape), dtype),
    stateful=True,
)


def _empty(xp, shape, dtype):
    if dtype is dtypes.string:
        return np.full(shape, b"", object)
    return xp.zeros(shape, dtype.np)
