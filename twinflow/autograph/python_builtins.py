"""Python's own functions in converted code, of tensors too."""

import builtins
import sys
from collections.abc import Callable, Iterable
from typing import Any

from twinflow.autograph.rows import (
    Backwards,
    Numbered,
    NumberedElements,
    SideBySide,
    StagedRange,
    has_rows,
    rows_of,
)
from twinflow.autograph.staged_list import StagedList
from twinflow.autograph.values import is_staged
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.ops.core import array, joining
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import abs as tensor_abs
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.reduction import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_sum,
)
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.print import print_v2, string_format
from twinflow.ops.strings.basic import string_join
from twinflow.ops.strings.number import string_to_number
from twinflow.ops.tensor_array import list_ops
from twinflow.ops.tensor_array.arrays import TensorArray

UNDEFINED = object()


def range_(start_or_stop: Any, stop: Any = UNDEFINED, step: Any = UNDEFINED) -> Any:
    """`range`; of tensors of a graph, numbers that a loop goes through."""
    first, limit = (0, start_or_stop) if stop is UNDEFINED else (start_or_stop, stop)
    given = 1 if step is UNDEFINED else step
    if any(map(is_staged, (first, limit, given))):
        return StagedRange(first, limit, given)
    if step is not UNDEFINED:
        return range(first, limit, step)
    return range(first, limit)


def len_(s: Any) -> Any:
    """`len`; of a tensor of a graph how many rows it has."""
    if isinstance(s, StagedList):
        return s.count
    if isinstance(s, TensorArray):
        return s.size()
    if isinstance(s, StagedRange):
        return s.count()
    if not isinstance(s, Tensor):
        return len(s)
    shape = s._shape
    if s.dtype is dtypes.variant and shape == ():
        return dispatch.apply(list_ops.TensorListLength, (s,))
    if shape is not None and not shape:
        raise ValueError(
            f"len requires a non-scalar tensor, got one of shape {s.shape}"
        )
    if shape is not None and shape[0] is not None:
        return shape[0]
    return shape_of(s)[0]


def int_(x: Any = 0, base: Any = UNDEFINED) -> Any:
    """`int`; of a tensor of a graph, as int32."""
    if not is_staged(x):
        return int(x) if base is UNDEFINED else int(x, base)
    if base not in (10, UNDEFINED):
        raise NotImplementedError(f"base {base} not supported for int")
    if x.dtype is dtypes.string:
        return string_to_number(x, out_type=dtypes.int32)
    return x if x.dtype is dtypes.int64 else cast(x, dtypes.int32)


def float_(x: Any = 0) -> Any:
    """`float`; of a tensor of a graph, as float32."""
    if not is_staged(x):
        return float(x)
    if x.dtype is dtypes.string:
        return string_to_number(x, out_type=dtypes.float32)
    return x if x.dtype.is_floating else cast(x, dtypes.float32)


def bool_(x: Any = False) -> Any:
    """`bool`; of a tensor of a graph, as a bool tensor."""
    return cast(x, dtypes.bool) if is_staged(x) else bool(x)


def abs_(x: Any) -> Any:
    """`abs`."""
    return tensor_abs(x) if is_staged(x) else abs(x)


def enumerate_(iterable: Iterable, start: Any = 0) -> Any:
    """`enumerate`; of a tensor of a graph, its rows with their numbers."""
    if _later(iterable):
        return Numbered(rows_of(iterable), start)
    if hasattr(iterable, "_stepped") and not dispatch.current_mode().eager:
        return NumberedElements(iterable, start)
    return enumerate(iterable, start)


def zip_(*iterables: Any) -> Any:
    """`zip`; with a tensor of a graph among them, the rows of all."""
    if any(map(_later, iterables)):
        return SideBySide([rows_of(x) for x in iterables])
    return zip(*iterables)


def reversed_(sequence: Any) -> Any:
    """`reversed`."""
    if _later(sequence):
        return Backwards(rows_of(sequence))
    return reversed(list(sequence) if isinstance(sequence, Tensor) else sequence)


def _later(value: Any) -> bool:
    return not dispatch.current_mode().eager and has_rows(value)


def min_(*args: Any, **kwargs: Any) -> Any:
    """`min`."""
    return _extreme(builtins.min, minimum, reduce_min, args, kwargs)


def max_(*args: Any, **kwargs: Any) -> Any:
    """`max`."""
    return _extreme(builtins.max, maximum, reduce_max, args, kwargs)


def _extreme(
    plain: Callable, of_two: Callable, of_all: Callable, args: tuple, kwargs: dict
) -> Any:
    if kwargs or not args:
        return plain(*args, **kwargs)
    if len(args) == 1:
        if has_rows(args[0]) and not dispatch.current_mode().eager:
            return of_all(convert_to_tensor(args[0]), 0)
        args = tuple(args[0])
    if not any(map(is_staged, args)):
        return plain(args)
    found = args[0]
    for x in args[1:]:
        found = of_two(found, x)
    return found


