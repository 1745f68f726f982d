"""Elementwise sums, differences, products and quotients."""

import functools

from twinflow.base import dtypes, factory
from twinflow.base.dispatch import apply
from twinflow.base.op import (
    INEXACT,
    InferError,
    define,
)
from twinflow.base.operators import TensorValue
from twinflow.base.signature import allowed_types
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.complex import conj, conjugated
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.infer import arithmetic, broadcast, merge, same, text
from twinflow.ops.core.sparse_values import sparse_too

__all__ = [
    "AddN", "add", "add_n", "multiply", "negative", "realdiv", "square",
    "squared_difference", "subtract",
]  # fmt: skip

# ------------------------------------------------------------------ sums, products
_SPREAD = ("Reshape", "Reshape_1")


def _names(*of_equal_shapes):
    """What TensorFlow calls the slopes: where the shapes differ, sums reshaped."""

    def grad_names(node):
        a, b = (t._shape for t in node.inputs)
        alike = a == b and a is not None and None not in a
        return of_equal_shapes if alike else _SPREAD

    return grad_names


_SUM = {
    "infer": broadcast,
    "kernel": lambda xp: xp.add,
    "grad": [
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y: unbroadcast(dy, shape_y),
    ],
    "strict": True,
}
Add = define("Add", **_SUM, grad_names=_names(None, None))
add = factory.binary(
    Add,
    "add",
    binary_doc("x + y", "numeric or string", "tf.add([1, 2], 3)  # [4, 5]"),
)
AddV2 = define("AddV2", **_SUM)

Sub = define(
    "Sub",
    infer=broadcast,
    kernel=lambda xp: xp.subtract,
    grad=[
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y: negative(unbroadcast(dy, shape_y)),
    ],
    grad_names=_names(None, "Neg"),
    strict=True,
)
subtract = factory.binary(Sub, "subtract", binary_doc("x - y"))

# Each factor's rule reads only the other one, so that the third derivative of x * x
# finds no x left and is None, while that of x ** 2 is 0.
Mul = define(
    "Mul",
    infer=broadcast,
    kernel=lambda xp: xp.multiply,
    grad=[
        lambda dy, shape_x, y: unbroadcast(
            multiply(dy, conj(y) if y.dtype.is_complex else y), shape_x
        ),
        lambda dy, shape_y, x: unbroadcast(
            multiply(dy, conj(x) if x.dtype.is_complex else x), shape_y
        ),
    ],
    grad_names=_names("Mul", "Mul_1"),
    strict=True,
)
multiply = factory.binary(Mul, "multiply", binary_doc("x * y"))


def _quotient_grad(dy, shape_y, x, y):
    if y.dtype.is_complex:
        x, y = conj(x), conj(y)
    return unbroadcast(multiply(dy, realdiv(realdiv(negative(x), y), y)), shape_y)


_QUOTIENT = [
    lambda dy, shape_x, y: unbroadcast(
        realdiv(dy, conj(y) if y.dtype.is_complex else y), shape_x
    ),
    _quotient_grad,
]
RealDiv = define(
    "RealDiv",
    infer=broadcast,
    divides=True,
    kernel=lambda xp: xp.true_divide,
    types=INEXACT,
    grad=_QUOTIENT,
    grad_names="Reshape Reshape_1",
    strict=True,
)
realdiv = factory.binary(RealDiv, "realdiv", binary_doc("x / y", "float or complex"))

Neg = define(
    "Neg", infer=same, kernel=lambda xp: xp.negative, grad=[lambda dy: negative(dy)]
)
negative = factory.unary(
    Neg, "negative", unary_doc("-x", "numeric"), slow=sparse_too(Neg)
)


# ------------------------------------------------------------------ many terms
@arithmetic
def _infer_addn(inputs):
    out = inputs[0]._shape
    for i, x in enumerate(inputs):
        message = (
            "Inputs to operation AddN of type AddN must have the same size and shape.  "
            f"Input 0: {text(inputs[0]._shape)} != input {i}: {text(x._shape)}"
        )
        try:
            out = merge(out, x._shape)
        except InferError as error:
            place = f"\n\tFrom merging shape {i - 1} with other shapes."
            raise InferError(message, error.graph_message + place) from None
    return out


AddN = define(
    "AddN",
    infer=_infer_addn,
    kernel=lambda xp: lambda inputs: functools.reduce(xp.add, inputs),
    types=(*allowed_types("AddN")["T"], dtypes.variant),  # lists of tensors
    grad=[lambda dy, num_inputs: [dy] * num_inputs],
)


def add_n(inputs: TensorValue, name: str | None = None) -> Tensor:
    """The sum of several tensors of one shape and dtype, without broadcasting.

    Args:
        inputs: a list of numeric tensors. name: the name of the node in a graph.
    Returns:
        The sum; the tensor itself where there is only one.
    Raises:
        ValueError: the list is empty.
        InvalidArgumentError (eager) or ValueError (graph): the shapes differ.
    Example:
        tf.add_n([[1, 2], [3, 4]])  # [4, 6]
    """
    if not isinstance(inputs, list | tuple) or not inputs:
        raise ValueError(
            "inputs must be a list of at least oneTensor/IndexedSlices with the same "
            "dtype and shape"
        )
    if len(inputs) == 1:
        t = convert_to_tensor(inputs[0])
        return identity(t, name) if name else t
    return apply(AddN, (list(inputs),), None, name)


# ------------------------------------------------------------------ squares
Square = define(
    "Square",
    infer=same,
    kernel=lambda xp: xp.square,
    grad=[lambda dy, x: multiply(dy, multiply(conjugated(x), 2.0))],
)
square = factory.unary(
    Square, "square", unary_doc("x * x", "numeric"),
    slow=sparse_too(Square),
)  # fmt: skip


def _squared_difference_kernel(xp):
    def kernel(x, y):
        return xp.square(xp.subtract(x, y))

    return kernel


SquaredDifference = define(
    "SquaredDifference",
    infer=broadcast,
    kernel=_squared_difference_kernel,
    grad=[
        lambda dy, shape_x, x, y: unbroadcast(_twice(dy, x, y), shape_x),
        lambda dy, shape_y, x, y: unbroadcast(_twice(dy, y, x), shape_y),
    ],
    grad_names="Reshape Neg",
    strict=True,
)
squared_difference = factory.binary(
    SquaredDifference, "squared_difference", binary_doc("(x - y) ** 2")
)


def _twice(dy, a, b):
    return multiply(multiply(dy, 2.0), conjugated(subtract(a, b)))
