# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.magnitude import angle as angle
from twinflow import conj as conj
from twinflow.ops.core.complex import imag as imag
from twinflow.ops.core.complex import real as real
from twinflow import abs as abs
from twinflow import add as add
from twinflow import exp as exp
from twinflow import expm1 as expm1
from twinflow import log as log
from twinflow import log1p as log1p
from twinflow import maximum as maximum
from twinflow import minimum as minimum
from twinflow import multiply as multiply
from twinflow import negative as negative
from twinflow import pow as pow
from twinflow import reciprocal as reciprocal
from twinflow import rsqrt as rsqrt
from twinflow import sigmoid as sigmoid
from twinflow import sign as sign
from twinflow import sqrt as sqrt
from twinflow import square as square
from twinflow import squared_difference as squared_difference
from twinflow import subtract as subtract
from twinflow import tanh as tanh
from twinflow.ops.core.elementwise import add_n as add_n
from twinflow.ops.core.division import divide as divide
from twinflow import floordiv as floordiv
from twinflow import floormod as floormod
from twinflow import mod as mod
from twinflow import truediv as truediv
from twinflow import acos as acos
from twinflow import acosh as acosh
from twinflow import asin as asin
from twinflow import asinh as asinh
from twinflow import atan as atan
from twinflow import atan2 as atan2
from twinflow import atanh as atanh
from twinflow import cos as cos
from twinflow import cosh as cosh
from twinflow import sin as sin
from twinflow import sinh as sinh
from twinflow import tan as tan
from twinflow import ceil as ceil
from twinflow import floor as floor
from twinflow import is_finite as is_finite
from twinflow import is_inf as is_inf
from twinflow import is_nan as is_nan
from twinflow.ops.core.rounding import log_sigmoid as log_sigmoid
from twinflow import rint as rint
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
from twinflow import erf as erf
from twinflow import erfc as erfc
from twinflow import digamma as digamma
from twinflow.ops.special.gamma import lbeta as lbeta
from twinflow import lgamma as lgamma
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
from twinflow import equal as equal
from twinflow import greater as greater
from twinflow import greater_equal as greater_equal
from twinflow import less as less
from twinflow import less_equal as less_equal
from twinflow import logical_and as logical_and
from twinflow import logical_not as logical_not
from twinflow import logical_or as logical_or
from twinflow.ops.core.compare import logical_xor as logical_xor
from twinflow import not_equal as not_equal
from twinflow.ops.core.reduction import count_nonzero as count_nonzero
from twinflow import reduce_all as reduce_all
from twinflow import reduce_any as reduce_any
from twinflow.ops.core.reduction import reduce_logsumexp as reduce_logsumexp
from twinflow import reduce_max as reduce_max
from twinflow import reduce_mean as reduce_mean
from twinflow import reduce_min as reduce_min
from twinflow import reduce_prod as reduce_prod
from twinflow import reduce_sum as reduce_sum
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
from twinflow import segment_max as segment_max
from twinflow import segment_mean as segment_mean
from twinflow import segment_min as segment_min
from twinflow import segment_prod as segment_prod
from twinflow import segment_sum as segment_sum
from twinflow import unsorted_segment_max as unsorted_segment_max
from twinflow import unsorted_segment_mean as unsorted_segment_mean
from twinflow import unsorted_segment_min as unsorted_segment_min
from twinflow import unsorted_segment_prod as unsorted_segment_prod
from twinflow import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n

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
