"""Functions that bring their own gradient."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.annotations import P, R
from twinflow.base.dispatch import next_id
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.indexed_slices import convert_to_tensor_or_indexed_slices


def custom_gradient(f: Callable[P, tuple[R, Any]]) -> Callable[P, R]:
    """Let a function define its gradient.

    Args:
        f: a function of tensors that returns (result, grad_fn). `grad_fn` takes one
            incoming gradient per result tensor and returns one gradient (or None) per
            argument. If `f` uses variables, it also takes `variables`, the list of
            them, and returns (gradients of arguments, gradients of variables).
    Returns:
        The function of the same arguments that returns the result.
    Raises:
        TypeError: `f` uses variables and grad_fn does not take them.
    Example:
        @tf.custom_gradient
        def clip(x):
            return tf.identity(x), lambda dy: tf.clip_by_norm(dy, 2.)
        tfe.gradients_function(lambda x: 3. * clip(x))(1.)  # [2.0]
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        taken = [_tensor(a) for a in args]
        with GradientTape() as variables:
            result, grad_fn = f(*taken, **kwargs)
        used = [
            v for v in variables.watched_variables() if not any(v is a for a in taken)
        ]
        _check(grad_fn, used)
        mode = dispatch.current_mode()
        flat = [convert_to_tensor(t) for t in nest.flatten(result)]
        flat = [identity(t) for t in flat] if mode.eager else flat
        vjp = CustomVjp(grad_fn, taken, used, flat)
        flat = mode.with_gradient(flat, [*taken, *used], vjp)
        return (
            nest.pack_sequence_as(result, flat) if nest.is_sequence(result) else flat[0]
        )

    return decorated


def _tensor(value: Any) -> Any:
    return value if isinstance(value, ResourceHandle) else convert_to_tensor(value)


def _gradient(value: Any) -> Any:
    return None if value is None else convert_to_tensor_or_indexed_slices(value)


def _check(grad_fn: Any, used: Any) -> None:
    if not used:
        return
    spec = inspect.getfullargspec(grad_fn)
    if "variables" not in spec.args + spec.kwonlyargs and not spec.varkw:
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then "
            "grad_fn must accept a keyword argument 'variables'."
        )


class CustomVjp:
    """The way back by the user's function; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, grad_fn: Any, taken: Any, variables: Any, results: Any) -> None:
        self.grad_fn, self.count, self.variables = grad_fn, len(taken), variables
        self.kept = taken  # which grad_fn mostly holds as well; see autodiff.memory
        self.blanks = [
            r if r.symbolic else functools.partial(zeros, r._shape, r.dtype)
            for r in results
        ]

    def back(self, kept: Any, attrs: dict, dys: Any) -> list:
        """One gradient per argument, then one per variable."""
        pairs = zip(dys, self.blanks, strict=True)
        dys = [_blank(b) if d is None else d for d, b in pairs]
        if self.variables:
            found, extra = self.grad_fn(*dys, variables=self.variables)
        else:
            found, extra = self.grad_fn(*dys), []
        grads = list(found) if isinstance(found, list | tuple) else [found]
        if len(grads) != self.count:
            raise advised(
                ValueError,
                f"The custom gradient returned {len(grads)} gradients for "
                f"{self.count} arguments.",
            )
        return [_gradient(g) for g in (*grads, *extra)]


def _blank(result: Any) -> Any:
    return zeros_like(result) if isinstance(result, Tensor) else result()


def record_eager(results: Any, sources: Any, vjp: Any) -> Any:
    """Put a call with its own gradient on the tapes of this thread."""
    ids = tuple(_id(s) for s in sources)
    for tape in dispatch.local.top.tapes:
        if any(i in tape.watched for i in ids):
            for t in results:
                t._id = t._id or next_id()
            outs = tuple(t._id for t in results)
            tape.watched.update(outs)
            tape.records.append((vjp, ids, outs, None, None))
    return results


def _id(source: Any) -> Any:
    return source.handle_id() if isinstance(source, ResourceHandle) else source._id
