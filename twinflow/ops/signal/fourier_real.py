"""Fourier transforms between real numbers and half of their spectrum."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.complex import real, with_zero_imag
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.describe import published
from twinflow.ops.core.elementwise import maximum, multiply, realdiv, subtract
from twinflow.ops.core.infer import dim_is, ints, static_value
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import rank as rank_of
from twinflow.ops.core.shape import shape
from twinflow.ops.signal import fourier as spectral
from twinflow.ops.signal import lanes

_RANKS = {1: "", 2: "2D", 3: "3D"}


# ------------------------------------------------------------------ shapes
def _infer(rank, inverse):
    def infer(input, fft_length):
        s = spectral.with_axes(input, rank)
        if fft_length is None:
            return None if s is None else (*s[:-rank], *(None,) * rank)
        n = ints(fft_length)
        dim_is(len(n), rank, f"fft_length must have shape [{rank}]")
        if any(d is not None and d < 0 for d in n):
            bad = next(d for d in n if d is not None and d < 0)
            raise InferError(f"Dimension {bad} must be >= 0")
        _check_length(s, n, rank, inverse)
        if s is None:
            return None
        return (*s[:-rank], *(n if inverse else (*n[:-1], _half(n[-1]))))

    return infer


def _half(n):
    return None if n is None else n // 2 + 1 if n else 0


def _check_length(s, n, rank, inverse):
    """An input must not be shorter than the transform (an empty one gives zeros)."""
    if s is None or None in s or 0 in s:
        return
    wanted = (*n[:-1], _half(n[-1])) if inverse else n
    for i, (d, least) in enumerate(zip(s[-rank:], wanted, strict=True)):
        if least is not None and d < least:
            raise InferError(
                f"Input dimension {len(s) - rank + i} must have length of at least "
                f"{least} but got: {d}"
            )


def _first(a, sizes):
    """The leading part of the last axes of an array."""
    return a[(..., *(slice(n) for n in sizes))]


def _kernel(rank, inverse):
    axes = tuple(range(-rank, 0))

    @bind_first
    def kernel_of(xp, input, fft_length):
        n = ints(fft_length)
        out = n if inverse else (*n[:-1], _half(n[-1]))
        dtype = np.float32 if inverse else np.complex64
        if 0 in input.shape or 0 in out:
            return xp.zeros((*input.shape[:-rank], *out), dtype)
        if inverse:
            used = _first(input, (*n[:-1], _half(n[-1])))
            found = lanes.from_half(used, n[-1], rank) if xp is np else None
            if found is not None:
                return found
            return xp.fft.irfftn(used, n, axes).astype(dtype)
        used = _first(input, n)
        found = lanes.to_half(used, rank) if xp is np else None
        return xp.fft.rfftn(used, n, axes).astype(dtype) if found is None else found

    return kernel_of


# ------------------------------------------------------------------ gradients
def _fitted(t, wanted, rank):
    """`t` with zeros after its last axes, so that it gets the shape `wanted`.

    Args:
        t: a tensor. wanted: a shape, a tuple of ints or an int tensor.
        rank: how many axes may grow.
    """
    s = t._shape
    if type(wanted) is tuple and s is not None and None not in s[-rank:]:
        grow = [[0, w - d] for d, w in zip(s[-rank:], wanted[-rank:], strict=True)]
        if not any(more for _, more in grow):
            return t
        return pad(t, [[0, 0]] * (len(s) - rank) + grow)
    return _grown(t, convert_to_tensor(wanted, dtypes.int32)[-rank:], rank)


def _grown(t, sizes, rank):
    """`t` with its last axes grown to `sizes`, an int32 vector, where they are less."""
    more = maximum(subtract(sizes, shape(t)[-rank:]), 0)
    outer = zeros(stack([maximum(subtract(rank_of(t), rank), 0)]), dtypes.int32)
    after = concat([outer, more], 0)
    return pad(t, stack([multiply(after, 0), after], axis=1))


def _lengths(fft_length):
    """The lengths as a tuple where they are known, else as a tensor."""
    known = static_value(fft_length)
    return fft_length if known is None else ints(known)


def _product(lengths):
    if type(lengths) is tuple:
        return float(np.prod(lengths))
    return cast(reduce_prod(lengths), dtypes.float32)


def _is_empty(lengths, shape):
    """Whether it is known that nothing is transformed."""
    return any(type(s) is tuple and 0 in s for s in (lengths, shape))


def _rfft_grad(rank):
    def grad(dy, shape_input, fft_length):
        """The real part of the sum of dy's waves: the inverse of half a spectrum, in
        which those that it takes twice are halved."""
        n = _lengths(fft_length)
        if _is_empty(n, shape_input):
            return zeros(shape_input, dtypes.float32)
        if type(n) is tuple:
            weights = (_product(n) / _counts(n[-1])).astype(np.complex64)
            dx = apply(BACKWARD[rank], (multiply(dy, constant(weights)), n))
            return _fitted(dx, shape_input, rank)
        whole = _grown(dy, convert_to_tensor(n, dtypes.int32), rank)
        dx = real(_INVERSE[rank](whole))
        return _fitted(multiply(dx, _product(n)), shape_input, rank)

    return grad


_INVERSE = {1: spectral.ifft, 2: spectral.ifft2d, 3: spectral.ifft3d}


def _irfft_grad(rank):
    def grad(dy, shape_input, fft_length):
        """The transform of dy / n; entries that stand for two count twice."""
        n = _lengths(fft_length)
        if _is_empty(n, shape_input):
            return zeros(shape_input, dtypes.complex64)
        dx = apply(FORWARD[rank], (realdiv(dy, _product(n)), n))
        dx = multiply(dx, with_zero_imag(_doubles(n[-1])))
        return _fitted(dx, shape_input, rank)

    return grad


def _counts(n):
    """How many entries of the whole those of half a spectrum stand for: 1 or 2."""
    k = np.arange(n // 2 + 1)
    return np.where((k == 0) | (2 * k == n), 1.0, 2.0)


def _doubles(n):
    """`_counts` as float32, of an int or a tensor."""
    if not is_tensor_like(n):
        return constant(_counts(n).astype(np.float32))
    k = range_of(n // 2 + 1)
    paired = cast(k > 0, dtypes.float32)
    paired = multiply(paired, cast(2 * k < n, dtypes.float32))
    return paired + 1.0


# ------------------------------------------------------------------ ops
def _define(rank, inverse):
    return define(
        f"{'I' * inverse}RFFT{_RANKS[rank]}",
        on_host="fft_length",
        infer=_infer(rank, inverse),
        kernel=quiet(_kernel(rank, inverse)),
        grad=[_irfft_grad(rank) if inverse else _rfft_grad(rank)],
    )


FORWARD, BACKWARD = ({r: _define(r, i) for r in _RANKS} for i in (False, True))


def _transform(op, rank, inverse, name, doc):
    dtype = dtypes.complex64 if inverse else dtypes.float32

    def transform(
        input_tensor: TensorValue, fft_length: Any = None, name: str | None = None
    ) -> Tensor:
        with dispatch.current_mode().name_scope(name or label) as scope:
            x = convert_to_tensor(input_tensor, dtype)
            if x._shape is not None and len(x._shape) < rank:
                raise advised(
                    ValueError, f"Shape {x.shape} must have rank at least {rank}"
                )
            if fft_length is None:
                n = _own_length(x, rank, inverse)
            else:
                n = convert_to_tensor(fft_length, dtypes.int32)
                if n._shape is not None and len(n._shape) != 1:
                    raise advised(ValueError, f"Shape {n.shape} must have rank 1")
                n = _lengths(n)
            return apply(op, (_padded(x, n, rank, inverse), n), None, scope)

    label = name
    return published(transform, name, doc)


def _own_length(x, rank, inverse):
    """The length of a transform that uses all of its input."""
    s = x._shape
    if s is not None and None not in s[-rank:]:
        last = max(0, 2 * (s[-1] - 1)) if inverse else s[-1]
        return (*s[-rank:-1], last)
    sizes = shape(x)[-rank:]
    if not inverse:
        return sizes
    last = maximum(multiply(subtract(sizes[-1:], 1), 2), 0)
    return concat([sizes[:-1], last], 0)


def _padded(x, n, rank, inverse):
    """`x` with zeros after it, where it is shorter than the transform."""
    s = x._shape
    if s is not None and 0 in s:
        return x
    if type(n) is not tuple:
        if inverse:
            n = concat([n[:-1], n[-1:] // 2 + 1], 0)
        return _grown(x, n, rank)
    if len(n) != rank or min(n) < 0:
        return x
    wanted = (*n[:-1], n[-1] // 2 + 1) if inverse else n
    if s is None or None in s[-rank:]:
        return _grown(x, constant(wanted, dtypes.int32), rank)
    most = tuple(map(max, s[-rank:], wanted))
    return _fitted(x, (*s[:-rank], *most), rank)


_DOC = """{what}, along the last {axes}.

    Args:
        input_tensor: {kind}[..., {sizes}].
        fft_length: int32[{rank}], the length of the transform: the input is cut or
            continued with zeros; by default {default}.
        name: the name of the node in a graph.
    Returns:
        {result}
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        {example}
    """


def _make(rank, inverse):
    suffix = {1: "", 2: "2d", 3: "3d"}[rank]
    name = ("irfft" if inverse else "rfft") + suffix
    outer = {1: "", 2: "m, ", 3: "l, m, "}[rank]
    doc = _DOC.format(
        what="The real numbers from half of their Fourier transform"
        if inverse
        else "The Fourier transform of real numbers, without its mirrored half",
        axes={1: "axis", 2: "two axes", 3: "three axes"}[rank],
        kind="complex64" if inverse else "float32",
        sizes=outer + ("n // 2 + 1" if inverse else "n"),
        rank=rank,
        default=f"[{outer}n] with an even n" if inverse else f"[{outer}n]",
        result=f"float32[..., {outer}n]"
        if inverse
        else f"complex64[..., {outer}n // 2 + 1]",
        example="tf.spectral.irfft(tf.constant([3, -1], tf.complex64))  # [1., 2.]"
        if inverse
        else "tf.spectral.rfft([1., 2.])  # [3+0j, -1+0j]",
    )
    op = (BACKWARD if inverse else FORWARD)[rank]
    return _transform(op, rank, inverse, name, doc)


rfft, rfft2d, rfft3d = (_make(r, False) for r in (1, 2, 3))
irfft, irfft2d, irfft3d = (_make(r, True) for r in (1, 2, 3))
