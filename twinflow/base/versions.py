"""The version of TensorFlow whose interface this is."""

import os

VERSION = "1.12.0"
GIT_VERSION = "v1.12.0-twinflow"
COMPILER_VERSION = "none"  # nothing of it was compiled from C++
CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0
GRAPH_DEF_VERSION = 27
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0


def compat() -> tuple[int, ...]:
    """The TensorFlow version whose rules hold, (1, 12) unless TWINFLOW_TF_COMPAT says.

    (1, 9): tf.Variable is for graphs only. (1, 15): models have weights of their own.
    """
    text = os.environ.get("TWINFLOW_TF_COMPAT", "1.12")
    try:
        major, minor = text.split(".")[:2]
        return int(major), int(minor)
    except ValueError:
        raise ValueError(
            f"TWINFLOW_TF_COMPAT is {text!r}; expected a version such as '1.9'."
        ) from None
