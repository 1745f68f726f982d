"""The functions of gen_*_ops: an op each, with TensorFlow's arguments."""

import ast
import collections
import functools
import inspect
import pkgutil
import re
from typing import NamedTuple

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.op import registry
from twinflow.base.shapes import TensorShape
from twinflow.compat.door import table

_LINE = re.compile(r"  (\w+)\((.*)\) (\w+)$")
_WITH_OPS = ["twinflow.ops", "twinflow.graph", "twinflow.data", "twinflow.execute"]
_OURS = {"stream", "cell", "body"}  # attributes that only twinflow's functions can give


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
    functions = table.generated().get(path, {})
    line = functions.get(name) or functions.get("_" + name)
    if line is None:
        return None
    _, arguments, kind = _LINE.match(line).groups()
    op = _op(kind)
    if op is None or _OURS & op.sig.attrs.keys():
        return None
    return _made(path, name, _read(arguments, kind), op)


def _op(kind):
    """The op of a type; where it is not known, the files of ops are loaded first."""
    if kind not in registry:
        _load_ops()
    return registry.get(kind)


@functools.cache
def _load_ops():
    for name in _WITH_OPS:
        package = pkgutil.resolve_name(name)
        for found in pkgutil.walk_packages(package.__path__, name + "."):
            pkgutil.resolve_name(found.name)


def _made(path, name, spec, op):
    result = _result(op)

    def call(*args, **kwargs):
        given = spec.signature.bind(*args, **kwargs)
        given.apply_defaults()
        values = {spec.renamed.get(k, k): v for k, v in given.arguments.items()}
        label = values.pop("name")
        inputs = [_input(a, values.get(a.name)) for a in op.sig.inputs]
        attrs = {
            k: _attribute(values[k], default) if values.get(k) is not None else default
            for k, default in op.sig.attrs.items()
        }
        return result(dispatch.apply(op, inputs, attrs, label))

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"tensorflow.{path}"
    call.__doc__ = f"The op {op.type}, without anything around it."
    call.__signature__ = spec.signature
    return call


def _result(op):
    """Several outputs become a namedtuple, as in TensorFlow."""
    names = [a.name for a in op.sig.outputs]
    if len(names) < 2 or any(a.is_list for a in op.sig.outputs):
        return lambda outputs: outputs
    return collections.namedtuple(op.type, names)._make


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


def _attribute(value, default):
    """An attribute as kernels read it: DTypes, tuples, text."""
    if isinstance(default, dtypes.DType):
        return dtypes.as_dtype(value)
    if isinstance(value, TensorShape):
        return value.tuple
    if isinstance(value, bytes):
        return value.decode()
    return tuple(value) if isinstance(value, list) else value


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
