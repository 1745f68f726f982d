"""Choosing among snapshots of a model that was trained under constraints."""

from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.stats import rankdata

_SHAPES = (
    "objective_vector must have shape (n,), and constraints_matrix (m, n), where n is "
    "the number of candidates, and m is the number of constraints"
)


def _checked(objective_vector, constraints_matrix):
    objectives, constraints = (
        np.asarray(objective_vector),
        np.asarray(constraints_matrix),
    )
    if objectives.ndim != 1 or constraints.ndim != 2:
        raise ValueError(_SHAPES)
    if constraints.shape[1] != len(objectives):
        raise ValueError(_SHAPES)
    return objectives, constraints


def _find_best_candidate_distribution_helper(
    objective_vector: Any, constraints_matrix: Any, maximum_violation: float = 0.0
) -> Any:
    """The mixture with the least objective, or None where all fail by more."""
    objectives, constraints = _checked(objective_vector, constraints_matrix)
    if maximum_violation < 0.0:
        raise ValueError("maximum_violation must be nonnegative")
    count = len(objectives)
    found = linprog(
        objectives, constraints, np.full(len(constraints), maximum_violation),
        np.ones([1, count]), np.ones(1), bounds=(0, None),
    )  # fmt: skip
    return found.x if found.success else None


def find_best_candidate_distribution(
    objective_vector: Any, constraints_matrix: Any, epsilon: float = 0.0
) -> np.ndarray:
    """The mixture of candidates with the least objective among those that fail least.

    Args:
        objective_vector: float[n], the objective of each candidate.
        constraints_matrix: float[m, n], the constraints of each.
        epsilon: how near the least violation has to be met.
    Returns:
        float[n], probabilities, of which at most m + 1 are not 0.
    Raises:
        ValueError: the shapes do not fit, or epsilon is negative.
    Example:
        best = tf.contrib.constrained_optimization.find_best_candidate_distribution(
            np.array([2., 1.]), np.array([[-1., 1.]]))
        best  # [0.5, 0.5]
    """
    objectives, constraints = _checked(objective_vector, constraints_matrix)
    if epsilon < 0.0:
        raise ValueError("epsilon must be nonnegative")
    best = _find_best_candidate_distribution_helper(objectives, constraints)
    if best is not None:
        return best
    # The least violation: one more unknown, which each constraint may reach.
    count = len(objectives)
    widened = np.concatenate([constraints, -np.ones([len(constraints), 1])], axis=1)
    least = linprog(
        np.append(np.zeros(count), 1.0), widened, np.zeros(len(constraints)),
        np.append(np.ones(count), 0.0)[np.newaxis], np.ones(1), bounds=(0, None),
    )  # fmt: skip
    found = _find_best_candidate_distribution_helper(
        objectives, constraints, least.fun + max(epsilon, 1e-12)
    )
    return least.x[:count] if found is None else found


def find_best_candidate_index(
    objective_vector: Any, constraints_matrix: Any, rank_objectives: bool = False
) -> int:
    """The candidate that is good enough in each way, by its ranks.

    Args:
        objective_vector: float[n], the objective of each candidate.
        constraints_matrix: float[m, n], the constraints of each; as good as 0 below it.
        rank_objectives: whether the objective counts among them; else it decides only
            between those of the same greatest rank.
    Raises:
        ValueError: the shapes do not fit.
    Example:
        tf.contrib.constrained_optimization.find_best_candidate_index(
            np.array([2., 1.]), np.array([[-1., 1.]]))  # 0
    """
    objectives, constraints = _checked(objective_vector, constraints_matrix)
    count = len(objectives)
    ranks = [rankdata(np.maximum(row, 0.0), method="min") for row in constraints]
    if rank_objectives:
        ranks.append(rankdata(objectives, method="min"))
    greatest = np.max(ranks, axis=0) if ranks else np.zeros(count)
    return int(np.lexsort([objectives, greatest])[0])
