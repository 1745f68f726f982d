"""Variables that are kept as float32 and read as bfloat16."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from twinflow.base import dtypes
from twinflow.graph.variable_scope import VariableScope, variable_scope
from twinflow.ops.core.constant import cast


def _read_as_bfloat16(getter: Callable, *args: Any, **kwargs: Any) -> Any:
    """A custom getter: a variable that is asked for as bfloat16 is float32, cast."""
    if kwargs.get("dtype") != dtypes.bfloat16:
        return getter(*args, **kwargs)
    return cast(getter(*args, **{**kwargs, "dtype": dtypes.float32}), dtypes.bfloat16)


@contextmanager
def bfloat16_scope() -> Iterator[VariableScope]:
    """A variable scope in which bfloat16 variables are kept as float32.

    Returns:
        The variable scope.
    Example:
        with tf.contrib.tpu.bfloat16_scope():
            v = tf.get_variable("v", [2], dtype=tf.bfloat16)
        v.dtype  # bfloat16
    """
    with variable_scope("", custom_getter=_read_as_bfloat16) as scope:
        yield scope
