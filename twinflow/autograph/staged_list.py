"""Lists that loops and branches on tensors change: tensor arrays with a length.

Note [Staged lists]: where a loop or branch of a graph appends to a list, the list
becomes a StagedList there: a flow and a length, which the loop carries
(ops.tensor_array). What the array is, its `ListKind`, is made at the first append,
outside the loops, for only then are dtype and shape known. A loop over n rows that
appends once in each, to a list that was empty, makes an array of n; others grow. A list
of which loops or branches take elements out, or replace them, is a TensorList, on the
host; what is appended behind the loop that filled an array lets it grow again.
"""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.ops.core import array
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.tensor_array import list_ops
from twinflow.ops.tensor_array.arrays import GraphArray
from twinflow.ops.tensor_array.ops import nothing

FREE = "*"  # before the name of a list whose elements are taken out or replaced


class ListKind:
    """What the forms of one staged list share.

    Attributes:
        array: the GraphArray of its handle, or None before the first element.
        rows: how many appends there will be at most, if that is known (a tensor).
        appended: the region of each append that was traced.
        free: whether elements are taken out or replaced: a TensorList, on the host.
    """

    def __init__(
        self, dtype: Any = None, shape: Any = None, rows: Any = None, free: bool = False
    ) -> None:
        self.dtype, self.shape, self.rows, self.free = dtype, shape, rows, free
        self.array: Any = None
        self.appended: list = []

    def made(self, like: Tensor) -> GraphArray:
        """The array, made for elements like this one."""
        if self.array is None:
            graph = dispatch.current_mode()
            shape = like.shape if self.shape is None else TensorShape(self.shape)
            with graph.outside_regions():
                self.array = GraphArray(
                    self.dtype or like.dtype.base_dtype,
                    size=0 if self.rows is None else self.rows,
                    dynamic_size=True, clear_after_read=False, infer_shape=False,
                    element_shape=shape, name="list",
                )  # fmt: skip
        return self.array

    def fixed(self) -> None:
        """Say that the array will not grow."""
        self.array.handle.op.attrs["dynamic_size"] = False

    def growing(self) -> None:
        """Take that back: more is appended behind the loop that filled it."""
        self.array.handle.op.attrs["dynamic_size"] = True


