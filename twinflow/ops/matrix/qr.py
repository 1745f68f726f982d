"""The QR decomposition."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import lapack
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.elementwise import add, subtract
from twinflow.ops.core.product import matmul
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    adjoint,
    least,
    matrices,
    matrix_diag,
    matrix_diag_part,
)
from twinflow.ops.matrix.solve import matrix_triangular_solve


def _infer_qr(input, full_matrices):
    s = matrices(input)
    if s is None:
        return [None, None]
    m, n = s[-2:]
    p = m if full_matrices else least(m, n)
    return [(*s[:-2], m, p), (*s[:-2], p, n)]


@bind_first
def _qr_kernel(xp, input, full_matrices):
    found = lapack.qr(input, full_matrices) if xp is np else None
    if found is not None:
        return found
    q, r = xp.linalg.qr(input, "complete" if full_matrices else "reduced")
    return q, r


def _check_qr_shapes(q, r):
    s = r._shape
    if s is None or None in s[-2:]:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if s[-2] != s[-1]:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and "
            "ncols != nrows."
        )
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype!r}")


def _qr_grad(d_q, d_r, q, r):
    """(dq + q copyltu(r dr^T - dq^T q)) r^-T; copyltu mirrors the lower triangle.

    Reference: Liao et al., Differentiable programming tensor networks, 2019, eq. 5.
    """
    _check_qr_shapes(q, r)
    m = subtract(matmul(r, d_r, adjoint_b=True), matmul(d_q, q, adjoint_a=True))
    low = matrix_band_part(m, -1, 0)
    mirrored = subtract(add(low, adjoint(low)), matrix_diag(matrix_diag_part(m)))
    total = add(d_q, matmul(q, mirrored))
    return (adjoint(matrix_triangular_solve(r, adjoint(total), lower=False)),)


Qr = define("Qr", infer=_infer_qr, kernel=quiet(_qr_kernel), grad=_qr_grad)


class QrParts(NamedTuple):
    """What `qr` gives."""

    q: Any
    r: Any


def qr(
    input: TensorValue, full_matrices: bool = False, name: str | None = None
) -> QrParts:
    """The decomposition input = q @ r into orthonormal columns and a triangle.

    The diagonal of r may have any sign. There are gradients for real matrices with at
    least as many rows as columns.

    Args:
        input: float or complex[..., m, n].
        full_matrices: give all m columns of q, not just p = min(m, n).
        name: the name of the node in a graph.
    Returns:
        (q, r): tensors[..., m, p] and [..., p, n] of the dtype of `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): fewer than two axes.
    Example:
        q, r = tf.qr([[2., 0.], [0., 3.]])
        tf.matmul(q, r)  # [[2., 0.], [0., 3.]]
    """
    return QrParts(*apply(Qr, (input,), {"full_matrices": bool(full_matrices)}, name))
