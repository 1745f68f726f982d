"""Arguments and results of functions as SavedModels of TensorFlow 2 describe them."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes, nest
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor_spec import TensorSpec
from twinflow.formats.tensor_proto import make_ndarray


class Unknown:
    """A value of a kind that twinflow has not: sparse and ragged specs, and others."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"<{self.what}>"


def value_of(proto: Any) -> Any:
    """The Python value of a StructuredValue; TensorSpecs stand for tensors."""
    kind = proto.WhichOneof("kind")
    if kind is None or kind == "none_value":
        return None
    found = getattr(proto, kind)
    read = _READERS.get(kind)
    if read is None:
        name = getattr(found, "type_spec_class_name", "") or kind
        return Unknown(name)
    return read(found)


def _named(found: Any) -> Any:
    return {pair.key: value_of(pair.value) for pair in found.values}


def _spec(found: Any) -> TensorSpec:
    dtype = dtypes.as_dtype(found.dtype)
    return TensorSpec(TensorShape(found.shape), dtype, found.name or None)


_READERS: dict[str, Callable] = {
    "float64_value": float,
    "int64_value": int,
    "string_value": str,
    "bool_value": bool,
    "tensor_shape_value": TensorShape,
    "tensor_dtype_value": dtypes.as_dtype,
    "tensor_spec_value": _spec,
    "bounded_tensor_spec_value": _spec,
    "list_value": lambda found: [value_of(v) for v in found.values],
    "tuple_value": lambda found: tuple(value_of(v) for v in found.values),
    "dict_value": lambda found: {
        k: value_of(found.fields[k]) for k in sorted(found.fields)
    },
    "named_tuple_value": _named,
    "tensor_value": make_ndarray,
    "numpy_value": make_ndarray,
}


def packed(like: Any, tensors: list) -> Any:
    """Tensors in a structure of TensorSpecs, None and plain values."""
    left = iter(tensors)
    flat = nest.flatten(like)
    made = [next(left) if isinstance(x, TensorSpec) else x for x in flat]
    return nest.pack_sequence_as(like, made) if nest.is_sequence(like) else made[0]
