"""The settings of recurrent cells and layers, declared once."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from twinflow.base.written import written
from twinflow.keras.saving.config import names_of

_Class = TypeVar("_Class", bound=type)


def _all(
    units, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
    dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid",
    use_bias=True, kernel_initializer="glorot_uniform",
    recurrent_initializer="orthogonal", bias_initializer="zeros",
    unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
    recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
    implementation=1, return_sequences=False, return_state=False, go_backwards=False,
    stateful=False, unroll=False, reset_after=False, **kwargs,
):  # fmt: skip
    """What there is, in the order in which classes take what they have of it."""


_PARAMETERS = inspect.signature(_all).parameters
CONVOLUTION = (
    "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
)  # fmt: skip
WEIGHTS = tuple(
    f"{part}_{what}"
    for part in ("kernel", "recurrent", "bias")
    for what in ("initializer", "regularizer", "constraint")
)
OF_LAYER = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll")


def takes(
    names: Iterable[str], start: Callable[..., None], last: Iterable[str] = ()
) -> Callable[[_Class], _Class]:
    """A decorator: a class has an `__init__` with settings of these names.

    `config`, the names of its settings, becomes those of its arguments and what the
    class says itself.

    Args:
        start: called with the object, a dict of the settings, and the other arguments.
        last: settings that come after all others.
    """

    def decorate(cls: _Class) -> _Class:
        def run(arguments: dict[str, Any]) -> None:
            start(arguments.pop("self"), arguments, arguments.pop("kwargs"))

        wanted, late = {*names}, [*last]
        early = [n for n in _PARAMETERS if n in wanted and n not in late]
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = [_PARAMETERS[n] for n in (*early, *late, "kwargs")]
        init = written("__init__", cls, cls.__module__, [own, *parameters], run)
        cls.__init__ = init  # type: ignore[misc]
        cls.config = (*names_of(init), *cls.__dict__.get("config", ()))  # type: ignore[attr-defined]
        return cls

    return decorate
