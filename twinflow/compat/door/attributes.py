"""tensorflow.python.eager.backprop: attributes of ops as gradient rules see them."""

from twinflow.base.dtypes import as_dtype
from twinflow.base.op_defs import find
from twinflow.base.shapes import TensorShape

(
    TF_ATTR_STRING, TF_ATTR_INT, TF_ATTR_FLOAT, TF_ATTR_BOOL, TF_ATTR_TYPE,
    TF_ATTR_SHAPE, TF_ATTR_TENSOR, TF_ATTR_PLACEHOLDER, TF_ATTR_FUNC,
) = range(9)  # fmt: skip
_KINDS = {
    "string": TF_ATTR_STRING, "int": TF_ATTR_INT, "float": TF_ATTR_FLOAT,
    "bool": TF_ATTR_BOOL, "type": TF_ATTR_TYPE, "shape": TF_ATTR_SHAPE,
    "tensor": TF_ATTR_TENSOR, "func": TF_ATTR_FUNC,
}  # fmt: skip


def op_attr_type(op_type, attr_name):
    """The type of an attribute, as a number; in a list if it is one of a list."""
    kind = find(op_type).attrs[attr_name].type
    if kind.startswith("list("):
        return [_KINDS[kind[5:-1]]]
    return _KINDS[kind]


def make_attr(attr_type, value):
    """An attribute as gradient rules take it: types as DTypes, shapes as messages."""
    if isinstance(attr_type, list):
        return [make_attr(attr_type[0], v) for v in value]
    if attr_type == TF_ATTR_TYPE:
        return as_dtype(value)
    return TensorShape(value).as_proto() if attr_type == TF_ATTR_SHAPE else value
