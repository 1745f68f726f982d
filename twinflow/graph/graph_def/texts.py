"""NodeDefs and OpDefs in one line, as TensorFlow's errors show them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Shape
from twinflow.base.dtypes import cpp_name
from twinflow.base.op_defs import NO_DEFAULT
from twinflow.formats import attr_values, protos
from twinflow.formats.tensor_proto import from_proto
from twinflow.ops.debugging.summarize import element, summarize

_LONG = 80  # characters of a string that are shown
_MANY = 15  # values of a list, of which some are left out


def type_name(dtype: dtypes.DType) -> str:
    """What C++ calls a type: float for tf.float32."""
    return cpp_name(dtype.base_dtype) + "_ref" * dtype._is_ref_dtype


def node(node_def: Any) -> str:
    """`{{node b}} = Neg[T=DT_FLOAT](a)`."""
    attrs = [f"{k}={attr(v)}" for k, v in sorted(node_def.attr.items())]
    if node_def.device:
        attrs.append(f'_device="{node_def.device}"')
    inputs = ", ".join(node_def.input)
    return f"{{{{node {node_def.name}}}}} = {node_def.op}[{', '.join(attrs)}]({inputs})"


def attr(proto: Any) -> str:
    """The value of an AttrValue."""
    which = proto.WhichOneof("value")
    if which is None:
        return "<Unknown AttrValue type>"
    if which == "list":
        return _listed(proto.list)
    return _value(getattr(proto, which), which)


def _listed(values: Any) -> str:
    for descriptor, found in values.ListFields():
        texts = [_value(v, descriptor.name) for v in found]
        if len(texts) >= _MANY:
            texts = [*texts[:5], "...", *texts[-5:]]
        return f"[{', '.join(texts)}]"
    return "[]"


def _value(value: Any, field: str) -> str:
    if field == "s":
        return quoted(value)
    if field == "b":
        return str(value).lower()
    if field == "type":
        return protos.DataType.Name(value)
    if field == "shape":
        return _shape(attr_values.shape_of(value))
    if field == "tensor":
        return _tensor(value)
    if field == "f":
        return element(np.float32(value))
    if field == "func":
        inner = [f"{k}={attr(v)}" for k, v in sorted(value.attr.items())]
        return f"{value.name}[{', '.join(inner)}]"
    return f"${value}" if field == "placeholder" else str(value)


def quoted(value: bytes) -> str:
    """A string in quotes; of a long one the ends."""
    text = element(value if isinstance(value, bytes) else str(value).encode())
    if len(text) >= _LONG:
        text = f"{text[:10]}...{text[-10:]}"
    return f'"{text}"'


def _shape(dims: Shape) -> str:
    if dims is None:
        return "<unknown>"
    return f"[{','.join('?' if d is None else str(d) for d in dims)}]"


def _tensor(proto: Any) -> str:
    try:
        array = from_proto(proto)
    except (TypeError, ValueError):
        return "<Invalid TensorProto>"
    kind = type_name(dtypes.as_dtype(proto.dtype))
    dims = ",".join(map(str, array.shape))
    return f"Tensor<type: {kind} shape: [{dims}] values: {summarize(array, 3)}>"


def op(found: Any) -> str:
    """`Op<name=Neg; signature=x:T -> y:T; attr=T:type,allowed=[...]>`."""
    ins, outs = (", ".join(map(_arg, a)) for a in (found.inputs, found.outputs))
    parts = [f"name={found.name}", f"signature={ins} -> {outs}"]
    parts += [f"attr={_attr_def(a)}" for a in found.attrs.values()]
    words = {"stateful": "is_stateful", "commutative": "is_commutative",
             "aggregate": "is_aggregate",
             "uninitialized": "allows_uninitialized_input"}  # fmt: skip
    order = ("commutative", "aggregate", "stateful", "uninitialized")
    parts += [f"{words[flag]}=true" for flag in order if flag in found.flags]
    return f"Op<{'; '.join(parts)}>"


def _arg(arg: Any) -> Any:
    kind = arg.type_attr or arg.list_attr
    kind = kind or protos.DataType.Name(arg.dtype.as_datatype_enum).removeprefix("DT_")
    kind = kind if arg.type_attr or arg.list_attr else kind.lower()
    number = f"{arg.number_attr}*" if arg.number_attr else ""
    return f"{arg.name}:{number}" + (f"Ref({kind})" if arg.is_ref else kind)


def _attr_def(a: Any) -> Any:
    text = f"{a.name}:{a.type}"
    if a.default is not NO_DEFAULT:
        text += f",default={attr(attr_values.to_proto(a.default, a.type))}"
    if a.minimum is not None:
        text += f",min={a.minimum}"
    if a.allowed:
        kind = a.type.removeprefix("list(").removesuffix(")")
        listed = attr_values.to_proto(a.allowed, f"list({kind})")
        text += f",allowed={attr(listed)}"
    return text
