"""What Keras keeps per graph: names, the learning phase; and its defaults.

In eager mode and inside functions that are traced from it, the one default graph of the
process stands for it, as in TensorFlow.
"""

import contextlib
import re
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import Array
from twinflow.base.operators import TensorValue
from twinflow.graph.defaults import get_default_graph, reset_default_graph
from twinflow.ops.arrays.placeholder import placeholder_with_default
from twinflow.ops.core.constant import constant


class _Defaults:
    floatx = "float32"
    epsilon = 1e-7
    image_data_format = "channels_last"
    asked = 0  # how often the learning phase of a graph was looked at
    learning_phase = None  # what set_learning_phase chose in eager mode


def floatx() -> str:
    """The dtype of new weights, by name."""
    return _Defaults.floatx


def set_floatx(value: TensorValue) -> None:
    """Choose the dtype of new weights.

    Args:
        value: "float16", "float32" or "float64".
    """
    if value not in ("float16", "float32", "float64"):
        raise ValueError(f"Unknown floatx type: {value}")
    _Defaults.floatx = value


def epsilon() -> float:
    """The small number that keeps from dividing by zero."""
    return _Defaults.epsilon


def set_epsilon(value: TensorValue) -> None:
    """Choose what `epsilon` gives."""
    _Defaults.epsilon = value


def image_data_format() -> str:
    """Where images have their channels: "channels_last" or "channels_first"."""
    return _Defaults.image_data_format


def set_image_data_format(data_format: str) -> None:
    """Choose what `image_data_format` gives."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Unknown data_format: {data_format}")
    _Defaults.image_data_format = data_format


# ------------------------------------------------------------------ names
def uids() -> dict:
    """How often `get_uid` was called in the current graph, by prefix."""
    return get_default_graph().state.setdefault("keras_uids", {})


def get_uid(prefix: Any = "") -> int:
    """How often this was called with `prefix` in the current graph, counting this."""
    found = uids()
    found[prefix] = found.get(prefix, 0) + 1
    return found[prefix]


def snake_case(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`, `_Part` as `private__part`."""
    found = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    found = re.sub(r"([a-z])([A-Z])", r"\1_\2", found).lower()
    return "private" + found if found.startswith("_") else found


def unique_name(name: str) -> str:
    """`dense`, then `dense_1` ...: names of layers that were not given one."""
    n = get_uid(("layer", name)) - 1
    return f"{name}_{n}" if n else name


def reset_uids() -> None:
    """Begin to count names anew."""
    uids().clear()


def clear_session() -> None:
    """Forget the default graph, the names in use and the learning phase."""
    if not dispatch.current_mode().eager:
        reset_default_graph()
    reset_uids()
    _Defaults.learning_phase = None


# ------------------------------------------------------------------ learning phase
_PHASE = "keras_learning_phase"  # in the state of a graph: a tensor, or what was chosen


def learning_phase() -> Any:
    """Whether layers that ask nobody else train: 0 or 1, or in a graph a bool tensor.

    The tensor is a placeholder that is False where it is not fed.
    """
    owner = dispatch.current_mode().variable_owner()
    if owner.eager:
        return _Defaults.learning_phase or 0
    _Defaults.asked += 1
    found = owner.state.get(_PHASE)
    if found is None:
        with dispatch.entered(owner), owner.outside_regions(), owner.name_scope(""):
            found = placeholder_with_default(
                constant(False, name="keras_learning_phase/input"), (),
                name="keras_learning_phase",
            )  # fmt: skip
        owner.state[_PHASE] = found
    return found


def times_asked() -> int:
    """How often a graph's learning phase was looked at."""
    return _Defaults.asked


def phase_tensor(graph: Any) -> Any:
    """The learning phase of a graph, a tensor; None if it has none."""
    found = graph.state.get(_PHASE)
    return None if isinstance(found, int) else found


def set_learning_phase(value: TensorValue) -> None:
    """Fix the learning phase: that of the default graph, and that of eager mode.

    Args:
        value: 0 (testing) or 1 (training).
    Raises:
        ValueError: it is something else.
    """
    owner = _checked_owner(value)
    get_default_graph().state[_PHASE] = int(value)
    if owner.eager:
        _Defaults.learning_phase = int(value)
    else:
        owner.state[_PHASE] = int(value)


def _checked_owner(phase):
    """The mode or graph whose phase is set."""
    if phase not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    return dispatch.current_mode().variable_owner()


@contextlib.contextmanager
def learning_phase_scope(value):
    """A block in which the learning phase of this graph is `value`, 0 or 1."""
    owner = _checked_owner(value)
    if owner.eager:
        before, _Defaults.learning_phase = _Defaults.learning_phase, value
        try:
            yield
        finally:
            _Defaults.learning_phase = before
        return
    before, owner.state[_PHASE] = owner.state.get(_PHASE), value
    try:
        yield
    finally:
        owner.state[_PHASE] = before


def cast_to_floatx(x: TensorValue) -> Array:
    """`x` as an array of dtype `floatx()`."""
    return np.asarray(x, dtypes.as_dtype(floatx()).np)
