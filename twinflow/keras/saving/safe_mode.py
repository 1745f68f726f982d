"""Whether what is loaded may bring code of its own.

Note [Safe mode]: settings of layers are data. Names in them stand for what the program
registered (`custom_objects`) and for functions of this package without effects; Python
bytecode and names of other modules' attributes are taken only where the caller says
`safe_mode=False`, or the environment TWINFLOW_SAFE_MODE=0. Whoever reads a file says so
by `reading`, so that an error names it; models and wrappers hand their `safe_mode` on
to the layers inside by `scope`.
"""

import contextlib
import contextvars
import os
from collections.abc import Iterator

_SAFE: contextvars.ContextVar[bool | None] = contextvars.ContextVar(
    "safe", default=None
)
_SOURCE: contextvars.ContextVar[str] = contextvars.ContextVar("source", default="")


@contextlib.contextmanager
def scope(safe_mode: bool | None) -> Iterator[None]:
    """A block with this safe mode; None leaves that of the block around it."""
    token = _SAFE.set(_SAFE.get() if safe_mode is None else safe_mode)
    try:
        yield
    finally:
        _SAFE.reset(token)


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """A block that takes settings from the file at `path`."""
    token = _SOURCE.set(path)
    try:
        yield
    finally:
        _SOURCE.reset(token)


def is_safe() -> bool:
    """Whether code and names of any module are refused."""
    safe = _SAFE.get()
    return os.environ.get("TWINFLOW_SAFE_MODE") != "0" if safe is None else safe


def check(layer: str, what: str, instead: str = "") -> None:
    """Refuse a layer whose settings bring code, in safe mode.

    Args:
        layer: what it is, with its name. what: what its settings hold.
        instead: another way to load it, or nothing.
    Raises:
        ValueError: the mode is safe.
    """
    if is_safe():
        source = _SOURCE.get()
        raise ValueError(
            f"{layer}{f' in {source}' * bool(source)} holds {what}: loading it could "
            f"run code that somebody else wrote. {instead}If you trust where it comes "
            "from, pass safe_mode=False (to load_model, model_from_json, "
            "model_from_config or from_config), or set TWINFLOW_SAFE_MODE=0 in the "
            "environment."
        )
