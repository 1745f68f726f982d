"""The handle that every value is reached by, now or later."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base import shapes
from twinflow.base.advice import advised
from twinflow.base.dtypes import DType
from twinflow.base.operators import Operators

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np


class Tensor(Operators):
    """A value of one dtype: held now (eager) or promised for later (a graph).

    Subclasses give ``dtype``, ``_shape`` (a tuple of int or None; None = unknown rank),
    ``_shape_value()`` (a tuple where known, else a tensor) and ``_known_value()``, the
    value as far as it is known (an array, a tuple with None in it, or None). The
    operators are put here by ops.core.operators.
    """

    __slots__ = ()
    symbolic = False  # True for the tensors of a graph
    OVERLOADABLE_OPERATORS = frozenset(
        """__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __div__ __rdiv__
        __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __lt__
        __le__ __gt__ __ge__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__
        __getitem__ __pow__ __rpow__ __invert__ __neg__ __abs__ __matmul__
        __rmatmul__""".split()  # noqa: SIM905
    )
    __array_priority__ = 100  # ndarray op Tensor goes to the Tensor's reflected method

    dtype: DType
    _shape: tuple[Any, ...] | None
    _id: Any  # the int under which tapes know it, in a slot of the subclass
    _shape_value: Callable[..., Any]
    _known_value: Callable[..., Any]

    op: Any  # the operation of a graph that gives it

    if TYPE_CHECKING:  # what only a tensor of now has, and what only one of a graph has

        @property
        def ndim(self) -> int: ...
        def numpy(self) -> Any: ...  # an array, a NumPy scalar or bytes
        def __array__(
            self, dtype: Any = None, copy: bool | None = None
        ) -> np.ndarray[Any, Any]: ...
        def __iter__(self) -> Iterator["Tensor"]: ...
        def __contains__(self, value: Any, /) -> bool: ...
        def __bool__(self) -> bool: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __round__(self, digits: int | None = None, /) -> Any: ...
        def __index__(self) -> int: ...
        def eval(self, feed_dict: Any = None, session: Any = None) -> Any: ...
        def set_shape(self, shape: Any) -> None: ...
        def consumers(self) -> list[Any]: ...
        def cpu(self) -> "Tensor": ...
        def gpu(self, gpu_index: int = 0) -> "Tensor": ...
        @property
        def name(self) -> str: ...
        @property
        def device(self) -> str: ...
        @property
        def graph(self) -> Any: ...

        value_index: int

    @property
    def shape(self) -> shapes.TensorShape:
        """The static shape, a TensorShape."""
        return shapes.TensorShape(self._shape)

    def get_shape(self) -> shapes.TensorShape:
        """Same as `shape`."""
        return self.shape

    def __setitem__(self, key: Any, value: Any) -> None:
        kind = type(self).__name__
        text = f"{kind!r} object does not support item assignment"
        raise advised(TypeError, text)

    def _rank(self) -> Any:
        return None if self._shape is None else len(self._shape)

    def _shape_tuple(self) -> Any:
        return self._shape

    def _shape_as_list(self) -> Any:
        return None if self._shape is None else list(self._shape)


def _of_each_kind(name: str) -> Callable:
    """A method that the tensors of now and those of a graph have, each their own."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        found = getattr(type(self), name)
        if found is method:
            raise TypeError(f"{type(self).__name__} has no {name}")
        return found(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    return method


for _name in ("__iter__", "__bool__", "__nonzero__", "eval", "consumers", "set_shape"):
    setattr(Tensor, _name, _of_each_kind(_name))  # libraries read them off tf.Tensor


class TensorLike(Operators):
    """Marks objects that are taken wherever a tensor is: ``_as_tensor()`` makes one."""

    __slots__ = ()
    __array_priority__ = 100  # as that of Tensor

    dtype: DType
    _as_tensor: Callable[..., Any]


class Composite:
    """Marks a value made of several tensors (sparse forms): one leaf of a structure.

    Subclasses give ``_components()``, a tuple of tensors (None where there is none),
    ``_with(components)``, the same kind of value of other tensors, and ``_value``, the
    named tuple of arrays that a Session returns for it and takes as a feed.
    """

    __slots__ = ("__dict__", "__weakref__")  # programs put marks of their own there

    _components: Callable[..., tuple[Any, ...]]
    _with: Callable[..., Any]
    _value: type[Any]

    def _loop_shapes(self, invariant: Any = None) -> list[tuple]:
        """The shapes that its tensors keep in a loop, given what the user says."""
        return [c._shape for c in self._components() if c is not None]


def loop_shape(t: Any, invariant: Any, part: Any) -> Any:
    """The shape that `t`, the `part` of a composite value, keeps in a loop: `invariant`
    (anything that says a shape), or its own where that is None.

    Raises:
        ValueError: `t` has another shape from the start.
    """
    own, wanted = t.shape, shapes.TensorShape(invariant)
    if invariant is None:
        return own.tuple
    known = own.is_compatible_with(wanted) and own.merge_with(wanted).tuple == own.tuple
    if wanted.ndims is not None and not known:
        raise advised(
            ValueError,
            f"The shape invariant specified for {t.name} is not compatible with the "
            f"initial shape of the {part}. It enters the loop with shape {own}, but "
            f"the specified shape invariant is {wanted}.",
        )
    return wanted.tuple


class ResourceHandle(TensorLike):
    """Marks objects (variables) that ops reach through a tensor of their own.

    Subclasses give ``handle``, the tensor that stands for the object; tapes know it by
    ``handle_id()``.
    """

    __slots__ = ()

    handle: Tensor
    graph: Any
    trainable: bool
    _as_graph_element: Callable[..., Any]
    handle_id: Callable[[], int]
