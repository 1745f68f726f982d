"""Blocks of residual units, which both kinds of residual networks consist of."""

from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.contrib.framework.argument_scopes import add_arg_scope, arg_scope
from twinflow.contrib.layers.batch_normalization import batch_norm
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.initializers import variance_scaling_initializer
from twinflow.contrib.layers.outputs import (
    collect_named_outputs,
    convert_collection_to_dict,
)
from twinflow.contrib.layers.pooling import max_pool2d
from twinflow.contrib.layers.regularizers import l2_regularizer
from twinflow.contrib.layers.simple import softmax
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.nn.activation import relu
from twinflow.ops.variables.collections import GraphKeys

_UNITS = {
    50: (3, 4, 6, 3),
    101: (3, 4, 23, 3),
    152: (3, 8, 36, 3),
    200: (3, 24, 36, 3),
}
_UNREACHED = "The target output_stride cannot be reached."


class Block(NamedTuple):
    """Residual units one after another.

    Attributes:
        scope: its name. unit_fn: the function of a unit.
        args: for each unit its arguments, a dict with depth, depth_bottleneck, stride.
    """

    scope: str
    unit_fn: Callable[..., Any]
    args: Any


def block(scope: str, unit_fn: Callable, base_depth: int, num_units: int, stride: int):
    """A Block in which the last unit has the stride."""
    unit = {"depth": 4 * base_depth, "depth_bottleneck": base_depth, "stride": 1}
    last = unit | {"stride": stride}
    return Block(scope, unit_fn, [unit] * (num_units - 1) + [last])


def blocks_of(layers: int, made: Callable) -> list[Block]:
    """The Blocks of a network of 50, 101, 152 or 200 layers; `made` makes one."""
    rows = zip((64, 128, 256, 512), _UNITS[layers], (2, 2, 2, 1), strict=True)
    return [made(f"block{i}", *row) for i, row in enumerate(rows, 1)]


def subsample(inputs: Any, factor: int, scope: Any = None) -> Any:
    """Every factor-th pixel in height and width."""
    if factor == 1:
        return inputs
    return max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1,
    scope: Any = None,
) -> Any:  # fmt: skip
    """A convolution whose padding does not depend on the size of the image.

    Args:
        inputs: float[batch, height, width, channels]. num_outputs: channels.
        kernel_size, stride, rate: of the convolution, ints. scope: of its variables.
    Returns:
        float[batch, height / stride, width / stride, num_outputs], rounded up.
    """
    if stride == 1:
        return conv2d(
            inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME",
            scope=scope,
        )  # fmt: skip
    total = (kernel_size - 1) * rate
    around = [total // 2, total - total // 2]
    inputs = pad(inputs, [[0, 0], around, around, [0, 0]])
    return conv2d(
        inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID",
        scope=scope,
    )  # fmt: skip


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Any, output_stride: Any = None, outputs_collections: Any = None
) -> Any:
    """Blocks one after another, no more than `output_stride` smaller than the input.

    Args:
        net: float[batch, height, width, channels]. blocks: Blocks.
        output_stride: where it is reached, units have holes in place of a stride.
        outputs_collections: where what each block gives is kept.
    Returns:
        float[batch, height', width', channels']
    Raises:
        ValueError: the stride cannot be had.
    """
    stride = rate = 1
    for one in blocks:
        with variable_scope(one.scope, "block", [net]) as sc:
            for i, unit in enumerate(one.args, 1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError(_UNREACHED)
                with variable_scope(f"unit_{i}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = one.unit_fn(net, rate=rate, **(unit | {"stride": 1}))
                        rate *= unit.get("stride", 1)
                    else:
                        net = one.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError(_UNREACHED)
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001, batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-05, batch_norm_scale: bool = True,
) -> Any:  # fmt: skip
    """The scope for residual networks: how their layers are normalised and start."""
    parameters = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": GraphKeys.UPDATE_OPS,
    }
    with (
        arg_scope(
            [conv2d], weights_regularizer=l2_regularizer(weight_decay),
            weights_initializer=variance_scaling_initializer(), activation_fn=relu,
            normalizer_fn=batch_norm, normalizer_params=parameters,
        ),
        arg_scope([batch_norm], **parameters),
        arg_scope([max_pool2d], padding="SAME") as scope,
    ):  # fmt: skip
        return scope


def _stem(net, output_stride, settings):
    """The first convolution and pool, and the stride that is left for the blocks."""
    if output_stride is not None:
        if output_stride % 4:
            raise ValueError("The output_stride needs to be a multiple of 4.")
        output_stride //= 4
    with arg_scope([conv2d], **settings):
        net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
    return max_pool2d(net, [3, 3], stride=2, scope="pool1"), output_stride


def resnet(
    inputs: Any, blocks: Any, unit: Callable, stem: dict, finish: Callable,
    options: dict, name: str,
) -> Any:  # fmt: skip
    """A residual network.

    Args:
        unit: the function of its units. stem: settings of the first convolution.
        finish: what the blocks gave goes through it. name: of the scope by default.
        options: the arguments of resnet_v1 by name.
    """
    scope, num_classes = options["scope"], options["num_classes"]
    with variable_scope(scope, name, [inputs], reuse=options["reuse"]) as sc:
        collection = f"{sc.original_name_scope}_end_points"
        kinds = [conv2d, unit, stack_blocks_dense]
        with (
            arg_scope(kinds, outputs_collections=collection),
            arg_scope([batch_norm], is_training=options["is_training"]),
        ):
            net, stride = inputs, options["output_stride"]
            if options["include_root_block"]:
                net, stride = _stem(net, stride, stem)
            net = finish(stack_blocks_dense(net, blocks, stride))
            if options["global_pool"]:
                net = reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                net = conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                    scope="logits",
                )  # fmt: skip
            points = convert_collection_to_dict(collection)
            if num_classes is not None:
                points["predictions"] = softmax(net, scope="predictions")
            return net, points
