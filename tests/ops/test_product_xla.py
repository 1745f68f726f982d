"""Matrix products inside XLA's programs: the interpreter's numbers, in any shape."""

import jax
import numpy as np
import pytest

import twinflow as tf
from twinflow.base.portable import portable
from twinflow.base.products import PRODUCTS, matmul
from twinflow.ops.core import product_xla

TAKEN = pytest.mark.skipif(
    not product_xla.works(jax), reason="no C module, or XLA takes no calls"
)
# batches, rows of a, of a, of b: one in parts by rows and by columns, slim, few, many
SHAPES = [((), 300, 200, 70), ((), 70, 300, 900), ((), 9000, 8, 64), ((), 64, 64, 900),
          ((3, 5), 64, 100, 90), ((40, 3), 20, 80, 80), ((2,), 300, 310, 200),
]  # fmt: skip


def matrices(batch, m, k, n, ways, dtype=np.float32):
    random = np.random.default_rng(m)
    a = random.standard_normal((*batch, *((k, m) if ways[0] else (m, k))))
    b = random.standard_normal((*batch, *((n, k) if ways[1] else (k, n))))
    return a.astype(dtype), b.astype(dtype)


def in_xla(a, b, ways):
    """The product; NaN where it is left to XLA."""

    def otherwise(a, b):
        m, n, _ = product_xla._sizes(a, b, *ways)
        return jax.numpy.full((*a.shape[:-2], m, n), np.nan, a.dtype)

    with jax.enable_x64(True):
        f = jax.jit(lambda a, b: product_xla.multiply(jax, a, b, *ways, otherwise))
        return np.asarray(f(a, b))


@TAKEN
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ways", list(PRODUCTS), ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_are_those_of_the_interpreter(shape, ways, dtype):
    batch, k, m, n = shape
    a, b = matrices(batch, m, k, n, ways, dtype)
    found = in_xla(a, b, ways)
    if not batch and ways != (True, False):
        assert np.isnan(found).all()  # XLA's own are as fast
        return
    flipped = [
        x.swapaxes(-1, -2) if t else x for x, t in zip((a, b), ways, strict=True)
    ]
    want = matmul(*flipped) if batch else PRODUCTS[ways](a, b)
    np.testing.assert_array_equal(found, want)


@TAKEN
@pytest.mark.parametrize("a, b", [
    ("float32[64, 64]", "float32[64, 64]"),  # small
    ("float32[1024, 4096]", "float32[1024, 4]"),  # slim
    ("float16[512, 512]", "float16[512, 512]"),
    ("complex64[512, 512]", "complex64[512, 512]"),
    ("float32[1, 512, 512]", "float32[1, 512, 512]"),  # one of a batch
], ids=str)  # fmt: skip
def test_others_stay_with_xla(a, b):
    def array(text):
        dtype, shape = text.rstrip("]").split("[")
        return np.ones([int(n) for n in shape.split(",")], dtype)

    assert np.isnan(in_xla(array(a), array(b), (True, False))).all()


@TAKEN
def test_programs_for_elsewhere_have_none():
    a = np.ones((512, 512), np.float32)
    with portable():
        assert np.isnan(in_xla(a, a, (True, False))).all()


@TAKEN
def test_what_does_not_fit_is_refused():
    ok = np.ones((4, 4), np.float32)
    for a, b, shape in [
        (ok, np.ones((5, 4), np.float32), (4, 4)), (ok, ok, (4, 5)),
        (ok, ok.astype(np.float16), (4, 4)), (ok[None], ok, (4, 4)),
        (np.ones((2, 4, 4), np.float32), np.ones((3, 4, 4), np.float32), (2, 4, 4)),
    ]:  # fmt: skip
        with pytest.raises(Exception, match="do not fit"):
            call = jax.jit(lambda a, b, s=shape: product_xla._call(
                jax, a, b, shape=s, flips=(True, False)
            ))  # fmt: skip
            call(a, b).block_until_ready()


def test_a_function_and_its_gradients(eager):
    """Products of all kinds in one compiled function, beside eager ones."""

    def f(x, w, q):
        with tf.GradientTape() as tape:
            tape.watch([x, w, q])
            y = tf.matmul(x, w)
            scores = tf.matmul(q, q, transpose_b=True)
            loss = tf.reduce_mean(tf.tanh(y)) + tf.reduce_mean(tf.matmul(scores, q))
        return [loss, *tape.gradient(loss, [x, w, q])]

    random = np.random.default_rng(0)
    args = [
        tf.constant(random.standard_normal(s).astype(np.float32))
        for s in [(512, 128), (128, 256), (4, 2, 128, 64)]
    ]
    compiled = tf.contrib.eager.defun(f)
    for _ in range(30):
        found = compiled(*args)
    for got, want in zip(found, f(*args), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-6)
