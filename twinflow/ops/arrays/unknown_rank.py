"""Functions of tensors whose number of axes only the run knows."""

from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import reshape, shape


def on_last_axes(function, x, count):
    """`function` of `x`, with the axes before the last `count` as one for the while.

    Args:
        function: ``tensor[n, ...] -> tensor[n, ...]``, of `count` + 1 axes.
        x: a tensor of unknown rank. count: how many axes the function works on.
    """
    s = shape(x)
    lead = reduce_prod(s[:-count])
    y = function(reshape(x, stack([lead, *(s[i] for i in range(-count, 0))])))
    return reshape(y, concat([s[:-count], shape(y)[1:]], 0))


def on_first_axes(function, x, count):
    """`function` of `x`, with the axes after the first `count` as one for the while.

    Args:
        function: ``tensor[..., n] -> tensor[..., n]`` of the same shape.
        x: a tensor of unknown rank. count: how many axes the function works on.
    """
    s = shape(x)
    rest = reduce_prod(s[count:])
    y = function(reshape(x, stack([*(s[i] for i in range(count)), rest])))
    return reshape(y, s)
