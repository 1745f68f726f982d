"""Mixtures of normal distributions as an Estimator of tf.contrib.learn."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.base.annotations import Path
from twinflow.contrib.factorization.gmm_algorithm import GmmAlgorithm, gmm
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign_add
from twinflow.summary import summaries
from twinflow.train.session_run_hook import SessionRunHook
from twinflow.train.training_util import get_global_step


class _InitializeClustersHook(SessionRunHook):
    """Chooses the first means; other workers wait for them."""

    def __init__(self, init_op: Any, is_initialized_op: Any, is_chief: bool) -> None:
        self._init, self._ready = init_op, is_initialized_op
        self._is_chief = is_chief

    def after_create_session(self, session: Any, _: Any) -> None:
        while not session.run(self._ready):
            if self._is_chief:
                session.run(self._init)


class GMM(Estimator):
    """A mixture of normal distributions: an Estimator of
    `tf.contrib.factorization.gmm`.

    Args:
        num_clusters: how many. model_dir: where to save.
        random_seed, params, initial_clusters, covariance_type: see gmm.
        config: a RunConfig.
    Example:
        points = np.float32([[0., 0.], [0., 1.], [9., 9.], [9., 8.]])
        model = tf.contrib.factorization.GMM(
            2, initial_clusters=points[1:3], model_dir="./mixture")
        def all_points():
            return tf.constant(points), None
        model = model.fit(input_fn=all_points, steps=5)
        list(model.predict_assignments(input_fn=all_points))  # [0, 0, 1, 1]
    """

    SCORES, LOG_LIKELIHOOD, ASSIGNMENTS = "scores", "loss", "assignments"

    def __init__(
        self, num_clusters: int, model_dir: Path | None = None, random_seed: int = 0,
        params: str = "wmc", initial_clusters: Any = "random",
        covariance_type: str = "full", config: Any = None,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            if labels is not None:
                raise ValueError(f"labels: expected None, got {labels!r}.")
            found = gmm(
                _points(features), initial_clusters, num_clusters, random_seed,
                covariance_type, params,
            )  # fmt: skip
            return _ops(mode, config, *found)

        super().__init__(model_fn, model_dir, config)

    def predict_assignments(
        self, input_fn: Any = None, batch_size: Any = None, outputs: Any = None
    ) -> Iterator[Any]:
        """The likeliest cluster of each point, one after the other."""
        for found in self.predict(input_fn=input_fn, batch_size=batch_size,
                                  outputs=outputs):  # fmt: skip
            yield found[self.ASSIGNMENTS]

    def score(
        self, input_fn: Callable[..., Any] | None = None, batch_size: Any = None,
        steps: Any = None,
    ) -> float:  # fmt: skip
        """The sum over batches of log sum_x p(x)."""
        found = self.evaluate(input_fn=input_fn, batch_size=batch_size, steps=steps)
        return np.sum(found[self.LOG_LIKELIHOOD])

    def weights(self) -> np.ndarray:
        """float32[clusters], their shares."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_WEIGHT)

    def clusters(self) -> np.ndarray:
        """float32[clusters, d], their means."""
        found = self.get_variable_value(GmmAlgorithm.CLUSTERS_VARIABLE)
        return np.squeeze(found, 1)

    def covariances(self) -> np.ndarray:
        """float32[clusters, d, d] or, of "diag", [clusters, d]."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_COVS_VARIABLE)


def _points(features):
    if isinstance(features, dict):
        return concat([features[k] for k in sorted(features)], 1)
    return convert_to_tensor(features)


def _summed(value):
    """A metric: the sum over batches."""
    total = Variable(
        0.0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], name="total"
    )
    return total, assign_add(total, reduce_sum(value))


def _ops(mode, config, likelihood, scores, assignments, step, init, ready):
    summaries.scalar("loss/raw", likelihood)
    with control_dependencies([step]):
        counted = assign_add(get_global_step(), 1)
    with control_dependencies([counted]):
        train = identity(likelihood, name="training_op").op
    return ModelFnOps(
        mode, {GMM.ASSIGNMENTS: assignments[0]}, likelihood, group(train),
        {GMM.SCORES: _rows(scores), GMM.LOG_LIKELIHOOD: _summed(likelihood)},
        training_hooks=[_InitializeClustersHook(init, ready, config.is_chief)],
    )  # fmt: skip


def _rows(scores):
    """A metric: the scores of the last batch."""
    return scores, scores
