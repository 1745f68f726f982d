"""tf.sysconfig: where a compiler would look; there are no headers to compile with."""

import os
from typing import Any

from twinflow.base import errors


def get_lib() -> Any:
    """The folder of the package."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def get_include() -> Any:
    """There are no C++ headers. Raises NotFoundError."""
    raise _no_headers("tf.sysconfig.get_include()")


def get_compile_flags() -> Any:
    """There are no C++ headers. Raises NotFoundError."""
    raise _no_headers("tf.sysconfig.get_compile_flags()")


def get_link_flags() -> Any:
    """There is no C++ library. Raises NotFoundError."""
    raise _no_headers("tf.sysconfig.get_link_flags()")


def _no_headers(what):
    return errors.NotFoundError(
        None,
        None,
        f"{what}: twinflow has no C++ headers or library to build custom ops with. "
        "Write the op in Python: tf.custom_gradient, tf.py_func or tf.while_loop.",
    )
