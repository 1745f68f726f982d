"""The operator of a Kronecker product."""

import functools

from twinflow.base.convert import is_tensor_like
from twinflow.base.errors import invalid
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import add, multiply, pow
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.linear_operator.composed import Composed, size_of
from twinflow.ops.matrix.diagonal import adjoint as adjoint_of


class LinearOperatorKronecker(Composed):
    """The operator of a Kronecker product A_1 x A_2 x ... x A_k.

    Args:
        operators: a list of operators of one dtype.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator; True if they are of all of the operators.
    Raises:
        TypeError: several dtypes. ValueError: no operators, or a wrong promise.
    Example:
        a = tf.linalg.LinearOperatorDiag([1., 2.])
        tf.linalg.LinearOperatorKronecker([a, a]).diag_part()  # [1., 2., 2., 4.]
    """

    _what, _joint = "Kronecker product", "_x_"
    _inherited = ("is_non_singular", "is_self_adjoint", "is_positive_definite")

    def _whole(self, axis):
        sizes = [size_of(o, axis) for o in self._operators]
        return functools.reduce(lambda a, b: a * b, sizes)

    def _by_factors(self, method, x, sizes, adjoint):
        """Apply each factor to its own axis, which goes to the front of the rest.

        The axes of x after the leading ones are (n_1 ... n_k, columns); each step makes
        its axis the first, replaces it, and puts it last.
        """
        columns = shape(x)[-1] if x._shape[-1] is None else x._shape[-1]
        for o, n in zip(self._operators, sizes, strict=True):
            x = _shaped(x, n, -1)
            x = matrix_transpose(getattr(o, method)(x, adjoint=adjoint))
        return matrix_transpose(_shaped(x, columns, -1))

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = adjoint_of(x) if adjoint_arg else x
        axis = -2 if adjoint else -1
        sizes = [size_of(o, axis) for o in self._operators]
        return self._by_factors("matmul", x, sizes, adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        axis = -1 if adjoint else -2
        sizes = [size_of(o, axis) for o in self._operators]
        return self._by_factors("solve", rhs, sizes, adjoint)

    def _powers(self, method, function):
        """What each factor gives, to the power (or times) the size of the others."""
        total = self._whole(-1)
        return [
            function(getattr(o, method)(), cast(total // size_of(o, -1), o.dtype))
            for o in self._operators
        ]

    def _determinant(self):
        return functools.reduce(multiply, self._powers("determinant", pow))

    def _log_abs_determinant(self):
        return functools.reduce(add, self._powers("log_abs_determinant", multiply))

    def _all_square(self):
        return all(o.is_square for o in self._operators)

    def _trace(self):
        return (
            self._folded(multiply, "trace") if self._all_square() else super()._trace()
        )

    def _diag_part(self):
        if not self._all_square():
            return super()._diag_part()
        return functools.reduce(
            lambda a, b: _shaped(multiply(expand_dims(a, -1), expand_dims(b, -2)), -1),
            [o.diag_part() for o in self._operators],
        )

    def _to_dense(self):
        return functools.reduce(_kronecker, [o.to_dense() for o in self._operators])

    def _assert_non_singular(self):
        self._need_squares("invertible")
        return self._all_checked("assert_non_singular")

    def _assert_self_adjoint(self):
        self._need_squares("self adjoint")
        return self._all_checked("assert_self_adjoint")

    def _need_squares(self, what):
        if not self._all_square():
            raise invalid(
                f"All Kronecker factors must be square for the product to be {what}."
            )


def _shaped(t, *sizes, gone=2):
    """`t` with its last two axes as others."""
    s = t._shape
    if s is not None and None not in s[:-gone] and not any(map(is_tensor_like, sizes)):
        return reshape(t, [*s[:-gone], *sizes])
    return reshape(t, concat([shape(t)[:-gone], stack(list(sizes))], 0))


def _kronecker(a, b):
    left = expand_dims(expand_dims(a, -1), -3)
    right = expand_dims(expand_dims(b, -2), -4)
    m, n, p, q = (_last(t, i) for t in (a, b) for i in (-2, -1))
    return _shaped(multiply(left, right), m * p, n * q, gone=4)


def _last(t, axis):
    known = t._shape[axis]
    return shape(t)[axis] if known is None else known
