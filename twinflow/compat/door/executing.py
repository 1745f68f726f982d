"""tensorflow.python.eager.execute: an op by its name, with all that it needs."""

import numpy as np

from twinflow.base import dispatch, errors
from twinflow.base.dtypes import DType, as_dtype
from twinflow.base.op_defs import find
from twinflow.base.op_lookup import known_op
from twinflow.base.shapes import TensorShape
from twinflow.base.text import as_bytes
from twinflow.compat.door.generated import attributes_of
from twinflow.graph.graph_def.own import op_def


def quick_execute(op_name, num_outputs, inputs, attrs, ctx, name=None):
    """Carry out an op.

    Args:
        op_name: its type. num_outputs: how many there are at most. inputs: all tensors,
            one after another. attrs: names and values in turn, or None. ctx: accepted.
    Returns:
        A list of tensors.
    Raises:
        NotFoundError: there is no such op. InvalidArgumentError: it has no such
            attribute, or one of another kind, or more outputs.
    """
    kind = _text(op_name)
    if not isinstance(num_outputs, int):
        raise TypeError(
            f"an integer is required for num_outputs, not {type(num_outputs).__name__}"
        )
    op = known_op(kind)
    pairs = list(attrs or ())
    values = {_text(k): v for k, v in zip(pairs[::2], pairs[1::2])}
    definition = find(kind) if op is None else op_def(op)
    if definition is not None:
        _check_attributes(definition, values)
    if op is None:
        raise errors.NotFoundError(
            None, None, f"Op type not registered '{kind}' in binary. Make sure the Op "
            "and Kernel are registered in the binary running in this process.",
        )  # fmt: skip
    args = _grouped(op, list(inputs), values)
    found = dispatch.apply(op, args, attributes_of(op, args, values, name), name)
    found = found if isinstance(found, list) else [] if found is None else [found]
    if len(found) > num_outputs:
        raise errors.InvalidArgumentError(
            None, None, f"Expecting {len(found)} outputs, but *num_retvals is "
            f"{num_outputs}",
        )  # fmt: skip
    return found


_KINDS = {
    "string": str | bytes, "int": int | np.integer, "float": float | int | np.floating,
    "bool": bool | int, "type": int | DType,
    "shape": list | tuple | TensorShape | None,
}  # fmt: skip


def _check_attributes(definition, values):
    for name, value in values.items():
        attr = definition.attrs.get(name)
        if attr is None:
            _refuse(f"Unknown attr '{name}' of '{definition.name}'")
        kind = attr.type.removeprefix("list(").removesuffix(")")
        several = attr.type != kind
        if several and not isinstance(value, list | tuple):
            _refuse(f"Expecting a list for attr {name}, got {type(value).__name__}")
        known = _KINDS.get(kind, object)
        for v in value if several else [value]:
            if not isinstance(v, known):
                _refuse(
                    f"Expecting {kind} value for attr {name}, got {type(v).__name__}"
                )


def _refuse(text):
    raise errors.InvalidArgumentError(None, None, text)


execute = execute_with_callbacks = quick_execute


def _text(name):
    return name.decode() if isinstance(name, bytes) else name


def _grouped(op, inputs, values):
    """The inputs as the op has them: those of one list together."""
    found = []
    for ours, arg in zip(op.sig.inputs, op_def(op).inputs):
        size = values.get(arg.number_attr) if arg.number_attr else None
        if arg.list_attr:
            size = len(values.get(arg.list_attr) or ()) or len(inputs)
        if ours.is_list:
            size = len(inputs) if size is None else size
            found.append(inputs[:size])
            del inputs[:size]
        else:
            found.append(inputs.pop(0))
    return found


def _made(kind, convert):
    def make(v, arg_name):
        try:
            return convert(v)
        except (TypeError, ValueError) as error:
            text = f"Expected {kind} for argument '{arg_name}' not {v!r}."
            raise type(error)(text) from None

    make.__doc__ = f"An attribute that is a {kind}. Raises TypeError or ValueError."
    return make


def _int(v):
    if isinstance(v, str):
        raise TypeError
    return int(v)


def _bool(v):
    if not isinstance(v, bool):
        raise TypeError
    return v


def _str(v):
    if not isinstance(v, str | bytes):
        raise TypeError
    return as_bytes(v)


def _shape(v):
    return TensorShape(v).tuple


make_float = _made("float", float)
make_int = _made("int", _int)
make_bool = _made("bool", _bool)
make_str = _made("string", _str)
make_shape = _made("TensorShape", _shape)
make_type = _made("DataType", lambda v: as_dtype(v).base_dtype)
