"""Importing this opens the door: from then on `import tensorflow` gives twinflow.

Example:
    import twinflow.compat.tensorflow
    import tensorflow as tf  # twinflow, with TensorFlow 1.12's names
"""

import sys

from twinflow.compat.door import finder as _finder
from twinflow.compat.door import resolve as _resolve

_finder.open_door()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(sys.modules.get(_resolve.TOP) or _finder.module(""), name)
