"""Rows of the functions of one tensor that take sparse tensors too."""

import numpy as np
from scipy import special

from tests.support.op_cases.table import case, floats
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import abs, negative, sign, sqrt, square, tanh
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.special.bessel import bessel_i0e, bessel_i1e
from twinflow.ops.special.error_function import erf

_PLACES, _SHAPE = np.array([[0, 1], [1, 0], [1, 2]]), np.array([2, 3])


def _of_sparse(function, *more):
    def on_parts(values):
        found = function(SparseTensor(_PLACES, values, _SHAPE), *more)
        return [found.indices, found.values, found.dense_shape]

    on_parts.__name__ = f"sparse {function.__name__}"
    return on_parts


for _function, _reference in (
    (abs, np.abs),
    (negative, np.negative),
    (sign, np.sign),
    (square, np.square),
    (sqrt, np.sqrt),
    (tanh, np.tanh),
    (erf, special.erf),
    (bessel_i0e, special.i0e),
    (bessel_i1e, special.i1e),
):
    case(
        _of_sparse(_function), floats(3, low=0.3),
        reference=lambda x, f=_reference: [_PLACES, f(x), _SHAPE],
    )  # fmt: skip
case(_of_sparse(cast, "int32"), floats(3, low=0.3), grad=(),
     reference=lambda x: [_PLACES, x.astype(np.int32), _SHAPE])  # fmt: skip