def sum_(iterable: Any, start: Any = 0) -> Any:
    """`sum`; of a tensor of a graph, of its rows."""
    if not _later(iterable):
        return sum(iterable, start)
    found = reduce_sum(convert_to_tensor(iterable), 0)
    return found if isinstance(start, int) and not start else found + start


def any_(iterable: Any) -> Any:
    """`any`."""
    if not _later(iterable):
        return _staged_or_plain(any, reduce_any, iterable)
    return reduce_any(convert_to_tensor(iterable), 0)


def all_(iterable: Any) -> Any:
    """`all`."""
    if not _later(iterable):
        return _staged_or_plain(all, reduce_all, iterable)
    return reduce_all(convert_to_tensor(iterable), 0)


def _staged_or_plain(plain: Callable, reduce: Callable, iterable: Any) -> Any:
    found = list(iterable)
    if any(map(is_staged, found)):
        return reduce(array.stack([cast(x, dtypes.bool) for x in found]))
    return plain(found)


def print_(*objects: Any, **kwargs: Any) -> Any:
    """`print`; in a graph, whenever that runs.

    In a function prints come in the order of the program. In a graph the op that is
    given back has to run.
    """
    if dispatch.current_mode().eager:
        print(*objects, **kwargs)
        return None
    waits = any(_waits(leaf) for x in objects for leaf in _leaves(x))
    if not waits and set(kwargs) <= {"sep", "file", "flush"}:
        joined = kwargs.get("sep")
        text = (" " if joined is None else joined).join(map(str, objects))
        objects, kwargs["sep"] = (array.constant(text),), None
    stream = kwargs.pop("file", None)
    sep = kwargs.pop("sep", None)
    end, _ = kwargs.pop("end", None), kwargs.pop("flush", None)
    if kwargs:
        raise TypeError(f"invalid keyword arguments for print(): {kwargs}")
    if end not in (None, "\n") or (sep not in (None, " ") and len(objects) > 1):
        raise ValueError(
            "print() of tensors of a graph puts spaces between them and ends the line; "
            f"got sep={sep!r}, end={end!r}. Use tf.strings.format and tf.print."
        )
    where = sys.stdout if stream is None else stream
    if any(map(_is_text, objects)):
        objects = _as_one_text(objects)
    return print_v2(*objects, output_stream=where, summarize=-1)


def _is_text(value: Any) -> bool:
    string = isinstance(value, Tensor) and value.dtype is dtypes.string
    return string and value._shape == ()


def _as_one_text(objects: tuple) -> tuple:
    """The objects as one string tensor; as they are, if structures are among them.

    tf.print shows the string "a" as [a] beside others, Python as a.
    """
    parts = []
    for x in objects:
        if _is_text(x):
            parts.append(x)
        elif isinstance(x, Tensor):
            parts.append(string_format("{}", x, summarize=-1))
        elif any(isinstance(leaf, Tensor | TensorLike) for leaf in _leaves(x)):
            return objects
        else:
            parts.append(array.constant(str(x)))
    return (string_join(parts, " "),)


def _leaves(value: Any) -> list:
    try:
        return nest.flatten(value)
    except TypeError:
        return [value]


def _waits(leaf: Any) -> bool:
    if is_staged(leaf) or isinstance(leaf, Composite):
        return True
    return isinstance(leaf, TensorLike) and not dispatch.current_mode().eager


def stack_(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """tf.stack, of lists that a graph fills too."""
    if not isinstance(values, StagedList):
        return joining.stack(values, axis, name)
    found = values.stack()
    if axis == 0:
        return found
    order = list(range(found.shape.ndims))
    order.insert(axis % len(order), order.pop(0))
    return transpose(found, order)


def concat_(values: Any, axis: Any, name: str = "concat") -> Any:
    """tf.concat, of lists that a graph fills too: of elements of one shape."""
    if not isinstance(values, StagedList):
        return joining.concat(values, axis, name)
    whole = values.stack()
    rank = whole.shape.ndims - 1
    axis = axis % rank
    order = list(range(1, rank + 1))
    order.insert(axis, 0)
    rest = shape_of(whole)[1:]
    count = shape_of(whole)[0]
    sizes = [rest[i] * (count if i == axis else 1) for i in range(rank)]
    return reshape(transpose(whole, order), array.stack(sizes))


BUILTINS: dict = {
    abs: abs_, all: all_, any: any_, bool: bool_, enumerate: enumerate_,
    float: float_, int: int_, len: len_, max: max_, min: min_, print: print_,
    range: range_, reversed: reversed_, sum: sum_, zip: zip_, joining.stack: stack_,
    joining.concat: concat_,
}  # fmt: skip


def overload_of(f: Any) -> Any:
    """What stands for one of Python's functions in converted code, else itself."""
    try:
        return BUILTINS.get(f, f)
    except TypeError:  # it cannot be hashed
        return f
