"""Tensors rounded as they will be, within ranges that training finds."""

from typing import Any

from twinflow.base.dtypes import int64
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.graph.variable_store import AUTO_REUSE
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.reduction import reduce_max, reduce_min
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars
from twinflow.ops.random.initializers_plain import Constant as constant_initializer
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer
from twinflow.ops.variables.state import assign, assign_add
from twinflow.train.moving_averages import assign_moving_average


def last_value_quantize(
    inputs: Tensor, init_min: float = -6.0, init_max: float = 6.0,
    name_prefix: str = "LastValueQuant", is_training: bool = True, num_bits: int = 8,
    narrow_range: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor rounded within the range that it has: what weights are quantised by.

    Args:
        inputs: float32. init_min, init_max: the range at first.
        name_prefix: the scope of variables and ops. is_training: whether the range
            follows the inputs. num_bits: int. narrow_range: whether 0 is in the middle.
    """
    with variable_scope(name_prefix, reuse=AUTO_REUSE):
        bounds = _bounds(init_min, init_max)
        if is_training:
            found = zip(bounds, _range_of(inputs), ("AssignMinLast", "AssignMaxLast"))
            bounds = [assign(bound, value, name=name) for bound, value, name in found]
        return _rounded(inputs, bounds, num_bits, narrow_range)


def moving_average_quantize(
    inputs: Tensor, init_min: float = -6.0, init_max: float = 6.0,
    ema_decay: float = 0.999, name_prefix: str = "MovingAvgQuantize",
    is_training: bool = True, num_bits: int = 8, narrow_range: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor rounded within an average of its ranges: for activations.

    Args:
        ema_decay: float, of the average. The others: see last_value_quantize.
    """
    with variable_scope(name_prefix, reuse=AUTO_REUSE):
        bounds = _bounds(init_min, init_max)
        if is_training:
            found = zip(bounds, _range_of(inputs), ("AssignMinEma", "AssignMaxEma"))
            bounds = [
                assign_moving_average(bound, value, ema_decay, name=name)
                for bound, value, name in found
            ]
        return _rounded(inputs, bounds, num_bits, narrow_range)


def _bounds(*values):
    """Variables for a range."""
    return [
        get_variable(
            name, [], initializer=constant_initializer(value), trainable=False,
            use_resource=False,
        )
        for name, value in zip(("min", "max"), values)
    ]  # fmt: skip


def _range_of(inputs):
    """The least and the largest element, and 0 between them."""
    least = minimum(reduce_min(inputs, name="BatchMin"), 0.0)
    return least, maximum(reduce_max(inputs, name="BatchMax"), 0.0)


def _rounded(inputs, bounds, num_bits, narrow_range):
    return fake_quant_with_min_max_vars(
        inputs, *bounds, num_bits=num_bits, narrow_range=narrow_range
    )


def quantization_step(graph: Any) -> Tensor:
    """int64[], how many runs quantised layers had: counts one more in each.

    Args:
        graph: a Graph.
    """
    name = "fake_quantization_step"
    if name in graph.by_name:
        return graph.get_tensor_by_name(f"{name}/Identity:0")
    with name_scope(None):
        step = get_variable(
            name, [], int64, zeros_initializer(), trainable=False, use_resource=False
        )
        with name_scope(name + "/"):
            return identity(assign_add(step, constant(1, int64)))
