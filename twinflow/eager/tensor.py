"""EagerTensor: a value that is here now, held as a NumPy array."""

from typing import Any

import numpy as np

from twinflow import drawing
from twinflow.base import dispatch, dlpack, dtypes, native
from twinflow.base.advice import advised
from twinflow.base.annotations import Array
from twinflow.base.convert import manners
from twinflow.base.tensor import Tensor
from twinflow.eager.printing import array_repr, scalar_text

new = object.__new__


def _meaningless(name: str) -> Any:
    """A property that says that only the tensors of a graph have it."""

    def refuse(self: "EagerTensor") -> Any:
        raise AttributeError(
            f"Tensor.{name} is meaningless when eager execution is enabled."
        )

    return property(refuse)


class EagerTensor(Tensor):
    """A concrete value.

    Note [Who owns memory]: ``_a`` is an ndarray or a NumPy scalar that nobody outside
    may write to: what enters is copied, and what leaves is copied, or lent for reading
    (Note [Exported memory] in base.dlpack).
    """

    __slots__ = ("_a", "dtype", "_id", "assign", "__weakref__")

    _a: np.ndarray
    dtype: dtypes.DType
    _id: int

    @property
    def _shape(  # type: ignore[override]  # the array knows; nobody sets it
        self,
    ) -> tuple[int, ...]:
        return self._a.shape

    def _shape_value(self) -> tuple[int, ...]:
        return self._a.shape

    def _known_value(self) -> Array:
        return self._a

    @property
    def device(self) -> str:
        """Where the value is."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    name = _meaningless("name")
    op = _meaningless("op")
    graph = _meaningless("graph")
    value_index = _meaningless("value_index")

    @property
    def ndim(self) -> Any:
        """The number of axes."""
        return self._a.ndim

    def numpy(self) -> Any:
        """The value: an ndarray of its own, or a NumPy scalar for a 0-d tensor."""
        a = self._a
        if self.dtype is dtypes.resource:
            raise ValueError("Resource handles are not convertible to numpy.")
        if a.ndim == 0:
            return a[()]
        return a.copy()

    def __array__(self, dtype: np.dtype | None = None, copy: Any = None) -> Array:
        a = self._a
        own = type(a) is np.ndarray and a.ndim and a.dtype.hasobject is False
        if not own or (dtype is not None and dtype != a.dtype):
            if copy is False:
                raise ValueError(
                    f"NumPy gets a {self._name} tensor of shape {self.shape} as "
                    f"{dtype or 'an array'} only as a copy: leave copy=False out."
                )
            return np.array(a, dtype=dtype)
        if copy or (copy is None and manners.cut_off):  # programs of 2018 write to it
            return a.copy()
        found = a.view()
        found.flags.writeable = False
        return found

    def __dlpack__(
        self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> Any:  # fmt: skip
        """The value as a DLPack capsule, for `torch.from_dlpack` and its like."""
        if dl_device is not None and tuple(dl_device) != dlpack.CPU:
            raise BufferError(
                f"The value is on the CPU, DLPack device {dlpack.CPU}, and was asked "
                f"for on {tuple(dl_device)}: move it there after the import."
            )
        if stream is not None:
            raise BufferError(f"Memory of the CPU has no streams; got stream={stream}.")
        return dlpack.exported(self._a, max_version, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where `__dlpack__` gives the value: (1, 0) is the CPU."""
        return dlpack.CPU

    def __format__(self, spec: str) -> str:
        a = self._a
        return format(a[()] if a.ndim == 0 else a, spec)

    def __int__(self) -> int:
        return int(self._a)

    def __float__(self) -> float:
        return float(self._a)

    def __complex__(self) -> Any:
        return complex(self._a)

    def __index__(self) -> int:
        return np.asarray(self._a).__index__()

    def __round__(self, digits: Any = None) -> Any:
        return round(self._a.item(), digits)

    def __bool__(self) -> bool:
        a = self._a
        if a.size != 1 or a.ndim:
            raise ValueError(
                f"Non-scalar tensor {self!r} cannot be converted to boolean."
            )
        if a.dtype != bool:
            raise ValueError(
                f"Non-boolean tensor {self!r} cannot be converted to boolean."
            )
        return bool(a)

    __nonzero__ = __bool__

    def __len__(self) -> int:
        raise advised(TypeError, f"object of type '{type(self).__name__}' has no len()")

    def __iter__(self) -> Any:
        if self._a.ndim == 0:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(self._a.shape[0]))

    def __str__(self) -> str:
        return f"tf.Tensor({self._text(False)}, shape={self.shape}, dtype={self._name})"

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: id={self._number()}, shape={self.shape}, "
            f"dtype={self._name}, numpy={self._text(True)}>"
        )

    def _repr_html_(self) -> str | None:
        """A card for a notebook, where it is large; a small one is its repr."""
        title = f"tf.Tensor id={self._number()}"
        return drawing.array_card(title, self._a, self._name)

    @property
    def _name(self) -> str:
        return self.dtype.name

    def _number(self) -> int:
        self._id = self._id or dispatch.next_id()
        return self._id

    def _text(self, is_repr: bool) -> str:
        a = self._a
        if not isinstance(a, np.ndarray | np.generic):
            return "<unprintable>"
        if a.ndim == 0:
            return scalar_text(a[()])
        text = array_repr(a) if is_repr else str(a)
        return f"\n{text}" if "\n" in text else text

    def set_shape(self, shape: Any) -> None:
        """Check that the shape fits `shape`.

        Raises:
            ValueError: it does not.
        """
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape "
                f"{shape}"
            )

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Refused: the value is here already."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what "
            "you're looking for?"
        )

    def consumers(self) -> Any:
        """Refused: there is no graph."""
        raise NotImplementedError(
            "Tensor.consumers is meaningless when eager execution is enabled."
        )

    def cpu(self) -> Any:
        """A copy on the CPU; of the same array where it lives there already."""
        if type(self) is not EagerTensor:
            return dispatch.copied(self, "CPU:0")
        found = wrap(self._a, self.dtype)
        found._id = self._id  # gradients of both are one
        return found

    def gpu(self, gpu_index: int = 0) -> Any:
        """A copy on a GPU.

        Raises:
            RuntimeError: there is no such GPU.
        """
        return dispatch.copied(self, f"GPU:{gpu_index}")

    def _alias(self) -> "EagerTensor":
        """Another tensor of this value, which no tape knows."""
        return wrap(self._a, self.dtype)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return wrap(self._a.copy(), self.dtype)

    def __reduce__(self) -> tuple:
        return _unpickle, (np.asarray(self._a), self.dtype)


def wrap(array: Any, dtype: Any) -> Any:
    """A tensor around an array that nobody else writes to."""
    t = new(EagerTensor)
    t._a = array
    t.dtype = dtype
    t._id = 0
    return t


def _unpickle(array: Any, dtype: Any) -> Any:
    return wrap(array, dtype)


dispatch.EagerTensor = EagerTensor
if native.fast is not None:
    native.fast.setup(
        EagerTensor, vars(dispatch), dispatch.next_id, dtypes.DType, np.empty((3, 5))
    )
    wrap = native.fast.wrap
dispatch.wrap = wrap
