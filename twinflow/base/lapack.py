"""Decompositions and systems by the LAPACK of NumPy's wheels (native/matrix.c).

Each function takes float32 or float64 matrices[..., m, n] and gives None for what is
left to numpy.linalg: other dtypes, nothing in them, no C module, another BLAS. They
raise LinAlgError where numpy.linalg does. TWINFLOW_PRODUCTS=0 switches them off.
"""

import math
from typing import Any

import numpy as np

from twinflow.base import native, products

_CHOLESKY, _SOLVE, _TRIANGULAR, _DETERMINANT, _QR, _SVD, _EIGEN = range(7)
_ADJOINT, _LOWER, _FULL = 1, 2, 4
_ROUTINES = ("potrf", "getrf", "trsm", "geqrf", "orgqr", "gesdd", "syevd")
_WIDE = {np.dtype(np.float32): False, np.dtype(np.float64): True}
_MOST = 65535  # rows or columns


def _setup() -> Any:
    """The C function, or None."""
    if products.dot is np.dot or not hasattr(native.fast, "matrices"):
        return None
    names = tuple(f"scipy_{kind}{name}_64_" for kind in "sd" for name in _ROUTINES)
    found = products.addresses_of(names)
    if found is None:
        return None
    native.fast.setup_lapack(tuple(found))
    return native.fast.matrices


matrices = _setup()


def _ours(a: Any, b: Any = None) -> bool:
    if matrices is None or a.dtype not in _WIDE or a.ndim < 2 or not a.size:
        return False
    if b is not None and (b.dtype != a.dtype or b.shape[:-1] != a.shape[:-1]):
        return False
    return max(a.shape[-2:]) <= _MOST and (b is None or b.size > 0)


def _run(
    kind: int, a: Any, b: Any, outputs: list, columns: int = 0, flags: int = 0
) -> None:
    *batch, m, n = a.shape
    a = np.ascontiguousarray(a)
    outputs = outputs + [None] * (3 - len(outputs))
    count = math.prod(batch)
    if not matrices(kind, _WIDE[a.dtype], a, b, *outputs, count, m, n, columns, flags):
        raise np.linalg.LinAlgError


def cholesky(a: Any) -> Any:
    """The lower triangles L of L @ L.T = a."""
    if not _ours(a):
        return None
    out = np.empty(a.shape, a.dtype)
    _run(_CHOLESKY, a, None, [out])
    return out


def solve(a: Any, b: Any, adjoint: bool = False) -> Any:
    """The x of a @ x = b."""
    if not _ours(a, b):
        return None
    out = np.empty(b.shape, b.dtype)
    _run(_SOLVE, a, np.ascontiguousarray(b), [out], b.shape[-1], adjoint * _ADJOINT)
    return out


def inverse(a: Any, adjoint: bool = False) -> Any:
    """The inverses."""
    if not _ours(a):
        return None
    unit = np.empty(a.shape, a.dtype)
    unit[...] = np.eye(a.shape[-1], dtype=a.dtype)
    return solve(a, unit, adjoint)


def triangular(a: Any, b: Any, lower: bool, adjoint: bool) -> Any:
    """The x of a @ x = b, of which one triangle is read."""
    if not _ours(a, b):
        return None
    out = np.empty(b.shape, b.dtype)
    flags = adjoint * _ADJOINT + lower * _LOWER
    _run(_TRIANGULAR, a, np.ascontiguousarray(b), [out], b.shape[-1], flags)
    return out


def determinants(a: Any) -> Any:
    """(determinants, their signs, logarithms of their sizes)."""
    if not _ours(a):
        return None
    outputs = [np.empty(a.shape[:-2], a.dtype) for _ in range(3)]
    _run(_DETERMINANT, a, None, outputs)
    return outputs


def qr(a: Any, full: bool) -> Any:
    """(q, r)."""
    if not _ours(a):
        return None
    *batch, m, n = a.shape
    p = m if full else min(m, n)
    outputs = [np.empty((*batch, m, p), a.dtype), np.empty((*batch, p, n), a.dtype)]
    _run(_QR, a, None, outputs, 0, full * _FULL)
    return outputs


def svd(a: Any, full_matrices: bool, compute_uv: bool = True) -> Any:
    """(u, s, v^T), or s alone."""
    if not _ours(a):
        return None
    *batch, m, n = a.shape
    p = min(m, n)
    s = np.empty((*batch, p), a.dtype)
    if not compute_uv:
        _run(_SVD, a, None, [s])
        return s
    u = np.empty((*batch, m, m if full_matrices else p), a.dtype)
    vt = np.empty((*batch, n if full_matrices else p, n), a.dtype)
    _run(_SVD, a, None, [s, u, vt], 1, full_matrices * _FULL)
    return u, s, vt


def eigh(a: Any, vectors: bool = True) -> Any:
    """(eigenvalues, vectors), or the eigenvalues alone, of the lower triangles."""
    if not _ours(a):
        return None
    e, v = np.empty(a.shape[:-1], a.dtype), np.empty(a.shape, a.dtype)
    _run(_EIGEN, a, None, [e, v], int(vectors))
    return (e, np.swapaxes(v, -1, -2)) if vectors else e
