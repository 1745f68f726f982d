"""tensorflow.python.eager.execute: an op by its name, with all that it needs."""

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype
from twinflow.base.op_lookup import known_op
from twinflow.base.shapes import TensorShape
from twinflow.base.text import as_bytes
from twinflow.compat.door.generated import attributes_of
from twinflow.graph.graph_def.own import op_def


def quick_execute(op_name, num_outputs, inputs, attrs, ctx, name=None):
    """Carry out an op.

    Args:
        op_name: its type. num_outputs: accepted. inputs: all tensors, one after
            another. attrs: names and values in turn, or None. ctx: accepted.
    Returns:
        A list of tensors.
    Raises:
        LookupError: there is no such op.
    """
    kind = op_name.decode() if isinstance(op_name, bytes) else op_name
    op = known_op(kind)
    if op is None:
        raise LookupError(f"'{kind}' is no op of twinflow")
    pairs = list(attrs or ())
    values = {_text(k): v for k, v in zip(pairs[::2], pairs[1::2])}
    args = _grouped(op, list(inputs), values)
    found = dispatch.apply(op, args, attributes_of(op, args, values, name), name)
    return found if isinstance(found, list) else [] if found is None else [found]


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
