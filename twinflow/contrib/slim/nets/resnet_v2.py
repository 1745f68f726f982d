"""Residual networks with preactivation (He, Zhang, Ren and Sun, 2016)."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.batch_normalization import batch_norm
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.outputs import collect_named_outputs, last_dimension
from twinflow.contrib.slim.nets.residual import (
    Block,
    block,
    blocks_of,
    conv2d_same,
    resnet,
    resnet_arg_scope,
    subsample,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.nn.activation import relu

__all__ = [
    "bottleneck", "resnet_arg_scope", "resnet_v2", "resnet_v2_50", "resnet_v2_101",
    "resnet_v2_152", "resnet_v2_200", "resnet_v2_block",
]  # fmt: skip
_PLAIN = {"activation_fn": None, "normalizer_fn": None}


def _normalized(net):
    return batch_norm(net, activation_fn=relu, scope="postnorm")


@add_arg_scope
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
    outputs_collections: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """A residual unit of three convolutions, the middle one with fewer channels.

    Args:
        inputs: float[batch, height, width, channels]. depth: channels of the result.
        depth_bottleneck: channels in the middle. stride, rate: of the middle one.
        outputs_collections: where the result is kept. scope: of the variables.
    Returns:
        float[batch, height / stride, width / stride, depth]
    """
    with variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
        none = {"normalizer_fn": None, "activation_fn": None}
        active = batch_norm(inputs, activation_fn=relu, scope="preact")
        if depth == last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(
                active, depth, [1, 1], stride=stride, scope="shortcut", **none
            )
        net = conv2d(active, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        net = conv2d_same(net, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        net = conv2d(net, depth, [1, 1], stride=1, scope="conv3", **none)
        output = shortcut + net
        return collect_named_outputs(outputs_collections, sc.name, output)


def resnet_v2(
    inputs: Any, blocks: Any, num_classes: Any = None, is_training: Any = True,
    global_pool: bool = True, output_stride: Any = None,
    include_root_block: bool = True,
    reuse: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """A residual network of the blocks given.

    Args:
        inputs: float32[batch, height, width, channels]. blocks: a list of Blocks.
        num_classes: how many classes; None for no logits.
        is_training: whether normalisation trains.
        global_pool: take the mean over the image.
        output_stride: how much smaller than the input the last image is at most.
        include_root_block: begin with a convolution and a pool.
        reuse, scope: of the variables.
    Returns:
        (logits or features, {name: what a layer gave})
    Raises:
        ValueError: the output stride cannot be had.
    """
    options = {
        "num_classes": num_classes, "is_training": is_training, "scope": scope,
        "global_pool": global_pool, "output_stride": output_stride, "reuse": reuse,
        "include_root_block": include_root_block,
    }  # fmt: skip
    return resnet(
        inputs, blocks, bottleneck, _PLAIN, _normalized,
        options, "resnet_v2",
    )  # fmt: skip


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A Block of `bottleneck` units, of which the last one has the stride."""
    return block(scope, bottleneck, base_depth, num_units, stride)


def resnet_v2_50(
    inputs: Any, num_classes: Any = None, is_training: Any = True,
    global_pool: bool = True, output_stride: Any = None, reuse: Any = None,
    scope: Any = "resnet_v2_50",
) -> Any:  # fmt: skip
    """The network of 50 layers; see `resnet_v2`."""
    return resnet_v2(blocks=blocks_of(50, resnet_v2_block), **locals())


def resnet_v2_101(
    inputs: Any, num_classes: Any = None, is_training: Any = True,
    global_pool: bool = True, output_stride: Any = None, reuse: Any = None,
    scope: Any = "resnet_v2_101",
) -> Any:  # fmt: skip
    """The network of 101 layers; see `resnet_v2`."""
    return resnet_v2(blocks=blocks_of(101, resnet_v2_block), **locals())


def resnet_v2_152(
    inputs: Any, num_classes: Any = None, is_training: Any = True,
    global_pool: bool = True, output_stride: Any = None, reuse: Any = None,
    scope: Any = "resnet_v2_152",
) -> Any:  # fmt: skip
    """The network of 152 layers; see `resnet_v2`."""
    return resnet_v2(blocks=blocks_of(152, resnet_v2_block), **locals())


def resnet_v2_200(
    inputs: Any, num_classes: Any = None, is_training: Any = True,
    global_pool: bool = True, output_stride: Any = None, reuse: Any = None,
    scope: Any = "resnet_v2_200",
) -> Any:  # fmt: skip
    """The network of 200 layers; see `resnet_v2`."""
    return resnet_v2(blocks=blocks_of(200, resnet_v2_block), **locals())
