"""Matrix products."""

import numpy as np

from twinflow.base import dispatch, dtypes, factory, products
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.portable import is_portable
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.complex import conj, conjugated
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.infer import broadcast_shapes, merge, ranked, same_dim, text
from twinflow.ops.core.product_xla import multiply


def _infer_matmul(a, b, transpose_a=False, transpose_b=False):
    sa = ranked(a._shape, 2, "In[0] is not a matrix. Instead it has shape {}")
    sb = ranked(b._shape, 2, "In[1] is not a matrix. Instead it has shape {}")
    m, k = reversed(sa) if transpose_a else sa
    k2, n = reversed(sb) if transpose_b else sb
    same_dim(k, k2, "Matrix size-incompatible: In[0]: {}, In[1]: {}", sa, sb)
    return (m, n)


def _matmul_kernel(xp):
    def host(a, b, transpose_a=False, transpose_b=False):
        return products.PRODUCTS[transpose_a, transpose_b](a, b)

    def kernel(a, b, transpose_a=False, transpose_b=False):
        return xp.dot(a.T if transpose_a else a, b.T if transpose_b else b)

    def bound(transpose_a=False, transpose_b=False):
        return products.PRODUCTS[transpose_a, transpose_b]

    host.bound = bound
    return host if xp is np else kernel


# Multiplications from which on a matrix is laid out transposed for XLA.
_WORTH_A_COPY = 1 << 16


def _matmul_in_xla(jax):
    """As the kernel on jax.numpy; on a CPU, tall products of a.T from a copy.

    XLA's products on a CPU read the columns of `a` one by one where there are more of
    them than of `b`: [1024, 1024].T @ [1024, 256] takes 8.5 ms on one core; 6.6 with
    the copy, which the barrier keeps apart from the product.
    """
    plain = _matmul_kernel(jax.numpy)

    def kernel(a, b, transpose_a=False, transpose_b=False):
        def otherwise(a, b):
            return in_xla(a, b, transpose_a, transpose_b)

        return multiply(jax, a, b, transpose_a, transpose_b, otherwise)

    def in_xla(a, b, transpose_a, transpose_b):
        if is_portable():  # sizes may be open
            return plain(a, b, transpose_a, transpose_b)
        (k, m), n = a.shape, b.shape[-1]
        tall = transpose_a and not transpose_b and m >= 2 * n and k > 1
        if not tall or k * m * n < _WORTH_A_COPY:
            return plain(a, b, transpose_a, transpose_b)
        return jax.lax.platform_dependent(
            a, b, cpu=from_copy, default=lambda a, b: plain(a, b, True)
        )

    def from_copy(a, b):
        a, b = jax.lax.optimization_barrier((a, b))  # the copy is made when b is there
        return plain(jax.lax.optimization_barrier(a.T), b)

    return kernel


def _grad_a(dy, b, transpose_a, transpose_b):
    b = conj(b) if b.dtype.is_complex else b
    if transpose_a:
        return _PRODUCTS[transpose_b, True](b, dy)
    return _PRODUCTS[False, not transpose_b](dy, b)


def _grad_b(dy, a, transpose_a, transpose_b):
    a = conj(a) if a.dtype.is_complex else a
    if transpose_b:
        return _PRODUCTS[True, transpose_a](dy, a)
    return _PRODUCTS[not transpose_a, False](a, dy)


MatMul = define(
    "MatMul",
    infer=_infer_matmul,
    kernel=_matmul_kernel,
    lower=_matmul_in_xla,
    grad=[_grad_a, _grad_b],
    grad_names="MatMul MatMul_1",
)
_ATTRS = {
    (p, q): {"transpose_a": p, "transpose_b": q}
    for p in (False, True)
    for q in (False, True)
}


def _product(transpose_a, transpose_b):
    """The product of two eager matrices, for one choice of transposes."""
    attrs = _ATTRS[transpose_a, transpose_b]
    kernel = products.PRODUCTS[transpose_a, transpose_b]

    def slow(fast, inputs, name):
        return _general(*inputs, transpose_a, transpose_b, False, False, name)

    return factory.binary(
        MatMul, "matmul", "a @ b for two matrices.", args=("a", "b"),
        kernel=kernel, slow=slow, matrices=True, attrs=attrs,
    )  # fmt: skip


_PRODUCTS = {key: _product(*key) for key in _ATTRS}
product = _PRODUCTS[False, False]


