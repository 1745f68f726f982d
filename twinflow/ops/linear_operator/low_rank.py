"""An operator and a change of low rank."""

from operator import attrgetter
from typing import Any

from twinflow.base import shapes
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import add, exp, log, multiply, realdiv, subtract
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape
from twinflow.ops.linear_operator.base import LinearOperator, shape_of
from twinflow.ops.linear_operator.batch import alike
from twinflow.ops.linear_operator.dense import LinearOperatorDiag, product
from twinflow.ops.linear_operator.identity import LinearOperatorIdentity
from twinflow.ops.matrix.cholesky import cholesky, cholesky_solve
from twinflow.ops.matrix.diagonal import matrix_diag_part
from twinflow.ops.matrix.inverse import matrix_determinant
from twinflow.ops.matrix.solve import matrix_solve


class LinearOperatorLowRankUpdate(LinearOperator):
    """The operator of L + U D V^H, where U and V have few columns.

    It solves with L and a matrix as large as D only, by the Woodbury identity.

    Args:
        base_operator: L, an operator [..., M, N].
        u: U, a tensor[..., M, k]. v: V, a tensor[..., N, k]; U if None.
        diag_update: the diagonal of D, a tensor[..., k]; ones if None.
        is_diag_update_positive: whether D > 0.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator.
    Raises:
        ValueError: the promises contradict each other, or the sizes do not fit.
    Example:
        one = tf.linalg.LinearOperatorIdentity(2)
        tf.linalg.LinearOperatorLowRankUpdate(one, [[1.], [1.]]).determinant()  # 3.
    """

    def __init__(
        self, base_operator: Any, u: Any, diag_update: Any = None, v: Any = None,
        is_diag_update_positive: Any = None, is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str | None = "LinearOperatorLowRankUpdate",
    ) -> None:  # fmt: skip
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, "
                    "user set 'is_diag_update_positive' to False."
                )
            is_diag_update_positive = True
        hints = _implied(
            base_operator, v, is_diag_update_positive, is_non_singular,
            is_self_adjoint, is_positive_definite,
        )  # fmt: skip
        self._use_cholesky, *hints = hints
        self._base_operator = base_operator
        self._u = convert_to_tensor(u, name="u")
        self._v = self._u if v is None else convert_to_tensor(v, name="v")
        self._diag_update = diag_update
        if diag_update is not None:
            self._diag_update = convert_to_tensor(diag_update, name="diag_update")
        self._is_diag_update_positive = is_diag_update_positive
        own = [t for t in (self._u, self._diag_update, self._v) if t is not None]
        parents = [*base_operator.graph_parents, *own]
        super().__init__(base_operator.dtype, parents, *hints, is_square, name)
        self._check_shapes()
        self._set_middle()

    def _check_shapes(self):
        u, v = self._u._shape, self._v._shape
        uv = shapes.broadcast(u, v)
        if uv is None:
            return
        self._base_operator.domain_dimension.assert_is_compatible_with(uv[-2])
        d = None if self._diag_update is None else self._diag_update._shape
        if d is not None:
            shape_of((uv[-1],)).assert_is_compatible_with(shape_of((d[-1],)))

    def _set_middle(self):
        """D, and the matrix D^-1 + V^H L^-1 U that is as large."""
        positive, d = self._is_diag_update_positive, self._diag_update
        if d is None:
            known = None if self._u._shape is None else self._u._shape[-1]
            k = shape(self._u)[-1] if known is None else known
            self._diag_operator = inverse = LinearOperatorIdentity(k, dtype=self.dtype)
        else:
            self._diag_operator = LinearOperatorDiag(d, is_positive_definite=positive)
            inverse = LinearOperatorDiag(realdiv(1.0, d), is_positive_definite=positive)
        middle = product(self._v, self._base_operator.solve(self._u), adjoint_a=True)
        self._middle = inverse.add_to_tensor(middle)
        self._root = cholesky(self._middle) if self._use_cholesky else None

    base_operator = property(attrgetter("_base_operator"), doc="The operator L.")
    u = property(attrgetter("_u"), doc="The tensor U.")
    v = property(attrgetter("_v"), doc="The tensor V.")
    diag_update = property(
        attrgetter("_diag_update"), doc="The diagonal of D, or None."
    )
    diag_operator = property(attrgetter("_diag_operator"), doc="The operator D.")
    is_diag_update_positive = property(
        attrgetter("_is_diag_update_positive"),
        doc="Whether D > 0; None if that is not known.",
    )

    def _shape(self):
        base, u = self._base_operator, self._u._shape
        lead = base.batch_shape
        dims = None if lead.ndims is None else tuple(lead.as_list())
        found = shapes.broadcast(dims, None if u is None else u[:-2])
        return shape_of(found).concatenate(base.shape[-2:])

    def _shape_tensor(self):
        base = self._base_operator
        lead = broadcast_dynamic_shape(base.batch_shape_tensor(), shape(self._u)[:-2])
        return concat([lead, base.shape_tensor()[-2:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        u, v = (self._v, self._u) if adjoint else (self._u, self._v)
        first = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = product(v, x, adjoint_a=True, adjoint_b=adjoint_arg)
        inner = self._diag_operator.matmul(inner, adjoint=adjoint)
        return add(first, product(u, inner))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        base = self._base_operator
        if base.is_non_singular is False:
            raise ValueError(
                "Solve not implemented unless this is a perturbation of a non-singular "
                "LinearOperator."
            )
        u, v = (self._v, self._u) if adjoint else (self._u, self._v)
        first = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = product(v, first, adjoint_a=True)
        if self._use_cholesky:
            inner = cholesky_solve(*alike(self._root, inner))
        else:
            inner = matrix_solve(*alike(self._middle, inner), adjoint=adjoint)
        return subtract(first, base.solve(product(u, inner), adjoint=adjoint))

    def _determinant(self):
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        outer = self._diag_operator.determinant(), self._base_operator.determinant()
        return multiply(multiply(matrix_determinant(self._middle), outer[0]), outer[1])

    def _log_abs_determinant(self):
        if self._use_cholesky:
            logs = reduce_sum(log(matrix_diag_part(self._root)), [-1]) * 2.0
        else:
            logs = cast(log(abs_of(matrix_determinant(self._middle))), self.dtype)
        outer = self._diag_operator, self._base_operator
        return add(logs, add(*[o.log_abs_determinant() for o in outer]))


def _implied(base, v, positive, is_non_singular, is_self_adjoint, is_definite):
    """Whether Cholesky applies, and the promises with what follows from the parts."""
    definite = base.is_positive_definite and base.is_self_adjoint and positive
    definite = bool(definite and v is None)
    if base.is_self_adjoint and v is None and not base.dtype.is_complex:
        if is_self_adjoint is False:
            raise ValueError(
                "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H "
                "is self-adjoint, this must be a self-adjoint operator."
            )
        is_self_adjoint = True
    if definite:
        if False in (is_definite, is_self_adjoint, is_non_singular):
            raise ValueError(
                "Arguments imply this is self-adjoint positive-definite operator."
            )
        is_definite = is_self_adjoint = True
    return definite, is_non_singular, is_self_adjoint, is_definite
