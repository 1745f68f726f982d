"""Ops on the references of variables: what tf.Variable is in graphs by default.

They work on the same cells as those on handles (Note [Cells]), which come as the
reference of a variable (Note [References] in graph.program), and give it back.
"""

import functools
from sys import getrefcount

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.owners import ALONE
from twinflow.base.pieces import in_pieces
from twinflow.base.state import Cell
from twinflow.ops.core.infer import merge, same, text


# ------------------------------------------------------------------------ variables
def _cell(name, attrs):
    """The cell of a variable that is made by its node alone."""
    name = attrs["shared_name"] or name
    return Cell(name, attrs["dtype"].base_dtype, attrs["shape"])


VariableV2, Variable = (
    define(
        kind,
        attrs={"cell": None},
        infer=lambda shape, **attrs: shape,
        stateful=True,
        host=True,
        cell="cell",
        home=_cell,
    )
    for kind in ("VariableV2", "Variable")
)

TemporaryVariable = define(
    "TemporaryVariable",
    attrs={"cell": None},
    infer=lambda shape, **attrs: shape,
    step=lambda xp: (
        lambda state, *, shape, dtype, **attrs: ((), np.zeros(shape, dtype.np))
    ),
    cell="cell",
    home=lambda name, attrs: Cell(attrs["var_name"] or name, attrs["dtype"], None),
    reads_cell=False,
    host=True,
)


def _destroyed(cell, T, var_name):
    if not cell.initialized or cell.name != var_name:
        raise errors.NotFoundError(
            None, None, f"Resource localhost/{var_name} does not exist."
        )
    value = cell.read()
    cell.clear()
    return value


DestroyTemporaryVariable = define(
    "DestroyTemporaryVariable",
    attrs={"T": dtypes.float32},
    infer=same,
    host=_destroyed,
    stateful=True,
)

IsVariableInitialized = define(
    "IsVariableInitialized",
    infer=lambda ref: (),
    kernel=lambda xp: lambda cell: xp.bool_(cell.initialized),
    stateful=True,
    host=True,
)

RefIdentity = define(
    "RefIdentity", infer=same, kernel=lambda xp: lambda cell: (), grad=[lambda dy: dy]
)


# ------------------------------------------------------------------------ assigning
def _infer_assign(ref, value, validate_shape, use_locking):
    return merge(ref._shape, value._shape) if validate_shape else value._shape


def _check_assign(cell, value, validate_shape, use_locking):
    old = cell.read().shape if cell.initialized else cell.shape
    if not validate_shape or old is None or None in old or old == np.shape(value):
        return None
    return (
        "Assign requires shapes of both tensors to match. lhs shape= "
        f"{text(old)} rhs shape= {text(np.shape(value))}"
    )


@bind_first
def _assigned(xp, state, value, validate_shape, use_locking):
    if xp is not np and validate_shape and state.shape != np.shape(value):
        raise ValueError("a value of another shape")  # the interpreter says more
    return (), xp.asarray(value)


Assign = define(
    "Assign",
    infer=_infer_assign,
    step=_assigned,
    cell="ref",
    reads_cell=False,
    check=_check_assign,
)


def _check_change(cell, value, use_locking):
    if cell.read().shape == np.shape(value):
        return None
    return "Parameters and update must be the same size"


def _changed(ufunc, xp):
    def step(state, value, use_locking):
        if state.shape != np.shape(value):
            raise ValueError("a value of another shape")  # the interpreter says more
        return (), getattr(xp, ufunc)(state, value)

    return step


def changed_in_place(ufunc):
    """The NumPy kernel of `cell (+ or -) value`: in place if nobody else reads it."""

    def kernel(cell, value, dtype, shape):
        a = cell.read()
        # its flags are asked for last: they hold it too
        if getrefcount(a) == ALONE and (flags := a.flags).writeable and flags.owndata:
            ufunc(a, value, a)
        else:
            cell.write(np.asarray(ufunc(a, value)))
        return ()

    small = in_pieces(ufunc, 2)

    def run(cell, value):
        a = cell.read()
        if a.nbytes > _SMALL:
            return kernel(cell, value, None, None)
        cell.write(np.asarray(small(a, value)))
        return ()

    kernel.bound = lambda dtype, shape: run
    return lambda xp: kernel


_SMALL = 1 << 14  # bytes that are sooner made anew than changed in place


def _change(kind, ufunc, numpy_ufunc):
    kernel = changed_in_place(numpy_ufunc)(np)

    def run(cell, value, use_locking):
        return kernel(cell, value, None, None)

    return define(
        kind,
        infer=lambda ref, value, use_locking: merge(ref._shape, value._shape),
        kernel=lambda xp: run,
        step=functools.partial(_changed, ufunc),
        cell="ref",
        check=_check_change,
    )


AssignAdd = _change("AssignAdd", "add", np.add)
AssignSub = _change("AssignSub", "subtract", np.subtract)


# ------------------------------------------------------------------ public functions
def variable_op_v2(
    shape, dtype, name="Variable", container="", shared_name="", cell=None
):
    """A new variable: its reference, a tensor of a `_ref` dtype.

    Args:
        shape: the static shape, a tuple or None. dtype: the DType of the value.
        name: the name of the node. container, shared_name: accepted.
        cell: its Cell, if it has one already.
    """
    attrs = {
        "shape": shape, "dtype": dtype, "container": container,
        "shared_name": shared_name, "cell": cell,
    }  # fmt: skip
    return apply(VariableV2, (), attrs, name)
