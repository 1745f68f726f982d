"""The types that the inputs of an op may have, and TensorFlow's texts for others."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes, op_defs
from twinflow.base.advice import advised
from twinflow.base.text import brief

if TYPE_CHECKING:
    from twinflow.base.op import Op
    from twinflow.base.signature import Arg


def _allowed_text(op: Any, attr: Any, allowed: Any) -> Any:
    """The names of the allowed types, in TensorFlow's order where it has the op."""
    known = op_defs.find(op.type)
    listed = known.attrs[attr].allowed if known and attr in known.attrs else ()
    listed = [t for t in listed if t in allowed or t.is_quantized]
    return ", ".join(t.name for t in listed) if listed else _listed(allowed)


def check(op: "Op", types: dict[str, dtypes.DType]) -> None:
    """Refuse what a type attribute may not be.

    Raises:
        TypeError: it is none of the allowed types.
    """
    for attr, allowed in op.types.items():
        found = types.get(attr)
        if found is not None and found not in allowed:
            name = _first_arg(op, attr)
            error = advised(TypeError, _refused(op, name, attr, found))
            error.add_note(f"The op is {op.type}.")
            raise error


def _refused(op: "Op", name: str, attr: str, found: dtypes.DType) -> str:
    """TensorFlow's text for a parameter of a type that is not allowed."""
    return (
        f"Value passed to parameter '{name}' has DataType {found.name} not in list of "
        f"allowed values: {_allowed_text(op, attr, op.types[attr])}"
    )


_ANY_NUMBER = [
    "float32",
    "float64",
    "int32",
    "uint8",
    "int16",
    "int8",
    "complex64",
    "int64",
    "qint8",
    "quint8",
    "qint32",
    "bfloat16",
    "uint16",
    "complex128",
    "float16",
    "uint32",
    "uint64",
    "bool",
    "string",
]
_SOME_NUMBERS = [
    "bfloat16",
    "float16",
    "float32",
    "float64",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "complex64",
    "complex128",
    "string",
    "bool",
]


def _listed(allowed: Any) -> str:
    """The names of types in the order of TensorFlow's OpDefs."""
    names = [t.name for t in allowed]
    if isinstance(allowed, tuple):
        return ", ".join(names)
    if "complex64" in names and "uint32" in names:  # any number: quantized ones too
        names += ["qint8", "quint8", "qint32"]
    order = _ANY_NUMBER if "uint32" in names else _SOME_NUMBERS
    return ", ".join(n for n in order if n in names)


def _first_arg(op: Any, attr: Any) -> Any:
    return next((a.name for a in op.sig.inputs if a.type_attr == attr), attr)


def floats(value: Any) -> bool:
    """Whether a host value is made of floats, of one axis where it is a sequence."""
    kind = type(value)
    if kind is int:
        return False
    if kind is list or kind is tuple:
        return float in map(type, value)
    return kind is float or getattr(value, "dtype", np.int32) in _FLOATS


_FLOATS = (np.float64, np.float32, np.float16)


_LISTS = (list, tuple)


def whole(op: "Op", arg: "Arg", value: Any) -> Any:
    """A host value; whole numbers where it has floats and the op takes none.

    As TensorFlow does, an array of NumPy is cut off where the type has a default or is
    fixed; nothing else is.

    Args:
        op: the Op. arg: the input. value: what was given.
    Raises:
        TypeError: the op takes no floats there.
    """
    if type(value) in _LISTS and any(v is None for v in value):
        raise advised(
            TypeError,
            f"Failed to convert object of type {type(value)} to Tensor. Contents: "
            f"{brief(str(value))}. Consider casting elements to a supported type.",
        )
    if not floats(value) or getattr(value, "size", 1) == 0:
        return value
    kinds = op.types.get(arg.type_attr, ()) if arg.type_attr else (arg.dtype,)
    if not kinds or not all(d is not None and d.is_integer for d in kinds):
        return value
    given = isinstance(value, np.ndarray | np.generic)
    wanted = _default(op, arg)
    if given and wanted is not None:
        return np.asarray(value).astype(wanted.as_numpy_dtype)
    if arg.type_attr:
        kind = dtypes.as_dtype(value.dtype) if given else dtypes.float32
        raise TypeError(_refused(op, arg.name, arg.type_attr, kind))
    raise TypeError(
        f"Expected {wanted and wanted.name} passed to parameter '{arg.name}' of op "
        f"'{op.type}', got {brief(repr(value))} of type '{type(value).__name__}' "
        "instead."
    )


def _default(op: "Op", arg: "Arg") -> dtypes.DType | None:
    if arg.type_attr is None:
        return arg.dtype
    known = op_defs.find(op.type)
    attr = known.attrs.get(arg.type_attr) if known else None
    found = attr.default if attr else None
    return found if isinstance(found, dtypes.DType) else None
