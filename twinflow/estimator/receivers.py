"""What a served or exported model is fed, and the features made of it."""

import collections
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.estimator.input_results import parse_input_fn_result
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.parsing.public import parse_example
from twinflow.ops.sparse.tensor import SparseTensor

SINGLE_FEATURE, SINGLE_RECEIVER, SINGLE_LABEL = "feature", "input", "label"
_RECEIVER = ["features", "receiver_tensors", "receiver_tensors_alternatives"]


def check_tensor(tensor, name, error_label="feature"):
    """Raise ValueError for what is no tensor and no SparseTensor."""
    if not isinstance(tensor, Tensor | SparseTensor):
        fmt_name = f" {name}" if name else ""
        value_error = ValueError(
            f"{error_label}{fmt_name} must be a Tensor or SparseTensor."
        )
        raise value_error


def check_tensor_key(name, error_label="feature"):
    """Raise ValueError for a key that is no string."""
    if not isinstance(name, str):
        raise ValueError(f"{error_label} keys must be strings: {name}.")


def checked_features(features):
    """A tensor or dict of tensors; raises ValueError for something else."""
    if isinstance(features, dict):
        for key, tensor in features.items():
            check_tensor_key(key)
            check_tensor(tensor, key)
    else:
        check_tensor(features, None)
    return features


def wrapped(tensors, field_name, single=SINGLE_RECEIVER):
    """A dict of tensors; one alone gets a name."""
    if tensors is None:
        raise ValueError(f"{field_name}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {single: tensors}
    for key, tensor in tensors.items():
        check_tensor_key(key, error_label=field_name)
        check_tensor(tensor, key, error_label=field_name)
    return tensors


def _alternatives(alternatives):
    if alternatives is None:
        return None
    if not isinstance(alternatives, dict):
        raise ValueError(
            f"receiver_tensors_alternatives must be a dict: {alternatives}."
        )
    return {
        key: wrapped(tensors, "receiver_tensors_alternative")
        for key, tensors in alternatives.items()
    }


def _defined(name, value):
    if value is None:
        raise ValueError(f"{name} must be defined.")


class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _RECEIVER)):
    """What a served model is fed, and the features made of it.

    Args:
        features: dict of tensors; the model function gets one alone as
            {"feature": tensor} (see TensorServingInputReceiver).
        receiver_tensors: what is fed, a tensor or dict of tensors.
        receiver_tensors_alternatives: dict of further ways to feed.
    Raises:
        ValueError: something is missing or no tensor.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any,
        receiver_tensors_alternatives: Any = None,
    ):  # fmt: skip
        return super().__new__(
            cls, wrapped(features, "feature", SINGLE_FEATURE),
            wrapped(receiver_tensors, "receiver_tensor"),
            _alternatives(receiver_tensors_alternatives),
        )  # fmt: skip


class TensorServingInputReceiver(
    collections.namedtuple("TensorServingInputReceiver", _RECEIVER)
):
    """As ServingInputReceiver, with one tensor as the features."""

    def __new__(
        cls, features: Any, receiver_tensors: Any,
        receiver_tensors_alternatives: Any = None,
    ):  # fmt: skip
        _defined("features", features)
        check_tensor(features, None)
        receiver = ServingInputReceiver(
            features, receiver_tensors, receiver_tensors_alternatives
        )
        return super().__new__(
            cls, receiver.features[SINGLE_FEATURE], receiver.receiver_tensors,
            receiver.receiver_tensors_alternatives,
        )  # fmt: skip


class UnsupervisedInputReceiver(ServingInputReceiver):
    """What an exported model without labels is fed; see ServingInputReceiver."""

    def __new__(cls, features: Any, receiver_tensors: Any):
        return super().__new__(cls, features, receiver_tensors, None)


class SupervisedInputReceiver(
    NamedTuple(
        "SupervisedInputReceiver",
        [("features", Any), ("labels", Any), ("receiver_tensors", Any)],
    )
):
    """What an exported model with labels is fed, and what is made of it.

    Args:
        features, labels: a tensor or dict of tensors.
        receiver_tensors: what is fed, a tensor or dict of tensors.
    Raises:
        ValueError: something is missing or no tensor.
    """

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any):
        for name, value in ("feature", features), ("label", labels):
            _defined(f"{name}s", value)
            if isinstance(value, dict):
                wrapped(value, name)
            else:
                check_tensor(value, None, name)
        return super().__new__(
            cls, features, labels, wrapped(receiver_tensors, "receiver_tensor")
        )


# ---------------------------------------------------------------------- functions
def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: Any = None
) -> Callable[..., Any]:
    """A function that makes the features from serialised Examples.

    Args:
        feature_spec: see tf.parse_example. default_batch_size: None: any.
    """

    def serving_input_receiver_fn():
        shape = [default_batch_size]
        examples = placeholder(dtypes.string, shape, name="input_example_tensor")
        features = parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def _placeholder_like(tensor, default_batch_size):
    """A placeholder with the dtype, name and shape of a tensor, but for its first."""
    shape = tensor.get_shape()
    if shape.ndims is not None and shape.ndims > 0:
        shape = [default_batch_size, *shape.as_list()[1:]]
    return placeholder(tensor.dtype, shape, name=tensor.op.name)


def _placeholders_like(tensors, default_batch_size):
    return {
        name: _placeholder_like(t, default_batch_size) for name, t in tensors.items()
    }


def build_raw_serving_input_receiver_fn(
    features: Any, default_batch_size: Any = None
) -> Callable[..., Any]:
    """A function that takes the features as they are.

    Args:
        features: dict of tensors that says their dtypes and shapes.
        default_batch_size: None: any.
    """

    def serving_input_receiver_fn():
        tensors = _placeholders_like(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: Any = None
) -> Callable[..., Any]:
    """A function that takes features and labels as they are.

    Args:
        features, labels: a tensor or dict of tensors that says dtypes and shapes.
        default_batch_size: None: any.
    Raises:
        ValueError: a label is called as a feature.
    Example:
        receiver_fn = tf.contrib.estimator.build_raw_supervised_input_receiver_fn(
            {"x": tf.placeholder("float32", [None, 2])},
            tf.placeholder("int64", [None]))
        sorted(receiver_fn().receiver_tensors)  # ['label', 'x']
    """
    for name, value in ("features", features), ("labels", labels):
        if not isinstance(value, dict):
            check_tensor(value, name)
    if isinstance(features, dict) and isinstance(labels, dict):
        both = set(features) & set(labels)
        if both:
            raise ValueError(
                "Features and labels must have distinct keys. Found overlapping keys: "
                f"{both}"
            )

    def supervised_input_receiver_fn():
        fed, made = {}, []
        for given, single in (features, SINGLE_RECEIVER), (labels, SINGLE_LABEL):
            if isinstance(given, dict):
                found = _placeholders_like(given, default_batch_size)
                fed.update(found)
            else:
                found = fed[single] = _placeholder_like(given, default_batch_size)
            made.append(found)
        return SupervisedInputReceiver(*made, fed)

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any
) -> Callable[..., Any]:
    """A function that takes what is like the features and labels of an input function.

    Args:
        input_fn: gives a Dataset, or (features, labels). input_fn_args: its arguments.
    """
    features, labels, _ = parse_input_fn_result(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)