def _infer_batch(x, y, adj_x=False, adj_y=False):
    s, t = x._shape, y._shape
    if s is None or t is None:
        return None
    if len(s) < 2 or len(t) < 2:
        raise InferError(
            f"In[0] and In[1] must have at least two axes: {text(s)} vs. {text(t)}",
            "Shape must be at least rank 2",
        )
    batch = _batches(s[:-2], t[:-2])
    (m, k), (k2, n) = (_flip(s, adj_x), _flip(t, adj_y))
    sides = f"{k} vs. {k2}: {{}} {{}} {int(adj_x)} {int(adj_y)}"
    same_dim(k, k2, f"In[0] mismatch In[1] shape: {sides}", s, t)
    return (*batch, m, n)


def _batches(a, b):
    try:
        return broadcast_shapes(a, b)
    except InferError as error:
        merge(a, b, str(error))
        raise


def _flip(shape, adjoint):
    return shape[:-3:-1] if adjoint else shape[-2:]


def _batch_kernel(xp):
    def adjoint(a):
        a = xp.swapaxes(a, -1, -2)
        return xp.conj(a) if a.dtype.kind == "c" else a

    product = _exact_product if xp is np else xp.matmul

    def kernel(x, y, adj_x, adj_y):
        return product(adjoint(x) if adj_x else x, adjoint(y) if adj_y else y)

    return kernel


def _batch_in_xla(jax):
    """With the axes that are summed over named to XLA, in the place of a transposition.

    One that is left to it is joined with that of the heads of an attention before, to
    one that exchanges the last two axes: 420 us for [8, 4, 64, 128], not 100.
    """
    plain = _batch_kernel(jax.numpy)

    def kernel(x, y, adj_x, adj_y):
        if x.shape[:-2] != y.shape[:-2] or x.dtype.kind == "c":
            return plain(x, y, adj_x, adj_y)
        x, y = jax.numpy.asarray(x), jax.numpy.asarray(y)
        *batch, rows, columns = range(x.ndim)
        summed = (rows if adj_x else columns,), (columns if adj_y else rows,)

        def otherwise(x, y):
            return jax.lax.dot_general(x, y, (summed, (batch, batch)))

        return multiply(jax, x, y, adj_x, adj_y, otherwise)

    return kernel


def _exact_product(x, y):
    """NumPy gives float32 for bfloat16."""
    return products.matmul(x, y).astype(x.dtype, copy=False)


def _batch(x, y, adj_x, adj_y):
    return apply(BatchMatMul, (x, y), {"adj_x": adj_x, "adj_y": adj_y})


def _batch_grad_x(dy, y, shape_x, adj_x, adj_y):
    dx = _batch(y, dy, adj_y, True) if adj_x else _batch(dy, y, False, not adj_y)
    return unbroadcast(dx, shape_x)


def _batch_grad_y(dy, x, shape_y, adj_x, adj_y):
    dx = _batch(dy, x, True, adj_x) if adj_y else _batch(x, dy, not adj_x, False)
    return unbroadcast(dx, shape_y)


BatchMatMul = define(
    "BatchMatMul",
    infer=_infer_batch,
    kernel=_batch_kernel,
    lower=_batch_in_xla,
    grad=[_batch_grad_x, _batch_grad_y],
    grad_names="MatMul MatMul_1",
)


