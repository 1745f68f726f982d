"""Functions of each element of labeled tensors."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.labeled_tensor.labeled import (
    OPERATORS,
    LabeledTensor,
    align,
    convert_to_labeled_tensor,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.core import compare, division, elementwise, rounding
from twinflow.ops.math import trigonometry
from twinflow.ops.special import error_function, gamma
from twinflow.ops.special import igamma as incomplete


def define_unary_op(
    op_name: str, elementwise_function: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of each element of one labeled tensor.

    Args:
        op_name: its name. elementwise_function: the one of a tensor and a `name`.
    Example:
        lt = tf.contrib.labeled_tensor
        double = lt.define_unary_op("double", lambda x, name=None: x + x)
        double(lt.LabeledTensor(tf.ones([2]), ["x"])).axes["x"].size  # 2
    """

    def op(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            return LabeledTensor(elementwise_function(x.tensor, name=scope), x.axes)

    return _named(op, op_name, "labeled_tensor: a LabeledTensor")


def define_binary_op(
    op_name: str, elementwise_function: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of each element of two labeled tensors, which are aligned first.

    Args:
        op_name: its name. elementwise_function: the one of two tensors and a `name`.
    """

    def op(
        labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None
    ) -> LabeledTensor:
        inputs = [labeled_tensor_0, labeled_tensor_1]
        with name_scope(name, f"lt_{op_name}", inputs) as scope:
            x, y, axes = align(*inputs)
            return LabeledTensor(
                elementwise_function(x.tensor, y.tensor, name=scope), axes
            )

    return _named(op, op_name, "labeled_tensor_0, labeled_tensor_1: LabeledTensors")


def _named(op: Callable, name: str, inputs: str) -> Callable:
    op.__name__ = op.__qualname__ = name
    op.__doc__ = f"""tf.{name} of labeled tensors.

    Args:
        {inputs} or scalars. name: of the op.
    """
    return op


abs = define_unary_op("abs", elementwise.abs)
neg = define_unary_op("neg", elementwise.negative)
sign = define_unary_op("sign", elementwise.sign)
reciprocal = define_unary_op("reciprocal", elementwise.reciprocal)
square = define_unary_op("square", elementwise.square)
round = define_unary_op("round", rounding.round)
sqrt = define_unary_op("sqrt", elementwise.sqrt)
rsqrt = define_unary_op("rsqrt", elementwise.rsqrt)
exp = define_unary_op("exp", elementwise.exp)
log = define_unary_op("log", elementwise.log)
ceil = define_unary_op("ceil", rounding.ceil)
floor = define_unary_op("floor", rounding.floor)
cos = define_unary_op("cos", trigonometry.cos)
sin = define_unary_op("sin", trigonometry.sin)
tan = define_unary_op("tan", trigonometry.tan)
acos = define_unary_op("acos", trigonometry.acos)
asin = define_unary_op("asin", trigonometry.asin)
atan = define_unary_op("atan", trigonometry.atan)
lgamma = define_unary_op("lgamma", gamma.lgamma)
digamma = define_unary_op("digamma", gamma.digamma)
erf = define_unary_op("erf", error_function.erf)
erfc = define_unary_op("erfc", error_function.erfc)
logical_not = define_unary_op("logical_not", compare.logical_not)
tanh = define_unary_op("tanh", elementwise.tanh)
sigmoid = define_unary_op("sigmoid", elementwise.sigmoid)

add = define_binary_op("add", elementwise.add)
sub = define_binary_op("sub", elementwise.subtract)
mul = define_binary_op("mul", elementwise.multiply)
div = define_binary_op("div", division.div)
mod = define_binary_op("mod", division.mod)
pow = define_binary_op("pow", elementwise.pow)
equal = define_binary_op("equal", compare.equal)
greater = define_binary_op("greater", compare.greater)
greater_equal = define_binary_op("greater_equal", compare.greater_equal)
not_equal = define_binary_op("not_equal", compare.not_equal)
less = define_binary_op("less", compare.less)
less_equal = define_binary_op("less_equal", compare.less_equal)
logical_and = define_binary_op("logical_and", compare.logical_and)
logical_or = define_binary_op("logical_or", compare.logical_or)
logical_xor = define_binary_op("logical_xor", compare.logical_xor)
maximum = define_binary_op("maximum", elementwise.maximum)
minimum = define_binary_op("minimum", elementwise.minimum)
polygamma = define_binary_op("polygamma", gamma.polygamma)
squared_difference = define_binary_op(
    "squared_difference", elementwise.squared_difference
)
igamma = define_binary_op("igamma", incomplete.igamma)
igammac = define_binary_op("igammac", incomplete.igammac)
zeta = define_binary_op("zeta", gamma.zeta)

OPERATORS.update({
    "abs": abs, "neg": neg, "logical_not": logical_not, "add": add, "sub": sub,
    "mul": mul, "div": div, "mod": mod, "pow": pow, "less": less,
    "less_equal": less_equal, "greater": greater, "greater_equal": greater_equal,
    "logical_and": logical_and, "logical_or": logical_or, "logical_xor": logical_xor,
})  # fmt: skip
