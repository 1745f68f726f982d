"""Rows of ops/arrays/passing.py, shape_arithmetic.py, older.py and gather_batch.py."""

import numpy as np

from tests.support.op_cases.table import case, covered, error, floats
from twinflow.base import dtypes
from twinflow.ops.arrays import gather_batch, passing
from twinflow.ops.core import shape_arithmetic

_INT = np.int32
_STRINGS = np.array([b"a", b"bc"], object)

for _op in ("Snapshot", "DeepCopy", "GuaranteeConst", "DebugGradientIdentity",
            "DebugGradientRefIdentity"):  # fmt: skip
    case(_op, floats(2, 3), reference=lambda x: x)
    case(_op, _STRINGS, reference=lambda x: x)
case("PreventGradient", floats(2), attrs={"message": "m"}, grad=(),
     reference=lambda x, message: x)  # fmt: skip
case("IdentityN", [floats(2), floats(3, 1)], reference=list)
case(passing.identity_n, [np.array([1, 2], _INT), np.array([1.5, 2.5])], grad=(),
     reference=lambda xs: list(xs),
     errors=[error([], text="Length for attr 'T' of 0 must be at least minimum 1")],
)  # fmt: skip
case("OnesLike", floats(2, 3), reference=np.ones_like, grad=())

_WRONG = [
    error(np.zeros((2, 3)), shape=(3, None), text="[2,3] is not compatible with expec"),
    error(
        np.zeros((2, 3)), shape=(2,), text="is not compatible with expected shape [2"
    ),
]
for _shape in ((None, 3), None, (2, 3)):
    case("EnsureShape", floats(2, 3), attrs={"shape": _shape}, errors=_WRONG,
         reference=lambda x, shape: x)  # fmt: skip

# ------------------------------------------------------------------ bits
_BITS = np.array([1.0, -2.5], np.float32)
_BYTES = np.array([[0, 0, 128, 63]], np.uint8)
for _kind in (dtypes.int32, dtypes.uint8, dtypes.float16, dtypes.bfloat16):
    _n = 4 // _kind.size
    case("Bitcast", _BITS, attrs={"type": _kind}, grad=(),
         reference=_BITS.view(_kind.np).reshape((2, _n) if _n > 1 else (2,)),
    )  # fmt: skip
case("Bitcast", _BYTES, attrs={"type": dtypes.float32},
     reference=np.array([1], np.float32),
     errors=[error(_BYTES[:, :3], text="Cannot bitcast from uint8 to float: shape [1,"),
             error(_BYTES[0, 0], text="Cannot bitcast from uint8 to float: shape []")],
)  # fmt: skip
case("Bitcast", np.array([[1, 2]], np.float32), attrs={"type": dtypes.complex64},
     reference=np.array([1 + 2j], np.complex64), grad=())  # fmt: skip
case("Bitcast", np.array([1 + 2j], np.complex64), attrs={"type": dtypes.float32},
     reference=np.array([[1, 2]], np.float32))  # fmt: skip
case("Bitcast", np.array([1 + 2j], np.complex64), attrs={"type": dtypes.float64},
     reference=np.array([1 + 2j], np.complex64).view(np.float64))  # fmt: skip
case("Bitcast", np.zeros((2, 0), np.float32), attrs={"type": dtypes.uint8},
     reference=np.zeros((2, 0, 4), np.uint8))  # fmt: skip
case("Bitcast", np.array([-1, 3], np.int8), attrs={"type": dtypes.uint8},
     reference=np.array([255, 3], np.uint8))  # fmt: skip

# ------------------------------------------------------------------ in place
_AT = (2, 0)
_UNEVEN = "i and x shape doesn't match at index 0: [2] vs. [1,2]"
for _op, _sign in (("InplaceUpdate", None), ("InplaceAdd", 1), ("InplaceSub", -1)):

    def _written(x, i, v, sign=_sign):
        out = np.array(x)
        out[list(i)] = v if sign is None else out[list(i)] + sign * v
        return out

    case(_op, floats(3, 2), _AT, floats(2, 2), reference=_written,
         errors=[error(np.zeros((3, 2)), _AT, np.zeros((1, 2)), text=_UNEVEN)],
    )  # fmt: skip
case("Empty", (2, 3), attrs={"dtype": dtypes.int64, "init": True},
     reference=np.zeros((2, 3), np.int64))  # fmt: skip

# ------------------------------------------------------------------ shapes
case("ShapeN", [floats(2), floats(3, 4)], grad=(),
     reference=[np.array([2], _INT), np.array([3, 4], _INT)])  # fmt: skip
