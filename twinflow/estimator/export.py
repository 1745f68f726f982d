"""tf.estimator.export: what a served model takes and gives."""

import abc
import collections
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.export import signature_constants as names
from twinflow.export.signatures import (
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.parsing.public import parse_example


def _as_dict(tensors, name):
    """A dict of tensors; one alone gets a name.

    Raises:
        ValueError: something is no tensor.
    """
    found = tensors if isinstance(tensors, dict) else {name: tensors}
    for key, tensor in found.items():
        if not isinstance(key, str):
            raise ValueError(f"{name} keys must be strings: {key}.")
        if not (isinstance(tensor, Tensor) or hasattr(tensor, "dense_shape")):
            raise ValueError(f"{name} {key} must be a Tensor or SparseTensor.")
    return found


_RECEIVER = ["features", "receiver_tensors", "receiver_tensors_alternatives"]


class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _RECEIVER)):
    """What a served model is fed, and the features made of it.

    Args:
        features: dict of tensors; the model function gets one alone as
            {"feature": tensor} (see TensorServingInputReceiver).
        receiver_tensors: what is fed, a tensor or dict of tensors.
        receiver_tensors_alternatives: dict of further ways to feed.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any,
        receiver_tensors_alternatives: Any = None,
    ):  # fmt: skip
        if features is None:
            raise ValueError("features must be defined.")
        if receiver_tensors is None:
            raise ValueError("receiver_tensors must be defined.")
        return super().__new__(
            cls, _as_dict(features, "feature"),
            _as_dict(receiver_tensors, "input"), receiver_tensors_alternatives,
        )  # fmt: skip


class TensorServingInputReceiver(
    collections.namedtuple("TensorServingInputReceiver", _RECEIVER)
):
    """As ServingInputReceiver, with one tensor as the features."""

    def __new__(
        cls, features: Any, receiver_tensors: Any,
        receiver_tensors_alternatives: Any = None,
    ):  # fmt: skip
        if not isinstance(features, Tensor):
            raise ValueError("feature must be a Tensor or SparseTensor.")
        return super().__new__(
            cls, features, _as_dict(receiver_tensors, "input"),
            receiver_tensors_alternatives,
        )  # fmt: skip


def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: Any = None
) -> Callable:
    """A function that makes the features from serialised Examples.

    Args:
        feature_spec: see tf.parse_example. default_batch_size: None: any.
    """

    def receiver_fn():
        shape = [default_batch_size]
        examples = placeholder(dtypes.string, shape, name="input_example_tensor")
        features = parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return receiver_fn


def build_raw_serving_input_receiver_fn(
    features: Any, default_batch_size: Any = None
) -> Callable:
    """A function that takes the features as they are.

    Args:
        features: dict of tensors that says their dtypes and shapes.
        default_batch_size: None: any.
    """

    def receiver_fn():
        tensors = {}
        for name, t in features.items():
            shape = [default_batch_size, *t.shape.as_list()[1:]]
            tensors[name] = placeholder(t.dtype, shape, name=t.op.name)
        return ServingInputReceiver(tensors, tensors)

    return receiver_fn


# ---------------------------------------------------------------------- outputs
class ExportOutput(abc.ABC):
    """What a served model gives: the base of the three kinds."""

    __metaclass__ = abc.ABCMeta

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef for what is fed."""


def _single(receiver_tensors, what):
    if len(receiver_tensors) != 1:
        raise ValueError(
            f"{what} input must be a single string Tensor; got {receiver_tensors}"
        )
    (found,) = receiver_tensors.values()
    return found


class ClassificationOutput(ExportOutput):
    """Classes, scores, or both.

    Args:
        scores: float tensor. classes: string tensor.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        if scores is not None and not scores.dtype.is_floating:
            raise ValueError(
                f"Classification scores must be a float32 Tensor; got {scores}"
            )
        if classes is not None and classes.dtype != dtypes.string:
            raise ValueError(
                f"Classification classes must be a string Tensor; got {classes}"
            )
        self.scores, self.classes = scores, classes

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        examples = _single(receiver_tensors, "Classification")
        return classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """Numbers.

    Args:
        value: float tensor.
    """

    def __init__(self, value: Any) -> None:
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(
                f"Regression output value must be a float32 Tensor; got {value}"
            )
        self.value = value

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        return regression_signature_def(
            _single(receiver_tensors, "Regression"), self.value
        )


class PredictOutput(ExportOutput):
    """Any tensors.

    Args:
        outputs: a tensor, or dict of tensors.
    """

    def __init__(self, outputs: Any) -> None:
        self.outputs = _as_dict(outputs, "output")

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        return predict_signature_def(receiver_tensors, self.outputs)


def signatures_of(spec: Any, receiver: Any) -> dict[str, Any]:
    """The signatures of an EstimatorSpec: dict from names to SignatureDefs.

    Raises:
        ValueError: there are several outputs, and none is the default.
    """
    outputs = spec.export_outputs
    key = names.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if outputs is None:
        outputs = {key: PredictOutput(spec.predictions)}
    if not isinstance(outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {outputs}")
    for name, output in outputs.items():
        if not isinstance(output, ExportOutput):
            raise TypeError(
                "Values in export_outputs must be ExportOutput objects. Given: "
                f"{{{name!r}: {output}}}"
            )
    if key not in outputs:
        if len(outputs) > 1:
            raise ValueError(
                "Multiple export_outputs were provided, but none of them is specified "
                f"as the default.  Do this by naming one of them with {key}."
            )
        outputs = {**outputs, key: next(iter(outputs.values()))}
    found = {}
    for name, output in outputs.items():
        try:
            found[name] = output.as_signature_def(receiver.receiver_tensors)
        except ValueError:
            if name == key and not isinstance(output, PredictOutput):
                continue  # fed in another way, it has no signature of this kind
            raise
    return found
