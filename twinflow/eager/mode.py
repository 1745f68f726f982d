"""The eager mode: convert, check, run the kernel, wrap, record."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from twinflow.autodiff.custom_gradient import record_eager
from twinflow.base import allowed, bind, dispatch, dtypes, errors
from twinflow.base.advice import advised
from twinflow.base.annotations import Array
from twinflow.base.convert import (
    CONVERSIONS,
    converted,
    held,
    holds_tensor,
    number_array,
    to_array,
)
from twinflow.base.frames import user_frames
from twinflow.base.op import InferError, Op
from twinflow.base.tape_record import record, record_watched
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.base.watching import WATCHERS, eager_run, refused, told
from twinflow.eager import accelerator, callbacks, context  # noqa: F401 - fills dispatch
from twinflow.eager.fitting import fits
from twinflow.eager.tensor import EagerTensor, wrap
from twinflow.ops.core.nested_lists import stack_nested


class EagerMode(dispatch.Mode):
    """Runs each call at once with the op's NumPy kernel."""

    eager = True

    @property
    def scope(self) -> str:
        """The name scope of this thread; variables are named with it."""
        return dispatch.local.eager_scope

    @contextlib.contextmanager
    def name_scope(self, name: Any) -> Iterator[str]:
        local = dispatch.local
        outer = local.eager_scope
        if not name or name.endswith("/"):
            local.eager_scope = name or ""
        else:
            local.eager_scope = f"{outer}{name}/"
        try:
            yield local.eager_scope
        finally:
            local.eager_scope = outer

    def run_op(self, op: Any, inputs: tuple, attrs: Any, name: Any) -> Tensor | list:
        try:
            args, types = bind.bind(op, inputs, attrs, _tensor, _host, EagerTensor)
        except bind.Mismatch as m:
            raise _mismatch(op, m, inputs, name) from None
        except bind.NoReference as arg:
            raise _no_reference(op, arg) from None
        place = accelerator.place(op, args, name)
        arrays = [] if place is not None else _arrays(args)
        if op.infer and not op.strict:
            _check_shapes(op, args, attrs, name)
        if place is not None:
            outputs = _on_accelerator(op, args, types, attrs, place, name)
            if outputs is not None:
                return _recorded(op, args, outputs, attrs, types, name)
            arrays = _arrays(args)  # the CPU says what was refused
        done = op.quick(*arrays, **attrs) if op.quick and not WATCHERS else None
        if done is None and op.check and (message := op.check(*arrays, **attrs)):
            found = _invalid(op, message, name)
            if WATCHERS:
                refused(eager_run(op, name, attrs, arrays), found)
            raise found
        try:
            values = _computed(op, arrays, attrs, name) if done is None else [done]
        except Exception as error:
            raise failed(op, args, attrs, name, error) from None
        kinds = bind.output_dtypes(op, types, len(values))
        outputs = [wrap(held(v), d) for v, d in zip(values, kinds, strict=True)]
        return _recorded(op, args, outputs, attrs, types, name)

    stack = staticmethod(stack_nested)

    def device(self, name: Any) -> AbstractContextManager:
        """A scope that asks for a device."""
        return accelerator.scope(name)

    def make_constant(
        self, array: Array, dtype: dtypes.DType, name: str | None = None
    ) -> EagerTensor:
        t = wrap(array, dtype)
        return t if dispatch.local.device is None else accelerator.moved(t)

    def with_gradient(self, results: Any, sources: Any, vjp: Any) -> Any:
        return record_eager(results, sources, vjp)


def _computed(op: Op, arrays: list, attrs: dict, name: str | None) -> Sequence:
    """The outputs of the kernel, which watchers are told of."""
    if WATCHERS:
        run = eager_run(op, name, attrs, arrays)
        return told(run, lambda given: _listed(op, op.np(*given, **attrs)))
    return _listed(op, op.np(*arrays, **attrs))


def _listed(op: Op, result: Any) -> Sequence:
    return (result,) if op.single else result


def _on_accelerator(
    op: Any, args: Any, types: Any, attrs: dict, place: Any, name: str
) -> Any:
    """The outputs of a call there; None where a value is refused."""
    accelerator.check_policy(op, args, place)
    try:
        return accelerator.run(op, args, types, attrs, place)
    except Exception as error:
        raise _worded(op, args, attrs, name, error) from None


def _worded(op: Any, args: Any, attrs: dict, name: str, error: Any) -> Any:
    """The error of an accelerator as the CPU words it: check, kernel, shapes."""
    arrays = _arrays(args)
    if op.check and (message := op.check(*arrays, **attrs)):
        return _invalid(op, message, name)
    if not op.stateful:
        try:
            op.np(*arrays, **attrs)
        except Exception as here:
            error = here
    return failed(op, args, attrs, name, error)


def _recorded(
    op: Any, args: Any, outputs: Any, attrs: Any, types: dict, name: str | None
) -> Tensor | list:
    if callbacks.CALLBACKS:
        callbacks.notify(op, args, attrs, types, outputs, name)
    tapes = dispatch.local.top.tapes
    if tapes:
        (record_watched if WATCHERS else record)(op, tapes, args, outputs, attrs)
    return outputs[0] if op.single else outputs


