"""Calls of the C module's kernels inside XLA's programs: whether XLA takes them."""

from collections.abc import Callable
from typing import Any


def accepted(jax: Any, target: str, handler: Callable, small: Callable) -> bool:
    """Register a kernel on the CPU, and try it.

    Args:
        target: the name of the calls. handler: gives the kernel as XLA calls it.
        small: a small call, which says whether its result is right.
    """
    try:
        jax.ffi.register_ffi_target(target, handler(), platform="cpu")
        cpu = jax.local_devices(backend="cpu")[0]
        with jax.ensure_compile_time_eval(), jax.default_device(cpu):
            return small()
    except Exception:  # of which kind depends on the release
        return False
