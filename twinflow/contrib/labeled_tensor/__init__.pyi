# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.labeled_tensor.axes import Axes as Axes
from twinflow.contrib.labeled_tensor.axes import Axis as Axis
from twinflow.contrib.labeled_tensor.axes import AxisOrderError as AxisOrderError
from twinflow.contrib.labeled_tensor.axes import as_axis as as_axis
def abs(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.abs of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def acos(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.acos of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def add(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.add of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def asin(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.asin of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def atan(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.atan of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def ceil(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.ceil of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def cos(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.cos of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
from twinflow.contrib.labeled_tensor.elementwise import define_binary_op as define_binary_op
from twinflow.contrib.labeled_tensor.elementwise import define_unary_op as define_unary_op
def digamma(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.digamma of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def div(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.div of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.equal of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def erf(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.erf of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def erfc(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.erfc of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def exp(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.exp of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def floor(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.floor of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def greater(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.greater of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def greater_equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.greater_equal of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def igamma(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.igamma of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def igammac(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.igammac of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def less(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.less of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def less_equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.less_equal of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def lgamma(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.lgamma of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def log(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.log of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def logical_and(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.logical_and of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def logical_not(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.logical_not of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def logical_or(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.logical_or of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def logical_xor(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.logical_xor of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def maximum(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.maximum of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def minimum(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.minimum of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def mod(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.mod of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def mul(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.mul of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def neg(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.neg of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def not_equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.not_equal of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def polygamma(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.polygamma of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def pow(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.pow of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def reciprocal(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.reciprocal of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def round(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.round of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def rsqrt(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.rsqrt of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def sigmoid(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.sigmoid of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def sign(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.sign of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def sin(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.sin of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def sqrt(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.sqrt of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def square(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.square of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def squared_difference(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.squared_difference of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def sub(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.sub of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
def tan(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.tan of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def tanh(labeled_tensor: Any, name: str | None = ...) -> Any:
    r"""tf.tanh of labeled tensors.

    Args:
        labeled_tensor: a LabeledTensor or scalars. name: of the op.
    """
def zeta(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = ...) -> Any:
    r"""tf.zeta of labeled tensors.

    Args:
        labeled_tensor_0, labeled_tensor_1: LabeledTensors or scalars. name: of the op.
    """
from twinflow.contrib.labeled_tensor.joining import batch as batch
from twinflow.contrib.labeled_tensor.joining import boolean_mask as boolean_mask
from twinflow.contrib.labeled_tensor.joining import foldl as foldl
from twinflow.contrib.labeled_tensor.joining import map_fn as map_fn
from twinflow.contrib.labeled_tensor.joining import matmul as matmul
from twinflow.contrib.labeled_tensor.joining import shuffle_batch as shuffle_batch
from twinflow.contrib.labeled_tensor.joining import where as where
from twinflow.contrib.labeled_tensor.labeled import LabeledTensor as LabeledTensor
from twinflow.contrib.labeled_tensor.labeled import align as align
from twinflow.contrib.labeled_tensor.labeled import axis_order_scope as axis_order_scope
from twinflow.contrib.labeled_tensor.labeled import check_axis_order as check_axis_order
from twinflow.contrib.labeled_tensor.labeled import convert_to_labeled_tensor as convert_to_labeled_tensor
from twinflow.contrib.labeled_tensor.labeled import expand_dims as expand_dims
from twinflow.contrib.labeled_tensor.labeled import identity as identity
from twinflow.contrib.labeled_tensor.labeled import impose_axis_order as impose_axis_order
from twinflow.contrib.labeled_tensor.labeled import slice_function as slice
from twinflow.contrib.labeled_tensor.labeled import transpose as transpose
from twinflow.contrib.labeled_tensor import nn as nn
from twinflow.contrib.labeled_tensor.parsing import FixedLenFeature as FixedLenFeature
from twinflow.contrib.labeled_tensor.parsing import parse_example as parse_example
from twinflow.contrib.labeled_tensor.parsing import parse_single_example as parse_single_example
from twinflow.contrib.labeled_tensor.parsing import placeholder as placeholder
from twinflow.contrib.labeled_tensor.reductions import define_reduce_op as define_reduce_op
def reduce_all(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_all along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_any(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_any along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_logsumexp(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_logsumexp along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_max(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_max along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_mean(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_mean along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_min(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_min along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_prod(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_prod along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
def reduce_sum(labeled_tensor: Any, axes: Any = ..., name: str | None = ...) -> Any:
    r"""tf.reduce_sum along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
from twinflow.contrib.labeled_tensor.restructuring import ReshapeCoder as ReshapeCoder
from twinflow.contrib.labeled_tensor.restructuring import cast as cast
from twinflow.contrib.labeled_tensor.restructuring import concat as concat
from twinflow.contrib.labeled_tensor.restructuring import constant as constant
from twinflow.contrib.labeled_tensor.restructuring import ones_like as ones_like
from twinflow.contrib.labeled_tensor.restructuring import pack as pack
from twinflow.contrib.labeled_tensor.restructuring import pad as pad
from twinflow.contrib.labeled_tensor.restructuring import random_crop as random_crop
from twinflow.contrib.labeled_tensor.restructuring import rename_axis as rename_axis
from twinflow.contrib.labeled_tensor.restructuring import reshape as reshape
from twinflow.contrib.labeled_tensor.restructuring import select as select
from twinflow.contrib.labeled_tensor.restructuring import squeeze as squeeze
from twinflow.contrib.labeled_tensor.restructuring import tile as tile
from twinflow.contrib.labeled_tensor.restructuring import unpack as unpack
from twinflow.contrib.labeled_tensor.restructuring import verify_tensor_all_finite as verify_tensor_all_finite
from twinflow.contrib.labeled_tensor.restructuring import zeros_like as zeros_like

__all__ = [
"Axes", "Axis", "AxisOrderError", "as_axis", "abs", "acos", "add", "asin", "atan",
"ceil", "cos", "define_binary_op", "define_unary_op", "digamma", "div", "equal", "erf",
"erfc", "exp", "floor", "greater", "greater_equal", "igamma", "igammac", "less",
"less_equal", "lgamma", "log", "logical_and", "logical_not", "logical_or",
"logical_xor", "maximum", "minimum", "mod", "mul", "neg", "not_equal", "polygamma",
"pow", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sqrt", "square",
"squared_difference", "sub", "tan", "tanh", "zeta", "batch", "boolean_mask", "foldl",
"map_fn", "matmul", "shuffle_batch", "where", "LabeledTensor", "align",
"axis_order_scope", "check_axis_order", "convert_to_labeled_tensor", "expand_dims",
"identity", "impose_axis_order", "slice", "transpose", "nn", "FixedLenFeature",
"parse_example", "parse_single_example", "placeholder", "define_reduce_op",
"reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean",
"reduce_min", "reduce_prod", "reduce_sum", "ReshapeCoder", "cast", "concat", "constant",
"ones_like", "pack", "pad", "random_crop", "rename_axis", "reshape", "select",
"squeeze", "tile", "unpack", "verify_tensor_all_finite", "zeros_like"
]