def _tensor(value: Any, dtype: dtypes.DType | None, name: str) -> Any:
    if type(value) is EagerTensor:
        return value
    if isinstance(value, TensorLike):
        return value._as_tensor()
    if isinstance(value, EagerTensor):
        return value
    if isinstance(value, Tensor):
        raise advised(
            TypeError,
            f"Eager execution of an op got the graph tensor {value!r} as '{name}'. "
            "Tensors of a graph have values only inside a Session or function; "
            "return it from the graph instead.",
        )
    if type(value) in (float, int) and dtype is not None:
        return wrap(number_array(value, dtype), dtype)
    if isinstance(value, list | tuple) and holds_tensor(value):
        return stack_nested(value, dtype)
    if CONVERSIONS and (found := converted(value, dtype, name)) is not None:
        return found
    return wrap(*to_array(value, dtype))


def _host(value: Any, name: str, dtype: dtypes.DType | None) -> Any:
    if isinstance(value, Tensor | TensorLike):
        return np.asarray(_tensor(value, None, name)._a)
    return value


def _arrays(args: Any) -> list:
    return [a._a if type(a) is EagerTensor else _array(a) for a in args]


def _array(arg: Any) -> Any:
    if isinstance(arg, EagerTensor):
        return arg._a
    return _arrays(arg) if type(arg) is list else arg


def _check_shapes(op: Any, args: Any, attrs: Any, name: str | None) -> None:
    if fits(op, args, attrs):
        return
    try:
        op.infer(*args, **attrs)
    except InferError as error:
        found = _invalid(op, str(error), name)
        if WATCHERS:
            refused(eager_run(op, name, attrs, _arrays(args)), found)
        raise found from None


def _invalid(
    op: Op, message: str, name: str | None, kind: Any = None
) -> errors.OpError:
    text = _labelled(op, message, name)
    error = (kind or errors.InvalidArgumentError)(None, None, text)
    error.frames = user_frames()
    return error


def _labelled(op: Op, message: str, name: str | None) -> str:
    if not name:
        return f"{message} [Op:{op.type}]"
    full = name if name.endswith("/") else f"{dispatch.local.eager_scope}{name}/"
    return f"{message} [Op:{op.type}] name: {full}"


def _no_reference(op: Any, arg: Any) -> Any:
    """The error of an op on references, which are of graphs alone."""
    called = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", op.type).lower()
    outputs = [a.name for a in op.sig.outputs if a.ref]
    return RuntimeError(
        f"{called} op does not support eager execution. Arg '{(outputs or [arg])[0]}' "
        "is a ref."
    )


def _mismatch(op: Any, m: Any, inputs: Any, name: str) -> Any:
    """TensorFlow's text: the last input decides the type, and the first that differs is
    named; in a list the first decides."""
    place, wanted, found = m.place, m.wanted, m.found
    args = op.sig.inputs
    if not args[place].is_list and args[place].type_attr:
        same = [i for i, a in enumerate(args) if a.type_attr == args[place].type_attr]
        kinds = {i: inputs[i].dtype.base_dtype for i in same if _has_dtype(inputs[i])}
        last = kinds[max(kinds)]
        others = [i for i, d in kinds.items() if d is not last]
        if others:  # else an attribute of the call asks for another type
            wanted, place, found = last, min(others), kinds[min(others)]
    return _invalid(
        op,
        f"cannot compute {op.type} as input #{place}(zero-based) was expected to be a "
        f"{dtypes.cpp_name(wanted)} tensor but is a {dtypes.cpp_name(found)} tensor",
        name,
    )


def _has_dtype(value: Any) -> bool:
    return isinstance(value, Tensor | TensorLike)


def failed(
    op: Op, args: list, attrs: dict, name: str | None, error: Any
) -> errors.OpError:
    """The error to raise for a kernel's `error`, in the op's own words if it can."""
    if isinstance(error, MemoryError):
        error = errors.out_of_memory(error)
    if isinstance(error, errors.OpError):
        return _named(op, error, name)
    if isinstance(error, TypeError):
        for arg, value in zip(op.sig.inputs, args, strict=False):
            if arg.host and type(value) in (list, tuple):
                allowed.whole(op, arg, value)
    try:
        if op.infer:
            op.infer(*args, **attrs)
    except InferError as found:
        return _invalid(op, str(found), name)
    if op.check and (message := op.check(*_arrays(args), **attrs)):
        return _invalid(op, message, name)
    return _invalid(op, f"{type(error).__name__}: {error}", name)


def _named(op: Op, error: errors.OpError, name: str | None) -> errors.OpError:
    """A kernel's own error, with the name of its op."""
    if error.op is None and not error.located and "[Op:" not in error.message:
        error._message = _labelled(op, error.message, name)
    return error


MODE = EagerMode()
dispatch.set_default_mode(MODE)
