"""Estimators of boosted trees."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.estimator.canned.binary_head import BinaryHead
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.canned.shapes import (
    check_dense_labels_match_logits_and_reshape,
)
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.trees import contributions, model
from twinflow.estimator.trees.features import (
    calculate_num_features,
    generate_feature_name_mapping,
)
from twinflow.estimator.trees.growers import TreeHParams
from twinflow.formats import tree_protos
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import cast
from twinflow.ops.core.exponential import exp
from twinflow.ops.core.size import size

# The number of classes and of labels may grow later: the defaults are no numbers.
HOLD_FOR_MULTI_CLASS_SUPPORT = object()
HOLD_FOR_MULTI_DIM_SUPPORT = object()

_SERIALIZED = "boosted_trees:0_serialized"


def create_classification_head(n_classes, weight_column=None, label_vocabulary=None):
    """The head of a classifier.

    Raises:
        ValueError: there are more than two classes.
    """
    if n_classes != 2:
        raise ValueError(
            "For now only binary classification is supported."
            f"n_classes given as {n_classes}"
        )
    return BinaryHead(
        weight_column, label_vocabulary=label_vocabulary,
        loss_reduction=Reduction.SUM_OVER_BATCH_SIZE,
    )  # fmt: skip


def create_classification_head_and_closed_form(
    n_classes, weight_column, label_vocabulary
):
    """(the head of a classifier, a function for its gradients and hessians or None)"""
    head = create_classification_head(n_classes, weight_column, label_vocabulary)
    plain = weight_column is None and label_vocabulary is None
    return head, _grad_and_hess_for_logloss if plain else None


def _grad_and_hess_for_logloss(logits, labels):
    """The slopes of the mean logistic loss, written down."""
    predictions = 1.0 / (1.0 + exp(-logits))
    share = 1.0 / cast(size(logits), dtypes.float32)
    labels = cast(
        check_dense_labels_match_logits_and_reshape(labels, logits, 1), dtypes.float32
    )
    gradients = (predictions - labels) * share
    hessians = predictions * (1.0 - predictions) * share
    return gradients, hessians


def create_regression_head(label_dimension, weight_column=None):
    """The head of a regressor.

    Raises:
        ValueError: labels have more than one number.
    """
    if label_dimension != 1:
        raise ValueError(
            "For now only 1 dimension regression is supported."
            f"label_dimension given as {label_dimension}"
        )
    return RegressionHead(
        label_dimension, weight_column, loss_reduction=Reduction.SUM_OVER_BATCH_SIZE
    )


def model_fn_of(head, columns, hparams, n_batches=1, closed_form=None, memory=False):
    """The model function of trees; see `model.bt_model_fn`."""

    def model_fn(features, labels, mode, config):
        return model.bt_model_fn(
            features, labels, mode, head, columns, hparams, n_batches, config,
            closed_form_grad_and_hess_fn=closed_form, train_in_memory=memory,
        )  # fmt: skip

    return model_fn


class BoostedTreesBase(Estimator):
    """What Estimators of boosted trees have.

    Args:
        model_fn, model_dir, config: see Estimator. feature_columns: the columns.
        head: a Head. center_bias: whether the trees have a bias.
        is_classification: whether predictions are probabilities.
    """

    def __init__(
        self, model_fn: Any, model_dir: Path | None, config: Any, feature_columns: Any,
        head: Any, center_bias: bool, is_classification: bool,
    ) -> None:  # fmt: skip
        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)
        self._sorted_feature_columns = sorted(feature_columns, key=lambda c: c.name)
        self._head = head
        self._n_features = calculate_num_features(self._sorted_feature_columns)
        self._names_for_feature_id = np.array(
            generate_feature_name_mapping(self._sorted_feature_columns)
        )
        self._center_bias = center_bias
        self._is_classification = is_classification

    def experimental_feature_importances(
        self, normalize: bool = False
    ) -> tuple[Any, ...]:
        """How much the splits by each feature gain, the most important one first.

        Args:
            normalize: whether the sum is to be 1.
        Returns:
            (the names of the features, float64[features])
        Raises:
            ValueError: there is no checkpoint.
            AssertionError: gains that are to be normalized are negative or all 0.
        """
        serialized = load_checkpoint(self._model_dir).get_tensor(_SERIALIZED)
        ensemble = tree_protos.TreeEnsemble.FromString(serialized)
        order, found = contributions.compute_feature_importances(
            ensemble, self._n_features, normalize
        )
        return self._names_for_feature_id[order], found

    def experimental_predict_with_explanations(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None,
    ) -> Iterator[dict[Any, Any]]:  # fmt: skip
        """Predictions, with what each feature adds to them.

        Args: see Estimator.predict.
        Yields:
            dict, as `predict` does, with "bias" and "dfc": {feature: its part}.
        Raises:
            ValueError: the trees were made without `center_bias`.
        """
        if not self._center_bias:
            raise ValueError(
                "center_bias must be enabled during estimator instantiation when using "
                "experimental_predict_with_explanations."
            )
        key = contributions.DEBUG_PROTO_KEY
        keys = predict_keys and [*predict_keys, key]
        explaining = Estimator(self._explain, self._model_dir, self._config)
        for found in explaining.predict(input_fn, keys, hooks, checkpoint_path):
            bias, parts = contributions.parse_explanations_from_prediction(
                found.pop(key), self._n_features, self._is_classification
            )
            yield {**found, "bias": bias, "dfc": parts}

    def _explain(self, features, mode):
        return model.bt_explanations_fn(
            features, self._head, self._sorted_feature_columns
        )


class BoostedTreesClassifier(BoostedTreesBase):
    """Gradient boosted trees that tell two classes apart.

    Args:
        feature_columns: bucketized and indicator columns.
        n_batches_per_layer: how many batches a layer of a tree is grown of; so many as
            the data has, to see all of it.
        model_dir: the folder. n_classes: 2.
        weight_column: the name of a feature, or a numeric column: weights of examples.
        label_vocabulary: the names of the classes, if labels are strings.
        n_trees, max_depth: how many trees, of how many layers.
        learning_rate: by which each tree's part shrinks.
        l1_regularization, l2_regularization: of the leaves.
        tree_complexity: what a split costs. min_node_weight: the least sum of hessians
            of a node that is split. config: a RunConfig.
        center_bias: whether the first tree starts from the mean of the labels.
        pruning_mode: "none", "pre" or "post": when splits that gain nothing are undone.
    Raises:
        ValueError: a column is of another kind, or there are more classes.
    Example:
        x = tf.feature_column.numeric_column("x")
        x = tf.feature_column.bucketized_column(x, [2.5])
        estimator = tf.estimator.BoostedTreesClassifier([x], 1, n_trees=1, max_depth=1)
        data = {"x": np.arange(4.0)[:, None]}, np.array([[0], [0], [0], [1]])
        estimator.train(lambda: tf.data.Dataset.from_tensors(data))
        estimator.experimental_feature_importances()[0]  # ['x_bucketized']
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int,
        model_dir: Path | None = None, n_classes: Any = HOLD_FOR_MULTI_CLASS_SUPPORT,
        weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100,
        max_depth: int = 6, learning_rate: float = 0.1, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none",
    ) -> None:  # fmt: skip
        if n_classes is HOLD_FOR_MULTI_CLASS_SUPPORT:
            n_classes = 2
        head, closed_form = create_classification_head_and_closed_form(
            n_classes, weight_column, label_vocabulary
        )
        hparams = TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode,
        )  # fmt: skip
        super().__init__(
            model_fn_of(
                head, feature_columns, hparams, n_batches_per_layer, closed_form
            ),
            model_dir, config, feature_columns, head, center_bias, True,
        )  # fmt: skip


