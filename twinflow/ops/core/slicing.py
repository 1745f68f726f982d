"""Blocks of a tensor: tf.slice, tf.strided_slice and what `x[...]` means."""

import builtins
from typing import Any

import numpy as np

from twinflow.base import dispatch, movement
from twinflow.base.advice import advised
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply, new
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, Op, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import add
from twinflow.ops.core.infer import Shaped, ints, length, merge, static_value, text
from twinflow.ops.core.nested_lists import stack_nested

newaxis = None


# ------------------------------------------------------------------ slice
def _infer_slice(input, begin, size):
    s = input._shape
    n = len(s) if s is not None else length(size) or length(begin)
    if n is None:
        return None
    s = (None,) * n if s is None else s
    begin = (None,) * n if begin is None else ints(begin)
    size = (None,) * n if size is None else ints(size)
    if not n == len(begin) == len(size):
        raise InferError(
            f"Expected begin and size arguments to be 1-D tensors of size {n}, but got "
            f"shapes [{len(begin)}] and [{len(size)}] instead.",
            f"Shape must be rank {len(begin)} but is rank {n}",
        )
    return tuple(_slice_size(i, *dims) for i, dims in enumerate(zip(s, begin, size)))


def _slice_size(i, d, b, s):
    if d is not None and b is not None:
        if not 0 <= b <= d:
            text = f"Expected begin[{i}] in [0, {d}], but got {b}"
            rest = f"Negative dimension size caused by subtracting {b} from {d}"
            raise InferError(text, rest, later=s != -1 or b < 0)
        if s is not None and not -1 <= s <= d - b:
            text = f"Expected size[{i}] in [0, {d - b}], but got {s}"
            raise InferError(text, later=True)
    if s == -1:
        return None if d is None or b is None else d - b
    return s


def _slice_kernel(input, begin, size):
    begin, size = ints(begin), ints(size)
    place = [np.s_[b : None if s == -1 else b + s] for b, s in zip(begin, size)]
    out = input[(*place, ...)]
    good = [s in (-1, n) for s, n in zip(size, out.shape)]
    if not all(good) or len(size) != input.ndim or min(begin, default=0) < 0:
        raise ValueError("the block does not lie inside")  # infer says it better
    return out


def _slice_grad(dy, shape_input, begin):
    """Zeros of the input's shape with `dy` in them."""
    known, size = static_value(begin), dy._shape_value()
    if known is not None and type(size) is tuple:
        begin = ints(known)
        end = tuple(b + s for b, s in zip(begin, size))
        steps = (1,) * len(end)
    else:
        end = add(begin, size)
        steps = ones_like(begin)
    return apply(StridedSliceGrad, (shape_input, begin, end, steps, dy))


Slice = define(
    "Slice",
    on_host="begin size",
    infer=_infer_slice,
    kernel=lambda xp: _slice_kernel,
    grad=[_slice_grad],
    grad_names="Pad",
)


def slice(
    input_: Any, begin: TensorValue, size: TensorValue, name: str | None = None
) -> Tensor:
    """The block of `input_` that starts at `begin` and has the shape `size`.

    Args:
        input_: a tensor. begin: int[rank], from 0.
        size: int[rank]; -1 means all that is left. name: for a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it does not lie inside.
    Example:
        tf.slice([1, 2, 3, 4], [1], [2])  # [2, 3]
    """
    return apply(Slice, (input_, begin, size), None, name)


# ------------------------------------------------------------------ strided slice
_ALL = builtins.slice(None)


def _bit(mask, i):
    return mask >> i & 1


def index_items(begin, end, strides, masks):
    """The index in NumPy's form: None, Ellipsis, ints and slices."""
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask = masks
    out: list = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        if _bit(ellipsis_mask, i):
            out.append(...)
        elif _bit(new_axis_mask, i):
            out.append(None)
        elif _bit(shrink_axis_mask, i):
            out.append(b)
        else:
            b = None if _bit(begin_mask, i) else b
            out.append(builtins.slice(b, None if _bit(end_mask, i) else e, s))
    return out if ... in out else [*out, ...]


