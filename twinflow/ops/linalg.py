"""Matrix products."""

from twinflow.base import dispatch
from twinflow.base.dispatch import apply, new
from twinflow.base.op import NUMBER, InferError, define
from twinflow.base.record import record
from twinflow.ops.infer import text


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
        return matmul(b, dy, transpose_b, True)
    return matmul(dy, b, False, not transpose_b)


def _grad_b(dy, a, transpose_a, transpose_b):
    if transpose_b:
        return matmul(dy, a, True, transpose_a)
    return matmul(a, dy, not transpose_a, False)


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


def matmul(
    a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
    a_is_sparse=False, b_is_sparse=False, name=None,
):  # fmt: skip
    """The product of two matrices."""
    if type(a) is type(b) is dispatch.EagerTensor and a.dtype is b.dtype:
        x, y = a._a, b._a
        if x.ndim == 2 == y.ndim and a.dtype.is_number and not (adjoint_a or adjoint_b):
            observers = dispatch.observers
            tapes = () if observers is None else observers.tapes
            if tapes is not None:
                if transpose_a:
                    x = x.T
                if transpose_b:
                    y = y.T
                if x.shape[1] == y.shape[0]:
                    t = new(dispatch.EagerTensor)
                    t._a = x.dot(y)
                    t.dtype = a.dtype
                    t._id = 0
                    if tapes:
                        attrs = _ATTRS[transpose_a, transpose_b]
                        record(MatMul, tapes, (a, b), (t,), attrs)
                    return t
    attrs = _ATTRS[transpose_a, transpose_b]
    return apply(MatMul, (a, b), attrs, name)
