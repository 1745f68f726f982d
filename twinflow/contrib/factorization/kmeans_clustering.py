"""KMeansClustering: k-means as an Estimator."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.base.annotations import Path
from twinflow.contrib.factorization import kmeans
from twinflow.contrib.factorization.initial_clusters import (
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
)
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import EstimatorSpec
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.feature_column.layers import input_layer
from twinflow.graph.scopes import control_dependencies
from twinflow.metrics.means import mean
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.state import assign_add
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook
from twinflow.train.training_util import get_global_step

_TRIES = 100  # batches that may be needed for the first centers


class _Start(SessionRunHook):
    """Choose the first centers."""

    def __init__(self, init_op: Any, ready: Any, is_chief: bool) -> None:
        self.init_op, self.ready, self.is_chief = init_op, ready, is_chief

    def after_create_session(self, session: Any, coord: Any) -> None:
        if session.run(self.ready) or not self.is_chief:
            return
        for _ in range(_TRIES):
            session.run(self.init_op)
            if session.run(self.ready):
                return
        raise ValueError(f"No {_TRIES} batches had enough points for all centers.")


class _Stop(SessionRunHook):
    """Stop when the loss changes little."""

    def __init__(self, loss: Any, tolerance: float) -> None:
        self.loss, self.tolerance, self.before = loss, tolerance, None

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self.loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss, before = run_values.results, self.before
        if before is not None:
            change = abs(loss - before) / (1 + abs(before))
            if change < self.tolerance:
                run_context.request_stop()
        self.before = loss


class KMeansClustering(Estimator):
    """Clusters of points: an Estimator of `tf.contrib.factorization.KMeans`.

    Args:
        num_clusters: how many. model_dir: where to save.
        initial_clusters, distance_metric, random_seed, use_mini_batch,
        mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries: see KMeans.
        relative_tolerance: stop when the loss changes by less than this part of it.
        config: a RunConfig. feature_columns: columns of the points, where an input_fn
            gives a dict; by default its tensors, side by side in the order of names.
    Raises:
        ValueError: another metric or way to begin.
    Example:
        points = np.float32([[0., 0.], [0., 1.], [9., 9.], [9., 8.]])
        kmeans = tf.contrib.factorization.KMeansClustering(2, use_mini_batch=False)
        def all_points():
            return tf.train.limit_epochs(tf.constant(points), num_epochs=1)
        kmeans.train(all_points)
    """

    SQUARED_EUCLIDEAN_DISTANCE = kmeans.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = kmeans.COSINE_DISTANCE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = RANDOM_INIT, KMEANS_PLUS_PLUS_INIT
    KMC2_INIT = KMC2_INIT
    SCORE, CLUSTER_INDEX, ALL_DISTANCES = "score", "cluster_index", "all_distances"
    CLUSTER_CENTERS_VAR_NAME = kmeans.CLUSTERS_VAR_NAME

    def __init__(
        self, num_clusters: int, model_dir: Path | None = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = kmeans.SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None,
        config: Any = None, feature_columns: Any = None,
    ) -> None:  # fmt: skip
        options = (
            num_clusters, initial_clusters, distance_metric, use_mini_batch,
            mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
        )  # fmt: skip

        def model_fn(features: Any, mode: str, config: Any) -> EstimatorSpec:
            points = _points(features, feature_columns)
            return _spec(kmeans.KMeans(points, *options), mode, config,
                         relative_tolerance)  # fmt: skip

        kmeans.check_choices(initial_clusters, distance_metric)
        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """The number of the nearest cluster of each point, one after the other."""
        for found in self.predict(input_fn, predict_keys=[self.CLUSTER_INDEX]):
            yield found[self.CLUSTER_INDEX]

    def score(self, input_fn: Callable[..., Any]) -> float:
        """The sum of the distances of the points of one batch from their centers."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """The distances of each point from all centers, one point after the other.

        Those of "squared_euclidean" are squared.
        """
        for found in self.predict(input_fn, predict_keys=[self.ALL_DISTANCES]):
            yield found[self.ALL_DISTANCES]

    def cluster_centers(self) -> np.ndarray:
        """float32[k, d]: the centers."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


def _points(features: Any, columns: Any) -> Any:
    """float32[n, d] of what an input_fn gives."""
    if columns is not None:
        return input_layer(features, columns)
    if isinstance(features, dict):
        return concat([features[k] for k in sorted(features)], 1)
    return convert_to_tensor(features)


def _spec(model: kmeans.KMeans, mode: str, config: Any, tolerance: Any) -> Any:
    everything, places, scores, ready, start, train = model.training_graph()
    loss = reduce_sum(scores[0])
    with control_dependencies([train]):
        step = assign_add(get_global_step(), 1)
    with control_dependencies([step]):
        train = identity(loss, name="training_op").op
    hooks: list = [_Start(start, ready, config.is_chief)]
    if tolerance is not None:
        hooks.append(_Stop(loss, tolerance))
    distances, index = everything[0], places[0]
    names = KMeansClustering
    return EstimatorSpec(
        mode=mode, loss=loss, train_op=train, training_hooks=hooks,
        predictions={names.ALL_DISTANCES: distances, names.CLUSTER_INDEX: index},
        eval_metric_ops={names.SCORE: mean(loss)},
        export_outputs={
            DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(index),
            names.ALL_DISTANCES: PredictOutput(distances),
            names.CLUSTER_INDEX: PredictOutput(index),
        },
    )  # fmt: skip
