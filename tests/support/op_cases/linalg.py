"""Rows of ops.core.product."""

import numpy as np

from tests.support.op_cases.table import case, error, floats


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
    np.arange(4, dtype=np.int32).reshape(2, 2),
    np.arange(4, dtype=np.int32).reshape(2, 2),
    reference=np.matmul,
)


def _batch_product(x, y, adj_x=False, adj_y=False):
    x = np.swapaxes(x, -1, -2) if adj_x else x
    return x @ (np.swapaxes(y, -1, -2) if adj_y else y)


_RANK = error(
    np.zeros(3), np.zeros((3, 2)), text="must have at least two axes: [3] vs."
)
for _x in (False, True):
    for _y in (False, True):
        case(
            "BatchMatMul", floats(2, *((3, 2) if _x else (2, 3))),
            floats(2, *((4, 3) if _y else (3, 4))), reference=_batch_product,
            attrs={"adj_x": _x, "adj_y": _y}, errors=[_RANK],
        )  # fmt: skip
case("BatchMatMul", floats(3, 1, 2, 3), floats(2, 3, 2), reference=np.matmul)
