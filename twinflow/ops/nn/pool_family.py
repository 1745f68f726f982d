"""Pooling by description: the op, its gradient, and the gradient of that.

All have the attributes ksize, strides, padding and data_format: their layout. Two of
these are inputs of the ops of version 2.
"""

from collections.abc import Callable
from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import pool_windows, xla_pool
from twinflow.ops.nn.window import as_ints


def check_grad(wanted, dy):
    """Raise InferError unless `dy` has the shape of the pooled tensor."""
    found = dy._shape
    if found is None:
        return
    fits = len(found) == len(wanted) and all(
        None in (w, f) or w == f for w, f in zip(wanted, found, strict=True)
    )
    if not fits:
        raise InferError(
            f"Expected grad shape to be {list(wanted)}, but got {list(found)}"
        )


def apply_pool(op, inputs, ksize, strides, padding, data_format, name=None):
    """Call a pooling op."""
    attrs = {
        "ksize": ksize, "strides": strides, "padding": padding,
        "data_format": data_format,
    }  # fmt: skip
    return apply(op, inputs, attrs, name)


def call_pool(op, value, ksize, strides, padding, data_format, name, function):
    """Call a pooling op as its public `function` does."""
    ksize = as_ints(ksize, "ksize", function)
    strides = as_ints(strides, "strides", function)
    return apply_pool(op, (value,), ksize, strides, padding, data_format, name)


def zeros_of_input(orig_input):
    """The gradient of what a gradient is the gradient at: it has none."""
    return zeros_like(orig_input)


def zeros_of_output(orig_output):
    """The same for the output."""
    return zeros_like(orig_output)


def define_max(
    name: str, version: str, pooled: Callable, call: Callable = apply_pool,
    wrapped: Callable = lambda kernel: kernel, types: Any = (None,) * 3, **facts: Any,
) -> tuple[Op, Op, Op]:  # fmt: skip
    """Define the three ops of the largest entry of each window.

    Args:
        name, version: "MaxPool" and "V2" make MaxPoolV2, MaxPoolGradV2 and
            MaxPoolGradGradV2.
        pooled: ``(op type, shape, *sizes, **layout) -> shape``, of the result.
        call: as `apply_pool`. wrapped: what makes a kernel of one with this layout.
        types: of each op. facts: see base.op.
    """
    ends = ("", "Grad", "GradGrad")
    first, second, third = (f"{name}{end}{version}" for end in ends)

    def slope(dy, input, output, ksize, strides, padding, data_format):
        return call(grad, (input, output, dy), ksize, strides, padding, data_format)

    def through(inverse):
        def rule(dy, orig_input, orig_output, ksize, strides, padding, data_format):
            inputs = (orig_input, orig_output, dy)
            return call(inverse(), inputs, ksize, strides, padding, data_format)

        return [zeros_of_input, zeros_of_output, rule]

    op = define(
        first,
        infer=_infer(first, pooled),
        kernel=lambda xp: wrapped(pool_windows.max_pool),
        lower=lambda jax: wrapped(xla_pool.max_pool(jax)),
        types=types[0],
        grad=[slope],
        **facts,
    )
    grad = define(
        second,
        infer=_infer_grad(second, pooled),
        kernel=lambda xp: wrapped(pool_windows.max_pool_grad),
        lower=lambda jax: wrapped(xla_pool.max_pool_grad(jax)),
        types=types[1],
        grad=through(lambda: grad_grad),
        **facts,
    )
    grad_grad = define(
        third,
        infer=_infer_grad_grad(third, pooled),
        kernel=lambda xp: wrapped(pool_windows.max_pool_grad_grad),
        lower=lambda jax: wrapped(xla_pool.max_pool_grad_grad(jax)),
        types=types[2],
        grad=through(lambda: grad),
        **facts,
    )
    return op, grad, grad_grad


def _infer(op_type, pooled):
    return lambda x, *sizes, **layout: pooled(op_type, x._shape, *sizes, **layout)


def _infer_grad(op_type, pooled):
    def infer(x, y, dy, *sizes, **layout):
        out = pooled(op_type, x._shape, *sizes, **layout)
        check_grad(out, y)
        check_grad(out, dy)
        return x._shape

    return infer


def _infer_grad_grad(op_type, pooled):
    def infer(x, y, dx, *sizes, **layout):
        out = pooled(op_type, x._shape, *sizes, **layout)
        check_grad(out, y)
        if x._shape is not None:
            check_grad(x._shape, dx)
        return out

    return infer


def define_avg(
    name: str, rank: int, pooled: Callable, slope: Callable
) -> tuple[Op, Op]:
    """Define the mean of each window and its gradient.

    Args:
        name: "AvgPool" makes AvgPoolGrad too. rank: of the input.
        pooled: see define_max. slope: the gradient rule, which calls the second op.
    """

    def infer_grad(shape, dy, **layout):
        s = (None,) * rank if shape is None else ints(shape)
        check_grad(pooled(f"{name}Grad", s, **layout), dy)
        return s

    op = define(
        name,
        infer=_infer(name, pooled),
        kernel=lambda xp: pool_windows.avg_pool,
        lower=xla_pool.avg_pool,
        grad=[slope],
    )
    grad = define(
        f"{name}Grad",
        on_host="orig_input_shape",
        infer=infer_grad,
        kernel=lambda xp: pool_windows.avg_pool_grad,
        lower=xla_pool.avg_pool_grad,
        grad=[
            lambda dy, ksize, strides, padding, data_format: apply_pool(
                op, (dy,), ksize, strides, padding, data_format
            )
        ],
    )
    return op, grad
