# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
def bitwise_and(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The bits that both have, elementwise with broadcasting.

    Args:
        x, y: integer tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.bitwise.bitwise_and(6, 3)  # 2
    """
def bitwise_or(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The bits that either has, elementwise with broadcasting.

    Args:
        x, y: integer tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.bitwise.bitwise_or(6, 3)  # 7
    """
def bitwise_xor(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The bits that just one has, elementwise with broadcasting.

    Args:
        x, y: integer tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.bitwise.bitwise_xor(6, 3)  # 5
    """
def invert(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Every bit of x turned over, elementwise.

    Args:
        x: integer tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def left_shift(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x with its bits moved up by y, zeros behind them, elementwise with broadcasting.

    Args:
        x, y: integer tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.bitwise.left_shift(3, 2)  # 12
    """
def right_shift(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x with its bits moved down by y, its sign kept, elementwise with broadcasting.

    Args:
        x, y: integer tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.bitwise.right_shift(-8, 1)  # -4
    """

__all__ = [
"bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"
]