class BoostedTreesRegressor(BoostedTreesBase):
    """Gradient boosted trees that predict a number.

    Args:
        label_dimension: 1. The others: see BoostedTreesClassifier.
    Raises:
        ValueError: a column is of another kind, or labels have more numbers.
    Example:
        x = tf.feature_column.numeric_column("x")
        x = tf.feature_column.bucketized_column(x, [1.5])
        estimator = tf.estimator.BoostedTreesRegressor(
            [x], 1, n_trees=1, max_depth=1, learning_rate=1.0)
        data = {"x": np.arange(4.0)[:, None]}, np.array([[1.], [1.], [3.], [3.]])
        estimator.train(lambda: tf.data.Dataset.from_tensors(data))
        found = estimator.predict(lambda: tf.data.Dataset.from_tensors(data[0]))
        [float(p["predictions"][0]) for p in found]  # [1.0, 1.0, 3.0, 3.0]
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int,
        model_dir: Path | None = None,
        label_dimension: Any = HOLD_FOR_MULTI_DIM_SUPPORT, weight_column: Any = None,
        n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
        center_bias: bool = False, pruning_mode: str = "none",
    ) -> None:  # fmt: skip
        if label_dimension is HOLD_FOR_MULTI_DIM_SUPPORT:
            label_dimension = 1
        head = create_regression_head(label_dimension, weight_column)
        hparams = TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode,
        )  # fmt: skip
        super().__init__(
            model_fn_of(head, feature_columns, hparams, n_batches_per_layer),
            model_dir, config, feature_columns, head, center_bias, False,
        )  # fmt: skip
