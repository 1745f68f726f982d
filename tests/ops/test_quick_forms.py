"""Quick forms of ops: what the kernel gives, or None."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import native
from twinflow.base.op import registry
from twinflow.ops.core.creation import Range
from twinflow.ops.core.division import FloorDiv, FloorMod
from twinflow.ops.core.index import GatherV2
from twinflow.ops.core.shape import ExpandDims, Reshape
from twinflow.ops.nn.activation import ReluGrad

RNG = np.random.RandomState(0)
TABLE = RNG.randint(-9, 9, (3, 4, 5))
INDEX = np.int32([[2, 0], [1, 1]])
SLOPES = RNG.randn(3, 4, 5)
SLOPES[0, 0] = 0, -0.0, np.inf, -np.inf, np.nan
ODD = np.roll(SLOPES, 1, 2)

RIGHT = [
    *((GatherV2, (TABLE.astype(d), i, axis), {})
      for d in ("f4", "f8", "i4", "i8", "?")
      for i in (INDEX, INDEX.astype("i8"), np.array(1, "i4"), np.zeros(0, "i4"))
      for axis in (0, 1, -1)),
    *((op, (TABLE.astype(d), np.array(k, d)), {})
      for op in (FloorDiv, FloorMod) for d in ("i4", "i8", "u1") for k in (1, 3)),
    (FloorDiv, (TABLE, np.array(-3)), {}), (FloorMod, (TABLE, np.array(-3)), {}),
    *((Range, (2, np.array(9, "i4"), 3), {"Tidx": d}) for d in (tf.int32, tf.int64)),
    (Range, (2, 2, 1), {"Tidx": tf.int32}),
    *((Reshape, (TABLE.astype(d), sizes), {})
      for d in ("f4", "i8", "?")
      for sizes in ((60,), (6, -1), (1, 1, 60), np.int32([-1, 20]), np.int64([3, 20]),
                    np.array(60), np.array(-1, "i4"))),
    (Reshape, (np.array([[2.5]]), ()), {}),
    *((ReluGrad, (SLOPES.astype(d), x.astype(d)), {})
      for d in ("f4", "f8") for x in (SLOPES, ODD, -ODD)),
    *((ReluGrad, (np.full((n, 7), 2, "f4"), np.ones((n, 7), "f4")), {})
      for n in (0, 9000)),
    *((ExpandDims, (TABLE, axis), {}) for axis in (0, 2, 3, -1, -4)),
    (ExpandDims, (np.array(2, "i4"), 0), {}), (ExpandDims, (TABLE[:0], -1), {}),
]  # fmt: skip
OTHER = [
    (GatherV2, (TABLE, np.int32([0, 3]), 0), {}),
    (GatherV2, (TABLE, np.int32([-1]), 0), {}),
    (GatherV2, (TABLE, INDEX, 3), {}), (GatherV2, (TABLE, INDEX, -4), {}),
    (GatherV2, (TABLE, INDEX, 1 << 70), {}),
    (GatherV2, (TABLE.T, INDEX, 0), {}),
    (GatherV2, (TABLE, INDEX.astype("u1"), 0), {}),
    (GatherV2, (np.array(1.0), INDEX, 0), {}),
    (GatherV2, (np.array([b"a"], object), np.int32([0]), 0), {}),
    (GatherV2, (TABLE.astype(">f4"), INDEX, 0), {}),
    (GatherV2, (np.zeros((0, 3), "f4"), np.int32([0]), 0), {}),
    (FloorDiv, (TABLE, np.array(0)), {}), (FloorMod, (TABLE, np.array(0)), {}),
    (FloorDiv, (np.float32([1, 2]), np.float32(0.1)), {}),
    (FloorDiv, (np.zeros(1 << 20, "i4"), np.array(3, "i4")), {}),
    (Range, (0, np.array(2**62), 1), {"Tidx": tf.int64}),
    (Range, (9, 2, 1), {"Tidx": tf.int32}), (Range, (2, 9, 0), {"Tidx": tf.int32}),
    (Range, (2, np.array([9]), 1), {"Tidx": tf.int32}),
    (Range, (2.5, 9, 1), {"Tidx": tf.float32}),
    *((Reshape, (TABLE, sizes), {})
      for sizes in ((61,), (-1, -1), (-2, -30), (7, -1), (60.0,), (1 << 70,), (0, -1),
                    (2**62, 4), np.uint8([60]), np.ones((2, 30), "i4"), (1,) * 20)),
    (Reshape, (TABLE.T, (60,)), {}), (Reshape, (TABLE[:0], (0,)), {}),
    (Reshape, (np.array([b"a"], object), (1, 1)), {}),
    (Reshape, (TABLE.astype(">f4"), (60,)), {}), (Reshape, ([1, 2], (2,)), {}),
    *((ExpandDims, (TABLE, axis), {}) for axis in (4, -5, 1 << 70, 1.0)),
    (ReluGrad, (SLOPES, ODD[0]), {}), (ReluGrad, (SLOPES, ODD.astype("f4")), {}),
    (ReluGrad, (SLOPES.T, ODD.T), {}), (ReluGrad, (np.array(1.0), np.array(2.0)), {}),
    (ReluGrad, (SLOPES.astype("f2"), ODD.astype("f2")), {}),
    (ExpandDims, (TABLE.T, 0), {}), (ExpandDims, (np.array([b"a"], object), 0), {}),
]  # fmt: skip


def test_each_quick_form_is_here():
    ours = {op.type for op, *_ in RIGHT}
    assert {op.type for op in registry.values() if op.quick} <= ours
    assert all(op.quick for op, *_ in RIGHT) or native.fast is None


@pytest.mark.parametrize(("op", "inputs", "attrs"), RIGHT)
def test_it_gives_what_the_kernel_gives(op, inputs, attrs):
    if op.quick is None:
        pytest.skip("the C module is not there")
    with np.errstate(all="ignore"):
        found, wanted = op.quick(*inputs, **attrs), op.np(*inputs, **attrs)
    assert found.dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(found, wanted, strict=True)
    if found.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize(("op", "inputs", "attrs"), OTHER)
def test_it_leaves_the_rest_to_the_kernel(op, inputs, attrs):
    assert op.quick is None or op.quick(*inputs, **attrs) is None


@pytest.mark.parametrize(("op", "to"), [(Reshape, (60,)), (ExpandDims, 1)])
def test_views_have_the_memory_and_the_rights_of_what_they_show(op, to):
    if op.quick is None:
        pytest.skip("the C module is not there")
    fixed = TABLE.copy()
    fixed.setflags(write=False)
    assert op.quick(TABLE, to).flags.writeable
    assert not op.quick(fixed, to).flags.writeable
    view = op.quick(fixed, to)
    assert view.base is fixed and not view.flags.owndata and view.flags.c_contiguous
    del fixed
    assert view.sum() == TABLE.sum()
