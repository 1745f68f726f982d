"""Rows of ops/signal/fourier.py, ops/signal/fourier_real.py and ops/signal/dct.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.ops.core.complex import complex, imag, real
from twinflow.ops.signal.dct import dct, idct
from twinflow.ops.signal.fourier_real import (
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)

_SUFFIXES = {1: "", 2: "2D", 3: "3D"}
_LOSS = {"float32": 4e-6}
_REASON = "float32 transforms add up to 60 numbers"


def _on(axes):
    return tuple(range(-axes, 0))


# ------------------------------------------------------------------ complex numbers
def spectrum(a, b, op):
    y = apply(registry[op], (complex(a, b),))
    return real(y), imag(y)


def _parts(y):
    return [y.real, y.imag]


for _rank, _suffix in _SUFFIXES.items():
    for _kind, _function in ("FFT", np.fft.fftn), ("IFFT", np.fft.ifftn):
        for _shape in ((2, 3, 4, 5), (4, 3, 5)):
            case(
                spectrum, floats(*_shape), floats(*_shape),
                attrs={"op": _kind + _suffix}, tol=_LOSS, reason=_REASON,
                reference=lambda a, b, op, f=_function, r=_rank: _parts(
                    f(a + 1j * b, axes=_on(r))
                ),
                errors=[
                    error(
                        np.zeros((3,) * (_rank - 1)), np.zeros((3,) * (_rank - 1)),
                        text=f"Input must have rank of at least {_rank} but got: ",
                    )
                ],
            )  # fmt: skip
        _z = np.ones((2, 1, 3), np.complex64)
        for _batch in ("", "Batch"):
            case(
                f"{_batch}{_kind}{_suffix}", _z,
                reference=_function(_z, axes=_on(_rank)).astype(np.complex64),
            )  # fmt: skip
case("FFT", np.zeros((2, 0), np.complex64), reference=np.zeros((2, 0), np.complex64))


# ------------------------------------------------------------------ real numbers
def real_spectrum(x, n=None, function=None):
    y = function(x, n)
    return real(y), imag(y)


def from_spectrum(a, b, n=None, function=None):
    return function(complex(a, b), n)


def _float32(y):
    return [v.astype(np.float32) for v in _parts(y)]


def _rfft(x, n, function):
    rank = _RANK[function]
    return _float32(np.fft.rfftn(x, n or x.shape[-rank:], _on(rank)))


def _irfft(a, b, n, function):
    rank, z = _RANK[function], a + 1j * b
    n = n or (*z.shape[-rank:-1], 2 * (z.shape[-1] - 1))
    return np.fft.irfftn(z, n, _on(rank)).astype(np.float32)


_RANK = {rfft: 1, rfft2d: 2, rfft3d: 3, irfft: 1, irfft2d: 2, irfft3d: 3}
_LENGTHS = {
    1: (None, [5], [4], [2], [7], [8]),
    2: (None, [3, 4], [2, 3], [4, 6], [4, 7]),
    3: (None, [2, 3, 4], [1, 2, 3], [3, 4, 7]),
}
for _function, _rank in _RANK.items():
    _inverse = _function.__name__.startswith("i")
    for _n in _LENGTHS[_rank]:
        for _shape in ((2, 3, 5), (2, 3, 4)):
            _inputs = [floats(*_shape)] * (2 if _inverse else 1)
            case(
                from_spectrum if _inverse else real_spectrum, *_inputs,
                reference=_irfft if _inverse else _rfft, dtypes=("float32",),
                attrs={"n": _n, "function": _function}, grad=(), tol=_LOSS,
                reason=_REASON,
            )  # fmt: skip
_X = np.ones(5, np.float32)
case(
    rfft, _X, reference=np.fft.rfft(_X).astype(np.complex64), grad=(),
    errors=[
        error(np.float32(1), type=ValueError, text="must have rank at least 1"),
        error(_X, [4, 4], text="fft_length must have shape [1]"),
        error(_X, [-4], text="Dimension -4 must be >= 0"),
    ],
)  # fmt: skip
for _rank, _suffix in _SUFFIXES.items():
    _x = np.ones((2, 3, 4), np.float32)
    _n = (2, 3, 4)[-_rank:]
    _y = np.fft.rfftn(_x, _n, _on(_rank)).astype(np.complex64)
    _wrong = error(_x, [9] * _rank, text="must have length of at least")
    case(f"RFFT{_suffix}", _x, list(_n), reference=_y, errors=[_wrong])
    case(f"IRFFT{_suffix}", _y, list(_n), reference=_x)
case("RFFT", np.zeros((2, 0), np.float32), [0], reference=np.zeros((2, 0), "F"))
case("IRFFT", np.zeros((2, 1), "F"), [0], reference=np.zeros((2, 0), np.float32))


# ------------------------------------------------------------------ cosines
def _cosines(x, type=2, norm=None):
    n = x.shape[-1]
    k, j = np.arange(n)[:, None], np.arange(n)
    table = 2 * np.cos(np.pi * k * (2 * j + 1) / (2 * n))
    scale = np.full(n, np.sqrt(1 / (2 * n)))
    scale[0] = np.sqrt(1 / (4 * n))
    table = table * scale[:, None] if norm else table
    if type == 3:
        table = table.T if norm else np.hstack([table[:1].T / 2, table[1:].T])
    return (x @ table.T).astype(np.float32)


for _type in (2, 3):
    for _norm in (None, "ortho"):
        for _n in (4, 5):
            case(
                dct, floats(2, _n), reference=_cosines, dtypes=("float32",), grad=(),
                attrs={"type": _type, "norm": _norm}, tol=_LOSS, reason=_REASON,
                errors=[
                    error(
                        _X, type=ValueError, norm="x",
                        text="Unknown normalization. Expected None or 'ortho', got: x",
                    ),
                    error(
                        _X, type=NotImplementedError, axis=0,
                        text="axis must be -1. Got: 0",
                    ),
                    error(
                        _X, type=NotImplementedError, n=3,
                        text="The DCT length argument is not implemented.",
                    ),
                ],
            )  # fmt: skip
            case(
                idct, floats(2, _n), dtypes=("float32",), grad=(), tol=_LOSS,
                reference=lambda x, type, norm: _cosines(x, 5 - type, norm),
                attrs={"type": _type, "norm": _norm}, reason=_REASON,
            )  # fmt: skip
