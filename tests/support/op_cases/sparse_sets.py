"""Rows of ops/sparse/sets: the references are Python's sets."""

import numpy as np

from tests.support.op_cases.table import case, error

_A = np.array([[[1, 2, 2], [3, 0, 1]], [[5, 5, 5], [9, 8, 7]]], np.int32)
_B = np.array([[[2, 3], [1, 1]], [[5, 6], [7, 7]]], np.int32)
_ROWS = [
    {(0, 0): [1, 2, 2], (0, 1): [3, 0, 1], (1, 0): [5, 5, 5], (1, 1): [9, 8, 7]},
    {(0, 0): [2, 3], (0, 1): [1, 1], (1, 0): [5, 6], (1, 1): [7, 7]},
]
_OF = {
    "a-b": set.difference, "b-a": lambda a, b: b - a, "union": set.union,
    "intersection": set.intersection,
}  # fmt: skip


def _sparse(rows, width):
    """The parts of the SparseTensor whose last axis are these rows."""
    places = [(*g, i) for g, row in rows.items() for i in range(len(row))]
    values = [v for row in rows.values() for v in row]
    return (np.array(places, np.int64), np.array(values, np.int32),
            np.array([2, 2, width], np.int64))  # fmt: skip


def _reference(set_operation):
    of = _OF[set_operation]
    rows = {g: sorted(of(set(_ROWS[0][g]), set(_ROWS[1][g]))) for g in _ROWS[0]}
    return list(_sparse(rows, max(map(len, rows.values()))))


_SPARSE_A, _SPARSE_B = _sparse(_ROWS[0], 3), _sparse(_ROWS[1], 2)
_TURNED = (_SPARSE_B[0][::-1], *_SPARSE_B[1:])
_SMALL = (_SPARSE_B[0][:2], _SPARSE_B[1][:2], np.array([1, 1, 2]))
for _name in _OF:
    case("DenseToDenseSetOperation", _A, _B, attrs={"set_operation": _name},
         reference=_reference(_name), data_dependent=True, errors=[
             error(_A[0, 0], _B[0, 0], text="Shape [3] has rank 1 < 2"),
             error(_A, _B[0], text="Mismatched shapes [2,2] vs [2]"),
             error(_A, _B[:1], text="Mismatched shapes [2,2] vs [1,2]"),
         ])  # fmt: skip
    case("DenseToSparseSetOperation", _A, *_SPARSE_B, attrs={"set_operation": _name},
         reference=_reference(_name), data_dependent=True, errors=[
             error(_A, *_TURNED, text="indices[1] = [1,1,0] is out of order"),
             error(_A, *_SMALL, text="Mismatched shapes [2,2] vs [1,1]"),
         ])  # fmt: skip
    case("SparseToSparseSetOperation", *_SPARSE_A, *_SPARSE_B,
         attrs={"set_operation": _name}, reference=_reference(_name),
         data_dependent=True, errors=[
             error(*_SPARSE_A, *_SPARSE_B[:2], np.array([2, 2, 1]),
                   text="indices[1] = [0,0,1] is out of bounds: need 0 <= index < "),
         ])  # fmt: skip
case("SetSize", *_SPARSE_A, reference=np.array([[2, 3], [1, 3]], np.int32),
     data_dependent=True)  # fmt: skip
