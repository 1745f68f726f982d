# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.slim.nets.residual import Block as Block
from twinflow.contrib.slim.nets.residual import conv2d_same as conv2d_same
from twinflow.contrib.slim.nets.residual import resnet_arg_scope as resnet_arg_scope
def stack_blocks_dense(net: Any, blocks: Any, output_stride: Any = ..., outputs_collections: Any = ...) -> Any:
    r"""Blocks one after another, no more than `output_stride` smaller than the input.

    Args:
        net: float[batch, height, width, channels]. blocks: Blocks.
        output_stride: where it is reached, units have holes in place of a stride.
        outputs_collections: where what each block gives is kept.
    Returns:
        float[batch, height', width', channels']
    Raises:
        ValueError: the stride cannot be had.
    """
from twinflow.contrib.slim.nets.residual import subsample as subsample

__all__ = [
"Block", "conv2d_same", "resnet_arg_scope", "stack_blocks_dense", "subsample"
]
