"""What one NodeDef must fulfil, with TensorFlow's texts."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.op import Op
from twinflow.base.op_defs import NO_DEFAULT, Attr
from twinflow.formats import attr_values, protos
from twinflow.graph.graph_def import newer, texts
from twinflow.graph.graph_def.own import op_def


class NodeChecks:
    """The checks of one NodeDef that becomes a node.

    Args:
        node_def: the NodeDef. op: the Op. name: of the node in its graph. scope: the
            prefix of all names. producer: {op type: OpDef message} of the program that
            wrote the GraphDef.
    """

    def __init__(
        self, node_def: Any, op: Op, name: str, scope: str, producer: dict
    ) -> None:
        self.node_def, self.op, self.found = node_def, op, op_def(op)
        self.name, self.scope, self.producer = name, scope, producer

    def _node(self) -> Any:
        """The NodeDef with its defaults and the names of this graph, as text."""
        shown = protos.NodeDef()
        shown.CopyFrom(self.node_def)
        shown.name = self.name
        for i, text in enumerate(shown.input):
            caret = "^" if text.startswith("^") else ""
            shown.input[i] = f"{caret}{self.scope}{text.removeprefix('^')}"
        for attr in self.found.attrs.values():
            if attr.name not in shown.attr and attr.default is not NO_DEFAULT:
                default = attr_values.to_proto(attr.default, attr.type)
                shown.attr[attr.name].CopyFrom(default)
        return texts.node(shown)

    def _about(self) -> str:
        return f"\n\t; NodeDef: {self._node()}; {texts.op(self.found)}"

    # ------------------------------------------------------------------ attributes
    def attrs(self) -> dict:
        """The attributes as kernels take them, defaults included.

        Raises:
            ValueError: one is missing, not known, or has a value that it may not have.
        """
        found, values, given = self.found, {}, self.node_def.attr
        for name, proto in given.items():
            known = name in found.attrs or name.startswith("_")
            if not known and not self._dropped(name, proto):
                raise ValueError(
                    f"NodeDef mentions attr '{name}' not in {texts.op(found)}; "
                    f"NodeDef: {self._node()}. (Check whether your "
                    "GraphDef-interpreting binary is up to date with your "
                    "GraphDef-generating binary.)."
                )
        for attr in found.attrs.values():
            if attr.name in given:
                values[attr.name] = self._value(given[attr.name], attr)
            elif attr.default is not NO_DEFAULT:
                values[attr.name] = attr.default
            else:
                raise ValueError(
                    f"NodeDef missing attr '{attr.name}' from {texts.op(found)}; "
                    f"NodeDef: {self._node()}"
                )
        return values

    def _dropped(self, name: str, proto: Any) -> bool:
        """Whether an attribute has a default of the version that wrote it."""
        listed = self.producer.get(self.node_def.op)
        if listed is not None and any(
            a.name == name and a.default_value == proto for a in listed.attr
        ):
            return True
        return newer.is_dropped(self.node_def.op, name, proto)

    def _value(self, proto: Any, attr: Attr) -> Any:
        kind, several = attr_values.kind_of(proto), attr.type.startswith("list(")
        if kind != attr.type and not (several and kind == "list(any)"):
            raise ValueError(
                f"AttrValue had value with type '{kind}' when '{attr.type}' expected"
                f"\n\t for attr '{attr.name}'{self._about()}"
            )
        value = attr_values.from_proto(proto, attr.type)
        if attr.allowed:
            self._check_allowed(attr, value if several else (value,))
        if attr.minimum is not None:
            self._check_minimum(attr, value)
        return value

    def _check_allowed(self, attr: Attr, values: tuple[dtypes.DType, ...]) -> None:
        ours = self.op.types.get(attr.name, ())  # some kernels of ours take more types
        for v in values:
            if v not in attr.allowed and v not in ours:
                raise advised(
                    ValueError,
                    f"Value for attr '{attr.name}' of {_plain(v)} is not in the list "
                    f"of allowed values: {', '.join(map(_plain, attr.allowed))}"
                    f"{self._about()}",
                )

    def _check_minimum(self, attr: Any, value: Any) -> None:
        if isinstance(value, tuple) and len(value) < attr.minimum:
            raise ValueError(
                f"Length for attr '{attr.name}' of {len(value)} must be at least "
                f"minimum {attr.minimum}{self._about()}"
            )
        if isinstance(value, int) and value < attr.minimum:
            raise ValueError(
                f"Value for attr '{attr.name}' of {value} must be at least minimum "
                f"{attr.minimum}{self._about()}"
            )

    # ------------------------------------------------------------------ inputs
    def args(self, flat: Any, attrs: dict) -> list:
        """Tensors as the signature has them, lists as lists.

        Raises:
            ValueError: their number or dtypes are not those of the OpDef.
        """
        args: list = []
        wanted: list = []
        for arg in self.found.inputs:
            types = _types(arg, attrs)
            part = flat[len(wanted) : len(wanted) + len(types)]
            wanted += types
            several = arg.number_attr or arg.list_attr
            args.append(part) if several else args.extend(part)
        if len(wanted) != len(flat):
            names = ", ".join(map(texts.type_name, wanted))
            raise ValueError(
                f"NodeDef expected inputs '{names}' do not match {len(flat)} inputs "
                f"specified; {texts.op(self.found)}; NodeDef: {self._node()}"
            )
        for i, (t, dtype) in enumerate(zip(flat, wanted, strict=True)):
            if not _fits(t.dtype, dtype):
                raise ValueError(
                    f"Input {i} of node {self.name} was passed "
                    f"{texts.type_name(t.dtype)} from {t.name} incompatible with "
                    f"expected {texts.type_name(dtype)}."
                )
        return args


def _plain(value: Any) -> Any:
    if isinstance(value, dtypes.DType):
        return texts.type_name(value)
    return texts.quoted(value)


def _fits(found: dtypes.DType, wanted: dtypes.DType) -> bool:
    if wanted is dtypes.string._as_ref and found.base_dtype is dtypes.resource:
        return True  # handles that are references to strings in TensorFlow
    if wanted._is_ref_dtype and not found._is_ref_dtype:
        return False
    return found.base_dtype.as_datatype_enum == wanted.base_dtype.as_datatype_enum


def _types(arg: Any, attrs: Any) -> list[dtypes.DType]:
    """The dtypes of the tensors of an input."""
    if arg.list_attr:
        return list(attrs[arg.list_attr])
    dtype = attrs[arg.type_attr] if arg.type_attr else arg.dtype
    is_handle = arg.name == "handle" and dtype is dtypes.string  # of an older array
    dtype = dtype._as_ref if arg.is_ref or is_handle else dtype
    return [dtype] * (attrs[arg.number_attr] if arg.number_attr else 1)
