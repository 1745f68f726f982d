"""Rows of ops/linalg.py."""

import numpy as np

from twinflow.testing.op_cases.table import case, error, floats


def _product(a, b, transpose_a=False, transpose_b=False):
    return (a.T if transpose_a else a) @ (b.T if transpose_b else b)


_ERRORS = [
    error(np.zeros((2, 3)), np.zeros((2, 3)), transpose_a=False, transpose_b=False,
          text="Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"),
    error(np.zeros((2, 3)), np.zeros(3),
          text="In[1] is not a matrix. Instead it has shape [3]"),
]  # fmt: skip
for _a in (False, True):
    for _b in (False, True):
        case(
            "MatMul", floats(*((3, 2) if _a else (2, 3))),
            floats(*((4, 3) if _b else (3, 4))), reference=_product, errors=_ERRORS,
            attrs={"transpose_a": _a, "transpose_b": _b},
        )  # fmt: skip
case("MatMul", floats(0, 3), floats(3, 2), reference=np.matmul)
case(
    "MatMul",
    np.arange(4).reshape(2, 2),
    np.arange(4).reshape(2, 2),
    reference=np.matmul,
)
