"""Large arrays in pieces are what the NumPy kernels make of them, to the last bit."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.support import op_cases  # noqa: F401 - loads every op
from twinflow.base import dtypes, pieces
from twinflow.base.op_lookup import registry
from twinflow.base.pieces import in_pieces, plan

needs_module = pytest.mark.skipif(pieces._fast is None, reason="no C module")
CASES = int(os.environ.get("TWINFLOW_CASES", "300"))
WANTED = """
Add Sub Mul RealDiv Maximum Minimum Neg Abs Exp Log Sqrt Rsqrt Tanh Square TanhGrad Sin
SigmoidGrad SqrtGrad RsqrtGrad Relu ReluGrad Relu6 Relu6Grad Elu EluGrad Selu SeluGrad
Softsign SoftplusGrad Cos SquaredDifference Greater Less LogicalAnd
"""
ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1.0, -1.0, 88.7, 3e38, 0.5]


def numbers(random, shape, dtype):
    """Numbers of every size, odd ones among them."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = random.integers(0 if dtype.kind == "u" else -9, 9, shape).astype(dtype)
        ends = np.array([info.min, info.max], dtype)
        return np.where(random.random(shape) < 0.1, random.choice(ends, shape), x)
    x = random.standard_normal(shape) * 10.0 ** random.integers(-3, 3, shape)
    x = np.where(random.random(shape) < 0.05, random.choice(ODD, shape), x)
    with np.errstate(all="ignore"):
        if dtype.kind == "c":
            return (x + 1j * random.permutation(np.ravel(x)).reshape(shape)).astype(
                dtype
            )
        return x.astype(dtype)


def assert_same_bits(found, wanted, what):
    assert type(found) is type(wanted), what
    assert found.dtype == wanted.dtype and found.shape == wanted.shape, what
    np.testing.assert_array_equal(found, wanted, str(what))
    if wanted.dtype.kind == "f":
        there = ~np.isnan(wanted)
        signs = np.signbit(found[there]), np.signbit(wanted[there])
        np.testing.assert_array_equal(*signs, f"signs of zeros: {what}")


def elementwise_ops():
    """The ops of the table whose kernels take pieces, with the dtypes of their rows."""
    return sorted(t for t, op in registry.items() if pieces.is_pieces(op.np))


@needs_module
@pytest.mark.parametrize("kind", elementwise_ops())
def test_ops_in_pieces_are_their_kernels(kind):
    op, random = registry[kind], np.random.default_rng(0)
    allowed = op.types.get("T") or [dtypes.float32, dtypes.float64]
    for t in sorted(allowed, key=int):
        if t.np is None or t.np.num not in pieces._DTYPES:
            continue
        shape = (3, 3001)
        arrays = [
            numbers(random, shape, a.dtype.np if a.dtype else t.np)
            for a in op.sig.inputs
        ]
        if plan(op.np.__wrapped__, tuple(a.dtype.num for a in arrays)) is None:
            continue
        with np.errstate(all="ignore"):
            wanted = op.np.__wrapped__(*arrays)
            found = op.np(*arrays)
        ours = (
            kind in ("Sigmoid", "Softplus")
            and t == dtypes.float32
            and wanted.dtype == np.float32
        )
        if ours:
            np.testing.assert_array_max_ulp(
                found[wanted > 1e-37], wanted[wanted > 1e-37], 4
            )
        elif isinstance(wanted, np.ndarray):
            assert_same_bits(found, wanted, (kind, t))


@needs_module
def test_most_elementwise_ops_are_taken():
    """Those that a network is made of, at least."""
    left = []
    for kind in WANTED.split():
        op = registry[kind]
        nums = [
            (a.dtype or dtypes.float32).np.num if hasattr(a, "dtype") else 11
            for a in op.sig.inputs
        ]
        if plan(pieces.whole(op.np), tuple(nums)) is None:
            left.append(kind)
    assert not left


def laid_out(random, shape, dtype):
    """An array that broadcasts to a shape, in one of many layouts."""
    mine = [1 if random.random() < 0.2 else n for n in shape]
    mine = mine[random.integers(0, len(mine) + 1) :] if random.random() < 0.3 else mine
    way = random.integers(6)
    if way == 0:
        return numbers(random, mine, dtype)
    if way == 1:
        return np.asfortranarray(numbers(random, mine, dtype))
    if way == 2:
        return numbers(random, [2 * n for n in mine], dtype)[
            tuple(slice(None, None, 2) for _ in mine)
        ]
    if way == 3:
        return numbers(random, mine, dtype)[tuple(slice(None, None, -1) for _ in mine)]
    if way == 4:
        order = random.permutation(len(mine))
        there = numbers(random, [mine[k] for k in order], dtype)
        return there.transpose(np.argsort(order))
    small = [1 if random.random() < 0.4 else n for n in mine]
    return np.broadcast_to(numbers(random, small, dtype), mine)


