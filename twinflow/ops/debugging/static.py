"""Assertions on what is mostly known before anything runs: ranks, dtypes, structure."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Composite, Tensor
from twinflow.ops.core.compare import equal, greater_equal, logical_or
from twinflow.ops.core.constant import constant, convert_to_tensor, identity
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import rank as rank_tensor
from twinflow.ops.core.shape import shape as shape_tensor
from twinflow.ops.debugging.checks import Assert, known_value


def assert_rank(
    x: TensorValue, rank: Any, data: TensorValue | None = None, summarize: Any = None,
    message: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Fail unless `x` has just `rank` axes.

    Args:
        x: a tensor. rank: int32 scalar.
        data, summarize, message: see tf.assert_less. name: the name scope in a graph.
    Returns:
        An op in a graph (one that does nothing where it holds already).
    Raises:
        ValueError: it is known not to hold. InvalidArgumentError: when the op runs.
    """
    return _Ranks("assert_rank", "rank", np.equal, equal)(
        x, rank, data, summarize, message, name
    )


def assert_rank_at_least(
    x: TensorValue, rank: Any, data: TensorValue | None = None, summarize: Any = None,
    message: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Fail unless `x` has `rank` axes or more; see tf.assert_rank."""
    words = "rank at least"
    check = _Ranks("assert_rank_at_least", words, np.greater_equal, greater_equal)
    return check(x, rank, data, summarize, message, name)


def assert_rank_in(
    x: TensorValue, ranks: Any, data: TensorValue | None = None, summarize: Any = None,
    message: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Fail unless the number of axes of `x` is one of `ranks`; see tf.assert_rank."""
    mode = dispatch.current_mode()
    with mode.name_scope(name or "assert_rank_in"):
        x = convert_to_tensor(x, name="x")
        ranks = tuple(convert_to_tensor(r, name="rank") for r in ranks)
        known = tuple(map(_scalar_rank, ranks))
        found, label = _static_rank(x), _label(x)
        if found is not None and None not in known:
            if found in known:
                return _held("static_checks_determined_all_ok")
            known = tuple(np.array(n, np.int32) for n in known)
            raise ValueError(
                f"{message or ''}.  Tensor {label} must have rank in {known}.  "
                f"Received rank {found}, shape {x.shape}"
            )
        if data is None:
            data = [message or "", f"Tensor {label} must have rank in", *ranks]
            data += ["Received shape: ", shape_tensor(x)]
        here = rank_tensor(x)
        holds = constant(False)
        with mode.control_dependencies(_scalar_checks(ranks, known)):
            for r in ranks:
                holds = logical_or(holds, equal(r, here))
        return Assert(holds, data, summarize=summarize)


class _Ranks:
    """An assertion on the rank of a tensor, compared with one number.

    Args:
        fname: the public name. words: what is said to be wanted.
        static, dynamic: the comparison of numbers, and of tensors.
    """

    def __init__(self, fname, words, static, dynamic):
        self.fname, self.words = fname, words
        self.static, self.dynamic = static, dynamic

    def __call__(self, x, rank, data, summarize, message, name):
        mode = dispatch.current_mode()
        with mode.name_scope(name or self.fname):
            x = convert_to_tensor(x, name="x")
            rank = convert_to_tensor(rank, name="rank")
            known, found, label = _scalar_rank(rank), _static_rank(x), _label(x)
            if known is not None and found is not None:
                if self.static(found, known):
                    return _held("static_checks_determined_all_ok")
                raise ValueError(
                    f"{message or ''}.  Tensor {label} must have {self.words} {known}."
                    f"  Received rank {found}, shape {x.shape}"
                )
            if data is None:
                data = [message or "", f"Tensor {label} must have {self.words}", rank]
                data += ["Received shape: ", shape_tensor(x)]
            with mode.control_dependencies(_scalar_checks([rank], [known])):
                holds = self.dynamic(rank_tensor(x), rank)
            return Assert(holds, data, summarize=summarize)


def _scalar_checks(ranks, known):
    """Ops that fail unless those ranks that are not known are scalars."""
    text = "Rank must be a scalar. Received rank: "
    pairs = zip(ranks, known)
    return [assert_rank(r, 0, data=[text, r]) for r, k in pairs if k is None]


def _scalar_rank(rank):
    """The value of a wanted rank, or None where it is not known."""
    assert_type(rank, dtypes.int32)
    value = known_value(rank)
    if value is None:
        return None
    if np.ndim(value):
        raise advised(ValueError, "Rank must be a scalar.")
    return int(value)


def _static_rank(x):
    return None if x._shape is None else len(x._shape)


def _label(x):
    return x.name if x.symbolic else ""


def _held(name):
    """What stands for an assertion that is known to hold."""
    return None if dispatch.current_mode().eager else no_op(name)


def assert_integer(x: TensorValue, message: Any = None, name: str | None = None) -> Any:
    """Fail unless `x` has an int dtype.

    Args:
        x: a tensor. message: a text to begin the message with. name: for a graph.
    Returns:
        An op that does nothing, in a graph.
    Raises:
        TypeError: another dtype.
    """
    with dispatch.current_mode().name_scope(name or "assert_integer"):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                f'{message or ""}  Expected "x" to be integer type.  Found: '
                f"{x.name if x.symbolic else 'tensor'} of dtype {x.dtype}"
            )
        return _held("statically_determined_was_integer")


