"""Calls in converted code that say something of it, and do nothing by themselves."""

from typing import Any


class _Unspecified:
    """Stands for an argument that is not given."""

    def __repr__(self) -> str:
        return "UNSPECIFIED"


UNSPECIFIED = _Unspecified()

LOOP_OPTION_NAMES = (
    "parallel_iterations",
    "back_prop",
    "swap_memory",
    "maximum_iterations",
)


def set_element_type(entity: Any, dtype: Any, shape: Any = UNSPECIFIED) -> None:
    """Say what the elements of a list will be, where loops on tensors fill it.

    Outside converted code it does nothing.

    Args:
        entity: the list, by the name of a variable.
        dtype: the DType of its elements. shape: their shape, if it is known.
    Example:
        l = []
        tf.contrib.autograph.set_element_type(l, tf.float32)
    """
    del entity, dtype, shape


def set_loop_options(
    parallel_iterations: Any = UNSPECIFIED, back_prop: Any = UNSPECIFIED,
    swap_memory: Any = UNSPECIFIED, maximum_iterations: Any = UNSPECIFIED,
) -> None:  # fmt: skip
    """Give a loop the options of tf.while_loop, as the first statement of its body.

    Outside converted code it does nothing.

    Args:
        back_prop: False stops gradients at what the loop gives.
        maximum_iterations: stop after so many iterations.
        parallel_iterations, swap_memory: accepted.
    Example:
        tf.contrib.autograph.set_loop_options(maximum_iterations=10)
    """
    del parallel_iterations, back_prop, swap_memory, maximum_iterations
