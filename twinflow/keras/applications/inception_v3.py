"""Inception v3: convolutions of several sizes side by side, cut into narrow ones."""

from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.blocks import concat
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.inception import (
    AVERAGE,
    LARGEST,
    STEM,
    branch,
    branches,
)
from twinflow.keras.applications.unit_pixels import preprocess_input

__all__ = ["InceptionV3", "decode_predictions", "preprocess_input"]

_WIDE, _HIGH = (1, 7), (7, 1)


def _square(pooled):
    """Branches of square kernels; `pooled`: filters after the pooling."""
    return (
        [(64, 1)],
        [(48, 1), (64, 5)],
        [(64, 1), (96, 3), (96, 3)],
        [AVERAGE, (pooled, 1)],
    )


def _narrow(n):
    """Branches of 1x7 and 7x1 kernels; `n`: filters inside."""
    return (
        [(192, 1)],
        [(n, 1), (n, _WIDE), (192, _HIGH)],
        [(n, 1), (n, _HIGH), (n, _WIDE), (n, _HIGH), (192, _WIDE)],
        [AVERAGE, (192, 1)],
    )


_TABLES = (  # mixed0 to mixed8
    _square(32),
    _square(64),
    _square(64),
    ([(384, 3, 2)], [(64, 1), (96, 3), (96, 3, 2)], [LARGEST]),
    _narrow(128),
    _narrow(160),
    _narrow(160),
    _narrow(192),
    (
        [(192, 1), (320, 3, 2)],
        [(192, 1), (192, _WIDE), (192, _HIGH), (192, 3, 2)],
        [LARGEST],
    ),
)


@application(
    "inception_v3", 299, 75,
    ("9a0d58056eeedaa3f26cb7ebd46da564", "bcbd6486424b2319ff4ef7d526e38f63"), "v0.5",
)  # fmt: skip
def InceptionV3(frame):
    """Inception v3

    Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015.
    """
    x = branch(frame.start, STEM)
    for i, table in enumerate(_TABLES):
        x = branches(x, table, f"mixed{i}")
    for i in range(2):
        x = _split(x, f"mixed9_{i}", f"mixed{9 + i}")
    return frame.ended(x, top="avg_pool")


def _split(x, inner, name):
    """Branches that end in a 1x3 and a 3x1 kernel side by side."""
    single = branch(x, [(320, 1)])
    ends = ([(384, (1, 3))], [(384, (3, 1))])
    short = branches(branch(x, [(384, 1)]), ends, inner)
    long = branches(branch(x, [(448, 1), (384, 3)]), ends)
    return concat([single, short, long, branch(x, [AVERAGE, (192, 1)])], name)
