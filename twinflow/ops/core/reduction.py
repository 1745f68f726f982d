"""Reductions: sums, means, products, extremes and logic along axes."""

import functools

import numpy as np

from twinflow.base import dispatch, dtypes, factory
from twinflow.base.annotations import AxisValue, DTypeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply, next_id
from twinflow.base.op import REAL, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.reductions import add_reduce, fmax_reduce, fmin_reduce
from twinflow.base.tensor import Tensor
from twinflow.base.vjp import vjp
from twinflow.ops.core import creation
from twinflow.ops.core.broadcast import Sum, axes_tuple, kept_shape, spread
from twinflow.ops.core.compare import equal, not_equal, where
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.constant import cast, convert_to_tensor, stop_gradient
from twinflow.ops.core.elementwise import add, exp, log, multiply, realdiv, subtract
from twinflow.ops.core.infer import ints, length, product, reduced, static_value
from twinflow.ops.core.rounding import is_finite
from twinflow.ops.core.scan import cumprod
from twinflow.ops.core.shape import rank, renamed, reshape, shape
from twinflow.ops.core.transposing import inverse, transpose

_ATTRS = {keep: {"keep_dims": keep} for keep in (False, True)}
_PLAIN = _ATTRS[False]
_AXES = [tuple(range(n)) for n in range(65)]  # NumPy's limit is 64 axes
_DOC = """{what} of the elements along axes.

Args:
    input_tensor: {kinds} tensor of any shape.
    axis: an int, several ints, an integer tensor, or None for all axes.
    keepdims: keep the reduced axes with size 1.
    name: the name of the node in a graph.
    reduction_indices, keep_dims: the older names of axis and keepdims.
Returns:
    A tensor of the same dtype{shape}.
Raises:
    InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
Example:
    {example}"""


def _reducer(op, fname, doc, eager=None, gate="is_inexact"):
    """The public function of a reduction.

    Args:
        op: the Op. fname: the public name. doc: the docstring.
        eager: ``(array, axis, None, None, keepdims) -> array`` for floats, as the
            `reduce` of NumPy's ufuncs, where there is a fast path.
        gate: the flag of DType that the fast path needs.
    """

    def reduce(
        input_tensor: TensorValue, axis: AxisValue | None = None,
        keepdims: bool | None = None, name: str | None = None,
        reduction_indices: AxisValue | None = None, keep_dims: bool | None = None,
    ) -> Tensor:  # fmt: skip
        if (
            type(input_tensor) is dispatch.EagerTensor
            # an array without axes takes the axes 0 and -1 from NumPy
            and (
                axis is None
                or ((type(axis) is int or type(axis) is tuple) and input_tensor._a.ndim)
            )
            and getattr(input_tensor.dtype, gate)
            and reduction_indices is None
            and keep_dims is None
            and eager
        ):
            observers = dispatch.observers
            tapes = () if observers is None else observers.tapes
            if tapes is not None:
                x = input_tensor._a
                try:
                    a = eager(x, axis, None, None, True) if keepdims else eager(x, axis)
                except (TypeError, ValueError):  # the op says what is wrong
                    return _reduce(op, input_tensor, axis, keepdims, name)
                t = dispatch.wrap(a, input_tensor.dtype)
                if tapes:
                    axes = _AXES[x.ndim] if axis is None else axis
                    _record(op, tapes, input_tensor, axes, t, _ATTRS[bool(keepdims)])
                return t
        axis = _axis_argument(axis, reduction_indices)
        keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
        return _reduce(op, input_tensor, axis, keepdims, name)

    reduce.__name__ = reduce.__qualname__ = fname
    made = reduce
    if eager:
        types = [t for t in dtypes.ALL_TYPES if getattr(t, gate)]
        made = factory.accelerated(
            reduce, op, lambda x: eager(x, None), types, axes=_AXES
        )
    made.__doc__, made.__module__, made.op = doc, "twinflow", op
    return made


def _reduce(op, x, axis, keepdims, name):
    whole = axis is None
    if axis is None and (isinstance(x, Tensor) or dispatch.current_mode().eager):
        x = convert_to_tensor(x, None if is_tensor_like(x) else op.sig.inputs[0].dtype)
        axis = all_axes(x)
    elif axis is None:
        axis = creation.range(0, rank(x))
    found = apply(op, (x, axis), _ATTRS[bool(keepdims)], name)
    if whole and not keepdims and found._shape is None:
        found.set_shape(())
    return found


def _record(op, tapes, x, axes, out, attrs):
    """As base.tape_record.record_unary, but with the axes."""
    for tape in tapes:
        if x._id in tape.watched:
            v = op.vjps.get(1) or vjp(op, 1)
            out._id = out._id or next_id()
            tape.watched.add(out._id)
            kept = v.keep((x, axes), (out,))
            tape.records.append((v, (x._id,), out._id, kept, attrs))


def _axis_argument(axis, reduction_indices):
    if reduction_indices is None:
        return axis
    if axis is not None:
        raise ValueError("Can't specify both axis' and 'reduction_indices'.")
    return reduction_indices


