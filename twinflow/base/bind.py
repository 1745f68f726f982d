"""The dtype rules of a call: the same checks in both modes.

Inputs that share a type attribute must agree in dtype; Python values take the dtype of
the tensors beside them.
"""

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor, TensorLike


class Mismatch(TypeError):
    """Inputs of one type attribute with two dtypes: `place`, `wanted`, `found`."""

    def __init__(self, place, wanted, found, first):
        super().__init__(place, wanted, found)
        self.place, self.wanted, self.found, self.first = place, wanted, found, first


def bind(op, inputs, attrs, convert, convert_host):
    """Convert the inputs of a call to tensors.

    Args:
        op: the Op.
        inputs: one entry per input of the signature.
        attrs: all attributes of the call.
        convert: ``(value, dtype or None, name) -> tensor`` of the mode.
        convert_host: ``(value, name, dtype) -> value`` of the mode.
    Returns:
        (list of tensors and host values, dict of the type attributes)
    Raises:
        Mismatch, TypeError: see base.bind and `_check_allowed`.
    """
    args = op.sig.inputs
    if len(inputs) != len(args):
        raise TypeError(
            f"{op.type} takes {len(args)} inputs ({', '.join(a.name for a in args)}), "
            f"got {len(inputs)}."
        )
    types = {k: v for k, v in attrs.items() if isinstance(v, dtypes.DType)}
    _types_of_tensors(args, inputs, types)
    out = []
    for place, (arg, value) in enumerate(zip(args, inputs, strict=True)):
        if arg.host:
            out.append(
                convert_host(value, arg.name, types.get(arg.type_attr, arg.dtype))
            )
        elif arg.mixed:
            out.append([convert(v, None, arg.name) for v in value])
            types[arg.type_attr] = tuple(t.dtype.base_dtype for t in out[-1])
        elif arg.is_list:
            out.append([_one(arg, v, types, convert, place) for v in value])
        else:
            out.append(_one(arg, value, types, convert, place))
    _check_allowed(op, types)
    return out, types


def _types_of_tensors(args, inputs, types):
    """The first tensor of each type attribute decides."""
    for arg, value in zip(args, inputs, strict=True):
        attr = arg.type_attr
        if attr is None or arg.host or arg.mixed or attr in types:
            continue
        for v in value if arg.is_list else (value,):
            if isinstance(v, Tensor | TensorLike):
                types[attr] = v.dtype.base_dtype
                break


def _one(arg, value, types, convert, place):
    attr = arg.type_attr
    wanted = types.get(attr) if attr else arg.dtype
    if isinstance(value, Tensor | TensorLike):
        found = value.dtype.base_dtype
        if wanted is not None and found is not wanted and wanted is not dtypes.resource:
            raise Mismatch(place, wanted, found, arg.name)
        return convert(value, None, arg.name)
    t = convert(value, wanted, arg.name)
    if attr and wanted is None:
        types[attr] = t.dtype
    return t


def _check_allowed(op, types):
    for attr, allowed in op.types.items():
        found = types.get(attr)
        if found is not None and found not in allowed:
            names = ", ".join(sorted(t.name for t in allowed if not t.is_quantized))
            raise TypeError(
                f"Value passed to parameter '{_first_arg(op, attr)}' has DataType "
                f"{found.name} not in list of allowed values: {names}"
            )


def _first_arg(op, attr):
    return next((a.name for a in op.sig.inputs if a.type_attr == attr), attr)


def output_dtypes(op, types, count=None):
    """The dtype of each output (`count` of them where the output is a list)."""
    out = []
    for arg in op.sig.outputs:
        dtype = types[arg.type_attr] if arg.type_attr else arg.dtype
        many = dtype if arg.mixed else [dtype] * (count if arg.is_list else 1)
        out.extend(many)
    return out
