"""Layers of tf.keras as those of tf.layers: their classes and their functions."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from twinflow.base.written import written
from twinflow.keras.backend.defaults import snake_case
from twinflow.keras.engine.constructors import construct
from twinflow.ops.random.initializers import Ones, Zeros

_Class = TypeVar("_Class", bound=type)
_ORDINARY = inspect.Parameter.POSITIONAL_OR_KEYWORD
ZEROS, ONES = Zeros(), Ones()

_CLASS_TEXT = """tf.keras.layers.{0}, its variables made by tf.get_variable.

    Args: see tf.keras.layers.{0}. name: its name and that of its scope.
    """
_FUNCTION_TEXT = """The output of a new tf.layers.{}.

    Args: see tf.layers.{}.
        inputs: the tensor to call it on.{}
        name: the variable scope; numbered if not given.{}
    """
_TRAINING = " training: see the layer's call."
_REUSE = "\n        reuse: whether the variables of that scope must be there already."


def scoped(**changes: Any) -> Callable[[_Class], _Class]:
    """A decorator: a layer of tf.keras whose variables have variable scopes.

    Args:
        changes: defaults that differ from those of tf.keras, and further arguments.
    """

    def decorate(cls: _Class) -> _Class:
        construct(cls, **changes)
        cls.__doc__ = _CLASS_TEXT.format(cls.__name__)
        cls.scoped_call = False  # type: ignore[attr-defined]
        return cls

    return decorate


def function_of(
    cls: type, order: str = "", without: str = "", **more: Any
) -> Callable[..., Any]:
    """The function of tf.layers that makes a layer and calls it.

    Args:
        order: the arguments that come after all others.
        without: those of the layer that the function does not take.
        more: further arguments and their defaults: training, which the layer's call
            takes, and reuse, which makes `name` the variable scope.
    """
    known = dict(inspect.signature(cls.__init__).parameters)  # type: ignore[misc]
    for name in ("self", "kwargs", *without.split()):
        del known[name]
    known |= {n: inspect.Parameter(n, _ORDINARY, default=d) for n, d in more.items()}
    late = [known.pop(name) for name in order.split()]
    first = inspect.Parameter("inputs", _ORDINARY)
    name = snake_case(cls.__name__)
    made = written(
        name, None, cls.__module__, [first, *known.values(), *late],
        lambda arguments: _applied(cls, arguments),
    )  # fmt: skip
    notes = _TRAINING * ("training" in more), _REUSE * ("reuse" in more)
    made.__doc__ = _FUNCTION_TEXT.format(cls.__name__, cls.__name__, *notes)
    return made


def _applied(cls: type, options: dict) -> Any:
    inputs = options.pop("inputs")
    call = {"training": options.pop("training")} if "training" in options else {}
    if "reuse" in options:
        options |= {"_reuse": options.pop("reuse"), "_scope": options["name"]}
    return cls(**options).apply(inputs, **call)
