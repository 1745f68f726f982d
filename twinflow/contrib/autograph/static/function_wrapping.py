"""What stands around the bodies of converted functions: core.function_wrapping."""

import contextlib
from collections.abc import Iterator

from twinflow.graph.scopes import name_scope


@contextlib.contextmanager
def function_scope(function_name: str) -> Iterator[None]:
    """A block whose ops have a function's name before theirs.

    A scope cannot start with `_`, so that of `_f` is `f`.
    """
    with name_scope(function_name.lstrip("_") or "function"):
        yield
