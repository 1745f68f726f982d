"""Constructors made from those of a base class: the same settings, other defaults."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from twinflow.keras.saving.config import names_of

REQUIRED = inspect.Parameter.empty  # in place of a default
_ANY_KEYWORD = inspect.Parameter.VAR_KEYWORD
_Class = TypeVar("_Class", bound=type)


def written(
    name: str,
    owner: type | None,
    home: str,
    parameters: Iterable[inspect.Parameter],
    run: Callable[[dict], Any],
) -> Callable:
    """A function with these parameters, made from its text as `namedtuple` does.

    Calls, errors and `inspect.signature` are those of a function that was written down.

    Args:
        owner: the class of a method, or None. home: the name of its module.
        run: what is called with the arguments, {name: value}.
    """
    listed = list(parameters)
    texts = [
        f"**{p.name}" if p.kind is _ANY_KEYWORD
        else p.name if p.default is REQUIRED
        else f"{p.name}=_of_{p.name}"
        for p in listed
    ]  # fmt: skip
    known: dict[str, Any] = {f"_of_{p.name}": p.default for p in listed}
    known |= {"_run": run, "__name__": home}
    text = f"def {name}({', '.join(texts)}):\n    return _run(locals())\n"
    exec(compile(text, __file__, "exec"), known)
    known[name].__qualname__ = f"{owner.__qualname__}.{name}" if owner else name
    return known[name]


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