class StagedList(Composite, TensorLike):
    """A list of tensors of one dtype in a graph, which loops can carry.

    As a tensor it is its elements, stacked. Like a Python list it changes in place.

    Args:
        kind: what it shares with its other forms.
        flow: the tensor of its contents; None = no elements.
        count: how many there are, int32[] or an int.
    """

    def __init__(self, kind: ListKind, flow: Any = None, count: Any = 0) -> None:
        self.kind, self.count = kind, count
        self._flow = flow

    @property
    def dtype(self) -> Any:  # type: ignore[override]  # nobody sets it
        """The DType of the elements; None before the first."""
        return self.kind.dtype if self.kind.array is None else self.kind.array.dtype

    @property
    def flow(self) -> Any:
        """The tensor that stands for the contents."""
        if self._flow is None:
            return nothing() if self.kind.array is None else self.kind.array.flow
        return self._flow

    def copy(self) -> "StagedList":
        """The same elements, to be changed apart."""
        return StagedList(self.kind, self._flow, self.count)

    # ------------------------------------------------------------ as part of a loop
    def _components(self) -> tuple:
        count = self.count
        if isinstance(count, int):
            count = convert_to_tensor(count, dtypes.int32)
        return self.flow, count

    def _with(self, components: Any) -> "StagedList":
        flow, count = components
        return StagedList(self.kind, flow, count)

    def _as_tensor(self, *_: Any, **__: Any) -> Tensor:
        return self.stack()

    # ------------------------------------------------------------ as a list
    def append(self, element: Any) -> None:
        """Add an element at the end.

        Raises:
            TypeError: it has another dtype than those before.
        """
        value = convert_to_tensor(element, self.dtype if _plain(element) else None)
        whole = self.kind.made(value)
        self.kind.growing()
        if value.dtype.base_dtype is not whole.dtype:
            raise TypeError(
                "A list that a loop fills has elements of one dtype: "
                f"{whole.dtype.name} so far, now {value.dtype.name}. Convert them "
                "(tf.cast)."
            )
        known = whole._element_shape
        if known and not value.shape.is_compatible_with(known[0]):
            known[0] = _general(known[0], value.shape)
            whole.handle.op.attrs["element_shape"] = known[0].tuple
        self._flow = whole._view(self.flow).write(self.count, value).flow
        self.kind.appended.append(dispatch.current_mode().region)
        self.count = self.count + 1

    def pop(self, index: Any = -1) -> Tensor:
        """Take the last element away.

        Raises:
            ValueError: another index is asked for.
        """
        if index not in (-1, None):
            raise ValueError(
                "A list that a loop or branch on tensors fills can only pop its last "
                f"element, not index {index!r}."
            )
        self.kind.rows = None
        self.count = self.count - 1
        return self._array().read(self.count)

    def _array(self) -> GraphArray:
        if self.kind.array is None:
            if self.kind.dtype is None:
                raise ValueError(
                    "Nothing was appended to this list. Say what its elements are: "
                    "tf.contrib.autograph.set_element_type(name, dtype, shape)."
                )
            shape = [d or 0 for d in TensorShape(self.kind.shape).tuple or ()]
            self.kind.made(array.zeros(shape, self.kind.dtype))
        return self.kind.array._view(self.flow)

    def _at(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            return self.count + index
        return index

    def __getitem__(self, index: Any) -> Tensor:
        if isinstance(index, slice):
            return self.stack()[index]
        return self._array().read(self._at(index))

    def set(self, index: Any, value: Any) -> None:
        """Put another element at a place."""
        value = convert_to_tensor(value, self.dtype if _plain(value) else None)
        whole = self._array()
        self._flow = whole.write(self._at(index), value).flow

    def __len__(self) -> int:
        if isinstance(self.count, int):
            return self.count
        raise TypeError(
            "How long this list is, is known when the graph runs: len() gives a tensor "
            "in converted code alone."
        )

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def stack(self) -> Tensor:
        """All elements as one tensor."""
        whole = self._array()
        if self.count is self.kind.rows:
            return whole.stack()
        return whole.gather(range_of(0, self.count))

    @property
    def shape(self) -> TensorShape:
        """The static shape of the elements, stacked."""
        known = self.kind.array and self.kind.array._element_shape
        count = self.count if isinstance(self.count, int) else None
        return TensorShape(None) if not known else known[0].__radd__([count])

    def __repr__(self) -> str:
        name = getattr(self.dtype, "name", "unknown")
        return f"<list of {name} tensors in a graph>"


class FreeList(StagedList):
    """A StagedList whose elements are taken out or replaced: a list as a value."""

    @property
    def dtype(self) -> Any:  # type: ignore[override]  # nobody sets it
        return self.kind.dtype

    @property
    def flow(self) -> Any:
        if self._flow is not None:
            return self._flow
        attrs = {"element_dtype": self.kind.dtype or dtypes.float32}
        shape = convert_to_tensor(-1, dtypes.int32)
        return dispatch.apply(list_ops.EmptyTensorList, (shape,), attrs)

    @property
    def count(self) -> Any:
        """How many elements there are, int32[]."""
        return dispatch.apply(list_ops.TensorListLength, (self.flow,))

    @count.setter
    def count(self, count: Any) -> None:
        """The list itself knows."""

    def copy(self) -> "StagedList":
        return FreeList(self.kind, self._flow)

    def _components(self) -> tuple:
        return (self.flow,)

    def _with(self, components: Any) -> "StagedList":
        return FreeList(self.kind, components[0])

    def _value_of(self, element: Any) -> Tensor:
        value = convert_to_tensor(element, self.dtype if _plain(element) else None)
        if self.kind.dtype is None:
            self.kind.dtype = value.dtype.base_dtype
            self.kind.shape = value.shape
        if value.dtype.base_dtype is not self.kind.dtype:
            raise TypeError(
                "A list that a loop fills has elements of one dtype: "
                f"{self.kind.dtype.name} so far, now {value.dtype.name}. Convert them "
                "(tf.cast)."
            )
        known = TensorShape(self.kind.shape)
        if not value.shape.is_compatible_with(known):
            self.kind.shape = _general(known, value.shape)
        return value

    def append(self, element: Any) -> None:
        value = self._value_of(element)
        self._flow = list_ops.push(self.flow, value)

    def pop(self, index: Any = -1) -> Tensor:
        if index not in (-1, None):
            raise ValueError(
                "A list that a loop or branch on tensors fills can only pop its last "
                f"element, not index {index!r}."
            )
        self._flow, element = list_ops.pop(self.flow, self._known())
        element.set_shape(self.kind.shape)
        return element

    def _known(self) -> Any:
        if self.kind.dtype is None:
            raise ValueError(
                "Nothing was appended to this list. Say what its elements are: "
                "tf.contrib.autograph.set_element_type(name, dtype, shape)."
            )
        return self.kind.dtype

    def __getitem__(self, index: Any) -> Tensor:
        if isinstance(index, slice):
            return self.stack()[index]
        found = list_ops.item_at(self.flow, self._at(index), self._known())
        found.set_shape(self.kind.shape)
        return found

    def set(self, index: Any, value: Any) -> None:
        self._flow = list_ops.put(self.flow, self._at(index), self._value_of(value))

    def stack(self) -> Tensor:
        found = list_ops.stack(self.flow, self._known())
        known = TensorShape(self.kind.shape)
        sizes = known.tuple
        found.set_shape(None if sizes is None else (None, *sizes))
        return found

    @property
    def shape(self) -> TensorShape:
        return TensorShape([None]).concatenate(self.kind.shape)


def _general(one: Any, other: Any) -> TensorShape:
    """The shape that two different ones have in common."""
    a, b = one.tuple, other.tuple
    if a is None or b is None or len(a) != len(b):
        return TensorShape(None)
    return TensorShape([x if x == y else None for x, y in zip(a, b, strict=True)])


def _plain(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex)


def staged(items: Any, kind: ListKind | None = None) -> StagedList:
    """A Python list as a StagedList.

    Raises:
        TypeError, ValueError: an element is no tensor and cannot be made one.
    """
    kind = kind or ListKind()
    found = FreeList(kind) if kind.free else StagedList(kind)
    for item in items:
        found.append(item)
    return found
