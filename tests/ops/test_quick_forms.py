"""Quick forms of ops: what the kernel gives, or None."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import native
from twinflow.base.op import registry
from twinflow.ops.core.creation import Range
from twinflow.ops.core.division import FloorDiv, FloorMod
from twinflow.ops.core.index import GatherV2

RNG = np.random.RandomState(0)
TABLE = RNG.randint(-9, 9, (3, 4, 5))
INDEX = np.int32([[2, 0], [1, 1]])

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
]  # fmt: skip


def test_each_quick_form_is_here():
    ours = {op.type for op, *_ in RIGHT}
    assert {op.type for op in registry.values() if op.quick} <= ours
    assert all(op.quick for op, *_ in RIGHT) or native.fast is None


@pytest.mark.parametrize(("op", "inputs", "attrs"), RIGHT)
def test_it_gives_what_the_kernel_gives(op, inputs, attrs):
    if op.quick is None:
        pytest.skip("the C module is not there")
    found, wanted = op.quick(*inputs, **attrs), op.np(*inputs, **attrs)
    assert found.dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize(("op", "inputs", "attrs"), OTHER)
def test_it_leaves_the_rest_to_the_kernel(op, inputs, attrs):
    assert op.quick is None or op.quick(*inputs, **attrs) is None
