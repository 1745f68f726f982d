"""How an update becomes ops: on handles and references, on all rows and on some.

Note [Updates]: a rule computes the new values of a variable and its slots from the old
ones, numbers and a gradient. Its `Apply` ops take a gradient of the variable's shape;
the `SparseApply` ops take some rows of one and change these rows only, one after the
other where a row comes twice.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from twinflow.base import dispatch, errors, op_defs, signature
from twinflow.base.dispatch import apply
from twinflow.base.op import FLOAT, Op, bind_first, define
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.infer import merge, text
from twinflow.ops.variables.scatter import value_of, writable

_GRADIENTS = ("grad", "delta")


class Family(NamedTuple):
    """The ops of one update.

    Attributes:
        now: the rule on NumPy arrays. place: that of the gradient among the inputs.
        whole: the op on handles and the one on references, for all rows.
        rows: those for some rows, or None.
    """

    now: Callable
    place: int
    whole: tuple[Op, Op]
    rows: tuple[Op, Op] | None


def family(kind, rule, rows=None, renew=None):
    """Define the ops of one update; their OpDefs say the inputs and attributes.

    Args:
        kind: "Adagrad" makes ApplyAdagrad, ResourceApplyAdagrad and so on.
        rule: ``xp -> function(*cells, *inputs, **attrs)``, which gives the new values.
        rows: the rule for single rows, if TensorFlow computes them otherwise.
        renew: ``function(cells, inputs, **attrs)`` that gives the cells their new
            values at once, or False where it cannot.
    Returns:
        The Family, for `update`.
    """
    rows_too = None
    if op_defs.find(f"SparseApply{kind}"):
        rows_too = _define(f"SparseApply{kind}", _sparse, rows or rule)
    whole = _define(f"Apply{kind}", functools.partial(_dense, renew=renew), rule)
    _, inputs = _cells_and_inputs(f"Apply{kind}")
    return Family(rule(np), _place_of_gradient(inputs), whole, rows_too)


def _place_of_gradient(inputs):
    return next(i for i, name in enumerate(inputs) if name in _GRADIENTS)


def _cells_and_inputs(kind):
    """The names of the variable and its slots, and those of the other inputs."""
    args = signature.of_op_def(kind).inputs
    return ([a.name for a in args if a.ref], [a.name for a in args if not a.ref])


def _define(kind, form, rule):
    """Define one op on handles and one on references; returns both."""
    cells, inputs = _cells_and_inputs(kind)
    facts = form(len(cells), inputs, rule)
    infer = facts.pop("infer")
    facts |= {"cell": tuple(cells), "types": FLOAT}
    bound = facts.pop("bound", None)
    resource = define(
        f"Resource{kind}",
        attrs={"shape": None},
        infer=lambda *args, shape, **_: infer(args, shape),
        **facts,
    )

    def of_reference(*args, **_):
        infer(args, args[0]._shape)
        return args[0]._shape

    reference = define(kind, infer=of_reference, **facts)
    if bound is not None:
        resource.np.bound = reference.np.bound = bound
    return resource, reference


def _states(values):
    """New states, as a step gives them."""
    return values[0] if len(values) == 1 else tuple(values)


# ------------------------------------------------------------------ all rows
def _dense(count, inputs, rule, renew=None):
    place = _place_of_gradient(inputs)
    start = f"var and {inputs[place]} do not have the same shape"
    place += count

    def infer(args, shape):
        grad = args[place]._shape
        if shape != grad or shape is None or None in shape:
            merge(shape, grad, f"{start}{text(shape)} {text(grad)}")
        return []

    def check(*args, **_):
        old, grad = value_of(args[0]).shape, np.shape(args[place])
        return None if old == grad else f"{start}{text(old)} {text(grad)}"

    def step(xp):
        compute = rule(xp)

        def run(*args, shape=None, use_locking=False, **attrs):
            if args[0].shape != args[place].shape:
                raise ValueError("a gradient of another shape")  # `check` says more
            new = compute(*args, **attrs)
            return (), _states([xp.asarray(a) for a in new])

        return run

    def bound(shape=None, use_locking=False, **attrs):
        """The step on cells and its check in one."""
        compute = functools.partial(rule(np), **attrs) if attrs else rule(np)

        def run(*args):
            cells = args[:count]
            if renew is not None and renew(cells, args[count:], **attrs):
                return ()
            states = [c.read() for c in cells]
            if states[0].shape != args[place].shape:
                raise errors.InvalidArgumentError(None, None, check(*args))
            new = compute(*states, *args[count:])
            for c, array in zip(cells, new, strict=True):
                c.write(np.asarray(array))
            return ()

        return run

    return {"infer": infer, "step": step, "check": check, "bound": bound}


# ------------------------------------------------------------------ some rows
def _sparse(count, inputs, rule):
    at = count + inputs.index("indices")  # the gradient stands before it

    def infer(args, shape):
        grad, indices = args[at - 1]._shape, args[at]._shape
        if shape and grad is not None and indices is not None:
            merge(grad, (*indices, *shape[1:]))
        return []

    def check(*args, **_):
        return _wrong_rows(value_of(args[0]), args[at - 1], args[at])

    @bind_first
    def guard(xp, *args, **_):
        var, indices = args[0], args[at]
        in_order = xp.sort(indices)
        inside = (indices >= 0) & (indices < var.shape[0])
        fits = args[at - 1].shape == (*indices.shape, *var.shape[1:])
        return xp.all(inside) & xp.all(in_order[1:] != in_order[:-1]) & fits

    def step(xp):
        compute = rule(xp)

        def run(*args, shape=None, use_locking=False, **attrs):
            cells, indices = args[:count], args[at]
            rows = [c[indices] for c in cells]
            new = compute(*rows, *args[count:at], *args[at + 1 :], **attrs)
            pairs = zip(cells, new, strict=True)
            return (), _states([c.at[indices].set(n) for c, n in pairs])

        return run

    def kernel(xp):
        compute = rule(np)

        def run(*args, shape=None, use_locking=False, **attrs):
            _write_rows(compute, args[:count], args[count:], at - count, attrs)
            return ()

        return run

    return {
        "infer": infer, "step": step, "kernel": kernel, "check": check, "guard": guard,
    }  # fmt: skip


def _wrong_rows(var, grad, indices):
    """What TensorFlow says of rows that do not fit, or None."""
    if not var.ndim:
        return "var must be at least 1 dimensional"
    if indices.ndim != 1:
        return "indices must be one-dimensional"
    if grad.shape[:1] != indices.shape:
        return "grad must be the same size as indices in the first dimension."
    if grad.shape[1:] != var.shape[1:]:
        return "var and grad must match in dimension 1"
    bad = np.flatnonzero((indices < 0) | (indices >= len(var)))
    if len(bad):
        i = int(bad[0])
        return f"Index {indices[i]} at offset {i} in indices is out of range"
    return None


def _write_rows(compute, cells, inputs, at, attrs):
    """Compute the rows anew and put them in their places."""
    grad, indices = inputs[at - 1], inputs[at]
    before, after = inputs[: at - 1], inputs[at + 1 :]
    arrays = [writable(c) for c in cells]
    once = len(np.unique(indices)) == len(indices)
    parts = [slice(None)] if once else [slice(i, i + 1) for i in range(len(indices))]
    for part in parts:
        rows = indices[part]
        old = [a[rows] for a in arrays]
        new = compute(*old, *before, grad[part], *after, **attrs)
        for a, values in zip(arrays, new, strict=True):
            a[rows] = values
    for c, a in zip(cells, arrays, strict=True):
        c.write(a)


# ------------------------------------------------------------------ for optimizers
def is_plain(grad, var):
    """Whether this is eager computing on fitting arrays that nobody observes."""
    return (
        type(grad) is dispatch.EagerTensor
        and dispatch.seen_by_tapes_only()
        and grad.dtype is var.dtype
        and grad._a.shape == var._shape
    )


def as_number(value, dtype):
    """A number of an optimizer in the dtype of the variable it is for.

    Args:
        value: a NumPy scalar (eager) or a tensor. dtype: a DType.
    """
    if isinstance(value, np.ndarray | np.generic):
        return value if value.dtype == dtype.np else value.astype(dtype.np)
    return cast(value, dtype)


def update(family, cells, inputs, indices=None, use_locking=False, attrs=None):
    """Run the op that updates a variable and its slots.

    Args:
        family: what `family` gave. cells: the variable, then its slots.
        inputs: the other inputs without `indices`: numbers and the gradient.
        indices: the rows that the gradient is of; None = all.
        use_locking: the attribute. attrs: other attributes.
    Returns:
        The node (graph), or an empty list (eager).
    """
    var = cells[0]
    if indices is None:
        compute, place = family.now, family.place
        if is_plain(inputs[place], var) and _are_numbers(inputs, place):
            _update_now(compute, cells, inputs, place, attrs)
            return []
    dtype = var.dtype.base_dtype
    is_ref = var.dtype._is_ref_dtype
    op = (family.whole if indices is None else family.rows)[is_ref]
    wanted = [a for a in op.sig.inputs[len(cells) :] if a.name != "indices"]
    values = [
        x
        if a.dtype or a.name in _GRADIENTS  # the numbers say which dtype it must have
        else convert_to_tensor(as_number(x, dtype))
        for a, x in zip(wanted, inputs, strict=True)
    ]
    if indices is not None:
        place = [a.name for a in op.sig.inputs].index("indices") - len(cells)
        values.insert(place, convert_to_tensor(indices))
    if is_ref:
        attrs = {**(attrs or {}), "use_locking": use_locking}
        return apply(op, (*cells, *values), _all(op, attrs)).op
    attrs = {**(attrs or {}), "shape": var._shape}
    return apply(op, (*(c.handle for c in cells), *values), _all(op, attrs))


def _are_numbers(inputs, place):
    """Whether all but the input at `place` are NumPy scalars."""
    for i, x in enumerate(inputs):
        if i != place and not isinstance(x, np.generic):
            return False
    return True


def _update_now(compute, cells, inputs, place, attrs):
    """Update at once, without an op."""
    grad = inputs[place]._a
    dtype = grad.dtype
    values = [x if x.dtype is dtype else x.astype(dtype) for x in inputs[:place]]
    values.append(grad)
    for x in inputs[place + 1 :]:
        values.append(x if x.dtype is dtype else x.astype(dtype))
    old = [v._cell.read() for v in cells]
    new = compute(*old, *values, **attrs) if attrs else compute(*old, *values)
    for v, a in zip(cells, new, strict=True):
        v._cell.write(np.asarray(a))


def _all(op, attrs):
    return {**op.sig.attrs, **attrs}
