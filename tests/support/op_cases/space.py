"""Rows of ops/space_*.py, ops/nn/patches.py and ops/arrays/rearrange.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.ops.arrays import rearrange, space_batch

_INT = np.int32
_HALF = ("float16", "bfloat16", "float32", "float64")


# ------------------------------------------------------------------ batches
def _to_batch(x, blocks, pads):
    """Element by element, as the words say it."""
    k = len(blocks)
    x = np.pad(x, [(0, 0), *pads, *[(0, 0)] * (x.ndim - 1 - k)])
    parts = []
    for offset in np.ndindex(*blocks):
        place = [np.s_[o::b] for o, b in zip(offset, blocks, strict=True)]
        parts.append(x[(slice(None), *place)])
    return np.concatenate(parts)


def _to_space(x, blocks, crops):
    n, batch = np.prod(blocks), len(x) // np.prod(blocks)
    sizes = [d * b for d, b in zip(x.shape[1:], blocks, strict=False)]
    out = np.zeros((batch, *sizes, *x.shape[1 + len(blocks) :]))
    for i, offset in enumerate(np.ndindex(*blocks)):
        place = [np.s_[o::b] for o, b in zip(offset, blocks, strict=True)]
        out[(slice(None), *place)] = x.reshape(n, batch, *x.shape[1:])[i]
    cuts = zip(sizes, crops, strict=True)
    return out[(slice(None), *(np.s_[p : d - q] for d, (p, q) in cuts))]


_X = np.zeros((1, 4, 2))
_BATCH = [
    error(
        _X, (3,), ((0, 0),), text="padded_shape[0]=4 is not divisible by block_shape"
    ),
    error(_X, (2,), ((0, -1),), text="Paddings must be non-negative"),
    error(_X, (0,), ((0, 0),), text="Product of block sizes must be positive, got 0"),
    error(_X, (2, 2), ((0, 0),), text="should have shape [2, 2] instead of [1,2]"),
    error(np.zeros(4), (2,), ((0, 0),), text="input rank should be >= 2 instead of 1"),
    error(_X, [[2]], ((0, 0),), text="block_shape rank should be 1 instead of 2"),
]
_SPACE = [
    error(
        np.zeros((3, 1, 3)), (2,), ((0, 0),), text="batch dimension (3) is not divis"
    ),
    error(np.zeros((4, 1, 3)), (2,), ((3, 1),), text="cropped_shape[0]=-2 must be non"),
    error(np.zeros((4, 1, 3)), (2,), ((-1, 1),), text="Crops must be non-negative"),
]
for _shape, _blocks, _pads in (
    ((1, 4, 2), (2,), ((0, 0),)),
    ((2, 3, 4, 1), (2, 2), ((1, 0), (2, 0))),
    ((1, 2, 3, 4), (1, 3), ((0, 1), (0, 0))),
):
    case("SpaceToBatchND", floats(*_shape), _blocks, _pads, reference=_to_batch,
         errors=_BATCH, dtypes=_HALF)  # fmt: skip
for _shape, _blocks, _crops in (
    ((4, 1, 3), (2,), ((0, 1),)),
    ((12, 2, 3, 2), (2, 3), ((1, 0), (2, 1))),
):
    case("BatchToSpaceND", floats(*_shape), _blocks, _crops, reference=_to_space,
         errors=_SPACE, dtypes=_HALF)  # fmt: skip
case("SpaceToBatch", floats(1, 4, 3, 2), ((0, 0), (1, 0)), attrs={"block_size": 2},
     reference=lambda x, p, block_size: _to_batch(x, (block_size,) * 2, p))  # fmt: skip
case("BatchToSpace", floats(4, 2, 3, 2), ((0, 1), (1, 0)), attrs={"block_size": 2},
     reference=lambda x, p, block_size: _to_space(x, (block_size,) * 2, p))  # fmt: skip
case(space_batch.space_to_batch, floats(1, 4, 3, 2), ((0, 0), (1, 0)), 2,
     reference=lambda x, p, b: _to_batch(x, (b, b), p))  # fmt: skip
case(space_batch.batch_to_space, floats(4, 2, 3, 2), ((0, 1), (1, 0)), 2,
     reference=lambda x, p, b: _to_space(x, (b, b), p))  # fmt: skip
case(space_batch.required_space_to_batch_paddings, [5, 7], [2, 3], [[1, 0], [0, 1]],
     reference=[np.array([[1, 0], [0, 2]], _INT), np.array([[0, 0], [0, 1]], _INT)],
)  # fmt: skip


# ------------------------------------------------------------------ depth
def _to_depth(x, block_size, data_format="NHWC"):
    if data_format == "NCHW":
        x = x.transpose(0, 2, 3, 1)
    b = block_size
    out = np.concatenate([x[:, i::b, j::b] for i in range(b) for j in range(b)], -1)
    return out.transpose(0, 3, 1, 2) if data_format == "NCHW" else out


def _from_depth(x, block_size, data_format="NHWC"):
    if data_format == "NCHW":
        x = x.transpose(0, 2, 3, 1)
    b, (n, h, w, c) = block_size, x.shape
    out = np.zeros((n, h * b, w * b, c // (b * b)))
    for i, part in enumerate(np.split(x, b * b, -1)):
        out[:, i // b :: b, i % b :: b] = part
    return out.transpose(0, 3, 1, 2) if data_format == "NCHW" else out


_DEPTH = [
    error(np.zeros((2, 2)), text="Input rank should be: 4 instead of: 2"),
    error(np.zeros((1, 4, 4, 4)), block_size=1, text="of 1 must be at least minimum 2"),
    error(
        np.zeros((1, 4, 4, 4)), data_format="N", text='"NHWC", "NCHW", "NCHW_VECT_C"'
    ),
]
for _format, _small, _deep in (
    ("NHWC", (2, 4, 6, 3), (2, 2, 3, 8)),
    ("NCHW", (2, 3, 4, 6), (2, 8, 2, 3)),
):
    _attrs = {"block_size": 2, "data_format": _format}
    case("SpaceToDepth", floats(*_small), attrs=_attrs, reference=_to_depth,
         dtypes=_HALF, errors=[*_DEPTH, error(
             np.zeros((1, 3, 3, 3)), text="height 3 should be divisible by")],
    )  # fmt: skip
    case("DepthToSpace", floats(*_deep), attrs=_attrs, reference=_from_depth,
         dtypes=_HALF, errors=[*_DEPTH, error(
             np.zeros((1, 3, 3, 3)), text="depth dimension 3 should be divisible by"),
    ])  # fmt: skip


# ------------------------------------------------------------------ patches
def _patches(x, ksizes, strides, rates=(1,) * 5, padding="VALID"):
    k, sizes = ksizes[1:-1], x.shape[1:-1]
    facts = list(zip(sizes, k, strides[1:-1], rates[1:-1], strict=False))
    reach = [(w - 1) * r + 1 for _, w, _, r in facts]
    if padding == "SAME":
        counts = [-(-n // s) for n, _, s, _ in facts]
        more = [max(0, (c - 1) * f[2] + w - f[0])
                for c, f, w in zip(counts, facts, reach, strict=True)]  # fmt: skip
        x = np.pad(x, [(0, 0), *((m // 2, m - m // 2) for m in more), (0, 0)])
    counts = [max(0, (n - w) // f[2] + 1)
              for n, f, w in zip(x.shape[1:-1], facts, reach, strict=True)]  # fmt: skip
    out = np.zeros((len(x), *counts, np.prod(k) * x.shape[-1]))
    for at in np.ndindex(*counts):
        place = tuple(
            slice(i * f[2], i * f[2] + w, f[3])
            for i, f, w in zip(at, facts, reach, strict=True)
        )
        out[(slice(None), *at)] = x[(slice(None), *place)].reshape(len(x), -1)
    return out


for _k, _s, _r in (((2, 2), (1, 1), (1, 1)), ((3, 2), (2, 1), (1, 2)),
                   ((1, 2), (3, 2), (1, 1))):  # fmt: skip
    for _padding in ("SAME", "VALID"):
        _attrs = {"ksizes": (1, *_k, 1), "strides": (1, *_s, 1), "rates": (1, *_r, 1)}
        case("ExtractImagePatches", floats(2, 4, 5, 2), reference=_patches,
             attrs={**_attrs, "padding": _padding}, dtypes=_HALF, needs="shape",
             errors=[error(np.zeros((2, 2)), text="input must be 4-dimensional[2,2]"),
                     error(np.zeros((1, 2, 2, 1)), padding="X",
                           text="for attr 'padding' of \"X\" is not in the list"),
                     error(np.zeros((1, 2, 2, 1)), ksizes=(1, 2),
                           text="'ksizes' of 2 must be at least minimum 4")],
        )  # fmt: skip
case("ExtractImagePatches", floats(1, 3, 3, 2), reference=np.zeros((1, 0, 0, 50)),
     attrs={"ksizes": (1, 5, 5, 1), "strides": (1,) * 4, "rates": (1,) * 4,
            "padding": "VALID"}, grad=(),
)  # fmt: skip
for _padding in ("SAME", "VALID"):
    case("ExtractVolumePatches", floats(1, 3, 4, 2, 2), reference=_patches,
         attrs={"ksizes": (1, 2, 2, 1, 1), "strides": (1, 1, 2, 1, 1),
                "padding": _padding}, needs="shape")  # fmt: skip


# ------------------------------------------------------------------ rearrange
def _reversed(x, lengths, seq_dim=0, batch_dim=0):
    out = np.array(x)
    for i, n in enumerate(lengths):
        place: list = [slice(None)] * x.ndim
        place[batch_dim] = i
        part = np.moveaxis(out[tuple(place)], seq_dim - (seq_dim > batch_dim), 0)
        part[:n] = part[:n][::-1].copy()
    return out


_LENGTHS = [
    error(np.zeros((2, 4)), [2, 7], text="seq_lens(1) > input.dims(1)"),
    error(np.zeros((2, 4)), [2, -1], text="seq_lens(1) < 0"),
    error(np.zeros((2, 4)), [2], text="len(seq_lens) != input.dims(0), (1 vs. 2)"),
    error(np.zeros((2, 4)), [[2]], text="seq_lens input must be 1-dim, not 2"),
    error(np.zeros((2, 4)), [2, 2], seq_dim=0, text="batch_dim == seq_dim == 0"),
    error(np.zeros((2, 4)), [2, 2], seq_dim=5, text="dims()( 5 vs. 2)"),
]
case("ReverseSequence", floats(2, 4), np.array([2, 3]), attrs={"seq_dim": 1},
     reference=_reversed, errors=_LENGTHS, dtypes=_HALF)  # fmt: skip
case("ReverseSequence", floats(3, 2, 4), np.array([0, 1, 2, 3], _INT),
     attrs={"seq_dim": 0, "batch_dim": 2}, reference=_reversed)  # fmt: skip
case(rearrange.reverse_sequence, floats(2, 4), [4, 3],
     attrs={"seq_dim": 1, "batch_dim": 0}, reference=_reversed,
     errors=[error(np.zeros((2, 4)), [2, 2], seq_dim=None, type=TypeError,
                   text="Expected int for argument 'seq_dim' not None.")])  # fmt: skip

_ROLL = [
    error(np.zeros((2, 3)), 1, 2, text="axis 2 is out of range"),
    error(np.zeros((2, 3)), 1, -3, text="axis -1 is out of range"),
    error(
        np.zeros((2, 3)), (1, 1), (0,), text="shift and axis must have the same size"
    ),
    error(3.0, 1, 0, text="input must be 1-D or higher"),
    error(np.zeros(2), [[1]], [[0]], text="shift must be a scalar or a 1-D vector."),
]
for _shift, _axis in ((2, 0), ((1, -1), (0, 1)), ((1, 1), (1, 1)), (-5, -1)):
    case("Roll", floats(2, 3), _shift, _axis, reference=np.roll, errors=_ROLL,
         dtypes=_HALF)  # fmt: skip
case("Roll", np.array([b"a", b"b", b"c"], object), 1, 0, reference=np.roll)
case("UnravelIndex", np.array([2, 5, 7], _INT), (3, 3),
     reference=np.array([[0, 1, 2], [2, 2, 1]], _INT),
     errors=[error([[1]], (3, 3), text='only be scalar or vector, got "[1,1]"'),
             error([1], [[3]], text='The indices can only be 1-D, got "[1,1]"'),
             error([1], (3, 0), text="dims cannot contain a dim of zero: [3,0]")],
)  # fmt: skip
case("UnravelIndex", np.array(5), (3, 3), reference=np.array([1, 2]))
case("UnravelIndex", np.array([-1, 9]), (3, 3), reference=np.array([[0, 0], [-1, 0]]))
