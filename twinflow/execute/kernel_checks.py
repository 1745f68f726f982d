"""What looks at the inputs of a kernel before it runs: their values, their shapes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors
from twinflow.base.annotations import Array
from twinflow.base.op import Op
from twinflow.graph import fit

if TYPE_CHECKING:
    from twinflow.graph.node import Node


def checked(check: Callable, kernel: Any, attrs: dict) -> Callable:
    """The kernel, run once an op's own check has seen the values."""

    def run(*args: Any) -> Any:
        message = check(*args, **attrs)
        if message:
            raise errors.InvalidArgumentError(None, None, message)
        return kernel(*args)

    return run


def tried_first(quick: Callable | None, kernel: Callable) -> Callable:
    """The kernel, run where an op's quick form, if it has one, gives None."""
    if quick is None:
        return kernel

    def run(*args: Any) -> Any:
        found = quick(*args)
        return kernel(*args) if found is None else found

    return run


def check_of(node: "Node") -> Callable | None:
    """What lets `infer` look at inputs of new shapes, where the graph could not."""
    op, attrs = node.opdef, node.attrs
    if by_value(op) or not fit.is_open(node):
        return None
    return lambda *args: fit.check(op, args, attrs)


def by_value(op: Op) -> bool:
    """Whether `infer` looks at more than the shapes of arrays."""
    return any(a.host or a.is_list for a in op.sig.inputs)


def each_time(op: Op, kernel: Any, attrs: dict) -> Callable:
    """The kernel, run once `infer` has seen the values, if they are new to it."""
    hosts = [a.host for a in op.sig.inputs]
    seen = None

    def run(*args: Any) -> Array | list[Array]:
        nonlocal seen
        now = list(map(_what, args, hosts))
        if now != seen:
            fit.check(op, args, attrs)
            seen = None if None in now else now
        return kernel(*args)

    return run


_MOST_TOLD = 64  # bytes of a host value that is compared with the last


def _what(a: Any, host: bool) -> Any:
    """What `infer` sees of an input; None for what may change without being another."""
    kind = type(a)
    if kind is np.ndarray and not host:
        return a.shape
    if kind is int or kind is tuple:
        return a
    if kind is list and not host:
        parts = [_what(x, False) for x in a]
        return None if None in parts else parts
    if isinstance(a, np.ndarray | np.generic) and a.dtype.kind in "iu":
        return (a.shape, a.tobytes()) if a.nbytes <= _MOST_TOLD else None
    return None


def fitting(kernel: Callable, check: Callable | None) -> Callable:
    """The kernel, run once the check has seen the shapes."""
    if check is None:
        return kernel
    seen = None

    def run_unless_seen(*args: Any) -> Any:
        nonlocal seen
        shapes = [a.shape for a in args]
        if shapes != seen:
            check(*args)
            seen = shapes
        return kernel(*args)

    return run_unless_seen
