"""Matrix products."""

import numpy as np

from twinflow.base import dispatch, factory
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import NUMBER, InferError, define
from twinflow.base.tensor import TensorLike
from twinflow.ops.broadcast import unbroadcast
from twinflow.ops.constant import convert_to_tensor
from twinflow.ops.infer import broadcast_shapes, text


def _infer_matmul(a, b, transpose_a=False, transpose_b=False):
    sa, sb = a._shape, b._shape
    if (sa is not None and len(sa) != 2) or (sb is not None and len(sb) != 2):
        at, bt = text(sa), text(sb)
        rank = next(len(s) for s in (sa, sb) if s is not None and len(s) != 2)
        raise InferError(
            f"In[0] is not a matrix. Instead it has shape {at}"
            if sa is not None and len(sa) != 2
            else f"In[1] is not a matrix. Instead it has shape {bt}",
            f"Shape must be rank 2 but is rank {rank}",
        )
    sa, sb = sa or (None, None), sb or (None, None)
    m, k = reversed(sa) if transpose_a else sa
    k2, n = reversed(sb) if transpose_b else sb
    if None not in (k, k2) and k != k2:
        raise InferError(
            f"Matrix size-incompatible: In[0]: {text(sa)}, In[1]: {text(sb)}",
            f"Dimensions must be equal, but are {k} and {k2}",
        )
    return (m, n)


def _matmul_kernel(xp):
    def kernel(a, b, transpose_a=False, transpose_b=False):
        return xp.dot(a.T if transpose_a else a, b.T if transpose_b else b)

    return kernel


def _grad_a(dy, b, transpose_a, transpose_b):
    if transpose_a:
        return _PRODUCTS[transpose_b, True](b, dy)
    return _PRODUCTS[False, not transpose_b](dy, b)


def _grad_b(dy, a, transpose_a, transpose_b):
    if transpose_b:
        return _PRODUCTS[True, transpose_a](dy, a)
    return _PRODUCTS[not transpose_a, False](a, dy)


MatMul = define(
    "MatMul(a: T, b: T) -> (product: T); transpose_a=False, transpose_b=False",
    infer=_infer_matmul,
    kernel=_matmul_kernel,
    types=NUMBER,
    grad=[_grad_a, _grad_b],
)
_ATTRS = {
    (p, q): {"transpose_a": p, "transpose_b": q}
    for p in (False, True)
    for q in (False, True)
}


_DOTS = {
    (False, False): np.dot,
    (True, False): lambda a, b: a.T.dot(b),
    (False, True): lambda a, b: a.dot(b.T),
    (True, True): lambda a, b: a.T.dot(b.T),
}


def _product(transpose_a, transpose_b):
    """The product of two eager matrices, for one choice of transposes."""
    attrs = _ATTRS[transpose_a, transpose_b]
    kernel = _DOTS[transpose_a, transpose_b]

    def slow(fast, inputs, name):
        return _general(*inputs, transpose_a, transpose_b, False, False, name)

    return factory.binary(
        MatMul, "matmul", "a @ b for two matrices.", args=("a", "b"), kernel=kernel,
        slow=slow, matrices=True, attrs=attrs,
    )  # fmt: skip


_PRODUCTS = {key: _product(*key) for key in _ATTRS}


def _infer_batch(x, y, adj_x=False, adj_y=False):
    s, t = x._shape, y._shape
    if s is None or t is None:
        return None
    if len(s) < 2 or len(t) < 2:
        raise InferError(
            f"In[0] and In[1] must have at least two axes: {text(s)} vs. {text(t)}",
            "Shape must be at least rank 2",
        )
    (m, k), (k2, n) = (_flip(s, adj_x), _flip(t, adj_y))
    if None not in (k, k2) and k != k2:
        raise InferError(
            f"In[0] mismatch In[1] shape: {k} vs. {k2}: {text(s)} {text(t)} "
            f"{int(adj_x)} {int(adj_y)}",
            f"Dimensions must be equal, but are {k} and {k2}",
        )
    return (*broadcast_shapes(s[:-2], t[:-2]), m, n)