FUNCTIONS = [
    np.add, np.multiply, np.maximum, np.less,
    lambda x, y: np.where(x < y, x, y * 2),
    lambda x, y: np.sqrt(np.abs(x)) / (y + 1.5) - x**2,
    lambda x, y: (x > 0).astype(x.dtype) * y,
]  # fmt: skip


@needs_module
@pytest.mark.parametrize("sizes", [(0, 3.5), (3.5, 5)])
def test_layouts_and_broadcasting(sizes):
    """Random layouts of random shapes: the shape, bits and order of the result."""
    random = np.random.default_rng(7)
    kernels = [in_pieces(f, 2) for f in FUNCTIONS]
    for case in range(CASES):
        rank = random.integers(1, 5)
        size = 10 ** random.uniform(*sizes)
        shape = (size ** random.dirichlet(np.ones(rank))).astype(int) + 1
        shape[random.integers(rank)] *= random.integers(1, 4)
        dtype = random.choice(["f", "d", "i"])
        x, y = (laid_out(random, list(shape), dtype) for _ in range(2))
        which = random.integers(len(FUNCTIONS))
        with np.errstate(all="ignore"):
            wanted = FUNCTIONS[which](x, y)
            found = kernels[which](x, y)
        if isinstance(wanted, np.ndarray):
            what = (case, which, x.shape, x.strides, y.shape, y.strides, dtype)
            assert_same_bits(found, wanted, what)


@needs_module
def test_rules_of_optimizers_on_small_arrays():
    """Three and four inputs, numbers among them, several steps."""
    random = np.random.default_rng(8)
    for function, count in (
        (lambda m, grad, share: (grad - m) * share + m, 3),
        (lambda m, v, rate, epsilon: m * rate / (np.sqrt(v) + epsilon), 4),
    ):
        kernel = in_pieces(function, count)
        for case in range(CASES):
            shape = list(random.integers(0, 40, random.integers(0, 4)))
            shapes = [() if random.random() < 0.4 else shape for _ in range(count)]
            arrays = [numbers(random, s, "f") for s in shapes]
            with np.errstate(all="ignore"):
                wanted, found = function(*arrays), kernel(*arrays)
            assert_same_bits(found, wanted, (case, shapes))


@needs_module
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.sum(), lambda x: x - x.max(), lambda x: np.add.reduce(x),
        lambda x: x if x.any() else -x, lambda x: x.reshape(-1) + 1, lambda x: x.T + 1,
        lambda x: -x if len(x) > 3 else x, lambda x: np.cumsum(x), lambda x: x,
        lambda x: np.asarray(x) * 2, lambda x: x[0] + x, lambda x: np.modf(x),
        lambda x: np.float32(3), lambda x: x + np.arange(3), lambda x: np.sort(x) + 1,
        lambda x: x if x > 3 else -x, lambda x: np.matmul(x, x),
    ],
)  # fmt: skip
def test_what_is_not_elementwise_is_left_to_numpy(function):
    assert plan(function, (np.dtype("f").num,)) is None


@needs_module
def test_a_result_that_one_input_has_no_part_in_is_left_to_numpy():
    """Its shape would be that of both."""
    assert plan(lambda x, y: x * 2, (11, 11)) is None
    assert plan(lambda x, y: x * 2 + y, (11, 11)) is not None


@needs_module
def test_shapes_that_do_not_fit_get_numpys_words():
    kernel = in_pieces(np.add, 2)
    with pytest.raises(ValueError, match="could not be broadcast"):
        kernel(np.ones((100, 200)), np.ones((100, 201)))


@needs_module
def test_a_kernel_that_fails_while_it_is_traced_goes_on_as_it_is():
    def kernel(x):
        if not isinstance(x, np.ndarray):
            raise ZeroDivisionError
        return x + 1

    taken = in_pieces(kernel, 1)
    np.testing.assert_array_equal(taken(np.zeros(10000, "f")), np.ones(10000))


OWN = """
import numpy as np, twinflow as tf
tf.enable_eager_execution()
random = np.random.default_rng(0)
for n in (1, 5, 16, 17, 100, 20001):
    x = np.concatenate([random.standard_normal(n) * 30, [0, -0., np.inf, -np.inf]])
    x = x.astype("f")
    wide = x.astype("d")
    with np.errstate(all="ignore"):
        for function, wanted in ((tf.sigmoid, 1 / (1 + np.exp(-wide))),
                                 (tf.nn.softplus, np.logaddexp(wide, 0))):
            found = function(tf.constant(x)).numpy()
            wanted = wanted.astype("f")
            normal = (wanted > 1.2e-38) & np.isfinite(wanted)
            np.testing.assert_array_max_ulp(found[normal], wanted[normal], 3)
            np.testing.assert_allclose(found[~normal], wanted[~normal], atol=1e-44)
for function in (tf.sigmoid, tf.nn.softplus):
    assert np.isnan(function(np.float32("nan")))
print("done")
"""


@needs_module
@pytest.mark.parametrize("width", [4, 8, 16])
def test_own_loops_for_every_width(width):
    env = {**os.environ, "TWINFLOW_VECTOR": str(width)}
    command = [sys.executable, "-c", OWN]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr
