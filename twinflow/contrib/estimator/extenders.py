"""Estimators and optimizers made of others: more metrics, predictions, clipping."""

from collections.abc import Callable, Iterable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.estimator.transformed_gradients import TransformGradients
from twinflow.estimator.checks import argument_names
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import ModeKeys
from twinflow.ops.math.clip import clip_by_norm
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from twinflow.train.optimizer import Optimizer

_METRIC_ARGS = {"features", "labels", "predictions", "config"}


def add_metrics(estimator: Estimator, metric_fn: Callable[..., Any]) -> Estimator:
    """An Estimator with more metrics, in the folder of another.

    Args:
        estimator: the other one.
        metric_fn: gives a dict from names to (value, update op); may take features,
            labels, predictions and config.
    Raises:
        ValueError: the function takes something else.
    Example:
        def mean_of_x(features):
            return {"mean_x": tf.metrics.mean(features["x"])}
        estimator = tf.estimator.BaselineRegressor("./model")
        estimator = tf.contrib.estimator.add_metrics(estimator, mean_of_x)
        data = {"x": [[1.0], [3.0]]}, [[1.0], [2.0]]
        input_fn = lambda: tf.data.Dataset.from_tensors(data)
        found = estimator.train(input_fn, steps=1).evaluate(input_fn)
        found["mean_x"]  # 2.0
    """
    names = argument_names(metric_fn)
    unknown = sorted(names - _METRIC_ARGS)
    if unknown:
        raise ValueError(
            f"metric_fn ({metric_fn}) has following not expected args: {unknown}"
        )

    def new_model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {
            "features": features, "labels": labels, "predictions": spec.predictions,
            "config": config,
        }  # fmt: skip
        more = metric_fn(**{key: given[key] for key in names})
        metrics = {**(spec.eval_metric_ops or {}), **more}
        return spec._replace(eval_metric_ops=metrics)

    return Estimator(
        model_fn=new_model_fn, model_dir=estimator.model_dir, config=estimator.config
    )


def clip_gradients_by_norm(optimizer: Optimizer, clip_norm: float) -> Optimizer:
    """An optimizer that clips each gradient, and leaves the rest to another.

    Args:
        optimizer: the other one. clip_norm: the largest norm of a gradient.
    Example:
        optimizer = tf.contrib.estimator.clip_gradients_by_norm(
            tf.train.GradientDescentOptimizer(1.0), 3.0)
        optimizer.get_name()  # 'ClipByNormGradientDescent'
    """

    def clip_grads(grads_and_vars):
        return [
            (g if g is None else clip_by_norm(g, clip_norm), v)
            for g, v in grads_and_vars
        ]

    return TransformGradients(
        optimizer, clip_grads, f"ClipByNorm{optimizer.get_name()}"
    )


def forward_features(
    estimator: Estimator, keys: Any = None, sparse_default_values: Any = None
) -> Estimator:
    """An Estimator whose predictions have features too, in the folder of another.

    Args:
        estimator: the other one. keys: a name or list of names; None: all.
        sparse_default_values: dict from the names of SparseTensors to what fills them.
    Raises:
        TypeError: a key is no string.
    Example:
        estimator = tf.estimator.BaselineRegressor("./model")
        estimator = tf.contrib.estimator.forward_features(estimator, "id")
        data = {"id": [7, 8]}, [[1.0], [2.0]]
        input_fn = lambda: tf.data.Dataset.from_tensors(data)
        row = next(estimator.train(input_fn, steps=1).predict(input_fn))
        int(row["id"])  # 7
    """
    wanted = _checked_keys(keys)

    def new_model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        predictions = spec.predictions
        if predictions is None or (isinstance(predictions, dict) and not predictions):
            return spec
        if not isinstance(predictions, dict):
            raise ValueError(
                "Predictions should be a dict to be able to forward features. Given: "
                f"{type(predictions)}"
            )
        more = _forwarded(features, wanted, predictions, sparse_default_values or {})
        found = {**predictions, **more}
        return spec._replace(
            predictions=found, export_outputs=_outputs(spec.export_outputs, more)
        )

    return Estimator(
        model_fn=new_model_fn, model_dir=estimator.model_dir, config=estimator.config
    )


def _checked_keys(keys):
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, Iterable):
        raise TypeError(
            f"keys should be either a string or a list of strings. Given: {type(keys)}"
        )
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(
                "All items in the given keys list should be a string. There exist an "
                f"item with type: {type(key)}"
            )
    return list(keys)


def _forwarded(features, keys, predictions, defaults):
    """Dict of the features that predictions are to have."""
    found = {}
    for key in features if keys is None else keys:
        if key not in features:
            raise ValueError(
                f'keys should be exist in features. Key "{key}" is not in features '
                f"dict. features dict has following keys: {list(features)}"
            )
        if key in predictions:
            raise ValueError(
                f"Cannot forward feature key ({key}). Since it does exist in "
                f"predictions. Existing prediction keys: {list(predictions)}. Please "
                "make sure that you only forward features which does not exist in "
                "predictions."
            )
        found[key] = _dense(key, features[key], defaults)
    return found


def _dense(key, value, defaults):
    feature = convert_to_tensor_or_sparse_tensor(value)
    if key in defaults:
        if not isinstance(feature, SparseTensor):
            raise ValueError(f"Feature ({key}) is expected to be a `SparseTensor`.")
        return sparse_tensor_to_dense(feature, default_value=defaults[key])
    if not isinstance(feature, Tensor):
        raise ValueError(
            f"Feature ({key}) should be a Tensor. Please use `keys` argument of "
            "forward_features to filter unwanted features, or add key to argument "
            "`sparse_default_values`."
            f"Type of features[{key}] is {type(feature)}."
        )
    return feature


def _outputs(outputs, more):
    """The export outputs, of which the predictions have the features too."""
    if outputs is None:
        return None
    return {
        name: PredictOutput({**output.outputs, **more})
        if isinstance(output, PredictOutput)
        else output
        for name, output in outputs.items()
    }
