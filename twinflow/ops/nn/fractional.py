"""Pooling by fractions: windows of two sizes in random or pseudo-random order.

The borders of the windows along an axis are an increasing sequence from 0 to its size;
windows that overlap share their borders. What uses the sequences runs on the host. The
ops named Twin are the transposes of the gradients, in TensorFlow's absence of a second
derivative.

Reference: Graham, Fractional Max-Pooling (2014), section 2.
"""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.dtypes import float32, float64, int32, int64
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ints, ranked, text
from twinflow.ops.nn import fractional_windows as nn_fractional
from twinflow.ops.nn.pool_family import check_grad, zeros_of_input, zeros_of_output
from twinflow.ops.nn.window import check_length
from twinflow.ops.random import philox
from twinflow.ops.random.streams import Stream, define_draw, draw

_TYPES = frozenset((float32, float64, int32, int64))
_SEQUENCES = "row_pooling_sequence: int64, col_pooling_sequence: int64"


# ------------------------------------------------------------------ forward
def _infer(op):
    def infer(value, pooling_ratio, **_):
        check_length(op, "pooling_ratio", pooling_ratio, 4)
        n, h, w, c = ranked(value._shape, 4, "tensor_in must be 4-dimensional")
        if pooling_ratio[0] != 1 or pooling_ratio[3] != 1:
            raise InferError(
                "Fractional pooling is not yet supported on the batch nor channel "
                "dimension."
            )
        h, w = (_count(d, r) for d, r in zip((h, w), pooling_ratio[1:3]))
        ends = [None if d is None else d + 1 for d in (h, w)]
        return [(n, h, w, c), (ends[0],), (ends[1],)]

    return infer


def _count(size, ratio):
    """How many windows there are along an axis."""
    if size is None:
        return None
    found = int(size / ratio) if ratio else 0
    if not 1 <= found <= size:
        raise InferError(
            f"pooling_ratio must be from 1 to the size of the axis, {size}, got {ratio}"
        )
    return found


def _drawn(pool):
    def run(xp, key, position, value, pooling_ratio, pseudo_random, overlapping,
            deterministic):  # fmt: skip
        position = 0 if deterministic else position
        sizes = value.shape[1:3]
        counts = [_count(n, r) for n, r in zip(sizes, pooling_ratio[1:3])]
        words = philox.uniform(np, key, position, (2, max(counts)), np.float64)
        rows, cols = (
            nn_fractional.sequence(n, k, pseudo_random, row)
            for n, k, row in zip(sizes, counts, words)
        )
        return pool(value, rows, cols, overlapping), rows, cols

    return run


def _with_attr(op, inputs, overlapping):
    return apply(op, inputs, {"overlapping": overlapping})


def _max_slope(d_output, value, output, row_pooling_sequence, col_pooling_sequence,
               overlapping):  # fmt: skip
    if d_output is None:
        return None
    inputs = (value, output, d_output, row_pooling_sequence, col_pooling_sequence)
    return _with_attr(FractionalMaxPoolGrad, inputs, overlapping)


def _avg_slope(d_output, shape_value, row_pooling_sequence, col_pooling_sequence,
               overlapping):  # fmt: skip
    if d_output is None:
        return None
    inputs = (shape_value, d_output, row_pooling_sequence, col_pooling_sequence)
    return _with_attr(FractionalAvgPoolGrad, inputs, overlapping)


def _define(op, pool, slope):
    return define_draw(
        op, infer=_infer(op), draw=_drawn(pool), grad=[slope], host=True, none_ok=True
    )


_MaxPool = _define("FractionalMaxPool", nn_fractional.largest, _max_slope)
_AvgPool = _define("FractionalAvgPool", nn_fractional.mean, _avg_slope)


# ------------------------------------------------------------------ backward
def _on_host(line, infer, kernel, grad, **facts):
    return define(line, infer=infer, grad=grad, host=kernel, **facts)


def _transpose(line, *facts):
    """An op that TensorFlow has not."""
    line = f"{line}, {_SEQUENCES}) -> (output: T); overlapping=False"
    return _on_host(line, *facts, types=_TYPES)


def _inverse(find):
    def rule(dy, orig_input, orig_output, row_pooling_sequence, col_pooling_sequence,
             overlapping):  # fmt: skip
        inputs = (orig_input, orig_output, dy, row_pooling_sequence,
                  col_pooling_sequence)  # fmt: skip
        return _with_attr(find(), inputs, overlapping)

    return rule


def _infer_max_grad(orig_input, orig_output, dy, rows, cols, **_):
    n, _, _, c = _four(orig_input)
    wanted = (n, _line_less_one(rows), _line_less_one(cols), c)
    check_grad(wanted, orig_output)
    check_grad(wanted, dy)
    return orig_input._shape


def _check_sequences(orig_input, orig_output, dy, rows, cols, **_):
    return _bad_sequences(orig_input.shape, rows, cols)


FractionalMaxPoolGrad = _on_host(
    "FractionalMaxPoolGrad",
    _infer_max_grad,
    nn_fractional.max_grad,
    [zeros_of_input, zeros_of_output, _inverse(lambda: FractionalMaxPick)],
    check=_check_sequences,
)
FractionalMaxPick = _transpose(
    "TwinFractionalMaxPick(orig_input: T, orig_output: T, values: T",
    lambda orig_input, orig_output, *_, **__: orig_output._shape,
    nn_fractional.max_pick,
    [zeros_of_input, zeros_of_output, _inverse(lambda: FractionalMaxPoolGrad)],
)


