"""Docstrings that grow: notes of a distribution on the methods of all."""

import functools
from collections.abc import Callable
from typing import Any


class AppendDocstring:
    """A decorator that puts a note, and arguments, below the docstring of a function.

    Args:
        additional_note: the note. kwargs_dict: {argument: what it is}, one line each.
    Raises:
        ValueError: the name of an argument has spaces, or what it is several lines.
    """

    def __init__(
        self, additional_note: str = "", kwargs_dict: dict[str, str] | None = None
    ) -> None:
        self._note = additional_note
        bullets = []
        for key, text in sorted((kwargs_dict or {}).items()):
            if any(c.isspace() for c in key):
                raise ValueError(f'Parameter name "{key}" contains whitespace.')
            if "\n" in text.lstrip():
                raise ValueError(
                    f'Parameter description for "{key}" contains newlines.'
                )
            bullets.append(f"*  `{key}`: {text.lstrip()}")
        if bullets:
            self._note += "\n\n##### `kwargs`:\n\n" + "\n".join(bullets)

    def __call__(self, fn: Callable) -> Callable[..., Any]:
        @functools.wraps(fn)
        def noted(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        if noted.__doc__ is None:
            noted.__doc__ = self._note
        else:
            noted.__doc__ += "\n" + self._note
        return noted
