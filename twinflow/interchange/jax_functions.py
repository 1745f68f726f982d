"""tf.from_jax: functions of jax as differentiable ops of twinflow."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.tensor import Tensor
from twinflow.lower import jax_calls
from twinflow.ops.core.constant import convert_to_tensor


def _infer(input: list, Tout: tuple, body: Any) -> list:
    found = body.infer([x._shape for x in input], [x.dtype.np for x in input])
    return [shape for shape, _ in found]


@bind_first
def _kernel(xp: Any, input: list, Tout: tuple, body: Any) -> list:
    return body.run(input)


@bind_first
def _lower(jax: Any, input: list, Tout: tuple, body: Any) -> list:
    return body(*input)


def _grad(dy: Any, input: list, Tout: tuple, body: Any) -> tuple:
    """The gradients by a call of the function's vjp, which has a vjp itself."""
    wanted = tuple(i for i, x in enumerate(input) if x.dtype.is_inexact)
    listed = dy if isinstance(dy, list | tuple) else [dy]
    pairs = zip(listed, Tout, strict=True)
    dys = [convert_to_tensor(d) for d, kind in pairs if kind.is_inexact]
    kinds = tuple(input[i].dtype for i in wanted)
    slope = body.slope(wanted, len(input))
    found = iter(_call(slope, [*input, *dys], kinds))
    return ([next(found) if i in wanted else None for i in range(len(input))],)


def _export(parts: Any) -> None:
    raise ValueError(
        f"The node {parts.node.name!r} calls a function of jax, which a GraphDef "
        "cannot hold: write the function with ops of twinflow, or leave its node out."
    )


JaxCall = define(
    "TwinJaxCall(input: *Tin) -> (output: *Tout); Tout=None, body=None",
    infer=_infer,
    kernel=_kernel,
    lower=_lower,
    grad=_grad,
    export=_export,
)


def _call(body: Any, tensors: list, kinds: tuple, name: str | None = None) -> list:
    return list(apply(JaxCall, (tensors,), {"Tout": kinds, "body": body}, name))


class FromJax:
    """What `from_jax` returns: calls the function of jax as an op.

    Attributes:
        function: the function of jax.
    """

    def __init__(self, function: Callable, name: str | None = None) -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self._bodies: dict[Any, Any] = {}
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, tree = jax_calls.flatten((args, kwargs))
        tensors = [self._tensor(x) for x in leaves]
        body = self._bodies.get(tree)
        if body is None:
            flat = jax_calls.Structured(self.function, tree)
            body = self._bodies[tree] = jax_calls.JaxFunction(flat, self.name)
        kinds, result = body.results(
            [t._shape for t in tensors], [t.dtype.np for t in tensors]
        )
        types = tuple(dtypes.as_dtype(k) for k in kinds)
        found = _call(body, tensors, types)
        return jax_calls.unflatten(result, found)

    def _tensor(self, value: Any) -> Tensor:
        found = convert_to_tensor(value)
        if found.dtype.np is None or found.dtype.np.hasobject:
            raise TypeError(
                f"The jax function {self.name!r} got {found!r}: jax has no "
                f"{found.dtype.name}; pass numbers, and bind other values with "
                "functools.partial."
            )
        return found

    def __repr__(self) -> str:
        return f"<tf.from_jax of {self.name}>"


def from_jax(function: Callable[..., Any], name: str | None = None) -> FromJax:
    """Make a function of jax one of tensors.

    Eagerly jax compiles and runs it; in graphs and functions it is one node, which a
    compiled program takes in whole. Gradients of any order go through `jax.vjp`. It
    runs with 64 bits where an argument has them, or jax is set so.

    Args:
        function: a pure function of arrays, and of structures of them, that
            `jax.jit` takes. name: for errors; its own by default.
    Returns:
        A function of the same arguments: tensors, variables, arrays and numbers, in
        the structures that jax knows.
    Raises:
        tf.errors.InvalidArgumentError: the function raised; with its line.
        TypeError: an argument is no number.
    Example:
        double = tf.from_jax(lambda x: x * 2.)
        double(tf.constant([1., 2.]))  # [2.0, 4.0]
    """
    if not callable(function):
        raise TypeError(
            f"tf.from_jax expects a function of jax, got {type(function).__name__}: "
            "tensors are made of arrays by tf.from_dlpack."
        )
    return FromJax(function, name)
