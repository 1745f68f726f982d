"""Functions of features that give logits, as parts of models."""

from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.estimator.canned import dnn, linear
from twinflow.estimator.checks import argument_names

_OPTIONAL = ("mode", "params", "config")


def call_logit_fn(
    logit_fn: Callable[..., Any], features: Any, mode: Any, params: Any, config: Any
) -> Any:
    """The logits of a function of the user.

    Args:
        logit_fn: takes features, and mode, params and config if it wants to.
    Returns:
        A tensor, or dict of tensors by the names of heads.
    Raises:
        ValueError: it gives something else.
    Example:
        double = lambda features: features["x"] * 2.0
        x = {"x": tf.constant([1.0])}
        tf.contrib.estimator.call_logit_fn(double, x, "eval", None, None)  # [2.0]
    """
    given = {"mode": mode, "params": params, "config": config}
    names = argument_names(logit_fn)
    found = logit_fn(
        features=features, **{key: given[key] for key in _OPTIONAL if key in names}
    )
    if not _is_logits(found):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to "
            f"Tensors.  logit_fn returned: {found}"
        )
    return found


def _is_logits(found):
    if isinstance(found, dict):
        return all(
            isinstance(key, str) and isinstance(value, Tensor)
            for key, value in found.items()
        )
    return isinstance(found, Tensor)


def dnn_logit_fn_builder(
    units: int, hidden_units: Any, feature_columns: Any, activation_fn: Any,
    dropout: Any, input_layer_partitioner: Any, batch_norm: bool,
    shared_state_manager: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function of features and mode that gives the logits of hidden layers.

    Args:
        units: how many logits. The others: see tf.estimator.DNNClassifier.
    Raises:
        ValueError: `units` is no int.
    Example:
        x = tf.feature_column.numeric_column("x")
        logit_fn = tf.contrib.estimator.dnn_logit_fn_builder(
            2, [3], [x], tf.nn.relu, None, None, False)
        with tf.Graph().as_default():
            logits = logit_fn(features={"x": [[1.0]]}, mode="eval")
        logits.shape.as_list()  # [1, 2]
    """
    return dnn.dnn_logit_fn_builder(
        units, hidden_units, feature_columns, activation_fn, dropout,
        input_layer_partitioner, batch_norm, shared_state_manager,
    )  # fmt: skip


def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = "sum"
) -> Callable[..., Any]:
    """A function of features that gives the logits of a linear model.

    Args:
        units: how many logits. The others: see tf.estimator.LinearClassifier.
    Example:
        x = tf.feature_column.numeric_column("x")
        logit_fn = tf.contrib.estimator.linear_logit_fn_builder(2, [x])
        with tf.Graph().as_default():
            logits = logit_fn(features={"x": [[1.0]]})
        logits.shape.as_list()  # [1, 2]
    """
    return linear.linear_logit_fn_builder(units, feature_columns, sparse_combiner)
