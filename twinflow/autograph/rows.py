"""What a loop over tensors goes through: rows, numbers of a range, several at once."""

from typing import Any, NamedTuple

from twinflow.autograph.staged_list import StagedList
from twinflow.autograph.values import is_staged
from twinflow.base import dispatch, dtypes
from twinflow.base.advice import say_fix
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.ops.core import array, compare
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.tensor_array.arrays import TensorArray


class Rows:
    """Elements that are reached by their number.

    Subclasses give ``count()``, an int or int32[], and ``at(i)`` for int32[].
    """

    def start(self) -> "Rows":
        """The same, made ready in front of a loop."""
        return self

    def count(self) -> Any:
        raise TypeError("no rows")

    def at(self, index: Any) -> Any:
        raise TypeError("no rows")

    def __iter__(self) -> Any:
        error = TypeError(
            f"{type(self).__name__} has a length that is known when the graph runs: "
            "only a 'for' statement in converted code goes through it."
        )
        say_fix(
            error,
            "write a 'for' statement that appends to a list, in place of a "
            "comprehension or call; tf.range(n) and tf.map_fn make such tensors.",
        )
        raise error


class TensorRows(Rows):
    """The rows of a tensor."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor
        if tensor._shape is not None and not tensor._shape:
            raise TypeError(f"Cannot go through the scalar {tensor!r} in a 'for' loop.")

    def start(self) -> "Rows":
        self.array = TensorArray(
            self.tensor.dtype, size=self.count(), clear_after_read=False, name="rows"
        ).unstack(self.tensor)
        return self

    def count(self) -> Any:
        shape = self.tensor._shape
        known = shape is not None and shape[0] is not None
        return shape[0] if known else shape_of(self.tensor)[0]

    def at(self, index: Any) -> Any:
        found = self.array.read(index)
        if self.tensor._shape is not None:
            found.set_shape(self.tensor._shape[1:])
        return found


class StagedRange(Rows, TensorLike):
    """`range` of tensors: a tensor only where one is asked for."""

    def __init__(self, start: Any, limit: Any, step: Any) -> None:
        given = [convert_to_tensor(v) for v in (start, limit, step)]
        wanted = [g.dtype for g in given if is_staged(g)]
        self.dtype = dtypes.int64 if dtypes.int64 in wanted else wanted[0].base_dtype
        if not self.dtype.is_integer:
            raise TypeError(
                f"range() of tensors takes integers, got {self.dtype.name}. Use "
                "tf.range."
            )
        self.first, self.limit, self.step = (cast(g, self.dtype) for g in given)
        self.plain = step == 1 if isinstance(step, int) else False

    def __repr__(self) -> str:
        return f"range({self.first!r}, {self.limit!r}, {self.step!r})"

    def _as_tensor(self, *_: Any, **__: Any) -> Tensor:
        return range_of(self.first, self._limit(), self.step)

    def _limit(self) -> Any:
        """The limit, or the start where nothing lies between."""
        ahead = maximum(self.first, self.limit)
        if self.plain:
            return ahead
        return compare.where(self.step > 0, ahead, minimum(self.first, self.limit))

    def count(self) -> Any:
        span = self.limit - self.first
        if not self.plain:
            span = -((-span) // self.step)
        return cast(maximum(span, array.zeros([], self.dtype)), dtypes.int32)

    def at(self, index: Any) -> Any:
        found = cast(index, self.dtype)
        if not self.plain:
            found = found * self.step
        return self.first + found


class ListRows(Rows):
    """The elements of a staged list."""

    def __init__(self, items: StagedList) -> None:
        self.items = items.copy()

    def count(self) -> Any:
        return self.items.count

    def at(self, index: Any) -> Any:
        return self.items[index]


class Numbered(Rows):
    """`enumerate`."""

    def __init__(self, rows: Rows, first: Any) -> None:
        self.rows, self.first = rows, first

    def start(self) -> Rows:
        self.rows = self.rows.start()
        return self

    def count(self) -> Any:
        return self.rows.count()

    def at(self, index: Any) -> Any:
        return index + self.first, self.rows.at(index)


class NumberedElements(NamedTuple):
    """`enumerate` of a dataset, in a graph."""

    dataset: Any
    start: Any


class SideBySide(Rows):
    """`zip`."""

    def __init__(self, all_rows: list) -> None:
        self.all_rows = all_rows

    def start(self) -> Rows:
        self.all_rows = [r.start() for r in self.all_rows]
        return self

    def count(self) -> Any:
        counts = [r.count() for r in self.all_rows]
        if all(isinstance(c, int) for c in counts):
            return min(counts)
        found = convert_to_tensor(counts[0])
        for c in counts[1:]:
            found = minimum(found, c)
        return found

    def at(self, index: Any) -> Any:
        return tuple(r.at(index) for r in self.all_rows)


class Backwards(Rows):
    """`reversed`."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def start(self) -> Rows:
        self.rows = self.rows.start()
        self.last = self.rows.count() - 1
        return self

    def count(self) -> Any:
        return self.rows.count()

    def at(self, index: Any) -> Any:
        return self.rows.at(self.last - index)


def has_rows(value: Any) -> bool:
    """Whether a `for` over `value` is a loop of a graph."""
    return isinstance(value, Rows | StagedList) or is_staged(_read(value))


def _read(value: Any) -> Any:
    """The value of a variable, in a graph."""
    later = isinstance(value, ResourceHandle) and not dispatch.current_mode().eager
    return value._as_tensor() if later else value


def rows_of(value: Any) -> Rows:
    """What a loop goes through."""
    value = _read(value)
    if isinstance(value, Rows):
        return value
    if isinstance(value, StagedList):
        return ListRows(value)
    if not isinstance(value, Tensor):
        value = convert_to_tensor(list(value) if isinstance(value, range) else value)
    if value.symbolic and value.op.type == "Range":
        first, limit, step = (_constant(t) for t in value.op.inputs)
        if value.dtype.is_integer and isinstance(step, int):
            return (
                StagedRange(first, limit, step)
                if _any(first, limit)
                else _Known(range(first, limit, step), value.dtype)
            )
    return TensorRows(value)


def _constant(t: Any) -> Any:
    known = t._host_value()
    return t if known is t else int(known)


def _any(*values: Any) -> bool:
    return any(is_staged(v) for v in values)


class _Known(Rows):
    """A range whose ends are known, as numbers of a graph."""

    def __init__(self, numbers: range, dtype: Any) -> None:
        self.numbers, self.dtype = numbers, dtype

    def count(self) -> int:
        return len(self.numbers)

    def at(self, index: Any) -> Any:
        n = self.numbers
        found = cast(index, self.dtype)
        found = found if n.step == 1 else found * n.step
        return found + n.start if n.start else found


def items_of(value: Any) -> Any:
    """What a comprehension goes through; in a graph, of a tensor its rows.

    Raises:
        TypeError: how many rows there are is known when the graph runs.
    """
    if dispatch.current_mode().eager or not has_rows(value):
        return value
    count = rows_of(value).count()
    if not isinstance(count, int):
        raise TypeError(
            "A comprehension over what has a length that is known when the graph runs: "
            f"{value!r}. Write a 'for' loop that appends to a list, or use tf.map_fn "
            "(of a tensor such as tf.range gives)."
        )
    rows = rows_of(value).start()
    return [rows.at(array.constant(i)) for i in range(count)]
