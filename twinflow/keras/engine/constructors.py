"""Constructors made from those of a base class: the same settings, other defaults."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from twinflow.base.written import REQUIRED, optional, written
from twinflow.keras.saving.config import names_of

_ANY_KEYWORD = inspect.Parameter.VAR_KEYWORD
_Class = TypeVar("_Class", bound=type)


def changed(
    function: Callable, left_out: Iterable[str], changes: dict[str, Any]
) -> list[inspect.Parameter]:
    """The parameters of a function, some left out, with other defaults and more.

    Args:
        changes: {name: default}; new names come before **kwargs.
    """
    known = {
        name: p.replace(default=changes.get(name, p.default))
        for name, p in inspect.signature(function).parameters.items()
        if name not in left_out
    }
    last = [known.pop(n) for n, p in list(known.items()) if p.kind is _ANY_KEYWORD]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    more = [
        inspect.Parameter(name, kind, default=default)
        for name, default in changes.items()
        if name not in known
    ]
    return [*known.values(), *more, *last]


def construct(cls: type, left_out: Iterable[str] = (), **changes: Any) -> None:
    """Give a class an `__init__` that hands its arguments to that of its base."""

    def run(arguments: dict) -> None:
        self, more = arguments.pop("self"), arguments.pop("kwargs", {})
        super(cls, self).__init__(**arguments, **more)

    parameters = changed(cls.__init__, left_out, changes)  # type: ignore[misc]
    init = written("__init__", cls, cls.__module__, parameters, run)
    cls.__init__ = init  # type: ignore[misc]


def declared(*left_out: str, **changes: Any) -> Callable[[_Class], _Class]:
    """A decorator: the class takes the arguments of its base, except some.

    `config`, the names of its settings, becomes those of its arguments; what the class
    says itself comes after them.

    Args:
        left_out: arguments that are not taken by name (they may be in **kwargs).
        changes: other defaults.
    """

    def decorate(cls: _Class) -> _Class:
        construct(cls, left_out, **changes)
        more = cls.__dict__.get("config", ())
        cls.config = (*names_of(cls.__init__), *more)  # type: ignore[attr-defined]
        return cls

    return decorate


def settings(*required: str, **defaults: Any) -> Callable[[_Class], _Class]:
    """A decorator: the layer takes arguments of these names, and keeps them.

    Activations, initializers, regularizers and constraints are found by their names.
    `config` becomes the names of all, where the class does not say otherwise.
    """

    def decorate(cls: _Class) -> _Class:
        def run(arguments: dict) -> None:
            self, more = arguments.pop("self"), arguments.pop("kwargs")
            super(cls, self).__init__(**more)  # type: ignore[misc]
            self._keep(**arguments)

        own = optional(**dict.fromkeys(("self", *required), REQUIRED), **defaults)
        parameters = [*own, inspect.Parameter("kwargs", _ANY_KEYWORD)]
        init = written("__init__", cls, cls.__module__, parameters, run)
        cls.__init__ = init  # type: ignore[misc]
        cls.config = cls.__dict__.get("config", names_of(init))  # type: ignore[attr-defined]
        return cls

    return decorate