def _kernel_index(begin, end, strides, masks):
    return tuple(index_items(ints(begin), ints(end), ints(strides), masks))


def _strided_kernel(input, begin, end, strides, **masks):
    return input[_kernel_index(begin, end, strides, masks.values())]


_UNKNOWN = object()


def _known_ints(value, n):
    """Entries of a host vector, with _UNKNOWN where they are not known."""
    if value is None:
        return (_UNKNOWN,) * n
    return tuple(_UNKNOWN if v is None else v for v in ints(value))


def strided_shape(input, begin, end, strides, **masks):
    """The shape of a strided slice, as far as it is known."""
    lengths = [length(v) for v in (begin, end, strides) if v is not None]
    if not lengths:
        return None
    if len(set(lengths)) > 1:
        shown = ", ".join(f"[{n}]" for n in lengths[:2]) + f", and [{lengths[-1]}]"
        raise InferError(
            "Expected begin, end, and strides to be 1D equal size tensors, but got "
            f"shapes {shown} instead."
        )
    begin, end, strides = (_known_ints(v, lengths[0]) for v in (begin, end, strides))
    for i, s in enumerate(strides):
        if s == 0:
            raise InferError(f"strides[{i}] must be non-zero", places=(3,))
    if sum(_bit(masks["ellipsis_mask"], i) for i in range(len(begin))) > 1:
        raise InferError("Multiple ellipses in slice spec not allowed")
    if input._shape is None:
        return None
    return _indexed(input._shape, index_items(begin, end, strides, masks.values()))


def _indexed(shape, items):
    """The shape of ``x[items]``."""
    n, used = len(shape), sum(1 for k in items if k is not None and k is not ...)
    if used > n:
        raise InferError(
            f"Index out of range using input dim {n}; input has only {n} dims",
            places=(3,),
        )
    out, axis = [], 0
    for k in items:
        if k is None:
            out.append(1)
        elif k is ...:
            out.extend(shape[axis : axis + n - used])
            axis += n - used
        else:
            out.extend(_one_axis(shape[axis], k, axis))
            axis += 1
    return tuple(out)


def _one_axis(d, k, axis):
    if not isinstance(k, builtins.slice):
        if d is not None and k is not _UNKNOWN and not -d <= k < d:
            place = k + d if k < 0 else k
            raise InferError(f"slice index {place} of dimension {axis} out of bounds.")
        return []
    if d is None or _UNKNOWN in (k.start, k.stop, k.step):
        return [None]
    return [len(range(*k.indices(d)))]


def single_places(shrink_axis_mask, **_):
    """The entries of the bounds that may be known only when the slice is taken."""
    return {"begin": shrink_axis_mask, "end": shrink_axis_mask}


def _static_slice(node, value):
    """An entry or a part of a vector."""
    x, *bounds = map(value, node.inputs)
    if x is None or any(b is None or None in tuple(np.ravel(b)) for b in bounds):
        return None
    if np.shape(bounds[0]) != (1,) or node.attrs["new_axis_mask"]:
        return None
    if np.ndim(np.array(x, object)) != 1:
        return None
    begin, end, step = (int(b[0]) for b in bounds)
    x = tuple(x)
    if node.attrs["shrink_axis_mask"]:
        entry = x[begin]
        return None if entry is None else np.array(entry, node.outputs[0].dtype.np)
    start = None if node.attrs["begin_mask"] else begin
    return x[builtins.slice(start, None if node.attrs["end_mask"] else end, step)]


