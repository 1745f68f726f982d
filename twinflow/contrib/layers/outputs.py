"""tf.contrib.layers.utils: outputs in collections, and arguments of layers."""

import collections
from typing import Any, NamedTuple

from twinflow.base.advice import advised
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.contrib.framework.variables import add_model_variable
from twinflow.graph.cond import cond
from twinflow.graph.scopes import add_to_collections, get_collection, get_collection_ref
from twinflow.graph.static import constant_value as static_value
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.variables.collections import GraphKeys


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value of a tensor, where it is known; other things as they are.

    Raises:
        ValueError: it is None, or not of this dtype.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, Tensor | ResourceHandle):
        return value
    if dtype and value.dtype.base_dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return static_value(value) if isinstance(value, Tensor) else None


def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """fn1() if a Python value is true, else fn2().

    Raises:
        TypeError: a function cannot be called.
    """
    for fn, name in ((fn1, "fn1"), (fn2, "fn2")):
        if not callable(fn):
            raise advised(TypeError, f"{name} must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """`static_cond` where the condition is known, else tf.cond."""
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return cond(pred, fn1, fn2, name=name)


class NamedOutputs(NamedTuple("NamedOutputs", [("name", Any), ("outputs", Any)])):
    """Outputs of a layer and their name."""


def get_tensor_aliases(tensor: Any) -> Any:
    """The names that a tensor was given, or its own."""
    aliases = getattr(tensor, "aliases", None)
    if aliases:
        return aliases
    name = tensor.name.removesuffix(":0")
    return [name]


def append_tensor_alias(tensor: Any, alias: Any) -> Any:
    """Give a tensor one more name."""
    alias = alias.removesuffix("/")
    tensor.aliases = [*getattr(tensor, "aliases", []), alias]
    return tensor


def gather_tensors_aliases(tensors: Any) -> Any:
    """The names of several tensors."""
    return [alias for t in tensors for alias in get_tensor_aliases(t)]


def collect_named_outputs(collections: Any, alias: Any, outputs: Any) -> Any:
    """Name outputs and put them in collections; gives the outputs."""
    if collections:
        append_tensor_alias(outputs, alias)
        _add(collections, outputs)
    return outputs


def _add(where, value):
    add_to_collections([where] if isinstance(where, str) else where, value)


def convert_collection_to_dict(collection: Any, clear_collection: bool = False) -> Any:
    """A collection as a dict from names to tensors."""
    found = collections.OrderedDict(
        (alias, t)
        for t in get_collection(collection)
        for alias in get_tensor_aliases(t)
    )
    if clear_collection:
        get_collection_ref(collection).clear()
    return found


def last_dimension(shape: Any, min_rank: Any = 1) -> Any:
    """The size of the last axis.

    Raises:
        ValueError: there are fewer than `min_rank` axes, or the size is not known.
    """
    return _dimension(shape, -1, min_rank)


def first_dimension(shape: Any, min_rank: Any = 1) -> Any:
    """The size of the first axis; see `last_dimension`."""
    return _dimension(shape, 0, min_rank)


def channel_dimension(shape: Any, data_format: Any, min_rank: Any = 1) -> Any:
    """The size of the axis of the channels; see `last_dimension`."""
    axis = 1 if data_format == "channels_first" else -1
    return _dimension(shape, axis, min_rank)


def _dimension(shape, axis, min_rank):
    dims = shape.dims
    if dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(dims) < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {len(dims)}")
    value = dims[axis].value
    if value is None:
        raise ValueError(
            f"dimension {axis} of shape must be known but is None: {shape}"
        )
    return value


def two_element_tuple(int_or_tuple: Any) -> Any:
    """An int or two as a tuple of two.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(int_or_tuple, list | tuple):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    dims = getattr(int_or_tuple, "dims", None)
    if dims is not None and len(dims) == 2:
        return int(dims[0]), int(dims[1])
    raise ValueError(
        "Must be an int, a list with 2 elements or a TensorShape of length 2"
    )


def n_positive_integers(n: Any, value: Any) -> Any:
    """An int or `n` of them as a tuple of `n`.

    Raises:
        ValueError: it is something else, or one is not positive.
    """
    if int(n) < 1 or n != int(n):
        raise ValueError("n must be a positive integer")
    if isinstance(value, int):
        if value < 1:
            raise ValueError(f"expected positive integer, but received {value}")
        return (value,) * n
    text = f"Expected sequence of {n} positive integers, but received {value}"
    try:
        values = tuple(int(v) for v in value)
    except (TypeError, ValueError):
        raise ValueError(text) from None
    if len(values) != n:
        raise ValueError(text)
    for v in values:
        if v < 1:
            raise ValueError(f"expected positive integer, but received {v}")
    return values


def get_variable_collections(variables_collections: Any, name: Any) -> Any:
    """The collections for a variable called `name`."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


# ------------------------------------------------------------------ scopes of layers
def renaming(names: Any = None) -> Any:
    """A getter that makes model variables, with other names: {last part: name}."""

    def renamed(getter, name, *args, **kwargs):
        start, slash, last = name.rpartition("/")
        name = start + slash + (names or {}).get(last, last)
        where = list(kwargs.get("collections") or [GraphKeys.GLOBAL_VARIABLES])
        if GraphKeys.MODEL_VARIABLES not in where:
            where.append(GraphKeys.MODEL_VARIABLES)
        kwargs["collections"] = where
        variable = getter(name, *args, **kwargs)
        add_model_variable(variable)
        return variable

    return renamed


def layer_scope(
    scope: Any, default: Any, inputs: Any, reuse: Any, names: Any = None
) -> Any:
    """The variable scope of a layer, whose variables are those of a model."""
    return variable_scope(
        scope, default, [inputs], reuse=reuse, custom_getter=renaming(names)
    )


def note(variable: Any, variables_collections: Any, name: Any) -> Any:
    """Put a variable in the collections for its name."""
    where = get_variable_collections(variables_collections, name)
    if variable is not None and where:
        _add(where, variable)


def finished(
    y: Any, scope: Any, normalizer: Any, parameters: Any, activation: Any,
    outputs_collections: Any,
) -> Any:  # fmt: skip
    """What layers have in common at their end: normalization, activation, a name."""
    if normalizer is not None:
        y = normalizer(y, **(parameters or {}))
    if activation is not None:
        y = activation(y)
    return collect_named_outputs(outputs_collections, scope.original_name_scope, y)
