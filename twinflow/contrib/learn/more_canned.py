"""Further Estimators of tf.contrib.learn: a combined model, k-means, own models."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.contrib.factorization import kmeans
from twinflow.contrib.factorization.initial_clusters import (
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
)
from twinflow.contrib.factorization.kmeans_clustering import _points, _Start, _Stop
from twinflow.contrib.learn import class_heads, column_models
from twinflow.contrib.learn.canned import _Columned, _combined
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.keys import MetricKey, ModeKeys, PredictionKey
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.scopes import control_dependencies
from twinflow.metrics.means import mean
from twinflow.ops.core.constant import identity
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.activation import relu
from twinflow.ops.variables.state import assign_add
from twinflow.train.training_util import get_global_step

_NOT_HERE = (MetricKey.ACCURACY, MetricKey.AUC_PR)


class DNNLinearCombinedEstimator(_Columned):
    """A linear model and hidden layers below a head.

    Args:
        head: a Head.
        linear_feature_columns, dnn_feature_columns: of tf.contrib.layers or
            tf.feature_column. linear_optimizer, dnn_optimizer: Optimizers.
        dnn_hidden_units: the sizes of the layers. dnn_activation_fn: of them.
        dnn_dropout: which part is left out in training.
        gradient_clip_norm: the largest norm of all gradients.
        fix_global_step_increment_bug: count each step once, not once a part.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_partitioner: accepted.
        model_dir, config, feature_engineering_fn: see Estimator.
    Raises:
        ValueError: it has no part, or columns of hidden layers without layers.
    """

    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None, dnn_activation_fn: Any = None,
        dnn_dropout: Any = None, gradient_clip_norm: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:  # fmt: skip
        settings = _combined(
            linear_feature_columns, dnn_feature_columns, dnn_hidden_units,
            {
                "linear_optimizer": linear_optimizer, "dnn_optimizer": dnn_optimizer,
                "activation_fn": dnn_activation_fn or relu, "dropout": dnn_dropout,
                "gradient_clip_norm": gradient_clip_norm,
                "once": fix_global_step_increment_bug,
                "multipliers": embedding_lr_multipliers,
            },
        )  # fmt: skip
        super().__init__(
            column_models.combined_model, head, model_dir, config,
            feature_engineering_fn, **settings,
        )  # fmt: skip


def LogisticRegressor(
    model_fn: Callable[..., Any], thresholds: Any = None, model_dir: Any = None,
    config: Any = None, feature_engineering_fn: Any = None,
) -> Estimator:  # fmt: skip
    """An Estimator with the metrics of two classes for a model of one's own.

    Args:
        model_fn: (features, labels, mode) -> (probabilities float32[n, 1], loss,
            train op).
        thresholds: of the metrics. model_dir, config, feature_engineering_fn: see
            Estimator.
    """
    head = class_heads._BinaryHead(None, None, False, "head", thresholds=thresholds)

    def ops(features: Any, labels: Any, mode: str, params: Any = None) -> ModelFnOps:
        del params
        probabilities, loss, train = model_fn(features, labels, mode)
        found = {PredictionKey.LOGISTIC: probabilities}
        metrics = None
        if mode == ModeKeys.EVAL:
            metrics = head.metrics(labels, found, None)
            metrics = {k: v for k, v in metrics.items() if k not in _NOT_HERE}
        return ModelFnOps(mode, {"predictions": probabilities, **found}, loss, train,
                          metrics)  # fmt: skip

    return Estimator(ops, model_dir, config, None, feature_engineering_fn)


class KMeansClustering(Estimator):
    """Clusters of points, as an Estimator of tf.contrib.learn.

    Args:
        num_clusters: how many. model_dir: where to save. config: a RunConfig.
        initial_clusters, distance_metric, random_seed, use_mini_batch,
        mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries,
        relative_tolerance: see tf.contrib.factorization.KMeansClustering.
    Raises:
        ValueError: another metric or way to begin.
    """

    SQUARED_EUCLIDEAN_DISTANCE = kmeans.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = kmeans.COSINE_DISTANCE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = RANDOM_INIT, KMEANS_PLUS_PLUS_INIT
    SCORES, CLUSTER_IDX, CLUSTERS = "scores", "cluster_idx", "clusters"
    ALL_SCORES, LOSS_OP_NAME = "all_scores", "kmeans_loss"

    def __init__(
        self, num_clusters: int, model_dir: Any = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = kmeans.SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None,
        config: Any = None,
    ) -> None:  # fmt: skip
        kmeans.check_choices(initial_clusters, distance_metric)
        options = (
            num_clusters, initial_clusters, distance_metric, use_mini_batch,
            mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
        )  # fmt: skip

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            del labels
            graph = kmeans.KMeans(_points(features, None), *options).training_graph()
            return self._ops(mode, config, relative_tolerance, *graph)

        super().__init__(model_fn, model_dir, config)

    def _ops(
        self, mode, config, tolerance, everything, places, scores, ready, start, train
    ):
        loss = reduce_sum(scores[0], name=self.LOSS_OP_NAME)
        with control_dependencies([train]):
            step = assign_add(get_global_step(), 1)
        with control_dependencies([step]):
            train = identity(loss, name="training_op").op
        hooks: list = [_Start(start, ready, config.is_chief)]
        if tolerance is not None:
            hooks.append(_Stop(loss, tolerance))
        found = {self.ALL_SCORES: everything[0], self.CLUSTER_IDX: places[0]}
        return ModelFnOps(mode, found, loss, train, {self.SCORES: mean(loss)},
                          training_hooks=hooks)  # fmt: skip

    def predict_cluster_idx(self, input_fn: Any = None) -> Iterator[Any]:
        """The number of the nearest cluster of each point, one after the other."""
        for found in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield found[self.CLUSTER_IDX]

    def score(self, input_fn: Any = None, steps: Any = None) -> float:
        """The sum of the distances of the points from their centers."""
        found = self.evaluate(input_fn=input_fn, steps=steps)
        return np.sum(found[self.SCORES])

    def transform(self, input_fn: Any = None, as_iterable: bool = False) -> Any:
        """The distances of each point from all centers; squared ones if Euclidean."""
        found = self.predict(
            input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable
        )
        if not as_iterable:
            return found[self.ALL_SCORES]
        return (row[self.ALL_SCORES] for row in found)

    def clusters(self) -> np.ndarray:
        """float32[k, d]: the centers."""
        return self.get_variable_value(self.CLUSTERS)