StridedSlice = define(
    "StridedSlice", on_host="begin end strides",
    infer=strided_shape,
    kernel=lambda xp: _strided_kernel,
    dynamic_host=single_places,
    static=_static_slice,
    grad=[
        lambda dy, shape_input, begin, end, strides, begin_mask, end_mask,
        ellipsis_mask, new_axis_mask, shrink_axis_mask: apply(
            StridedSliceGrad,
            (shape_input, begin, end, strides, dy),
            masks_of(
                begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
            ),
        )
    ],
)  # fmt: skip


def _infer_slice_grad(shape, begin, end, strides, dy, **masks):
    if shape is None:
        return None
    known = Shaped(ints(shape))
    wanted = strided_shape(known, begin, end, strides, **masks)
    if wanted is not None and dy._shape is not None:
        merge(wanted, dy._shape, "shape of dy was " + text(dy._shape) + " instead of "
              + text(wanted))  # fmt: skip
    return known._shape


def masks_of(begin, end, ellipsis, new_axis, shrink):
    """The attributes of a strided slice."""
    return {
        "begin_mask": begin,
        "end_mask": end,
        "ellipsis_mask": ellipsis,
        "new_axis_mask": new_axis,
        "shrink_axis_mask": shrink,
    }


def _strided_grad_kernel(xp):
    def numpy_kernel(shape, begin, end, strides, dy, **masks):
        out = np.zeros(ints(shape), dy.dtype)
        place = _kernel_index(begin, end, strides, masks.values())
        movement.put(out[place], dy)
        return out

    def kernel(shape, begin, end, strides, dy, **masks):
        place = _kernel_index(begin, end, strides, masks.values())
        return xp.zeros(ints(shape), dy.dtype).at[place].set(dy)

    return numpy_kernel if xp is np else kernel


StridedSliceGrad: Op = define(
    "StridedSliceGrad", on_host="shape begin end strides",
    infer=_infer_slice_grad,
    kernel=_strided_grad_kernel,
    dynamic_host=single_places,
    grad=[
        lambda d_output, begin, end, strides, begin_mask, end_mask, ellipsis_mask,
        new_axis_mask, shrink_axis_mask: apply(
            StridedSlice,
            (d_output, begin, end, strides),
            masks_of(
                begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
            ),
        )
    ],
)  # fmt: skip


def _is_plain(values):
    listed = isinstance(values, list | tuple)
    return listed and not any(map(is_tensor_like, values))


