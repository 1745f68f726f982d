"""Padding at the borders: with a value, or with what lies inside, mirrored."""

import builtins

import numpy as np

from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays import borders
from twinflow.ops.core.infer import (
    dim_is,
    one_of,
    ranked,
    rows,
    static_value,
    text,
)
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.slicing import slice


def _padded(input, paddings, constant_values=None, **_):
    _check_matrix(paddings)
    if constant_values is not None:
        message = "constant_values must be a scalar. Found: {}"
        ranked(constant_values._shape, 0, message, later=True)
    s, pads = input._shape, rows(paddings)
    if pads is None:
        return None if s is None else (None,) * len(s)
    s = _one_pair_each(s, pads)
    for low, high in pads:
        if low < 0 or high < 0:
            raise InferError(
                f"Paddings must be non-negative: {low} {high}",
                "Paddings must be non-negative",
            )
    return tuple(None if d is None else d + p + q for d, (p, q) in zip(s, pads))


def _one_pair_each(s, pads):
    start = "The first dimension of paddings must be the rank of inputs"
    return ranked(s, len(pads), f"{start}{text((len(pads), 2))} {{}}")


def _check_matrix(paddings):
    """InferError unless the paddings are unknown or pairs, maybe none."""
    if paddings is None or (type(paddings) is tuple and None in paddings):
        return
    shape = np.shape(paddings)
    message = f"paddings must be a matrix with 2 columns: {text(shape)}"
    dim_is(ranked(shape, 2, message)[1], 2, message)


def _inside(x, pads):
    """The place of `x` in its padded form."""
    return tuple(np.s_[p : p + d] for d, (p, _) in zip(x.shape, pads))


def _one_each(pads, x):
    if len(pads) != x.ndim:
        raise ValueError("not one pair of paddings for each axis")  # see infer
    return pads


def _pad_kernel(xp):
    def numpy_kernel(input, paddings, constant_values=0):
        pads = _one_each(rows(paddings), input)
        out = borders.padded(input, pads, constant_values)
        if out is not None:
            return out
        shape = [d + p + q for d, (p, q) in zip(input.shape, pads)]
        if input.dtype == object and np.ndim(constant_values) == 0:
            constant_values = np.asarray(constant_values)[()] or b""  # strings
        out = np.full(shape, constant_values, input.dtype)
        out[_inside(input, pads)] = input
        return out

    def kernel(input, paddings, constant_values=0):
        pads = _one_each(rows(paddings), input)
        if not pads:  # a scalar
            return input
        return xp.pad(input, pads, constant_values=constant_values)

    return numpy_kernel if xp is np else kernel


def _pad_grad(dy, shape_input, paddings):
    known = rows(static_value(paddings))
    if known is None:
        begin = reshape(slice(paddings, [0, 0], [-1, 1]), [-1])
    else:
        begin = tuple(p for p, _ in known)
    return slice(dy, begin, shape_input)


Pad, PadV2 = (
    define(
        kind,
        on_host="paddings",
        infer=_padded,
        kernel=_pad_kernel,
        grad=[_pad_grad],
        grad_names="Slice_1",
    )
    for kind in ("Pad", "PadV2")
)


_MODES = ("REFLECT", "SYMMETRIC")


def _infer_mirror(input, paddings, mode):
    one_of("MirrorPad", "mode", mode, _MODES)
    try:
        out, pads = _padded(input, paddings), rows(paddings)
    except InferError as error:
        message = str(error).replace("Paddings must", "paddings must")
        raise InferError(message, error.graph_message) from None
    if pads is None or input._shape is None:
        return out
    less = mode == "REFLECT"
    for d, (p, q) in zip(input._shape, pads):
        if d is not None and max(p, q) > d - less:
            rule = (
                ("less than", "not less than")
                if less
                else ("no greater than", "greater than")
            )
            sizes = f"{p}, {q} {rule[1]} {d}"
            raise InferError(
                f"paddings must be {rule[0]} the dimension size: {sizes}", later=True
            )
    return out


@bind_first
def _mirror_kernel(xp, input, paddings, mode):
    pads = _one_each(rows(paddings), input)
    less = mode == "REFLECT"
    if any(max(p) > d - less for p, d in zip(pads, input.shape)):
        raise ValueError("paddings larger than what they mirror")  # see infer
    if xp is np:
        out = borders.padded(input, pads, mode=mode.lower())
        if out is not None:
            return out
    return xp.pad(input, pads, mode.lower())


