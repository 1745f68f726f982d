"""tf.diag, tf.diag_part and the cross product."""

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import at_least, dim_is, merge, product, same_dim, text
from twinflow.ops.matrix.diagonal import matrices


def _infer_diag(diagonal):
    s = at_least(diagonal._shape, 1, "Input must be at least rank 1, got 0")
    return None if s is None else s + s


@bind_first
def _diag_kernel(xp, diagonal):
    return xp.diag(diagonal.ravel()).reshape(diagonal.shape * 2)


Diag = define(
    "Diag", infer=_infer_diag, kernel=_diag_kernel, grad=[lambda dy: diag_part(dy)]
)


def diag(diagonal: TensorValue, name: str | None = None) -> Tensor:
    """The tensor with `diagonal` on its diagonal and zeros elsewhere.

    y[i, ..., k, i, ..., k] = diagonal[i, ..., k]

    Args:
        diagonal: number[*shape], not a scalar. name: the name of the node in a graph.
    Returns:
        number[*shape, *shape]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a scalar.
    Example:
        tf.diag([1, 2])  # [[1, 0], [0, 2]]
    """
    return apply(Diag, (diagonal,), None, name)


def _infer_diag_part(input):
    s = input._shape
    if s is None:
        return None
    if not s or len(s) % 2:
        raise InferError(
            f"The rank of the tensor should be even and positive, got shape {text(s)}",
            f"Input must have even and non-zero rank, input rank is {len(s)}",
        )
    half = len(s) // 2
    for i, (p, q) in enumerate(zip(s[:half], s[half:], strict=True)):
        wrong = f"Invalid shape {{}}: dimensions {i} and {i + half} do not match."
        same_dim(p, q, wrong, s)
    return merge(s[:half], s[half:])


@bind_first
def _diag_part_kernel(xp, input):
    shape = input.shape[: input.ndim // 2]
    n = product(shape)
    return xp.array(xp.diagonal(input.reshape(n, n))).reshape(shape)


DiagPart = define(
    "DiagPart",
    infer=_infer_diag_part,
    kernel=_diag_part_kernel,
    grad=[lambda dy: diag(dy)],
)


def diag_part(input: TensorValue, name: str | None = None) -> Tensor:
    """The diagonal of a tensor; undoes `tf.diag`.

    y[i, ..., k] = input[i, ..., k, i, ..., k]

    Args:
        input: number[*shape, *shape]. name: the name of the node in a graph.
    Returns:
        number[*shape]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the halves of the shape
            differ.
    Example:
        tf.diag_part([[1, 2], [3, 4]])  # [1, 4]
    """
    return apply(DiagPart, (input,), None, name)


# ------------------------------------------------------------------ cross product
def _infer_cross(a, b):
    scalar = "Input must be at least 1D[]"
    s, t = matrices(a, 1, scalar), matrices(b, 1, scalar)
    message = f"Both inputs must be of same shape: {text(s)} vs. {text(t)}"
    s = merge(s, t, message)
    if s is not None:
        dim_is(s[-1], 3, "Cross-products are only defined for 3-element vectors.")
    return s


@bind_first
def _cross_kernel(xp, a, b):
    (a0, a1, a2), (b0, b1, b2) = ([t[..., i] for i in range(3)] for t in (a, b))
    parts = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    return xp.stack(parts, -1)


Cross = define(
    "Cross",
    infer=_infer_cross,
    kernel=_cross_kernel,
    grad=[lambda dy, b: cross(b, dy), lambda dy, a: cross(dy, a)],
)


def cross(a: TensorValue, b: TensorValue, name: str | None = None) -> Tensor:
    """The cross product of vectors with three elements.

    Args:
        a, b: int or float tensors[..., 3] of one dtype and shape.
        name: the name of the node in a graph.
    Returns:
        a tensor like `a`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes differ, or the
            last axis has not three elements.
    Example:
        tf.cross([1, 0, 0], [0, 1, 0])  # [0, 0, 1]
    """
    return apply(Cross, (a, b), None, name)
