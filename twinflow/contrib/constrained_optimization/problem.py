"""What is to be minimised under constraints, and the base of what does it."""

import abc
import math
from typing import Any

from twinflow.base.dtypes import float32
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.constant import constant
from twinflow.ops.variables.kinds import Variable
from twinflow.train.optimizer import Optimizer

_GATE_OP = Optimizer.GATE_OP


class ConstrainedMinimizationProblem(abc.ABC):
    """An objective, and constraints that are to be at most 0.

    A subclass gives `objective` and `constraints`, and `proxy_constraints` where what
    is to be counted has no slope.
    """

    @property
    @abc.abstractmethod
    def objective(self) -> Any:
        """What to minimise: a float scalar."""

    @property
    @abc.abstractmethod
    def constraints(self) -> Any:
        """What is to be at most 0: float[m]."""

    @property
    def proxy_constraints(self) -> Any:
        """What is minimised in place of the constraints: float[m], or None."""
        return None

    @property
    def pre_train_ops(self) -> Any:
        """Ops to run before each step, or None."""
        return None

    @property
    def num_constraints(self) -> int:
        """How many constraints there are.

        Raises:
            ValueError: that is not known, or proxies have another shape.
        """
        shape, proxies = self.constraints.shape, self.proxy_constraints
        if not shape.is_fully_defined():
            raise ValueError(
                "constraints and proxy_constraints must have fully-known shapes"
            )
        if proxies is not None:
            if not proxies.shape.is_fully_defined():
                raise ValueError(
                    "constraints and proxy_constraints must have fully-known shapes"
                )
            if proxies.shape.as_list() != shape.as_list():
                raise ValueError(
                    "constraints and proxy_constraints must have the same shape"
                )
        return math.prod(shape.as_list())


class ConstrainedOptimizer(abc.ABC):
    """The base of optimizers of a ConstrainedMinimizationProblem.

    Args:
        optimizer: the Optimizer of the variables.
    """

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer

    @property
    def optimizer(self) -> Any:
        """The Optimizer of the variables."""
        return self._optimizer

    @abc.abstractmethod
    def _minimize_constrained(
        self, minimization_problem, global_step=None, var_list=None,
        gate_gradients=_GATE_OP, aggregation_method=None,
        colocate_gradients_with_ops=False, name=None, grad_loss=None,
    ):  # fmt: skip
        """The op of a step."""

    def minimize_constrained(
        self, minimization_problem: Any, global_step: Any = None, var_list: Any = None,
        gate_gradients: int = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """The op of a step that heeds the constraints.

        Args:
            minimization_problem: a ConstrainedMinimizationProblem.
            global_step and what follows it: see Optimizer.minimize.
        """
        with control_dependencies(_before(minimization_problem)):
            return self._minimize_constrained(
                minimization_problem, global_step, var_list, gate_gradients,
                aggregation_method, colocate_gradients_with_ops, name, grad_loss,
            )  # fmt: skip

    def minimize_unconstrained(
        self, minimization_problem: Any, global_step: Any = None, var_list: Any = None,
        gate_gradients: int = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """The op of a step that minimises the objective alone.

        Args:
            minimization_problem: a ConstrainedMinimizationProblem.
            global_step and what follows it: see Optimizer.minimize.
        """
        with control_dependencies(_before(minimization_problem)):
            return self.optimizer.minimize(
                minimization_problem.objective, global_step, var_list, gate_gradients,
                aggregation_method, colocate_gradients_with_ops, name, grad_loss,
            )  # fmt: skip

    def minimize(
        self, minimization_problem: Any, unconstrained_steps: Any = None,
        global_step: Any = None, var_list: Any = None, gate_gradients: int = _GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        name: str | None = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """The op of a step.

        Args:
            minimization_problem: a ConstrainedMinimizationProblem.
            unconstrained_steps: for how many steps to minimise the objective alone.
            global_step and what follows it: see Optimizer.minimize.
        Raises:
            ValueError: unconstrained_steps are given, and no global_step.
        """
        rest = (
            minimization_problem, global_step, var_list, gate_gradients,
            aggregation_method, colocate_gradients_with_ops, name, grad_loss,
        )  # fmt: skip
        if unconstrained_steps is None:
            return self.minimize_constrained(*rest)
        if global_step is None:
            raise ValueError(
                "global_step cannot be None if unconstrained_steps is provided"
            )
        return cond(
            global_step < unconstrained_steps,
            lambda: self.minimize_unconstrained(*rest),
            lambda: self.minimize_constrained(*rest),
        )


def _before(problem):
    return list(problem.pre_train_ops or ())


class ConstantMinimizationProblem(ConstrainedMinimizationProblem):
    """A problem whose objective and constraints stay what they are.

    Args:
        constraints: float[m].
    """

    def __init__(self, constraints: Any) -> None:
        self._objective = Variable(0.0, dtype=float32)
        self._constraints = constant(constraints, dtype=float32)

    @property
    def objective(self) -> Any:
        """A variable, 0."""
        return self._objective

    @property
    def constraints(self) -> Any:
        """What was given."""
        return self._constraints
