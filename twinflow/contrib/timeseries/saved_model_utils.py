"""Exported time series models: to filter and to predict with them."""

from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.contrib.timeseries.feature_keys import (
    FilteringResults,
    SavedModelLabels,
    State,
)
from twinflow.contrib.timeseries.input_functions import canonical_times
from twinflow.contrib.timeseries.readers import canonical_arrays

_TIMES = FilteringResults.TIMES
_STATE = FilteringResults.STATE_TUPLE


def predict_continuation(
    continue_from: dict[Any, Any], signatures: Any, session: Any,
    steps: int | None = None,
    times: Any = None, exogenous_features: dict[Any, Any] | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """What comes after an evaluation or a filtering, from an exported model.

    Args:
        continue_from: what `evaluate`, `cold_start_filter` or `filter_continuation`
            gave. signatures: the MetaGraphDef that `tf.saved_model.loader.load` gave.
        session: the Session it is in. steps, times, exogenous_features: see
            tf.contrib.timeseries.predict_continuation_input_fn.
    Returns:
        dict of arrays: what the model predicts, and times.
    """
    times = canonical_times(times, steps, continue_from)
    features = {_TIMES: times, **(exogenous_features or {})}
    label = SavedModelLabels.PREDICT
    found = _run(signatures, label, session, features, continue_from)
    return {**found, _TIMES: times}


def cold_start_filter(
    signatures: Any, session: Any, features: dict[Any, Any]
) -> dict[str, Any]:
    """The state after values, from the start of a series.

    Args:
        signatures, session: see predict_continuation.
        features: dict of arrays: times, values and exogenous features.
    Returns:
        dict of times and `start_tuple`, which predict_continuation takes.
    """
    return _filter(signatures, SavedModelLabels.COLD_START_FILTER, session, features)


def filter_continuation(
    continue_from: dict[Any, Any],
    signatures: Any,
    session: Any,
    features: dict[Any, Any],
) -> dict[str, Any]:
    """The state after values that come after an evaluation or a filtering.

    Args:
        continue_from, signatures, session: see predict_continuation.
        features: see cold_start_filter.
    """
    label = SavedModelLabels.FILTER
    return _filter(signatures, label, session, features, continue_from)


def _filter(signatures, label, session, features, continue_from=None):
    features = canonical_arrays(features, require_single_batch=False)
    found = _run(signatures, label, session, features, continue_from)
    state = tuple(found[name] for name in sorted(found))
    return {_STATE: state, _TIMES: features[_TIMES]}


def _run(signatures, label, session, features, continue_from=None):
    """The outputs of a signature, by name."""
    signature = signatures.signature_def[label]
    given = dict(features)
    if continue_from is not None:
        given.update(state_arrays(continue_from[_STATE]))
    feeds = {}
    for name, info in signature.inputs.items():
        if name in given:
            feeds[info.name] = given[name]
    fetches = {name: info.name for name, info in signature.outputs.items()}
    return session.run(fetches, feeds)


def state_arrays(state: Any) -> dict[str, np.ndarray]:
    """The arrays of a state under the names of the inputs that take them.

    Args:
        state: structure of arrays.
    """
    return {
        f"{State.STATE_PREFIX}_{number:02d}": np.asarray(part)
        for number, part in enumerate(nest.flatten(state))
    }
