"""The generator: known answers, equal bits under XLA, and distributions."""

import math
import statistics

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from twinflow.ops.random import philox

KEY = (0xA4093822, 0x299F31D0)
FLOATS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)
FAR = 2**40 + 7  # a position that needs both of its words


# Counter, key, result of philox4x32-10, from the known answers of Random123.
@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((2**32 - 1,) * 4, (2**32 - 1,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), KEY,
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)  # fmt: skip
def test_known_answers(counter, key, words):
    expected = [int(w, 16) for w in words.split()]
    assert list(philox.rounds(*counter, *key)) == expected
    arrays = [np.full(3, c, np.uint64) for c in counter]
    found = np.array(philox.rounds(*arrays, *key))
    np.testing.assert_array_equal(found, np.repeat([expected], 3, 0).T)


def test_a_word_is_a_function_of_key_position_and_block():
    found = philox.bits(np, KEY, FAR, 4 * 100).reshape(4, 100)
    block = philox.rounds(57, 0, FAR % 2**32, FAR >> 32, *KEY)
    assert tuple(found[:, 57].tolist()) == block


@pytest.mark.parametrize("pieces", [1, 3])
def test_bits_are_equal_however_they_are_made(monkeypatch, pieces):
    count = 4 * (philox._FEW - 2) - 1
    few = philox.bits(np, KEY, FAR, count)
    monkeypatch.setattr(philox, "_FEW", 0)
    monkeypatch.setattr(philox, "_PIECE", -(-count // 4 // pieces))
    np.testing.assert_array_equal(philox.bits(np, KEY, FAR, count), few)
    assert few.dtype == np.uint32


def test_keys_and_positions_change_everything():
    words = philox.bits(np, KEY, 0, 1000)
    for key, position in [((1, 0), 0), ((0, 1), 0), (KEY, 1), (KEY, 2**32)]:
        assert np.mean(words == philox.bits(np, key, position, 1000)) < 0.01


def compiled(function, position=FAR):
    """`function(jnp, position)` under XLA, the position traced."""
    with jax.enable_x64(True):
        return np.asarray(jax.jit(lambda p: function(jnp, p))(np.uint64(position)))


def assert_same_bits(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


COUNTS = (0, 1, 5, 1000, 70003)


@pytest.mark.parametrize("count", COUNTS)
def test_xla_draws_the_same_bits(count):
    def draw(xp, position):
        return philox.bits(xp, KEY, position, count)

    assert_same_bits(compiled(draw), draw(np, FAR))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (3, 0), (5,), (100, 30)])
def test_xla_draws_the_same_uniforms(shape, dtype):
    def draw(xp, position):
        return philox.uniform(xp, KEY, position, shape, dtype)

    found = draw(np, FAR)
    assert found.dtype == dtype and np.shape(found) == shape
    assert_same_bits(compiled(draw), np.asarray(found))


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [(np.int32, -3, 10), (np.int32, -(2**31), 2**31 - 1), (np.int64, 5, 6),
     (np.int64, -(2**63), 2**63 - 1)],
)  # fmt: skip
def test_xla_draws_the_same_integers(dtype, low, high):
    def draw(xp, position):
        bounds = xp.asarray(low, dtype), xp.asarray(high, dtype)
        return philox.integers(xp, KEY, position, (40, 25), *bounds)

    found = draw(np, FAR)
    assert found.dtype == dtype and low <= found.min() and found.max() < high
    assert_same_bits(compiled(draw), found)


@pytest.mark.parametrize("count", (1, 2, 3, 1000))
def test_xla_draws_the_same_permutations(count):
    def draw(xp, position):
        return philox.permutation(xp, KEY, position, count)

    found = draw(np, FAR)
    np.testing.assert_array_equal(np.sort(found), np.arange(count))
    assert_same_bits(compiled(draw), found)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("draw", [philox.normal, philox.truncated_normal])
def test_xla_draws_the_same_normals_but_for_the_last_places(draw, dtype):
    found = draw(np, KEY, FAR, (101,), dtype)
    other = compiled(lambda xp, p: draw(xp, KEY, p, (101,), dtype))
    assert found.dtype == other.dtype == dtype
    places = 4 * float(ml_dtypes.finfo(dtype).eps)
    np.testing.assert_allclose(
        other.astype(float), found.astype(float), rtol=places, atol=places
    )


