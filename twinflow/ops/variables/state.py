"""Ops on variables: their handles, reading and assigning."""

import operator
import weakref
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.dispatch import apply
from twinflow.base.op import NUMBER, define
from twinflow.base.operators import TensorValue
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import merge, text
from twinflow.ops.variables import references


def _cell(name, attrs):
    """The cell of a variable that is made by its node alone."""
    name = attrs["shared_name"] or name
    return Cell(name, attrs["dtype"].base_dtype, attrs["shape"])


_SHARED: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def _cell_now(cell, **attrs):
    """The cell of a handle that is made eagerly: one for each shared name."""
    if cell is not None:
        return cell
    key = attrs["container"], attrs["shared_name"]
    found = _SHARED.get(key) if key[1] else None
    if found is None:
        found = _cell("", attrs)
    if key[1]:
        _SHARED[key] = found
    return found


VarHandleOp = define(
    "VarHandleOp",
    attrs={"cell": None},
    infer=lambda **attrs: (),
    host=_cell_now,
    stateful=True,
    cell="cell",
    home=_cell,
)

ReadVariableOp = define(
    "ReadVariableOp",
    attrs={"shape": None},
    infer=lambda resource, dtype, shape: shape,
    step=lambda xp: lambda state, dtype, shape: (state, state),
    cell="resource",
    writes_cell=False,
    grad=[lambda dy: dy],
)
ReadVariableOp.np.bound = lambda **_: operator.methodcaller("read")

VarIsInitializedOp = define(
    "VarIsInitializedOp",
    infer=lambda resource: (),
    kernel=lambda xp: lambda cell: xp.bool_(cell.initialized),
    stateful=True,
    host=True,
)


def _destroyed(cell, ignore_lookup_error):
    if not cell.initialized and not ignore_lookup_error:
        raise errors.NotFoundError(
            None,
            None,
            f"Resource localhost/{cell.name}/N10tensorflow3VarE does not exist.",
        )
    cell.clear()
    return ()


DestroyResourceOp = define(
    "DestroyResourceOp",
    infer=lambda resource, ignore_lookup_error: [],
    host=_destroyed,
    stateful=True,
)


def _infer_assign(resource, value, dtype, shape):
    merge(
        shape, value._shape,
        f"Cannot assign a value of shape {text(value._shape)} to a variable of "
        f"shape {text(shape)}",
    )  # fmt: skip
    return []


def _infer_change(resource, value, dtype, shape):
    merge(
        shape, value._shape,
        f"Cannot update variable with shape {text(shape)} using a Tensor with shape "
        f"{text(value._shape)}, shapes must be equal.",
    )  # fmt: skip
    return []


def _own(xp, value):
    """An array of any engine; NumPy scalars become arrays."""
    return xp.asarray(value)


AssignVariableOp = define(
    "AssignVariableOp",
    attrs={"dtype": None, "shape": None},
    infer=_infer_assign,
    step=lambda xp: lambda state, value, dtype, shape: ((), _own(xp, value)),
    cell="resource",
    reads_cell=False,
)


AssignAddVariableOp = define(
    "AssignAddVariableOp",
    attrs={"dtype": None, "shape": None},
    infer=_infer_change,
    kernel=references.changed_in_place(np.add),
    step=lambda xp: lambda state, value, dtype, shape: ((), xp.add(state, value)),
    cell="resource",
    types={"dtype": NUMBER},
)

AssignSubVariableOp = define(
    "AssignSubVariableOp",
    attrs={"dtype": None, "shape": None},
    infer=_infer_change,
    kernel=references.changed_in_place(np.subtract),
    step=lambda xp: lambda state, value, dtype, shape: ((), xp.subtract(state, value)),
    cell="resource",
    types={"dtype": NUMBER},
)


def is_variable_initialized(ref, name=None):
    """Whether a variable has a value: a bool scalar."""
    if ref.dtype._is_ref_dtype:
        return apply(references.IsVariableInitialized, (ref,), None, name)
    return ref.is_initialized(name=name)


def assign(
    ref: Any, value: TensorValue, validate_shape: Any = None, use_locking: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Give the variable `ref` a new value; see Variable.assign.

    With `validate_shape` False a reference may get another shape.
    """
    if ref.dtype._is_ref_dtype:
        attrs = {
            "validate_shape": validate_shape is not False,
            "use_locking": use_locking is not False,
        }
        return apply(references.Assign, (ref, value), attrs, name)
    return _assignable(ref).assign(value, name=name)


def assign_add(
    ref: Any, value: TensorValue, use_locking: Any = None, name: str | None = None
) -> Any:
    """Add to the variable `ref`; see Variable.assign_add."""
    if ref.dtype._is_ref_dtype:
        attrs = {"use_locking": bool(use_locking)}
        return apply(references.AssignAdd, (ref, value), attrs, name)
    return _assignable(ref).assign_add(value)


def assign_sub(
    ref: Any, value: TensorValue, use_locking: Any = None, name: str | None = None
) -> Any:
    """Subtract from the variable `ref`; see Variable.assign_sub."""
    if ref.dtype._is_ref_dtype:
        attrs = {"use_locking": bool(use_locking)}
        return apply(references.AssignSub, (ref, value), attrs, name)
    return _assignable(ref).assign_sub(value)


def _assignable(ref):
    if not hasattr(ref, "assign"):
        kind = "Tensor" if isinstance(ref, Tensor) else type(ref).__name__
        raise AttributeError(f"'{kind}' object has no attribute 'assign'")
    return ref
