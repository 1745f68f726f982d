"""Functions of functions: gradients with respect to arguments or variables."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from twinflow.autodiff.tape import GradientTape
from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.annotations import P, R
from twinflow.base.tensor import ResourceHandle
from twinflow.ops.core.constant import convert_to_tensor, identity


def gradients_function(f: Any, params: Any = None) -> Callable[..., Any]:
    """A function that returns the gradients of `f`.

    Args:
        f: a function of tensors (or numbers); what it returns is summed.
        params: positions or names of the arguments to differentiate; all by default.
    Returns:
        A function of the arguments of `f` (and `dy`) that returns a list of gradients.
    Example:
        tfe.gradients_function(lambda x: x * x)(3.)  # [6.0]
    """
    value_and_grads = value_and_gradients_function(f, params)

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return value_and_grads(*args, **kwargs)[1]

    return decorated


def value_and_gradients_function(f: Any, params: Any = None) -> Callable[..., Any]:
    """As `gradients_function`, but returns (value, gradients)."""

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> tuple:
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError(
                "Functions to be differentiated cannot receive keyword arguments."
            )
        taken, sources = _arguments(f, args, params)
        with GradientTape() as tape:
            tape.watch(sources)
            value, results = _run(f, taken)
        return value, _slopes(tape, value, results, sources, dy)

    return decorated


def _slopes(tape: Any, value: Any, results: Any, sources: Any, dy: Any) -> Any:
    """The gradients of the `results` of `_run` for a value."""
    dys = None
    if dy is not None:
        dys = nest.flatten(dy) if nest.is_sequence(value) else [dy]
    return tape.gradient(results, sources, dys)


def _run(f: Any, args: Any, kwargs: Any = None) -> tuple:
    """(value, its tensors); an argument that is returned counts as computed."""
    value = f(*args, **(kwargs or {}))
    if value is None:
        raise ValueError(
            "Cannot differentiate a function that returns None; did you forget to "
            f"return a value from {f.__name__}?"
        )
    return value, [identity(v) for v in nest.flatten(value)]


def _arguments(f: Any, args: Any, params: Any) -> tuple:
    """The arguments, with tensors of their own in the places to differentiate."""
    places, taken, seen = _places(f, args, params), list(args), set()
    for i in dict.fromkeys(places):
        if not isinstance(args[i], ResourceHandle):
            t = convert_to_tensor(args[i])
            taken[i] = identity(t) if id(t) in seen else t
            seen.add(id(t))
    return taken, [taken[i] for i in places]


def _places(f: Any, args: Any, params: Any) -> Any:
    if params is None:
        return list(range(len(args)))
    params = list(params) if isinstance(params, list | tuple | str) else [params]
    if all(isinstance(p, str) for p in params):
        names = list(inspect.signature(f).parameters)
        return [names.index(p) for p in params]
    if all(isinstance(p, int) for p in params):
        return params
    raise ValueError(f"params must be all strings or all integers; got {params}.")


def make_vjp(f: Any, params: Any = None, persistent: bool = True) -> Any:
    """A function that returns (value, vjp) of `f`.

    Args:
        f, params: see `gradients_function`.
        persistent: whether `vjp` may be called many times.
    Returns:
        A function of the arguments of `f`; its `vjp` takes the incoming gradient (ones
        if None) and returns the list of gradients.
    Example:
        value, vjp = make_vjp(lambda x: x * x)(3.); vjp(1.)  # [6.0]
    """

    @functools.wraps(f)
    def decorated(*args: Any) -> tuple:
        taken, sources = _arguments(f, args, params)
        with GradientTape(persistent=persistent) as tape:
            tape.watch(sources)
            value, results = _run(f, taken)
        return value, lambda dy=None: _slopes(tape, value, results, sources, dy)

    return decorated


def implicit_value_and_gradients(
    f: Callable[P, R],
) -> Callable[P, tuple[R, list[tuple[Any, Any]]]]:
    """A function that returns (value, [(gradient, variable), ...]) of `f`.

    The variables are the trainable ones that `f` reads.

    Raises:
        ValueError: `f` returns None, or reads no trainable variable.
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> tuple:
        with GradientTape() as tape:
            value, results = _run(f, args, kwargs)
        variables = list(tape.watched_variables())
        if not variables:
            raise advised(
                ValueError,
                "No trainable variables were accessed while the function was being "
                "computed.",
            )
        grads = tape.gradient(results, variables)
        return value, list(zip(grads, variables, strict=True))

    return decorated


def implicit_gradients(f: Callable[P, Any]) -> Callable[P, list[tuple[Any, Any]]]:
    """As `implicit_value_and_gradients`, without the value.

    Example:
        v = tfe.Variable(2.)
        tfe.implicit_gradients(lambda x: v * x)(3.)  # [(3.0, 2.0)]
    """
    both = implicit_value_and_gradients(f)

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    return decorated