def matmul(
    a: TensorValue, b: TensorValue, transpose_a: bool = False,
    transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product a @ b, of the last two axes.

    Args:
        a: number[..., m, k]. b: number[..., k, n], of the same dtype.
        transpose_a, transpose_b: exchange the last two axes first.
        adjoint_a, adjoint_b: the same, and conjugate.
        a_is_sparse, b_is_sparse: that many entries are 0. As in TensorFlow, float32 and
            bfloat16 matrices then go through `tf.sparse_matmul`, which mixes the two.
        name: the name of the node in a graph.
    Returns:
        number[..., m, n]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
        ValueError: an input is both transposed and adjoint.
    Example:
        tf.matmul([[1., 2.]], [[3.], [4.]])  # [[11.]]
    """
    if not (adjoint_a or adjoint_b or a_is_sparse or b_is_sparse):
        product = _PRODUCTS[bool(transpose_a), bool(transpose_b)]
        return product(_now(a), _now(b), name or "MatMul")
    sides = ("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)
    for side, transposed, adjoint in sides:
        if transposed and adjoint:
            raise ValueError(
                f"Only one of transpose_{side} and adjoint_{side} can be True."
            )
    sparse = (bool(a_is_sparse), bool(b_is_sparse))
    return _general(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name, sparse)


def _now(x):
    """The value of a variable, where ops run at once."""
    if type(x) is not dispatch.EagerTensor and isinstance(x, TensorLike):
        observers = dispatch.observers
        if observers is None or observers.tapes is not None:
            return x._as_tensor()
    return x


def _general(
    a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name, sparse=(False, False)
):  # fmt: skip
    mode, name = dispatch.current_mode(), name or "MatMul"
    with mode.name_scope(name) as scope:
        if not is_tensor_like(a):
            a = convert_to_tensor(a, getattr(b, "dtype", None), name="a")
        if not is_tensor_like(b):
            b = convert_to_tensor(b, a.dtype, name="b")
    name = name if mode.eager else scope
    ranks = [None if t._shape is None else len(t._shape) for t in (a, b)]
    batch = ranks == [None, None] or any(r is not None and r > 2 for r in ranks)
    flip_a, flip_b = bool(transpose_a or adjoint_a), bool(transpose_b or adjoint_b)
    if batch:  # BatchMatMul has only adjoints, MatMul only transposes
        a = conjugated(a) if transpose_a else a
        b = conjugated(b) if transpose_b else b
        return apply(BatchMatMul, (a, b), {"adj_x": flip_a, "adj_y": flip_b}, name)
    a = conjugated(a) if adjoint_a else a
    b = conjugated(b) if adjoint_b else b
    if (any(sparse) or a.dtype is not b.dtype) and {a.dtype, b.dtype} <= _SPARSE:
        both = a.dtype is b.dtype is dtypes.bfloat16
        y = sparse_matmul(a, b, flip_a, flip_b, *sparse, name=name)
        return cast(y, dtypes.bfloat16) if both else y
    return apply(MatMul, (a, b), _ATTRS[flip_a, flip_b], name)


# ------------------------------------------------------------------ mostly zeros
_SPARSE = frozenset((dtypes.float32, dtypes.bfloat16))


def _infer_sparse(a, b, transpose_a, transpose_b, **_):
    for name, x in ("a", a), ("b", b):
        s = x._shape
        ranked(s, 2, f"{name} is not a matrix")
    try:
        return _infer_matmul(a, b, transpose_a, transpose_b)
    except InferError as error:
        shapes = f"a: {text(a._shape)}, b: {text(b._shape)}"
        message = f"Matrix size incompatible: {shapes}"
        raise InferError(message, error.graph_message) from None


def _sparse_kernel(xp):
    product = _matmul_kernel(xp)

    def kernel(a, b, transpose_a, transpose_b, a_is_sparse, b_is_sparse):
        a, b = (x.astype(np.float32) for x in (a, b))
        return product(a, b, transpose_a, transpose_b)

    return kernel


def _sparse_grad(dy, a, b, transpose_a, transpose_b):
    a32, b32 = cast(a, dtypes.float32), cast(b, dtypes.float32)
    d_a = _grad_a(dy, b32, transpose_a, transpose_b)
    d_b = _grad_b(dy, a32, transpose_a, transpose_b)
    return cast(d_a, a.dtype), cast(d_b, b.dtype)


SparseMatMul = define(
    "SparseMatMul", infer=_infer_sparse, kernel=_sparse_kernel, grad=_sparse_grad
)


def sparse_matmul(
    a: TensorValue, b: TensorValue, transpose_a: bool = False,
    transpose_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product of float32 and bfloat16 matrices, in float32.

    Args:
        a: float32 or bfloat16[m, k]. b: float32 or bfloat16[k, n].
        transpose_a, transpose_b: exchange the axes first.
        a_is_sparse, b_is_sparse: that many entries are 0; they change nothing.
        name: the name of the node in a graph.
    Returns:
        float32[m, n]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.sparse_matmul([[1., 0.]], [[3.], [4.]], a_is_sparse=True)  # [[3.]]
    """
    attrs = {
        "transpose_a": bool(transpose_a), "transpose_b": bool(transpose_b),
        "a_is_sparse": bool(a_is_sparse), "b_is_sparse": bool(b_is_sparse),
    }  # fmt: skip
    return apply(SparseMatMul, (a, b), attrs, name)