def strided_slice(
    input_: Any, begin: TensorValue, end: Any, strides: Any = None, begin_mask: int = 0,
    end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
    shrink_axis_mask: int = 0, var: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The elements begin, begin + stride, ... before end, along each axis.

    `x[a:b:c, d]` says the same more clearly.

    Args:
        input_: a tensor. begin, end: int[n], counted from the end where negative.
        strides: int[n], not 0; ones if not given.
        begin_mask, end_mask: bits of the entries whose begin (end) is ignored.
        ellipsis_mask: the bit of the entry that stands for all axes left out.
        new_axis_mask: bits of the entries that make a new axis of size 1.
        shrink_axis_mask: bits of the entries that take one element and drop the axis.
        var: the variable that `assign` of the result writes to, see `Variable[...]`.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): an index is out of range.
    Example:
        tf.strided_slice([1, 2, 3, 4], [0], [4], [2])  # [1, 3]
    """
    if strides is None:
        strides = [1] * len(begin) if _is_plain(begin) else ones_like(begin)
    masks = masks_of(
        begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    )
    found = apply(StridedSlice, (input_, begin, end, strides), masks, name)
    if var is not None:
        found.assign = var._part_assigner((begin, end, strides), masks)
    return found


# ------------------------------------------------------------------ x[...]
_PLAIN = frozenset((int, builtins.slice, type(None), type(...)))


def getitem(x: TensorValue, key: Any) -> Any:
    """``x[key]``: ints, slices, ..., None (a new axis), scalar tensors, or several.

    Raises:
        InvalidArgumentError (eager) or ValueError (graph): an index is out of range.
        TypeError: something else is given.
    Example:
        x = tf.ones([2, 3, 4])
        x[0, ..., 1:, tf.newaxis].shape  # (3, 3, 1)
    """
    if type(x) is dispatch.EagerTensor:
        kind = type(key)
        if kind in _PLAIN or (kind is tuple and _PLAIN.issuperset(map(type, key))):
            observers = dispatch.observers
            tapes = () if observers is None else observers.tapes
            if tapes is not None and not (tapes and _is_watched(x, tapes)):
                try:
                    a = x._a[key]
                except (IndexError, TypeError, ValueError):
                    return _getitem(x, key)  # the op says what is wrong
                if isinstance(a, np.ndarray | np.generic):
                    t = new(dispatch.EagerTensor)
                    t._a = a
                    t.dtype = x.dtype
                    t._id = 0
                    return t
    return _getitem(x, key)


def _is_watched(x, tapes):
    return any(x._id in tape.watched for tape in tapes)


def _getitem(x, key):
    mode, entries = dispatch.current_mode(), entries_of(key)
    with mode.name_scope("strided_slice") as scope:
        bounds, masks = slice_of(entries)
        found = apply(StridedSlice, (x, *bounds), masks, scope)
        if not mode.eager:
            found.assign = _refuse_assign
        return found


def _refuse_assign(value, name=None):
    raise ValueError("Sliced assignment is only supported for variables")


def entries_of(key):
    """What an index says of each axis; see `slice_of`."""
    return [_entry(k) for k in (key if isinstance(key, tuple | list) else (key,))]


def slice_of(entries):
    """The `entries_of` an index as ((begin, end, strides), masks)."""
    begin, end, strides, masks = [], [], [], [0, 0, 0, 0, 0]
    for i, (b, e, s, bits) in enumerate(entries):
        begin.append(b)
        end.append(e)
        strides.append(s)
        masks = [m | bit << i for m, bit in zip(masks, bits)]
    bounds = begin, end, strides
    if not dispatch.current_mode().eager:
        bounds = tuple(_stacked(v) for v in bounds)
    return bounds, masks_of(*masks)


def _stacked(values):
    if any(is_tensor_like(v) for v in values):
        return stack_nested(values, None, "stack")
    return (
        constant(values, name="stack")
        if values
        else constant([], "int32", name="stack")
    )


def _entry(k):
    """Begin, end, stride and mask bits of one entry of an index."""
    if k is None:
        return 0, 0, 1, (0, 0, 0, 1, 0)
    if k is ...:
        return 0, 0, 1, (0, 0, 1, 0, 0)
    if isinstance(k, builtins.slice):
        step = 1 if k.step is None else _place(k.step)
        bits = (int(k.start is None), int(k.stop is None), 0, 0, 0)
        return _place(k.start), _place(k.stop), step, bits
    b = _place(k)
    return b, b + 1, 1, (0, 0, 0, 0, 1)


def _place(value):
    """An entry as an int, or as a scalar tensor of a graph; None is 0."""
    if value is None:
        return 0
    if is_tensor_like(value) and not dispatch.current_mode().eager:
        if not value.dtype.is_integer or value._shape not in ((), None):
            _refuse(value)
        return value
    if not isinstance(value, bool | np.bool_):
        try:
            return ints(value)[0] if np.ndim(value) == 0 else _refuse(value)
        except TypeError:
            pass
    return _refuse(value)


def _refuse(value):
    if isinstance(value, float | np.floating) and dispatch.current_mode().eager:
        raise invalid(
            "cannot compute StridedSlice as input #1(zero-based) was expected to be a "
            "int32 tensor but is a float tensor [Op:StridedSlice] name: strided_slice/"
        )
    if isinstance(value, float | np.floating):
        raise advised(
            TypeError,
            "Value passed to parameter 'begin' has DataType float32 not in list of "
            "allowed values: int32, int64",
        )
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        f"tf.int32/tf.int64 tensors are valid indices, got {value!r}"
    )
