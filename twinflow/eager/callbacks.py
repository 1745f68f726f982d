"""Looking on while ops run: tf.contrib.eager's execution callbacks.

A callback takes ``(op_type, inputs, attrs, outputs, op_name)`` after each op of eager
mode: the type of the op, its input tensors (host values as they are), a flat tuple of
the attributes' names and values, the output tensors, and the name of the call or None.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, logging
from twinflow.base.annotations import Array
from twinflow.base.op import Op
from twinflow.eager.tensor import EagerTensor

CALLBACKS: list = []  # see run_op in eager.mode

_ACTIONS = (None, "ignore", "print", "raise", "warn")


class InfOrNanError(Exception):
    """An op gave a number that is not finite.

    Args:
        op_type: of the op. op_name: of the call. output_index, num_outputs: which of
            its outputs. value: the output, an array.
    """

    def __init__(
        self, op_type: str, op_name: str | None, output_index: Any, num_outputs: Any,
        value: Any,
    ) -> None:  # fmt: skip
        self._op_type, self._op_name = op_type, op_name
        self._output_index, self._num_outputs = output_index, num_outputs
        self._value, a = value, np.asarray(value)
        self._inf_count = int(np.count_nonzero(np.isinf(a)))
        self._nan_count = int(np.count_nonzero(np.isnan(a)))
        super().__init__(self._text(a))

    def _text(self, a: Array) -> str:
        counts = {"inf": self._inf_count, "nan": self._nan_count}
        found = " and ".join(f"{n} {kind}(s)" for kind, n in counts.items() if n)
        return (
            f"Output {self._output_index + 1} of {self._num_outputs} of TFE operation "
            f"{self._op_type} (name: {self._op_name}) contains {found} out of a total "
            f"of {a.size} element(s). Tensor value: {self._value}"
        )

    op_type = property(lambda self: self._op_type, doc="The type of the op.")
    op_name = property(lambda self: self._op_name, doc="The name of the call.")
    output_index = property(lambda self: self._output_index, doc="Which output.")
    num_outputs = property(lambda self: self._num_outputs, doc="How many there are.")
    value = property(lambda self: self._value, doc="The output, an array.")


def inf_nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: str | None,
    check_inf: bool = True, check_nan: bool = True, action: str = "raise",
) -> None:  # fmt: skip
    """An execution callback that looks for infinities and NaNs.

    Args:
        op_type, inputs, attrs, outputs, op_name: see the module.
        check_inf, check_nan: what to look for.
        action: "raise" (InfOrNanError), "warn" (by the log) or "print" (to stdout).
    """
    for i, t in enumerate(outputs):
        if not t.dtype.is_inexact:
            continue
        a = np.asarray(t.numpy())
        bad = (check_inf and np.any(np.isinf(a))) or (check_nan and np.any(np.isnan(a)))
        if not bad:
            continue
        error = InfOrNanError(op_type, op_name, i, len(outputs), t.numpy())
        if action == "print":
            print(f"Warning: {error}")
        elif action == "warn":
            logging.warning(str(error))
        elif action == "raise":
            raise error
        else:
            raise ValueError(
                f"Invalid action for inf_nan_callback: {action}. Valid actions are: "
                "'print', 'warn' and 'raise'."
            )


def inf_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any,
    action: str = "raise",
) -> None:  # fmt: skip
    """`inf_nan_callback` for infinities alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, True, False, action)


def nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any,
    action: str = "raise",
) -> None:  # fmt: skip
    """`inf_nan_callback` for NaNs alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, False, True, action)


def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Call `callback` after each op that runs eagerly, see the module."""
    if not CALLBACKS:
        dispatch.watch_every_op(True)
    CALLBACKS.append(callback)


def clear_execution_callbacks() -> None:
    """Remove all execution callbacks."""
    if CALLBACKS:
        dispatch.watch_every_op(False)
    CALLBACKS.clear()


def notify(
    op: Op, args: Sequence, attrs: dict, types: dict, outputs: list, name: Any
) -> None:
    """Call the callbacks; for eager.mode."""
    inputs = [t for t in _flat(args) if isinstance(t, EagerTensor)]
    flat = tuple(v for pair in {**attrs, **types}.items() for v in pair)
    for callback in list(CALLBACKS):
        callback(op.type, inputs, flat, outputs, name if name != op.type else None)


def _flat(args: Sequence) -> Iterator[EagerTensor]:
    for a in args:
        if isinstance(a, list):
            yield from a
        else:
            yield a


class _State:
    inf_or_nan = "ignore"
    callback: functools.partial | None = None


def seterr(inf_or_nan: str | None = None) -> dict[str, str]:
    """Choose what happens when an op gives an infinity or a NaN.

    Args:
        inf_or_nan: "ignore", "print", "warn", "raise"; None changes nothing.
    Returns:
        {"inf_or_nan": what was chosen before}
    Raises:
        ValueError: the value is none of these.
    """
    if inf_or_nan not in _ACTIONS:
        raise ValueError(
            f"Invalid action value for inf_or_nan: {inf_or_nan}. Valid actions are "
            f"{_ACTIONS}."
        )
    before = {"inf_or_nan": _State.inf_or_nan}
    if inf_or_nan is None:
        return before
    if _State.callback in CALLBACKS:
        CALLBACKS.remove(_State.callback)
        if not CALLBACKS:
            dispatch.watch_every_op(False)
    _State.inf_or_nan, _State.callback = inf_or_nan, None
    if inf_or_nan != "ignore":
        _State.callback = functools.partial(inf_nan_callback, action=inf_or_nan)
        add_execution_callback(_State.callback)
    return before
