"""The dtype rules of a call: the same checks in both modes.

Inputs that share a type attribute must agree in dtype; Python values take the dtype of
the tensors beside them.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import allowed, dtypes, op_defs
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor, TensorLike

if TYPE_CHECKING:
    from twinflow.base.op import Op
    from twinflow.base.signature import Arg


class Mismatch(TypeError):
    """Inputs of one type attribute with two dtypes: `place`, `wanted`, `found`."""

    def __init__(self, place: Any, wanted: Any, found: Any, first: Any) -> None:
        super().__init__(place, wanted, found)
        self.place, self.wanted, self.found, self.first = place, wanted, found, first


class NoReference(TypeError):
    """An input that has to be the reference of a variable, and is not: its name."""


def bind(
    op: "Op", inputs: Sequence, attrs: dict, convert: Callable, convert_host: Callable,
    tensor_class: Any = None,
) -> tuple:  # fmt: skip
    """Convert the inputs of a call to tensors.

    Args:
        op: the Op.
        inputs: one entry per input of the signature.
        attrs: all attributes of the call.
        convert: ``(value, dtype or None, name) -> tensor`` of the mode.
        convert_host: ``(value, name, dtype) -> value`` of the mode.
        tensor_class: the class whose instances `convert` returns as they are.
    Returns:
        (list of tensors and host values, dict of the type attributes)
    Raises:
        Mismatch, NoReference, TypeError: see base.bind and allowed.check.
    """
    if tensor_class is not None:
        as_they_are = _types_of_tensors_alone(op, inputs, attrs, tensor_class)
        if as_they_are is not None:
            return inputs, as_they_are
    args = op.sig.inputs
    if len(inputs) != len(args):
        raise TypeError(
            f"{op.type} takes {len(args)} inputs ({', '.join(a.name for a in args)}), "
            f"got {len(inputs)}."
        )
    types: dict = {k: v for k, v in attrs.items() if isinstance(v, dtypes.DType)}
    for arg in op.sig.outputs:
        if arg.mixed:  # the types may be an attribute
            types[arg.type_attr] = attrs.get(arg.type_attr)
    if types:
        _types_given(op, args, inputs, types)
    _types_of_tensors(args, inputs, types)
    out: list = []
    for place, (arg, value) in enumerate(zip(args, inputs, strict=True)):
        try:
            if arg.host:
                kind = types.get(arg.type_attr, arg.dtype)
                value = allowed.whole(op, arg, value)
                out.append(convert_host(value, arg.name, kind))
            elif arg.mixed:
                out.append([convert(v, None, arg.name) for v in value])
                types[arg.type_attr] = tuple(t.dtype.base_dtype for t in out[-1])
            elif arg.is_list:
                out.append(
                    [
                        _one(arg, v, types, convert, place, f"{arg.name}_{i}")
                        for i, v in enumerate(value)
                    ]
                )
            else:
                if isinstance(value, list) and not value and arg.type_attr not in types:
                    _type_of_nothing(op, arg.type_attr, types)
                out.append(_one(arg, value, types, convert, place))
        except (TypeError, ValueError) as error:
            if type(error) in _OF_VALUES and op.type not in str(error):
                error.add_note(f"It is the input {arg.name!r} of {op.type}.")
            raise
    allowed.check(op, types)
    return out, types


_OF_VALUES = (TypeError, ValueError)  # not Mismatch, which is rewritten


def _types_of_tensors_alone(
    op: Any, inputs: Any, attrs: dict, tensor_class: Any
) -> Any:
    """The type attributes where no input needs a conversion, else None.

    The rest of `bind` says the same at three times the price.
    """
    if len(inputs) != len(op.plain):
        return None
    types = {k: attrs[k] for k in op.type_attrs} if op.type_attrs else {}
    for value, (attr, dtype, host, many) in zip(inputs, op.plain, strict=True):
        kind = type(value)
        if kind is tensor_class:
            found = value.dtype
            if many or host or (dtype or types.setdefault(attr, found)) is not found:
                return None
        elif host:
            if kind not in _HOST_TYPES or allowed.floats(value):
                return None
        elif not many or kind is not list or not value:
            return None
        else:
            for v in value:
                if type(v) is not tensor_class:
                    return None
                found = v.dtype
                if (dtype or types.setdefault(attr, found)) is not found:
                    return None
    for attr, kinds in op.types.items():
        if attr in types and types[attr] not in kinds:
            return None
    return types


_HOST_TYPES = frozenset((tuple, list, int, np.ndarray))


def _type_of_nothing(op: "Op", attr: Any, types: dict[str, dtypes.DType]) -> None:
    """An empty list is of the type that TensorFlow's OpDef has as the default."""
    known = op_defs.find(op.type)
    found = known.attrs[attr].default if known and attr in known.attrs else None
    if isinstance(found, dtypes.DType):
        types[attr] = found


