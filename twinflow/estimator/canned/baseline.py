"""Baseline Estimators: models that see labels only, to compare others with."""

from typing import Any

from twinflow.base.annotations import Path
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.estimator import Estimator
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.creation import ones
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.train import training_util

_LEARNING_RATE = 0.3


def get_weight_column_key(weight_column):
    """The name of the feature of a weight column, None without one."""
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    key = getattr(weight_column, "key", None)
    if key is None:
        raise TypeError(
            "Weight column must be either a string or _NumericColumn. Given type: "
            f"{type(weight_column)}."
        )
    return key


def check_features(features):
    """Raise ValueError unless the features are a dict."""
    if not isinstance(features, dict):
        raise ValueError(
            "features should be a dictionary of `Tensor`s. Given type: "
            f"{type(features)}"
        )


def baseline_logit_fn_builder(num_outputs, weight_column=None):
    """A function of the features that gives the same trained logits for each row."""
    weight_key = get_weight_column_key(weight_column)

    def baseline_logit_fn(features):
        sizes = [
            _rows(f) for key, f in features.items() if key != weight_key
        ]  # fmt: skip
        checks = [assert_equal(sizes[0], size) for size in sizes[1:]]
        with control_dependencies([c for c in checks if c is not None]):
            with variable_scope("baseline"):
                bias = get_variable("bias", shape=[num_outputs], initializer=Zeros())
                return multiply(bias, ones([sizes[0], num_outputs]))

    return baseline_logit_fn


def _rows(feature):
    if isinstance(feature, SparseTensor):
        return feature.dense_shape[0]
    return shape(feature)[0]


def baseline_model_fn(
    features, labels, mode, head, optimizer, weight_column=None, config=None
):
    """The EstimatorSpec of a baseline model."""
    del config
    check_features(features)
    logits = baseline_logit_fn_builder(head.logits_dimension, weight_column)(features)

    def train_op_fn(loss):
        made = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
        return made.minimize(loss, global_step=training_util.get_global_step())

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels,
        train_op_fn=train_op_fn,
    )  # fmt: skip


def model_fn_of(head, optimizer, weight_column=None):
    """The model function of a baseline Estimator with a head."""

    def model_fn(features, labels, mode, config):
        return baseline_model_fn(
            features, labels, mode, head, optimizer, weight_column, config
        )

    return model_fn


class BaselineClassifier(Estimator):
    """Predicts how frequent each class is, whatever the features are.

    Args:
        model_dir: the folder. n_classes: how many classes.
        weight_column: the name of a feature, or a numeric column: weights of examples.
        label_vocabulary: the names of the classes, if labels are strings.
        optimizer: a name, a tf.train.Optimizer or a function that makes one.
        config: a RunConfig. loss_reduction: a tf.losses.Reduction.
    Example:
        estimator = tf.estimator.BaselineClassifier("./model", n_classes=3)
        data = {"x": np.ones((4, 1))}, np.array([0, 1, 1, 2])
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
        estimator.get_variable_names()  # ['baseline/bias', ...]
    """

    def __init__(
        self, model_dir: Path | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: str = Reduction.SUM,
    ) -> None:  # fmt: skip
        head = binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            model_fn_of(head, optimizer, weight_column), model_dir, config
        )


class BaselineRegressor(Estimator):
    """Predicts the mean of the labels, whatever the features are.

    Args:
        model_dir: the folder. label_dimension: how many numbers a label has.
        The others: see BaselineClassifier.
    Example:
        estimator = tf.estimator.BaselineRegressor("./model")
        data = {"x": np.ones((4, 1))}, np.array([1.0, 2.0, 3.0, 4.0])
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, model_dir: Path | None = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: str = Reduction.SUM,
    ) -> None:  # fmt: skip
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(model_fn_of(head, optimizer), model_dir, config)