@pytest.mark.parametrize("draw", [philox.normal, philox.truncated_normal])
def test_normals_are_equal_however_they_are_made(monkeypatch, draw):
    whole = draw(np, KEY, 0, (999,), np.float64)
    monkeypatch.setattr(philox, "_PIECE", 64)
    np.testing.assert_array_equal(draw(np, KEY, 0, (999,), np.float64), whole)


def normal_cdf(z):
    return np.array([statistics.NormalDist().cdf(v) for v in z])


def truncated_cdf(z):
    low, high = statistics.NormalDist().cdf(-2), statistics.NormalDist().cdf(2)
    return (normal_cdf(z) - low) / (high - low)


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize(
    ("draw", "cdf", "variance"),
    [(philox.uniform, lambda u: u, 1 / 12), (philox.normal, normal_cdf, 1.0),
     (philox.truncated_normal, truncated_cdf, 0.7737413)],
)  # fmt: skip
def test_distributions(draw, cdf, variance, dtype):
    n = 50000
    x = np.sort(draw(np, KEY, 3, (n,), dtype).astype(float))
    steps = np.arange(n + 1) / n
    expected = cdf(x)
    distance = max(np.max(steps[1:] - expected), np.max(expected - steps[:-1]))
    assert distance * math.sqrt(n) < 1.63  # Kolmogorov-Smirnov, 1 %
    assert abs(x.var() / variance - 1) < 0.02


def test_truncated_normals_are_exact_quantiles_below_two():
    x = philox.truncated_normal(np, KEY, 0, (2000,), np.float64)
    u = philox.uniform(np, KEY, 0, (2000,), np.float64) + 2.0**-53
    normal = statistics.NormalDist()
    low, high = normal.cdf(-2), normal.cdf(2)
    expected = [normal.inv_cdf(low + v * (high - low)) for v in u]
    np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("edge", (0, 2**32 - 1))
def test_the_extreme_words(monkeypatch, dtype, edge):
    def words(xp, key, position, count):
        return np.full(count, edge, np.uint32)

    monkeypatch.setattr(philox, "bits", words)
    monkeypatch.setattr(philox, "fast", None)
    u = philox.uniform(np, KEY, 0, (2,), dtype)
    z = philox.truncated_normal(np, KEY, 0, (2,), dtype)
    r = philox.normal(np, KEY, 0, (2,), dtype)
    i = philox.integers(np, KEY, 0, (2,), np.int32(-7), np.int32(2**31 - 1))
    assert np.all((u >= 0) & (u < 1)) and np.all(np.isfinite(r))
    assert np.all(np.abs(z) < 2) and np.all(np.abs(z) > 1.999)
    assert i.tolist() == [-7 if edge == 0 else 2**31 - 2] * 2


@pytest.mark.parametrize(("dtype", "bits"), [(np.float16, 10), (ml_dtypes.bfloat16, 7)])
def test_narrow_uniforms_have_all_their_bits_and_never_round_to_one(dtype, bits):
    x = philox.uniform(np, KEY, 0, (50000,), dtype).astype(float) * 2**bits
    np.testing.assert_array_equal(np.unique(x), np.arange(2**bits))


def chi_square(found, cells):
    counts = np.bincount(found, minlength=cells)
    expected = found.size / cells
    return float(np.sum((counts - expected) ** 2) / expected)


@pytest.mark.parametrize("dtype", (np.int32, np.int64))
def test_integers_are_equally_likely(dtype):
    x = philox.integers(np, KEY, 0, (60000,), dtype(-5), dtype(7))
    assert chi_square(x + 5, 12) < 24.7  # 11 degrees of freedom, 1 %


def test_a_wide_range_is_not_biased():
    """Modulo of 32-bit words would give the lower third of this range half."""
    x = philox.integers(np, KEY, 0, (30000,), np.int32(-(2**31)), np.int32(2**30))
    thirds = (x.astype(np.int64) + 2**31) // 2**30
    assert chi_square(thirds, 3) < 9.21  # 2 degrees of freedom, 1 %


def test_orders_are_equally_likely():
    orders = [philox.permutation(np, KEY, i, 4).tolist() for i in range(4800)]
    ids = np.unique(orders, axis=0, return_inverse=True)[1].ravel()
    assert chi_square(ids, 24) < 41.6  # 23 degrees of freedom, 1 %
