"""native/trials.c, sampling.c and special.c: the numbers of the ways on arrays."""

import jax
import numpy as np
import pytest

from tests.support.cases import run_cases, run_narrow, with_and_without
from twinflow.base import native
from twinflow.ops.image import components, projective, resampling
from twinflow.ops.random import by_trial, gamma, original, original_trials, rejection
from twinflow.ops.special import gamma as special_gamma

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "trials"), reason="no C module, or Windows"
)
KINDS = "bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64"
ODD = [0.0, -0.0, -1.0, 0.25, 1.0, 9.99, 10.0, 300.0, np.inf, -np.inf, np.nan]
OURS = {
    "gamma": gamma._draws(by_trial.OUR_GAMMA, rejection.gamma),
    "poisson": gamma._draws(by_trial.OUR_POISSON, rejection.poisson),
}
THEIRS = {
    "their gamma": gamma._original(by_trial.GAMMA, original_trials.gamma),
    "their poisson": gamma._COUNTS[1],
}
DRAWS = [*OURS, *THEIRS]
PLACES = {
    "resample": resampling.Resampler.kernel(np),
    "slopes": resampling.ResamplerGrad.kernel(np),
}


def floats(random, *shape):
    return random.standard_normal(shape).astype(np.float32)


def drawn(jax, kind, key, position, shape, parameters):
    if kind in OURS:
        return OURS[kind](jax)(None, key, position, shape, parameters)
    key = original.key_of(np if jax is None else jax.numpy, key)
    return THEIRS[kind].draw(jax, key, position, shape, parameters)


def draw_case(random):
    kind = random.choice(DRAWS)
    key = tuple(int(k) for k in random.integers(0, 2**32, 2))
    parameters = random.choice(ODD, random.integers(1, 5))
    parameters = np.abs(parameters * random.choice([1, 0.3, 2.0]))
    shape = random.integers(0, 90, random.integers(0, 3))
    position = int(2 ** random.uniform(0, 60))
    return lambda: (drawn(None, kind, key, position, shape, parameters),)


def place_case(random):
    n, h, w, c, m = random.integers(1, 5, 5) + random.integers(0, 9) // 6
    data, dy = floats(random, n, h, w, c), floats(random, n, m, c)
    warp = (1.5 * h * random.random((n, m, 2)) - 1).astype(np.float32)
    if random.random() < 0.3:
        warp[0, 0] = random.choice(ODD, 2)
    more = () if (name := random.choice(list(PLACES))) == "resample" else (dy,)

    def run():
        found = PLACES[name](data, warp, *more)
        return found if more else [found]

    return run


def seen_case(random):
    n, h, w, c, rows, columns = random.integers(1, 6, 6)
    by = np.eye(1, 8, dtype=np.float32) + floats(random, random.choice([1, n]), 8) / 3
    if random.random() < 0.3:
        by[0, random.integers(0, 8)] = random.choice(ODD)
    method, images = random.choice(projective._METHODS), floats(random, n, h, w, c)
    run = projective._transformed(None)
    return lambda: (run(images, by, (rows, columns), str(method)),)


def parts_case(random):
    shape = random.integers(1, (4, 12, 12))
    x = random.integers(0, random.choice([2, 3]), shape)
    x = x.astype(random.choice(KINDS))
    if x.dtype.kind == "f":
        x.ravel()[random.integers(0, x.size, 2)] = [np.nan, -0.0]
    return lambda: (components._labelled(x),)


def lgamma_case(random):
    sizes = 10 ** random.uniform(-3, random.choice([1, 20, 38]), random.integers(1, 99))
    x = (random.choice([1, 1, 1, -1]) * sizes).astype(np.float32)
    x[random.integers(0, len(x), 2)] = random.choice([*ODD, 2.0, 3e38], 2)
    return lambda: (special_gamma.Lgamma.kernel(np)(x),)


def case(random):
    kinds = [draw_case, place_case, seen_case, parts_case, lgamma_case]
    run = kinds[random.integers(0, len(kinds))](random)
    found, wanted = with_and_without(run)
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        exact = one.dtype.kind != "f"  # logarithms of another library, sums of NumPy's
        limit = 0 if exact else 64 * np.finfo(one.dtype).eps
        np.testing.assert_allclose(one, other, rtol=limit, atol=limit)


def test_random_cases():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_random_cases_in_narrow_vectors(width):
    run_narrow("tests.ops.test_sampling", width)


@pytest.mark.parametrize("kind", DRAWS)
def test_many_are_drawn_on_all_threads_and_in_xla(kind):
    parameters, shape = np.array([0.5, 3.0, 40.0]), np.array([3000])
    found = drawn(None, kind, (7, 9), 5, shape, parameters)
    few = drawn(None, kind, (7, 9), 5, np.array([2]), parameters[:1])
    if kind in THEIRS:  # each parameter's samples have the next blocks
        np.testing.assert_array_equal(found[:2, :1], few)
    np.testing.assert_allclose(found.mean(0), parameters, rtol=0.1)
    with jax.enable_x64(True):
        draw = jax.jit(lambda p: drawn(jax, kind, (7, 9), p, shape, parameters))
        there = draw(np.uint64(5))
    np.testing.assert_array_equal(there, found)


@pytest.mark.parametrize("call", [
    lambda fast, x, n: fast.trials(4, x, n, x, 1),
    lambda fast, x, n: fast.trials(0, x[:3], n, x, 1),
    lambda fast, x, n: fast.trials(0, x, n[:1], x, 1),
    lambda fast, x, n: fast.trials(0, x[:0], n, x, 1),
    lambda fast, x, n: fast.resample(x, x, x, (1, 2, 2, 2, 3)),
    lambda fast, x, n: fast.resample_slopes(x, x, x, x, x[:1], (1, 2, 2, 2, 4)),
    lambda fast, x, n: fast.transformed(x, x, x, (1, 2, 2, 2, 3, 2, 1, 0)),
    lambda fast, x, n: fast.components(x, n, 2, 1, 3, False),
    lambda fast, x, n: fast.lgamma(x[:3], x),
    lambda fast, x, n: fast.components(x, n, 0, 1, 8, False),
])  # fmt: skip
def test_wrong_sizes_are_refused(call):
    with pytest.raises(ValueError, match="sizes are not those of the arrays"):
        call(native.fast, np.zeros(4), np.zeros(2, np.uint64))
