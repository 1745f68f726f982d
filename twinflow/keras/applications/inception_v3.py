"""Inception v3: convolutions of several sizes side by side, cut into narrow ones."""

from twinflow.keras.applications import imagenet_utils
from twinflow.keras.applications.architecture import Frame
from twinflow.keras.applications.blocks import concat
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.inception import (
    AVERAGE,
    LARGEST,
    STEM,
    branch,
    branches,
)

__all__ = ["InceptionV3", "decode_predictions", "preprocess_input"]

_ORIGIN = "https://github.com/fchollet/deep-learning-models/releases/download/v0.5/"
_FILES = (
    (
        "inception_v3_weights_tf_dim_ordering_tf_kernels.h5",
        "9a0d58056eeedaa3f26cb7ebd46da564",
    ),
    (
        "inception_v3_weights_tf_dim_ordering_tf_kernels_notop.h5",
        "bcbd6486424b2319ff4ef7d526e38f63",
    ),
)
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


def InceptionV3(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
    pooling=None, classes=1000,
):  # fmt: skip
    """Inception v3; images of 299x299, at least 75x75; see Note [Applications].

    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.InceptionV3(
            weights=None, input_shape=(75, 75, 3), classes=10)
        model.output_shape  # (None, 10)
    Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015.
    """
    frame = Frame(
        299, 75, include_top, weights, input_tensor, input_shape, pooling, classes
    )
    x = branch(frame.start, STEM)
    for i, table in enumerate(_TABLES):
        x = branches(x, table, f"mixed{i}")
    for i in range(2):
        x = _split(x, f"mixed9_{i}", f"mixed{9 + i}")
    x = frame.ended(x, top="avg_pool")
    return frame.model(x, "inception_v3", _ORIGIN, *_FILES)


def _split(x, inner, name):
    """Branches that end in a 1x3 and a 3x1 kernel side by side."""
    single = branch(x, [(320, 1)])
    ends = ([(384, (1, 3))], [(384, (3, 1))])
    short = branches(branch(x, [(384, 1)]), ends, inner)
    long = branches(branch(x, [(448, 1), (384, 3)]), ends)
    return concat([single, short, long, branch(x, [AVERAGE, (192, 1)])], name)


def preprocess_input(x, data_format=None):
    """Pixels from 0 to 255 as numbers from -1 to 1; see imagenet_utils ("tf")."""
    return imagenet_utils.preprocess_input(x, data_format, "tf")
