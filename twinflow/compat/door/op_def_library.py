"""tensorflow.python.framework.op_def_library: nodes of ops that are given by OpDefs."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.errors import UsageError
from twinflow.base.tensor import Tensor
from twinflow.base.text import as_bytes, as_str_any
from twinflow.compat.door.framework import get_graph_from_inputs
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto, to_proto
from twinflow.ops.core.constant import convert_to_tensor


class OpDefLibrary:
    """Ops by their names, as the functions of op libraries make nodes of them."""

    def __init__(self):
        self._ops = {}

    def add_op(self, op_def):
        """Note an op.

        Args:
            op_def: an OpDef.
        Raises:
            TypeError: it is none, or names attributes that it has not.
        """
        if not isinstance(op_def, protos.OpDef):
            raise TypeError(f"{op_def} is {type(op_def)}, not an op_def_pb2.OpDef")
        if not op_def.name:
            raise ValueError(f"{op_def} missing name.")
        if self._ops.get(op_def.name, _Info(op_def)).op_def != op_def:
            raise UsageError(
                f"Inconsistent OpDefs for {op_def.name}, which is there already."
            )
        kinds = {attr.name: attr.type for attr in op_def.attr}
        for arg in (*op_def.input_arg, *op_def.output_arg):
            _check_arg(op_def.name, arg, kinds)
        self._ops[op_def.name] = _Info(op_def)

    def add_op_list(self, op_list):
        """Note the ops of an OpList.

        Raises:
            TypeError: it is none.
        """
        if not isinstance(op_list, protos.OpList):
            raise TypeError(f"{op_list} is {type(op_list)}, not an op_def_pb2.OpList")
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name, name=None, **keywords):
        """Make a node.

        Args:
            op_type_name: the name of the op. name: of the node.
            keywords: its inputs and attributes; `x_` for an `x` that Python reserves.
        Returns:
            Its output, a list of them, or the node where there is none.
        Raises:
            RuntimeError: there is no such op. TypeError, ValueError: an input or an
                attribute is missing, of a wrong kind, or too many.
        """
        info = self._ops.get(op_type_name)
        if info is None:
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        graph = _graph_of(keywords)
        with graph.as_default(), graph.name_scope(name or op_type_name) as scope:
            call = _Call(info.op_def, dict(keywords))
            call.take_inputs()
            call.take_attributes()
            attrs = {a.name: call.proto(a) for a in call.op_def.attr}
            node = graph.create_op(op_type_name, call.flat, [], name=scope, attrs=attrs)
        return call.outputs_of(node)


class _Info(NamedTuple):
    op_def: Any


def _graph_of(keywords):
    """The graph of the inputs."""
    try:
        return get_graph_from_inputs(nest.flatten(list(keywords.values())))
    except AssertionError as error:
        raise ValueError(str(error)) from None


def _check_arg(op, arg, kinds):
    named = [bool(arg.type), bool(arg.type_attr), bool(arg.type_list_attr)]
    for attr, kind in (
        (arg.type_attr, "type"), (arg.type_list_attr, "list(type)"),
        (arg.number_attr, "int"),
    ):  # fmt: skip
        if attr and attr not in kinds:
            raise TypeError(f"Inconsistent OpDef for '{op}', missing attr '{attr}'")
        if attr and kinds[attr] != kind:
            use = {"type": "type_attr", "int": "number_attr"}
            raise TypeError(
                f"Attr '{attr}' of '{op}' used as a {use.get(kind, 'type_list_attr')} "
                f"but has type {kinds[attr]}"
            )
    if named.count(True) != 1:
        raise TypeError(
            f"Arg '{arg.name}' of '{op}' must have one type field not "
            f"{named.count(True)}"
        )


class _Call:
    """One node in the making: `flat` are its inputs, `values` its attributes."""

    def __init__(self, op_def, keywords):
        self.op_def, self.left = op_def, keywords
        self.flat: list = []
        self.values: dict = {}
        self.inferred: dict = {}  # {attribute: the argument that said it}
        self.attrs = {attr.name: attr for attr in op_def.attr}

    def _take(self, name, what):
        for key in (name, name + "_"):
            if key in self.left:
                return self.left.pop(key)
        raise TypeError(f"No argument for {what} {name}")

    # ------------------------------------------------------------------ inputs
    def take_inputs(self):
        """Turn the inputs into tensors, and note what they say of attributes."""
        for arg in self.op_def.input_arg:
            value = self._take(arg.name, "input")
            several = arg.number_attr or arg.type_list_attr
            found = self._list(arg, value) if several else [self._one(arg, value)]
            self._note_types(arg, [t.dtype.base_dtype for t in found], found)
            for t in found:
                if arg.is_ref and not getattr(t.dtype, "_is_ref_dtype", False):
                    raise TypeError(
                        f"'{self.op_def.name}' Op requires that input '{arg.name}' be "
                        "a mutable tensor (e.g.: a tf.Variable)"
                    )
            self.flat += found

    def _wanted(self, arg):
        """The dtype that an input must have, as far as it is known."""
        if arg.type:
            return dtypes.as_dtype(arg.type).base_dtype
        return self.values.get(arg.type_attr)

    def _preferred(self, arg):
        attr = self.attrs.get(arg.type_attr)
        known = attr is not None and attr.HasField("default_value")
        return dtypes.as_dtype(attr.default_value.type) if known else None

    def _one(self, arg, value):
        wanted = self._wanted(arg)
        try:
            found = self._tensor(value, wanted, arg, arg.name)
        except TypeError as error:
            if wanted is None:
                raise
            text = (
                f"Expected {wanted.name} passed to parameter '{arg.name}' of op "
                f"'{self.op_def.name}', got {value!r} of type "
                f"'{type(value).__name__}' instead."
            )
            raise TypeError(text) from error
        kind = found.dtype.base_dtype
        if wanted is not None and kind != wanted:
            start = (
                f"Input '{arg.name}' of '{self.op_def.name}' Op has type {kind.name} "
                "that does not match "
            )
            first = self.inferred.get(arg.type_attr)
            if arg.type:
                raise TypeError(f"{start}expected type of {wanted.name}.")
            raise TypeError(f"{start}type {wanted.name} of argument '{first}'.")
        return found

    def _tensor(self, value, wanted, arg, name):
        if isinstance(value, Tensor):
            return value
        if wanted is not None and isinstance(value, dict):
            raise TypeError
        try:
            return convert_to_tensor(value, wanted, name, self._preferred(arg))
        except ValueError as error:
            raise TypeError(str(error)) from error

    def _list(self, arg, value):
        op = self.op_def.name
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{arg.name}' argument to '{op}' Op, not {value}."
            )
        if arg.number_attr:
            self._note_number(arg, len(value))
        wanted = self._wanted(arg) if arg.number_attr else None
        first = next((v.dtype.base_dtype for v in value if hasattr(v, "dtype")), None)
        same = wanted or (first if arg.number_attr else None)
        try:
            found = []
            for i, v in enumerate(value):
                if v is None:
                    raise TypeError
                found.append(self._tensor(v, same, arg, f"{arg.name}_{i}"))
                if arg.number_attr and same is None:
                    same = found[0].dtype.base_dtype
            kinds = {t.dtype.base_dtype for t in found}
            if arg.number_attr and kinds - {same}:
                raise TypeError
        except TypeError:
            raise TypeError(self._list_text(arg, value, wanted)) from None
        return found

    def _list_text(self, arg, value, wanted):
        names = ", ".join(map(_kind_of, value))
        start = (
            f"Tensors in list passed to '{arg.name}' of '{self.op_def.name}' Op have "
            f"types [{names}]"
        )
        if arg.type:
            return f"{start} that do not match expected type {wanted.name}."
        if wanted is not None:
            end = f"that do not match type {wanted.name} inferred from earlier"
            return f"{start} {end} arguments."
        return f"{start} that don't all match." if arg.number_attr else f"{start}."

    def _note_number(self, arg, count):
        op, attr = self.op_def.name, arg.number_attr
        if attr in self.values:
            if self.values[attr] != count:
                raise ValueError(
                    f"List argument '{arg.name}' to '{op}' Op with length {count} must "
                    f"match length {self.values[attr]} of argument "
                    f"'{self.inferred[attr]}'."
                )
            return
        self.values[attr], self.inferred[attr] = count, arg.name
        if self.attrs[attr].has_minimum and count < self.attrs[attr].minimum:
            raise ValueError(
                f"List argument '{arg.name}' to '{op}' Op with length {count} shorter "
                f"than minimum length {self.attrs[attr].minimum}."
            )

    def _note_types(self, arg, kinds, found):
        attr = arg.type_attr or arg.type_list_attr
        if not attr:
            return
        if arg.type_list_attr and attr in self.values:
            if kinds != self.values[attr]:
                ours, theirs = (
                    ", ".join(k.name for k in x) for x in (kinds, self.values[attr])
                )
                raise advised(
                    TypeError,
                    f"Input '{arg.name}' of '{self.op_def.name}' Op has type list of "
                    f"{ours} that does not match type list {theirs} of argument "
                    f"'{self.inferred[attr]}'.",
                )
            return
        if attr in self.values:
            return
        if arg.type_attr and not kinds:
            default = self._preferred(arg)
            if default is None:
                raise TypeError(
                    "Don't know how to infer type variable from empty input list "
                    f"passed to input '{arg.name}' of '{self.op_def.name}' Op."
                )
            kinds = [default]
        self.values[attr] = kinds if arg.type_list_attr else kinds[0]
        self.inferred[attr] = arg.name
        for kind in kinds:
            self._check_allowed(arg.name, self.attrs[attr], kind)

    def _check_allowed(self, name, attr, kind):
        allowed = [dtypes.as_dtype(t) for t in attr.allowed_values.list.type]
        if allowed and kind not in allowed:
            raise advised(
                TypeError,
                f"Value passed to parameter '{name}' has DataType {kind.name} not in "
                f"list of allowed values: {', '.join(t.name for t in allowed)}",
            )

    # ------------------------------------------------------------------ attributes
    def take_attributes(self):
        """Take the attributes that no input says; refuse what is left."""
        for name, attr in self.attrs.items():
            if name in self.inferred:
                if name in self.left:
                    raise TypeError(
                        f"Should not specify value for inferred attr '{name}'."
                    )
                continue
            has_default = attr.HasField("default_value")
            given = name in self.left or name + "_" in self.left
            value = self._take(name, "attr") if given or not has_default else None
            if value is not None or not has_default:
                self.values[name] = value
        if self.left:
            raise TypeError(
                "apply_op() got unexpected keyword arguments: "
                f"{', '.join(sorted(self.left))}"
            )

    def proto(self, attr):
        """The AttrValue of an attribute."""
        if attr.name not in self.values:
            return attr.default_value
        value, kind = self.values[attr.name], attr.type
        if not kind.startswith("list("):
            made = _made(kind, attr.name, value)
            self._check_value(attr, made, kind)
            found = _proto(made, kind)
        else:
            kind = kind[5:-1]
            if not isinstance(value, list | tuple):
                raise TypeError(f"Expected list for attr {attr.name}")
            if attr.has_minimum and len(value) < attr.minimum:
                raise ValueError(
                    f"Attr '{attr.name}' of '{self.op_def.name}' Op passed list of "
                    f"length {len(value)} less than minimum {attr.minimum}."
                )
            made = [_made(kind, attr.name, v) for v in value]
            for v in made:
                self._check_value(attr, v, kind)
            found = _proto(made, attr.type)
        self.values[attr.name] = made
        return found

    def _check_value(self, attr, value, kind):
        if kind == "type":
            self._check_allowed(attr.name, attr, value)
        elif kind == "string" and attr.allowed_values.list.s:
            allowed = attr.allowed_values.list.s
            if value not in allowed:
                known = '", "'.join(as_str_any(s) for s in allowed)
                raise advised(
                    ValueError,
                    f"Attr '{attr.name}' of '{self.op_def.name}' Op passed string "
                    f"'{as_str_any(value)}' not in: \"{known}\".",
                )
        elif attr.type == "int" and attr.has_minimum and value < attr.minimum:
            raise ValueError(
                f"Attr '{attr.name}' of '{self.op_def.name}' Op passed {value} "
                f"less than minimum {attr.minimum}."
            )

    # ------------------------------------------------------------------ outputs
    def outputs_of(self, node):
        """What `apply_op` returns of a node."""
        outputs, found = list(node.outputs), []
        for arg in self.op_def.output_arg:
            if arg.number_attr or arg.type_list_attr:
                value = self._value(arg.number_attr or arg.type_list_attr)
                count = value if arg.number_attr else len(value)
                found.append(outputs[:count])
                del outputs[:count]
            else:
                found.append(outputs.pop(0))
        if not found:
            return node
        return found[0] if len(found) == 1 else found

    def _value(self, name):
        if name in self.values:
            return self.values[name]
        default = self.attrs[name].default_value
        return default.i if default.HasField("i") else list(default.list.type)


def _kind_of(value):
    """The name of the dtype of a value as a tensor."""
    if value is None:
        return "<NOT CONVERTIBLE TO TENSOR>"
    if isinstance(value, Tensor):
        return value.dtype.base_dtype.name
    try:
        return (
            dtypes.as_dtype(np.asarray(value).dtype).name
            if not isinstance(value, int | float | bool)
            else {int: "int32", float: "float32", bool: "bool"}[type(value)]
        )
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"


def _made(kind, name, value):
    """An attribute of the kind that it must be."""
    wrong = {
        "int": isinstance(value, str | bytes), "float": False,
        "bool": not isinstance(value, bool),
        "string": not isinstance(value, str | bytes),
    }.get(kind, False)  # fmt: skip
    what = "DataType" if kind == "type" else kind
    try:
        if wrong:
            raise TypeError
        if kind == "type":
            return dtypes.as_dtype(value).base_dtype
        if kind == "shape":
            return (
                value
                if isinstance(value, protos.TensorShapeProto)
                else (shape_proto(value))
            )
        convert = {"int": int, "float": float, "string": as_bytes}.get(kind)
        return convert(value) if convert else value
    except (TypeError, ValueError) as error:
        if kind == "shape":
            raise TypeError(
                f"Error converting {name} to a TensorShape: {error}"
            ) from None
        raise TypeError(
            f"Expected {what} for argument '{name}' not {value!r}."
        ) from None


def _proto(value, kind):
    """The AttrValue of what `_made` gave, or of a list of it."""
    if "shape" in kind:
        found = protos.AttrValue()
        if kind == "shape":
            found.shape.CopyFrom(value)
        else:
            found.list.SetInParent()
            found.list.shape.extend(value)
        return found
    if kind == "func" and not isinstance(value, str | protos.NameAttrList):
        value = value.name
    return to_proto(value, kind)
