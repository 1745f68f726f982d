"""Operators made of others: products, and blocks on a diagonal."""

import functools
from operator import attrgetter
from typing import Any

from twinflow.base import dispatch
from twinflow.base.convert import is_tensor_like
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.joining import concat, split, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import expand_dims, shape, squeeze
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.batch import (
    alike,
    common_batch,
    common_batch_tensor,
)


class Composed(LinearOperator):
    """An operator that is made of a list of operators of one dtype.

    Where all of them have one of the properties in `_inherited`, so has the whole.
    """

    _what, _joint, _inherited = "", "_", ("is_non_singular",)

    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._operators = operators = _checked(operators)
        hints = {
            "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
        }  # fmt: skip
        for hint in self._inherited:
            if all(getattr(o, hint) for o in operators):
                if hints[hint] is False:
                    kind = hint.removeprefix("is_").replace("_", "-")
                    raise ValueError(
                        f"The {self._what} of {kind} operators is always {kind}."
                    )
                hints[hint] = True
        super().__init__(
            operators[0].dtype, [t for o in operators for t in o.graph_parents],
            **hints, is_square=is_square,
            name=name or self._joint.join(o.name for o in operators),
        )  # fmt: skip

    operators = property(attrgetter("_operators"), doc="The list of operators.")

    def _shape(self):
        known = [self._whole(a) for a in (-2, -1)]
        return common_batch(self._operators).concatenate(
            [None if is_tensor_like(n) else n for n in known]
        )

    def _shape_tensor(self):
        matrix = stack([self._whole(-2), self._whole(-1)])
        return concat([common_batch_tensor(self._operators), matrix], 0)

    def _folded(self, function, method):
        results = [getattr(o, method)() for o in self._operators]
        return functools.reduce(function, results)

    def _determinant(self):
        return self._folded(multiply, "determinant")

    def _log_abs_determinant(self):
        return self._folded(add, "log_abs_determinant")

    def _all_checked(self, method):
        """An op after which all operators have been checked."""
        checks = [getattr(o, method)() for o in self._operators]
        mode = dispatch.current_mode()
        if mode.eager:
            return None
        with mode.control_dependencies(checks):
            return no_op(method)


def _checked(operators):
    operators = list(operators)
    if not operators:
        raise ValueError(f"Expected a non-empty list of operators. Found: {operators}")
    if any(o.dtype is not operators[0].dtype for o in operators):
        kinds = "   ".join(str((o.name, o.dtype)) for o in operators)
        raise TypeError(
            f"Expected all operators to have the same dtype.  Found {kinds}"
        )
    return operators


def size_of(operator, axis):
    """A size of an operator: an int, or a scalar tensor."""
    return operator._size(axis)


class LinearOperatorComposition(Composed):
    """The operator of a matrix product A_1 @ A_2 @ ... @ A_k.

    Args:
        operators: a list of operators of one dtype, whose sizes fit.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator; non-singular if all of them are.
    Raises:
        TypeError: several dtypes. ValueError: no operators, or a wrong promise.
    Example:
        a = tf.linalg.LinearOperatorDiag([1., 2.])
        tf.linalg.LinearOperatorComposition([a, a]).to_dense()  # [[1., 0.], [0., 4.]]
    """

    _what, _joint = "composition", "_o_"

    def _whole(self, axis):
        return size_of(self._operators[0 if axis == -2 else -1], axis)

    def _shape(self):
        for a, b in zip(self._operators, self._operators[1:], strict=False):
            a.domain_dimension.assert_is_compatible_with(b.range_dimension)
        return super()._shape()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        first, *rest = self._operators if adjoint else self._operators[::-1]
        x = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for o in rest:
            x = o.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        first, *rest = self._operators[::-1] if adjoint else self._operators
        x = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for o in rest:
            x = o.solve(x, adjoint=adjoint)
        return x


class LinearOperatorBlockDiag(Composed):
    """The operator of a matrix with square blocks on its diagonal.

    Args:
        operators: a list of square operators of one dtype.
        is_non_singular, is_self_adjoint, is_positive_definite, name: see
            LinearOperator; True if they are of all of the operators.
        is_square: True.
    Raises:
        TypeError: several dtypes. ValueError: no operators, or a wrong promise.
    Example:
        a = tf.linalg.LinearOperatorDiag([1., 2.])
        tf.linalg.LinearOperatorBlockDiag([a, a]).diag_part()  # [1., 2., 1., 2.]
    """

    _what, _joint = "direct sum", "_ds_"
    _inherited = ("is_non_singular", "is_self_adjoint", "is_positive_definite")

    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: bool = True,
        name: str | None = None,
    ) -> None:  # fmt: skip
        operators = list(operators)
        if not (is_square and all(o.is_square for o in operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        super().__init__(
            operators, is_non_singular, is_self_adjoint, is_positive_definite, True,
            name,
        )  # fmt: skip

    def _whole(self, axis):
        sizes = [size_of(o, axis) for o in self._operators]
        return functools.reduce(lambda a, b: a + b, sizes)

    def _by_blocks(self, method, x, adjoint, adjoint_arg):
        sizes = [size_of(o, -1) for o in self._operators]
        sizes = stack(sizes) if any(map(is_tensor_like, sizes)) else sizes
        count = len(self._operators)
        parts = split(x, sizes, -1 if adjoint_arg else -2, num=count)
        done = [
            getattr(o, method)(part, adjoint=adjoint, adjoint_arg=adjoint_arg)
            for o, part in zip(self._operators, parts, strict=True)
        ]
        return concat(alike(*done), -2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._by_blocks("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._by_blocks("solve", rhs, adjoint, adjoint_arg)

    def _trace(self):
        return self._folded(add, "trace")

    def _diag_part(self):
        columns = [expand_dims(o.diag_part(), -1) for o in self._operators]
        return squeeze(concat(alike(*columns), -2), [-1])

    def _to_dense(self):
        blocks = alike(*[o.to_dense() for o in self._operators])
        rows = []
        for i, block in enumerate(blocks):
            parts = [block if i == j else _nothing(block, o)
                     for j, o in enumerate(self._operators)]  # fmt: skip
            rows.append(concat(parts, -1))
        return concat(rows, -2)

    def _assert_non_singular(self):
        return self._all_checked("assert_non_singular")

    def _assert_self_adjoint(self):
        return self._all_checked("assert_self_adjoint")

    def _assert_positive_definite(self):
        return self._all_checked("assert_positive_definite")


def _nothing(block, beside):
    """Zeros with the rows of a block and the columns of another operator."""
    n, s = size_of(beside, -1), block._shape
    if type(n) is int and s is not None and None not in s:
        return zeros([*s[:-1], n], block.dtype)
    return zeros(concat([shape(block)[:-1], stack([n])], 0), block.dtype)
