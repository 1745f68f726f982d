"""What tensorflow.python.pywrap_tensorflow has of eager execution."""

from twinflow.base import dispatch, errors
from twinflow.base.op_lookup import known_op
from twinflow.compat.door.eager_core import _FallbackException
from twinflow.compat.door.executing import quick_execute
from twinflow.compat.door.generated import attributes_of
from twinflow.graph.graph_def.own import op_def

_BASE = 5  # the arguments before the inputs


def fast_path_execute(*given):
    """Carry out an op: TFE_Py_FastPathExecute.

    Args:
        given: the handle of the context, a device, the type of the op, a name, what is
            called with the results or None, the inputs, and names and values of
            attributes in turn.
    Returns:
        A tensor, or a list of them.
    Raises:
        ValueError, TypeError: there are too few of them, or one is of a wrong kind.
        core._FallbackException: the op takes them not so.
    """
    _check_count(given, _BASE, "at least 5 items in the input tuple")
    kind, name, callbacks = given[2:_BASE]
    if not isinstance(kind, str | bytes):
        raise TypeError(
            "expected a string for op_name, got " + type(kind).__name__ + " instead"
        )
    kind = kind if isinstance(kind, str) else kind.decode()
    op = known_op(kind)
    if op is None:
        raise _FallbackException(f"Unrecognized op: {kind}", errors.NOT_FOUND)
    count = _BASE + len(op_def(op).inputs)
    _check_count(
        given, count, "Tuple size smaller than intended. Expected to be at least "
        f"{count}, was {len(given)}",
    )  # fmt: skip
    inputs, pairs = given[_BASE:count], given[count:]
    values = dict(zip(pairs[::2], pairs[1::2]))
    found = _carried_out(op, inputs, values, name)
    for call in callbacks or ():
        flat = found if isinstance(found, list) else [found]
        call(kind, list(inputs), dict(values), flat, name)
    return found


def _check_count(given, least, text):
    if len(given) < least:
        if least == _BASE:
            text = (
                f"The input tuple has {len(given)} items, and there must be {text}: "
                "handle, device_name, op_name, name, callbacks"
            )
        raise ValueError(text)


def _carried_out(op, inputs, values, name):
    definition = op_def(op)
    for key in values:
        if key not in definition.attrs:
            text = f"Unrecognized attribute: {key}"
            raise _FallbackException(text, errors.INVALID_ARGUMENT)
    try:
        args = [list(x) if isinstance(x, tuple) else x for x in inputs]
        attrs = attributes_of(op, args, values, name)
        return dispatch.apply(op, args, attrs, name)
    except (errors.OpError, TypeError, ValueError) as error:
        code = getattr(error, "error_code", errors.INVALID_ARGUMENT)
        raise _FallbackException(str(error), code) from None


def execute(handle, device, op_name, inputs, attrs, num_outputs):
    """Carry out an op: TFE_Py_Execute. Returns a list of tensors."""
    return quick_execute(op_name, num_outputs, inputs, attrs, None)
