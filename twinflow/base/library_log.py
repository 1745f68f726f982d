"""How much the libraries behind jax write on stderr."""

import contextlib
import os
from collections.abc import Iterator

_LEVEL = "TF_CPP_MIN_LOG_LEVEL"  # which they read when they are loaded; tf.print, too


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """A block whose libraries say no more than warnings, unless the user chose."""
    chosen = _LEVEL in os.environ
    os.environ.setdefault(_LEVEL, "1")
    try:
        yield
    finally:
        if not chosen:
            os.environ.pop(_LEVEL, None)