def assert_type(
    tensor: TensorValue, tf_type: Any, message: Any = None, name: str | None = None
) -> Any:
    """Fail unless `tensor` has the DType `tf_type`; see tf.assert_integer."""
    with dispatch.current_mode().name_scope(name or "assert_type"):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            label = f" {tensor.name}" if tensor.symbolic else "tensor"
            raise TypeError(f"{message or ''} {label} must be of type {tf_type}")
        return _held("statically_determined_correct_type")


def assert_scalar(tensor: TensorValue, name: str | None = None) -> Any:
    """`tensor` as a tensor, which must be known to have no axes.

    Raises:
        ValueError: it has, or the rank is unknown.
    """
    with dispatch.current_mode().name_scope(name or "assert_scalar") as scope:
        tensor = convert_to_tensor(tensor, name=scope or None)
        if tensor._shape != ():
            label = f" for {tensor.name}" if tensor.symbolic else ""
            raise ValueError(
                f"Expected scalar shape{label}, saw shape: {tensor.shape}."
            )
        return tensor


def assert_proper_iterable(values: TensorValue) -> None:
    """Fail unless `values` is a list or the like, not a tensor, array or string.

    Raises:
        TypeError: it is one of these, or not iterable.
    """
    if isinstance(values, Tensor | Composite | np.ndarray | bytes | str):
        raise TypeError(
            'Expected argument "values" to be a "proper" iterable.  Found: '
            f"{type(values)}"
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(
            f'Expected argument "values" to be iterable.  Found: {type(values)}'
        )


def assert_same_float_dtype(
    tensors: TensorValue | None = None, dtype: DTypeValue | None = None
) -> Any:
    """The one float DType of `tensors` and `dtype`.

    Args:
        tensors: a list of tensors and None. dtype: the DType to have.
    Returns:
        The DType; float32 where nothing says otherwise.
    Raises:
        ValueError: they differ, or it is no float type.
    """
    first = None
    for t in tensors or ():
        if t is None:
            continue
        found = t.dtype.base_dtype
        if dtype is None:
            dtype, first = found, t
        elif dtype != found:
            beside = "" if first is None else f" as {_name(first)}"
            raise ValueError(
                f"{_name(t)}, type={found}, must be of the same type ({dtype}){beside}."
            )
    if not dtype:
        return dtypes.float32
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


def _name(t):
    return str(t) if isinstance(t, Tensor) and not t.symbolic else t.name


def with_dependencies(dependencies, tensor):
    """`tensor`, which is there only after `dependencies` have run."""
    mode = dispatch.current_mode()
    if mode.eager:
        return tensor
    name = mode.unique_name("control_dependency") + "/"
    with mode.control_dependencies(dependencies):
        return identity(tensor, name)
