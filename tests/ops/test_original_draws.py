"""The draws of native/draws.c are those of ops/random/original.py and philox.py."""

import ctypes
import platform

import numpy as np
import pytest

from tests.children import words_of
from tests.support.cases import run_cases
from twinflow.base import native
from twinflow.ops.random import choice, original, philox
from twinflow.ops.random.original_trials import truncated_normal

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "draw"), reason="there is no C module"
)
KEY = original.key_of(np, (87654321, 2**32 - 5))
LOW, HIGH = np.int32(-7), np.int32(2**31 - 1)
DRAWS = {
    "words": lambda n: original.words(np, KEY, 2**40 - 1, n),
    "uniform": lambda n: original.uniform(np, KEY, 7, (n,), np.float32),
    "normal": lambda n: original.normal(np, KEY, 7, (n,), np.float32),
    "float16": lambda n: original.normal(np, KEY, 7, (n,), np.float16),
    "truncated": lambda n: truncated_normal(None, KEY, 7, (n,), np.float32),
    "integers": lambda n: original.integers(np, KEY, 7, (n,), LOW, HIGH),
    "few integers": lambda n: original.integers(np, KEY, 7, (n,), LOW, np.int32(-4)),
    "order": lambda n: original.order(None, KEY, 7, n + 1),
    "our uniform": lambda n: philox.uniform(np, KEY[:2], 2**40, (n,), np.float32),
    "our float64": lambda n: philox.uniform(np, KEY[:2], 2**40, (n,), np.float64),
    "our normal": lambda n: philox.normal(np, KEY[:2], 2**40, (n,), np.float32),
    "our integers": lambda n: philox.integers(np, KEY[:2], 3, (n,), LOW, HIGH),
    "our few": lambda n: philox.integers(np, KEY[:2], 3, (n,), LOW, np.int32(-4)),
}


@pytest.mark.parametrize("count", [0, 1, 3, 4, 257, 70_001])  # the last: all threads
@pytest.mark.parametrize("kind", DRAWS)
def test_it_draws_what_python_draws(kind, count, monkeypatch):
    found = DRAWS[kind](count)
    monkeypatch.setattr(native, "fast", None)
    monkeypatch.setattr(philox, "fast", None)
    wanted = DRAWS[kind](count)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if not any(word in kind for word in ("normal", "float16", "truncated")):
        np.testing.assert_array_equal(found, wanted)
    else:  # logarithms and sines of another library: a last place here and there
        limit = 4 * np.finfo(found.dtype).eps
        np.testing.assert_allclose(found, wanted, rtol=limit, atol=limit)
        assert (found != wanted).mean() < 0.1 if count > 4 and kind[0] != "o" else True


EXACT = {
    "words": lambda k, at, n, _: original.words(np, k, at, n),
    "uniform": lambda k, at, n, _: original.uniform(np, k, at, (n,), np.float32),
    "integers": lambda k, at, n, high: original.integers(np, k, at, (n,), LOW, high),
    "order": lambda k, at, n, _: original.order(None, k, at, n + 1),
    "ours": lambda k, at, n, _: philox.uniform(np, k[:2], at, (n,), np.float32),
    "our float64": lambda k, at, n, _: philox.uniform(np, k[:2], at, (n,), np.float64),
    "ours below": lambda k, at, n, high: philox.integers(
        np, k[:2], at, (n,), LOW, high
    ),
}


def case(random):
    """Any key, place in the stream, count and range."""
    key = original.key_of(np, tuple(int(v) for v in random.integers(0, 2**32, 2)))
    at, n = int(2 ** random.uniform(0, 60)), int(10 ** random.uniform(0, 3)) - 1
    high = np.int32(-6 + int(2 ** random.uniform(0, 31)))
    draw = EXACT[str(random.choice(list(EXACT)))]
    found, ours = draw(key, at, n, high), (native.fast, philox.fast)
    try:
        native.fast = philox.fast = None
        wanted = draw(key, at, n, high)
    finally:
        native.fast, philox.fast = ours
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


def test_random_cases():
    run_cases(case)


def expected_of_glibc(words):
    """Box and Muller's numbers by the C library of the machine, pair after pair."""
    libm = ctypes.CDLL("libm.so.6")
    for name in ("logf", "sinf", "cosf"):
        function = getattr(libm, name)
        function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float]
    f32 = np.float32
    u = original.fractions(np, words, np.dtype(f32))
    log = np.array([libm.logf(a) for a in np.maximum(u[::2], f32(1e-7))], f32)
    turn = (2 * np.pi * u[1::2].astype(float)).astype(f32)
    size = np.sqrt(f32(-2) * log)
    pairs = [np.array([f(t) for t in turn], f32) * size for f in (libm.sinf, libm.cosf)]
    return np.stack(pairs, 1).ravel()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_logarithms_and_sines_are_those_of_glibc_to_the_last_bit():
    """All 2**23 arguments were compared once, for each width of vectors."""
    found = original.normal(np, KEY, 99, (40_000,), np.float32)
    words = original.words(np, KEY, 99, 40_000)
    np.testing.assert_array_equal(found, expected_of_glibc(words))


@pytest.mark.parametrize("width", ["4", "8"])
def test_every_width_of_vectors_draws_the_same(width):
    program = (
        "import zlib\nfrom tests.ops.test_original_draws import DRAWS\n"
        "print(*[zlib.crc32(draw(70_001).tobytes()) for draw in DRAWS.values()])"
    )
    wanted = words_of(program, TWINFLOW_VECTOR="16")
    assert words_of(program, TWINFLOW_VECTOR=width) == wanted


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (40, 1000), (3, 20_000)])
def test_classes_are_chosen_as_by_numpy(dtype, shape, monkeypatch):
    random = np.random.default_rng(0)
    logits = (4 * random.standard_normal(shape)).astype(dtype)
    logits[:, 1::3] = -np.inf
    u = random.random((shape[0], 50))
    u[:, 0] = 0
    found = choice.chosen(np, logits, u)
    odd = np.where(np.arange(shape[0])[:, None] == 0, np.nan, logits).astype(dtype)
    assert choice._chosen_in_c(odd, u) is None
    monkeypatch.setattr(native, "fast", None)
    wanted = choice.chosen(np, logits, u)
    np.testing.assert_array_equal(found, wanted)


def test_a_read_only_array_is_refused():
    with pytest.raises((BufferError, TypeError, ValueError), match=r"read-only|write"):
        native.fast.draw(original.WORDS, np.frombuffer(b"12345678"), 0, *KEY, 1)


def test_sizes_that_do_not_fit_are_refused():
    out = np.empty(6, np.uint32)
    for call in (
        lambda: native.fast.draw(philox.OUR_WORDS, out, 0, *KEY, 1),
        lambda: native.fast.bells(out[:3], 1),
        lambda: native.fast.ranged(out[:5], out, 0, 3, 1),
        lambda: native.fast.ranged(out, out, 0, 0, 1),
        lambda: native.fast.chosen(out, np.empty(2), np.empty(1), 0, 6, 1),
        lambda: native.fast.chosen(out, np.empty(1), np.empty(1), 0, 4, 1),
        lambda: native.fast.exchanged(out, np.empty(3, np.int64)),
    ):
        with pytest.raises(ValueError, match="the sizes are not those of the arrays"):
            call()
