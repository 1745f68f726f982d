# Made by `make stubs` from the table of the index.
from typing import Any
def load_op_library(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """

__all__ = [
"load_op_library"
]
