"""Functions of functions: gradients with respect to arguments or variables."""

import functools
import inspect

from twinflow.autodiff.tape import GradientTape
from twinflow.base import nest
from twinflow.base.tensor import ResourceHandle
from twinflow.ops.constant import convert_to_tensor


def gradients_function(f, params=None):
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
    def decorated(*args, **kwargs):
        return value_and_grads(*args, **kwargs)[1]

    return decorated


def value_and_gradients_function(f, params=None):
    """As `gradients_function`, but returns (value, gradients)."""

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError(
                "Functions to be differentiated cannot take keyword arguments."
            )
        places = _places(f, args, params)
        taken = [_differentiable(a) if i in places else a for i, a in enumerate(args)]
        sources = [taken[i] for i in places]
        with GradientTape() as tape:
            tape.watch(sources)
            value = f(*taken)
        if value is None:
            raise ValueError(
                "Cannot differentiate a function that returns None; did you forget to "
                f"return a value from {f.__name__}?"
            )
        flat = nest.flatten(value)
        dys = None if dy is None else nest.flatten(dy)
        return value, tape.gradient(flat, sources, dys)

    return decorated


def _differentiable(value):
    return value if isinstance(value, ResourceHandle) else convert_to_tensor(value)


def _places(f, args, params):
    if params is None:
        return list(range(len(args)))
    names = list(inspect.signature(f).parameters)
    params = params if isinstance(params, list | tuple) else [params]
    if not params:
        raise ValueError("params must not be empty")
    return [p if isinstance(p, int) else names.index(p) for p in params]


def implicit_value_and_gradients(f):
    """A function that returns (value, [(gradient, variable), ...]) of `f`.

    The variables are the trainable ones that `f` reads.

    Raises:
        ValueError: `f` returns None, or reads no trainable variable.
    """

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        with GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError(
                "Cannot differentiate a function that returns None; did you forget to "
                f"return a value from {f.__name__}?"
            )
        variables = list(tape.watched_variables())
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being "
                "computed."
            )
        grads = tape.gradient(nest.flatten(value), variables)
        return value, list(zip(grads, variables, strict=True))

    return decorated


def implicit_gradients(f):
    """As `implicit_value_and_gradients`, without the value.

    Example:
        v = tfe.Variable(2.); tfe.implicit_gradients(lambda x: v * x)(3.)  # [(3.0, v)]
    """
    both = implicit_value_and_gradients(f)

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        return both(*args, **kwargs)[1]

    return decorated
