"""tf.Assert and the comparisons that a program asserts of its tensors.

In a graph each gives an op: hang it before what relies on it by
tf.control_dependencies, or nothing runs it. What is known when the graph is built is
decided at once.
"""

from typing import Any

import ml_dtypes
import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.watching import WATCHERS, eager_run, refused
from twinflow.ops.core.compare import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    not_equal,
)
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.describe import published
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.infer import rank_of
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.debugging.summarize import summarize as summarized


def _infer_assert(condition, data, summarize):
    rank_of(condition, 0, "condition")
    return []


def _check_assert(condition, data, summarize):
    if condition:
        return None
    parts = [f"[{summarized(d, summarize)}]" for d in data]
    return "assertion failed: " + " ".join(parts)


AssertOp = define(
    "Assert",
    infer=_infer_assert,
    kernel=lambda xp: lambda condition, data, summarize: (),
    check=_check_assert,
    guard=lambda xp: lambda condition, data, summarize: condition,  # texts stay out
    stateful=True,
)


def Assert(
    condition: TensorValue, data: TensorValue, summarize: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Fail with the values of `data` unless `condition` is true.

    Args:
        condition: bool scalar. data: a list of tensors and strings to show.
        summarize: how many values of each tensor to show; if not given 3 in a graph,
            all in eager mode.
        name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: `condition` is false (in a graph: when the op runs).
    Example:
        x = tf.constant([1., 2.])
        with tf.control_dependencies([tf.Assert(tf.reduce_all(x > 0), [x])]):
            y = tf.log(x)
    """
    mode = dispatch.current_mode()
    if mode.eager:
        return _assert_now(condition, data, summarize)
    with mode.name_scope(name or "Assert"):
        attrs = {"summarize": 3 if summarize is None else summarize}
        mode.leave_ids(_guards(data))
        return apply(AssertOp, (condition, list(data)), attrs, "Assert")


def _guards(data):
    """How many nodes TensorFlow has around an Assert of such data: Note [Ids]."""
    tensors = [t for t in data if is_tensor_like(t)]
    others = len(data) - len(tensors)
    if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
        return others
    return 9 + len(tensors) + others


def _assert_now(condition, data, summarize):
    if not condition:
        shown = "\n".join(_summary(convert_to_tensor(x), summarize) for x in data)
        error = invalid(
            f"Expected '{condition!s}' to be true. Summarized data: {shown}"
        )
        raise _told(error, data)


def _told(error, data):
    """The error of a check that fails eagerly; watchers are told as of an Assert."""
    if WATCHERS:
        arrays = [np.array(False), [convert_to_tensor(x)._a for x in data]]
        refused(eager_run(AssertOp, None, {"summarize": 3}, arrays), error)
    return error


def _summary(t, limit):
    """The first values of an eager tensor; all of them if there is no limit."""
    a = np.asarray(t._a)
    limit = a.size if limit is None or limit < 0 else limit
    shown = [str(x) for x in a.ravel()[:limit]]
    if a.ndim and len(shown) < a.size:
        shown.append("...")
    return ", ".join(shown)


def known_value(t):
    """The array of `t` where it is known now, else None."""
    if not t.symbolic:
        return np.asarray(t._a)
    found = t._host_value()
    return None if found is t else found


def describe(t):
    """What names `t` in a message."""
    return t.name if t.symbolic else f"shape={t.shape} dtype={t.dtype.name}"


def operands(x, y):
    """What stands in a message for two tensors."""
    return [f"x ({describe(x)}) = ", x, f"y ({describe(y)}) = ", y]


def _asserter(fname, compare, sign, joined=False, title=None):
    """The public function that asserts ``compare(x, y)`` of every element."""
    heading = title or f"Condition x {sign} y did not hold element-wise:"

    def check(
        x: TensorValue, y: TensorValue, data: TensorValue | None = None,
        summarize: Any = None, message: str | None = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        with dispatch.current_mode().name_scope(name or fname):
            x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
            if data is None:
                lines = operands(x, y)
                if joined:
                    lines[0] = heading + lines[0]
                data = [message or "", *([] if joined else [heading]), *lines]
            return Assert(reduce_all(compare(x, y)), data, summarize=summarize)

    shown = _DOC.format(f"x {sign} y", _ARGS, fname, "x, y", _TRUE[sign])
    return published(check, fname, shown)


def _sign_asserter(fname, sign, check, swapped, joined=False):
    """The public function that asserts how every element of x compares to 0."""
    heading = f"Condition x {sign} 0 did not hold element-wise:"

    def check_sign(
        x: TensorValue, data: TensorValue | None = None, summarize: Any = None,
        message: str | None = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        with dispatch.current_mode().name_scope(name or fname):
            x = convert_to_tensor(x, name="x")
            if data is None:
                label = f"x ({describe(x)}) = "
                lines = [heading + label] if joined else [heading, label]
                data = [message or "", *lines, x]
            zero = constant(0, x.dtype)
            pair = (zero, x) if swapped else (x, zero)
            return check(*pair, data=data, summarize=summarize)

    args = "x: a numeric tensor."
    true = "[-1, -2]" if "<" in sign else "[1, 2]"
    shown = _DOC.format(f"x {sign} 0", args, fname, "x", true)
    return published(check_sign, fname, shown)


_ARGS = "x, y: tensors of one numeric dtype that broadcast to each other."
_TRUE = dict.fromkeys(("!=", "<", "<="), "[1, 2], [3, 4]")
_TRUE |= dict.fromkeys((">", ">="), "[3, 4], [1, 2]")
_DOC = """Fail unless {0} for every element.

    Args:
        {1}
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        {3} = {4}
        with tf.control_dependencies([tf.{2}({3})]): out = tf.identity(x)
    """

_every = "Condition x != y did not hold for every single element:"
assert_none_equal = _asserter("assert_none_equal", not_equal, "!=", title=_every)
assert_less = _asserter("assert_less", less, "<")
assert_less_equal = _asserter("assert_less_equal", less_equal, "<=", joined=True)
assert_greater = _asserter("assert_greater", greater, ">", joined=True)
assert_greater_equal = _asserter(
    "assert_greater_equal", greater_equal, ">=", joined=True
)
assert_negative = _sign_asserter("assert_negative", "<", assert_less, False)
assert_positive = _sign_asserter("assert_positive", ">", assert_less, True)
assert_non_negative = _sign_asserter(
    "assert_non_negative", ">=", assert_less_equal, True
)
assert_non_positive = _sign_asserter(
    "assert_non_positive", "<=", assert_less_equal, False, joined=True
)


def assert_equal(
    x: TensorValue, y: TensorValue, data: TensorValue | None = None,
    summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Fail unless x == y for every element; at once where both are known.

    Args:
        x, y: tensors of one dtype that broadcast to each other.
        data, summarize, message, name: see tf.assert_less.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold.
    Example:
        tf.assert_equal(tf.shape(tf.ones([3, 2]))[0], 3, message="three rows")
    """
    mode = dispatch.current_mode()
    with mode.name_scope(name or "assert_equal"):
        x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
        same = equal(x, y)
        condition = reduce_all(same)
        if mode.eager:
            if not condition:
                raise _told(_unequal(x, y, same, summarize, message), [x, y])
            return None
        if data is None:
            heading = "Condition x == y did not hold element-wise:"
            data = [message or "", heading, *operands(x, y)]
        a, b = known_value(x), known_value(y)
        if a is not None and b is not None and not np.all(a == b):
            text = "\n".join(map(_static_text, data))
            raise invalid(text)
        return Assert(condition, data, summarize=summarize)


def _static_text(value):
    known = known_value(value) if hasattr(value, "symbolic") else value
    return str(value if known is None else known)


def _unequal(x, y, same, limit, message):
    """The error of tf.assert_equal in eager mode."""
    a, b, same = (np.asarray(t._a) for t in (x, y, same))
    limit = 3 if limit is None else limit
    firsts = [v.reshape(-1)[:limit] for v in (a, b)]
    text = f"{message or ''}\nCondition x == y did not hold.\n"
    if a.shape == b.shape and a.ndim:
        places = np.argwhere(~same)
        n = min(limit, len(places))
        text += (
            f"Indices of first {n} different values:\n{places[:n]}\n"
            f"Corresponding x values:\n{a[~same][:n]}\n"
            f"Corresponding y values:\n{b[~same][:n]}\n"
        )
    if limit:
        for label, v in zip("xy", firsts):
            text += f"First {len(v)} elements of {label}:\n{v}\n"
    return invalid(text)


def assert_near(
    x: TensorValue, y: TensorValue, rtol: Any = None, atol: Any = None,
    data: TensorValue | None = None, summarize: Any = None, message: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Fail unless |x - y| < atol + rtol * |y| for every element.

    Args:
        x, y: float tensors of one dtype that broadcast to each other.
        rtol, atol: the tolerances; 10 times the machine epsilon if not given.
        data, summarize, message, name: see tf.assert_less.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    """
    with dispatch.current_mode().name_scope(name or "assert_near"):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
        rtol, atol = (_tolerance(v, x.dtype, n) for v, n in ((rtol, "r"), (atol, "a")))
        if data is None:
            heading = f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}"
            data = [message or "", heading, *operands(x, y)]
        close = less(absolute(x - y), atol + rtol * absolute(y))
        return Assert(reduce_all(close), data, summarize=summarize)


def _tolerance(value, dtype, letter):
    if value is None:
        value = 10 * float(ml_dtypes.finfo(dtype.np).eps)
    return convert_to_tensor(value, dtype.base_dtype, name=f"{letter}tol")
