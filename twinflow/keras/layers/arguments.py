"""Arguments that many layers share, checked and put into one form."""

import numbers

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.cond import cond
from twinflow.graph.static import constant_value
from twinflow.keras import activations, constraints, initializers, regularizers
from twinflow.keras.backend import defaults

_KINDS = {
    "activation": activations.get,
    "initializer": initializers.get,
    "regularizer": regularizers.get,
    "constraint": constraints.get,
}


def settings_among(arguments):
    """Those of the arguments of a layer that `found_by_kind` takes by their name."""
    return {
        name: value
        for name, value in arguments.items()
        if name.rpartition("_")[2] in _KINDS and name != "activity_regularizer"
    }


def found_by_kind(options):
    """Options of a layer; those that end in `_initializer` and so on by their name."""
    return {
        name: _KINDS.get(name.rpartition("_")[2], _same)(value)
        for name, value in options.items()
    }


def _same(value):
    return value


def tuple_of(value, n, name):
    """An int or `n` ints as a tuple of `n`.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(value, numbers.Integral):
        return (int(value),) * n
    text = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
    try:
        found = tuple(value)
    except TypeError:
        raise ValueError(text) from None
    if len(found) != n:
        raise ValueError(text)
    for v in found:
        try:
            int(v)
        except (TypeError, ValueError):
            raise ValueError(
                f"{text} including element {v} of type {type(v)}"
            ) from None
    return tuple(int(v) for v in found)


def pair(value, name):
    """An int or two ints as a tuple of two."""
    return tuple_of(value, 2, name)


def padding_of(value, causal=True):
    """ "valid" or "same" ("causal" too if wanted), in lower case.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(value, list | tuple):
        return value
    found = value.lower()
    if found not in ("valid", "same") and not (causal and found == "causal"):
        more = ' (or "causal", only for `Conv1D)' if causal else ""
        raise ValueError(
            f'The `padding` argument must be one of "valid", "same"{more}. Received: '
            f"{found}"
        )
    return found


def plain_padding_of(value):
    """ "valid" or "same", as tf.layers has it; see `padding_of`."""
    return padding_of(value, causal=False)


def data_format_of(value):
    """ "channels_last" or "channels_first"; None = the default of the backend.

    Raises:
        ValueError: it is something else.
    """
    found = defaults.image_data_format() if value is None else value.lower()
    if found not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of "
            f'"channels_first", "channels_last". Received: {value}'
        )
    return found


def format_or_refused(value):
    """As `data_format_of`, with the text of the functions of the backend."""
    found = defaults.image_data_format() if value is None else value
    if found not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {found}")
    return found


def op_padding(value):
    """What ops call a padding: "VALID" or "SAME".

    Raises:
        ValueError: it is something else.
    """
    if value not in ("same", "valid"):
        raise ValueError(f"Invalid padding: {value}")
    return value.upper()


_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def op_format(data_format, rank=2):
    """What ops call a data format: "NHWC" or "NCHW", and for other numbers of axes."""
    return _FORMATS[rank][data_format == "channels_first"]


def in_full(sizes, data_format):
    """Sizes of the spatial axes as sizes of all axes."""
    return (1, 1, *sizes) if data_format == "channels_first" else (1, *sizes, 1)


def split_dims(dims, data_format):
    """(batch, spatial sizes, channels) of the sizes of an input."""
    if data_format == "channels_first":
        return dims[0], dims[2:], dims[1]
    return dims[0], dims[1:-1], dims[-1]


def joined_dims(batch, space, channels, data_format):
    """The opposite of `split_dims`."""
    if data_format == "channels_first":
        return [batch, channels, *space]
    return [batch, *space, channels]


def static_training(training):
    """`training` as True or False, or as a tensor where it is not known yet.

    Args:
        training: a bool, number, tensor, or None for the learning phase.
    """
    if training is None:
        training = defaults.learning_phase()
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
