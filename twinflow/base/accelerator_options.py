"""What is said of accelerators before jax starts: how much memory, and which of them.

jax reads these from the environment when it first looks for devices; later they have no
effect.
"""

import os
import sys
from typing import Any

from twinflow.base import logging

_DRIVER = "/proc/driver/nvidia/version"
_late: set[str] = set()  # what was said too late, and logged


def set_memory(options: Any) -> None:
    """Let jax take the memory of GPUs as the GPUOptions of a ConfigProto say.

    Args:
        options: a message with allow_growth, per_process_gpu_memory_fraction and
            visible_device_list.
    """
    wanted = {}
    if options.allow_growth:
        wanted["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    if options.per_process_gpu_memory_fraction:
        fraction = f"{options.per_process_gpu_memory_fraction:.3g}"
        wanted["XLA_PYTHON_CLIENT_MEM_FRACTION"] = fraction
    if options.visible_device_list:
        wanted["JAX_CUDA_VISIBLE_DEVICES"] = options.visible_device_list
    new = {k: v for k, v in wanted.items() if os.environ.get(k) != v}
    if new and _has_started():
        _say_late(new)
    else:
        os.environ.update(new)


def _has_started() -> bool:
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(getattr(bridge, "_backends", None))


def _say_late(names: Any) -> None:
    new = sorted(set(names) - _late)
    _late.update(new)
    if new:
        logging.warn(
            "gpu_options have no effect any more: the devices have been started. Set "
            "%s in the environment, or make the session that has the options first.",
            ", ".join(new),
        )


def say_missing_plugin() -> None:
    """Say that there is a driver for GPUs that jax has no plugin for."""
    if os.path.exists(_DRIVER):
        logging.warn(
            "There is an NVIDIA driver, but no CUDA plugin of jax: all runs on the "
            "CPU. pip install 'twinflow[cuda]' adds it."
        )


def say_broken_plugin(error: Exception) -> None:
    """Say that a plugin of jax is there, and does not start."""
    text = str(error).strip().splitlines() or [type(error).__name__]
    logging.warn(
        "jax has a plugin for accelerators that does not start, so all runs on the "
        "CPU: %s", text[0],
    )  # fmt: skip
