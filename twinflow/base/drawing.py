"""What importing jax must not do: draw from NumPy's global random numbers."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np


@contextlib.contextmanager
def drawing_apart() -> Iterator[None]:
    """A block in which this thread leaves NumPy's global random numbers alone.

    One of jax's modules calls np.random.rand when it is imported: what a seeded program
    draws would depend on when that happens.
    """
    thread, rand = threading.get_ident(), np.random.rand

    def apart(*shape: int) -> Any:
        mine = threading.get_ident() == thread
        return np.random.RandomState(0).rand(*shape) if mine else rand(*shape)

    np.random.rand = apart
    try:
        yield
    finally:
        np.random.rand = rand
