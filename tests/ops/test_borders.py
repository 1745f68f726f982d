"""Padding by native/borders.c: what NumPy's `pad` gives, to the bit."""

import numpy as np
import pytest

from tests.support.cases import run_cases
from twinflow.base import native
from twinflow.ops.arrays import borders

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "border"), reason="there is no C module"
)
DTYPES = ["f4", "f8", "i4", "u1", "c8", "f2", "?"]


def case(random):
    low = 0 if random.random() < 0.1 else 1
    shape = tuple(random.integers(low, 7, random.integers(1, 6)))
    x = random.integers(0, 50, shape).astype(random.choice(DTYPES))
    x = x.T if random.random() < 0.3 else x
    mode = str(random.choice(["constant", "reflect", "symmetric"]))
    pads = [tuple(random.integers(0, 4, 2)) for _ in x.shape]
    pads = [p if random.random() < 0.5 else (0, 0) for p in pads]
    value = {"constant_values": random.integers(0, 3)} if mode == "constant" else {}
    if not value:
        pads = [tuple(max(0, min(v, d - 1)) for v in p) for d, p in zip(x.shape, pads)]
    least, borders._LEAST = borders._LEAST, 0
    try:
        found = borders.padded(x, pads, value.get("constant_values"), mode)
    finally:
        borders._LEAST = least
    if found is None:  # four axes that cannot be taken together
        assert x.size == 0 or sum(p != (0, 0) for p in pads) > 1
        return
    wanted = np.pad(x, pads, mode, **value)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    assert found.tobytes() == wanted.tobytes()


def test_they_are_those_of_numpy():
    run_cases(case)


def test_large_ones_on_all_threads():
    x = np.random.default_rng(0).standard_normal((8, 40, 40, 24))
    pads = [(0, 0), (1, 2), (3, 0), (0, 0)]
    for mode in ("constant", "reflect", "symmetric"):
        found = borders.padded(x, pads, None, mode)
        np.testing.assert_array_equal(found, np.pad(x, pads, mode))


def test_places_that_are_not_there_are_refused():
    x, out, value = np.zeros(4, np.uint8), np.zeros(6, np.uint8), np.ones(1, np.uint8)
    one, wrong = np.zeros(1, np.int64), np.array([-1, 0, 1, 2, 4, -1])
    with pytest.raises(ValueError, match="sizes"):
        native.fast.border(out, x, value, one, one, wrong, 1, 1, 4, 1)
    with pytest.raises(ValueError, match="sizes"):
        native.fast.border(out[:5], x, value, one, one, wrong % 4, 1, 1, 4, 1)
