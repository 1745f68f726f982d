# Made by `make stubs` from the table of the index.
from twinflow.base.annotations import DTypeValue
from twinflow.base.annotations import ShapeValue
from twinflow.base.tensor import Tensor
from twinflow.ops.random.stateless import stateless_multinomial as stateless_multinomial
def stateless_random_normal(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor:
    r"""Standard normal random numbers, a function of the shape and the seed alone.

    Args:
        shape: int[rank]. seed: int32 or int64[2].
        dtype: float16, float32 or float64. name: the name of the node in a graph.
    Returns:
        dtype[shape], the same whenever and wherever it is called.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a shape does not fit.
    Example:
        tf.contrib.stateless.stateless_random_normal([2, 3], seed=[1, 2])  # float32[2, 3]
    """
def stateless_random_uniform(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor:
    r"""Uniform random numbers in [0, 1), a function of the shape and the seed alone.

    Args:
        shape: int[rank]. seed: int32 or int64[2].
        dtype: float16, float32 or float64. name: the name of the node in a graph.
    Returns:
        dtype[shape], the same whenever and wherever it is called.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a shape does not fit.
    Example:
        tf.contrib.stateless.stateless_random_uniform([2, 3], seed=[1, 2])  # float32[2, 3]
    """
def stateless_truncated_normal(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor:
    r"""Standard normal random numbers within (-2, 2), a function of the shape and the seed alone.

    Args:
        shape: int[rank]. seed: int32 or int64[2].
        dtype: float16, float32 or float64. name: the name of the node in a graph.
    Returns:
        dtype[shape], the same whenever and wherever it is called.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a shape does not fit.
    Example:
        tf.contrib.stateless.stateless_truncated_normal([2, 3], seed=[1, 2])  # float32[2, 3]
    """

__all__ = [
"stateless_multinomial", "stateless_random_normal", "stateless_random_uniform",
"stateless_truncated_normal"
]
