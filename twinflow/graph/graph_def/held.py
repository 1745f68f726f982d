"""What the variable behind a handle holds, against what a given op asks of it."""

from types import SimpleNamespace
from typing import Any

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.convert import is_tensor_like, to_array
from twinflow.base.op import InferError, Op
from twinflow.base.state import Cell
from twinflow.graph.shape_errors import shape_error

_READS = ("ReadVariableOp", "ResourceGather")


def cell_of(handle: Any) -> Any:
    """The cell that a handle stands for, or None where it is not known yet."""
    if type(handle) is dispatch.EagerTensor:
        return handle._a
    node = getattr(handle, "op", None)
    return None if node is None else node.attrs.get("cell")


def check(graph: Any, op: Op, args: list, attrs: dict, name: str) -> None:
    """Raise where a variable holds another dtype than the op reads or writes.

    Raises:
        ValueError: while a graph is built.
        InvalidArgumentError: in eager mode.
    """
    if len(args) != len(op.sig.inputs):
        return  # TensorFlow's op takes others (made.RULES)
    handles = [
        cell_of(value)
        for arg, value in zip(op.sig.inputs, args, strict=True)
        if arg.dtype is dtypes.resource and not arg.is_list
    ]
    cells = [c for c in handles if type(c) is Cell]
    if not cells:
        return
    given = list(map(_described, args))
    asked = _asked(op, given, attrs)
    for cell in cells:
        if asked is not None and asked is not cell.dtype:
            raise _mismatch(graph, op, given, name, cell.dtype, asked)


def _mismatch(
    graph: Any, op: Op, given: list, name: str, held: dtypes.DType, asked: dtypes.DType
) -> Exception:
    there, other = dtypes.cpp_name(held), dtypes.cpp_name(asked)
    if not graph.eager:
        text = f"Trying to read variable with wrong dtype. Expected {there} got {other}"
        return shape_error(op, given, name, InferError(text))
    does = "assign"
    if op.type in _READS:
        does, there, other = "read", other, there
    return errors.InvalidArgumentError(
        None,
        None,
        f"Trying to {does} variable with wrong dtype. Expected {there} got {other} "
        f"[Op:{op.type}]",
    )


def _described(value: Any) -> Any:
    """A tensor, or what has the dtype and shape that a Python value would get."""
    if is_tensor_like(value):
        return value
    array, dtype = to_array(value)
    return SimpleNamespace(dtype=dtype, _shape=array.shape)


def _asked(op: Op, args: list, attrs: dict) -> Any:
    """The dtype that an op takes its variable to hold, or None."""
    for arg, value in zip(op.sig.inputs, args, strict=True):
        if arg.type_attr in ("dtype", "T"):
            return value.dtype.base_dtype
    return attrs.get("dtype") or attrs.get("T")
