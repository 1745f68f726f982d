"""tf.contrib.framework.py_func: Python functions of structures as ops."""

from collections.abc import Callable
from typing import Any

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.execute import py_func as plain


def py_func(
    func: Callable[..., Any], args: tuple[Any, ...] = (),
    kwargs: dict[Any, Any] | None = None,
    output_types: Any = None, output_shapes: Any = None, stateful: bool = True,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Call a Python function of arrays, in any structure, as an op.

    Args:
        func: the function. args, kwargs: what it is called with, structures of tensors.
        output_types: the DTypes of its result, in its form.
        output_shapes: their shapes, in that form; unknown if not given.
        stateful, name: see tf.py_func.
    Raises:
        TypeError: args are no list or tuple, kwargs no dict, or types are missing.
    Example:
        py_func = tf.contrib.framework.py_func
        py_func(lambda a, b: a["x"] + b, ({"x": 1.},), {"b": 2.}, tf.float32)  # 3.0
    """
    if not isinstance(args, list | tuple):
        raise TypeError(f"args must be list and not {type(args)}. args: {args}")
    if kwargs is None:
        kwargs = {}
    if not isinstance(kwargs, dict):
        raise TypeError(f"kwargs must be dict and not {type(kwargs)}. args: {kwargs}")
    if output_types is None:
        raise TypeError("Expected DataType for argument 'Tout' not None.")
    given = (tuple(args), kwargs)
    single = not nest.is_sequence(output_types)

    def flat_func(*arrays: Any) -> Any:
        positional, named = nest.pack_sequence_as(given, list(arrays))
        found = func(*positional, **named)
        return found if single else nest.flatten_up_to(output_types, found)

    types = output_types if single else nest.flatten(output_types)
    flat = plain.py_func(flat_func, nest.flatten(given), types, stateful, name)
    if single:
        _set_shapes([flat], None if output_shapes is None else [output_shapes])
        return flat
    shapes = output_shapes and nest.flatten_up_to(output_types, output_shapes)
    _set_shapes(flat, shapes)
    return nest.pack_sequence_as(output_types, list(flat))


def _set_shapes(tensors: Any, shapes: Any) -> None:
    for t, shape in zip(tensors, shapes or ()):
        t.set_shape(TensorShape(shape))
