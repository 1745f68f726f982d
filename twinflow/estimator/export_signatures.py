"""The signatures of all that a model gives and may be fed."""

from twinflow.base import logging
from twinflow.estimator.export_outputs import (
    EvalOutput,
    ExportOutput,
    PredictOutput,
    TrainOutput,
)
from twinflow.estimator.receivers import SINGLE_RECEIVER
from twinflow.export import signature_constants as names
from twinflow.export import supervised

_METHODS = {
    "Classify": names.CLASSIFY_METHOD_NAME,
    "Regress": names.REGRESS_METHOD_NAME,
    "Predict": names.PREDICT_METHOD_NAME,
    "Train": supervised.SUPERVISED_TRAIN_METHOD_NAME,
    "Eval": supervised.SUPERVISED_EVAL_METHOD_NAME,
}
_SERVED = tuple(_METHODS.values())[:3]


def build_all_signature_defs(
    receiver_tensors, export_outputs, receiver_tensors_alternatives=None,
    serving_only=True,
):  # fmt: skip
    """Dict from names to SignatureDefs.

    Args:
        receiver_tensors: what is fed, a tensor or dict of tensors.
        export_outputs: dict of ExportOutputs.
        receiver_tensors_alternatives: dict of further ways to feed.
        serving_only: leave out what is for training and evaluation.
    Raises:
        ValueError: `export_outputs` is no dict.
    """
    if not isinstance(receiver_tensors, dict):
        receiver_tensors = {SINGLE_RECEIVER: receiver_tensors}
    if export_outputs is None or not isinstance(export_outputs, dict):
        raise ValueError(
            f"export_outputs must be a dict and not{type(export_outputs)}"
        )
    found, left_out = {}, {}
    ways = {"": receiver_tensors}
    for name, tensors in (receiver_tensors_alternatives or {}).items():
        single = not isinstance(tensors, dict)
        ways[f"{name}:"] = {SINGLE_RECEIVER: tensors} if single else tensors
    for way, tensors in ways.items():
        for key, output in export_outputs.items():
            name = f"{way}{key or 'None'}"
            try:
                found[name] = output.as_signature_def(tensors)
            except ValueError as error:
                left_out[name] = str(error)
    log_signature_report(found, left_out)
    if not serving_only:
        return found
    return {
        name: signature for name, signature in found.items()
        if signature.method_name in _SERVED
    }  # fmt: skip


def log_signature_report(signature_def_map, excluded_signatures):
    """Say in the log which signatures there are, and which could not be made."""
    by_method = {method: [] for method in _METHODS.values()}
    for name, signature in signature_def_map.items():
        by_method.setdefault(signature.method_name, []).append(name)
    for label, method in _METHODS.items():
        logging.info(
            "Signatures INCLUDED in export for %s: %s", label, by_method[method] or None
        )
    if excluded_signatures:
        logging.info("Signatures EXCLUDED from export because they cannot be be served "
                     "via TensorFlow Serving APIs:")  # fmt: skip
        for name, message in excluded_signatures.items():
            logging.info("'%s' : %s", name, message)
    if not signature_def_map:
        logging.warning("Export includes no signatures!")
    elif names.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in signature_def_map:
        logging.warning("Export includes no default signature!")


def export_outputs_for_mode(
    mode, serving_export_outputs=None, predictions=None, loss=None, metrics=None
):
    """Dict of the ExportOutputs of a mode.

    Raises:
        ValueError: there is no such mode.
    """
    if mode == "infer":
        return serving_outputs(serving_export_outputs, predictions)
    if mode not in ("train", "eval"):
        raise ValueError(f"Export output type not found for mode: {mode}")
    make = TrainOutput if mode == "train" else EvalOutput
    if isinstance(predictions, dict) and not predictions:
        predictions = None
    return {mode: make(loss=loss, predictions=predictions, metrics=metrics or None)}


def serving_outputs(export_outputs, predictions):
    """Dict of the ExportOutputs for serving, with the default one.

    Raises:
        TypeError: they are no dict of ExportOutputs.
        ValueError: there are several, and none is the default.
    """
    default = names.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if export_outputs is None:
        return {default: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    for output in export_outputs.values():
        if not isinstance(output, ExportOutput):
            raise TypeError(
                "Values in export_outputs must be ExportOutput objects. Given: "
                f"{export_outputs}"
            )
    return with_default(export_outputs)


def with_default(export_outputs):
    """The outputs, of which one is the default."""
    default = names.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if len(export_outputs) == 1:
        ((_, output),) = export_outputs.items()
        return {**export_outputs, default: output}
    if default not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as "
            "the default.  Do this by naming one of them with "
            "signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs
