"""The first inception network (Szegedy and others, 2015)."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.pooling import max_pool2d
from twinflow.contrib.layers.simple import softmax
from twinflow.contrib.slim.nets.branches import (
    Points,
    conv,
    grown,
    in_training,
    inception_arg_scope,
    logits_of,
    pooled,
    side_by_side,
)
from twinflow.contrib.slim.nets.endings import trunc_normal
from twinflow.graph.variable_scope import variable_scope

_SECOND = "Conv2d_0b_3x3"


def inception_v1_arg_scope(
    weight_decay: float = 4e-05, use_batch_norm: bool = True,
    batch_norm_var_collection: str = "moving_vars",
) -> Any:  # fmt: skip
    """The scope for `inception_v1`: how its layers are normalised and start."""
    return inception_arg_scope(
        weight_decay, use_batch_norm, batch_norm_var_collection, 0.9997, 0.001
    )


def _mixed(one, three, five, pool, last=_SECOND):
    """A mixed layer of 1x1, 3x3 and 5x5 (here 3x3) convolutions and a maximum."""
    return side_by_side(
        [("Conv2d_0a_1x1", one, [1, 1])],
        [("Conv2d_0a_1x1", three[0], [1, 1]), (_SECOND, three[1], [3, 3])],
        [("Conv2d_0a_1x1", five[0], [1, 1]), (last, five[1], [3, 3])],
        [("max",), ("Conv2d_0b_1x1", pool, [1, 1])],
    )


_LAYERS = [
    ("Conv2d_1a_7x7", conv(64, [7, 7], stride=2)),
    ("MaxPool_2a_3x3", pooled([3, 3])),
    ("Conv2d_2b_1x1", conv(64, [1, 1])),
    ("Conv2d_2c_3x3", conv(192, [3, 3])),
    ("MaxPool_3a_3x3", pooled([3, 3])),
    ("Mixed_3b", _mixed(64, (96, 128), (16, 32), 32)),
    ("Mixed_3c", _mixed(128, (128, 192), (32, 96), 64)),
    ("MaxPool_4a_3x3", pooled([3, 3])),
    ("Mixed_4b", _mixed(192, (96, 208), (16, 48), 64)),
    ("Mixed_4c", _mixed(160, (112, 224), (24, 64), 64)),
    ("Mixed_4d", _mixed(128, (128, 256), (24, 64), 64)),
    ("Mixed_4e", _mixed(112, (144, 288), (32, 64), 64)),
    ("Mixed_4f", _mixed(256, (160, 320), (32, 128), 128)),
    ("MaxPool_5a_2x2", pooled([2, 2])),
    ("Mixed_5b", _mixed(256, (160, 320), (32, 128), 128, "Conv2d_0a_3x3")),
    ("Mixed_5c", _mixed(384, (192, 384), (48, 128), 128)),
]


def inception_v1_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", scope: Any = "InceptionV1"
) -> Any:
    """The convolutions and mixed layers, up to the one that is named.

    Args:
        inputs: float32[batch, height, width, channels].
        final_endpoint: the name of the last layer. scope: of the variables.
    Returns:
        (what the last layer gave, {name: what a layer gave})
    Raises:
        ValueError: no layer has this name.
    """
    points = Points(final_endpoint, dict(_LAYERS))
    with (
        variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([conv2d, fully_connected], weights_initializer=trunc_normal(0.01)),
        arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"),
    ):
        return grown(inputs, _LAYERS, points)


def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.8, prediction_fn: Any = softmax,
    spatial_squeeze: bool = True, reuse: Any = None, scope: Any = "InceptionV1",
) -> Any:  # fmt: skip
    """The whole network, for images of 224 by 224.

    Args:
        inputs: float32[batch, 224, 224, channels]. num_classes: how many classes.
        is_training: whether normalisation and dropout train.
        dropout_keep_prob: what dropout keeps.
        prediction_fn: from logits to predictions.
        spatial_squeeze: drop the dimensions of size 1.
        reuse, scope: of the variables.
    Returns:
        (logits, {name: what a layer gave}): float32[batch, num_classes].
    """
    names = ("MaxPool_0a_7x7", "Dropout_0b", "Conv2d_0c_1x1")
    with variable_scope(
        scope, "InceptionV1", [inputs, num_classes], reuse=reuse
    ) as sc, in_training(is_training):  # fmt: skip
        net, points = inception_v1_base(inputs, scope=sc)
        with variable_scope("Logits"):
            logits = logits_of(
                net, names, [7, 7], num_classes, dropout_keep_prob, spatial_squeeze,
                points, stride=1,
            )  # fmt: skip
            points["Logits"] = logits
            points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


inception_v1.default_image_size = 224  # type: ignore[attr-defined]
