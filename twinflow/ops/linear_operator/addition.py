"""Sums of linear operators, each kept in the plainest form that holds it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from twinflow.base import dispatch
from twinflow.ops.core.creation import ones
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape
from twinflow.ops.debugging.static import assert_proper_iterable
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.dense import (
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorLowerTriangular,
)
from twinflow.ops.linear_operator.identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)

_KINDS = {
    LinearOperatorDiag: "diag",
    LinearOperatorLowerTriangular: "tril",
    LinearOperatorFullMatrix: "matrix",
    LinearOperatorIdentity: "identity",
    LinearOperatorScaledIdentity: "scaled_identity",
}
_IDENTITIES = {"identity", "scaled_identity"}
_DIAGONALS = _IDENTITIES | {"diag"}


class Hints(NamedTuple):
    """What is known of a sum; None where it is to be found."""

    is_non_singular: bool | None = None
    is_positive_definite: bool | None = None
    is_self_adjoint: bool | None = None


def kind_of(operator: LinearOperator) -> str:
    """The name of the kind of an operator.

    Raises:
        TypeError: it is of a kind that sums do not know.
    """
    for kind, name in _KINDS.items():
        if isinstance(operator, kind):
            return name
    raise TypeError(f"Operator type unknown: {operator}")


def inferred_hints(op1: LinearOperator, op2: LinearOperator, hints: Hints) -> Hints:
    """The hints of a sum: those that are given, or follow from its terms."""
    hints = hints or Hints()
    adjoint, positive = hints.is_self_adjoint, hints.is_positive_definite
    if adjoint is None:
        adjoint = op1.is_self_adjoint and op2.is_self_adjoint
    if positive is None:
        positive = op1.is_positive_definite and op2.is_positive_definite
    regular = hints.is_non_singular
    if regular is None and positive:
        regular = True
    return Hints(regular, positive, adjoint)


class Adder:
    """Adds two operators of some kinds."""

    kinds: set = set()

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.__class__.__name__

    def can_add(self, op1: LinearOperator, op2: LinearOperator) -> bool:
        """Whether both are of the kinds that it adds."""
        return {kind_of(op1), kind_of(op2)} <= self.kinds

    def add(
        self, op1: LinearOperator, op2: LinearOperator, operator_name: str | None,
        hints: Hints | None = None,
    ) -> LinearOperator:  # fmt: skip
        """The sum, called "Add/NAME__NAME/" where it is given no name."""
        found = inferred_hints(op1, op2, hints or Hints())
        name = operator_name or f"Add/{op1.name}__{op2.name}/"
        return self._add(op1, op2, name, found)

    def _add(self, op1: Any, op2: Any, name: str, hints: Hints) -> LinearOperator:
        raise TypeError(f"{self.name} is no kind of addition.")


class AddAndReturnScaledIdentity(Adder):
    """Adds identities and their multiples."""

    kinds = _IDENTITIES

    def _add(self, op1: Any, op2: Any, name: str, hints: Hints) -> LinearOperator:
        total = _multiplier(op1) + _multiplier(op2)
        rows = op1.range_dimension_tensor()
        return LinearOperatorScaledIdentity(rows, total, name=name, **hints._asdict())


def _multiplier(operator: Any) -> Any:
    if isinstance(operator, LinearOperatorIdentity):
        return ones(operator.batch_shape_tensor(), dtype=operator.dtype)
    return operator.multiplier


class AddAndReturnDiag(Adder):
    """Adds operators that are all diagonal."""

    kinds = _DIAGONALS

    def _add(self, op1: Any, op2: Any, name: str, hints: Hints) -> LinearOperator:
        total = op1.diag_part() + op2.diag_part()
        return LinearOperatorDiag(total, name=name, **hints._asdict())


def _entries(op1: Any, op2: Any) -> Any:
    """The sum as a tensor: the plainer term is added to the other's entries."""
    if kind_of(op1) in _DIAGONALS:
        return op1.add_to_tensor(op2.to_dense())
    return op2.add_to_tensor(op1.to_dense())


class AddAndReturnTriL(Adder):
    """Adds operators that are lower triangular or diagonal."""

    kinds = _DIAGONALS | {"tril"}

    def _add(self, op1: Any, op2: Any, name: str, hints: Hints) -> LinearOperator:
        found = _entries(op1, op2)
        return LinearOperatorLowerTriangular(found, name=name, **hints._asdict())


class AddAndReturnMatrix(Adder):
    """Adds any operators."""

    def can_add(self, op1: LinearOperator, op2: LinearOperator) -> bool:
        """Whether both are operators."""
        return isinstance(op1, LinearOperator) and isinstance(op2, LinearOperator)

    def _add(self, op1: Any, op2: Any, name: str, hints: Hints) -> LinearOperator:
        found = _entries(op1, op2)
        return LinearOperatorFullMatrix(found, name=name, **hints._asdict())


DEFAULT_TIERS: list[list[Adder]] = [
    [AddAndReturnScaledIdentity()],
    [AddAndReturnDiag()],
    [AddAndReturnTriL()],
    [AddAndReturnMatrix()],
]


def add_operators(
    operators: Iterable, operator_name: str | None = None,
    addition_tiers: Sequence | None = None, name: str | None = None,
) -> list[LinearOperator]:  # fmt: skip
    """Operators with the same sum, as few as the tiers of adders make of them.

    Args:
        operators: LinearOperators of one dtype and fitting shapes.
        operator_name: of each sum; "Add/NAME__NAME/" by default.
        addition_tiers: lists of adders; all of one tier is added before the next is
            tried. name: the name scope.
    Returns:
        A list of LinearOperators.
    Raises:
        ValueError: there are none, or their shapes do not fit.
        TypeError: some are no LinearOperators.
    """
    tiers = DEFAULT_TIERS if addition_tiers is None else addition_tiers
    assert_proper_iterable(operators)
    left: list = list(operators)[::-1]
    if not left:
        raise ValueError(
            "Argument 'operators' must contain at least one operator.  "
            f"Found: {operators}"
        )
    if not all(isinstance(op, LinearOperator) for op in left):
        raise TypeError(
            "Argument 'operators' must contain only LinearOperator instances.  "
            f"Found: {left}"
        )
    _check_dimensions(left)
    _check_batches(left)
    with dispatch.current_mode().name_scope(name or "add_operators"):
        for tier in tiers:
            left = _added(left, tier, operator_name)
    return left


def _added(waiting: list, tier: Sequence, name: str | None) -> list:
    """What is left once all that a tier can add is added."""
    done = []
    while waiting:
        op1 = waiting.pop()
        op2, adder = popped_match(op1, waiting, tier)
        if op2 is None:
            done.append(op1)
        else:
            waiting.append(adder.add(op1, op2, name))
    return done


def popped_match(op1: LinearOperator, waiting: list, tier: Sequence) -> tuple:
    """(The last of a list that can be added, by which adder), or twice None."""
    for i in reversed(range(len(waiting))):
        for adder in tier:
            if adder.can_add(op1, waiting[i]):
                return waiting.pop(i), adder
    return None, None


def _check_dimensions(operators: list) -> None:
    for axis in ("domain", "range"):
        sizes = [(op.name, getattr(op, f"{axis}_dimension").value) for op in operators]
        if len({n for _, n in sizes if n is not None}) > 1:
            raise ValueError(
                f"Operators must have the same {axis} dimension. Found: {sizes}"
            )


def _check_batches(operators: list) -> None:
    found = operators[0].batch_shape
    for op in operators[1:]:
        found = broadcast_static_shape(found, op.batch_shape)
