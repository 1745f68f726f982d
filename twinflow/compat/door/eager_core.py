"""tensorflow.python.eager.core and the calls of its C library that tests make."""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.eager.tensor import EagerTensor as Value
from twinflow.ops.core.constant import cast, constant, convert_to_tensor


class _NotOkStatusException(Exception):
    """A status of the C library that is an error."""

    def __init__(self, message, code):
        super().__init__()
        self.message, self.code = message, code


class _FallbackException(Exception):
    """What a faster call raises where the usual one is to be tried."""


def _status_to_exception(code, message):
    """The error of a code."""
    return errors.exception_type_from_error_code(code)(None, None, message)


def register_exception_class(kind):
    """Accept a class of errors.

    Raises:
        TypeError: it is none.
    """
    if not issubclass(kind, Exception):
        raise TypeError("TFE_Py_RegisterExceptionClass: Registered class should be "
                        "subclass of Exception.")  # fmt: skip


class _Called(type):
    """EagerTensor as a class that makes the values of this house."""

    def __instancecheck__(cls, value):
        return isinstance(value, Value)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, Value)

    def __call__(cls, value, context=None, device=None, dtype=None):
        for place, (name, given) in enumerate(
            [("context", context), ("device", device)], 2
        ):
            if given is None:
                raise TypeError(f"Required argument '{name}' (pos {place}) not found")
        if dtype is not None and not isinstance(dtype, int):
            raise TypeError(
                f"Expecting a DataType value for dtype. Got {type(dtype).__name__}"
            )
        return _made(value, dtype)

    def __dir__(cls):
        return dir(Value)

    def __getattr__(cls, name):
        return getattr(Value, name)


def _made(value, dtype):
    if dtype is None:
        return constant(value)
    try:
        kind = dtypes.as_dtype(dtype)
    except TypeError:
        raise TypeError(f"Invalid dtype argument value {dtype}") from None
    typed = isinstance(value, np.ndarray | np.generic | Value)
    return cast(constant(value), kind) if typed else constant(value, kind)


class EagerTensor(metaclass=_Called):
    """A value that is here now: `EagerTensor(value, context, device, dtype)`."""


def tensor_shape_slice(tensors, slice_dim):
    """The sizes of one axis of each tensor, as a tensor.

    Raises:
        TypeError, ValueError, IndexError: an argument is of a wrong kind.
    """
    if not isinstance(tensors, list | tuple):
        raise TypeError(
            "tensors argument must be a list or a tuple. Got "
            f'"{type(tensors).__name__}"'
        )
    if slice_dim < 0:
        raise ValueError(f"Slice dimension must be non-negative. Got {slice_dim}")
    for i, t in enumerate(tensors):
        if not isinstance(t, Value):
            raise TypeError(
                f"Expected a list of EagerTensors but element {i} has type "
                f'"{type(t).__name__}"'
            )
        if slice_dim >= t.ndim:
            raise IndexError(
                f"Slice dimension ({slice_dim}) must be smaller than rank of all "
                f"tensors, but tensor at index {i} has rank {t.ndim}"
            )
    return constant([t.shape.as_list()[slice_dim] for t in tensors], dtypes.int32)


def convert_to_mixed_eager_tensors(values, ctx=None):
    """The dtypes and the tensors of values of several dtypes."""
    found = [convert_to_tensor(v) for v in values]
    return [t.dtype for t in found], found
