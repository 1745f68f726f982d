"""The C module's steps of LSTMs: NumPy's numbers, on any threads.

TWINFLOW_CASES=50000 draws more cases, as `make sanitize` is to be run now and then.
"""

import hashlib
import os

import numpy as np
import pytest

from tests.children import words_of
from twinflow.base import native
from twinflow.ops.nn import lstm_step

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "lstm_step"), reason="no C module, or Windows"
)
CASES = int(os.environ.get("TWINFLOW_CASES", "210"))
ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e38, -3e38, 88.8, -104.0]
UNITS = [1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 48, 64, 100, 257]


def numbers(random, *shape):
    """float32 of several sizes; now and then with a few odd ones."""
    x = random.standard_normal(shape) * 10.0 ** random.integers(-2, 2)
    x = x.astype(np.float32)
    if random.random() < 0.3 and x.size:
        places = random.integers(0, x.size, random.integers(1, 4))
        x.ravel()[places] = random.choice(ODD, places.size)
    return x


def apart(random, x):
    """The same with its rows apart, now and then."""
    return np.repeat(x, 2, 0)[::2] if random.random() < 0.3 else x


def maybe(random, x):
    return x if random.random() < 0.6 else None


def wide(x):
    """In float64, arrays of a tuple each."""
    if isinstance(x, tuple):
        return tuple(map(wide, x))
    return None if x is None else x.astype(float)


def finite(x):
    """The sizes of numbers; 0 for infinities and NaN."""
    return np.where(np.isfinite(x), np.abs(x.astype(float)), 0)


def assert_near(found, wanted, size, what):
    """Within some ulps of numbers of that size; infinities and NaN alike."""
    with np.errstate(all="ignore"):
        wanted = wanted.astype(np.float32)
        plain = np.isfinite(wanted)
        room = np.broadcast_to(2e-6 * (np.abs(wanted) + size) + 1e-37, wanted.shape)
    np.testing.assert_array_equal(found[~plain], wanted[~plain], str(what))
    apart = np.abs(found[plain].astype(float) - wanted[plain])
    assert (apart <= room[plain]).all(), what


def forward_case(random):
    rows, units = int(random.integers(0, 70)), int(random.choice(UNITS))
    x, h = numbers(random, rows, 4 * units), numbers(random, rows, 4 * units)
    bias, h = maybe(random, numbers(random, 4 * units)), maybe(random, h)
    c = apart(random, numbers(random, rows, units))
    peeps = tuple(np.clip(numbers(random, units), -99, 99) for _ in range(3))
    peeps = maybe(random, peeps)
    clip, crossed = float(random.choice([-1.0, 0.0, 0.7])), bool(random.random() < 0.5)
    found = tuple(np.empty_like(c) for _ in range(7))
    attrs = (1.0, clip, found, crossed)
    lstm_step.stepped(x, h, bias, c, peeps, *attrs)
    with np.errstate(all="ignore"):
        z = wide(x) + (0 if h is None else h) + (0 if bias is None else bias)
        wanted = lstm_step.step(
            np, z, wide(c), wide(peeps), 1.0, float(np.float32(clip)), crossed
        )
    size = 1 + finite(z).reshape(rows, 4, units).max(1) + finite(c)
    if peeps:
        size = size * (1 + max(finite(p).max() for p in peeps))
    checked = size < (1e30 if peeps else np.inf)  # what overflows does so elsewhere
    checked &= ~np.isinf(c)  # a factor of 1e-50 is 0 in float32
    for place, (a, b) in enumerate(zip(found, wanted, strict=True)):
        what = (place, rows, units, crossed, clip)
        assert_near(a[checked], b[checked], size[checked], what)


def sizes_back(c, peeps, gates, d_c, d_h):
    """What `step_back` gives if nothing cancels."""
    i, _, f, o, j, co, _ = map(finite, gates)
    c, d_c, d_h = finite(c), finite(d_c), finite(d_h)
    wi, wf, wo = map(finite, peeps) if peeps else (0, 0, 0)
    d_o = o * (1 + o) * d_h * co
    d_cs = (1 + co * co) * d_h * o + d_c + d_o * wo
    d_f, d_i = f * (1 + f) * d_cs * c, i * (1 + i) * d_cs * j
    return d_cs * f + d_i * wi + d_f * wf, d_i, (1 + j * j) * d_cs * i, d_f, d_o


