"""Diagonals and bands of the last two axes, and what is made of them."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import NUMBER, InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conj
from twinflow.ops.core.constant import constant, convert_to_tensor, has_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import minimum
from twinflow.ops.core.infer import at_least, ints, text
from twinflow.ops.core.joining import concat
from twinflow.ops.core.nested_lists import stack_nested
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.transposing import matrix_transpose

ENTRIES = NUMBER | {dtypes.bool}


# ------------------------------------------------------------------ shapes
def matrices(x, rank=2, message=None):
    """The shape of `x`, which must have `rank` axes or more; None if not known."""
    usual = f"input must be at least {rank}-dim, received shape: {{}}"
    return at_least(x._shape, rank, message or usual)


def least(m, n):
    """The smaller of two sizes, None where that is not known."""
    if 0 in (m, n):
        return 0
    return None if None in (m, n) else min(m, n)


# ------------------------------------------------------------------ diagonals
def _infer_matrix_diag(diagonal):
    s = matrices(diagonal, 1)
    return None if s is None else (*s, s[-1])


def _put_diagonal(a, diagonal):
    """Contiguous matrices, with `diagonal` on their diagonals from now on."""
    *batch, m, n = a.shape
    stop = (min(m, n) - 1) * (n + 1) + 1
    if a.size:
        a.reshape(*batch, m * n)[..., : stop : n + 1] = diagonal
    return a


@bind_first
def _matrix_diag_kernel(xp, diagonal):
    n = diagonal.shape[-1]
    if xp is np:
        zero = np.zeros((*diagonal.shape, n), diagonal.dtype)
        return _put_diagonal(zero, diagonal)
    spread = diagonal[..., None]
    return xp.where(np.eye(n, dtype=bool), spread, xp.zeros_like(spread))


MatrixDiag = define(
    "MatrixDiag",
    infer=_infer_matrix_diag,
    kernel=_matrix_diag_kernel,
    types=ENTRIES,
    grad=[lambda dy: matrix_diag_part(dy)],
)


def matrix_diag(diagonal: TensorValue, name: str | None = None) -> Tensor:
    """Square matrices with `diagonal` on their diagonals and zeros elsewhere.

    Args:
        diagonal: a tensor[..., n]. name: the name of the node in a graph.
    Returns:
        a tensor[..., n, n]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): `diagonal` is a scalar.
    Example:
        tf.matrix_diag([1, 2])  # [[1, 0], [0, 2]]
    """
    return apply(MatrixDiag, (diagonal,), None, name)


def _infer_diag_part(input):
    s = matrices(input)
    return None if s is None else (*s[:-2], least(*s[-2:]))


@bind_first
def _diag_part_kernel(xp, input):
    return xp.array(xp.diagonal(input, 0, -2, -1))


def _diag_part_grad(dy, shape_input):
    if type(shape_input) is tuple and shape_input[-1] == shape_input[-2]:
        return matrix_diag(dy)
    return matrix_set_diag(zeros(shape_input, dy.dtype), dy)


MatrixDiagPart = define(
    "MatrixDiagPart",
    infer=_infer_diag_part,
    kernel=_diag_part_kernel,
    types=ENTRIES,
    grad=[_diag_part_grad],
)


def matrix_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The main diagonals of matrices.

    Args:
        input: a tensor[..., m, n]. name: the name of the node in a graph.
    Returns:
        a tensor[..., min(m, n)]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): fewer than two axes.
    Example:
        tf.matrix_diag_part([[1, 2], [3, 4]])  # [1, 4]
    """
    return apply(MatrixDiagPart, (input,), None, name)


def _infer_set_diag(input, diagonal):
    s, d = matrices(input), diagonal._shape
    if s is None:
        return None if d is None else (*d[:-1], None, None)
    if d is None:
        return s
    if len(d) != len(s) - 1:
        wanted = f"rank {len(s) - 1}" if d else "at least rank 1"
        raise _bad_diagonal(s, d, f"Shape must be {wanted} but is rank {len(d)}")
    for p, q in zip((*s[:-2], least(*s[-2:])), d, strict=True):
        if None not in (p, q) and p != q:
            raise _bad_diagonal(s, d, f"Dimensions must be equal, but are {p} and {q}")
    batch = [p if q is None else q for p, q in zip(s[:-2], d[:-1], strict=True)]
    return (*batch, *s[-2:])


