"""The signatures of exports as SignatureDefs of SavedModels."""

from typing import Any

from twinflow.contrib.session_bundle import constants
from twinflow.export import signature_constants as names
from twinflow.formats import protos

_NAMED = "serving_default_from_named"


def add_signature_defs(meta: Any) -> None:
    """Give the MetaGraphDef of an export the SignatureDefs of its signatures.

    Raises:
        RuntimeError: one of the named ones is of a kind that has no SignatureDef.
    """
    held = meta.collection_def[constants.SIGNATURES_KEY].any_list.value
    if not held:
        return
    signatures = constants.Signatures()
    held[0].Unpack(signatures)
    for key, found in (
        (names.DEFAULT_SERVING_SIGNATURE_DEF_KEY, _default(signatures)),
        (_NAMED, _named(signatures.named_signatures)),
    ):
        if found is not None:
            meta.signature_def[key].CopyFrom(found)


def _definition(method: str, inputs: dict, outputs: dict) -> Any:
    found = protos.SignatureDef(method_name=method)
    for part, bindings in ((found.inputs, inputs), (found.outputs, outputs)):
        for key, binding in bindings.items():
            part[key].name = binding.tensor_name
    return found


def _default(signatures: Any) -> Any:
    """The SignatureDef of the default signature, None for a generic one."""
    signature = signatures.default_signature
    kind = signature.WhichOneof("type")
    if kind == constants.REGRESSION_SIGNATURE:
        own, method = signature.regression_signature, names.REGRESS_METHOD_NAME
        outputs = {names.REGRESS_OUTPUTS: own.output}
    elif kind == constants.CLASSIFICATION_SIGNATURE:
        own, method = signature.classification_signature, names.CLASSIFY_METHOD_NAME
        outputs = {
            names.CLASSIFY_OUTPUT_CLASSES: own.classes,
            names.CLASSIFY_OUTPUT_SCORES: own.scores,
        }
    else:
        return None
    return _definition(method, {names.REGRESS_INPUTS: own.input}, outputs)


def _named(signatures: Any) -> Any:
    """The SignatureDef of those named "inputs" and "outputs", None without both."""
    if not {names.PREDICT_INPUTS, names.PREDICT_OUTPUTS} <= set(signatures):
        return None
    ends = [signatures[names.PREDICT_INPUTS], signatures[names.PREDICT_OUTPUTS]]
    kinds = [end.WhichOneof("type") for end in ends]
    if kinds != [constants.GENERIC_SIGNATURE] * 2:
        raise RuntimeError(
            "Named input and output signatures can only be up-converted if they are "
            f"generic signature. Input signature type is {kinds[0]}, output signature "
            f"type is {kinds[1]}"
        )
    inputs, outputs = (dict(end.generic_signature.map) for end in ends)
    return _definition(names.PREDICT_METHOD_NAME, inputs, outputs)