def all_axes(x):
    """Every axis of `x`: a tuple when eager, in a graph the node TensorFlow makes."""
    if x._shape is None:
        return creation.range(0, rank(x))
    axes, mode = _AXES[len(x._shape)], dispatch.current_mode()
    if mode.eager:
        return axes
    return mode.make_constant(np.array(axes, np.int32), dtypes.int32)


def _doc(what, example, kinds="numeric", gives=""):
    return _DOC.format(what=what, example=example, kinds=kinds, shape=gives)


reduce_sum = _reducer(
    Sum, "reduce_sum", _doc("The sum", "tf.reduce_sum([[1, 2], [3, 4]], 1)  # [3, 7]"),
    add_reduce,
)  # fmt: skip


# ------------------------------------------------------------------ mean
def _count(shape, axes):
    return product([shape[a] for a in axes])


def _mean_kernel(xp):
    def add(x, axes, keep_dims):
        if xp is np:
            axes = None if len(axes) == x.ndim and not keep_dims else axes
            return add_reduce(x, axes, x.dtype, None, keep_dims)
        return xp.sum(x, axes, dtype=x.dtype, keepdims=keep_dims)

    def kernel(input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        n = input.size if len(axes) == input.ndim else _count(input.shape, axes)
        total = add(input, axes, keep_dims)
        if input.dtype.kind in "iu":  # C cuts off, NumPy rounds down
            return (xp.abs(total) // n * xp.sign(total)).astype(input.dtype)
        if type(n) is not int:  # a size that is open: see lower.pure
            return total / xp.asarray(n, input.dtype)
        return total / input.dtype.type(n)

    return kernel


def _eager_mean(x, axis, *_):
    total = add_reduce(x, axis, *_)
    if axis is None:
        return total / total.dtype.type(x.size)
    n = x.shape[axis] if type(axis) is int else _count(x.shape, axis)
    return total / total.dtype.type(n)


def _mean_grad(dy, shape_input, reduction_indices):
    n = _ratio(shape_input, dy._shape_value(), dy.dtype)
    if type(dy) is dispatch.EagerTensor and dispatch.seen_by_tapes_only():  # fewer
        return spread(realdiv(dy, n), shape_input, reduction_indices)
    return realdiv(spread(dy, shape_input, reduction_indices), n)


def _ratio(before, after, dtype):
    """How many elements went into each result."""
    if type(before) is tuple and type(after) is tuple:
        return float(max(product(before) // max(product(after), 1), 1))
    before, after = (apply(Prod, (s, (0,)), _PLAIN) for s in (before, after))
    return realdiv(cast(before, dtype), cast(after, dtype))


Mean = define(
    "Mean",
    on_host="reduction_indices",
    infer=reduced,
    kernel=_mean_kernel,
    grad=[_mean_grad],
    grad_names="truediv",
)
reduce_mean = _reducer(
    Mean, "reduce_mean", _doc("The mean", "tf.reduce_mean([1., 2., 6.])  # 3.0"),
    _eager_mean,
)  # fmt: skip


# ------------------------------------------------------------------ product
def _prod_kernel(xp):
    reduce = np.multiply.reduce if xp is np else xp.prod

    def kernel(input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        return reduce(input, axes, dtype=input.dtype, keepdims=keep_dims)

    return kernel


def _prod_grad(dy, input, output, shape_input, reduction_indices):
    """dy times the product of the others: also right where elements are 0."""
    input, output = conjugated(input), conjugated(output)
    full = spread(dy, shape_input, reduction_indices)
    perm, sizes = _axes_first(shape_input, reduction_indices)
    x = transpose(input, perm)
    flat = reshape(x, sizes)
    before = cumprod(flat, 0, True)
    after = cumprod(flat, 0, True, True)
    others = reshape(multiply(before, after), x._shape_value())
    return multiply(full, transpose(others, inverse(perm)))


def _axes_first(shape, axes):
    """The axes with the reduced ones first, and how many elements either kind has."""
    known = static_value(axes)
    if type(shape) is tuple and known is not None:
        return map(tuple, _reduced_first(shape, known))
    return apply(ReducedFirst, (shape, axes))


def _reduced_first(shape, axes):
    shape, n = ints(shape), len(shape)
    gone = sorted({a % n for a in ints(axes)})
    kept = [a for a in range(n) if a not in gone]
    sizes = [product([shape[a] for a in part]) for part in (gone, kept)]
    return np.array([*gone, *kept], np.int32), np.array(sizes, np.int32)


ReducedFirst = define(
    "TwinReducedFirst(shape: host T, axes: host Tidx) -> (perm: int32, sizes: int32)",
    infer=lambda shape, axes: [(length(shape),), (2,)],
    kernel=lambda xp: _reduced_first,
)


Prod = define(
    "Prod",
    on_host="reduction_indices",
    infer=reduced,
    kernel=_prod_kernel,
    grad=[_prod_grad],
    grad_names="Reshape_4",
)
reduce_prod = _reducer(
    Prod, "reduce_prod", _doc("The product", "tf.reduce_prod([2., 3.])  # 6.0"),
    np.multiply.reduce,
)  # fmt: skip


# ------------------------------------------------------------------ extremes
# As in TensorFlow nan is passed over, and of nothing else comes the worst value.
_REDUCERS = {"max": fmax_reduce, "min": fmin_reduce}


@functools.lru_cache
def _worst(function, dtype):
    kind = dtypes.from_numpy(dtype)
    if kind.is_floating:
        return dtype.type(-np.inf if function == "max" else np.inf)
    return dtype.type(kind.min if function == "max" else kind.max)


def _extreme_kernel(function):
    """The kernel of "max" or "min"."""

    def on_numpy(input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        first = _worst(function, input.dtype)
        return _REDUCERS[function](input, axes, None, None, keep_dims, first)

    def bind(xp):
        def kernel(input, reduction_indices, keep_dims):
            axes = axes_tuple(reduction_indices, input.ndim)
            first = _worst(function, input.dtype)
            if dtypes.from_numpy(input.dtype).is_floating:
                input = xp.where(input != input, first, input)
            reduce = getattr(xp, function)
            return reduce(input, axes, keepdims=keep_dims, initial=first)

        return on_numpy if xp is np else kernel

    return bind


def _eager_extreme(reduce, worst):
    """The fast path of floats."""

    def extreme(x, axis, dtype=None, out=None, keepdims=False):
        return reduce(x, axis, None, None, keepdims, worst)

    return extreme


def _extreme_grad(dy, input, output, shape_input, reduction_indices):
    """Elements that share the extreme share the gradient."""
    kept = kept_shape(shape_input, reduction_indices)
    reached = equal(reshape(output, kept), input)
    share = cast(reached, dy.dtype)
    count = reshape(apply(Sum, (share, reduction_indices)), kept)
    return multiply(realdiv(share, count), reshape(dy, kept))


def _extreme(kind, what, found, worst):
    op = define(
        kind,
        on_host="reduction_indices",
        infer=reduced,
        kernel=_extreme_kernel(kind.lower()),
        types=REAL,
        grad=[_extreme_grad],
        grad_names="mul",
    )
    fname = f"reduce_{kind.lower()}"
    doc = _doc(what, f"tf.{fname}([1, 3, 2])  # {found}")
    fast = _eager_extreme(_REDUCERS[kind.lower()], worst)
    return op, _reducer(op, fname, doc, fast, "is_floating")


Max, reduce_max = _extreme("Max", "The maximum", 3, -np.inf)
Min, reduce_min = _extreme("Min", "The minimum", 1, np.inf)


# ------------------------------------------------------------------ logic
def _logical(kind, word, found):
    reduce = (np.logical_and if kind == "All" else np.logical_or).reduce

    @bind_first
    def kernel(xp, input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        if xp is np:
            return reduce(input, axes, None, None, keep_dims)
        return getattr(xp, kind.lower())(input, axes, keepdims=keep_dims)

    op = define(kind, on_host="reduction_indices", infer=reduced, kernel=kernel)
    fname = f"reduce_{kind.lower()}"
    doc = _doc(f"The logical {word}", f"tf.{fname}([True, False])  # {found}", "bool")
    return op, _reducer(op, fname, doc)


All, reduce_all = _logical("All", "and", False)
Any, reduce_any = _logical("Any", "or", True)


# ------------------------------------------------------------------ compositions
def reduce_logsumexp(
    input_tensor: TensorValue, axis: AxisValue | None = None,
    keepdims: bool | None = None, name: str | None = None,
    reduction_indices: AxisValue | None = None, keep_dims: bool | None = None,
) -> Tensor:  # fmt: skip
    """log(sum(exp(x))) along axes, without overflow.

    Args: see tf.reduce_sum; a float tensor.
    Example:
        tf.reduce_logsumexp([0., 0.])  # 0.693
    """
    axis = _axis_argument(axis, reduction_indices)
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with dispatch.current_mode().name_scope(name or "ReduceLogSumExp"):
        x = convert_to_tensor(input_tensor)
        top = reduce_max(x, axis, True)
        top = stop_gradient(where(is_finite(top), top, creation.zeros_like(top)))
        total = log(reduce_sum(exp(subtract(x, top)), axis, keepdims))
        return add(total, top if keepdims else reshape(top, shape(total)))


def count_nonzero(
    input_tensor: TensorValue, axis: AxisValue | None = None,
    keepdims: bool | None = None, dtype: DTypeValue = dtypes.int64,
    name: str | None = None, reduction_indices: AxisValue | None = None,
    keep_dims: bool | None = None,
) -> Tensor:  # fmt: skip
    """How many elements along axes are not 0.

    Args: see tf.reduce_sum.
        dtype: the DType of the result.
    Example:
        tf.count_nonzero([0, 3, 5])  # 2
    """
    axis = _axis_argument(axis, reduction_indices)
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with dispatch.current_mode().name_scope(name or "count_nonzero"):
        x = convert_to_tensor(input_tensor)
        there = not_equal(x, creation.zeros((), x.dtype))
        ones = cast(there, dtypes.int64, name="ToInt64")
        return cast(reduce_sum(ones, axis, keepdims), dtype)
