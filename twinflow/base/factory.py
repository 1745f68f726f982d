"""Makes the one function of a small op that is both operator and public API.

What a call means is said once, by EagerMode.run_op. The functions made here do the same
for the plainest calls in a fraction of the time, and hand over every other: Fast of
native/fast.c (``a + b`` on 4x4: 0.23 us), or where it was not built a Python function
(0.42 us, 0.17 of it inside NumPy) whose text is filled in per op, as dataclasses do it,
because the order of its tests decides the speed. Where no call is eager (graphs, slow
observers) both leave before they look at an operand. Which calls are plain follows from
the op; tests/eager/test_one_meaning.py holds them all against each other. See Note
[Observers].
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes, native, pieces
from twinflow.base.operators import TensorValue
from twinflow.base.tape_record import record_binary, record_unary
from twinflow.base.tensor import TensorLike
from twinflow.base.vjp import vjp

if TYPE_CHECKING:
    from twinflow.base.op import Op

_UNARY = """
def make(op, whole, kernel, types, result, record, attrs):
    def call({x}, name=None):
        tapes = () if observers is None else observers.tapes
        if tapes is None:
            return whole({x}, name)
        if type({x}) is EagerTensor and {x}.dtype.name in types{only}:
            try:
                value = kernel({x}._a)
            except Exception:
                return whole({x}, name)
            t = wrap(value, result or {x}.dtype)
            if tapes:
                record(op, tapes, {x}, t, attrs)
            return t
        return whole({x}, name)
    return call
"""

_BINARY = """
def make(op, whole, kernel, types, result, record, attrs):
    def call({x}, {y}, name=None):
        tapes = () if observers is None else observers.tapes
        if tapes is None:
            return whole({x}, {y}, name)
        a_ = b_ = None
        if type({x}) is EagerTensor:
            dtype, a_ = {x}.dtype, {x}._a
            if type({y}) is EagerTensor:
                b_ = {y}._a if {y}.dtype is dtype else None
            elif type({y}) is float or type({y}) is int:
                b_ = dtype.scalars.get({y}) if {y} or type({y}) is int else None
        elif type({y}) is EagerTensor and (type({x}) is float or type({x}) is int):
            dtype, b_ = {y}.dtype, {y}._a
            a_ = dtype.scalars.get({x}) if {x} or type({x}) is int else None
        if a_ is not None and b_ is not None and dtype.name in types{only}:
            try:
                value = kernel(a_, b_)
            except Exception:
                return whole({x}, {y}, name)
            t = wrap(value, result or dtype)
            if tapes:
                left = {x} if type({x}) is EagerTensor else wrap(a_, dtype)
                right = {y} if type({y}) is EagerTensor else wrap(b_, dtype)
                record(op, tapes, left, right, t, attrs)
            return t
        return whole({x}, {y}, name)
    return call
"""

_WHOLE = """
def make(Late, slow, default):
    def whole({args}, name=None):
        return slow(Late.function, ({args},), name or default)
    return whole
