"""OpDefs of the ops that only twinflow has, from their signatures.

A GraphDef with such nodes is read by twinflow alone; gradients hold some.
"""

from typing import Any

from twinflow.base import dtypes, op_defs
from twinflow.base.op import Op
from twinflow.base.signature import Arg

_KINDS = {
    bool: "bool", int: "int", float: "float", str: "string", dtypes.DType: "type",
}  # fmt: skip


def op_def(op: Op) -> op_defs.OpDef:
    """TensorFlow's OpDef of an Op, or one by its signature."""
    return op_defs.find(op.type) or _made(op)


def _made(op: Op) -> op_defs.OpDef:
    args = (*op.sig.inputs, *op.sig.outputs)
    attrs = {}
    for arg in args:
        if arg.type_attr and arg.type_attr not in op.sig.attrs:
            kind = "list(type)" if arg.mixed else "type"
            attrs[arg.type_attr] = _attr(arg.type_attr, kind, op_defs.NO_DEFAULT)
    if any(a.is_list and not a.mixed for a in args):
        attrs["N"] = _attr("N", "int", op_defs.NO_DEFAULT)
    for name, default in op.sig.attrs.items():
        kind = _kind(name, default)
        if kind is not None:
            attrs[name] = _attr(name, kind, default)
    ins, outs = (tuple(map(_arg, a)) for a in (op.sig.inputs, op.sig.outputs))
    flags = ("stateful",) if op.stateful else ()
    return op_defs.OpDef(op.type, ins, outs, attrs, flags, None)


def _attr(name: str, kind: Any, default: Any) -> Any:
    return op_defs.Attr(name, kind, default, (), None)


def _kind(name: str, default: Any) -> Any:
    """The type of an attribute by its default; None = it stays in this process."""
    if name == "shape":
        return "shape"
    if isinstance(default, tuple):
        kind = _KINDS.get(type(default[0])) if default else None
        return kind and f"list({kind})"
    return _KINDS.get(type(default))


def _arg(arg: Arg) -> op_defs.Arg:
    number = "N" if arg.is_list and not arg.mixed else ""
    named = arg.type_attr or ""
    one, several = ("", named) if arg.mixed else (named, "")
    return op_defs.Arg(arg.name, arg.dtype, one, number, several, arg.ref)
