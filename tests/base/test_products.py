"""Matrix products in parts: NumPy's numbers, for each layout, whatever the threads."""

import os
import sys
import threading

import numpy as np
import pytest

from tests.children import words_of
from twinflow.base import native
from twinflow.base.products import _IN_NUMPY, PRODUCTS, dot, matmul

CUT = pytest.mark.skipif(
    PRODUCTS is _IN_NUMPY, reason="no C module, or NumPy has another BLAS"
)
# nothing in parts, one thread, rows in parts, columns in parts, many, nearly vectors
SHAPES = [(3, 4, 5), (64, 100, 64), (300, 200, 70), (70, 200, 300), (2100, 90, 60),
          (700, 4000, 1), (25, 9000, 32), (0, 3, 70)]  # fmt: skip


def matrix(random, shape, transposed, dtype, layout):
    a = random.standard_normal(shape[::-1] if transposed else shape).astype(dtype)
    if layout == "columns":
        return np.asfortranarray(a)
    return np.repeat(a, 2, axis=1)[:, ::2] if layout == "gaps" else a


@pytest.mark.parametrize("layout", ["rows", "columns", "gaps"])
@pytest.mark.parametrize("ways", list(PRODUCTS), ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_are_those_of_numpy(shape, ways, layout):
    random, (m, k, n) = np.random.default_rng(0), shape
    for dtype in ("float32", "float64"):
        a = matrix(random, (m, k), ways[0], dtype, layout)
        b = matrix(random, (k, n), ways[1], dtype, layout)
        want = (a.T if ways[0] else a).astype(float) @ (b.T if ways[1] else b)
        found = PRODUCTS[ways](a, b)
        assert found.dtype == dtype and found.shape == (m, n)
        close = 1e-5 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(found, want, close, close * k**0.5 * 4)
        out = np.empty((m, n), dtype)
        PRODUCTS[ways](a, b, out)
        np.testing.assert_array_equal(out, found)


def test_other_arrays_are_left_to_numpy():
    ints = np.arange(90_000).reshape(300, 300)
    np.testing.assert_array_equal(PRODUCTS[True, False](ints, ints), ints.T @ ints)
    halves = np.ones((300, 300), np.float16)
    assert PRODUCTS[False, False](halves, halves).dtype == np.float16
    a = np.random.default_rng(0).standard_normal((300, 300)).astype("float32")
    gram = PRODUCTS[False, True](a, a)
    np.testing.assert_array_equal(gram, gram.T)


def test_a_vector_and_a_matrix_are_multiplied_by_numpy():
    a = np.random.default_rng(0).standard_normal((64, 1000))
    np.testing.assert_allclose(dot(np.ones(64), a), a.sum(0), atol=1e-12)
    with pytest.raises(ValueError, match="not aligned"):
        dot(np.ones(63), a)


def test_what_does_not_fit_is_refused_as_numpy_does():
    a = np.ones((300, 200), "float32")
    with pytest.raises(ValueError, match="not aligned"):
        PRODUCTS[False, False](a, a)
    with pytest.raises(ValueError):
        PRODUCTS[False, True](a, a.copy(), np.empty((2, 2), "float32"))


@CUT
def test_threads_share_the_helpers_and_agree():
    a = np.random.default_rng(0).standard_normal((300, 300)).astype("float32")
    want, same = PRODUCTS[False, False](a, a.copy()), []

    def work():
        b = a.copy()
        same.extend(
            np.array_equal(PRODUCTS[False, False](a, b), want) for _ in range(50)
        )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(same) == 200 and all(same)


CHILD = """
import os, sys, numpy as np
from twinflow.base.products import PRODUCTS, _IN_NUMPY
a = np.random.default_rng(0).standard_normal((300, 300)).astype("float32")
product = PRODUCTS[False, False]
want = product(a, a.copy())
if len(sys.argv) > 1:
    child = os.fork()
    same = np.array_equal(product(a, a.copy()), want)
    if not child:
        os._exit(not same)
    assert same and os.waitpid(child, 0)[1] == 0
print(PRODUCTS is _IN_NUMPY, want.tobytes().hex()[:400])
"""


@CUT
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_helpers_of_its_own():
    words_of(CHILD, "fork", OPENBLAS_NUM_THREADS="2")


@CUT
def test_the_result_does_not_depend_on_the_number_of_threads():
    two, four = (words_of(CHILD, OPENBLAS_NUM_THREADS=n)[1] for n in "24")
    assert two == four


@pytest.mark.skipif(native.fast is None, reason="no C module")
def test_the_environment_switches_it_off():
    assert words_of(CHILD, TWINFLOW_PRODUCTS="0")[0] == "True"


SPINNING = """
import os, sys, time, numpy as np
from twinflow.base.products import PRODUCTS
def others():
    me, ticks = str(os.getpid()), 0
    for task in os.listdir("/proc/self/task"):
        if task != me:
            with open(f"/proc/self/task/{task}/stat") as f:
                ticks += sum(map(int, f.read().rpartition(") ")[2].split()[11:13]))
    return ticks
busy = {}
random = np.random.default_rng(0)
ones = [1, 2, 10, 32, 33, 100, 154, 512, 2000]
for m in ones:
    for k in ones:
        for n in ones:
            if m * k * n >= 2097152:
                continue
            for (ta, tb), product in PRODUCTS.items():
                a = random.standard_normal((k, m) if ta else (m, k)).astype("float32")
                b = random.standard_normal((n, k) if tb else (k, n)).astype("float32")
                start, end = others(), time.perf_counter() + 0.0005
                while time.perf_counter() < end:
                    product(a, b)
                if others() > start:
                    busy[m, k, n, ta, tb] = others() - start
a = random.standard_normal((100, 100)).astype("float32")
start, end = others(), time.perf_counter() + 0.3
while time.perf_counter() < end:
    PRODUCTS[False, True](a, a), PRODUCTS[True, False](a, a)
if others() > start + 2:
    busy["a @ a.T"] = others() - start
print(len(busy), sum(busy.values()))
"""


@CUT
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_no_small_product_makes_other_threads_spin():
    """Whatever is transposed: the processor time of all other threads stays nothing."""
    shapes, ticks = map(int, words_of(SPINNING, OPENBLAS_NUM_THREADS="4"))
    assert shapes <= 2 and ticks <= 5  # a thread that had begun before


def pair_side(random, batch, rows, columns, dtype):
    """Matrices that broadcast to a batch, in one of many layouts."""
    batch = [1 if random.random() < 0.2 else n for n in batch]
    batch = batch[random.integers(len(batch) + 1) :] if random.random() < 0.2 else batch
    way = random.integers(5)
    if way == 0:
        return (
            random.standard_normal((*batch, columns, rows))
            .astype(dtype)
            .swapaxes(-1, -2)
        )
    if way == 1:  # heads that were the last axis but one
        x = random.standard_normal((rows, *batch, columns)).astype(dtype)
        return np.moveaxis(x, 0, -2)
    x = random.standard_normal((*batch, rows, columns)).astype(dtype)
    if way == 2:
        return np.repeat(x, 2, axis=-1)[..., ::2]
    if way == 3:
        return x[..., ::-1, :]
    return x


@CUT
def test_batches_of_products_are_those_of_numpy():
    random = np.random.default_rng(5)
    taken = 0
    for case in range(int(os.environ.get("TWINFLOW_CASES", "200"))):
        batch = list(random.integers(1, 7, random.integers(1, 4)))
        m, k, n = (int(3 ** random.uniform(0, 4.8)) for _ in range(3))
        dtype = random.choice(["f", "d"])
        a = pair_side(random, batch, m, k, dtype)
        b = pair_side(random, batch, k, n, dtype)
        want = np.matmul(a.astype("d"), b.astype("d"))
        found = native.fast.product_of_batches(a, b)
        if found is None:
            continue
        taken += 1
        what = f"{case}: {a.shape} {a.strides} {b.shape} {b.strides}"
        assert found.dtype == a.dtype and found.shape == want.shape, what
        close = 1e-5 if dtype == "f" else 1e-12
        np.testing.assert_allclose(found, want, close, close * k**0.5 * 4, err_msg=what)
    assert taken > case / 5


def test_batches_that_do_not_fit_get_numpys_words():
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        matmul(np.ones((9, 30, 40)), np.ones((9, 41, 30)))
    with pytest.raises(ValueError, match="could not be broadcast"):
        matmul(np.ones((9, 30, 40)), np.ones((8, 40, 30)))
    assert matmul(np.ones((9, 30, 0)), np.ones((9, 0, 30))).sum() == 0
    assert matmul(np.ones((2, 90, 30), int), np.ones((2, 30, 90), int)).dtype == int
