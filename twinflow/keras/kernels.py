"""Utilities of old programs: kernels of Theano, several GPUs."""

import numpy as np

from twinflow.keras import sessions


def convert_all_kernels_in_model(model):
    """Turn the kernels of convolutions around, in place, as Theano has them."""
    kinds = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "Convolution2D")
    for layer in model.layers:
        if type(layer).__name__ in kinds:
            kernel = sessions.get_value(layer.kernel)
            axes = tuple(range(kernel.ndim - 2))
            sessions.set_value(layer.kernel, np.copy(np.flip(kernel, axes)))


def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """Refused: a model runs on one device.

    Raises:
        ValueError: always.
    """
    raise ValueError(
        f"multi_gpu_model(gpus={gpus}): twinflow trains on one device; use the model "
        "itself."
    )
