"""Decompositions and systems by native/matrix.c, held against numpy.linalg."""

import numpy as np
import pytest

from tests.support.cases import COUNT, run_cases
from twinflow.base import lapack, native
from twinflow.ops.matrix.band import _band_kernel

pytestmark = pytest.mark.skipif(lapack.matrices is None, reason="no C module or LAPACK")
SIZES = [1, 2, 3, 5, 8, 17, 33, 64, 130]
COLUMNS = [1, 2, 5, 64, 128, 200, 333]


def close(found, wanted):
    limit = 2e-3 if found.dtype == np.float32 else 1e-9
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    scale = max(1.0, np.abs(wanted).max())
    np.testing.assert_allclose(found, wanted, rtol=limit, atol=limit * scale)


def orthonormal(q):
    unit = np.eye(q.shape[-1], dtype=q.dtype)
    close(q.swapaxes(-1, -2) @ q, np.broadcast_to(unit, (*q.shape[:-2], *unit.shape)))


def check_systems(a, b):
    turned = a.swapaxes(-1, -2)
    close(lapack.solve(a, b), np.linalg.solve(a, b))
    close(lapack.solve(a, b, True), np.linalg.solve(turned, b))
    close(lapack.inverse(a), np.linalg.inv(a))
    close(lapack.inverse(a, True), np.linalg.inv(turned))
    for half, lower in ((np.tril, True), (np.triu, False)):
        t = half(a)
        close(lapack.triangular(a, b, lower, False), np.linalg.solve(t, b))
        t = t.swapaxes(-1, -2)
        close(lapack.triangular(a, b, lower, True), np.linalg.solve(t, b))


def check_square(a):
    n, turned = a.shape[-1], a.swapaxes(-1, -2)
    s = (a @ turned / n).astype(a.dtype)
    close(lapack.cholesky(s), np.linalg.cholesky(s))
    det, sign, size = lapack.determinants(a)
    for found, wanted in zip((sign, size), np.linalg.slogdet(a), strict=True):
        close(found, wanted)
    if n < 9:
        close(det, np.linalg.det(a))
    low = np.tril(a)
    y = low + np.tril(a, -1).swapaxes(-1, -2)
    e, v = lapack.eigh(a)  # reads the lower triangle
    close(e, np.linalg.eigvalsh(y))
    close(lapack.eigh(a, False), np.linalg.eigvalsh(y))
    close(y @ v, v * e[..., None, :])


def check_rectangles(r):
    m, n = r.shape[-2:]
    p = min(m, n)
    for full in (False, True):
        q, upper = lapack.qr(r, full)
        assert q.shape[-2:] == (m, m if full else p) and not np.tril(upper, -1).any()
        close(q @ upper, r)
        orthonormal(q)
        u, s, vt = lapack.svd(r, full)
        assert u.shape[-1] == (m if full else p) and vt.shape[-2] == (n if full else p)
        close(s, np.linalg.svd(r, compute_uv=False))
        close((u[..., :p] * s[..., None, :]) @ vt[..., :p, :], r)
        orthonormal(u)
    close(lapack.svd(r, False, False), s)


def case(random):
    dtype, n = random.choice(["f4", "f8"]), int(random.choice(SIZES))
    batch = () if n > 40 or random.random() < 0.4 else (int(random.choice([1, 3, 40])),)
    a = random.standard_normal((*batch, n, n)) + 2 * n**0.5 * np.eye(n)
    a = a.astype(dtype)
    a = a.swapaxes(-1, -2) if random.random() < 0.2 else a
    k, m = int(random.choice(COLUMNS)), int(random.integers(1, 40))
    check_systems(a, random.standard_normal((*batch, n, k)).astype(dtype))
    check_square(a)
    check_rectangles(random.standard_normal((*batch, m, n)).astype(dtype))


def test_random_cases():
    run_cases(case, count=1 + COUNT // 8)


@pytest.mark.parametrize("n", [1, 5, 60])
def test_what_is_singular_or_not_positive_is_refused(n):
    zero = np.zeros((3, n, n), np.float32)
    for call in (lapack.cholesky, lapack.inverse, lambda a: lapack.solve(a, a)):
        with pytest.raises(np.linalg.LinAlgError):
            call(zero)
    det, sign, size = lapack.determinants(zero)
    assert not det.any() and not sign.any() and np.all(size == -np.inf)


def test_determinants_that_overflow_on_the_way():
    a = np.diag([1e30, 1e30, 1e-30, 1e-30, -2.0]).astype(np.float32)
    np.testing.assert_allclose(lapack.determinants(a)[0], -2.0, rtol=1e-6)


@pytest.mark.parametrize("adjoint", [False, True])
def test_many_columns_are_the_same_on_any_number_of_threads(adjoint):
    random = np.random.default_rng(0)
    a = random.standard_normal((150, 150)).astype(np.float32)
    b = random.standard_normal((150, 400)).astype(np.float32)
    x = lapack.solve(a, b, adjoint)
    np.testing.assert_array_equal(x, lapack.solve(a, b, adjoint))
    y = (a.T if adjoint else a).astype(float) @ x
    np.testing.assert_allclose(y, b, atol=0.02)
    a += 30 * np.eye(150, dtype=np.float32)
    low = np.tril(a).astype(float)
    found = lapack.triangular(a, b, True, adjoint)
    np.testing.assert_allclose((low.T if adjoint else low) @ found, b, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.bool_, np.float16, np.int32, np.complex128])
@pytest.mark.parametrize("bounds", [(-1, 0), (0, -1), (1, 2), (0, 0), (3, 3), (-1, -1)])
def test_bands(dtype, bounds):
    x = np.arange(1, 2 * 5 * 7 + 1).reshape(2, 5, 7).astype(dtype)
    wanted = np.triu(
        np.tril(x, bounds[1] if bounds[1] >= 0 else 7),
        -bounds[0] if bounds[0] >= 0 else -5,
    )
    for a, b in ((x, wanted), (x.swapaxes(1, 2), wanted.swapaxes(1, 2))):
        found = _band_kernel(np)(a, *(bounds if a is x else bounds[::-1]))
        assert found.dtype == dtype and np.array_equal(found, b)


def test_sizes_that_do_not_fit_are_refused():
    a, out = np.eye(3, dtype=np.float32), np.zeros((3, 3), np.float32)
    for arguments in (
        (0, 0, a, None, out, None, None, 1, 2, 3, 0, 0),
        (0, 0, a, None, out, None, None, 2, 3, 3, 0, 0),
        (0, 1, a, None, out, None, None, 1, 3, 3, 0, 0),
        (1, 0, a, a, out, None, None, 1, 3, 3, 2, 0),
        (7, 0, a, None, out, None, None, 1, 3, 3, 0, 0),
        (0, 0, a, None, None, None, None, 1, 3, 3, 0, 0),
    ):
        with pytest.raises(ValueError, match="the sizes are not those of the arrays"):
            native.fast.matrices(*arguments)
    for arguments in (
        (a, out, 4, 2, 3, 0, 0),
        (a, out, 3, 3, 3, 0, 0),
        (a, out, 4, 3, 0, 0, 0),
    ):
        with pytest.raises(ValueError, match="the sizes are not those of the arrays"):
            native.fast.band(*arguments)
