"""The second inception network, with batch normalisation (Ioffe and Szegedy, 2015)."""

import functools
from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.pooling import avg_pool2d, max_pool2d
from twinflow.contrib.layers.separable import separable_convolution2d
from twinflow.contrib.layers.simple import softmax
from twinflow.contrib.slim.nets.branches import (
    Points,
    conv,
    grown,
    in_training,
    inception_arg_scope,
    logits_of,
    pooled,
    reduced_kernel,
    side_by_side,
)
from twinflow.contrib.slim.nets.endings import trunc_normal
from twinflow.graph.variable_scope import variable_scope

_SMALL = {"stride": 2}


def inception_v2_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = "moving_vars"
) -> Any:
    """The scope for `inception_v2`: how its layers are normalised and start."""
    return inception_arg_scope(
        weight_decay, True, batch_norm_var_collection, 0.9997, 0.001
    )


def _mixed(depth, one, three, double, pool, kind="avg"):
    """A mixed layer: 1x1, 3x3 and two 3x3 convolutions, and a pool."""
    first = {"start": 0.09}
    return side_by_side(
        [("Conv2d_0a_1x1", depth(one), [1, 1])],
        [
            ("Conv2d_0a_1x1", depth(three[0]), [1, 1], first),
            ("Conv2d_0b_3x3", depth(three[1]), [3, 3]),
        ],
        [
            ("Conv2d_0a_1x1", depth(double[0]), [1, 1], first),
            ("Conv2d_0b_3x3", depth(double[1]), [3, 3]),
            ("Conv2d_0c_3x3", depth(double[1]), [3, 3]),
        ],
        [(kind,), ("Conv2d_0b_1x1", depth(pool), [1, 1], {"start": 0.1})],
    )


def _halved(depth, three, double):
    """A mixed layer that halves height and width."""
    first = {"start": 0.09}
    return side_by_side(
        [
            ("Conv2d_0a_1x1", depth(three[0]), [1, 1], first),
            ("Conv2d_1a_3x3", depth(three[1]), [3, 3], _SMALL),
        ],
        [
            ("Conv2d_0a_1x1", depth(double[0]), [1, 1], first),
            ("Conv2d_0b_3x3", depth(double[1]), [3, 3]),
            ("Conv2d_1a_3x3", depth(double[1]), [3, 3], _SMALL),
        ],
        [("max", _SMALL)],
    )


def _first(channels, net, name):
    """The first convolution: one of each input channel, then one across them."""
    multiplier = min(int(channels / 3), 8)
    return separable_convolution2d(
        net, channels, [7, 7], depth_multiplier=multiplier, stride=2, padding="SAME",
        weights_initializer=trunc_normal(1.0), scope=name,
    )  # fmt: skip


def _layers(d):
    """The layers, where `d` says how many channels there are for a number."""
    return [
        ("Conv2d_1a_7x7", functools.partial(_first, d(64))),
        ("MaxPool_2a_3x3", pooled([3, 3])),
        ("Conv2d_2b_1x1", conv(d(64), [1, 1], start=0.1)),
        ("Conv2d_2c_3x3", conv(d(192), [3, 3])),
        ("MaxPool_3a_3x3", pooled([3, 3])),
        ("Mixed_3b", _mixed(d, 64, (64, 64), (64, 96), 32)),
        ("Mixed_3c", _mixed(d, 64, (64, 96), (64, 96), 64)),
        ("Mixed_4a", _halved(d, (128, 160), (64, 96))),
        ("Mixed_4b", _mixed(d, 224, (64, 96), (96, 128), 128)),
        ("Mixed_4c", _mixed(d, 192, (96, 128), (96, 128), 128)),
        ("Mixed_4d", _mixed(d, 160, (128, 160), (128, 160), 96)),
        ("Mixed_4e", _mixed(d, 96, (128, 192), (160, 192), 96)),
        ("Mixed_5a", _halved(d, (128, 192), (192, 256))),
        ("Mixed_5b", _mixed(d, 352, (192, 320), (160, 224), 128)),
        ("Mixed_5c", _mixed(d, 352, (192, 320), (192, 224), 128, "max")),
    ]


def inception_v2_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", min_depth: int = 16,
    depth_multiplier: float = 1.0, scope: Any = None,
) -> Any:  # fmt: skip
    """The convolutions and mixed layers, up to the one that is named.

    Args:
        inputs: float32[batch, height, width, channels].
        final_endpoint: the name of the last layer.
        min_depth: no layer has fewer channels.
        depth_multiplier: how many channels there are, as a part of the usual ones.
        scope: of the variables.
    Returns:
        (what the last layer gave, {name: what a layer gave})
    Raises:
        ValueError: no layer has this name, or the multiplier is not positive.
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    layers = _layers(lambda n: max(int(n * depth_multiplier), min_depth))
    points = Points(final_endpoint, dict(layers))
    kinds = [conv2d, max_pool2d, avg_pool2d, separable_convolution2d]
    with (
        variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope(kinds, stride=1, padding="SAME"),
    ):
        return grown(inputs, layers, points)


def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.8, min_depth: int = 16, depth_multiplier: float = 1.0,
    prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: Any = None,
    scope: Any = "InceptionV2",
) -> Any:  # fmt: skip
    """The whole network, for images of 224 by 224.

    Args:
        inputs: float32[batch, height, width, channels]. num_classes: how many classes.
        is_training: whether normalisation and dropout train.
        dropout_keep_prob: what dropout keeps.
        min_depth, depth_multiplier: see `inception_v2_base`.
        prediction_fn: from logits to predictions.
        spatial_squeeze: drop the dimensions of size 1. reuse, scope: of the variables.
    Returns:
        (logits, {name: what a layer gave}): float32[batch, num_classes].
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    with variable_scope(
        scope, "InceptionV2", [inputs, num_classes], reuse=reuse
    ) as sc, in_training(is_training):  # fmt: skip
        net, points = inception_v2_base(
            inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=sc
        )
        with variable_scope("Logits"):
            kernel = reduced_kernel(net, [7, 7])
            pool = "AvgPool_1a_{}x{}".format(*kernel)
            logits = logits_of(
                net, (pool, "Dropout_1b", "Conv2d_1c_1x1"), kernel, num_classes,
                dropout_keep_prob, spatial_squeeze, points, padding="VALID",
            )  # fmt: skip
        points["Logits"] = logits
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


inception_v2.default_image_size = 224  # type: ignore[attr-defined]
