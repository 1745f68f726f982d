# Made by `make stubs` from the table of the index.
from twinflow.base.annotations import AxisValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow.ops.core.magnitude import angle as angle
def conj(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The complex conjugate a - ib of a + ib, elementwise.

    Args:
        x: a numeric tensor; a real one is returned as it is.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    Raises:
        TypeError: `x` is not numeric.
    Example:
        tf.conj(tf.constant([1 + 2j]))  # [1-2j]
    """
from twinflow.ops.core.complex import imag as imag
from twinflow.ops.core.complex import real as real
def abs(x: TensorValue, name: str | None = None) -> Tensor:
    r"""|x|, float where x is complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def add(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x + y, elementwise with broadcasting.

    Args:
        x, y: numeric or string tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.add([1, 2], 3)  # [4, 5]
    """
def exp(x: TensorValue, name: str | None = None) -> Tensor:
    r"""e to the power x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def expm1(x: TensorValue, name: str | None = None) -> Tensor:
    r"""exp(x) - 1, exact for small x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def log(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The natural logarithm of x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def log1p(x: TensorValue, name: str | None = None) -> Tensor:
    r"""log(1 + x), exact for small x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def maximum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The larger of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def minimum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The smaller of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def multiply(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x * y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def negative(x: TensorValue, name: str | None = None) -> Tensor:
    r"""-x, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def pow(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x to the power y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.pow(3., 2.)  # 9.0
    """
def reciprocal(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def rsqrt(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / sqrt(x), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sigmoid(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / (1 + exp(-x)), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sign(x: TensorValue, name: str | None = None) -> Tensor:
    r"""-1, 0 or 1: the sign of x; x / |x| if complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sqrt(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The square root of x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def square(x: TensorValue, name: str | None = None) -> Tensor:
    r"""x * x, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def squared_difference(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""(x - y) ** 2, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def subtract(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def tanh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic tangent, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.core.elementwise import add_n as add_n
from twinflow.ops.core.division import divide as divide
def floordiv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""floor(x / y), elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floordiv(-7, 2)  # -4
    """
def floormod(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - floor(x / y) * y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floormod(-7, 3)  # 2
    """
def mod(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - floor(x / y) * y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floormod(-7, 3)  # 2
    """
def truediv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x / y as in Python 3: ints are converted to floats first.

    Args:
        x, y: numeric tensors of one dtype. name: the name of the node in a graph.
    Returns:
        The quotient: float64 for int32 and int64, float32 for smaller ints, else the
        dtype of the inputs.
    Raises:
        TypeError: the dtypes differ.
    Example:
        tf.truediv(1, 2)  # 0.5
    """
def acos(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose cosine is x, in [-1, 1], elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def acosh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic cosine, for x >= 1, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def asin(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose sine is x, in [-1, 1], elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def asinh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic sine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def atan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose tangent is x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def atan2(y: TensorValue, x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle of the point (x, y) in radians, elementwise with broadcasting.

    Args:
        y, x: float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def atanh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic tangent, in (-1, 1), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def cos(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The cosine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def cosh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic cosine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sin(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The sine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sinh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic sine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def tan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The tangent of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def ceil(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The smallest whole number >= x, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def floor(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The largest whole number <= x, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def is_finite(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is a finite number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_inf(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is infinite, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_nan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is not a number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
from twinflow.ops.core.rounding import log_sigmoid as log_sigmoid
def rint(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The nearest whole number, halves to even, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.core.rounding import round as round
def softplus(features: TensorValue, name: str | None = None) -> Tensor:
    r"""log(1 + exp(x)), elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    """
from twinflow.ops.special.bessel import bessel_i0 as bessel_i0
def bessel_i0e(x: TensorValue, name: str | None = None) -> Tensor:
    r"""exp(-|x|) I0(x), elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.special.bessel import bessel_i1 as bessel_i1
def bessel_i1e(x: TensorValue, name: str | None = None) -> Tensor:
    r"""exp(-|x|) I1(x), elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def erf(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The error function, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def erfc(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 - erf(x), elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def digamma(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The derivative of lgamma, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.special.gamma import lbeta as lbeta
def lgamma(x: TensorValue, name: str | None = None) -> Tensor:
    r"""log |Gamma(x)|, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.special.gamma import polygamma as polygamma
from twinflow.ops.special.gamma import zeta as zeta
from twinflow.ops.math.counting import bincount as bincount
from twinflow.ops.math.polynomial import accumulate_n as accumulate_n
from twinflow.ops.math.polynomial import polyval as polyval
from twinflow.ops.special.igamma import betainc as betainc
from twinflow.ops.special.igamma import igamma as igamma
from twinflow.ops.special.igamma import igammac as igammac
from twinflow.ops.math.truncation import xdivy as xdivy
from twinflow.ops.math.truncation import xlogy as xlogy
def equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x == y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.equal([1, 2], [2, 2])  # [False, True]
    """
def greater(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x > y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater([1, 2], [2, 2])  # [False, False]
    """
def greater_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x >= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater_equal([1, 2], [2, 2])  # [False, True]
    """
def less(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x < y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less([1, 2], [2, 2])  # [True, False]
    """
def less_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x <= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less_equal([1, 2], [2, 2])  # [True, True]
    """
def logical_and(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x and y, elementwise with broadcasting.

    Args:
        x, y: bool tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def logical_not(x: TensorValue, name: str | None = None) -> Tensor:
    r"""not x, elementwise.

    Args:
        x: bool tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def logical_or(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x or y, elementwise with broadcasting.

    Args:
        x, y: bool tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
from twinflow.ops.core.compare import logical_xor as logical_xor
def not_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x != y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.not_equal([1, 2], [2, 2])  # [True, False]
    """
from twinflow.ops.core.reduction import count_nonzero as count_nonzero
def reduce_all(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The logical and of the elements along axes.

    Args:
        input_tensor: bool tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_all([True, False])  # False
    """
def reduce_any(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The logical or of the elements along axes.

    Args:
        input_tensor: bool tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_any([True, False])  # True
    """
from twinflow.ops.core.reduction import reduce_logsumexp as reduce_logsumexp
def reduce_max(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The maximum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_max([1, 3, 2])  # 3
    """
def reduce_mean(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The mean of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_mean([1., 2., 6.])  # 3.0
    """
def reduce_min(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The minimum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_min([1, 3, 2])  # 1
    """
def reduce_prod(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The product of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_prod([2., 3.])  # 6.0
    """
def reduce_sum(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The sum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_sum([[1, 2], [3, 4]], 1)  # [3, 7]
    """
from twinflow.ops.math.positions import argmax as argmax
from twinflow.ops.math.positions import argmin as argmin
from twinflow.ops.math.scalar_mul import scalar_mul as scalar_mul
from twinflow.ops.core.scan import cumprod as cumprod
from twinflow.ops.core.scan import cumsum as cumsum
from twinflow.ops.nn.moments import l2_normalize as l2_normalize
from twinflow.ops.nn.dropout import zero_fraction as zero_fraction
from twinflow.ops.arrays.topk import in_top_k as in_top_k
from twinflow.ops.arrays.topk import top_k as top_k
from twinflow.ops.nn.softmax import log_softmax as log_softmax
from twinflow.ops.nn.softmax import softmax as softmax
def softsign(features: TensorValue, name: str | None = None) -> Tensor:
    r"""features / (abs(features) + 1), elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    Example:
        tf.nn.softsign([-1., 3.])  # [-0.5, 0.75]
    """
from twinflow.ops.core.transposing import invert_permutation as invert_permutation
from twinflow.ops.core.index import unsorted_segment_sum as unsorted_segment_sum
def segment_max(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the maximum of the rows of `data` whose segment is i.

    Args:
        data: a real tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_max([1, 2, 5], [0, 0, 1])  # [2, 5]
    """
def segment_mean(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the mean of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_mean([1, 2, 5], [0, 0, 1])  # [1, 5]
    """
def segment_min(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the minimum of the rows of `data` whose segment is i.

    Args:
        data: a real tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_min([1, 2, 5], [0, 0, 1])  # [1, 5]
    """
def segment_prod(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the product of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 1.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_prod([1, 2, 5], [0, 0, 1])  # [2, 5]
    """
def segment_sum(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the sum of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_sum([1, 2, 5], [0, 0, 1])  # [3, 5]
    """
def unsorted_segment_max(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the maximum of the rows whose segment is i.

    Args:
        data: a real tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives the lowest number of its dtype.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_max([1., 2., 6.], [0, 1, 1], 2)  # [1., 6.]
    """
def unsorted_segment_mean(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the mean of the rows whose segment is i.

    Args:
        data: a float tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 0.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_mean([1., 2., 6.], [0, 1, 1], 2)  # [1., 4.]
    """
def unsorted_segment_min(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the minimum of the rows whose segment is i.

    Args:
        data: a real tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives the highest number of its dtype.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_min([1., 2., 6.], [0, 1, 1], 2)  # [1., 2.]
    """
def unsorted_segment_prod(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the product of the rows whose segment is i.

    Args:
        data: a numeric tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 1.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_prod([1., 2., 6.], [0, 1, 1], 2)  # [1., 12.]
    """
def unsorted_segment_sqrt_n(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the sum over the square root of the number of the rows whose segment is i.

    Args:
        data: a float tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 0.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_sqrt_n([1., 2., 6.], [0, 1, 1], 2)  # [1., 5.66]
    """

__all__ = [
"angle", "conj", "imag", "real", "abs", "add", "exp", "expm1", "log", "log1p",
"maximum", "minimum", "multiply", "negative", "pow", "reciprocal", "rsqrt", "sigmoid",
"sign", "sqrt", "square", "squared_difference", "subtract", "tanh", "add_n", "divide",
"floordiv", "floormod", "mod", "truediv", "acos", "acosh", "asin", "asinh", "atan",
"atan2", "atanh", "cos", "cosh", "sin", "sinh", "tan", "ceil", "floor", "is_finite",
"is_inf", "is_nan", "log_sigmoid", "rint", "round", "softplus", "bessel_i0",
"bessel_i0e", "bessel_i1", "bessel_i1e", "erf", "erfc", "digamma", "lbeta", "lgamma",
"polygamma", "zeta", "bincount", "accumulate_n", "polyval", "betainc", "igamma",
"igammac", "xdivy", "xlogy", "equal", "greater", "greater_equal", "less", "less_equal",
"logical_and", "logical_not", "logical_or", "logical_xor", "not_equal", "count_nonzero",
"reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean",
"reduce_min", "reduce_prod", "reduce_sum", "argmax", "argmin", "scalar_mul", "cumprod",
"cumsum", "l2_normalize", "zero_fraction", "in_top_k", "top_k", "log_softmax",
"softmax", "softsign", "invert_permutation", "unsorted_segment_sum", "segment_max",
"segment_mean", "segment_min", "segment_prod", "segment_sum", "unsorted_segment_max",
"unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod",
"unsorted_segment_sqrt_n"
]
