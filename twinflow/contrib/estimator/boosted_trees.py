"""Boosted trees that train in memory, and those with any head."""

from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.data.dataset import Dataset
from twinflow.estimator.canned.binary_head import BinaryHead
from twinflow.estimator.canned.multi_class_head import MultiClassHead
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.trees import estimators
from twinflow.estimator.trees.growers import TreeHParams


def is_classification_head(head):
    """Whether a head is one of classes."""
    return isinstance(head, BinaryHead | MultiClassHead)


class BoostedTreesEstimator(estimators.BoostedTreesBase):
    """Gradient boosted trees with a head.

    Args:
        head: a Head of one logit.
        The others: see tf.estimator.BoostedTreesClassifier.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, head: Any,
        model_dir: Path | None = None, weight_column: Any = None, n_trees: int = 100,
        max_depth: int = 6, learning_rate: float = 0.1, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none",
    ) -> None:  # fmt: skip
        hparams = TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode,
        )  # fmt: skip
        super().__init__(
            estimators.model_fn_of(head, feature_columns, hparams, n_batches_per_layer),
            model_dir, config, feature_columns, head, center_bias,
            is_classification_head(head),
        )  # fmt: skip


def validate_input_fn_and_repeat_dataset(train_input_fn):
    """The input function; a Dataset that it gives is repeated for ever."""

    def input_fn():
        found = train_input_fn()
        return found.repeat() if isinstance(found, Dataset) else found

    return input_fn


def boosted_trees_classifier_train_in_memory(
    train_input_fn: Callable[..., Any], feature_columns: Any,
    model_dir: Path | None = None,
    n_classes: Any = estimators.HOLD_FOR_MULTI_CLASS_SUPPORT,
    weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100,
    max_depth: int = 6, learning_rate: float = 0.1, l1_regularization: float = 0.0,
    l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = "none",
) -> Estimator:  # fmt: skip
    """Train a classifier on one batch that is kept in memory.

    Args:
        train_input_fn: gives features and labels, or a Dataset of one batch.
        train_hooks: SessionRunHooks.
        The others: see tf.estimator.BoostedTreesClassifier.
    Returns:
        The Estimator, trained.
    Example:
        x = tf.feature_column.numeric_column("x")
        x = tf.feature_column.bucketized_column(x, [2.5])
        data = {"x": np.arange(4.0)[:, None]}, np.array([[0], [0], [0], [1]])
        estimator = tf.contrib.estimator.boosted_trees_classifier_train_in_memory(
            lambda: tf.data.Dataset.from_tensors(data), [x], n_trees=2, max_depth=1)
        found = estimator.predict(lambda: tf.data.Dataset.from_tensors(data[0]))
        [int(p["class_ids"][0]) for p in found]  # [0, 0, 0, 1]
    """
    if n_classes is estimators.HOLD_FOR_MULTI_CLASS_SUPPORT:
        n_classes = 2
    head, closed_form = estimators.create_classification_head_and_closed_form(
        n_classes, weight_column, label_vocabulary
    )
    hparams = TreeHParams(
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
        tree_complexity, min_node_weight, center_bias, pruning_mode,
    )  # fmt: skip
    model_fn = estimators.model_fn_of(
        head, feature_columns, hparams, closed_form=closed_form, memory=True
    )
    return _trained(model_fn, train_input_fn, model_dir, config, train_hooks)


def boosted_trees_regressor_train_in_memory(
    train_input_fn: Callable[..., Any], feature_columns: Any,
    model_dir: Path | None = None,
    label_dimension: Any = estimators.HOLD_FOR_MULTI_DIM_SUPPORT,
    weight_column: Any = None, n_trees: int = 100, max_depth: int = 6,
    learning_rate: float = 0.1, l1_regularization: float = 0.0,
    l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = "none",
) -> Estimator:  # fmt: skip
    """Train a regressor on one batch that is kept in memory.

    Args:
        train_input_fn, train_hooks: see `boosted_trees_classifier_train_in_memory`.
        The others: see tf.estimator.BoostedTreesRegressor.
    Returns:
        The Estimator, trained.
    Example:
        x = tf.feature_column.numeric_column("x")
        x = tf.feature_column.bucketized_column(x, [1.5])
        data = {"x": np.arange(4.0)[:, None]}, np.array([[1.], [1.], [3.], [3.]])
        estimator = tf.contrib.estimator.boosted_trees_regressor_train_in_memory(
            lambda: tf.data.Dataset.from_tensors(data), [x], n_trees=1, max_depth=1,
            learning_rate=1.0)
        found = estimator.predict(lambda: tf.data.Dataset.from_tensors(data[0]))
        [float(p["predictions"][0]) for p in found]  # [1.0, 1.0, 3.0, 3.0]
    """
    if label_dimension is estimators.HOLD_FOR_MULTI_DIM_SUPPORT:
        label_dimension = 1
    head = estimators.create_regression_head(label_dimension, weight_column)
    hparams = TreeHParams(
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
        tree_complexity, min_node_weight, center_bias, pruning_mode,
    )  # fmt: skip
    model_fn = estimators.model_fn_of(head, feature_columns, hparams, memory=True)
    return _trained(model_fn, train_input_fn, model_dir, config, train_hooks)


def _trained(model_fn, train_input_fn, model_dir, config, hooks):
    found = Estimator(model_fn=model_fn, model_dir=model_dir, config=config)
    input_fn = validate_input_fn_and_repeat_dataset(train_input_fn)
    found.train(input_fn=input_fn, hooks=hooks)
    return found
