"""Control flow as functions, by the names of TensorFlow 1.12."""

from collections.abc import Callable
from typing import Any

from twinflow.autograph.control_flow import for_stmt as staged_for
from twinflow.autograph.control_flow import if_exp
from twinflow.autograph.control_flow import while_stmt as staged_while
from twinflow.base import dispatch
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond as tf_cond
from twinflow.ops.core import array
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.tensor_array.arrays import TensorArray


class _Variables:
    """The variables of a loop, in place of those of converted code."""

    def __init__(self, values: Any) -> None:
        self.values = tuple(values)

    def set(self, values: tuple) -> None:
        self.values = values

    def names(self) -> tuple:
        return tuple(f"loop variable {i}" for i in range(len(self.values)))

    def result(self) -> Any:
        one = len(self.values) == 1
        return self.values[0] if one else self.values

    def take(self, found: Any) -> None:
        one = not isinstance(found, tuple | list)
        self.values = (found,) if one else tuple(found)


def for_stmt(
    iter_: Any,
    extra_test: Callable[..., Any] | None,
    body: Callable[..., Any],
    init_state: tuple[Any, ...],
) -> Any:
    """A `for` loop as a function.

    Args:
        iter_: what it goes through: a tensor, a dataset, anything else.
        extra_test: from the state to whether to go on, or None.
        body: from an element and the state to the next state.
        init_state: the first state, a tuple.
    Returns:
        The last state; of one variable, that.
    """
    v = _Variables(init_state)
    test = None if extra_test is None else lambda: extra_test(*v.values)
    staged_for(
        iter_, test, lambda x: v.take(body(x, *v.values)), lambda: v.values, v.set,
        v.names(), {},
    )  # fmt: skip
    return v.result()


def while_stmt(
    test: Callable[..., Any], body: Callable[..., Any], init_state: tuple[Any, ...],
    extra_deps: tuple[Any, ...] = (), opts: dict[Any, Any] | None = None,
) -> Any:  # fmt: skip
    """A `while` loop as a function.

    Args:
        test: from the state to whether to go on. body: from it to the next state.
        init_state: the first state, a tuple. extra_deps: accepted. opts: of
            tf.while_loop.
    Returns:
        The last state; of one variable, that.
    """
    v = _Variables(init_state)
    staged_while(
        lambda: test(*v.values), lambda: v.take(body(*v.values)), lambda: v.values,
        v.set, v.names(), dict(opts or {}),
    )  # fmt: skip
    return v.result()


def if_stmt(cond: Any, body: Callable[..., Any], orelse: Callable[..., Any]) -> Any:
    """`body()` if `cond`, else `orelse()`; a graph chooses when it runs."""
    return if_exp(cond, body, orelse, "")


def range_(start_or_stop: Any, stop: Any = None, step: Any = None) -> Any:
    """`range`; where one of the numbers is a tensor, a tensor of them.

    Args:
        start_or_stop, stop, step: as `range` takes them.
    Returns:
        A range, or an integer tensor of shape [n].
    """
    given = [v for v in (start_or_stop, stop, step) if v is not None]
    if not is_tensor(*given):
        return range(*given)
    if len(given) == 2:  # nothing, where tf.range would refuse
        given[1] = maximum(*given)
    return range_of(*given)


def run_cond(
    condition: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any]
) -> Any:
    """tf.cond, or an `if` where the condition is no tensor."""
    if isinstance(condition, Tensor):
        return tf_cond(condition, true_fn, false_fn)
    found = (true_fn if condition else false_fn)()
    return found[0] if len(found) == 1 else found


def alias_tensors(*args: Any) -> Any:
    """The arguments, tensors among them by another name.

    Raises:
        ValueError: there are none.
    """
    if not args:
        raise ValueError("at least one argument required")
    found = [array.identity(a) if isinstance(a, Tensor) else a for a in args]
    return found[0] if len(found) == 1 else found


def control_dependency_on_returns(return_value: Any) -> Any:
    """A block that waits for what a function gave back."""
    values = return_value
    if not isinstance(values, tuple | list):
        values = () if values is None else (values,)
    waits = [v.flow if isinstance(v, TensorArray) else v for v in values]
    return dispatch.current_mode().control_dependencies(waits)


def is_tensor(*args: Any) -> bool:
    """Whether a tensor is among the arguments."""
    return any(isinstance(a, Tensor) for a in args)


def is_tensor_array(t: Any) -> bool:
    """Whether it is a TensorArray."""
    return isinstance(t, TensorArray)


def is_tensor_list(t: Any) -> bool:
    """Whether it is a TensorList."""
    return isinstance(t, Tensor) and t.dtype.name == "variant" and not t.shape.ndims
