"""The names that a mended program has; it begins with a star import of them."""

from twinflow.compat.python2 import runtime

__all__ = [*runtime.STEPS, *runtime.FUNCTIONS]

globals().update({**runtime.STEPS, **runtime.FUNCTIONS})
