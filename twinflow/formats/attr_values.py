"""Attributes of ops as AttrValues, and back; OpDefs as protocol buffers.

Here attributes are what kernels take: text, numbers, DTypes, shapes as tuples of int or
None (None = unknown rank), arrays, and tuples of these.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.op_defs import NO_DEFAULT
from twinflow.base.shapes import TensorShape
from twinflow.base.text import as_bytes
from twinflow.formats import protos
from twinflow.formats.tensor_proto import from_proto as array_of
from twinflow.formats.tensor_proto import to_proto as tensor_of

_FIELDS = {
    "string": "s", "int": "i", "float": "f", "bool": "b", "type": "type",
    "shape": "shape", "tensor": "tensor", "func": "func",
}  # fmt: skip
_BY_FIELD = {field: kind for kind, field in _FIELDS.items()}


def shape_proto(shape: Any) -> Any:
    """The TensorShapeProto of anything that says a shape."""
    dims = TensorShape(shape).tuple
    proto = protos.TensorShapeProto(unknown_rank=dims is None)
    for d in dims or ():
        proto.dim.add(size=-1 if d is None else d)
    return proto


def shape_of(proto):
    """The shape of a TensorShapeProto: a tuple, or None."""
    if proto.unknown_rank:
        return None
    return tuple(None if d.size < 0 else d.size for d in proto.dim)


def to_proto(value, kind):
    """The AttrValue of a value.

    Args:
        value: the attribute. kind: its type in OpDefs, as "list(int)".
    """
    proto = protos.AttrValue()
    if kind.startswith("list("):
        kind = kind[5:-1]
        proto.list.SetInParent()
        getattr(proto.list, _FIELDS[kind]).extend(_plain(v, kind) for v in value or ())
    elif kind in ("shape", "tensor", "func"):
        getattr(proto, _FIELDS[kind]).CopyFrom(_plain(value, kind))
    else:
        setattr(proto, _FIELDS[kind], _plain(value, kind))
    return proto


def _plain(value, kind):
    if kind == "string":
        return as_bytes(value)
    if kind == "type":
        return dtypes.as_dtype(value).as_datatype_enum
    if kind == "shape":
        return shape_proto(value)
    if kind == "tensor":
        return _tensor(value)
    if kind == "func":
        value = getattr(value, "named", value)  # of a LibraryFunction
        named = isinstance(value, protos.NameAttrList)
        return value if named else protos.NameAttrList(name=value)
    return {"int": int, "float": float, "bool": bool}[kind](value)


def _tensor(value):
    if isinstance(value, protos.TensorProto):
        return value
    array = np.asarray(value, np.uint8) if isinstance(value, tuple) else value
    return tensor_of(array, dtypes.as_dtype(array.dtype))


def kind_of(proto):
    """The type of the value that an AttrValue holds, or None if there is none."""
    which = proto.WhichOneof("value")
    if which != "list":
        return _BY_FIELD.get(which)
    filled = [field for field in _BY_FIELD if len(getattr(proto.list, field))]
    return f"list({_BY_FIELD[filled[0]]})" if filled else "list(any)"


def from_proto(proto, kind):
    """The value of an AttrValue that is of type `kind`."""
    if not kind.startswith("list("):
        return _value(getattr(proto, _FIELDS[kind]), kind)
    kind = kind[5:-1]
    return tuple(_value(v, kind) for v in getattr(proto.list, _FIELDS[kind]))


def _value(found, kind):
    if kind == "string":
        return _text(found)
    if kind == "type":
        return dtypes.as_dtype(found)
    if kind == "shape":
        return shape_of(found)
    if kind == "tensor":
        return array_of(found)
    if kind == "float":  # 0.001 and not 0.0010000000474974513
        return float(str(np.float32(found)))
    return found


def _text(found):
    try:
        return found.decode()
    except UnicodeDecodeError:
        return found


def op_def_proto(found):
    """The OpDef message of an entry of base.op_defs."""
    proto = protos.OpDef(
        name=found.name,
        is_stateful="stateful" in found.flags,
        is_commutative="commutative" in found.flags,
        is_aggregate="aggregate" in found.flags,
        allows_uninitialized_input="uninitialized" in found.flags,
    )
    proto.input_arg.extend(map(_arg_proto, found.inputs))
    proto.output_arg.extend(map(_arg_proto, found.outputs))
    proto.attr.extend(map(_attr_proto, found.attrs.values()))
    if found.removed:
        version, text = found.removed
        proto.deprecation.version, proto.deprecation.explanation = version, text
    return proto


def _arg_proto(arg):
    return protos.OpDef.ArgDef(
        name=arg.name, type_attr=arg.type_attr, number_attr=arg.number_attr,
        type_list_attr=arg.list_attr, is_ref=arg.is_ref,
        type=arg.dtype.as_datatype_enum if arg.dtype else 0,
    )  # fmt: skip


def _attr_proto(attr):
    proto = protos.OpDef.AttrDef(name=attr.name, type=attr.type)
    if attr.default is not NO_DEFAULT:
        proto.default_value.CopyFrom(to_proto(attr.default, attr.type))
    if attr.allowed:
        kind = attr.type.removeprefix("list(").removesuffix(")")
        proto.allowed_values.CopyFrom(to_proto(attr.allowed, f"list({kind})"))
    if attr.minimum is not None:
        proto.has_minimum, proto.minimum = True, attr.minimum
    return proto
