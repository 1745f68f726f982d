"""Sums of products over named or numbered axes: einsum and tensordot."""

import math
import re
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.division import floormod
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.index import gather
from twinflow.ops.core.infer import ints, length
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import expand_dims, rank, reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.transposing import transpose


# ------------------------------------------------------------------ sizes
def _sizes(t):
    """The sizes of the axes: ints where they are known, else scalar tensors."""
    s = t._shape
    if None not in s:
        return list(s)
    asked = shape_of(t)
    return [asked[i] if d is None else d for i, d in enumerate(s)]


def _total(sizes):
    known = math.prod(d for d in sizes if type(d) is int)
    for d in sizes:
        if type(d) is not int:
            known = multiply(d, known)
    return known


def _shaped(t, sizes):
    """`t` with these sizes, of which one may be left to reshape."""
    unknown = sum(type(d) is not int for d in sizes)
    if not unknown and t._shape == tuple(sizes):
        return t
    if unknown == 1 and 0 not in sizes:
        sizes = [d if type(d) is int else -1 for d in sizes]
    return reshape(t, stack(sizes) if any(map(is_tensor_like, sizes)) else sizes)


def _turned(t, perm):
    perm = list(perm)
    return t if perm == list(range(len(perm))) else transpose(t, perm)


# ------------------------------------------------------------------ einsum
_EQUATION = re.compile("([a-zA-Z,]+)(->[a-zA-Z]*)?$")


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """The sum of products that an equation of axis labels names.

    Labels that are not in the output are summed over. Without `->` the output has the
    labels that appear once, in alphabetical order.

    Args:
        equation: such as "ij,jk->ik". Ellipses, and labels that appear twice in one
            input, are not supported.
        *inputs: numeric tensors of one dtype, with as many axes as they have labels.
        name: (keyword) the name of the scope in a graph.
    Returns:
        a tensor with one axis for each label of the output
    Raises:
        ValueError: the equation is wrong, or does not fit the inputs.
        TypeError: another keyword.
    Example:
        tf.einsum("ij,j->i", tf.ones([2, 3]), tf.ones([3]))  # [3., 3.]
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(
            "invalid keyword arguments for this function: " + ", ".join(sorted(kwargs))
        )
    equation = equation.replace(" ", "")
    labels, out = _read(equation, len(inputs))
    with dispatch.current_mode().name_scope(name or "einsum"):
        tensors = [convert_to_tensor(t) for t in inputs]
        _check_ranks(tensors, labels)
        if any(_is_shared(a, labels) and a not in out for a in set("".join(labels))):
            return _all_at_once(tensors, labels, out)
        return _one_by_one(tensors, labels, out, equation)


def _read(equation, count):
    """The labels of the inputs and those of the output."""
    if "..." in equation:
        raise ValueError("Subscripts with ellipses are not yet supported.")
    found = _EQUATION.match(equation)
    if not found:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = found[1].split(",")
    if len(labels) != count:
        raise ValueError(
            f'Got {count} arguments for equation "{equation}", expecting {len(labels)}'
        )
    whole = "".join(labels)
    once = "".join(sorted(a for a in set(whole) if whole.count(a) == 1))
    out = once if found[2] is None else found[2][2:]
    twice = any(len(set(part)) < len(part) for part in [*labels, out])
    if twice or not set(out) <= set(whole):
        raise ValueError(f"Invalid equation: {equation}")
    return labels, out


def _check_ranks(tensors, labels):
    for i, (t, part) in enumerate(zip(tensors, labels, strict=True)):
        if t._shape is None:
            raise ValueError(f"Input {i} of einsum has an unknown number of axes.")
        if len(t._shape) != len(part):
            raise ValueError(
                f"Tensor t{i} of rank {len(t._shape)} does not match einsum reduction "
                f"of length {len(part)}"
            )
    sizes: dict = {}
    for t, part in zip(tensors, labels, strict=True):
        for a, d in zip(part, t._shape, strict=True):
            known = sizes.setdefault(a, d) if d is not None else None
            if known not in (d, None) and 1 not in (known, d):
                raise advised(
                    ValueError,
                    f"Dimension mismatch on axis: {a} has the sizes {known} and {d}.",
                )


def _is_shared(label, labels):
    """Whether more than two inputs have the label."""
    return sum(label in part for part in labels) > 2


def _all_at_once(tensors, labels, out):
    """The product of all inputs, spread over all labels, then summed."""
    order = sorted(set("".join(labels)) - set(out)) + list(out)
    total = None
    for t, part in zip(tensors, labels, strict=True):
        t = _turned(t, sorted(range(len(part)), key=lambda i: order.index(part[i])))
        for place, a in enumerate(order):
            t = t if a in part else expand_dims(t, place)
        total = t if total is None else multiply(total, t)
    return reduce_sum(total, list(range(len(order) - len(out))))


def _one_by_one(tensors, labels, out, equation):
    total, have = tensors[0], labels[0]
    for t, part in zip(tensors[1:], labels[1:], strict=True):
        summed = (set(have) & set(part)) - set(out)
        total, have = _pair(total, have, t, part, summed)
    gone = [i for i, a in enumerate(have) if a not in out]
    if gone:
        total, have = reduce_sum(total, gone), [a for a in have if a in out]
    return _turned(total, [list(have).index(a) for a in out])


def _pair(t0, labels0, t1, labels1, summed):
    """The product of two inputs, summed over `summed`, and its labels."""
    both = sorted(set(labels0) & set(labels1) - summed)
    own0 = sorted(set(labels0) - set(labels1))
    own1 = sorted(set(labels1) - set(labels0))
    middle = sorted(summed)
    t0 = _turned(t0, [labels0.index(a) for a in (*both, *own0, *middle)])
    t1 = _turned(t1, [labels1.index(a) for a in (*both, *middle, *own1)])
    labels = [*both, *own0, *own1]
    if not summed:
        for _ in own1:
            t0 = expand_dims(t0, -1)
        for _ in own0:
            t1 = expand_dims(t1, len(both))
        return multiply(t0, t1), "".join(labels)
    s0, s1 = _sizes(t0), _sizes(t1)
    n = len(both)
    m = n + len(own0)
    k = n + len(middle)
    a = _shaped(t0, [*s0[:n], _total(s0[n:m]), _total(s0[m:])])
    b = _shaped(t1, [*s1[:n], _total(s1[n:k]), _total(s1[k:])])
    return _shaped(matmul(a, b), [*s0[:m], *s1[k:]]), "".join(labels)


# ------------------------------------------------------------------ tensordot
def _other_axes(axes, rank):
    n = ints(rank)[0]
    taken = {a % n for a in ints(axes)}
    return np.array([i for i in range(n) if i not in taken], np.int32)


def _export_other_axes(parts):
    axes, rank = parts.inputs
    every = parts.add(
        "range", "Range", parts.const("start", 0), rank, parts.const("delta", 1)
    )
    axes = parts.add("mod", "FloorMod", axes, rank, T=dtypes.int32)
    parts.add("", "ListDiff", every, axes, T=dtypes.int32)


OtherAxes = define(
    "TwinOtherAxes(axes: host int32, rank: host int32) -> (output: int32)",
    infer=lambda axes, rank: (
        (None,) if None in (length(axes), rank) else (ints(rank)[0] - length(axes),)
    ),
    kernel=lambda xp: _other_axes,
    export=_export_other_axes,
)


def tensordot(
    a: TensorValue, b: TensorValue, axes: Any, name: str | None = None
) -> Tensor:
    """The sum of products over axes of a and axes of b.

    Args:
        a, b: numeric tensors of one dtype.
        axes: an int n, for the last n axes of a and the first n of b; or two lists of
            axes, those of a and those of b, pair by pair; or an int32[2, n] tensor.
        name: the name of the last node in a graph.
    Returns:
        a tensor with the other axes of a and then those of b
    Raises:
        ValueError: the axes do not fit.
        InvalidArgumentError (eager) or ValueError (graph): the sizes do not fit.
    Example:
        tf.tensordot([[1., 2.]], [[3.], [4.]], 1)  # [[11.]]
    """
    mode = dispatch.current_mode()
    with mode.name_scope(name or "Tensordot") as scope:
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        return _summed(mode, a, b, axes, scope)


def _summed(mode, a, b, axes, scope):
    """`tensordot` of tensors; of what TensorFlow counts see Note [Ids]."""
    known = None not in (a._shape or (None,)) and None not in (b._shape or (None,))
    with mode.counted(11 if known else 25):
        axes_a, axes_b = _axes_of_both(a, axes)
        first, free_a = _as_matrix(a, axes_a, last=True)
        second, free_b = _as_matrix(b, axes_b, last=False)
        product = matmul(first, second)
        if isinstance(free_a, list) and isinstance(free_b, list):
            sizes = [*free_a, *free_b]
            if any(map(is_tensor_like, sizes)):
                sizes = stack(sizes)
            return reshape(product, sizes, scope)
        free = [f if is_tensor_like(f) else constant(f, dtypes.int32)
                for f in (free_a, free_b)]  # fmt: skip
        return reshape(product, concat(free, 0), scope)


def _axes_of_both(a, axes):
    """The axes of a and those of b: lists of ints, or tensors."""
    if isinstance(axes, int | np.integer):
        return _last_and_first(a, int(axes))
    if not isinstance(axes, list | tuple):
        axes = convert_to_tensor(axes, dtypes.int32, name="axes")
        return axes[0], axes[1]
    if len(axes) != 2:
        raise ValueError("'axes' must be an integer or have length 2.")
    first, second = axes
    if isinstance(first, int) and isinstance(second, int):
        first, second = [first], [second]
    if len(first) != len(second):
        raise ValueError(
            "Different number of contraction axes 'a' and 'b', "
            f"{len(first)} != {len(second)}."
        )
    return first, second


def _last_and_first(a, n):
    if n < 0:
        raise ValueError("'axes' must be at least 0.")
    if a._shape is None:
        last = [add(rank(a), i - n) for i in range(n)]
        return stack(last) if n else [], list(range(n))
    ndim = len(a._shape)
    if n > ndim:
        raise ValueError(
            "'axes' must not be larger than the number of dimensions of tensor "
            f"{a}, got {n}."
        )
    return list(range(ndim - n, ndim)), list(range(n))


def _as_matrix(t, axes, last):
    """`t` as a matrix with `axes` as its last or first one; the sizes of the others."""
    if t._shape is None or is_tensor_like(axes):
        return _as_matrix_later(t, axes, last)
    sizes = _sizes(t)
    ndim = len(sizes)
    for i in axes:
        if not -ndim <= i < ndim:
            raise np.exceptions.AxisError(  # a ValueError, and an IndexError as in 1.12
                f"axis {i} is out of range for a tensor of rank {ndim}"
            )
    axes = [i % ndim for i in axes]
    free = [i for i in range(ndim) if i not in axes]
    outer, inner = [sizes[i] for i in free], [sizes[i] for i in axes]
    perm = [*free, *axes] if last else [*axes, *free]
    totals = [_total(outer), _total(inner)]
    return _shaped(_turned(t, perm), totals if last else totals[::-1]), outer


def _as_matrix_later(t, axes, last):
    """The same where rank or axes are known only when it runs."""
    sizes, ndim = shape_of(t), rank(t)
    axes = convert_to_tensor(axes, dtypes.int32)
    free = apply(OtherAxes, (axes, ndim))
    axes = floormod(axes, ndim)
    outer, inner = gather(sizes, free), gather(sizes, axes)
    perm = concat([free, axes] if last else [axes, free], 0)
    totals = [reduce_prod(outer), reduce_prod(inner)]
    return reshape(transpose(t, perm), stack(totals if last else totals[::-1])), outer