def _flip(shape, adjoint):
    return shape[:-3:-1] if adjoint else shape[-2:]


def _batch_kernel(xp):
    def adjoint(a):
        a = xp.swapaxes(a, -1, -2)
        return xp.conj(a) if a.dtype.kind == "c" else a

    def kernel(x, y, adj_x, adj_y):
        return xp.matmul(adjoint(x) if adj_x else x, adjoint(y) if adj_y else y)

    return kernel


def _batch(x, y, adj_x, adj_y):
    return apply(BatchMatMul, (x, y), {"adj_x": adj_x, "adj_y": adj_y})


def _batch_grad_x(dy, y, shape_x, adj_x, adj_y):
    dx = _batch(y, dy, adj_y, True) if adj_x else _batch(dy, y, False, not adj_y)
    return unbroadcast(dx, shape_x)


def _batch_grad_y(dy, x, shape_y, adj_x, adj_y):
    dx = _batch(dy, x, True, adj_x) if adj_y else _batch(x, dy, not adj_x, False)
    return unbroadcast(dx, shape_y)


BatchMatMul = define(
    "BatchMatMul(x: T, y: T) -> (output: T); adj_x=False, adj_y=False",
    infer=_infer_batch,
    kernel=_batch_kernel,
    types=NUMBER,
    grad=[_batch_grad_x, _batch_grad_y],
)


def matmul(
    a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
    a_is_sparse=False, b_is_sparse=False, name=None,
):  # fmt: skip
    """The matrix product a @ b, of the last two axes.

    Args:
        a: number[..., m, k]. b: number[..., k, n], of the same dtype.
        transpose_a, transpose_b: exchange the last two axes first.
        adjoint_a, adjoint_b: the same, and conjugate.
        a_is_sparse, b_is_sparse: accepted; they change nothing.
        name: the name of the node in a graph.
    Returns:
        number[..., m, n]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
        ValueError: an input is both transposed and adjoint.
    Example:
        tf.matmul([[1., 2.]], [[3.], [4.]])  # [[11.]]
    """
    if not (adjoint_a or adjoint_b):
        product = _PRODUCTS[bool(transpose_a), bool(transpose_b)]
        return product(_now(a), _now(b), name or "MatMul")
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise ValueError("Only one of transpose and adjoint can be True.")
    return _general(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name)


def _now(x):
    """The value of a variable, where ops run at once."""
    if type(x) is not dispatch.EagerTensor and isinstance(x, TensorLike):
        observers = dispatch.observers
        if observers is None or observers.tapes is not None:
            return x._as_tensor()
    return x


def _general(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name):
    mode, name = dispatch.current_mode(), name or "MatMul"
    with mode.name_scope(name) as scope:
        if not is_tensor_like(a):
            a = convert_to_tensor(a, getattr(b, "dtype", None), name="a")
        if not is_tensor_like(b):
            b = convert_to_tensor(b, a.dtype, name="b")
    name = name if mode.eager else scope
    batch = any(t._shape is None or len(t._shape) > 2 for t in (a, b))
    if not batch and not (a.dtype.is_complex and (adjoint_a or adjoint_b)):
        attrs = _ATTRS[bool(transpose_a or adjoint_a), bool(transpose_b or adjoint_b)]
        return apply(MatMul, (a, b), attrs, name)
    a, adj_a = _conjugated(a, transpose_a, adjoint_a)
    b, adj_b = _conjugated(b, transpose_b, adjoint_b)
    return apply(BatchMatMul, (a, b), {"adj_x": adj_a, "adj_y": adj_b}, name)


def _conjugated(t, transpose, adjoint):
    """A tensor whose adjoint is what was asked for."""
    if transpose and t.dtype.is_complex:
        raise TypeError(
            "A transposed product of complex tensors with more than two axes is not "
            "supported; use adjoint, or transpose first with tf.transpose."
        )
    return t, bool(transpose or adjoint)
