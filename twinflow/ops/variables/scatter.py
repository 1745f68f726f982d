"""Writing into rows of variables: what tf.scatter_update and its kin run.

Each has two OpDefs: of the handle of a variable, and of its reference, which gives it
back.
"""

from sys import getrefcount

import numpy as np

from twinflow.base import movement
from twinflow.base.op import REAL, bind_first, define
from twinflow.base.owners import ALONE
from twinflow.base.state import Cell
from twinflow.ops.core.index import first_bad
from twinflow.ops.core.infer import merge, text


def writable(cell):
    """The value of a cell as an array to write into: its own if nobody else reads it.

    Write it back afterwards.
    """
    a = cell.read()
    if getrefcount(a) == ALONE and a.flags.writeable and a.flags.owndata:
        return a
    return np.array(a)


def value_of(state):
    """The array of a cell, or the state itself while a cluster is lowered."""
    return state.read() if isinstance(state, Cell) else state


def _infer_rows(resource, indices, updates, shape=None, **_):
    i, u = indices._shape, updates._shape
    if i is None or u is None or u == ():
        return shape
    rest = u[len(i) :] if shape is None else shape[1:]
    message = (
        f"shape of indices ({text(i)}) is not compatible with the shape of updates "
        f"({text(u)})"
    )
    merge(u, (*i, *rest), message)
    return shape


def nothing(infer):
    def run(*args, **attrs):
        infer(*args, **attrs)
        return []

    return run


def of_reference(infer):
    """`infer` for the op on a reference, which says the shape itself."""

    def run(ref, *args, use_locking=None, **attrs):
        infer(ref, *args, shape=ref._shape, **attrs)
        return ref._shape

    return run


def _check_rows(resource, indices, updates, **_):
    a, n = value_of(resource), (value_of(resource).shape or (1,))[0]
    bad = first_bad(
        indices,
        (indices >= 0) & (indices < n),
        lambda label, i: f"indices{label} = {i} is not in [0, {n})",
    )
    if bad:
        return bad
    if updates.shape not in ((), (*indices.shape, *a.shape[1:])):
        return (
            f"shape of indices ({text(indices.shape)}) is not compatible with the shape"
            f" of updates ({text(updates.shape)})"
        )
    return None


@bind_first
def _guard_rows(xp, state, indices, updates, **_):
    fits = updates.shape in ((), (*indices.shape, *state.shape[1:]))
    n = (state.shape or (1,))[0]
    return xp.all((indices >= 0) & (indices < n)) & fits


def _added(a, places, updates, ufunc):
    if ufunc not in (np.add, np.subtract) or not isinstance(places, np.ndarray):
        return False
    return movement.add_to(a, places, updates if ufunc is np.add else -updates)


def _write(a, places, updates, ufunc):
    """a[places] = ufunc(a[places], updates), every place as often as it comes."""
    if ufunc is None:
        a[places] = updates
    elif not _added(a, places, updates, ufunc):
        ufunc.at(a, places, updates)


def _whole_quotients(a, places, updates, ufunc=None):
    """Integer division as in C, towards zero; one by one, as places may repeat."""
    shape = np.broadcast_shapes(a[places].shape, np.shape(updates))
    by = np.broadcast_to(updates, shape)
    flat = np.arange(a.size).reshape(a.shape)[places].ravel()
    values = a.reshape(-1)
    for i, y in zip(flat.tolist(), by.ravel().tolist(), strict=True):
        x = int(values[i])
        values[i] = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def put(a, places, updates, ufunc):
    """Write `updates` into the array `a`, in place."""
    if ufunc is np.true_divide and a.dtype.kind in "iu":
        _whole_quotients(a, places, updates)
    else:
        _write(a, places, updates, ufunc)


def _kernel(ufunc):
    def kernel(cell, indices, updates, **_):
        a = writable(cell)
        if a.ndim:
            put(a, indices, updates, ufunc)
        else:  # a variable that is a single number counts as one row
            rows = a.reshape(1)
            put(rows, indices, updates, ufunc)
        cell.write(a)
        return ()

    return lambda xp: kernel


def _step(method):
    """The same on jax arrays."""

    @bind_first
    def bound(xp, state, indices, updates, **_):
        rows = state if state.ndim else state.reshape(1)
        new = placed(xp, rows, indices, updates, method).reshape(state.shape)
        return (), new

    return bound


def placed(xp, a, places, updates, method):
    """A jax array with `updates` written into it."""
    if method == "divide" and a.dtype.kind in "iu":
        old = a[places]
        towards_zero = xp.sign(old) * xp.sign(updates) * (abs(old) // abs(updates))
        return a.at[places].set(towards_zero.astype(a.dtype))
    if method == "subtract":
        return a.at[places].add(-updates)
    return getattr(a.at[places], method)(updates)


def _define(kind, ufunc, method, **handle_facts):
    """(The op on a reference, the one on a handle.)"""
    facts = {
        "kernel": _kernel(ufunc), "step": _step(method), "check": _check_rows,
        "guard": _guard_rows,
    }  # fmt: skip
    resource = define(
        f"ResourceScatter{kind}",
        attrs={"shape": None},
        infer=nothing(_infer_rows),
        cell="resource",
        **facts,
        **handle_facts,
    )
    ref = define(f"Scatter{kind}", infer=of_reference(_infer_rows), cell="ref", **facts)
    return ref, resource


_RULES = {
    "Update": (None, "set"),
    "Add": (np.add, "add"),
    "Sub": (np.subtract, "subtract"),
    "Mul": (np.multiply, "multiply"),
    "Div": (np.true_divide, "divide"),
    "Min": (np.minimum, "min"),
    "Max": (np.maximum, "max"),
}
_REAL = {"types": {"dtype": REAL}}  # the OpDef takes complex numbers, the kernel none
_FACTS = {"Min": _REAL, "Max": _REAL}
_OPS = {
    kind: _define(kind, *rule, **_FACTS.get(kind, {})) for kind, rule in _RULES.items()
}
SCATTERS = {kind: ref for kind, (ref, _) in _OPS.items()}
RESOURCE_SCATTERS = {kind: resource for kind, (_, resource) in _OPS.items()}
