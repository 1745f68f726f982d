"""Optimizers that play against the constraints: two-player games.

Reference: Cotter et al., Two-player games for efficient non-convex constrained
optimization (2018).
"""

import abc
import math
from typing import Any

import numpy as np

from twinflow.contrib.constrained_optimization.problem import (
    _GATE_OP,
    ConstrainedOptimizer,
)
from twinflow.contrib.constrained_optimization.projections import (
    _maximal_eigenvector_power_method,
    _project_log_stochastic_matrix_wrt_kl_divergence,
    _project_multipliers_wrt_euclidean_norm,
    _project_stochastic_matrix_wrt_euclidean_norm,
)
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import exp, maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.variables.kinds import Variable

_ONE_DTYPE = "objective, constraints and proxy_constraints must have the same dtype"


class _GameOptimizer(ConstrainedOptimizer):
    """The base of both: an optimizer of the variables, and one of the other player.

    Args:
        optimizer: the Optimizer of the variables.
        constraint_optimizer: that of the other player; the same one if None.
    """

    _state_name: str

    def __init__(self, optimizer: Any, constraint_optimizer: Any = None) -> None:
        super().__init__(optimizer)
        self._constraint_optimizer = constraint_optimizer

    @property
    def constraint_optimizer(self) -> Any:
        """The Optimizer of the other player, or None."""
        return self._constraint_optimizer

    @abc.abstractmethod
    def _initial_state(self, num_constraints):
        """What the state of the other player is at first."""

    @abc.abstractmethod
    def _constraint_grad_and_var(self, state, gradient):
        """The (gradient, state) that the other player goes down."""

    @abc.abstractmethod
    def _projection_op(self, state, name=None):
        """What brings the state back to where it may be."""

    @abc.abstractmethod
    def _stakes(self, state, objective, constraints, proxies):
        """(the loss of the variables, the gradient of the other player)."""

    def _minimize_constrained(
        self, minimization_problem, global_step=None, var_list=None,
        gate_gradients=_GATE_OP, aggregation_method=None,
        colocate_gradients_with_ops=False, name=None, grad_loss=None,
    ):  # fmt: skip
        count = minimization_problem.num_constraints
        objective, constraints, proxies = _parts(minimization_problem)
        state = Variable(
            lambda: cast(self._initial_state(count), objective.dtype),
            trainable=False, name=self._state_name, dtype=objective.dtype,
        )  # fmt: skip
        loss, stake = self._stakes(state, objective, constraints, proxies)
        pairs = self.optimizer.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip
        other = [self._constraint_grad_and_var(state, stake)]
        if self.constraint_optimizer is None:
            updates = [self.optimizer.apply_gradients(pairs + other, name="update")]
        else:
            found = [g for g, _ in pairs + other if g is not None]
            with control_dependencies(found):
                updates = [
                    self.optimizer.apply_gradients(pairs, name="update"),
                    self.constraint_optimizer.apply_gradients(
                        other, name="optimizer_state_update"
                    ),
                ]
        with control_dependencies(updates):
            if global_step is None:
                return self._projection_op(state, name=name)
            projected = self._projection_op(state)
        with control_dependencies([projected]):
            return group(global_step.assign_add(1), name=name or "global_step_update")


def _parts(problem):
    """The objective, and constraints and proxies as vectors, all of one dtype."""
    objective = convert_to_tensor(problem.objective)
    constraints = convert_to_tensor(problem.constraints)
    proxies = problem.proxy_constraints
    proxies = constraints if proxies is None else convert_to_tensor(proxies)
    if {objective.dtype, constraints.dtype, proxies.dtype} != {objective.dtype}:
        raise ValueError(_ONE_DTYPE)
    return objective, reshape(constraints, [-1]), reshape(proxies, [-1])


