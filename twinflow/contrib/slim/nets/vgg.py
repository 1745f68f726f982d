"""The networks of Simonyan and Zisserman (2015)."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.pooling import max_pool2d
from twinflow.contrib.layers.regularizers import l2_regularizer
from twinflow.contrib.layers.simple import repeat
from twinflow.contrib.slim.nets.endings import classified, collecting, finished
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers_plain import Zeros

_CHANNELS = (64, 128, 256, 512, 512)


def vgg_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The scope for the networks: how their layers are regularised and start."""
    with (
        arg_scope(
            [conv2d, fully_connected], activation_fn=relu,
            weights_regularizer=l2_regularizer(weight_decay),
            biases_initializer=Zeros(),
        ),
        arg_scope([conv2d], padding="SAME") as scope,
    ):  # fmt: skip
        return scope


def _vgg(inputs, repeats, num_classes, is_training, keep, spatial_squeeze, scope, name):
    """A network with `repeats` convolutions at each of five sizes."""
    with variable_scope(scope, name, [inputs]) as sc:
        points = f"{sc.name}_end_points"
        with collecting(points, conv2d, fully_connected, max_pool2d):
            net = inputs
            for i, (times, n) in enumerate(zip(repeats, _CHANNELS, strict=True), 1):
                net = repeat(net, times, conv2d, n, [3, 3], scope=f"conv{i}")
                net = max_pool2d(net, [2, 2], scope=f"pool{i}")
            last = {"activation_fn": None, "normalizer_fn": None}
            heads = [
                (4096, [7, 7], "fc6", {"padding": "VALID"}),
                (4096, [1, 1], "fc7", {}),
                (num_classes, [1, 1], "fc8", last),
            ]
            net = classified(net, heads, is_training, keep)
        return finished(net, points, sc.name, spatial_squeeze, "fc8")


def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True, scope: Any = "vgg_a",
) -> Any:  # fmt: skip
    """Eleven layers, for images of 224 by 224.

    Args:
        inputs: float32[batch, height, width, channels]. num_classes: how many classes.
        is_training: whether dropout is active. dropout_keep_prob: what it keeps.
        spatial_squeeze: drop the dimensions of size 1. scope: of the variables.
    Returns:
        (logits, {name: what a layer gave}): float32[batch, num_classes].
    """
    return _vgg(
        inputs, (1, 1, 2, 2, 2), num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope, "vgg_a",
    )  # fmt: skip


def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True, scope: Any = "vgg_16",
) -> Any:  # fmt: skip
    """Sixteen layers; see `vgg_a`."""
    return _vgg(
        inputs, (2, 2, 3, 3, 3), num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope, "vgg_16",
    )  # fmt: skip


def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True, scope: Any = "vgg_19",
) -> Any:  # fmt: skip
    """Nineteen layers; see `vgg_a`."""
    return _vgg(
        inputs, (2, 2, 4, 4, 4), num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope, "vgg_19",
    )  # fmt: skip


for _network in (vgg_a, vgg_16, vgg_19):
    _network.default_image_size = 224  # type: ignore[attr-defined]
vgg_d, vgg_e = vgg_16, vgg_19
