"""Ops on variables: their handles, reading and assigning."""

import sys

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import NUMBER, InferError, define
from twinflow.ops.infer import text

VarHandleOp = define(
    "VarHandleOp() -> (resource: resource); cell=None",
    infer=lambda cell: (),
    kernel=lambda xp: lambda cell: cell,
    stateful=True,
    host=True,
)

ReadVariableOp = define(
    "ReadVariableOp(resource: resource) -> (value: dtype); dtype=float32, shape=None",
    infer=lambda resource, dtype, shape: shape,
    step=lambda xp: lambda state, dtype, shape: (state, state),
    cell="resource",
    writes_cell=False,
    grad=[lambda dy: dy],
)

VarIsInitializedOp = define(
    "VarIsInitializedOp(resource: resource) -> (is_initialized: bool)",
    infer=lambda resource: (),
    kernel=lambda xp: lambda cell: xp.bool_(cell.initialized),
    stateful=True,
    host=True,
)

NoOp = define(
    "NoOp() -> ()", infer=lambda: [], kernel=lambda xp: lambda: (), stateful=True
)


def _infer_assign(resource, value, dtype, shape):
    if not _fits(shape, value._shape):
        raise InferError(
            f"Cannot assign a value of shape {text(value._shape)} to a variable of "
            f"shape {text(shape)}"
        )
    return []


def _fits(shape, found):
    if shape is None or found is None:
        return True
    pairs = zip(shape, found, strict=False)
    return len(shape) == len(found) and all(a == b or None in (a, b) for a, b in pairs)


def _own(xp, value):
    """An array of any engine; NumPy scalars become arrays."""
    return xp.asarray(value)


AssignVariableOp = define(
    "AssignVariableOp(resource: resource, value: dtype) -> ()"
    "; dtype=float32, shape=None",
    infer=_infer_assign,
    step=lambda xp: lambda state, value, dtype, shape: ((), _own(xp, value)),
    cell="resource",
    reads_cell=False,
)


def _changed(ufunc):
    """The NumPy kernel of `cell (+ or -) value`: in place if nobody else reads it."""

    def kernel(cell, value, dtype, shape):
        a = cell.read()
        # three references: the cell's, `a`, and the argument of getrefcount; then a
        # fourth, of the flags
        if sys.getrefcount(a) == 3 and (flags := a.flags).writeable and flags.owndata:
            ufunc(a, value, a)
        else:
            cell.write(np.asarray(ufunc(a, value)))
        return ()

    return lambda xp: kernel


AssignAddVariableOp = define(
    "AssignAddVariableOp(resource: resource, value: dtype) -> ()"
    "; dtype=float32, shape=None",
    infer=_infer_assign,
    kernel=_changed(np.add),
    step=lambda xp: lambda state, value, dtype, shape: ((), xp.add(state, value)),
    cell="resource",
    types={"dtype": NUMBER},
)

AssignSubVariableOp = define(
    "AssignSubVariableOp(resource: resource, value: dtype) -> ()"
    "; dtype=float32, shape=None",
    infer=_infer_assign,
    kernel=_changed(np.subtract),
    step=lambda xp: lambda state, value, dtype, shape: ((), xp.subtract(state, value)),
    cell="resource",
    types={"dtype": NUMBER},
)


def no_op(name=None):
    """An op that does nothing, to hang control dependencies on; None when eager."""
    return apply(NoOp, (), None, name) or None


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Give the variable `ref` a new value; see Variable.assign.

    With `validate_shape` False it may have another shape (graph mode).
    """
    if validate_shape is False and ref.graph is not None:
        return ref._assign_any(value, name)
    return ref.assign(value, name=name)


def assign_add(ref, value, use_locking=None, name=None):
    """Add to the variable `ref`; see Variable.assign_add."""
    return ref.assign_add(value, name=name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtract from the variable `ref`; see Variable.assign_sub."""
    return ref.assign_sub(value, name=name)
