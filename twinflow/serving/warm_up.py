"""Requests that a model is run with before it answers any.

TensorFlow Serving's file of them is a TFRecord file of PredictionLogs at
assets.extra/tf_serving_warmup_requests in the SavedModel.
"""

import os
from typing import Any

from google.protobuf import message

from twinflow.base import stores
from twinflow.formats.serving_protos import serving
from twinflow.formats.tf_record import tf_record_iterator
from twinflow.serving.messages import examples_of, feeds_of
from twinflow.serving.servable import Servable, checked, invalid

_FILE = os.path.join("assets.extra", "tf_serving_warmup_requests")
_MOST = 1000


def warm_up(folder: str, servable: Servable) -> int:
    """Run what the folder of a SavedModel has for it; how many requests.

    Raises:
        InvalidArgumentError: there are more than 1000, or one is damaged or does not
            fit. tf.errors.OpError: a run failed.
    """
    path = stores.joined(folder, _FILE)
    if not stores.exists(path):
        return 0
    count = 0
    for record in tf_record_iterator(path):
        count += 1
        if count > _MOST:
            raise invalid(f"{path} has more than {_MOST} requests to warm up with.")
        try:
            log = serving["PredictionLog"].FromString(record)
        except message.DecodeError as error:
            raise invalid(
                f"{path} has a record that is no PredictionLog: {error}"
            ) from None
        for signature, feeds in _requests(log, path):
            _run(servable, signature, feeds)
    return count


def _requests(log: Any, path: str) -> list[tuple[str, Any]]:
    """(the name of a signature, the feeds or serialized examples) of a record."""
    kind = log.WhichOneof("log_type")
    if kind == "predict_log":
        request = log.predict_log.request
        return [(request.model_spec.signature_name, feeds_of(request))]
    if kind in ("classify_log", "regress_log"):
        request = getattr(log, kind).request
        return [(request.model_spec.signature_name, examples_of(request.input))]
    if kind == "multi_inference_log":
        request = log.multi_inference_log.request
        found = examples_of(request.input)
        return [(task.model_spec.signature_name, found) for task in request.tasks]
    raise invalid(f"{path} has a record of a kind that cannot be run: {kind}")


def _run(servable: Servable, name: str, feeds: Any) -> None:
    signature = servable.signatures.get(name or "serving_default")
    if signature is None:
        raise invalid(f"A request to warm up with names no signature: {name!r}")
    if not isinstance(feeds, dict):  # serialized examples
        feeds = {next(iter(signature.inputs), "inputs"): feeds}
    servable.run(signature, checked(signature, feeds), tuple(signature.outputs))
