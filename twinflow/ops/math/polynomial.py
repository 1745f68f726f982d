"""Polynomials, sums of many, and what is nearly equal."""

import functools
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.infer import merge, text


def polyval(coeffs: Any, x: TensorValue, name: str | None = None) -> Tensor:
    """The polynomial with these coefficients at x, by Horner's rule.

    coeffs[0] x^(n-1) + ... + coeffs[n-2] x + coeffs[n-1]

    Args:
        coeffs: a list of n tensors, which are broadcast against x.
        x: a numeric tensor. name: the name scope in a graph.
    Returns:
        A tensor; zeros where the list is empty.
    Example:
        tf.math.polyval([1., 2.], 3.)  # 5.0
    """
    with dispatch.current_mode().name_scope(name or "polyval"):
        x = convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return zeros_like(x)
        coeffs = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        return functools.reduce(lambda p, c: add(c, multiply(p, x)), coeffs)


# ------------------------------------------------------------------ sums
def _infer_accumulate(inputs, shape):
    return functools.reduce(merge, [x._shape for x in inputs])


AccumulateNV2 = define(
    "AccumulateNV2",
    infer=_infer_accumulate,
    kernel=lambda xp: lambda inputs, shape: functools.reduce(xp.add, inputs),
    grad=[lambda dy, num_inputs: [dy] * num_inputs],
)


def accumulate_n(
    inputs: TensorValue, shape: ShapeValue | None = None, tensor_dtype: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sum of several tensors of one shape and dtype; see tf.add_n.

    Args:
        inputs: a list of numeric tensors.
        shape, tensor_dtype: what they must have. name: the name of the node in a graph.
    Raises:
        ValueError: the list is empty, or the shapes or dtypes differ.
        TypeError: the dtype is not `tensor_dtype`.
    Example:
        tf.accumulate_n([[1, 2], [3, 4]])  # [4, 6]
    """
    if not inputs or not isinstance(inputs, list | tuple):
        raise _not_a_list(inputs)
    inputs = [convert_to_tensor(x) for x in inputs]
    first = inputs[0].dtype.base_dtype
    if any(x.dtype.base_dtype is not first for x in inputs):
        raise _not_a_list(inputs)
    whole = TensorShape(shape)
    for x in inputs:
        whole = whole.merge_with(x.shape)
    if tensor_dtype is not None and tensor_dtype != first:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {first}")
    if len(inputs) == 1:
        return identity(inputs[0], name) if name else inputs[0]
    if dispatch.current_mode().eager:
        return add_n(inputs, name)
    return apply(AccumulateNV2, (inputs,), {"shape": whole}, name)


def _not_a_list(inputs):
    return ValueError(
        "inputs must be a list of at least one Tensor with the same dtype and shape, "
        f"got {inputs!r}"
    )


# ------------------------------------------------------------------ nearly equal
def _infer_near(x, y, tolerance):
    return merge(
        x._shape,
        y._shape,
        f"x and y must be of the same shape. x shape: {text(x._shape)}. y shape: "
        f"{text(y._shape)}",
    )


def _near_kernel(x, y, tolerance):
    distance = abs(x - y)
    kind = distance.dtype.type
    if distance.dtype.kind in "iu":  # whole ones, as in TensorFlow
        tolerance = int(min(max(0, tolerance), int(dtypes.from_numpy(kind).max)))
    return distance < kind(tolerance)


ApproximateEqual = define(
    "ApproximateEqual", infer=_infer_near, kernel=lambda xp: _near_kernel
)


def approximate_equal(x, y, tolerance=1e-05, name=None):
    """Whether |x - y| < tolerance, elementwise.

    Args:
        x, y: numeric tensors of one dtype and shape. tolerance: a float.
        name: the name of the node in a graph.
    Returns:
        bool, of their shape.
    Example:
        approximate_equal([1.0], [1.1], 0.2)  # [True]
    """
    return apply(ApproximateEqual, (x, y), {"tolerance": float(tolerance)}, name)