case("BroadcastArgs", (2, 1, 3), (4, 1), reference=np.array([2, 4, 3], _INT),
     errors=[error((2, 2), (3,), text="Incompatible shapes: [2,2] vs. [3]"),
             error([[2]], (3,), text="In[0] must be a vector.[1,1]")])  # fmt: skip
case(shape_arithmetic.broadcast_dynamic_shape, np.array([2, 1]), np.array([3]),
     reference=np.array([2, 3]))  # fmt: skip
case("ParallelConcat", [floats(1, 2), floats(1, 2)], attrs={"shape": (2, 2)}, grad=(),
     reference=lambda xs, shape: np.concatenate(xs))  # fmt: skip
case(shape_arithmetic.parallel_stack, [floats(2), floats(2)], reference=np.stack,
     grad=(), needs="shape")  # fmt: skip
case("ConcatOffset", np.array(1, _INT),
     [np.array([2, 3], _INT), np.array([2, 4], _INT)],
     reference=[np.array([0, 0], _INT), np.array([0, 3], _INT)])  # fmt: skip

# ------------------------------------------------------------------ older forms
case("Concat", 1, [floats(2, 3), floats(2, 1)],
     reference=lambda axis, xs: np.concatenate(xs, axis))  # fmt: skip
case("Gather", floats(3, 2), np.array([2, 0, 2], _INT),
     reference=lambda x, i: x[i],
     errors=[error([1.0, 2.0], [5], text="indices[0] = 5 is not in [0, 2)")],
)  # fmt: skip
case(
    "Reverse", floats(2, 3), np.array([False, True]), reference=lambda x, d: x[:, ::-1]
)
case("Reverse", floats(2, 3), np.array([False, False]), reference=lambda x, d: x)

case("TopK", floats(2, 4), attrs={"k": 2},
     reference=lambda x, k: [-np.sort(-x)[:, :k],
                             np.argsort(-x)[:, :k].astype(_INT)])  # fmt: skip

# ------------------------------------------------------------------ batches
_PICKS = np.array([[0, 2], [1, 1]], _INT)


def _picked(x, indices):
    out = np.zeros(indices.shape + x.shape[indices.ndim :])
    for place in np.ndindex(indices.shape):
        out[place] = x[(*place[:-1], indices[place])]
    return out


case(gather_batch.batch_gather, floats(2, 3), _PICKS, reference=_picked, needs="rank")
case(gather_batch.batch_gather, floats(2, 3, 2), _PICKS.astype(np.int64),
     reference=_picked, needs="rank")  # fmt: skip
case(gather_batch.batch_gather, floats(2, 1, 3), np.array([[[0, 2]], [[1, 1]]], _INT),
     reference=_picked, needs="rank")  # fmt: skip
case(gather_batch.batch_gather, floats(3), np.array([1, 0], _INT),
     reference=lambda x, i: x[i], needs="rank",
     errors=[error([1.0], 0, type=ValueError, text="at least one axis, got ()")],
)  # fmt: skip
_MASK = np.array([[1, 0, 0], [1, 1, 0]], bool)
case(gather_batch.sequence_mask, [1, 2], 3, reference=_MASK,
     errors=[error([1, 2], [5], type=ValueError, text="maxlen must be scalar")],
)  # fmt: skip
case(gather_batch.sequence_mask, np.array([[1], [2]]), attrs={"dtype": "int64"},
     reference=_MASK[:, None, :2].astype(np.int64))  # fmt: skip

_PLACES = np.array([[0], [2], [0]], _INT)


def _added(x, indices, updates):
    out = np.array(x)
    np.add.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)
    return out


case("ScatterNdNonAliasingAdd", floats(4, 2), _PLACES, floats(3, 2), reference=_added,
     errors=[error([1.0], [[5]], [1.0], text="indices[0] = [5] does not index into"),
             error([1.0], [[0]], [1.0, 2.0], text="Outer dimensions of indices and")],
)  # fmt: skip

for _kind in ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max"):
    covered(f"Scatter{_kind}", by="tests/ops/test_variable_parts.py")
    covered(f"ResourceScatter{_kind}", by="tests/ops/test_variable_parts.py")
for _kind in ("Update", "Add", "Sub"):
    covered(f"ScatterNd{_kind}", by="tests/ops/test_variable_parts.py")
for _op in ("ResourceScatterNdUpdate", "ResourceScatterNdAdd", "StridedSliceAssign",
            "ResourceStridedSliceAssign", "ResourceGather", "VariableShape",
            "CountUpTo", "ResourceCountUpTo"):  # fmt: skip
    covered(_op, by="tests/ops/test_variable_parts.py")
