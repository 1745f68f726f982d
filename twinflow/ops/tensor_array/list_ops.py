"""Ops on lists of tensors as values: see Note [Tensor lists] in list_values."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import scalar, text
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.tensor_array.list_values import (
    TensorList,
    batch_of,
    boxed,
    dtype_of,
    element_shape,
    opened,
    opened_batch,
)


def _unknown(*_, **__):
    return None


# ---------------------------------------------------------------------- making
def _empty(shape, element_dtype):
    return boxed(TensorList(element_dtype, element_shape(shape), ()))


EmptyTensorList = define("EmptyTensorList", scalar, host=_empty)


def _reserve(shape, num_elements, element_dtype):
    return boxed(TensorList(element_dtype, element_shape(shape), ()))


TensorListReserve = define("TensorListReserve", scalar, host=_reserve)


def _reserved(shape, num_elements, element_dtype):
    return boxed(
        TensorList(element_dtype, element_shape(shape), (None,) * int(num_elements))
    )


Reserved = define(
    "TwinListReserve(element_shape: S, num_elements: int32) -> (handle: variant); "
    "element_dtype=float32",
    scalar,
    host=_reserved,
)


def reserved(shape, count, dtype):
    """A list of `count` elements, zeros until they are set, as of TensorFlow 2."""
    return apply(Reserved, (shape, count), {"element_dtype": dtype}, None)


def _rows_fit(tensor):
    if tensor._shape is not None and not tensor._shape:
        raise InferError("Shape must be at least rank 1 but is rank 0")
    return ()


def _from_tensor(tensor, shape):
    element_dtype = dtype_of(tensor)
    wanted = element_shape(shape)
    for row in np.shape(tensor)[1:], wanted:
        if wanted is not None and row is not wanted:
            values_fit = len(row) == len(wanted) and all(
                w in (None, r) for r, w in zip(row, wanted)
            )
            if not values_fit:
                raise invalid(
                    "Specified a list with shape "
                    f"{text(wanted)} from a tensor with shape {text(row)}"
                )
    items = [np.asarray(row, tensor.dtype) for row in tensor]
    if element_dtype is dtypes.variant:
        items = [boxed(row) for row in tensor]
    return boxed(TensorList(element_dtype, wanted, tuple(items)))


TensorListFromTensor = define(
    "TensorListFromTensor",
    lambda tensor, shape, **_: _rows_fit(tensor),
    host=_from_tensor,
    grad=[lambda dy, dtype_tensor: stack(dy, dtype_tensor)],
)


def _scatter(tensor, indices, shape):
    found = TensorList(dtype_of(tensor), element_shape(shape), ())
    items = []
    for i in np.ravel(indices).tolist():
        if not 0 <= i < len(tensor):
            raise invalid(
                f"Trying to scatter index {i} from tensor with {len(tensor)} rows."
            )
        items.append(np.asarray(tensor[i]))
    return boxed(found.with_items(items))


TensorListScatter = define(
    "TensorListScatter",
    lambda tensor, *_, **__: _rows_fit(tensor),
    host=_scatter,
    grad=[lambda dy, dtype_tensor, indices: gather(dy, indices, dtype_tensor)],
)


# ---------------------------------------------------------------------- the end
def _push(handle, tensor):
    found = opened(handle)
    found.check_dtype(dtype_of(tensor))
    return boxed(found.pushed(tensor))


def _pop(handle, element_dtype):
    found = opened(handle)
    found.check_dtype(element_dtype)
    if not found.items:
        raise invalid("Trying to pop from an empty list.")
    last = found.filled(found.items[-1])
    return [boxed(found.with_items(found.items[:-1])), last]


def _push_grad(dy, dtype_tensor, shape_tensor):
    handle, tensor = pop(dy, dtype_tensor)
    return handle, reshape(tensor, shape_tensor)


def _pop_grad(d_output_handle, d_tensor, output_handle, tensor):
    if d_output_handle is None:
        d_output_handle = zeros_like(output_handle)
    if d_tensor is None:
        d_tensor = zeros_like(tensor)
    return (push(d_output_handle, d_tensor),)


TensorListPushBack = define("TensorListPushBack", scalar, host=_push, grad=_push_grad)
TensorListPopBack = define(
    "TensorListPopBack",
    lambda *_, **__: [(), None],
    host=_pop,
    grad=_pop_grad,
    none_ok=True,
)


def push(handle, tensor):
    """The list with one more element."""
    return apply(TensorListPushBack, (handle, tensor), None, None)


def pop(handle, dtype):
    """(the list without its last element, that element)."""
    attrs = {"element_dtype": dtype}
    return tuple(apply(TensorListPopBack, (handle,), attrs, None))


def _push_batch(handles, tensor):
    element_dtype, lists = dtype_of(tensor), opened_batch(handles)
    if np.ndim(tensor) < 1 or len(tensor) != len(lists):
        raise invalid(
            f"Expected tensor.shape[0] == input_handles.size, saw {len(tensor)} vs. "
            f"{len(lists)}"
        )
    out = []
    for i, found in enumerate(lists):
        if found.dtype is not element_dtype:
            raise invalid(
                f"Invalid data type at index {i}; op elements "
                f"{dtypes.cpp_name(element_dtype)} but list elements "
                f"{dtypes.cpp_name(found.dtype)}"
            )
        out.append(found.pushed(np.asarray(tensor[i]), f" at index {i}"))
    return batch_of(out, np.shape(handles))


def _infer_push_batch(handles, tensor, **_):
    a, b = handles._shape, tensor._shape
    if a and b and None not in (a[0], b[0]) and a[0] != b[0]:
        raise InferError(f"Dimensions must be equal, but are {b[0]} and {a[0]}")
    return a


TensorListPushBackBatch = define(
    "TensorListPushBackBatch", _infer_push_batch, host=_push_batch
)


# ---------------------------------------------------------------------- looking
def _length(handle):
    return np.int32(len(opened(handle).items))


def _element_shape(handle, shape_type):
    found = opened(handle).shape
    if found is None:
        return np.asarray(-1, shape_type.np)
    return np.array([-1 if d is None else d for d in found], shape_type.np)


TensorListLength = define("TensorListLength", scalar, host=_length)
TensorListElementShape = define("TensorListElementShape", _unknown, host=_element_shape)


def _stack(handle, element_dtype, num_elements):
    found = opened(handle)
    found.check_dtype(element_dtype)
    if num_elements not in (-1, len(found.items)):
        raise invalid(
            f"Operation expected a list with {num_elements} elements but got a list "
            f"with {len(found.items)} elements."
        )
    return found.stacked(found.items)


def _stack_shape(handle, element_dtype, num_elements):
    return None


TensorListStack = define(
    "TensorListStack",
    _stack_shape,
    host=_stack,
    grad=[lambda dy: from_tensor(dy)],
)


def stack(handle, dtype):
    """The elements as one tensor."""
    return apply(TensorListStack, (handle,), {"element_dtype": dtype}, None)


def from_tensor(tensor):
    """The rows of a tensor as a list."""
    inputs = tensor, shape(tensor)[1:]
    return apply(TensorListFromTensor, inputs, None, None)


def _at(found, index, verb):
    if not 0 <= index < len(found.items):
        raise invalid(
            f"Trying to {verb} element {index} in a list with {len(found.items)} "
            "elements."
        )
    return found.items[index]


def _get(handle, index, element_dtype):
    found = opened(handle)
    found.check_dtype(element_dtype)
    return found.filled(_at(found, int(index), "access"))


def _set(handle, index, item):
    found, index = opened(handle), int(index)
    found.check_dtype(dtype_of(item))
    _at(found, index, "modify")
    found.with_items(()).pushed(item)
    return boxed(
        found.with_items((*found.items[:index], item, *found.items[index + 1 :]))
    )


TensorListGetItem = define(
    "TensorListGetItem",
    _unknown,
    host=_get,
    grad=[lambda dy, input_handle, index: put(zeros_like(input_handle), index, dy)],
)
TensorListSetItem = define(
    "TensorListSetItem",
    scalar,
    host=_set,
    grad=[
        lambda dy, index, item: put(dy, index, zeros_like(item)),
        None,
        lambda dy, index, dtype_item: item_at(dy, index, dtype_item),
    ],
)


def put(handle, index, item):
    """The list with another element at a place."""
    return apply(TensorListSetItem, (handle, index, item), None, None)


def item_at(handle, index, dtype):
    """The element at a place."""
    return apply(TensorListGetItem, (handle, index), {"element_dtype": dtype}, None)


def _gather(handle, indices, element_dtype):
    found = opened(handle)
    found.check_dtype(element_dtype)
    items = []
    for i in np.ravel(indices).tolist():
        if not 0 <= i < len(found.items):
            raise invalid(
                f"Index {i} out o range; list only has {len(found.items)} elements."
            )
        items.append(found.items[i])
    return found.stacked(items)


def _gather_grad(dy, indices):
    inputs = dy, cast(indices, dtypes.int32), shape(dy)[1:]
    return apply(TensorListScatter, inputs, None, None)


TensorListGather = define(
    "TensorListGather", _unknown, host=_gather, grad=[_gather_grad]
)


def gather(handle, indices, dtype):
    """The elements at some places, as one tensor."""
    return apply(TensorListGather, (handle, indices), {"element_dtype": dtype}, None)


# ---------------------------------------------------------------------- lists of lists
def _concat(a, b, element_dtype):
    if np.shape(a) != np.shape(b):
        raise invalid(
            f"input_a.shape != input_b.shape: {text(np.shape(a))} vs. "
            f"{text(np.shape(b))}"
        )
    out = []
    for i, (p, q) in enumerate(zip(opened_batch(a), opened_batch(b), strict=True)):
        at = f"[{i}]" if np.ndim(a) else ""
        for name, x in ("input_a", p), ("input_b", q):
            if x.dtype is not element_dtype:
                raise invalid(
                    f"{name}{at}.dtype != element_dtype.  Saw: "
                    f"{dtypes.cpp_name(x.dtype)} vs. {dtypes.cpp_name(element_dtype)}"
                )
        if p.shape != q.shape:
            place = f" at index {i}" if np.ndim(a) else ""
            raise invalid(
                f"input_a and input_b TensorList element shapes are not identical"
                f"{place}.  Saw {text(p.shape)} vs. {text(q.shape)}"
            )
        out.append(p.with_items((*p.items, *q.items)))
    return batch_of(out, np.shape(a)) if np.ndim(a) else boxed(out[0])


def _infer_concat(a, b, **_):
    p, q = a._shape, b._shape
    if p is not None and q is not None and len(p) != len(q):
        raise InferError(f"Shapes must be equal rank, but are {len(p)} and {len(q)}")
    return p


TensorListConcatLists = define("TensorListConcatLists", _infer_concat, host=_concat)
