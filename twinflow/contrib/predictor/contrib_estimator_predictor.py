"""Predictors of the Estimators of tf.contrib.learn."""

from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.learn.keys import ModeKeys
from twinflow.contrib.predictor.predictor import Predictor
from twinflow.graph.graph import Graph
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession
from twinflow.train.training_util import get_or_create_global_step

_DEFAULT_INPUTS, _FEATURES = "default_input_alternative", "features_input_alternative"


class ContribEstimatorPredictor(Predictor):
    """A Predictor of a tf.contrib.learn.Estimator.

    Args: see `from_contrib_estimator`.
    """

    def __init__(
        self, estimator: Any, prediction_input_fn: Callable,
        input_alternative_key: str | None = None,
        output_alternative_key: str | None = None, graph: Any = None,
        config: Any = None,
    ) -> None:  # fmt: skip
        self._graph = graph or Graph()
        with self._graph.as_default():
            get_or_create_global_step()
            inputs = prediction_input_fn()
            ops = estimator._model_ops(inputs.features, None, ModeKeys.INFER)
            self._session = MonitoredSession(
                ChiefSessionCreator(
                    config=config,
                    checkpoint_filename_with_path=latest_checkpoint(
                        estimator.model_dir
                    ),
                )
            )
        self._feed_tensors = _fed(inputs, input_alternative_key or _DEFAULT_INPUTS)
        self._fetch_tensors = _fetched(ops.alternatives(), output_alternative_key)


def _fed(inputs, key):
    """What is fed: the default inputs, or the features that are placeholders."""
    default = inputs.default_inputs
    if isinstance(default, Tensor):
        default = {"default_input": default}
    ways = {_DEFAULT_INPUTS: default} if default else {}
    features = inputs.features
    if isinstance(features, Tensor):
        features = {"features": features}
    open_ones = {k: t for k, t in features.items() if t.op.type == "Placeholder"}
    if open_ones:
        ways[_FEATURES] = open_ones
    if key not in ways:
        raise ValueError(f"There is no input alternative {key}: {sorted(ways)}")
    return ways[key]


def _fetched(alternatives, key):
    """The tensors of one output alternative."""
    if key is None and len(alternatives) == 1:
        key = next(iter(alternatives))
    if key not in alternatives:
        known = sorted(map(str, alternatives))
        if key is None:
            raise ValueError(
                "Please specify a default_output_alternative.  Available "
                f"output_alternatives are: {known}"
            )
        raise ValueError(
            f"Requested default_output_alternative: {key}, but available "
            f"output_alternatives are: {known}"
        )
    return dict(alternatives[key][1])
