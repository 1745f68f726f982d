"""Elementwise arithmetic: sums, products, powers, exponentials."""

import functools

import numpy as np

from twinflow.base import dtypes, factory
from twinflow.base.dispatch import apply
from twinflow.base.op import INDEX, INEXACT, NUMBER, REAL, define
from twinflow.ops.broadcast import unbroadcast
from twinflow.ops.compare import greater, greater_equal, less_equal, not_equal, where
from twinflow.ops.constant import convert_to_tensor, identity
from twinflow.ops.creation import ones_like, zeros_like
from twinflow.ops.describe import REAL_GATE, binary_doc, unary_doc
from twinflow.ops.infer import broadcast, merge, same, text

# ------------------------------------------------------------------ sums, products
Add = define(
    "Add(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.add,
    types=NUMBER | {dtypes.string},
    grad=[
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y: unbroadcast(dy, shape_y),
    ],
    strict=True,
)
add = factory.binary(
    Add, "add", binary_doc("x + y", "numeric or string", "tf.add([1, 2], 3)  # [4, 5]")
)

Sub = define(
    "Sub(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.subtract,
    types=NUMBER,
    grad=[
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y: unbroadcast(negative(dy), shape_y),
    ],
    strict=True,
)
subtract = factory.binary(Sub, "subtract", binary_doc("x - y"))

# Each factor's rule reads only the other one, so that the third derivative of x * x
# finds no x left and is None, while that of x ** 2 is 0.
Mul = define(
    "Mul(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.multiply,
    types=NUMBER,
    grad=[
        lambda dy, shape_x, y: unbroadcast(multiply(dy, y), shape_x),
        lambda dy, shape_y, x: unbroadcast(multiply(dy, x), shape_y),
    ],
    strict=True,
)
multiply = factory.binary(Mul, "multiply", binary_doc("x * y"))

RealDiv = define(
    "RealDiv(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.true_divide,
    types=INEXACT,
    grad=[
        lambda dy, shape_x, y: unbroadcast(realdiv(dy, y), shape_x),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, realdiv(realdiv(negative(x), y), y)), shape_y
        ),
    ],
    strict=True,
)
realdiv = factory.binary(
    RealDiv, "realdiv", binary_doc("x / y", "float or complex"), "is_inexact"
)

Neg = define(
    "Neg(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.negative,
    types=NUMBER,
    grad=[lambda dy: negative(dy)],
    strict=True,
)
negative = factory.unary(Neg, "negative", unary_doc("-x", "numeric"))

AddN = define(
    "AddN(inputs: N*T) -> (sum: T)",
    infer=lambda inputs: _infer_addn(inputs),
    kernel=lambda xp: lambda inputs: functools.reduce(xp.add, inputs),
    types=NUMBER,
    grad=[lambda dy, num_inputs: [dy] * num_inputs],
)


def _infer_addn(inputs):
    out = inputs[0]._shape
    for i, x in enumerate(inputs):
        message = (
            "Inputs to operation AddN of type AddN must have the same size and shape.  "
            f"Input 0: {text(inputs[0]._shape)} != input {i}: {text(x._shape)}"
        )
        out = merge(out, x._shape, message)
    return out


def add_n(inputs, name=None):
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
            "inputs must be a list of at least one Tensor/IndexedSlices with the same "
            f"dtype and shape, got {inputs!r}"
        )
    if len(inputs) == 1:
        t = convert_to_tensor(inputs[0])
        return identity(t, name) if name else t
    return apply(AddN, (list(inputs),), None, name)


# ------------------------------------------------------------------ powers
Square = define(
    "Square(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.square,
    types=NUMBER,
    grad=[lambda dy, x: multiply(dy, multiply(x, 2.0))],
    strict=True,
)
square = factory.unary(Square, "square", unary_doc("x * x", "numeric"))