class AdditiveExternalRegretOptimizer(_GameOptimizer):
    """Minimises the Lagrangian, and moves its multipliers up where constraints fail.

    Args:
        optimizer: the Optimizer of the variables.
        constraint_optimizer: that of the multipliers; the same one if None.
        maximum_multiplier_radius: the largest sum of the multipliers, None for any.
    Raises:
        ValueError: that is not positive.
    Example:
        co = tf.contrib.constrained_optimization
        class Problem(co.ConstrainedMinimizationProblem):
            objective = property(lambda self: (w - 2.) ** 2)
            constraints = property(lambda self: tf.stack([w - 1.]))
        w = tf.get_variable("w", initializer=0.)
        optimizer = co.AdditiveExternalRegretOptimizer(
            tf.train.GradientDescentOptimizer(0.1))
        step, sess = optimizer.minimize(Problem()), tf.Session()
        sess.run(tf.global_variables_initializer())
        for _ in range(200):
            sess.run(step)
        round(float(sess.run(w)), 2)  # 1.0
    """

    _state_name = "external_regret_optimizer_state"

    def __init__(
        self, optimizer: Any, constraint_optimizer: Any = None,
        maximum_multiplier_radius: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(optimizer, constraint_optimizer)
        if maximum_multiplier_radius is not None and maximum_multiplier_radius <= 0.0:
            raise ValueError("maximum_multiplier_radius must be strictly positive")
        self._maximum_multiplier_radius = maximum_multiplier_radius

    def _initial_state(self, num_constraints):
        return zeros([num_constraints])

    def _lagrange_multipliers(self, state):
        return state

    def _stakes(self, state, objective, constraints, proxies):
        multipliers = convert_to_tensor(self._lagrange_multipliers(state))
        return objective + reduce_sum(multipliers * proxies), constraints

    def _constraint_grad_and_var(self, state, gradient):
        return -gradient, state

    def _projection_op(self, state, name=None):
        radius = self._maximum_multiplier_radius
        value = state.read_value()
        if radius is None:
            return state.assign(maximum(value, 0.0), name=name)
        found = _project_multipliers_wrt_euclidean_norm(value, radius)
        return state.assign(found, name=name)


class _SwapRegretOptimizer(_GameOptimizer):
    """The base of those whose other player has a stochastic matrix."""

    _state_name = "swap_regret_optimizer_state"

    @abc.abstractmethod
    def _stochastic_matrix(self, state):
        """The matrix of a state."""

    def _distribution(self, state):
        """What the matrix leaves as it is: float[1 + m], the objective first."""
        vector = _maximal_eigenvector_power_method(self._stochastic_matrix(state))
        return abs(vector) / reduce_sum(abs(vector))

    def _stakes(self, state, objective, constraints, proxies):
        distribution = self._distribution(state)
        loss = reduce_sum(distribution * concat([[objective], proxies], 0))
        gains = concat([zeros([1], constraints.dtype), constraints], 0)
        return loss, matmul(expand_dims(gains, 1), expand_dims(distribution, 0))


class AdditiveSwapRegretOptimizer(_SwapRegretOptimizer):
    """Minimises a mixture of objective and constraints, which a matrix gives.

    The other player moves the matrix towards the constraints that fail, by sums.

    Args:
        optimizer: the Optimizer of the variables.
        constraint_optimizer: that of the matrix; the same one if None.
    """

    def _initial_state(self, num_constraints):
        state = np.zeros([num_constraints + 1] * 2, np.float32)
        state[0] = 1.0
        return convert_to_tensor(state)

    def _stochastic_matrix(self, state):
        return convert_to_tensor(state)

    def _constraint_grad_and_var(self, state, gradient):
        return -gradient, state

    def _projection_op(self, state, name=None):
        found = _project_stochastic_matrix_wrt_euclidean_norm(state.read_value())
        return state.assign(found, name=name)


class MultiplicativeSwapRegretOptimizer(_SwapRegretOptimizer):
    """Minimises a mixture of objective and constraints, which a matrix gives.

    The other player moves the matrix towards the constraints that fail, by factors.

    Args:
        optimizer: the Optimizer of the variables.
        constraint_optimizer: that of the matrix; the same one if None.
        minimum_multiplier_radius: how much of each column is divided evenly, in (0, 1).
        initial_multiplier_radius: that at first; minimum_multiplier_radius if None.
    Raises:
        ValueError: a radius is out of its range.
    """

    def __init__(
        self, optimizer: Any, constraint_optimizer: Any = None,
        minimum_multiplier_radius: float = 1e-3,
        initial_multiplier_radius: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(optimizer, constraint_optimizer)
        least, first = minimum_multiplier_radius, initial_multiplier_radius
        if not 0.0 < least < 1.0:
            raise ValueError("minimum_multiplier_radius must be in the range (0,1)")
        if first is not None and not least <= first <= 1.0:
            raise ValueError(
                "initial_multiplier_radius must be in the range "
                "[minimum_multiplier_radius,1]"
            )
        self._minimum_multiplier_radius = least
        self._initial_multiplier_radius = least if first is None else first

    def _initial_state(self, num_constraints):
        size, radius = num_constraints + 1, self._initial_multiplier_radius
        state = np.full([size, size], radius / size, np.float32)
        state[0] = 1.0 - radius * num_constraints / size
        return convert_to_tensor(np.log(state))

    def _stochastic_matrix(self, state):
        return exp(convert_to_tensor(state))

    def _constraint_grad_and_var(self, state, gradient):
        return -gradient, state

    def _projection_op(self, state, name=None):
        size = state.shape.as_list()[0]
        least = math.log(self._minimum_multiplier_radius / size)
        projected = _project_log_stochastic_matrix_wrt_kl_divergence(
            maximum(state.read_value(), least)
        )
        return state.assign(projected, name=name)
