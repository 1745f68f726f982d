"""What image ops ask of their inputs, by their shapes and host values alone."""

import numpy as np

from twinflow.base.op import InferError
from twinflow.ops.core.infer import dim_is, ints, ranked, text


def by_shape(check, strict=True):
    """The facts of an op whose check reads shapes and host values, no data.

    The check has TensorFlow's words of running, infer those of building a graph.

    Args:
        check: ``(*arrays, **attrs) -> message or None``. strict: see base.op.
    """

    def guard(xp):
        return lambda *args, **attrs: xp.bool_(check(*args, **attrs) is None)

    return {"check": check, "guard": guard, "strict": strict}


def pair(value):
    """A host vector of two as a tuple, with None for what is not known."""
    if value is None:
        return None, None
    found = (len(value),) if type(value) is tuple else np.shape(value)
    dim_is(ranked(found, 1)[0], 2)
    return tuple(None if n is None or n < 0 else n for n in ints(value))


def wrong_rank(x, rank, what):
    """The message where an array has not `rank` axes: `what` and its shape."""
    return None if x.ndim == rank else f"{what}{text(x.shape)}"


def wrong_boxes(boxes):
    """The message where an array is no list of boxes, each of 4 numbers."""
    wrong = wrong_rank(boxes, 2, "boxes must be 2-D")
    return wrong or (None if boxes.shape[1] == 4 else "boxes must have 4 columns")


def first(*messages):
    """The first that is not None."""
    return next((m for m in messages if m), None)


def no_slope(kind):
    """A gradient rule of an op that has no gradient in TensorFlow 1.12 either."""

    def rule(dy):
        raise LookupError(
            f"No gradient defined for operation '{kind}' (op type: {kind}). Put "
            "tf.stop_gradient around its result, or use another op."
        )

    return rule


def infer_decoded(contents, channels=0, **_):
    """The shape of an image file's pixels."""
    ranked(contents._shape, 0)
    if channels < 0:
        raise InferError(f"channels must be non-negative, got {channels}")
    return (None, None, channels or None)


def check_contents(contents, *_, **__):
    """The message where the bytes of a file are no string scalar."""
    found = np.shape(contents)
    return f"contents must be scalar, got shape {text(found)}" if found else None


def whole_bytes(contents):
    """The bytes in a string scalar."""
    return np.asarray(contents).item()


def as_text(value):
    """An attribute, given as str or bytes, as str."""
    return value.decode() if isinstance(value, bytes) else value
