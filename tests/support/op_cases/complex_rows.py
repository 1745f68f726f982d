"""Rows on complex numbers, and those of ops/core/complex.py.

A row of an op on complex numbers becomes a row of a function from real and imaginary
parts to real and imaginary parts: its gradients are those of real functions, and the
checks in float64 hold TensorFlow's convention (see Note [Complex gradients]).
"""

import numpy as np

from tests.support.op_cases.table import Sample, away_from_zero, case, error, floats
from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import complex, conj, imag, real
from twinflow.ops.core.elementwise import abs
from twinflow.ops.core.magnitude import angle, complex_abs


class Parts(list):
    """The real and the imaginary sample of one complex input."""


def parts(real, imag=None):
    """A complex input of a row: two samples, by default of one kind."""
    return Parts([real, real if imag is None else imag])


def complex_case(op, *inputs, reference, attrs=None, **more):
    """Add a row of an op on complex64 and complex128.

    Args:
        op: the type of a registered op, or a public function.
        inputs: as for `case`, where every sample stands for a complex input with two
            such parts, as does `parts(real, imag)`; a list of them for a list input.
            What is no sample (axes, shapes) is given on as it is.
        reference: ``(*complex128 arrays, **attrs) -> array`` or a list of arrays.
        attrs, more: see `case`; `grad` counts the parts: (0, 1) is the first input.
    Example:
        complex_case("Exp", floats(3), reference=np.exp)
    """
    flat: list = []
    places = [_placed(x, flat) for x in inputs]

    def function(*values, **attributes):
        args = [_joined(p, values, complex) for p in places]
        return _split(_called(op, args, attributes), real, imag)

    def expected(*values, **attributes):
        args = [_joined(p, values, _array) for p in places]
        return _split(reference(*args, **attributes), np.real, np.imag)

    label = op if isinstance(op, str) else op.__name__
    function.__name__ = f"complex {label}"
    case(function, *flat, reference=expected, attrs=attrs, **more)


def _placed(x, flat):
    """Where the parts of an input are in `flat`: a pair, a list of pairs, or one."""
    if isinstance(x, list) and not isinstance(x, Parts) and x and _is_complex(x[0]):
        return [_placed(v, flat) for v in x]
    pair = parts(x) if isinstance(x, Sample) else x
    start = len(flat)
    flat.extend(pair if isinstance(pair, Parts) else [x])
    return (start, start + 1) if isinstance(pair, Parts) else (start,)


def _is_complex(x):
    return isinstance(x, Parts | Sample)


def _joined(place, values, join):
    if isinstance(place, list):
        return [_joined(p, values, join) for p in place]
    found = [values[i] for i in place]
    return join(*found) if len(found) == 2 else found[0]


def _array(re, im):
    return np.asarray(re + 1j * im)


def _called(op, args, attrs):
    if callable(op):
        return op(*args, **attrs)
    op = registry[op]
    return apply(op, tuple(args), {**op.sig.attrs, **attrs})


def _split(out, real, imag):
    """Complex results as two parts each."""
    whole = [out] if isinstance(out, Tensor | np.ndarray | np.generic) else list(out)
    kinds = [t.dtype.is_complex if isinstance(t, Tensor) else np.iscomplexobj(t)
             for t in whole]  # fmt: skip
    return [
        part
        for t, is_complex in zip(whole, kinds, strict=True)
        for part in ([real(t), imag(t)] if is_complex else [t])
    ]


# ------------------------------------------------------------------ ops/core/complex.py
_Z64 = np.array([3 + 4j, -1j, 0.5 - 2j], np.complex64)
_Z = _Z64.astype(np.complex128)
_DOUBLE = {"Tout": dtypes.float64}

for _op, _part in (("Real", np.real), ("Imag", np.imag), ("Angle", np.angle),
                   ("ComplexAbs", np.abs)):  # fmt: skip
    case(_op, _Z64, reference=_part(_Z64))
    case(_op, _Z, attrs=_DOUBLE, reference=_part(_Z))
case("Conj", _Z64, reference=np.conj, errors=[
    error([1.0], type=TypeError, text="has DataType float32 not in list of allowed"),
])  # fmt: skip
case("Conj", np.complex128(2j), reference=np.conj)
case(
    "Complex", np.float32([1, 2, 3]), np.float32([[4], [5]]),
    reference=np.complex64([[1 + 4j, 2 + 4j, 3 + 4j], [1 + 5j, 2 + 5j, 3 + 5j]]),
)  # fmt: skip
case(
    "Complex", np.array([1.0, 2.0]), np.array([3.0, -4.0]), grad=(),
    attrs={"Tout": dtypes.complex128}, dtypes=["float64"],
    reference=np.array([1 + 3j, 2 - 4j]),
)  # fmt: skip


def _both(re, im):
    """Through a complex number and back."""
    z = complex(re, im)
    return [real(z), imag(z)]


case(
    _both, floats(3, 1), floats(2), reference=lambda a, b: np.broadcast_arrays(a, b),
    errors=[
        error([1], [2], type=TypeError, text="real and imag have incorrect types: int"),
        error([1.0, 2.0], [1.0, 2.0, 3.0], text="Incompatible shapes: [2] vs. [3]"),
    ],
)  # fmt: skip
complex_case(conj, floats(2, 3), reference=np.conj)
complex_case(real, floats(2, 3), reference=np.real)
complex_case(imag, floats(2, 3), reference=np.imag)
complex_case(angle, parts(floats(2, 3, low=0.3), floats(2, 3)), reference=np.angle)
complex_case(angle, parts(floats(3), away_from_zero(3)), reference=np.angle)
complex_case(complex_abs, away_from_zero(3, 4), reference=np.abs)
complex_case(abs, away_from_zero(2), reference=np.abs)
case(conj, floats(3), reference=lambda x: x)
case(imag, floats(3), reference=np.zeros_like, grad=())
case(angle, floats(3), reference=np.zeros_like, grad=())
