"""Functions made from a list of parameters, as if they had been written down."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

REQUIRED = inspect.Parameter.empty  # in place of a default
_ANY_KEYWORD = inspect.Parameter.VAR_KEYWORD


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
    made = known[name]
    made.__qualname__ = f"{owner.__qualname__}.{name}" if owner else name
    made.__annotations__ = {
        p.name: p.annotation for p in listed if p.annotation is not REQUIRED
    }
    return made


def public_form(
    function: Callable,
    parameters: Iterable[inspect.Parameter],
    run: Callable[[dict], Any],
    name: str | None = None,
    doc: str | None = None,
) -> Callable:
    """What users call of a function: under its name, with other parameters."""
    made = written(
        name or function.__name__, None, function.__module__, parameters, run
    )
    made.__doc__ = doc or function.__doc__
    return made


def with_shared(own: list, shared: Iterable[inspect.Parameter]) -> list:
    """The parameters of a function, and shared ones before those by keyword only.

    These lose their kind: the function that is made takes them by their place too.
    """
    late = [p for p in own if p.kind is p.KEYWORD_ONLY]
    early = [p for p in own if p.kind is not p.KEYWORD_ONLY]
    return [*early, *shared, *(p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in late)]


def optional(**defaults: Any) -> list[inspect.Parameter]:
    """Parameters with defaults."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [inspect.Parameter(n, kind, default=d) for n, d in defaults.items()]
