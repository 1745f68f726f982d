"""What the networks have in common: their scopes and how they end."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import arg_scope
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.outputs import convert_collection_to_dict
from twinflow.contrib.layers.pooling import max_pool2d
from twinflow.contrib.layers.simple import dropout
from twinflow.ops.core.shape import squeeze
from twinflow.ops.random.initializers_plain import TruncatedNormal


def trunc_normal(stddev: float) -> Any:
    """Normal numbers of a standard deviation, none beyond two of it."""
    return TruncatedNormal(0.0, stddev)


def collecting(name: str, *functions: Any) -> Any:
    """A scope in which what layers give is kept under the name of a collection."""
    kinds = functions or (conv2d, max_pool2d)
    return arg_scope(list(kinds), outputs_collections=[name])


def classified(net: Any, heads: Any, is_training: Any, keep: float) -> Any:
    """Dense layers as convolutions with dropout between them.

    Args:
        heads: (outputs, kernel, scope of the layer, settings) for each.
    """
    for i, (outputs, kernel, scope, settings) in enumerate(heads):
        if i:
            net = dropout(net, keep, is_training=is_training, scope=f"dropout{5 + i}")
        net = conv2d(net, outputs, kernel, scope=scope, **settings)
    return net


def finished(net: Any, collection: str, scope: Any, spatial_squeeze: bool, key: str):
    """The logits, squeezed if wanted, and what the layers gave by name."""
    points = convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = squeeze(net, [1, 2], name=f"{key}/squeezed")
        points[f"{scope}/{key}"] = net
    return net, points