Sqrt = define(
    "Sqrt(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.sqrt,
    types=INEXACT,
    grad=[lambda dy, y: realdiv(multiply(dy, 0.5), y)],
    strict=True,
)
sqrt = factory.unary(Sqrt, "sqrt", unary_doc("The square root of x"), "is_inexact")

Rsqrt = define(
    "Rsqrt(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: lambda x: xp.reciprocal(xp.sqrt(x)),
    types=INEXACT,
    grad=[lambda dy, y: multiply(multiply(dy, -0.5), multiply(y, multiply(y, y)))],
    strict=True,
)
rsqrt = factory.unary(Rsqrt, "rsqrt", unary_doc("1 / sqrt(x)"), "is_inexact")

Reciprocal = define(
    "Reciprocal(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.reciprocal,
    types=INEXACT,
    grad=[lambda dy, y: multiply(negative(dy), multiply(y, y))],
    strict=True,
)
reciprocal = factory.unary(Reciprocal, "reciprocal", unary_doc("1 / x"), "is_inexact")


def _pow_grad_y(dy, shape_y, x, y, z):
    """z log(x), where log(x) counts as 0 for x <= 0, also in its own gradient."""
    positive = not_equal(x, 0.0) if x.dtype.is_complex else greater(x, 0.0)
    safe = log(where(positive, x, ones_like(x)))
    return unbroadcast(multiply(dy, multiply(z, safe)), shape_y)


Pow = define(
    "Pow(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.power,
    types=INEXACT | INDEX,
    grad=[
        lambda dy, shape_x, x, y: unbroadcast(
            multiply(multiply(dy, y), pow(x, subtract(y, 1.0))), shape_x
        ),
        _pow_grad_y,
    ],
    guard=lambda xp: lambda x, y: x.dtype.kind != "i" or xp.all(y >= 0),
    check=lambda x, y: (
        "Integers to negative integer powers are not allowed"
        if x.dtype.kind == "i" and np.any(y < 0)
        else None
    ),
    strict=True,
)
pow = factory.binary(
    Pow, "pow", binary_doc("x to the power y", example="tf.pow(3., 2.)  # 9.0")
)

# ------------------------------------------------------------------ exponentials
Exp = define(
    "Exp(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.exp,
    types=INEXACT,
    grad=[lambda dy, y: multiply(dy, y)],
    strict=True,
)
exp = factory.unary(Exp, "exp", unary_doc("e to the power x"), "is_inexact")

Expm1 = define(
    "Expm1(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.expm1,
    types=INEXACT,
    grad=[lambda dy, x: multiply(dy, exp(x))],
    strict=True,
)
expm1 = factory.unary(
    Expm1, "expm1", unary_doc("exp(x) - 1, exact for small x"), "is_inexact"
)

Log = define(
    "Log(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.log,
    types=INEXACT,
    grad=[lambda dy, x: realdiv(dy, x)],
    strict=True,
)
log = factory.unary(Log, "log", unary_doc("The natural logarithm of x"), "is_inexact")

Log1p = define(
    "Log1p(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.log1p,
    types=INEXACT,
    grad=[lambda dy, x: realdiv(dy, add(x, 1.0))],
    strict=True,
)
log1p = factory.unary(
    Log1p, "log1p", unary_doc("log(1 + x), exact for small x"), "is_inexact"
)

_ONE = {t.np.char: np.ones((), t.np) for t in INEXACT}

Tanh = define(
    "Tanh(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.tanh,
    types=INEXACT,
    grad=[lambda dy, y: tanh_grad(y, dy)],
    strict=True,
)
tanh = factory.unary(Tanh, "tanh", unary_doc("The hyperbolic tangent"), "is_inexact")


def _tanh_grad_kernel(xp):
    def kernel(y, dy):
        return xp.multiply(dy, xp.subtract(_ONE[y.dtype.char], xp.multiply(y, y)))

    return kernel


