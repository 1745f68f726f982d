"""Whether the program being lowered is to run elsewhere, without this package."""

import contextlib
import threading
from collections.abc import Iterator

_local = threading.local()


def is_portable() -> bool:
    """Whether kernels are to use XLA's own parts alone, in this thread."""
    return getattr(_local, "portable", False)


@contextlib.contextmanager
def portable() -> Iterator[None]:
    """A block in which programs are lowered to run elsewhere."""
    before = is_portable()
    _local.portable = True
    try:
        yield
    finally:
        _local.portable = before
