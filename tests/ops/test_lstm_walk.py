"""All steps of an LSTM at once, on any threads, against a step at a time in float64."""

import hashlib

import numpy as np
import pytest

from tests.children import words_of
from tests.support.cases import run_cases, run_narrow
from twinflow.base import native
from twinflow.ops.nn import lstm_walk
from twinflow.ops.nn.lstm_step import step, step_back

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "lstm_walk"), reason="no C module, or Windows"
)


def numbers(random, *shape):
    return random.standard_normal(shape).astype(np.float32)


def wide(x):
    return [a.astype(float) for a in x] if isinstance(x, tuple) else x.astype(float)


def case(random):
    """A walk there and back; what the walk needs no more than steps of memory for."""
    steps, later = int(random.integers(1, 6)), int(random.integers(0, 3))
    rows, units = int(random.integers(1, 70)), int(random.integers(1, 40))
    z, bias = numbers(random, steps, rows, 4 * units), numbers(random, 4 * units)
    c, h = numbers(random, 2, rows, units)
    peeps = tuple(numbers(random, 3, units)) if random.random() < 0.4 else None
    clip = float(random.choice([-1.0, 0.7]))
    recurrent = 0.3 * numbers(random, units, 4 * units)
    outs = tuple(np.zeros((steps + later, rows, units), np.float32) for _ in range(7))
    given = z, bias, c, peeps, 1.0, clip, h, recurrent
    assert walk_of("lstm_walk", *given[:7], recurrent, outs)
    before, wanted = (wide(c), wide(h)), []
    for row in wide(z):
        found = row + before[1] @ wide(recurrent) + wide(bias)
        found = step(np, found, before[0], peeps and wide(peeps), 1.0, np.float32(clip))
        before = found[1], found[-1]
        wanted.append(found)
    for out, right in zip(outs, zip(*wanted, strict=True), strict=True):
        near(out[:steps], np.array(right))
        assert not out[steps:].any()
    d_h = numbers(random, steps + later, rows, units)
    d_cs = numbers(random, *d_h.shape) if random.random() < 0.5 else None
    d_z = np.empty_like(z)
    back, below = np.zeros((2, rows, units), np.float32)
    turned = np.ascontiguousarray(recurrent.T)
    room = d_z, back, below
    assert walk_of("lstm_walk_back", outs, c, peeps, d_cs, d_h, turned, *room)
    d_c, d = np.zeros((2, rows, units))
    for t in range(steps - 1, -1, -1):
        gates = [a[t].astype(float) for a in outs]
        memory = wide(outs[1][t - 1] if t else c)
        slope = d_c + (0 if d_cs is None else d_cs[t])
        d_c, *parts = step_back(
            memory, peeps and wide(peeps), gates, slope, d + wide(d_h[t])
        )
        parts = np.concatenate(parts, 1)
        near(d_z[t], parts)
        d = parts @ wide(turned)
    near(back, d_c)
    near(below, d)


def walk_of(name, *args):
    """Whether the C module did it; `lstm_walk` gets its room."""
    z, c = args[0], args[2]
    if name == "lstm_walk":
        args = z, np.empty_like(c, shape=(len(c), z.shape[2])), *args[1:]
    return getattr(native.fast, name)(*args)


def near(found, wanted):
    scale = max(1.0, np.abs(wanted).max(initial=0))
    np.testing.assert_allclose(found, wanted, 1e-5, 2e-5 * scale)


def test_random_cases():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_narrow_vectors(width):
    run_narrow("tests.ops.test_lstm_walk", width)


def digest():
    """A checksum of a large walk there and back."""
    random = np.random.default_rng(3)
    z, d_h = numbers(random, 4, 150, 4 * 96), numbers(random, 4, 150, 96)
    c, h = numbers(random, 2, 150, 96)
    recurrent, bias = numbers(random, 96, 4 * 96), z[0, 0]
    outs = tuple(np.empty_like(d_h) for _ in range(7))
    lstm_walk.walked(z, bias, c, None, 1.0, -1.0, h, recurrent, outs)
    d_z, (back, below) = np.empty_like(z), np.zeros_like(c, shape=(2, *c.shape))
    lstm_walk.walked_back(outs, c, None, None, d_h, recurrent, d_z, back, below)
    arrays = (*outs, d_z, back, below)
    return hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest()


def test_the_result_does_not_depend_on_the_number_of_threads():
    program = "from tests.ops import test_lstm_walk as t\nprint(t.digest())"
    one, three = (words_of(program, OPENBLAS_NUM_THREADS=n) for n in "13")
    assert one == three


def test_a_step_at_a_time_gives_the_same(monkeypatch):
    calls = []
    real = native.fast.lstm_walk

    class Fast:
        lstm_walk_back = staticmethod(native.fast.lstm_walk_back)

        @staticmethod
        def lstm_walk(*args):
            calls.append(args)
            return real(*args)

    monkeypatch.setattr(lstm_walk, "_fast", Fast)
    random = np.random.default_rng(1)
    z, c, h = numbers(random, 3, 70, 256), *numbers(random, 2, 70, 64)
    recurrent, bias = 0.1 * numbers(random, 64, 256), numbers(random, 256)
    found = [tuple(np.empty((3, 70, 64), "f") for _ in range(7)) for _ in range(2)]
    for outs, least in zip(found, (0, 1 << 62), strict=True):
        monkeypatch.setattr(lstm_walk, "_LEAST", least)
        lstm_walk.walked(z, bias, c, None, 1.0, -1.0, h, recurrent, outs)
    assert len(calls) == 1
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, 1e-5, 1e-6)


def test_what_does_not_fit_is_left_alone():
    z, c = np.ones((2, 6, 32), np.float32), np.ones((6, 8), np.float32)
    bias, recurrent = np.ones(32, np.float32), np.ones((8, 32), np.float32)
    outs = tuple(np.zeros((2, 6, 8), np.float32) for _ in range(7))
    sealed = np.zeros((2, 6, 8), np.float32)
    sealed.flags.writeable = False
    right = [z, bias, c, None, 1.0, -1.0, c, recurrent, outs]
    wrong = {
        0: (z[:, :, ::-1], z[0], z[:, :5], z.astype(float), None, z[:0]),
        1: (bias[:5], bias[::2]), 2: (c[:5], c[:, :0]), 3: ((bias,), (bias,) * 3),
        6: (c[:5], c.T), 7: (recurrent[:5], recurrent.T, None),
        8: (outs[:6], (*outs[:6], sealed), tuple(o[:1] for o in outs), None),
    }  # fmt: skip
    for place, values in wrong.items():
        for value in values:
            args = list(right)
            args[place] = value
            room = np.empty((6, 32), np.float32)
            found = native.fast.lstm_walk(args[0], room, *args[1:])
            assert found is False, (place, value)
    assert not any(o.any() for o in outs)
    back = [outs, c, None, None, outs[6], recurrent.T.copy(), z, c.copy(), c.copy()]
    for place, value in (
        (0, outs[:5]), (4, sealed[:1]), (3, sealed[:1]), (5, recurrent[:3]),
        (6, z[:, :3]), (6, sealed), (7, c[:3]), (8, c[:3]),
    ):  # fmt: skip
        args = list(back)
        args[place] = value
        assert native.fast.lstm_walk_back(*args) is False, place
