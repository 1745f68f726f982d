"""Rows of ops.core (constant, shape, creation, joining, broadcast) and of padding."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base import dtypes
from twinflow.ops.arrays.grid import meshgrid
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core import array, creation, transposing

_STRINGS = np.array([b"a", b"bc"], object)
_INT32, _INT64 = dtypes.int32, dtypes.int64

# ------------------------------------------------------------------ constant
case("Const", attrs={"value": np.array([1, 2], np.int32), "dtype": _INT32},
     reference=np.array([1, 2], np.int32))  # fmt: skip
case("Identity", floats(2, 3), reference=lambda x: x)
case("Identity", _STRINGS, reference=lambda x: x)
case("StopGradient", floats(2, 3), reference=lambda x: x)
case("Cast", floats(3), attrs={"DstT": dtypes.float64}, reference=lambda x, DstT: x,
     dtypes=("float64",))  # fmt: skip
case("Cast", np.array([1, 2], np.int32), attrs={"DstT": dtypes.float64},
     reference=np.array([1.0, 2.0]), dtypes=("float64",))  # fmt: skip
case("Cast", np.array([1.9, -1.9]), attrs={"DstT": _INT32}, grad=(),
     reference=np.array([1, -1], np.int32))  # fmt: skip
case("Cast", np.array([2.0, 0.0]), attrs={"DstT": dtypes.bool}, grad=(),
     reference=np.array([True, False]))  # fmt: skip
case("Cast", np.array([1 + 2j]), attrs={"DstT": dtypes.float64}, grad=(),
     reference=np.array([1.0]), dtypes=("float64",))  # fmt: skip
case("Cast", np.array([True, False]), attrs={"DstT": _INT64},
     reference=np.array([1, 0]))  # fmt: skip

# ------------------------------------------------------------------ shape
for _type in (_INT32, _INT64):
    _attrs = {"out_type": _type}
    case("Shape", floats(2, 3), attrs=_attrs, grad=(),
         reference=lambda x, out_type: np.array(x.shape, out_type.np))  # fmt: skip
    case("Size", floats(2, 3), attrs=_attrs, grad=(),
         reference=lambda x, out_type: np.array(x.size, out_type.np))  # fmt: skip
case("Rank", floats(2, 3), reference=np.int32(2), grad=())
case("Shape", floats(), reference=np.zeros(0, np.int32), grad=())

_X6 = np.zeros((2, 3))
case(
    "Reshape", floats(2, 3), (3, 2), reference=np.reshape,
    errors=[
        error(_X6, (4,), text="a tensor with 6 values, but the requested shape has 4"),
        error(_X6, (4, -1), text="but the requested shape requires a multiple of 4"),
        error(_X6, (-1, -1), text="Only one input size may be -1, not both 0 and 1"),
        error(_X6, (-2, 3), text="Size 0 must be non-negative, not -2"),
        error(_X6, (2.0, 3.0), type=TypeError, text="'shape' has DataType float32"),
    ],
)  # fmt: skip
case("Reshape", floats(2, 3), np.array([-1, 2]), reference=np.reshape)
case("Reshape", floats(1, 1), (), reference=np.reshape)
case("Reshape", floats(), (1, -1), reference=np.reshape)
case("Reshape", np.zeros((0, 3)), (0, 5), reference=np.reshape)

_EXPAND = error(
    _X6, 3, text="Tried to expand dim index 3 for tensor with 2 dimensions."
)
for _axis in (0, 1, -1, -3):
    case("ExpandDims", floats(2, 3), _axis, reference=np.expand_dims, errors=[_EXPAND])
case("Squeeze", floats(1, 3, 1), reference=lambda x: x.reshape(3))
case(
    "Squeeze", floats(1, 3, 1), attrs={"squeeze_dims": (-1,)},
    reference=lambda x, squeeze_dims: x.reshape(1, 3),
    errors=[
        error(_X6, squeeze_dims=(0,),
              text="Can not squeeze dim[0], expected a dimension of 1, got 2"),
        error(_X6, squeeze_dims=(5,),
              text="Tried to squeeze dim index 5 for tensor with 2 dimensions."),
    ],
)  # fmt: skip
case(
    "Transpose", floats(2, 3, 4), (2, 0, 1), reference=np.transpose,
    errors=[
        error(_X6, (0,), text="expects a vector of size 2. But input(1) is a vector"),
        error(_X6, (0, 0), text="1 is missing from {0,0}."),
        error(_X6, (0, 2), text="2 is out of range [0 .. 2)"),
    ],
)  # fmt: skip
case("Transpose", floats(), (), reference=np.transpose)
case(transposing.transpose, floats(2, 3, 4), reference=np.transpose)
case(
    transposing.matrix_transpose,
    floats(2, 3, 4),
    reference=lambda x: np.swapaxes(x, 1, 2),
)
case(
    "InvertPermutation", np.array([2, 0, 1], np.int32),
    reference=np.array([1, 2, 0], np.int32),
    errors=[error([0, 0], text="0 is duplicated in the input.")],
)  # fmt: skip

# ------------------------------------------------------------------ broadcast
case(
    "BroadcastTo", floats(3, 1), (2, 3, 4), reference=np.broadcast_to,
    errors=[error(_X6, (3,), text="invalid shape to broadcast from [2,3] to [3]"),
            error(_X6, (2, 2), text="invalid shape to broadcast from [2,3] to [2,2]")],
)  # fmt: skip
case("BroadcastTo", floats(), (2,), reference=np.broadcast_to)
case(
    "BroadcastGradientArgs", (2, 1, 3), (4, 1), data_dependent=True,
    reference=[np.array([1], np.int32), np.array([0, 2], np.int32)],
)  # fmt: skip
case("TwinReducedShape", (2, 3, 4), (1, -1), reference=np.array([2, 1, 1], np.int32))
case(
    "TwinReducedFirst", (2, 3, 4), (1, -1),
    reference=[np.array([1, 2, 0], np.int32), np.array([12, 2], np.int32)],
)  # fmt: skip

# ------------------------------------------------------------------ creation
case(
    "Fill", (2, 3), floats(), reference=np.full,
    errors=[error((-1,), np.zeros(()), text="Dimension -1 must be >= 0")],
)  # fmt: skip
case("Fill", (), np.array(7, np.int32), reference=np.int32(7))
case("Fill", (2,), np.array(b"a", object), reference=np.array([b"a", b"a"], object))
case("ZerosLike", floats(2, 3), reference=np.zeros_like, grad=())
for _f, _np in ((creation.zeros, np.zeros), (creation.ones, np.ones)):
    for _type in ("float32", "int64", "bool"):
        case(_f, (2, 3), _type, reference=_np((2, 3), _type), dtypes=("float32",))
    case(_f, [], "int32", reference=_np((), np.int32))
case(creation.zeros, [2], "string", reference=np.array([b"", b""], object))
case(creation.zeros_like, floats(2), reference=np.zeros_like, grad=())
case(creation.ones_like, floats(2), "int32", reference=np.ones(2, np.int32), grad=())

_AWAY = error(0, 3, -1, text="Requires start >= limit when delta < 0: 0/3")
case("Range", 3, 9, 3, reference=np.array([3, 6], np.int32),
     errors=[_AWAY, error(0, 3, 0, text="Requires delta != 0: 0")])  # fmt: skip
case("Range", 0.0, 1.0, 0.25, attrs={"Tidx": dtypes.float64}, dtypes=("float64",),
     reference=np.arange(0, 1, 0.25))  # fmt: skip
case(creation.range, 4, reference=np.arange(4, dtype=np.int32))
case(creation.range, 3, 0, -1, reference=np.array([3, 2, 1], np.int32))
case(creation.range, 3.5, reference=np.arange(4, dtype=np.float32))
case("LinSpace", np.array(0.0), np.array(2.0), 5, reference=np.linspace,
     errors=[error(0.0, 1.0, 0, text="Requires num > 0: 0")])  # fmt: skip

# ------------------------------------------------------------------ joining
_CONCAT = [
    error([_X6, _X6], 2, text="Expected concatenating dimensions in the range [-2, 2)"),
    error([_X6, np.zeros(1)], 0, text="ConcatOp : Ranks of all input tensors should"),
    error([_X6, np.zeros((1, 1))], 0,
          text="inputs should match: shape[0] = [2,3] vs. shape[1] = [1,1]"),
]  # fmt: skip
for _axis in (1, -1):
    case("ConcatV2", [floats(2, 3), floats(2, 1), floats(2, 0)], _axis,
         reference=np.concatenate, errors=_CONCAT)  # fmt: skip
case("ConcatV2", [_STRINGS, _STRINGS], 0, reference=np.concatenate)
case(array.concat, [floats(2, 3)], 0, reference=lambda values, axis: values[0])

_STACK = error(
    [_X6, np.zeros(1)], text="values[0].shape = [2,3] != values[1].shape = [1]"
)
for _axis in (0, 1, -1):
    case("Pack", [floats(2, 3), floats(2, 3)], attrs={"axis": _axis},
         reference=np.stack, errors=[_STACK])  # fmt: skip
    case("Unpack", floats(3, 3), attrs={"num": 3, "axis": _axis},
         reference=lambda x, num, axis: list(np.moveaxis(x, axis, 0)),
         errors=[error(_X6, num=7, axis=0, text="Input shape axis 0 must equal 7")],
    )  # fmt: skip
case(array.stack, [1, 2], reference=np.array([1, 2], np.int32),
     errors=[error([_X6], axis=3, type=ValueError, text="axis = 3 not in [-3, 3)")],
)  # fmt: skip
case(array.unstack, floats(2, 3), reference=list, needs="shape",
     errors=[error(_X6, axis=2, type=ValueError, text="axis = 2 not in [-2, 2)")],
)  # fmt: skip

for _axis in (1, -1):
    case(
        "Split", _axis, floats(2, 4), attrs={"num_split": 2},
        reference=lambda axis, x, num_split: np.split(x, num_split, axis),
        errors=[
            error(1, _X6, text="Number of ways to split should evenly divide"),
            error(2, _X6, text="rank(-2) <= split_dim < input rank (2), but got 2"),
        ],
    )  # fmt: skip
    case(
        "SplitV", floats(2, 4), (1, 3), _axis, attrs={"num_split": 2},
        reference=lambda x, sizes, axis, num_split: np.split(x, [1], axis),
        errors=[error(_X6, (1, 1), 1, text="Determined shape must either match input")],
    )  # fmt: skip
case("SplitV", floats(4), (1, -1, 1), 0, attrs={"num_split": 3},
     reference=lambda x, *_, **__: np.split(x, [1, 3]))  # fmt: skip
case(array.split, floats(4, 2), 2, reference=lambda x, n: np.split(x, n))
case(array.split, floats(4, 2), [3, 1], reference=lambda x, n: np.split(x, [3]))

case(
    "Tile", floats(2, 3), (2, 3), reference=np.tile,
    errors=[error(_X6, (1,), text="a vector of length 2 but got length 1"),
            error(_X6, (-1, 1), text="Expected multiples[0] >= 0, but got -1")],
)  # fmt: skip
case("Tile", floats(2, 3), (0, 1), reference=np.tile)
case("Tile", floats(), (), reference=np.tile)
case(
    "ReverseV2", floats(2, 3, 2), (0, -1), reference=np.flip,
    errors=[error(_X6, (2,), text="'axis'[0] = 2 is out of valid range [0, 1"),
            error(_X6, (0, -2), text="axis 0 specified more than once.")],
)  # fmt: skip
case("ReverseV2", floats(2), (), reference=lambda x, axis: x)
case(meshgrid, np.array([1, 2], np.int32), np.array([3, 4, 5], np.int32),
     reference=np.meshgrid)  # fmt: skip

# ------------------------------------------------------------------ padding
_PADS = ((1, 2), (0, 1))
_PAD = [
    error(_X6, ((1, 1),), text="must be the rank of inputs[1,2] [2,3]"),
    error(_X6, ((1, -1), (0, 0)), text="Paddings must be non-negative: 1 -1"),
]
case("Pad", floats(2, 3), _PADS, reference=np.pad, errors=_PAD)
case("Pad", floats(), np.zeros((0, 2), np.int32), reference=lambda x, p: x)
case("PadV2", floats(2, 3), _PADS, np.array(1.5), grad=[0],
     reference=lambda x, p, c: np.pad(x, p, constant_values=c))  # fmt: skip
for _mode, _text in (
    ("REFLECT", "must be less than"),
    ("SYMMETRIC", "must be no great"),
):
    _attrs = {"mode": _mode}
    _pads = ((2, 1), (0, 2))
    _bad = error(_X6, ((3, 0), (0, 0)), text=f"paddings {_text}")
    case("MirrorPad", floats(3, 4), _pads, attrs=_attrs, errors=[_bad],
         reference=lambda x, p, mode: np.pad(x, p, mode.lower()))  # fmt: skip
    case(pad, floats(3, 4), _pads, _mode.lower(), reference=np.pad,
         errors=[error(_X6, _PADS, "foo", type=ValueError, text="padding mode: FOO")],
    )  # fmt: skip


def _mirror_grad(dy, pads, mode):
    """The transpose of the padding, from the places that each element went to."""
    shape = [d - p - q for d, (p, q) in zip(dy.shape, pads)]
    places = np.pad(np.arange(np.prod(shape)).reshape(shape), pads, mode.lower())
    return np.bincount(places.ravel(), dy.ravel()).reshape(shape)


for _mode in ("REFLECT", "SYMMETRIC"):
    case("MirrorPadGrad", floats(6, 6), ((2, 1), (0, 2)), attrs={"mode": _mode},
         reference=_mirror_grad)  # fmt: skip
