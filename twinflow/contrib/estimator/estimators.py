"""The canned Estimators with any head."""

from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.estimator.canned import baseline, dnn, dnn_linear_combined, linear
from twinflow.estimator.estimator import Estimator
from twinflow.ops.nn.activation import relu


class BaselineEstimator(Estimator):
    """Predicts what the labels alone say, with any head.

    Args:
        head: see tf.contrib.estimator.multi_class_head and its sisters.
        model_dir, optimizer, config: see tf.estimator.BaselineClassifier.
    Example:
        head = tf.contrib.estimator.multi_label_head(3)
        estimator = tf.contrib.estimator.BaselineEstimator(head)
        data = {"x": [[1.0]]}, [[1, 0, 1]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, head: Any, model_dir: Path | None = None, optimizer: Any = "Ftrl",
        config: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(baseline.model_fn_of(head, optimizer), model_dir, config)


class LinearEstimator(Estimator):
    """A linear model with any head.

    Args:
        head: see tf.contrib.estimator.multi_class_head and its sisters.
        feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner:
            see tf.estimator.LinearClassifier.
    Example:
        x = tf.feature_column.numeric_column("x")
        head = tf.contrib.estimator.poisson_regression_head()
        estimator = tf.contrib.estimator.LinearEstimator(head, [x])
        data = {"x": [[1.0]]}, [[2.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Path | None = None,
        optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None,
        sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        model_fn = linear.model_fn_of(
            head, feature_columns, optimizer, partitioner, sparse_combiner
        )
        super().__init__(model_fn, model_dir, config)


class DNNEstimator(Estimator):
    """Hidden layers with any head.

    Args:
        head: see tf.contrib.estimator.multi_class_head and its sisters.
        hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
        input_layer_partitioner, config, warm_start_from, batch_norm: see
            tf.estimator.DNNClassifier.
    Example:
        x = tf.feature_column.numeric_column("x")
        head = tf.contrib.estimator.multi_label_head(2)
        estimator = tf.contrib.estimator.DNNEstimator(head, [3], [x])
        data = {"x": [[1.0]]}, [[1, 0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any,
        model_dir: Path | None = None, optimizer: Any = "Adagrad",
        activation_fn: Callable[..., Any] = relu, dropout: float | None = None,
        input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        model_fn = dnn.model_fn_of(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedEstimator(Estimator):
    """A linear model and hidden layers with any head.

    Args:
        head: see tf.contrib.estimator.multi_class_head and its sisters.
        model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns,
        dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
        input_layer_partitioner, config, linear_sparse_combiner: see
            tf.estimator.DNNLinearCombinedClassifier.
    Raises:
        ValueError: there are no columns.
    Example:
        x = tf.feature_column.numeric_column("x")
        estimator = tf.contrib.estimator.DNNLinearCombinedEstimator(
            tf.contrib.estimator.regression_head(), linear_feature_columns=[x],
            dnn_feature_columns=[x], dnn_hidden_units=[3])
        data = {"x": [[1.0]]}, [[2.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, head: Any, model_dir: Path | None = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None, dnn_activation_fn: Callable[..., Any] = relu,
        dnn_dropout: float | None = None, input_layer_partitioner: Any = None,
        config: Any = None, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        model_fn = dnn_linear_combined.model_fn_of(
            head, linear_feature_columns, linear_optimizer, dnn_feature_columns,
            dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
            input_layer_partitioner, False, linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config)
