"""Saved weights of NVIDIA's recurrent layers for the plain ones, and the reverse.

A kernel is turned gate by gate (see cudnn); the plain LSTM has one bias where the other
has two that are added, GRU(reset_after=True) has the two in two rows.
"""

import numpy as np

from twinflow.keras.layers.cudnn import CuDNNGRU, CuDNNLSTM
from twinflow.keras.layers.recurrent import GRU, LSTM
from twinflow.keras.layers.wrapping import Bidirectional, Wrapper


def fitted(layer, values):
    """Values from a file in the form in which a layer keeps its weights.

    Args:
        layer: a layer, a wrapper or a model. values: a list of arrays.
    Raises:
        ValueError: they are of a kind of recurrent layer that computes otherwise.
    """
    if isinstance(layer, Bidirectional):
        half = len(values) // 2
        forward = fitted(layer.forward_layer, values[:half])
        return forward + fitted(layer.backward_layer, values[half:])
    if isinstance(layer, Wrapper):
        return fitted(layer.layer, values)
    if hasattr(layer, "load_weights"):  # a model
        return _of_model(layer, values)
    if isinstance(layer, LSTM | CuDNNLSTM | GRU | CuDNNGRU) and len(values) == 3:
        return _of_cell(layer, values)
    return values


def _of_model(model, values):
    """Trainable weights of all layers come first, then the others."""
    found, at = [], 0
    for kind in ("trainable_weights", "non_trainable_weights"):
        for layer in model.layers:
            count = len(getattr(layer, kind))
            found += fitted(layer, values[at : at + count]) if count else []
            at += count
    return found + values[at:]


def _of_cell(layer, values):
    kernel, recurrent, bias = values
    units = recurrent.shape[0]
    lstm = isinstance(layer, LSTM | CuDNNLSTM)
    gates = 4 if lstm else 3
    saved, wanted = _kind(bias, units, gates, lstm), _kind_of_layer(layer)
    if saved == wanted:
        return values
    if "GRU(reset_after=False)" in (saved, wanted):
        raise ValueError(f"{saved} is not compatible with {wanted}")
    turn = _from_library if saved.startswith("CuDNN") else _for_library
    kernels = [
        np.hstack([turn(k) for k in np.hsplit(w, gates)]) for w in (kernel, recurrent)
    ]
    if not lstm:
        rows = -1 if wanted == "CuDNNGRU" else (2, -1)
        return [*kernels, bias.reshape(rows)]
    halves = np.tile(0.5 * bias, 2) if wanted == "CuDNNLSTM" else sum(np.split(bias, 2))
    return [*kernels, halves]


def _kind(bias, units, gates, lstm):
    """Which layer keeps a bias of this shape."""
    wide = units * gates
    kinds = {
        (2 * wide,): "CuDNNLSTM" if lstm else "CuDNNGRU",
        (wide,): "LSTM" if lstm else "GRU(reset_after=False)",
    }
    if not lstm:
        kinds[2, wide] = "GRU(reset_after=True)"
    if bias.shape not in kinds:
        raise ValueError(
            f"Invalid bias shape: {bias.shape}, expected one of {list(kinds)}"
        )
    return kinds[bias.shape]


def _kind_of_layer(layer):
    if isinstance(layer, GRU):
        return f"GRU(reset_after={layer.reset_after})"
    kinds = CuDNNGRU, CuDNNLSTM, LSTM
    return next(c.__name__ for c in kinds if isinstance(layer, c))


def _from_library(kernel):
    size, units = kernel.shape
    return kernel.reshape(units, size).T


def _for_library(kernel):
    return kernel.T.reshape(kernel.shape)
