"""OverFeat (Sermanet and others, 2014)."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.pooling import max_pool2d
from twinflow.contrib.layers.regularizers import l2_regularizer
from twinflow.contrib.slim.nets.endings import (
    classified,
    collecting,
    finished,
    trunc_normal,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers_plain import Constant, Zeros


def overfeat_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The scope for `overfeat`: how its layers are regularised and start."""
    with (
        arg_scope(
            [conv2d, fully_connected], activation_fn=relu,
            weights_regularizer=l2_regularizer(weight_decay),
            biases_initializer=Zeros(),
        ),
        arg_scope([conv2d], padding="SAME"),
        arg_scope([max_pool2d], padding="VALID") as scope,
    ):  # fmt: skip
        return scope


def overfeat(
    inputs: Any, num_classes: int = 1000, is_training: Any = True,
    dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True,
    scope: Any = "overfeat",
) -> Any:  # fmt: skip
    """Five convolutions and three dense layers, for images of 231 by 231.

    Args:
        inputs: float32[batch, height, width, channels]. num_classes: how many classes.
        is_training: whether dropout is active. dropout_keep_prob: what it keeps.
        spatial_squeeze: drop the dimensions of size 1. scope: of the variables.
    Returns:
        (logits, {name: what a layer gave}): float32[batch, num_classes].
    """
    with variable_scope(scope, "overfeat", [inputs]) as sc:
        points = f"{sc.name}_end_points"
        with collecting(points, conv2d, fully_connected, max_pool2d):
            net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = max_pool2d(net, [2, 2], scope="pool1")
            net = conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = max_pool2d(net, [2, 2], scope="pool2")
            net = conv2d(net, 512, [3, 3], scope="conv3")
            net = conv2d(net, 1024, [3, 3], scope="conv4")
            net = conv2d(net, 1024, [3, 3], scope="conv5")
            net = max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [conv2d], weights_initializer=trunc_normal(0.005),
                biases_initializer=Constant(0.1),
            ):  # fmt: skip
                last = {
                    "activation_fn": None,
                    "normalizer_fn": None,
                    "biases_initializer": Zeros(),
                }
                heads = [
                    (3072, [6, 6], "fc6", {"padding": "VALID"}),
                    (4096, [1, 1], "fc7", {}),
                    (num_classes, [1, 1], "fc8", last),
                ]
                net = classified(net, heads, is_training, dropout_keep_prob)
        return finished(net, points, sc.name, spatial_squeeze, "fc8")
