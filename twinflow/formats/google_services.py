"""Google's packages for its services, which are looked for at their first use.

They take seconds to load, and few programs have them.
"""

import contextlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors


def module(name: str) -> Any:
    """A module of Google's packages.

    Raises:
        UnimplementedError: it is not installed.
    """
    try:
        return pkgutil.resolve_name(f"{name}:")
    except ImportError as error:
        text = (
            f"Google's services are read with the package of {name}, which is not "
            f"installed ({error}): pip install twinflow[cloud]"
        )
        raise errors.UnimplementedError(None, None, text) from error


@contextlib.contextmanager
def translated(what: str) -> Iterator[None]:
    """A block whose calls of a service fail with the errors of TensorFlow.

    Args:
        what: is asked for, for the text.
    """
    kinds = module("google.api_core.exceptions")
    try:
        yield
    except kinds.RetryError as error:
        raise _error(14, what, error) from error
    except kinds.GoogleAPICallError as error:
        status = getattr(error, "grpc_status_code", None)
        raise _error(status.value[0] if status else 2, what, error) from error


def _error(code: int, what: str, error: Exception) -> Exception:
    kind: Any = errors.exception_type_from_error_code(code)
    return kind(None, None, f"{what}: {error}")
