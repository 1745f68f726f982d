"""Rows of elementwise ops, reductions and products on complex numbers."""

import numpy as np

from tests.support.op_cases.complex_rows import complex_case, parts
from tests.support.op_cases.table import away_from_zero, case, floats
from twinflow.ops.core.constant import cast
from twinflow.ops.core.product import matmul
from twinflow.ops.core.transposing import transpose

_SMALL = parts(floats(3, low=-0.8, high=0.8), away_from_zero(3, high=0.8))
_RIGHT = parts(floats(3, 2, low=0.3), floats(3, 2))  # away from the cut of log
_GAP = away_from_zero(3, 2)

for _op, _x, _reference in (
    ("Neg", _GAP, np.negative),
    ("Square", _GAP, np.square),
    ("Sign", _GAP, np.sign),
    ("Sqrt", _RIGHT, np.sqrt),
    ("Rsqrt", _RIGHT, lambda z: 1 / np.sqrt(z)),
    ("Reciprocal", _GAP, lambda z: 1 / z),
    ("Inv", _GAP, lambda z: 1 / z),
    ("Exp", _GAP, np.exp),
    ("Expm1", _GAP, np.expm1),
    ("Log", _RIGHT, np.log),
    ("Log1p", _RIGHT, np.log1p),
    ("Tanh", _SMALL, np.tanh),
    ("Sigmoid", _SMALL, lambda z: 1 / (1 + np.exp(-z))),
    ("Sin", _GAP, np.sin),
    ("Cos", _GAP, np.cos),
    ("Tan", _SMALL, np.tan),
    ("Asin", _SMALL, np.arcsin),
    ("Acos", _SMALL, np.arccos),
    ("Atan", _SMALL, np.arctan),
    ("Sinh", _GAP, np.sinh),
    ("Cosh", _GAP, np.cosh),
    ("Asinh", _SMALL, np.arcsinh),
    ("Acosh", _SMALL, np.arccosh),
    ("Atanh", _SMALL, np.arctanh),
):
    complex_case(_op, _x, reference=_reference)

_ROW = away_from_zero(2)
for _op, _x, _y, _reference in (
    ("Add", _GAP, _ROW, np.add),
    ("AddV2", _GAP, _ROW, np.add),
    ("Sub", _GAP, _ROW, np.subtract),
    ("Mul", _GAP, _ROW, np.multiply),
    ("Div", _GAP, _ROW, np.divide),
    ("RealDiv", _GAP, _ROW, np.divide),
    ("SquaredDifference", _GAP, _ROW, lambda x, y: (x - y) ** 2),
    ("Pow", _RIGHT, _ROW, np.power),
    ("Xdivy", _GAP, _ROW, np.divide),
    ("Xlogy", _GAP, parts(floats(2, low=0.3), floats(2)), lambda x, y: x * np.log(y)),
    ("SqrtGrad", _GAP, _GAP, lambda y, dy: dy / (2 * y.conj())),
    ("RsqrtGrad", _GAP, _GAP, lambda y, dy: -dy / 2 * y.conj() ** 3),
    ("ReciprocalGrad", _GAP, _GAP, lambda y, dy: -dy * y.conj() ** 2),
    ("InvGrad", _GAP, _GAP, lambda y, dy: -dy * y.conj() ** 2),
    ("TanhGrad", _GAP, _GAP, lambda y, dy: dy * (1 - y * y)),
    ("SigmoidGrad", _GAP, _GAP, lambda y, dy: dy * y * (1 - y)),
):
    complex_case(_op, _x, _y, reference=_reference)

complex_case("AddN", [floats(2, 3)] * 3, reference=sum)
complex_case("Sum", floats(2, 3), 1, reference=lambda x, a: x.sum(a))
complex_case("Mean", floats(2, 3), 0, reference=lambda x, a: x.mean(a))
complex_case("Prod", floats(2, 3), 1, reference=lambda x, a: x.prod(a))
for _exclusive in (False, True):
    complex_case(
        "Cumsum", floats(3, 2), 0, attrs={"exclusive": _exclusive},
        reference=lambda x, a, exclusive: x.cumsum(a) - (x if exclusive else 0),
    )  # fmt: skip
    complex_case(
        "Cumprod", away_from_zero(3, 2), 0, attrs={"exclusive": _exclusive},
        reference=lambda x, a, exclusive: x.cumprod(a) / (x if exclusive else 1),
    )  # fmt: skip


# ------------------------------------------------------------------ products
def _h(x):
    return np.conj(np.swapaxes(x, -1, -2))


def _product(a, b, transpose_a=False, transpose_b=False, **adjoint):
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    a = _h(a) if adjoint.get("adjoint_a") else a
    return a @ (_h(b) if adjoint.get("adjoint_b") else b)


for _batch in ((), (2,)):
    for _a in (None, "transpose_a", "adjoint_a"):
        for _b in (None, "transpose_b", "adjoint_b"):
            complex_case(
                matmul, floats(*_batch, *((3, 2) if _a else (2, 3))),
                floats(*_batch, *((4, 3) if _b else (3, 4))), reference=_product,
                attrs={flag: True for flag in (_a, _b) if flag},
            )  # fmt: skip

# ------------------------------------------------------------------ other axes, types
complex_case(
    transpose,
    floats(2, 3),
    attrs={"conjugate": True},
    reference=lambda x, conjugate: _h(x),
)
complex_case(
    "ConjugateTranspose", floats(2, 3, 4), [2, 0, 1],
    reference=lambda x, p: np.conj(x.transpose(p)),
)  # fmt: skip
case(
    "ConjugateTranspose", np.array([[1 + 1j], [2j]]), [1, 0],
    reference=lambda x, p: np.conj(x.T),
)  # fmt: skip
case("ConjugateTranspose", floats(2, 3), [1, 0], reference=lambda x, p: x.T)
complex_case(
    cast, floats(3), "float64", reference=lambda x, t: x.real, dtypes=["float64"]
)
case(
    cast, floats(3), "complex128", reference=lambda x, t: x + 0j, grad=(),
    dtypes=["float64"],
)  # fmt: skip
