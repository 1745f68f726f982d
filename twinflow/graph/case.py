"""tf.case, and conditions that are decided while a graph is built if they can be."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.graph import static
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core import array, compare
from twinflow.ops.core.constant import cast
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.debugging.checks import Assert


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: Any = False,
    strict: Any = False, name: str | None = "case",
) -> Any:  # fmt: skip
    """The result of the first function whose condition holds.

    Args:
        pred_fn_pairs: a list of (bool scalar tensor, function of no arguments), or a
            dict of the same.
        default: the function for when no condition holds; if not given, that is an
            error.
        exclusive: whether it is an error that more than one condition holds.
        strict: in a graph, keep a list of one tensor as a list.
        name: the name scope.
    Returns:
        What the function returns. All return the same structure and dtypes.
    Raises:
        TypeError: the pairs are of the wrong kind. ValueError: there are none.
        tf.errors.InvalidArgumentError: no condition holds and there is no default, or
            more than one does and `exclusive` is set.
    Example:
        x = tf.constant(-3)
        tf.case([(x < 0, lambda: -x)], default=lambda: x)  # 3
    """
    return _case(cond, pred_fn_pairs, default, exclusive, strict, name, False)


def smart_case(
    pred_fn_pairs: Any, default: Any = None, exclusive: Any = False,
    name: str | None = "smart_case",
) -> Any:  # fmt: skip
    """As tf.case; conditions that are known choose while the graph is built.

    Args, Returns, Raises: see tf.case; conditions may also be Python bools.
    """
    return _case(_smart, pred_fn_pairs, default, exclusive, False, name, True)


def _case(
    choose: Any, pairs: Any, default: Any, exclusive: Any, strict: Any, name: Any,
    plain: Any,
) -> Any:  # fmt: skip
    pairs = _pairs(pairs, plain)
    with dispatch.current_mode().name_scope(name):
        preds, functions = zip(*pairs, strict=True) if pairs else _no_pairs()
        if default is None:
            default = _guarded(preds, functions[-1])
            pairs = pairs[:-1]
        elif not callable(default):
            raise advised(TypeError, "false_fn must be callable.")
        out = default
        for pred, function in reversed(pairs):
            out = _choice(choose, pred, function, out, strict)
        if not exclusive:
            return out()
        with control_dependencies([_at_most_one(preds)]):
            return out()


def _no_pairs() -> Any:
    raise ValueError(
        "pred_fn_pairs is empty: not enough values to unpack (expected 2, got 0)"
    )


def _choice(
    choose: Any, pred: Any, function: Callable, otherwise: Any, strict: Any
) -> Callable:
    return lambda: choose(pred, function, otherwise, strict)


def _pairs(pairs: Any, plain: Any) -> list:
    """The pairs in order: a dict of graph tensors goes by their names."""
    if isinstance(pairs, dict):
        pairs = list(pairs.items())
        if not dispatch.current_mode().eager:
            pairs.sort(key=lambda pair: getattr(pair[0], "name", ""))
    elif not isinstance(pairs, list | tuple):
        raise TypeError("fns must be a list, tuple, or dict")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        _check_pair(*pair, plain)
    return list(pairs)


def _check_pair(pred: Any, function: Callable, plain: Any) -> None:
    if not (plain and isinstance(pred, bool)):
        if not isinstance(pred, Tensor | TensorLike):
            raise TypeError(f"pred must be a Tensor, got: {pred}")
        if pred.dtype is not dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {_label(pred)}")
    if not callable(function):
        raise advised(TypeError, f"fn for pred {_label(pred)} must be callable.")


def _label(pred: Any) -> Any:
    return pred.name if getattr(pred, "symbolic", False) else pred


def _guarded(preds: Any, function: Callable) -> Any:
    """The last function, which fails unless one of the conditions holds."""

    def run() -> Any:
        some = compare.logical_or(preds[0], preds[-1])
        for pred in preds[1:-1]:
            some = compare.logical_or(some, pred)
        message = "Input error: None of conditions evaluated as True:"
        check = Assert(some, [message, array.stack(list(preds))])
        with control_dependencies([check]):
            return function()

    return run


def _at_most_one(preds: Any) -> Any:
    count = reduce_sum(cast(array.stack(list(preds)), dtypes.int32))
    symbolic = (getattr(p, "symbolic", False) for p in preds)
    names = ", ".join(p.name if s else "?" for p, s in zip(preds, symbolic))
    message = (
        f"Input error: exclusive=True: more than 1 conditions ({names}) evaluated as "
        "True:"
    )
    dispatch.current_mode().leave_ids(-1)
    return Assert(compare.less_equal(count, 1), [message, array.stack(list(preds))])


def smart_constant_value(pred: Any) -> Any:
    """The value of a condition where it is known: of a Python bool, of 0 or 1, or of a
    tensor that does not depend on the run; else None.

    Raises:
        TypeError: `pred` is something else.
    """
    if isinstance(pred, bool):
        return pred
    if isinstance(pred, int) and pred in (0, 1):
        return bool(pred)
    if isinstance(pred, Tensor):
        return static.constant_value(pred) if pred.symbolic else bool(pred)
    raise TypeError(
        f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {pred}"
    )


def smart_cond(
    pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None
) -> Any:
    """As tf.cond; a condition that is known chooses while the graph is built.

    Args:
        pred: a bool scalar, a Python bool, or 0 or 1.
        true_fn, false_fn: functions of no arguments.
        name: the name scope, where both are traced.
    Returns:
        What the function returns.
    Raises:
        TypeError: a function cannot be called, or `pred` is of another kind.
    Example:
        tf.contrib.framework.smart_cond(True, lambda: 1, lambda: 2)  # 1
    """
    for label, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise advised(TypeError, f"`{label}` must be callable.")
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name=name)
    return true_fn() if known else false_fn()


def _smart(pred: Any, true_fn: Any, false_fn: Any, strict: Any) -> Any:
    return smart_cond(pred, true_fn, false_fn)