"""


def _make(
    text: Any, op: Any, names: Any, default: str, fname: str, kernel: Any, slow: Any,
    matrices: bool, attrs: Any,
) -> Any:  # fmt: skip
    only = _FORMS[_form(op, matrices)] if len(names) == 2 else ""
    fields = {**dict(zip("xy", names, strict=False)), "only": only}
    if len(names) == 1 and not op.strict:
        raise ValueError(f"{op.type} is not strict: its kernel cannot be called alone.")
    kernel, attrs = kernel or op.np, attrs or op.sig.attrs
    late = _Late()
    usual, slow = slow, slow_path(op, slow)
    whole = _filled(_WHOLE, {"args": ", ".join(names)}, (late, slow, default))
    whole.__name__ = whole.__qualname__ = fname
    large, kernel = kernel, pieces.whole(kernel)
    if not (matrices or inspect.isfunction(kernel)):
        # NumPy's warnings belong to the module of the calling frame
        kernel = _KERNELS[len(names)](kernel)
    if not pieces.is_pieces(large):
        large = pieces.in_pieces(kernel, len(names)) if not matrices else None
    late.function = made = accelerated(
        whole, op, kernel, None, matrices, attrs, (), large
    )
    if made is whole:
        record = record_unary if len(names) == 1 else record_binary
        facts = (record if op.mask else _no_record, attrs)
        plain = {t.name for t in plain_types(op)}
        late.function = made = _filled(
            text, fields, (op, whole, kernel, plain, result_of(op), *facts)
        )
        made.__name__ = made.__qualname__ = fname
        made.__wrapped__ = whole
    made.facts = (text, op, names, kernel, usual, matrices, attrs)
    return made


class _Late:
    """The function that is about to be made."""

    function: Any = None


def _filled(text: str, fields: dict[str, str], args: tuple) -> Any:
    scope: dict = {}
    exec(_compiled(text.format(**fields)), vars(dispatch), scope)
    return scope["make"](*args)


def plain_types(op: "Op") -> list[dtypes.DType]:
    """The dtypes in which a plain call of `op` may take its first input.

    Strings are never plain: NumPy's results for them need a second look.
    """
    first: Any = op.sig.inputs[0]
    allowed = op.types.get(first.type_attr) if first.type_attr else (first.dtype,)
    plain = [t for t in allowed or dtypes.ALL_TYPES if t.is_number or t.is_bool]
    return sorted(plain, key=int)  # float32 first


def _form(op: "Op", matrices: bool) -> int:
    """Which operands a kernel takes that nobody has looked at before: see _FORMS."""
    return MATRICES if matrices else ANY if op.strict else ALIKE


ANY, MATRICES, ALIKE = 0, 1, 2  # as in native/fast.c
_FORMS = {
    ANY: "",
    MATRICES: " and a_.ndim == b_.ndim == 2",
    ALIKE: " and a_.shape == b_.shape",
}


def result_of(op: "Op") -> dtypes.DType | None:
    """The DType of the result; None = that of the first input."""
    out = op.sig.outputs[0]
    return None if out.type_attr else out.dtype


def accelerated(
    whole: Callable, op: "Op", kernel: Any, types: list[dtypes.DType] | None = None,
    matrices: bool = False, attrs: dict[str, Any] | None = None, axes: Sequence = (),
    large: Any = None,
) -> Any:  # fmt: skip
    """The C callable for the plainest calls of `whole`; itself without the module.

    Args:
        whole: the function that means the same and takes every call.
        op, kernel, matrices, attrs: see `binary`.
        types: the dtypes of plain calls, where `kernel` does not take all of the op's.
        axes: for a reduction over all axes: a tuple of them for each rank.
        large: the kernel of large arrays, see base.pieces.
    """
    if native.fast is None:
        return whole
    count = 1 if axes else len(op.sig.inputs)
    allowed = tuple(types or plain_types(op))
    how = (whole, kernel, large, count, allowed, result_of(op), _form(op, matrices))
    recorded = (op, attrs or op.sig.attrs, op.vjps, vjp, op.mask, tuple(axes) or None)
    made = native.fast.Fast(*how, *recorded)
    made.__wrapped__ = whole
    made.__name__ = made.__qualname__ = whole.__name__
    return made


@functools.cache
def _compiled(text: str) -> CodeType:
    """Compiling takes 0.4 ms, and ops with the same arguments share the text."""
    return compile(text, "<twinflow op>", "exec")


def slow_path(op: "Op", otherwise: Callable | None = None) -> Callable:
    """What the fast test turned down: read variables and try again, or dispatch.

    Args:
        otherwise: what dispatches, with the same arguments; `op` as it is by default.
    """

    def slow(fast: Callable, inputs: tuple, name: str) -> Any:
        observers = dispatch.observers
        if observers is None or observers.tapes is not None:
            for x in inputs:
                if isinstance(x, TensorLike):
                    return fast(*[_read(x) for x in inputs], name)
        if otherwise is not None:
            return otherwise(fast, inputs, name)
        return dispatch.apply(op, inputs, None, name)

    return slow


def _read(x: TensorValue) -> Any:
    return x._as_tensor() if isinstance(x, TensorLike) else x


_KERNELS = {
    1: lambda kernel: lambda x: kernel(x),
    2: lambda kernel: lambda x, y: kernel(x, y),
}


def _no_record(*_: Any) -> None:
    """The record of an op that no gradient flows through."""


def _public(function: Any, op: Any, doc: str) -> Callable:
    function.__doc__ = doc
    function.__module__ = "twinflow"
    function.op = op
    return function


def unary(
    op: "Op", fname: str, doc: str, arg: str = "x", default: Any = None,
    slow: Callable | None = None,
) -> Callable:  # fmt: skip
    """The public function of an op with one tensor input and no attributes.

    Args:
        op: the Op; its NumPy kernel is bound here, once.
        fname: the public name.
        doc: the docstring.
        arg: the name of the argument in TensorFlow 1.12.
        default: the name of the call in a graph; the op's type if not given.
        slow: ``(this function, (x,), name) -> tensor`` for what the fast path refuses.
    """
    default = default or op.type
    made = _make(_UNARY, op, (arg,), default, fname, None, slow, False, None)
    return _public(made, op, doc)


def binary(
    op: "Op", fname: str, doc: str, args: tuple[str, ...] = ("x", "y"),
    default: str | None = None, kernel: Callable | None = None,
    slow: Callable | None = None, matrices: bool = False,
    attrs: dict[str, Any] | None = None,
) -> Callable:  # fmt: skip
    """As `unary`, for two tensor inputs of one dtype; numbers are taken as constants.

    `matrices` keeps the fast path to inputs with two axes; there `kernel` is called
    (the op's NumPy kernel if not given), elsewhere `slow(this function, (x, y), name)`.
    `attrs` are the attributes to record, the op's defaults if not given.
    """
    default = default or op.type
    made = _make(_BINARY, op, args, default, fname, kernel, slow, matrices, attrs)
    return _public(made, op, doc)


def operator(function: Any, name: str, slow: Callable | None = None) -> Callable:
    """The operator that is a public function under another name.

    Args:
        function: what `binary` has made. name: that of the operator and of its nodes.
        slow: see `binary`; that of `function` if not given.
    """
    text, op, names, kernel, usual, matrices, attrs = function.facts
    made = _make(text, op, names, name, name, kernel, slow or usual, matrices, attrs)
    return _public(made, op, f"x {name} y")
