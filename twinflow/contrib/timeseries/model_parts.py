"""Small parts of time series models."""

from collections.abc import Callable
from typing import Any

from twinflow.base import nest
from twinflow.base.dtypes import float32
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import State
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer


def parameter_switch(parameter_overrides: dict) -> Callable[[Any], Any]:
    """A function from a parameter to the value that is to be used in its place.

    Args:
        parameter_overrides: dict from tensors to values.
    """

    def passed_or_own(parameter: Any) -> Any:
        """The value given for a parameter, or itself."""
        try:
            found = parameter_overrides.get(parameter)
        except TypeError:  # it cannot be a key
            found = None
        if found is None:
            return parameter
        return convert_to_tensor(found, parameter.dtype)

    return passed_or_own


def fully_connected(
    inp: TensorValue, inp_size: int, layer_size: int, name: str,
    activation: Callable = relu, dtype: Any = float32,
) -> Tensor:  # fmt: skip
    """A dense layer of variables `name_weight` and `name_bias`, float[..., layer_size].

    Args:
        inp: float[batch, inp_size]. inp_size, layer_size: ints. name: of the variables.
        activation: a function, or None. dtype: of the variables.
    """
    weight = get_variable(name + "_weight", [inp_size, layer_size], dtype)
    bias = get_variable(name + "_bias", [layer_size], dtype, zeros_initializer())
    found = matmul(inp, weight) + bias
    return found if activation is None else activation(found)


def state_to_dictionary(state_tuple: Any) -> dict[str, Tensor]:
    """The tensors of a state under names: model_state_00 and so on.

    Args:
        state_tuple: structure of tensors.
    """
    return {
        f"{State.STATE_PREFIX}_{number:02d}": value
        for number, value in enumerate(nest.flatten(state_tuple))
    }