MirrorPad = define(
    "MirrorPad",
    on_host="paddings",
    infer=_infer_mirror,
    kernel=_mirror_kernel,
    grad=[
        lambda dy, paddings, mode: apply(MirrorPadGrad, (dy, paddings), {"mode": mode})
    ],
)


def _infer_mirror_grad(input, paddings, mode):
    one_of("MirrorPadGrad", "mode", mode, _MODES)
    s, pads = input._shape, rows(paddings)
    if s is None or pads is None:
        return None if s is None else (None,) * len(s)
    _one_pair_each(s, pads)
    out = tuple(None if d is None else d - p - q for d, (p, q) in zip(s, pads))
    for d, (p, q) in zip(out, pads):
        if min(p, q) < 0:
            raise InferError(f"Paddings must be non-negative: {p}, {q}", later=True)
        if d is None:
            continue
        if d < 0:
            raise InferError(f"paddings must leave something of the input: {text(s)}")
        if max(p, q) > d - (mode == "REFLECT"):
            rule = "less than" if mode == "REFLECT" else "no greater than"
            raise InferError(
                f"paddings must be {rule} the output dimension size: {p}, {q} for {d}",
                later=True,
            )
    return out


@bind_first
def _mirror_grad_kernel(xp, input, paddings, mode):
    """Cut the borders off and add them, turned round, to what they mirror."""
    skip = int(mode == "REFLECT")  # the border itself is not mirrored
    x = input
    for axis, (p, q) in enumerate(rows(paddings)):
        d = x.shape[axis] - p - q
        before = (builtins.slice(None),) * axis
        left = xp.flip(x[(*before, np.s_[:p])], axis)
        right = xp.flip(x[(*before, np.s_[p + d :])], axis)
        rest = [(0, 0)] * (x.ndim - axis - 1)
        places = (skip, d - skip - p), (d - skip - q, skip)
        x = x[(*before, np.s_[p : p + d])]
        for part, place in zip((left, right), places):
            x = x + xp.pad(part, [(0, 0)] * axis + [place] + rest)
    return x


MirrorPadGrad: Op = define(
    "MirrorPadGrad",
    on_host="paddings",
    infer=_infer_mirror_grad,
    kernel=_mirror_grad_kernel,
    grad=[lambda dy, paddings, mode: apply(MirrorPad, (dy, paddings), {"mode": mode})],
)


def pad(
    tensor: TensorValue, paddings: TensorValue, mode: str = "CONSTANT",
    name: str | None = None, constant_values: TensorValue = 0,
) -> Tensor:  # fmt: skip
    """`tensor` with a border around it.

    Args:
        tensor: a tensor. paddings: int[rank, 2], how much before and after each axis.
        mode: "CONSTANT"; "REFLECT", which mirrors without the border itself and takes
            paddings smaller than the axis; or "SYMMETRIC", which mirrors with it.
        name: the name of the node in a graph.
        constant_values: the scalar of mode "CONSTANT".
    Raises:
        ValueError: another mode.
        InvalidArgumentError (eager) or ValueError (graph): the paddings do not fit.
    Example:
        tf.pad([1, 2, 3], [[1, 1]], "REFLECT")  # [2, 1, 2, 3, 2]
    """
    mode = mode.upper()
    if mode in ("REFLECT", "SYMMETRIC"):
        found = apply(MirrorPad, (tensor, paddings), {"mode": mode}, name)
    elif mode != "CONSTANT":
        raise ValueError(f"Unknown padding mode: {mode}")
    elif not is_tensor_like(constant_values) and constant_values == 0:
        found = apply(Pad, (tensor, paddings), None, name)
    else:
        found = apply(PadV2, (tensor, paddings, constant_values), None, name)
    return _with_known_axes(found) if found.symbolic else found


def _with_known_axes(found):
    """What was padded, with the sizes of those axes whose own paddings are known."""
    tensor, paddings = found.op.inputs[:2]
    s, made = tensor._shape, paddings.op
    if s is None and paddings._shape and paddings._shape[0] is not None:
        s = (None,) * paddings._shape[0]
        found.set_shape(s)
    if s is not None and made.type == "Pack" and len(made.inputs) == len(s):
        known = [t._known_value() for t in made.inputs]
        pairs = zip(s, [(None,) if p is None else p for p in known])
        found.set_shape([None if None in (d, *p) else d + sum(p) for d, p in pairs])
    return found