def _types_given(
    op: "Op", args: tuple, inputs: Sequence, types: dict[str, dtypes.DType]
) -> None:
    """A type attribute that was left at its default is what a tensor says."""
    for arg, value in zip(args, inputs, strict=True):
        attr = arg.type_attr
        default = attr in types and types[attr] is op.sig.attrs.get(attr)
        if default and isinstance(value, Tensor) and not arg.host:
            types[attr] = value.dtype.base_dtype


def _types_of_tensors(
    args: "tuple[Arg, ...]", inputs: Sequence, types: dict[str, dtypes.DType]
) -> None:
    """The first tensor of each type attribute decides."""
    for arg, value in zip(args, inputs, strict=True):
        attr = arg.type_attr
        if attr is None or arg.host or arg.mixed or attr in types:
            continue
        for v in value if arg.is_list else (value,):
            if isinstance(v, Tensor | TensorLike):
                types[attr] = v.dtype.base_dtype
                break


def _one(
    arg: "Arg", value: TensorValue, types: dict[str, dtypes.DType], convert: Callable,
    place: int, name: str | None = None,
) -> Tensor:  # fmt: skip
    attr = arg.type_attr
    wanted = types.get(attr) if attr else arg.dtype
    if arg.ref:
        value = _reference(arg, value)
    if isinstance(value, Tensor | TensorLike):
        found = value.dtype.base_dtype
        if wanted is not None and found is not wanted and wanted is not dtypes.resource:
            raise Mismatch(place, wanted, found, arg.name)
        t = convert(value, None, arg.name)
        if arg.ref and not t.dtype._is_ref_dtype:  # a function has only its value
            raise NoReference(arg.name)
        return t
    t = convert(value, wanted, name or arg.name)
    if attr and wanted is None:
        types[attr] = t.dtype
    return t


def _reference(arg: "Arg", value: TensorValue) -> Tensor:
    """The reference of a variable, which an op of this kind writes to."""
    value = value._ref() if hasattr(value, "_ref") else value
    if isinstance(value, Tensor) and value.dtype._is_ref_dtype:
        return value
    raise NoReference(arg.name)


def output_dtypes(op: "Op", types: Any, count: Any = None) -> list[dtypes.DType]:
    """The dtype of each of the `count` outputs.

    Several lists are of one length, or all outputs of one dtype; x_indices and x_shapes
    are as long as x_values where these are of several dtypes.
    """
    args = op.sig.outputs
    if op.single and not args[0].mixed:
        dtype: Any = types[args[0].type_attr] if args[0].type_attr else args[0].dtype
        return [dtype._as_ref if args[0].ref else dtype]
    alike = len({(a.dtype, a.type_attr, a.ref) for a in args}) == 1
    if len(args) > 1 and alike and args[0].dtype is not None and not args[0].ref:
        return [args[0].dtype] * count
    lists = sum(a.is_list and not a.mixed for a in args)
    others = sum(
        len(types[a.type_attr]) if a.mixed else 1
        for a in args
        if a.mixed or not a.is_list
    )
    each = (count - others) // lists if lists else 1
    known = {_stem(a): len(types[a.type_attr]) for a in args if a.mixed}
    out: list = []
    for arg in args:
        dtype = types[arg.type_attr] if arg.type_attr else arg.dtype
        dtype = dtype._as_ref if arg.ref else dtype
        length = known.get(_stem(arg), each) if arg.is_list else 1
        out.extend(dtype if arg.mixed else [dtype] * length)
    return out


def _stem(arg: "Arg") -> str:
    return arg.name.rpartition("_")[0] or arg.name
