"""The signatures of graphs for training and evaluation, which nobody serves."""

from typing import Any

from twinflow.export.signatures import build_signature_def, build_tensor_info

SUPERVISED_TRAIN_METHOD_NAME = "tensorflow/supervised/training"
SUPERVISED_EVAL_METHOD_NAME = "tensorflow/supervised/eval"
EVAL = "eval"


def supervised_train_signature_def(
    inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None
) -> Any:
    """The signature of a training: dicts from names to tensors.

    Raises:
        ValueError: there are no inputs.
    """
    return _signature(SUPERVISED_TRAIN_METHOD_NAME, inputs, loss, predictions, metrics)


def supervised_eval_signature_def(
    inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None
) -> Any:
    """The signature of an evaluation: dicts from names to tensors.

    Raises:
        ValueError: there are no inputs.
    """
    return _signature(SUPERVISED_EVAL_METHOD_NAME, inputs, loss, predictions, metrics)


def _signature(method_name, inputs, *outputs):
    if not inputs:
        raise ValueError(f"{method_name} inputs cannot be None or empty.")
    found = {key: t for group in outputs for key, t in (group or {}).items()}
    return build_signature_def(
        {key: build_tensor_info(t) for key, t in inputs.items()},
        {key: build_tensor_info(t) for key, t in found.items()},
        method_name,
    )
