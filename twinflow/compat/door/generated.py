"""The functions of gen_*_ops: an op each, with TensorFlow's arguments."""

import ast
import collections
import functools
import inspect
import itertools
import re
from typing import NamedTuple

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.op_defs import NO_DEFAULT, find
from twinflow.base.op_lookup import known_op
from twinflow.base.shapes import TensorShape
from twinflow.compat.door import table
from twinflow.graph.graph_def import made
from twinflow.graph.graph_def.own import op_def

_FALLBACK = "_eager_fallback"
_OURS = {"body"}  # attributes that only twinflow's functions can give
_PYTHON = {"string": (str, bytes), "bool": (bool, int, np.bool_)}
_shared: dict = {}  # (op, container, name): the cell that eager handles share


class _Function(NamedTuple):
    """One function: the op's type, its arguments, and {argument: name in the op}."""

    type: str
    signature: inspect.Signature
    renamed: dict


def function(path, name):
    """The function of an op, or None where twinflow does not have the op.

    Args:
        path: of the module, as "python.ops.gen_array_ops". name: as "reshape".
    """
    if name.endswith(_FALLBACK):
        return _without_context(function(path, name.removesuffix(_FALLBACK)))
    functions = table.generated().get(path, {})
    listed = functions.get(name) or functions.get("_" + name)
    if listed is None:
        return None
    kind, arguments = listed
    op = known_op(kind)
    if op is None or _OURS & op.sig.attrs.keys():
        return None
    return _made(path, name, signature_of(kind, arguments), op)


def _without_context(plain):
    """The function that TensorFlow takes where its fast path cannot: the same one."""
    if plain is None:
        return None

    @functools.wraps(plain)
    def fallback(*args, ctx=None, **kwargs):
        return plain(*args, **kwargs)

    return fallback


def signature_of(kind, arguments):
    """The _Function of an op type; `arguments` is None where the OpDef says them."""
    if arguments is not None:
        return _read(arguments, kind)
    found = find(kind)
    args = [(a.type_attr, a.number_attr, a.list_attr) for a in found.inputs]
    inferred = {name for names in args for name in names}
    attrs = [a for a in found.attrs.values() if a.name not in inferred]
    names = [a.name for a in found.inputs]
    names += [a.name for a in attrs if a.default is NO_DEFAULT]
    parameters = [_parameter(name, inspect.Parameter.empty) for name in names]
    parameters += [
        _parameter(a.name, list(a.default) if type(a.default) is tuple else a.default)
        for a in attrs
        if a.default is not NO_DEFAULT
    ]
    parameters.append(_parameter("name", None))
    return _Function(kind, inspect.Signature(parameters), {})


def _made(path, name, spec, op):
    result, count = _result(op), len(op.sig.inputs)
    plain = _is_plain(spec, op)

    def call(*args, **kwargs):
        if plain and len(args) == count and not kwargs:
            return result(dispatch.apply(op, args), args)
        given = spec.signature.bind(*args, **kwargs)
        given.apply_defaults()
        values = {spec.renamed.get(k, k): v for k, v in given.arguments.items()}
        label = values.pop("name")
        inputs = [_input(a, values.get(a.name)) for a in op.sig.inputs]
        attrs = attributes_of(op, inputs, values, label)
        return result(dispatch.apply(op, inputs, attrs, label), inputs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"tensorflow.{path}"
    call.__doc__ = f"The op {op.type}, without anything around it."
    call.__signature__ = spec.signature
    return call


def _is_plain(spec, op):
    """Whether the function takes inputs alone, as the op does."""
    names = [spec.renamed.get(n, n) for n in spec.signature.parameters]
    others = any(a.host or a.dtype is dtypes.resource for a in op.sig.inputs)
    wanted = [*(a.name for a in op.sig.inputs), "name"]
    return names == wanted and not (others or op.sig.attrs or op.home)


def attributes_of(op, inputs, values, name):
    """All attributes that the op takes, from those that TensorFlow's function has."""
    attrs = {}
    for key, attr in op_def(op).attrs.items():
        value = values.get(key)
        value = attr.default if value is None else _attribute(value, attr.type)
        if value is not NO_DEFAULT:
            attrs[key] = value
    mode = dispatch.current_mode()
    chosen = made.complete(mode, op, inputs, attrs, name or op.type)
    if mode.eager and op.home is not None:
        key = (op.type, attrs.get("container"), attrs.get("shared_name"))
        cell = _shared.get(key) or op.home(key[2] or name or op.type, chosen)
        chosen[op.cell] = cell
        if key[2]:
            _shared[key] = cell
    return chosen


def _result(op):
    """Several outputs become a namedtuple, as in TensorFlow."""
    args = op.sig.outputs
    if len(args) < 2 or any(a.mixed for a in args):
        return lambda outputs, inputs: outputs
    make = collections.namedtuple(op.type, [a.name for a in args])._make
    if not any(a.is_list for a in args):
        return lambda outputs, inputs: make(outputs)
    return lambda outputs, inputs: make(_parted(op, inputs, outputs))


def _parted(op, inputs, outputs):
    """The outputs of an op by argument; lists are as long as those of the inputs."""
    args, known = op.sig.outputs, find(op.type)
    lengths = {
        a.number_attr: len(x) for a, x in zip(known.inputs, inputs) if a.number_attr
    }
    lists = sum(a.is_list for a in args)
    alike, rest = (len(outputs) - len(args) + lists) // max(lists, 1), iter(outputs)
    return [
        list(itertools.islice(rest, lengths.get(of.number_attr, alike)))
        if a.is_list
        else next(rest)
        for a, of in zip(args, known.outputs)
    ]


def _input(arg, value):
    """Lists for host inputs become tuples or arrays, which ops take."""
    if not arg.host or isinstance(value, int | tuple):
        return value
    if isinstance(value, TensorShape):
        return value.tuple
    if isinstance(value, list):
        plain = all(isinstance(x, int) for x in value)
        return tuple(value) if plain else np.asarray(value)
    return value


def _attribute(value, kind):
    """An attribute as kernels read it: DTypes, tuples, text.

    Args:
        kind: its type in the OpDef, as "list(type)".
    """
    if kind.startswith("list("):
        return tuple(_attribute(v, kind[5:-1]) for v in value)
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "shape":
        return TensorShape(value).tuple
    wanted = _PYTHON.get(kind)
    if wanted is not None and not isinstance(value, wanted):
        raise TypeError(f"Expected {kind} for an attribute, not {value!r}.")
    return _text(value) if isinstance(value, bytes) else value


def _text(value):
    """Text, where bytes are that; serialized messages stay as they are."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _read(arguments, kind):
    parameters, renamed = [], {}
    for text in _split(arguments):
        name, equals, default = text.partition("=")
        name, _, inner = name.partition("/")
        if inner:
            renamed[name] = inner
        value = _default(default) if equals else inspect.Parameter.empty
        parameters.append(_parameter(name, value))
    parameters.append(_parameter("name", None))
    return _Function(kind, inspect.Signature(parameters), renamed)


def _parameter(name, default):
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(name, kind, default=default)


def _split(arguments):
    """The arguments of a line; commas inside of lists do not count."""
    return re.findall(r"(?:\[[^\]]*\]|'[^']*'|[^,\s])+", arguments)


def _default(text):
    if text.startswith("tf."):
        return dtypes.as_dtype(text.removeprefix("tf."))
    return ast.literal_eval(text)