def _infer_shape(shape, dy, rows, cols, **_):
    message = "original input tensor shape must have 4 elements, got {}"
    s = ranked(None if shape is None else ints(shape), 4, message)
    _, h, w, _ = _infer_mean(dy, rows, cols)
    check_grad((s[0], h, w, s[3]), dy)
    return s


def _mean_slope(dy, row_pooling_sequence, col_pooling_sequence, overlapping):
    inputs = (dy, row_pooling_sequence, col_pooling_sequence)
    return _with_attr(FractionalMean, inputs, overlapping)


FractionalAvgPoolGrad = _on_host(
    "FractionalAvgPoolGrad",
    _infer_shape,
    nn_fractional.mean_grad,
    [_mean_slope],
    check=lambda shape, dy, rows, cols, **_: _bad_sequences(ints(shape), rows, cols),
    on_host="orig_input_tensor_shape",
)


def _line(sequence):
    """The length of a pooling sequence, as far as known."""
    message = "A pooling sequence must be a vector, got shape {}"
    return ranked(sequence._shape, 1, message)[0]


def _line_less_one(sequence):
    n = _line(sequence)
    return None if n is None else n - 1


def _bad_sequences(shape, rows, cols):
    """What is wrong with pooling sequences for an image of this shape, or None."""
    for sequence, size in ((rows, shape[1]), (cols, shape[2])):
        good = len(sequence) and sequence[0] == 0 and sequence[-1] == size
        if not good or np.any(sequence[1:] <= sequence[:-1]):
            return (
                f"A pooling sequence must rise from 0 to {size}, got "
                f"{text(sequence.tolist())}"
            )
    return None


def _four(value):
    return ranked(value._shape, 4, "tensor_in must be 4-dimensional, got shape {}")


def _infer_mean(value, rows, cols, **_):
    n, _, _, c = _four(value)
    return (n, _line_less_one(rows), _line_less_one(cols), c)


def _mean_back(dy, shape_value, row_pooling_sequence, col_pooling_sequence,
               overlapping):  # fmt: skip
    inputs = (shape_value, dy, row_pooling_sequence, col_pooling_sequence)
    return _with_attr(FractionalAvgPoolGrad, inputs, overlapping)


FractionalMean = _transpose(
    "TwinFractionalMean(value: T",
    _infer_mean,
    nn_fractional.mean,
    [_mean_back],
)


# ------------------------------------------------------------------ public
class FractionalMaxPool(NamedTuple):
    """The largest entries, and the borders of the windows."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


class FractionalAvgPool(NamedTuple):
    """The means, and the borders of the windows."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


def _pool(op, value, pooling_ratio, pseudo_random, overlapping, deterministic, seed,
          seed2, name):  # fmt: skip
    attrs = {
        "pooling_ratio": tuple(float(r) for r in pooling_ratio),
        "pseudo_random": bool(pseudo_random), "overlapping": bool(overlapping),
        "deterministic": bool(deterministic),
    }  # fmt: skip
    if not (seed or seed2):
        return draw(op, (value,), attrs, None, name)
    if not deterministic:
        message = "Both seed and seed2 should be 0 if deterministic is false."
        raise InvalidArgumentError(None, None, message)
    seeds = {"seed": seed, "seed2": seed2, "stream": Stream((seed, seed2))}
    return apply(op, (value,), {**attrs, **seeds}, name)


def fractional_max_pool(
    value: TensorValue, pooling_ratio: Any, pseudo_random: bool = False,
    overlapping: bool = False, deterministic: bool = False, seed: int | None = 0,
    seed2: int | None = 0, name: str | None = None,
) -> FractionalMaxPool:  # fmt: skip
    """The largest entry of windows whose sizes make up a fraction on average.

    Args:
        value: float or int[batch, height, width, channels].
        pooling_ratio: 4 numbers >= 1, 1 for batch and channels: the size of the input
            divided by that of the output.
        pseudo_random: draw one number for the order of the sizes, not the whole order.
        overlapping: let windows take the first entry of the next one.
        deterministic: draw the same at each execution.
        seed, seed2: ints; not 0 only if deterministic, for sequences of their own.
        name: the name of the call.
    Returns:
        (output, row_pooling_sequence, col_pooling_sequence), the last two int64: where
        windows begin, and where the last one ends
    Raises:
        tf.errors.InvalidArgumentError: `value` has not 4 axes, or is too small.
    Example:
        y, rows, columns = tf.nn.fractional_max_pool(
            tf.ones([1, 6, 6, 1]), [1., 1.5, 1.5, 1.])
        y.shape  # (1, 4, 4, 1)
    """
    drawn = (pseudo_random, overlapping, deterministic, seed, seed2)
    return FractionalMaxPool(*_pool(_MaxPool, value, pooling_ratio, *drawn, name))


def fractional_avg_pool(
    value: TensorValue, pooling_ratio: Any, pseudo_random: bool = False,
    overlapping: bool = False, deterministic: bool = False, seed: int | None = 0,
    seed2: int | None = 0, name: str | None = None,
) -> FractionalAvgPool:  # fmt: skip
    """The mean of windows whose sizes make up a fraction on average.

    Args:
        value: float or int[batch, height, width, channels].
        pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name: see
            `fractional_max_pool`.
    Returns:
        (output, row_pooling_sequence, col_pooling_sequence)
    Raises:
        tf.errors.InvalidArgumentError: `value` has not 4 axes, or is too small.
    Example:
        y, rows, columns = tf.nn.fractional_avg_pool(
            tf.ones([1, 6, 6, 1]), [1., 1.5, 1.5, 1.])
        y.shape  # (1, 4, 4, 1)
    """
    drawn = (pseudo_random, overlapping, deterministic, seed, seed2)
    return FractionalAvgPool(*_pool(_AvgPool, value, pooling_ratio, *drawn, name))