def _bad_diagonal(s, d, graph_text):
    return InferError(
        "must have diagonal.shape == input.shape[:-2] + min(input.shape[-2:]), but "
        f"received input shape: {text(s)} and diagonal shape: {text(d)}",
        graph_text,
    )


@bind_first
def _set_diag_kernel(xp, input, diagonal):
    m, n = input.shape[-2:]
    if xp is np:
        return _put_diagonal(np.array(input, order="C"), diagonal)
    line = diagonal[..., None] if m <= n else diagonal[..., None, :]
    return xp.where(np.eye(m, n, dtype=bool), line, input)


MatrixSetDiag = define(
    "MatrixSetDiag",
    infer=_infer_set_diag,
    kernel=_set_diag_kernel,
    types=ENTRIES,
    grad=[
        lambda dy, shape_diagonal: matrix_set_diag(dy, zeros(shape_diagonal, dy.dtype)),
        lambda dy: matrix_diag_part(dy),
    ],
)


def matrix_set_diag(
    input: TensorValue, diagonal: TensorValue, name: str | None = None
) -> Tensor:
    """Matrices with other main diagonals.

    Args:
        input: a tensor[..., m, n]. diagonal: a tensor[..., min(m, n)].
        name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.matrix_set_diag([[1, 2], [3, 4]], [0, 0])  # [[0, 2], [3, 0]]
    """
    return apply(MatrixSetDiag, (input, diagonal), None, name)


# ------------------------------------------------------------------ made of them
def trace(x: TensorValue, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix.

    Args:
        x: number[..., m, n]. name: the name of the last node in a graph.
    Returns:
        number[...]
    Example:
        tf.trace([[1, 2], [3, 4]])  # 5
    """
    with dispatch.current_mode().name_scope(name or "Trace") as scope:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(matrix_diag_part(x), [-1], name=scope)


def adjoint(matrix: TensorValue, name: str | None = None) -> Tensor:
    """The conjugate transpose of each matrix.

    Args:
        matrix: a tensor[..., m, n]. name: the name of the scope in a graph.
    Returns:
        a tensor[..., n, m]
    Example:
        tf.linalg.adjoint([[1 + 1j, 2j]])  # [[1-1j], [-2j]]
    """
    with dispatch.current_mode().name_scope(name or "adjoint"):
        return conj(matrix_transpose(convert_to_tensor(matrix, name="matrix")))


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None,
    dtype: DTypeValue = dtypes.float32, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Identity matrices.

    Args:
        num_rows: the number of rows, an int or an int32 scalar.
        num_columns: the number of columns; as many as rows if None.
        batch_shape: leading axes, ints or an int32 vector.
        dtype: the DType. name: the name of the scope in a graph.
    Returns:
        dtype[*batch_shape, num_rows, num_columns]
    Example:
        tf.eye(2)  # [[1., 0.], [0., 1.]]
    """
    with dispatch.current_mode().name_scope(name or "eye"):
        lead = [] if batch_shape is None else _dims(batch_shape)
        if num_columns is None:
            return matrix_diag(ones(_joined(lead, [num_rows]), dtype))
        diagonal = ones(_joined(lead, [_least(num_rows, num_columns)]), dtype)
        return matrix_set_diag(
            zeros(_joined(lead, [num_rows, num_columns]), dtype), diagonal
        )


def _dims(shape):
    if has_tensor(shape):
        return convert_to_tensor(shape, dtypes.int32)
    return list(ints(shape))


def _least(m, n):
    if is_tensor_like(m) or is_tensor_like(n):
        return minimum(m, n)
    return min(*ints(m), *ints(n))


def _joined(lead, last):
    """A shape of leading and last axes: a list, or a tensor."""
    if not is_tensor_like(lead):
        last = [v if is_tensor_like(v) else ints(v)[0] for v in last]
        return [*lead, *last]
    last = [constant(v, lead.dtype) if not is_tensor_like(v) else v for v in last]
    return concat([lead, stack_nested(last, lead.dtype)], 0)
