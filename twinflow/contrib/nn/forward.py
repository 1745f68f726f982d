"""Derivatives along a direction, by two ways back."""

from typing import Any

from twinflow.graph.gradients import gradients
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros_like


def fwd_gradients(
    ys: Any, xs: Any, grad_xs: Any = None, assert_unused: bool = False
) -> Any:
    """The derivatives of `ys` along a direction in `xs`.

    The gradient is linear in what comes in, so its own gradient is the derivative.

    Args:
        ys, xs: lists of float tensors of a graph.
        grad_xs: the direction, like `xs`; ones if not given.
        assert_unused: whether what stands in for the gradients of `ys` is nan, which
            shows in results that depend on it.
    Returns:
        A list of tensors like `ys`; None where `xs` do not matter.
    """
    nothing = float("nan") if assert_unused else 0.0
    stand_in = [zeros_like(y) + nothing for y in ys]
    backward = gradients(ys, xs, grad_ys=stand_in)
    directions = [ones_like(x) for x in xs] if grad_xs is None else grad_xs
    pairs = [
        (convert_to_tensor(d), convert_to_tensor(direction, dtype=x.dtype))
        for d, direction, x in zip(backward, directions, xs, strict=True)
        if d is not None
    ]
    if not pairs:
        return [None] * len(ys)
    found, along = map(list, zip(*pairs))
    return gradients(found, stand_in, grad_ys=along)