def back_case(random):
    rows, units = int(random.integers(0, 70)), int(random.choice(UNITS))
    gates = tuple(np.clip(numbers(random, rows, units), -1, 1) for _ in range(7))
    c = apart(random, numbers(random, rows, units))
    peeps = tuple(numbers(random, units) for _ in range(3))
    peeps = peeps if random.random() < 0.4 else None
    slopes = [numbers(random, rows, units) for _ in range(4)]
    slopes = [maybe(random, apart(random, d)) for d in slopes]
    d_c, d_h, crossed = tuple(slopes[:2]), tuple(slopes[2:]), random.random() < 0.5
    d_z, back = np.empty((rows, 4 * units), np.float32), np.empty_like(c)
    with np.errstate(all="ignore"):  # inf - inf
        sums = [sum(a.astype(float) for a in d if a is not None) for d in (d_c, d_h)]
        sums = [np.zeros_like(c) if type(d) is int else d for d in sums]
        wanted, *z = lstm_step.step_back(wide(c), wide(peeps), wide(gates), *sums)
        size, *sizes = sizes_back(c, peeps, gates, *sums)
        if crossed:
            z, sizes = ([a[0], a[2], a[1], a[3]] for a in (z, sizes))
        z, sizes = np.concatenate(z, 1), np.concatenate(sizes, 1)
    arrays = (c, *gates, *sums, *(peeps or ()))
    top = max(np.nan_to_num(np.abs(a)).max(initial=0) for a in arrays)
    held = slopes[0] is not None and slopes[0].flags.c_contiguous
    if held and random.random() < 0.5:
        back = slopes[0]  # it may be the array that it takes the place of
    lstm_step.stepped_back(gates, c, peeps, d_c, d_h, d_z, back, crossed)
    if top < 1e30:
        what = (rows, units, crossed)
        assert_near(back, wanted, size, what)
        assert_near(d_z, z, sizes, what)


KINDS = {"forward": forward_case, "back": back_case}


@pytest.mark.parametrize("kind", KINDS)
def test_random_cases(kind):
    for case in range(CASES // len(KINDS) + 1):
        KINDS[kind](np.random.default_rng([case, len(kind)]))


def test_functions_are_right_within_some_ulps():
    random, n = np.random.default_rng(2), 4096
    x = (random.standard_normal(n) * 10.0 ** random.integers(-44, 3, n)).astype("f")
    x[: len(ODD)] = ODD
    z = np.concatenate([x, x, x, x])[None]
    found = tuple(np.empty((1, n), np.float32) for _ in range(7))
    lstm_step.stepped(z, None, None, np.zeros((1, n), "f"), None, 0.0, -1.0, found)
    i, _, f, o, j, _, _ = (a[0] for a in found)
    with np.errstate(all="ignore"):
        sigmoid, tanh = 1 / (1 + np.exp(-x.astype(float))), np.tanh(x.astype(float))
        sigmoid, tanh = sigmoid.astype(np.float32), tanh.astype(np.float32)
    np.testing.assert_array_equal(i, f)
    np.testing.assert_array_equal(i, o)
    np.testing.assert_array_equal(np.signbit(j), np.signbit(tanh))
    for a, b in ((i, sigmoid), (j, tanh)):
        assert (np.isnan(a) == np.isnan(b)).all()
        known = ~np.isnan(b)
        steps = np.abs(a.view(np.int32) - b.view(np.int32))
        assert steps[known].max() <= 2


CHILD = """
from tests.ops import test_lstm_step as t
for kind in t.KINDS:
    for case in range(20):
        t.KINDS[kind](t.np.random.default_rng([case, 7]))
t.test_functions_are_right_within_some_ulps()
print(t.digest())
"""


def digest():
    """A checksum of what large steps give."""
    random = np.random.default_rng(5)
    x, h = random.standard_normal((2, 300, 4 * 201)).astype(np.float32)
    c, d_c, d_h = random.standard_normal((3, 300, 201)).astype(np.float32)
    found, d_z = tuple(np.empty_like(c) for _ in range(7)), np.empty_like(x)
    lstm_step.stepped(x, h, x[0], c, None, 1.0, 0.8, found)
    lstm_step.stepped_back(found, c, None, (d_c, None), (d_h, d_c), d_z, d_c)
    arrays = (*found, d_z, d_c)
    return hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest()


def test_the_result_does_not_depend_on_the_number_of_threads():
    one, three = (words_of(CHILD, OPENBLAS_NUM_THREADS=n) for n in "13")
    assert one == three


@pytest.mark.parametrize("floats", ["4", "8"])
def test_narrower_vectors_compute_the_same(floats):
    assert words_of(CHILD, TWINFLOW_VECTOR=floats)


def test_what_does_not_fit_is_left_alone():
    x, c = np.ones((6, 32), np.float32), np.ones((6, 8), np.float32)
    outs, fast = tuple(np.empty_like(c) for _ in range(7)), native.fast
    for z in (x[:, ::-1], x[:5], x.astype(float), x.astype(">f4"), None, [1]):
        assert not fast.lstm_step(z, None, None, c, None, 1.0, -1.0, False, outs)
    sealed = np.empty_like(c)
    sealed.flags.writeable = False
    for wrong in (outs[:6], (*outs[:6], sealed), (*outs[:6], x), list(outs)):
        assert not fast.lstm_step(x, None, None, c, None, 1.0, -1.0, False, wrong)
    assert not fast.lstm_step(x, x[0], None, c, None, 1.0, -1.0, False, outs)
    assert not fast.lstm_step(x, None, None, c, (c[0],), 1.0, -1.0, False, outs)
    assert not fast.lstm_step(x, None, None, c[0], None, 1.0, -1.0, False, outs)
    two = (None, None)
    assert not fast.lstm_step_back(outs, c, None, two, None, False, x, c)
    assert not fast.lstm_step_back(outs, c, None, two, (c, x), False, x, c)
    assert not fast.lstm_step_back(outs, c, None, two, two, False, c, c)
    assert fast.lstm_step_back(outs, c, None, two, two, False, x, c)
