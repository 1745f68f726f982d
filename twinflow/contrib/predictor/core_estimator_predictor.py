"""Predictors of Estimators."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.predictor.predictor import Predictor
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.export_signatures import build_all_signature_defs
from twinflow.estimator.model_fn import ModeKeys
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.graph.graph import Graph
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession


class CoreEstimatorPredictor(Predictor):
    """A Predictor of an Estimator.

    Args: see `from_estimator`.
    """

    def __init__(
        self, estimator: Estimator, serving_input_receiver_fn: Callable,
        output_key: str | None = None, graph: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        self._graph = graph or Graph()
        with self._graph.as_default():
            receiver = serving_input_receiver_fn()
            spec = estimator.model_fn(
                receiver.features, None, ModeKeys.PREDICT, estimator.config
            )
            signature = _signature(receiver, spec, output_key)
            self._session = MonitoredSession(
                ChiefSessionCreator(
                    spec.scaffold, config=config,
                    checkpoint_filename_with_path=estimator.latest_checkpoint(),
                )
            )  # fmt: skip
        self._feed_tensors, self._fetch_tensors = (
            {k: self._graph.get_tensor_by_name(i.name) for k, i in infos.items()}
            for infos in (signature.inputs, signature.outputs)
        )


def _signature(receiver, spec, output_key):
    """The SignatureDef of one of the export outputs."""
    key = output_key or DEFAULT_SERVING_SIGNATURE_DEF_KEY
    found = build_all_signature_defs(receiver.receiver_tensors, spec.export_outputs)
    if key not in found:
        raise KeyError(
            f"output_key must be one of {spec.export_outputs.keys()}; got {key}"
        )
    return found[key]
