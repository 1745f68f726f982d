"""The axes of a tensor in another order, and permutations."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import Range
from twinflow.ops.core.infer import ints, ranked, static_value
from twinflow.ops.core.joining import ConcatV2
from twinflow.ops.core.shape import rank


def _infer_transpose(x, perm):
    s = x._shape
    if perm is None:
        return None if s is None else (None,) * len(s)
    p = ints(perm)
    n = len(p) if s is None else len(s)
    if len(p) != n:
        raise InferError(
            f"transpose expects a vector of size {n}. But input(1) is a vector of size "
            f"{len(p)}",
            f"Dimension must be {n} but is {len(p)}",
        )
    if s is None or None in p:
        return (None,) * n
    for axis in p:
        if not 0 <= axis < n:
            raise InferError(
                f"{axis} is out of range [0 .. {n})",
                f"perm dim {axis} is out of range of input rank {n}",
                later=axis < 0,
            )
    missing = next((i for i in range(n) if i not in p), None)
    if missing is not None:
        shown = ",".join(map(str, p))
        raise InferError(f"{missing} is missing from {{{shown}}}.", later=True)
    return tuple(s[axis] for axis in p)


Transpose: Op = define(
    "Transpose",
    on_host="perm",
    infer=_infer_transpose,
    kernel=lambda xp: lambda x, perm: xp.transpose(x, ints(perm)),
    grad=[lambda dy, perm: apply(Transpose, (dy, inverse(perm)))],
    grad_names="transpose",
)


ConjugateTranspose = define(
    "ConjugateTranspose",
    on_host="perm",
    infer=_infer_transpose,
    kernel=lambda xp: lambda x, perm: _conj_of(xp, xp.transpose(x, ints(perm))),
    grad=[lambda dy, perm: _transposed(dy, inverse(perm), True)],
)


def _conj_of(xp, x):
    return xp.conj(x) if x.dtype.kind == "c" else x


def _transposed(a, perm, conjugate, name=None):
    conjugate = conjugate and a.dtype.is_complex
    return apply(ConjugateTranspose if conjugate else Transpose, (a, perm), None, name)


def inverse(perm):
    """The permutation that undoes `perm`, as a tuple where it is known."""
    known = static_value(perm)
    if known is None:
        return invert_permutation(perm)
    return tuple(np.argsort(ints(known)).tolist())


def transpose(
    a: TensorValue, perm: Any = None, name: str | None = "transpose",
    conjugate: bool = False,
) -> Tensor:  # fmt: skip
    """`a` with its axes in another order.

    Args:
        a: a tensor of any dtype and shape.
        perm: the old axis for each new one; by default the axes are reversed.
        name: the name of the node in a graph.
        conjugate: take the complex conjugate too.
    Returns:
        A tensor with `result.shape[i] == a.shape[perm[i]]`.
    Example:
        tf.transpose([[1, 2, 3]])  # [[1], [2], [3]]
    """
    a = convert_to_tensor(a, name="a")
    if perm is None:
        dispatch.current_mode().leave_ids(6)
        perm = _reversed_axes(a)
    return _transposed(a, perm, conjugate, name)


def _reversed_axes(a):
    if a._shape is not None:
        return tuple(range(len(a._shape)))[::-1]
    last = rank(a) - 1
    return apply(Range, (last, -1, -1), {"Tidx": dtypes.int32})


def matrix_transpose(
    a: TensorValue, name: str | None = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """`a` with its last two axes swapped.

    Args:
        a: a tensor[..., rows, columns].
        name: the name of the scope in a graph. conjugate: see tf.transpose.
    Raises:
        ValueError: `a` has fewer than two axes.
    """
    a = convert_to_tensor(a, name="a")
    n = None if a._shape is None else len(a._shape)
    if n is not None and n < 2:
        raise ValueError(
            "Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: "
            f"{a.shape}"
        )
    with dispatch.current_mode().name_scope(name):
        perm = _swapped(a) if n is None else (*range(n - 2), n - 1, n - 2)
        return transpose(a, perm, conjugate=conjugate)


def _swapped(a):
    n = rank(a)
    lead = apply(Range, (0, n - 2, 1), {"Tidx": dtypes.int32})
    return apply(ConcatV2, ([lead, [n - 1, n - 2]], 0))


def _infer_inverse(x):
    ranked(x._shape, 1, "invert_permutation expects a 1D vector.")
    return x._shape


def _check_permutation(x):
    seen = set()
    for i in np.asarray(x).tolist():
        if not 0 <= i < len(x):
            return f"{i} is not between 0 and {len(x)}"
        if i in seen:
            return f"{i} is duplicated in the input."
        seen.add(i)
    return None


InvertPermutation = define(
    "InvertPermutation",
    infer=_infer_inverse,
    kernel=lambda xp: lambda x: xp.argsort(x).astype(x.dtype),
    guard=lambda xp: lambda x: xp.all(xp.sort(x) == xp.arange(x.shape[0])),
    check=_check_permutation,
)


def invert_permutation(x: TensorValue, name: str | None = None) -> Tensor:
    """The permutation that undoes `x`: y[x[i]] = i.

    Args:
        x: int32[n] or int64[n] with each of 0 .. n - 1 once. name: for a graph.
    Raises:
        InvalidArgumentError: a number is missing or there twice.
    Example:
        tf.invert_permutation([2, 0, 1])  # [1, 2, 0]
    """
    return apply(InvertPermutation, (x,), None, name)
