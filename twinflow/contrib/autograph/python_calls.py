"""Python functions in graphs, for what is not to be converted."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.execute.py_func import py_func


class MatchDType(NamedTuple):
    """The dtype of an argument, as a dtype of a result.

    Attributes:
        arg_number: which argument; the first is 0.
    """

    arg_number: int


def wrap_py_func(
    f: Callable[..., Any], return_dtypes: Any, args: Any,
    kwargs: dict[Any, Any] | None = None, use_dummy_return: bool = False,
) -> Any:  # fmt: skip
    """Call a Python function when the graph runs; tensors come to it as arrays.

    Args:
        f: the function. return_dtypes: DTypes or MatchDTypes of what it gives; None
            where it gives nothing. args, kwargs: its arguments, tensors among them.
        use_dummy_return: give 1 in place of what it gives.
    Returns:
        Its results, as tensors.
    Raises:
        ValueError: there are dtypes of results that nobody gets, or a MatchDType
            names an argument that is no tensor.
    """
    if return_dtypes and use_dummy_return:
        raise ValueError("if use_dummy_return is True, return_dtypes must be empty")
    kwargs = kwargs or {}
    places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
    names = [k for k, v in kwargs.items() if isinstance(v, Tensor)]
    tensors = [args[i] for i in places] + [kwargs[k] for k in names]

    def call(*values: Any) -> Any:
        whole, named = list(args), dict(kwargs)
        for i, value in zip(places, values, strict=False):
            whole[i] = value
        named.update(zip(names, values[len(places) :], strict=True))
        found = f(*whole, **named)
        return 1 if use_dummy_return else found

    if use_dummy_return:
        return py_func(call, tensors, dtypes.int64)
    if isinstance(return_dtypes, MatchDType) or not isinstance(
        return_dtypes, tuple | list
    ):
        dtype = _dtype(return_dtypes, args)
        return py_func(lambda *v: _widened(call(*v), dtype), tensors, dtype)
    kinds = tuple(_dtype(d, args) for d in return_dtypes)
    return py_func(call, tensors, kinds)


def _widened(value: Any, dtype: Any) -> Any:
    """A number in the dtype that was said, if that holds more of the same kind.

    The NumPy of 2018 gave int64 for 1 + np.int32(1), today's gives int32.
    """
    if not isinstance(value, np.generic) or dtype is None:
        return value
    wanted: Any = dtypes.as_dtype(dtype).np
    same_kind = value.dtype.kind == wanted.kind and value.dtype.kind in "iuf"
    return (
        value.astype(wanted)
        if same_kind and np.can_cast(value.dtype, wanted)
        else value
    )


def _dtype(wanted: Any, args: Any) -> Any:
    if not isinstance(wanted, MatchDType):
        return wanted
    found = args[wanted.arg_number]
    if not isinstance(found, Tensor):
        raise ValueError(
            f"argument {wanted.arg_number} was used with MatchDType and must be a "
            f"tf.Tensor, but was {type(found)} instead"
        )
    return found.dtype
