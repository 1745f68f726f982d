"""Mixtures of normal distributions, fitted by expectation and maximization."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import fill
from twinflow.ops.core.elementwise import add_n, exp, log
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.math.positions import argmax
from twinflow.ops.matrix.cholesky import cholesky
from twinflow.ops.matrix.diagonal import eye, matrix_diag_part
from twinflow.ops.matrix.solve import matrix_triangular_solve
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign

FULL_COVARIANCE, DIAG_COVARIANCE = "full", "diag"
_LEAST = 1e-3  # what is added to variances


class GmmAlgorithm:
    """The graph of a mixture of normal distributions.

    A point belongs to class k with probability w_k ~ alpha_k N(x; mean_k,
    covariance_k); a step sets each class to the shares, means and covariances of the
    points so weighted.

    Args:
        data: a list of tensors, float32[n, d]. num_classes: how many.
        initial_means: float32[classes, d]; points by chance if None.
        params: what is trained, letters of "wmc": shares, means, covariances.
        covariance_type: "full" or "diag". random_seed: of the first means.
    Raises:
        ValueError: another kind of covariance.
    Reference: Bishop: Pattern recognition and machine learning (2006), 9.2.
    """

    CLUSTERS_WEIGHT = "alphas"
    CLUSTERS_VARIABLE = "clusters"
    CLUSTERS_COVS_VARIABLE = "clusters_covs"

    def __init__(
        self, data: list[Any], num_classes: int, initial_means: Any = None,
        params: str = "wmc", covariance_type: str = FULL_COVARIANCE,
        random_seed: int = 0,
    ) -> None:  # fmt: skip
        if covariance_type not in (FULL_COVARIANCE, DIAG_COVARIANCE):
            raise ValueError(
                f"covariance_type: expected 'full' or 'diag', got {covariance_type!r}."
            )
        self._params, self._full = params, covariance_type == FULL_COVARIANCE
        self._num_classes, self._seed = num_classes, random_seed
        self._data = [convert_to_tensor(x) for x in data]
        self._size = self._data[0].shape[1].value
        self._create_variables()
        self._initialize_variables(self._data, initial_means)
        self._define_graph(self._data)

    def _create_variables(self):
        def unknown(name: str) -> Any:
            return Variable(
                np.float32([]), trainable=False, name=name, validate_shape=False
            )

        self._means = unknown(self.CLUSTERS_VARIABLE)
        self._covs = unknown(self.CLUSTERS_COVS_VARIABLE)
        share = fill([self._num_classes], 1.0 / self._num_classes)
        self._alpha = Variable(share, trainable=False, name=self.CLUSTERS_WEIGHT)
        self._ready = Variable(False, trainable=False, name="initialized")

    def _initialize_variables(self, data, initial_means=None):
        """The op that sets means and covariances, once."""
        first, classes = data[0], self._num_classes
        if initial_means is None:
            count = shape(first)[0]
            at = random_uniform(
                [classes], 0, count, seed=self._seed, dtype=dtypes.int32
            )
            initial_means = gather(first, at)
        means = expand_dims(cast(convert_to_tensor(initial_means), dtypes.float32), 1)
        centered = first - reduce_mean(first, 0, keepdims=True)
        below = cast(shape(first)[0] - 1, dtypes.float32)
        cov = matmul(centered, centered, transpose_a=True) / below + _LEAST * eye(
            self._size
        )
        if not self._full:
            cov = matrix_diag_part(cov)
        covs = tile(expand_dims(cov, 0), [classes, *[1] * cov.shape.ndims])

        def start() -> Any:
            made = [
                assign(self._means, means, validate_shape=False),
                assign(self._covs, covs, validate_shape=False),
            ]
            with control_dependencies(made):
                return group(assign(self._ready, True))

        self._init_op = cond(logical_not(self._ready), start, no_op).op

    # ------------------------------------------------------------------ the graph
    def _define_graph(self, data):
        means, covs = self._known()
        logs = [self._log_probs(x, means, covs) for x in data]
        self._scores = [reduce_logsumexp(p, 1, keepdims=True) for p in logs]
        weights = [exp(p - s) for p, s in zip(logs, self._scores)]
        self._assignments = [argmax(w, 1) for w in weights]
        points = [self._sums(x, w) for x, w in zip(data, weights)]
        self._train_op = self._maximize(*(add_n(parts) for parts in zip(*points)))
        each = stack([reduce_logsumexp(s) for s in self._scores])
        self._log_likelihood = reduce_logsumexp(each)

    def _known(self):
        """The means and covariances with their shapes."""
        k, d = self._num_classes, self._size
        means, covs = self._means.value(), self._covs.value()
        means.set_shape([k, 1, d])
        covs.set_shape([k, d, d] if self._full else [k, d])
        return means, covs

    def _log_probs(self, x, means, covs):
        """float32[n, classes]: the log of alpha_k N(x; ...)."""
        apart = expand_dims(x, 0) - means  # [classes, n, d]
        if self._full:
            factor = cholesky(covs + _LEAST * eye(self._size))
            scaled = matrix_triangular_solve(factor, matrix_transpose(apart))
            far = reduce_sum(scaled * scaled, 1)
            spread = 2 * reduce_sum(log(matrix_diag_part(factor)), 1)
        else:
            variances = covs + _LEAST
            far = reduce_sum(apart * apart / expand_dims(variances, 1), 2)
            spread = reduce_sum(log(variances), 1)
        norm = spread + self._size * math.log(2 * math.pi)
        found = -0.5 * (far + expand_dims(norm, 1)) + expand_dims(log(self._alpha), 1)
        return matrix_transpose(found)

    def _sums(self, x, w):
        """How many points classes have, and the sums of points and their products."""
        if self._full:
            weighted = expand_dims(matrix_transpose(w), 2) * expand_dims(x, 0)
            both = matmul(weighted, _each_class(x, self._num_classes), transpose_a=True)
        else:
            both = matmul(w, x * x, transpose_a=True)
        return reduce_sum(w, 0), matmul(w, x, transpose_a=True), both

    def _maximize(self, count, points, products):
        ops = []
        if "w" in self._params:
            ops.append(assign(self._alpha, count / reduce_sum(count)).op)
        column = expand_dims(count, 1)
        means = points / column
        if "m" in self._params:
            new = expand_dims(means, 1)
            ops.append(assign(self._means, new, validate_shape=False).op)
        if "c" in self._params:
            if self._full:
                own = expand_dims(means, 2) * expand_dims(means, 1)
                new = products / expand_dims(column, 2) - own + _LEAST * eye(self._size)
            else:
                new = products / column - means * means + _LEAST
            ops.append(assign(self._covs, new, validate_shape=False).op)
        return ops

    # ------------------------------------------------------------------ results
    def init_ops(self) -> Any:
        """The op that chooses means and covariances, the first time it is run."""
        return self._init_op

    def training_ops(self) -> Any:
        """The ops of a step, a list."""
        return self._train_op

    def is_initialized(self) -> Any:
        """The bool variable that says whether `init_ops` was run."""
        return self._ready

    def alphas(self) -> Any:
        """The variable float32[classes] of the shares."""
        return self._alpha

    def clusters(self) -> Any:
        """The variable float32[classes, 1, d] of the means."""
        return self._means

    def covariances(self) -> Any:
        """The variable of the covariances, float32[classes, d, d] or [classes, d]."""
        return self._covs

    def assignments(self) -> list[Any]:
        """For each tensor of points int64[n], the likeliest class."""
        return self._assignments

    def scores(self) -> Tensor:
        """float32[all points, 1], log p(x)."""
        return concat(self._scores, 0)

    def log_likelihood_op(self) -> Tensor:
        """float32[], log sum_x p(x)."""
        return self._log_likelihood


def _each_class(x: Tensor, count: int) -> Tensor:
    """[count, ...], the same each time."""
    return tile(expand_dims(x, 0), [count, *[1] * x.shape.ndims])


def gmm(
    inp: Any, initial_clusters: Any, num_clusters: int, random_seed: int,
    covariance_type: str = FULL_COVARIANCE, params: str = "wmc",
) -> tuple[Any, ...]:  # fmt: skip
    """The graph of a mixture of normal distributions.

    Args:
        inp: float32[n, d], or a list of such.
        initial_clusters: float32[clusters, d], the first means, or "random".
        num_clusters: how many. random_seed: of the first means.
        covariance_type: "full" or "diag".
        params: what is trained, letters of "wmc": shares, means, covariances.
    Returns:
        float32[], log sum_x p(x).
        float32[points, 1], log p(x) of each point.
        a list of int64[n], the likeliest classes.
        the op of a step, the op that comes first, and the bool variable that says
        whether it was run.
    Example:
        points = tf.constant([[0., 0.], [0., 1.], [9., 9.], [9., 8.]])
        first = [[0., 0.], [9., 9.]]
        likelihood, scores, classes, step, init, _ = tf.contrib.factorization.gmm(
            points, first, 2, 0, covariance_type="diag")
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(init)
        sess.run(step)
    """
    random = isinstance(initial_clusters, str) and initial_clusters == "random"
    found = GmmAlgorithm(
        inp if isinstance(inp, list) else [inp], num_clusters,
        None if random else initial_clusters, params, covariance_type, random_seed,
    )  # fmt: skip
    return (
        found.log_likelihood_op(), found.scores(), found.assignments(),
        group(*found.training_ops()), found.init_ops(), found.is_initialized(),
    )  # fmt: skip
