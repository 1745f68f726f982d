"""Arguments that many layers share, checked and put into one form."""

import numbers

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.cond import cond
from twinflow.graph.static import constant_value
from twinflow.keras import backend


def pair(value, name):
    """An int or two ints as a tuple of two.

    Raises:
        ValueError: it is something else.
    """
    found = (value, value) if isinstance(value, numbers.Integral) else value
    try:
        found = tuple(int(v) for v in found)
    except (TypeError, ValueError):
        found = ()
    if len(found) != 2:
        raise ValueError(
            f"The `{name}` argument must be a tuple of 2 integers. Received: {value}"
        )
    return found


def padding_of(value):
    """ "valid" or "same", in lower case.

    Raises:
        ValueError: it is something else.
    """
    found = value.lower()
    if found not in ("valid", "same"):
        raise ValueError(
            'The `padding` argument must be one of "valid", "same" (or "causal", only '
            f"for `Conv1D). Received: {found}"
        )
    return found


def data_format_of(value):
    """ "channels_last" or "channels_first"; None = the default of the backend.

    Raises:
        ValueError: it is something else.
    """
    found = backend.image_data_format() if value is None else value.lower()
    if found not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of "
            f'"channels_first", "channels_last". Received: {value}'
        )
    return found


def op_format(data_format):
    """What ops call a data format: "NHWC" or "NCHW"."""
    return "NCHW" if data_format == "channels_first" else "NHWC"


def in_four(two, data_format):
    """Sizes of height and width as sizes of all four axes."""
    return (1, 1, *two) if data_format == "channels_first" else (1, *two, 1)


def static_training(training):
    """`training` as True or False, or as a tensor where it is not known yet.

    Args:
        training: a bool, number, tensor, or None for the learning phase.
    """
    if training is None:
        training = backend.learning_phase()
    if isinstance(training, ResourceHandle):
        training = training._as_tensor()
    if not isinstance(training, Tensor) or current_mode().eager:
        return bool(training)
    if training.op.type == "Const":  # a placeholder's default may be fed
        return bool(constant_value(training))
    return training


def chosen(training, then, otherwise):
    """`then()` if training, else `otherwise()`; see `static_training`."""
    if isinstance(training, bool):
        return then() if training else otherwise()
    return cond(training, then, otherwise)
