"""The third inception network (Szegedy and others, 2016)."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.pooling import avg_pool2d, max_pool2d
from twinflow.contrib.layers.simple import softmax
from twinflow.contrib.slim.nets.branches import (
    Points,
    conv,
    grown,
    in_training,
    inception_arg_scope,
    layer,
    logits_of,
    pooled,
    reduced_kernel,
    side_by_side,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.shape import squeeze
from twinflow.ops.variables.collections import GraphKeys

_HALF = {"stride": 2, "padding": "VALID"}


def inception_v3_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997, batch_norm_epsilon: float = 0.001,
    updates_collections: Any = GraphKeys.UPDATE_OPS, use_fused_batchnorm: bool = True,
) -> Any:  # fmt: skip
    """The scope for `inception_v3`: how its layers are normalised and start."""
    return inception_arg_scope(
        weight_decay, True, batch_norm_var_collection, batch_norm_decay,
        batch_norm_epsilon, updates_collections, use_fused_batchnorm,
    )  # fmt: skip


def _small(d, pool, first="Conv2d_0a_1x1", second="Conv2d_0b_5x5"):
    """A mixed layer for images of 35 by 35."""
    return side_by_side(
        [("Conv2d_0a_1x1", d(64), [1, 1])],
        [(first, d(48), [1, 1]), (second, d(64), [5, 5])],
        [
            ("Conv2d_0a_1x1", d(64), [1, 1]),
            ("Conv2d_0b_3x3", d(96), [3, 3]),
            ("Conv2d_0c_3x3", d(96), [3, 3]),
        ],
        [("avg",), ("Conv2d_0b_1x1", d(pool), [1, 1])],
    )


def _long(d, n):
    """A mixed layer of kernels of 7 in one direction."""
    return side_by_side(
        [("Conv2d_0a_1x1", d(192), [1, 1])],
        [
            ("Conv2d_0a_1x1", d(n), [1, 1]),
            ("Conv2d_0b_1x7", d(n), [1, 7]),
            ("Conv2d_0c_7x1", d(192), [7, 1]),
        ],
        [
            ("Conv2d_0a_1x1", d(n), [1, 1]),
            ("Conv2d_0b_7x1", d(n), [7, 1]),
            ("Conv2d_0c_1x7", d(n), [1, 7]),
            ("Conv2d_0d_7x1", d(n), [7, 1]),
            ("Conv2d_0e_1x7", d(192), [1, 7]),
        ],
        [("avg",), ("Conv2d_0b_1x1", d(192), [1, 1])],
    )


def _wide(d, second):
    """A mixed layer in which branches fork."""
    return side_by_side(
        [("Conv2d_0a_1x1", d(320), [1, 1])],
        [
            ("Conv2d_0a_1x1", d(384), [1, 1]),
            (("Conv2d_0b_1x3", d(384), [1, 3]), (second, d(384), [3, 1])),
        ],
        [
            ("Conv2d_0a_1x1", d(448), [1, 1]),
            ("Conv2d_0b_3x3", d(384), [3, 3]),
            (("Conv2d_0c_1x3", d(384), [1, 3]), ("Conv2d_0d_3x1", d(384), [3, 1])),
        ],
        [("avg",), ("Conv2d_0b_1x1", d(192), [1, 1])],
    )


def _halved(d):
    """The two mixed layers that halve height and width."""
    first = side_by_side(
        [("Conv2d_1a_1x1", d(384), [3, 3], _HALF)],
        [
            ("Conv2d_0a_1x1", d(64), [1, 1]),
            ("Conv2d_0b_3x3", d(96), [3, 3]),
            ("Conv2d_1a_1x1", d(96), [3, 3], _HALF),
        ],
        [("max", _HALF)],
    )
    second = side_by_side(
        [
            ("Conv2d_0a_1x1", d(192), [1, 1]),
            ("Conv2d_1a_3x3", d(320), [3, 3], _HALF),
        ],
        [
            ("Conv2d_0a_1x1", d(192), [1, 1]),
            ("Conv2d_0b_1x7", d(192), [1, 7]),
            ("Conv2d_0c_7x1", d(192), [7, 1]),
            ("Conv2d_1a_3x3", d(192), [3, 3], _HALF),
        ],
        [("max", _HALF)],
    )
    return first, second


def _layers(d):
    """The layers, where `d` says how many channels there are for a number."""
    first, second = _halved(d)
    return [
        ("Conv2d_1a_3x3", conv(d(32), [3, 3], stride=2)),
        ("Conv2d_2a_3x3", conv(d(32), [3, 3])),
        ("Conv2d_2b_3x3", conv(d(64), [3, 3], padding="SAME")),
        ("MaxPool_3a_3x3", pooled([3, 3])),
        ("Conv2d_3b_1x1", conv(d(80), [1, 1])),
        ("Conv2d_4a_3x3", conv(d(192), [3, 3])),
        ("MaxPool_5a_3x3", pooled([3, 3])),
        ("Mixed_5b", _small(d, 32)),
        ("Mixed_5c", _small(d, 64, "Conv2d_0b_1x1", "Conv_1_0c_5x5")),
        ("Mixed_5d", _small(d, 64)),
        ("Mixed_6a", first),
        ("Mixed_6b", _long(d, 128)),
        ("Mixed_6c", _long(d, 160)),
        ("Mixed_6d", _long(d, 160)),
        ("Mixed_6e", _long(d, 192)),
        ("Mixed_7a", second),
        ("Mixed_7b", _wide(d, "Conv2d_0b_3x1")),
        ("Mixed_7c", _wide(d, "Conv2d_0c_3x1")),
    ]


def inception_v3_base(
    inputs: Any, final_endpoint: str = "Mixed_7c", min_depth: int = 16,
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
    kinds = [conv2d, max_pool2d, avg_pool2d]
    mixed = next(i for i, (name, _) in enumerate(layers) if name.startswith("Mixed"))
    with variable_scope(scope, "InceptionV3", [inputs]):
        with arg_scope(kinds, stride=1, padding="VALID"):
            net, points = grown(inputs, layers[:mixed], points)
        if final_endpoint in points:
            return net, points
        with arg_scope(kinds, stride=1, padding="SAME"):
            return grown(net, layers[mixed:], points)


def _auxiliary(net, num_classes, spatial_squeeze, d):
    """Logits from the middle of the network, which help its training."""
    with variable_scope("AuxLogits"):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = layer(net, "Conv2d_1b_1x1", d(128), [1, 1])
        kernel = reduced_kernel(net, [5, 5])
        name = "Conv2d_2a_{}x{}".format(*kernel)
        net = layer(net, name, d(768), kernel, start=0.01, padding="VALID")
        net = layer(
            net, "Conv2d_2b_1x1", num_classes, [1, 1], start=0.001, activation_fn=None,
            normalizer_fn=None,
        )  # fmt: skip
        return squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.8, min_depth: int = 16, depth_multiplier: float = 1.0,
    prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: Any = None,
    scope: Any = "InceptionV3",
) -> Any:  # fmt: skip
    """The whole network, for images of 299 by 299.

    Args:
        inputs: float32[batch, height, width, channels]. num_classes: how many classes.
        is_training: whether normalisation and dropout train.
        dropout_keep_prob: what dropout keeps.
        min_depth, depth_multiplier: see `inception_v3_base`.
        prediction_fn: from logits to predictions.
        spatial_squeeze: drop the dimensions of size 1. reuse, scope: of the variables.
    Returns:
        (logits, {name: what a layer gave}): float32[batch, num_classes]; AuxLogits are
        those from the middle of the network.
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")

    def depth(n):
        return max(int(n * depth_multiplier), min_depth)

    kinds = [conv2d, max_pool2d, avg_pool2d]
    with variable_scope(
        scope, "InceptionV3", [inputs, num_classes], reuse=reuse
    ) as sc, in_training(is_training):  # fmt: skip
        net, points = inception_v3_base(
            inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=sc
        )
        with arg_scope(kinds, stride=1, padding="SAME"):
            points["AuxLogits"] = _auxiliary(
                points["Mixed_6e"], num_classes, spatial_squeeze, depth
            )
        points["PreLogits"] = None
        with variable_scope("Logits"):
            kernel = reduced_kernel(net, [8, 8])
            pool = "AvgPool_1a_{}x{}".format(*kernel)
            logits = logits_of(
                net, (pool, "Dropout_1b", "Conv2d_1c_1x1"), kernel, num_classes,
                dropout_keep_prob, spatial_squeeze, points, padding="VALID",
            )  # fmt: skip
        points["Logits"] = logits
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


inception_v3.default_image_size = 299  # type: ignore[attr-defined]
