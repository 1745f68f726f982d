"""Fourier transforms of complex numbers, along the last one, two or three axes."""

import math

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast
from twinflow.ops.core.describe import published
from twinflow.ops.core.elementwise import multiply, realdiv
from twinflow.ops.core.infer import at_least
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import shape
from twinflow.ops.signal import lanes


def with_axes(input, rank):
    """The shape of `input`, which must have `rank` axes or more; None if not known."""
    at_least(
        input._shape, rank, f"Input must have rank of at least {rank} but got: {{}}"
    )
    return input._shape


def count(t, rank):
    """The number of elements in the last `rank` axes, in the dtype of `t`."""
    s = t._shape
    if s is not None and None not in s[-rank:]:
        return float(math.prod(s[-rank:]))
    return cast(reduce_prod(shape(t)[-rank:]), t.dtype)


def _transform(kind, rank):
    """The op and its public function for one direction and number of axes."""
    inverse = kind.startswith(("I", "BatchI"))
    method = "ifftn" if inverse else "fftn"

    def kernel_of(xp):
        function = getattr(xp.fft, method)

        def kernel(input):
            if 0 in input.shape:
                return xp.zeros(input.shape, input.dtype)
            found = lanes.transform(input, rank, inverse) if xp is np else None
            if found is not None:
                return found
            return function(input, axes=tuple(range(-rank, 0)))

        return kernel

    def grad(dy):
        if inverse:
            return realdiv(apply(_forward[rank], (dy,)), count(dy, rank))
        return multiply(apply(_backward[rank], (dy,)), count(dy, rank))

    def infer(input):
        return with_axes(input, rank)

    return define(kind, infer=infer, kernel=quiet(kernel_of), grad=[grad])


_SUFFIX = {1: "", 2: "2D", 3: "3D"}
_forward = {r: _transform(f"FFT{s}", r) for r, s in _SUFFIX.items()}
_backward = {r: _transform(f"IFFT{s}", r) for r, s in _SUFFIX.items()}
for _r, _s in _SUFFIX.items():  # what graphs of before TensorFlow 1.0 hold
    _transform(f"BatchFFT{_s}", _r)
    _transform(f"BatchIFFT{_s}", _r)

_DOC = """{what}, of the last {axes}.

    y[k] = {formula}, {sums}

    Args:
        input: complex[..., {sizes}]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        {example}
    """
_AXES = {1: "axis", 2: "two axes", 3: "three axes"}
_NAMES = {1: "n", 2: "m, n", 3: "l, m, n"}
_EXAMPLES = {
    "fft": "tf.fft(tf.constant([1 + 0j, 2 + 0j]))  # [3+0j, -1+0j]",
    "ifft": "tf.ifft(tf.constant([3 + 0j, -1 + 0j]))  # [1+0j, 2+0j]",
    "fft2d": "tf.fft2d(tf.ones([1, 2], tf.complex64))  # [[2+0j, 0j]]",
    "ifft2d": "tf.ifft2d(tf.ones([1, 2], tf.complex64))  # [[1+0j, 0j]]",
    "fft3d": "tf.fft3d(tf.ones([1, 1, 2], tf.complex64))  # [[[2+0j, 0j]]]",
    "ifft3d": "tf.ifft3d(tf.ones([1, 1, 2], tf.complex64))  # [[[1+0j, 0j]]]",
}


def _public(ops, rank, direction):
    op = ops[rank]

    def transform(input: TensorValue, name: str | None = None) -> Tensor:
        return apply(op, (input,), None, name)

    inverse = direction == "ifft"
    name = direction + {1: "", 2: "2d", 3: "3d"}[rank]
    doc = _DOC.format(
        what="The inverse Fourier transform" if inverse else "The Fourier transform",
        axes=_AXES[rank],
        formula=f"sum over j of input[j] exp({'' if inverse else '-'}2 pi i j k / n)",
        sums="divided by n" if inverse else "along each of the axes",
        sizes=_NAMES[rank],
        example=_EXAMPLES[name],
    )
    return published(transform, name, doc)


fft, fft2d, fft3d = (_public(_forward, r, "fft") for r in (1, 2, 3))
ifft, ifft2d, ifft3d = (_public(_backward, r, "ifft") for r in (1, 2, 3))
