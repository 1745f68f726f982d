"""Utilities of old programs: kernels of Theano, several GPUs."""

from typing import Any

import numpy as np

from twinflow.base.devices import num_gpus
from twinflow.keras.backend import sessions


def convert_all_kernels_in_model(model: Any) -> None:
    """Turn the kernels of convolutions around, in place, as Theano has them."""
    kinds = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "Convolution2D")
    for layer in model.layers:
        if type(layer).__name__ in kinds:
            kernel = sessions.get_value(layer.kernel)
            axes = tuple(range(kernel.ndim - 2))
            sessions.set_value(layer.kernel, np.copy(np.flip(kernel, axes)))


def multi_gpu_model(
    model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False
) -> None:
    """Refused: a model runs on one device.

    Args:
        model: the model. gpus: how many GPUs, or a list of their numbers.
    Raises:
        ValueError: always; first for what TensorFlow refuses too: fewer than two GPUs
            are asked for, or there are not so many.
    """
    several = isinstance(gpus, list | tuple)
    if (len(gpus) if several else gpus) <= 1:
        what = "len(gpus)" if several else "gpus"
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with "
            f"`{what} >= 2`. Received: `gpus={gpus}`"
        )
    wanted = ["/cpu:0", *(f"/gpu:{i}" for i in (gpus if several else range(gpus)))]
    there = ["/cpu:0", *(f"/gpu:{i}" for i in range(num_gpus()))]
    if not set(wanted) <= set(there):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following "
            f"devices to be available: {wanted}. However this machine only has: "
            f"{there}. Try reducing `gpus`."
        )
    raise ValueError(
        f"multi_gpu_model(gpus={gpus}): twinflow trains on one device; use the model "
        "itself."
    )
