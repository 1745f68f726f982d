"""The mixed layers of the inception networks: branches side by side.

A branch is a list of layers, each (scope, channels, kernel) with settings of the layer
behind, where it needs some; a branch that begins with "max" or "avg" pools first.
"""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.batch_normalization import batch_norm
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.initializers import variance_scaling_initializer
from twinflow.contrib.layers.pooling import avg_pool2d, max_pool2d
from twinflow.contrib.layers.regularizers import l2_regularizer
from twinflow.contrib.layers.simple import dropout
from twinflow.contrib.slim.nets.endings import trunc_normal
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import squeeze
from twinflow.ops.nn.activation import relu
from twinflow.ops.variables.collections import GraphKeys

POOLS = {"max": (max_pool2d, "MaxPool"), "avg": (avg_pool2d, "AvgPool")}


class Points(dict):
    """What the layers of a network gave by name, up to the one that ends it."""

    def __init__(self, final: str, names: Any):
        super().__init__()
        if final not in names:
            raise ValueError(f"Unknown final endpoint {final}")
        self.final = final

    def add(self, name: str, value: Any) -> bool:
        """Keep the value of a layer: whether the network ends with it."""
        self[name] = value
        return name == self.final


def layer(net: Any, scope: str, channels: int, kernel: Any, **settings: Any) -> Any:
    """A convolution; `start` is the standard deviation of its weights."""
    start = settings.pop("start", None)
    if start is not None:
        settings["weights_initializer"] = trunc_normal(start)
    return conv2d(net, channels, kernel, scope=scope, **settings)


def branch(net: Any, layers: Any) -> Any:
    """The layers of a branch one after another."""
    for entry in layers:
        if isinstance(entry[0], tuple):  # two side by side
            net = concat([branch(net, [one]) for one in entry], 3)
            continue
        first, *rest = entry
        if first in POOLS:
            function, name = POOLS[first]
            settings = rest[0] if rest else {}
            place = "1a" if settings else "0a"
            net = function(net, [3, 3], scope=f"{name}_{place}_3x3", **settings)
        else:
            settings = rest[2] if len(rest) > 2 else {}
            net = layer(net, first, rest[0], rest[1], **settings)
    return net


def mixed(net: Any, name: str, branches: Any) -> Any:
    """Branches side by side, joined along the channels."""
    with variable_scope(name):
        found = []
        for i, layers in enumerate(branches):
            with variable_scope(f"Branch_{i}"):
                found.append(branch(net, layers))
        return concat(found, 3)


def grown(net: Any, layers: Any, points: Points) -> Any:
    """Layers and mixed layers one after another, up to that which ends the network.

    Args:
        layers: (name, function of the network so far) for each.
    """
    for name, function in layers:
        net = function(net, name)
        if points.add(name, net):
            break
    return net, points


def conv(channels: int, kernel: Any, **settings: Any) -> Callable:
    """For `grown`: a convolution."""
    return lambda net, name: layer(net, name, channels, kernel, **settings)


def pooled(kernel: Any, stride: int = 2, **settings: Any) -> Callable:
    """For `grown`: the largest of each window."""
    return lambda net, name: max_pool2d(
        net, kernel, stride=stride, scope=name, **settings
    )


def side_by_side(*branches: Any) -> Callable:
    """For `grown`: a mixed layer."""
    return lambda net, name: mixed(net, name, branches)


def inception_arg_scope(
    weight_decay: float, use_batch_norm: bool, collection: str, decay: float,
    epsilon: float, updates: Any = GraphKeys.UPDATE_OPS, fused: Any = None,
) -> Any:  # fmt: skip
    """The scope of all three: layers with batch normalisation behind them."""
    collections = dict.fromkeys(("beta", "gamma"))
    moving = {key: [collection] for key in ("moving_mean", "moving_variance")}
    parameters: dict = {
        "decay": decay,
        "epsilon": epsilon,
        "updates_collections": updates,
        "variables_collections": collections | moving,
    }
    if fused is not None:
        parameters["fused"] = fused
    norm = {"normalizer_fn": batch_norm, "normalizer_params": parameters}
    with (
        arg_scope(
            [conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay)
        ),
        arg_scope(
            [conv2d], weights_initializer=variance_scaling_initializer(),
            activation_fn=relu, **(norm if use_batch_norm else {}),
        ) as scope,
    ):  # fmt: skip
        return scope


def reduced_kernel(net: Any, kernel: Any) -> Any:
    """A kernel that is no larger than the image."""
    known = net.shape.as_list()[1:3]
    if None in known:
        return kernel
    return [min(size, k) for size, k in zip(known, kernel, strict=True)]


def logits_of(
    net: Any, names: Any, kernel: Any, num_classes: int, keep: float,
    spatial_squeeze: bool, points: dict, **settings: Any,
) -> Any:  # fmt: skip
    """The logits of what the mixed layers gave: mean, dropout, a number for each class.

    Args:
        names: of the three layers. kernel: of the mean. settings: of it as well.
        points: gets what dropout gave, if they have room for PreLogits.
    """
    pool, drop, last = names
    net = avg_pool2d(net, kernel, scope=pool, **settings)
    net = dropout(net, keep, scope=drop)
    if "PreLogits" in points:
        points["PreLogits"] = net
    logits = conv2d(
        net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=last
    )
    return squeeze(logits, [1, 2], name="SpatialSqueeze") if spatial_squeeze else logits


def in_training(is_training: Any) -> Any:
    """The scope in which normalisation and dropout know whether they train."""
    return arg_scope([batch_norm, dropout], is_training=is_training)
