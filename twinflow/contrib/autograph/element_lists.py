"""Lists of tensors in graphs, as functions: Python lists, TensorLists, TensorArrays."""

from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.autograph.staged_list import StagedList
from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core import array
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.strings.basic import substr
from twinflow.ops.tensor_array import list_ops
from twinflow.ops.tensor_array.arrays import TensorArray


class GetItemOpts(NamedTuple):
    """What `get_item` has to know of a TensorList: the dtype of its elements."""

    element_dtype: Any


class ListPopOpts(NamedTuple):
    """What `list_pop` has to know of a TensorList."""

    element_dtype: Any
    element_shape: Any


class ListStackOpts(NamedTuple):
    """What `list_stack` has to know: the elements' dtype, and what to do otherwise."""

    element_dtype: Any
    original_call: Callable[..., Any]


def empty_list(shape: Any, dtype: Any) -> Tensor:
    """A TensorList without elements."""
    attrs = {"element_dtype": dtypes.as_dtype(dtype)}
    return dispatch.apply(list_ops.EmptyTensorList, (shape,), attrs)


def _is_list(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype is dtypes.variant


def _refuse_tensor(value: Any) -> None:
    if isinstance(value, Tensor):
        raise ValueError(
            "tensor lists are expected to be Tensors with dtype=tf.variant, instead "
            f"found {value}"
        )


def new_list(iterable: Any = None) -> Any:
    """A Python list of some elements, or a TensorList without any."""
    elements = list(iterable or ())
    return elements or tf_tensor_list_new(elements)


def tf_tensor_list_new(
    elements: Any, element_dtype: Any = None, element_shape: Any = None
) -> Tensor:
    """A TensorList of some tensors.

    Raises:
        ValueError: they have other dtypes or shapes than was said.
    """
    tensors = [convert_to_tensor(e) for e in elements]
    kinds = {t.dtype for t in tensors}
    if tensors and element_dtype is not None and kinds != {element_dtype}:
        raise ValueError(
            f"incompatible dtype; specified: {element_dtype}, inferred from {tensors}: "
            f"{kinds}"
        )
    if len(kinds) > 1:
        raise ValueError(
            f"a TensorList requires all elements to have the same dtype: {tensors}; "
            "cast them (tf.cast)"
        )
    dtype = element_dtype or (kinds.pop() if kinds else dtypes.variant)
    shape = element_shape
    wanted = TensorShape(None if isinstance(shape, Tensor) else shape)
    if not all(wanted.is_compatible_with(t.shape) for t in tensors):
        raise ValueError(
            f"incompatible shape; specified: {shape}, inferred from {tensors}: "
            f"{[str(t.shape) for t in tensors]}"
        )
    if shape is None:
        alike = len({t._shape for t in tensors}) == 1
        shape = shape_of(tensors[0]) if alike else array.constant(-1)
    found = empty_list(shape, dtype)
    for t in tensors:
        found = list_ops.push(found, t)
    return found


def tf_tensor_array_new(
    elements: Any, element_dtype: Any = None, element_shape: Any = None
) -> TensorArray:
    """A TensorArray of some tensors.

    Raises:
        ValueError: their dtypes or shapes differ, or are not what was said; there are
            no elements and no dtype.
    """
    tensors = [convert_to_tensor(e) for e in elements]
    dtype = _common("dtype", [t.dtype for t in tensors], element_dtype, tensors)
    shape = _common("shape", [t._shape for t in tensors], element_shape, tensors)
    if dtype is None:
        raise ValueError("dtype is required to create an empty TensorArray")
    found = TensorArray(
        dtype, size=len(tensors), dynamic_size=True, infer_shape=shape is None,
        element_shape=shape,
    )  # fmt: skip
    for i, t in enumerate(tensors):
        found = found.write(i, t)
    return found


def _common(name: str, found: list, said: Any, tensors: list) -> Any:
    kinds = list(dict.fromkeys(found))
    if len(kinds) > 1:
        raise ValueError(
            f"TensorArray requires all elements to have the same {name}: {tensors}"
        )
    if kinds and said is not None and said != kinds[0]:
        raise ValueError(
            f"incompatible {name}; specified: {said}, inferred from {tensors}: "
            f"{kinds[0]}"
        )
    return said if said is not None or not kinds else kinds[0]


def list_append(list_: Any, x: Any) -> Any:
    """A list with one more element."""
    if isinstance(list_, TensorArray):
        return list_.write(list_.size(), x)
    if _is_list(list_):
        return list_ops.push(list_, convert_to_tensor(x))
    _refuse_tensor(list_)
    list_.append(x)
    return list_


def list_pop(list_: Any, i: Any, opts: ListPopOpts) -> tuple[Any, ...]:
    """A list without an element, and the element.

    Args:
        i: which; None = the last. opts: of a TensorList.
    Raises:
        ValueError: it is a TensorArray, or a TensorList of unknown elements.
        NotImplementedError: of a TensorList, another than the last is asked for.
    """
    if isinstance(list_, TensorArray):
        raise ValueError("TensorArray does not support item removal")
    if not _is_list(list_):
        _refuse_tensor(list_)
        return list_, list_.pop() if i is None else list_.pop(i)
    if i is not None:
        raise NotImplementedError("tensor lists only support removing from the end")
    for name in ("element_dtype", "element_shape"):
        if getattr(opts, name) is None:
            raise ValueError(
                "cannot pop from a list without knowing its element "
                f"{name.removeprefix('element_').replace('dtype', 'type')}; use "
                "set_element_type to annotate it"
            )
    found, x = list_ops.pop(list_, opts.element_dtype)
    if not dispatch.current_mode().eager:
        x.set_shape(opts.element_shape)
    return found, x


def list_stack(list_: Any, opts: ListStackOpts) -> Any:
    """The elements of a list as one tensor; what is none goes to the original call.

    Raises:
        ValueError: it is a TensorList of unknown elements.
    """
    if isinstance(list_, TensorArray | StagedList):
        return list_.stack()
    if _is_list(list_):
        if opts.element_dtype is None:
            raise ValueError(
                "cannot stack a list without knowing its element type; use "
                "set_element_type to annotate it"
            )
        return list_ops.stack(list_, opts.element_dtype)
    return list_ if isinstance(list_, Tensor) else opts.original_call(list_)


def get_item(target: Any, i: Any, opts: GetItemOpts) -> Any:
    """`target[i]`; of a string tensor one byte.

    Raises:
        ValueError: it is a TensorList of unknown elements.
    """
    if isinstance(target, TensorArray):
        return target.read(i)
    if _is_list(target):
        if opts.element_dtype is None:
            raise ValueError(
                "cannot retrieve from a list without knowing its element type; use "
                "set_element_type to annotate it"
            )
        return list_ops.item_at(target, i, opts.element_dtype)
    text = isinstance(target, Tensor) and target.dtype is dtypes.string
    return substr(target, i, 1) if text and target._shape == () else target[i]


def set_item(target: Any, i: Any, x: Any) -> Any:
    """What a variable holds after `target[i] = x`."""
    if isinstance(target, TensorArray):
        return target.write(i, x)
    if _is_list(target):
        return list_ops.put(target, i, convert_to_tensor(x))
    _refuse_tensor(target)
    target[i] = x
    return target


def tensor_list(
    elements: Any, element_dtype: Any = None, element_shape: Any = None,
    use_tensor_array: bool = False,
) -> Any:  # fmt: skip
    """A TensorList, or a TensorArray, of some tensors.

    Args:
        elements: the tensors. element_dtype, element_shape: of them; asked for where
            there are none. use_tensor_array: whether it is a TensorArray.
    Raises:
        ValueError: there are neither elements nor a dtype and a shape.
    Example:
        tf.contrib.autograph.tensor_list([1., 2.], use_tensor_array=True)
    """
    if not (elements or (element_dtype and element_shape)):
        raise ValueError("element_dtype and element_shape are required for empty lists")
    make = tf_tensor_array_new if use_tensor_array else tf_tensor_list_new
    return make(elements, element_dtype, element_shape)


def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list as one tensor.

    Args:
        list_or_tensor: a list, TensorList or TensorArray; a tensor stays.
        element_dtype: of a TensorList. strict: refuse what is neither; else it stays.
    Raises:
        ValueError: see `strict`.
    Example:
        tf.contrib.autograph.stack([1., 2.], strict=False)  # [1., 2.]
    """

    def otherwise(value: Any) -> Any:
        if strict:
            raise ValueError(f"{value} must be stackable when strict=True")
        return value

    return list_stack(list_or_tensor, ListStackOpts(element_dtype, otherwise))


class TensorList:
    """A TensorList with the methods of a Python list.

    Args:
        shape, dtype: of its elements.
    Example:
        l = tf.contrib.autograph.utils.TensorList
    """

    def __init__(self, shape: Any, dtype: Any) -> None:
        self.shape, self.dtype = shape, dtype
        self.list_ = empty_list(shape, dtype)

    def append(self, value: Any) -> None:
        """Add an element."""
        self.list_ = list_ops.push(self.list_, convert_to_tensor(value))

    def pop(self) -> Tensor:
        """Take the last element away."""
        self.list_, value = list_ops.pop(self.list_, self.dtype)
        return value

    def clear(self) -> None:
        """Take all away."""
        self.list_ = empty_list(self.shape, self.dtype)

    def count(self) -> Tensor:
        """How many there are."""
        return dispatch.apply(list_ops.TensorListLength, (self.list_,))

    def __getitem__(self, key: Any) -> Tensor:
        return list_ops.item_at(self.list_, key, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.list_ = list_ops.put(self.list_, key, convert_to_tensor(value))


def dynamic_list_append(target: Any, element: Any) -> Any:
    """A list with one more element, whatever kind of list it is."""
    return list_append(target, element)