TanhGrad = define(
    "TanhGrad(y: T, dy: T) -> (z: T)",
    infer=broadcast,
    kernel=_tanh_grad_kernel,
    types=INEXACT,
    grad=[
        lambda d_z, y, dy: multiply(multiply(multiply(d_z, dy), y), -2.0),
        lambda d_z, y: tanh_grad(y, d_z),
    ],
)
tanh_grad = factory.binary(
    TanhGrad, "tanh_grad", "dy * (1 - y**2)", "is_inexact", args=("y", "grad")
)

Sigmoid = define(
    "Sigmoid(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: lambda x: xp.reciprocal(xp.exp(-x) + x.dtype.type(1)),
    types=INEXACT,
    grad=[lambda dy, y: multiply(dy, multiply(y, subtract(1.0, y)))],
    strict=True,
)
sigmoid = factory.unary(
    Sigmoid, "sigmoid", unary_doc("1 / (1 + exp(-x))"), "is_inexact"
)

# ------------------------------------------------------------------ sizes and signs
Abs = define(
    "Abs(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.abs,
    types=REAL,
    grad=[lambda dy, x: multiply(dy, sign(x))],
    strict=True,
)
abs = factory.unary(
    Abs,
    "abs",
    unary_doc("|x|", "int or float"),
    "is_number and not x.dtype.is_complex",
)


Sign = define(
    "Sign(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.sign,
    types=NUMBER,
    grad=[lambda dy: zeros_like(dy)],
    strict=True,
)
sign = factory.unary(
    Sign, "sign", unary_doc("-1, 0 or 1: the sign of x; x / |x| if complex", "numeric")
)

Maximum = define(
    "Maximum(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.maximum,
    types=REAL,
    grad=[
        lambda dy, shape_x, x, y: _chosen(dy, greater_equal(x, y), True, shape_x),
        lambda dy, shape_y, x, y: _chosen(dy, greater_equal(x, y), False, shape_y),
    ],
    strict=True,
)
maximum = factory.binary(
    Maximum, "maximum", binary_doc("The larger of x and y", "int or float"), REAL_GATE
)

Minimum = define(
    "Minimum(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.minimum,
    types=REAL,
    grad=[
        lambda dy, shape_x, x, y: _chosen(dy, less_equal(x, y), True, shape_x),
        lambda dy, shape_y, x, y: _chosen(dy, less_equal(x, y), False, shape_y),
    ],
    strict=True,
)
minimum = factory.binary(
    Minimum, "minimum", binary_doc("The smaller of x and y", "int or float"), REAL_GATE
)


def _chosen(dy, mask, wanted, shape):
    """`dy` where `mask` is `wanted`; where x equals y, all of it goes to x."""
    none = zeros_like(dy)
    picked = where(mask, dy, none) if wanted else where(mask, none, dy)
    return unbroadcast(picked, shape)


def _squared_difference_kernel(xp):
    def kernel(x, y):
        return xp.square(xp.subtract(x, y))

    return kernel


SquaredDifference = define(
    "SquaredDifference(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=_squared_difference_kernel,
    types=NUMBER,
    grad=[
        lambda dy, shape_x, x, y: unbroadcast(_twice(dy, x, y), shape_x),
        lambda dy, shape_y, x, y: unbroadcast(_twice(dy, y, x), shape_y),
    ],
    strict=True,
)
squared_difference = factory.binary(
    SquaredDifference, "squared_difference", binary_doc("(x - y) ** 2")
)


def _twice(dy, a, b):
    return multiply(multiply(dy, 2.0), subtract(a, b))


def scalar_mul(scalar, x):
    """`x` times a single number.

    Args:
        scalar: a scalar. x: a numeric tensor of any shape.
    Raises:
        ValueError: `scalar` is not a scalar.
    """
    scalar = convert_to_tensor(scalar, x.dtype.base_dtype, name="scalar")
    if scalar._shape != ():
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    return apply(Mul, (scalar, x), None, "mul")
