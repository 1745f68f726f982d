"""Strings as numbers for trees."""

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.strings.contributed import ReinterpretStringToFloat

__all__ = ["reinterpret_string_to_float"]


def reinterpret_string_to_float(
    input_data: TensorValue, name: str | None = None
) -> Tensor:
    """float32, the hash of each string as a number.

    Args:
        input_data: string, of any shape. name: the name of the node in a graph.
    """
    return apply(ReinterpretStringToFloat, (input_data,), {}, name)
