"""Makes the one function of a small op that is both operator and public API.

The text of the function is filled in per op, as dataclasses do it, because the order of
its tests decides the speed: ``a + b`` on 4x4 costs 0.42 us, 0.17 of it inside NumPy.
Where native/fast.c was built, its callable goes first (0.23 us) and leaves all but the
plainest calls to the Python function. See Note [Observers].
"""

import functools
import inspect
from typing import Any

from twinflow.base import dispatch, native
from twinflow.base.dtypes import DType
from twinflow.base.tape_record import record_binary, record_unary
from twinflow.base.tensor import TensorLike
from twinflow.base.vjp import vjp

_UNARY = """
def make(op, kernel, failed, slow, record, result, attrs, default):
    def call({x}, name=None):
        if type({x}) is EagerTensor and {x}.dtype.{gate}:
            tapes = () if observers is None else observers.tapes
            if tapes is not None:
                try:
                    result_ = kernel({x}._a)
                except Exception as error:
                    raise failed(
                        op, ({x},), attrs, name or default, error
                    ) from None
                t = new(EagerTensor)
                t._a = result_
                t.dtype = {result}
                t._id = 0
                if tapes:
                    record(op, tapes, {x}, t)
                return t
        return slow(call, ({x},), name or default)
    return call
"""

_BINARY = """
def make(op, kernel, failed, slow, record, result, attrs, default):
    def call({x}, {y}, name=None):
        if type({x}) is EagerTensor:
            dtype = {x}.dtype
            if type({y}) is EagerTensor:
                if dtype is {y}.dtype and dtype.{gate}:
                    tapes = () if observers is None else observers.tapes
                    if tapes is not None:
                        try:
                            result_ = kernel({x}._a, {y}._a)
                        except Exception as error:
                            inputs = ({x}, {y})
                            raise failed(
                                op, inputs, attrs, name or default, error
                            ) from None
                        t = new(EagerTensor)
                        t._a = result_
                        t.dtype = {result}
                        t._id = 0
                        if tapes:
                            record(op, tapes, {x}, {y}, t, attrs)
                        return t
            elif type({y}) is float or type({y}) is int:
                if (c := dtype.scalars.get({y})) is not None:
                    return call({x}, c, name)
        elif type({y}) is EagerTensor and (type({x}) is float or type({x}) is int):
            if (c := {y}.dtype.scalars.get({x})) is not None:
                return call(c, {y}, name)
        return slow(call, ({x}, {y}), name or default)
    return call
"""


class Late:
    """What eager gives to the functions made here, once it is imported."""

    failed: Any = None


def _failed(op, inputs, attrs, name, error):
    return Late.failed(op, inputs, attrs, name, error)


def _make(text, op, names, gate, result, default, fname, kernel, slow, matrices, attrs):
    fields = dict(zip(("x", "y"), names, strict=False))
    only = "".join(f" and {n}._a.ndim == 2" for n in names) if matrices else ""
    kind = "result" if result else f"{names[0]}.dtype"
    scope: dict = {}
    code = _compiled(text.format(**fields, gate=gate + only, result=kind))
    exec(code, vars(dispatch), scope)
    record = record_unary if len(names) == 1 else record_binary
    record = record if op.mask else _no_record
    kernel = kernel or op.np
    attrs = attrs or op.sig.attrs
    slow = slow or slow_path(op)
    python = scope["make"](op, kernel, _failed, slow, record, result, attrs, default)
    python.__name__ = python.__qualname__ = fname
    if not (matrices or inspect.isfunction(kernel)):
        # NumPy's warnings belong to the module of the calling frame
        kernel = _KERNELS[len(names)](kernel)
    return accelerated(python, op, kernel, gate, result, matrices, attrs)


def accelerated(
    python, op, kernel, gate, result=None, matrices=False, attrs=None, axes=()
):
    """The C callable for the plainest calls of `python`; itself without the module.

    Args:
        python: the function that means the same and takes every call.
        op, kernel, gate, result, matrices, attrs: see `binary`.
        axes: for a reduction over all axes: a tuple of them for each rank.
    """
    if native.fast is None or not gate.isidentifier():
        return python
    facts = (
        op,
        attrs or op.sig.attrs,
        op.vjps,
        vjp,
        op.mask,
        DType,
        tuple(axes) or None,
    )
    made = native.fast.Fast(python, kernel, gate, result, matrices, *facts)
    made.__wrapped__ = python
    made.__name__ = made.__qualname__ = python.__name__
    return made


@functools.cache
def _compiled(text):
    """Compiling takes 0.4 ms, and ops with the same arguments share the text."""
    return compile(text, "<twinflow op>", "exec")


def slow_path(op):
    """What the fast test turned down: read variables and try again, or dispatch."""

    def slow(fast, inputs, name):
        observers = dispatch.observers
        if observers is None or observers.tapes is not None:
            for x in inputs:
                if isinstance(x, TensorLike):
                    return fast(*[_read(x) for x in inputs], name)
        return dispatch.apply(op, inputs, None, name)

    return slow


def _read(x):
    return x._as_tensor() if isinstance(x, TensorLike) else x


_KERNELS = {
    1: lambda kernel: lambda x: kernel(x),
    2: lambda kernel: lambda x, y: kernel(x, y),
}


def _no_record(*_):
    """The record of an op that no gradient flows through."""


def _public(function, op, doc):
    function.__doc__ = doc
    function.__module__ = "twinflow"
    function.op = op
    return function


def unary(
    op, fname, doc, gate="is_number", result=None, arg="x", default=None, slow=None
):
    """The public function of an op with one tensor input and no attributes.

    Args:
        op: the Op; its NumPy kernel is bound here, once.
        fname: the public name.
        doc: the docstring.
        gate: the flag of DType that an input must have for the fast path.
        result: the DType of the result where it is not that of the input.
        arg: the name of the argument in TensorFlow 1.12.
        default: the name of the call in a graph; the op's type if not given.
        slow: ``(this function, (x,), name) -> tensor`` for what the fast path refuses.
    """
    default = default or op.type
    args = (_UNARY, op, (arg,), gate, result, default, fname, None, slow, False, None)
    return _public(_make(*args), op, doc)


def binary(
    op, fname, doc, gate="is_number", result=None, args=("x", "y"), default=None,
    kernel=None, slow=None, matrices=False, attrs=None,
):  # fmt: skip
    """As `unary`, for two tensor inputs of one dtype; numbers are taken as constants.

    `matrices` keeps the fast path to inputs with two axes; there `kernel` is called
    (the op's NumPy kernel if not given), elsewhere `slow(this function, (x, y), name)`.
    `attrs` are the attributes to record, the op's defaults if not given.
    """
    default = default or op.type
    facts = (gate, result, default, fname, kernel, slow, matrices, attrs)
    made = _make(_BINARY, op, args, *facts)
    return _public(made, op, doc)
