"""Weights and models in HDF5 files, as Keras writes them; through h5py."""

import contextlib
import errno
import io
import json
import os

import numpy as np

from twinflow.base import logging, progress, stores, unfinished
from twinflow.base.damage import UnreadableFile, located, reported
from twinflow.keras.backend import sessions
from twinflow.keras.layers.cudnn_weights import fitted
from twinflow.keras.optimizers import algorithms as optimizers
from twinflow.keras.saving.model_config import plain
from twinflow.keras.saving.safe_mode import reading

try:
    import h5py
except ImportError:
    h5py = None

_LIMIT = 64512  # bytes of an attribute
_MOST_PACKED = 1100  # times that gzip makes something shorter, at most
_NO_OPTIMIZER = (
    "TensorFlow optimizers do not make it possible to access optimizer attributes or "
    "optimizer state after instantiation. As a result, we cannot save the optimizer as "
    "part of the model save file.You will have to compile your model again after "
    "loading it. Prefer using a Keras optimizer instead (see keras.io/optimizers)."
)


def opened(path, mode, what, **options):
    """An HDF5 file, as a block; `options` are those of h5py.File.

    Raises:
        ImportError: h5py is not installed.
    """
    if h5py is None:
        raise ImportError(f"`{what}` requires h5py: python -m pip install h5py")
    return h5py.File(path, mode, **options)


@contextlib.contextmanager
def read(path, what):
    """An HDF5 file to be read, as a block; errors of damage name it.

    Raises:
        ImportError: h5py is not installed. UnreadableFile: the file is damaged.
    """
    with (
        reported(path, UnreadableFile), reading(path),
        opened(here(path), "r", what) as file,
    ):  # fmt: skip
        yield file


def here(path):
    """What h5py and zipfile read in place of a path: the bytes of a file in a store."""
    if not stores.is_remote(path):
        return path
    with stores.opened(path) as file:
        return io.BytesIO(file.read())


@contextlib.contextmanager
def replaced(path, what):
    """A new HDF5 file that takes the place of `path` once it is whole, as a block."""
    folder = stores.dirname(path) or "."
    if h5py is not None and not stores.has_folder(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    found: list = []
    with in_memory(what, found) as file:
        yield file
    unfinished.write(path, found[0])


@contextlib.contextmanager
def in_memory(what, image):
    """A new HDF5 file in memory, as a block; at its end its bytes go to `image`.

    The HDF5 library ends the process where it writes to a disk that is full.
    """
    memory = {"driver": "core", "backing_store": False, "block_size": 1 << 20}
    with opened(f"{what}.h5", "w", what, **memory) as file:
        yield file
        file.flush()
        image.append(file.id.get_file_image())


# ------------------------------------------------------------------ attributes
def save_text(group, name, value):
    """A text as bytes of a fixed length where it is short: all readers get bytes."""
    value = value.encode()
    group.attrs[name] = np.bytes_(value) if len(value) < _LIMIT else value


def save_attributes(group, name, texts):
    """A list of texts as attributes: one, or several where it is long.

    Raises:
        RuntimeError: a single text is too long.
    """
    texts = [text(t) for t in texts]
    long = [t for t in texts if len(t) > _LIMIT]
    if long:
        raise RuntimeError(
            "The following attributes cannot be saved to HDF5 file because they are "
            f"larger than {_LIMIT} bytes: {', '.join(long)}"
        )
    data = np.asarray([t.encode() for t in texts])
    count, parts = 1, [data]
    while any(p.nbytes > _LIMIT for p in parts):
        count += 1
        parts = np.array_split(data, count)
    if count == 1:
        group.attrs[name] = data
        return
    for i, part in enumerate(parts):
        group.attrs[f"{name}{i}"] = part


def load_attributes(group, name):
    if name in group.attrs:
        return [text(n) for n in group.attrs[name]]
    found, i = [], 0
    while f"{name}{i}" in group.attrs:
        found += [text(n) for n in group.attrs[f"{name}{i}"]]
        i += 1
    return found


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


# ------------------------------------------------------------------ weights
def save_weights(group, layers):
    """Write the weights of layers into a file or group."""
    save_attributes(group, "layer_names", [layer.name for layer in layers])
    save_text(group, "backend", "tensorflow")
    save_text(group, "keras_version", "2.1.6-tf")
    for layer in progress.over("writing layers", layers):
        part = group.create_group(layer.name)
        _save_variables(part, layer.weights)


def _save_variables(group, variables):
    names: list = []
    for v in variables:  # eager names may come twice
        start, _, end = str(v.name).partition(":")
        name, number = str(v.name), 1
        while name in names:
            name, number = f"{start}_{number}:{end}", number + 1
        names.append(name)
    save_attributes(group, "weight_names", names)
    for name, value in zip(names, sessions.batch_get_value(variables), strict=True):
        group.create_dataset(name, data=np.asarray(value))


def values_of(group):
    """The arrays of a group, in their order."""
    return [array_of(group, name) for name in load_attributes(group, "weight_names")]


def array_of(group, name):
    """A dataset of a group, as an array.

    Raises:
        ValueError: it is none, or says that it holds more than its file can.
    """
    with located(f"{name!r} of {group.name!r}"):
        data = group[name]
        if data.dtype.kind not in "biufc":
            raise ValueError(
                f"{name!r} of {group.name!r} holds {data.dtype}, no numbers"
            )
        held = group.file.id.get_filesize() * _MOST_PACKED
        if data.nbytes > held:
            raise ValueError(
                f"{name!r} of {group.name!r} has the shape {data.shape}, for which "
                "the file is too short"
            )
        return np.asarray(data)


def load_weights(group, layers):
    """Read the weights of layers, in their order.

    Raises:
        ValueError: there are more or fewer layers or weights.
    """
    wanted = [layer for layer in layers if layer.weights]
    names = load_attributes(group, "layer_names")
    names = [n for n in names if load_attributes(group[n], "weight_names")]
    if len(names) != len(wanted):
        raise ValueError(
            f"You are trying to load a weight file containing {len(names)} layers into "
            f"a model with {len(wanted)} layers."
        )
    pairs = []
    named = list(zip(names, wanted, strict=True))
    for k, (name, layer) in enumerate(progress.over("reading layers", named)):
        values = fitted(layer, values_of(group[name]))
        if len(values) != len(layer.weights):
            raise ValueError(
                f'Layer #{k} (named "{layer.name}" in the current model) was found to '
                f"correspond to layer {name} in the save file. However the new layer "
                f"{layer.name} expects {len(layer.weights)} weights, but the saved "
                f"weights have {len(values)} elements."
            )
        pairs += zip(layer.weights, values, strict=True)
    assign(pairs)


def load_weights_by_name(group, layers):
    """Read the weights of the layers whose names are in the file.

    Raises:
        ValueError: a layer has another number of weights, or a shape differs.
    """
    saved, pairs = load_attributes(group, "layer_names"), []
    for k, layer in enumerate(layers):
        if layer.name not in saved:
            continue
        values = fitted(layer, values_of(group[layer.name]))
        if len(values) != len(layer.weights):
            raise ValueError(
                f'Layer #{k} (named "{layer.name}") expects {len(layer.weights)} '
                f"weight(s), but the saved weights have {len(values)} element(s)."
            )
        for v, value in zip(layer.weights, values, strict=True):
            if tuple(v._shape) != value.shape:
                raise ValueError(
                    f'Layer #{k} (named "{layer.name}"), weight {v} has shape '
                    f"{tuple(v._shape)}, but the saved weight has shape {value.shape}."
                )
            pairs.append((v, value))
    assign(pairs)


def assign(pairs):
    for v, value in pairs:
        if tuple(v._shape) != value.shape:
            raise ValueError(
                f"The variable {v.name} has shape {tuple(v._shape)}, but the saved "
                f"weight has shape {value.shape}."
            )
    sessions.batch_set_value(pairs)


# ------------------------------------------------------------------ models
def save_model(model, path, include_optimizer):
    """Write a model: its settings, its weights, how it is trained."""
    config = {"class_name": type(model).__name__, "config": model.get_config()}
    with replaced(path, "save_model") as file:
        save_text(file, "keras_version", "2.1.6-tf")
        save_text(file, "backend", "tensorflow")
        save_text(file, "model_config", json.dumps(config, default=plain))
        save_weights(file.create_group("model_weights"), model.layers)
        if include_optimizer and model.optimizer is not None:
            _save_training(file, model)


def _save_training(file, model):
    optimizer = model.optimizer
    if isinstance(optimizer, optimizers.TFOptimizer):
        logging.warning(_NO_OPTIMIZER)
        return
    facts = (
        "loss", "metrics", "weighted_metrics", "sample_weight_mode", "loss_weights",
    )  # fmt: skip
    config = {name: model.__dict__[name] for name in facts}
    kind = {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}
    config = {"optimizer_config": kind, **config}
    save_text(file, "training_config", json.dumps(config, default=plain))
    if optimizer.weights:
        _save_variables(file.create_group("optimizer_weights"), optimizer.weights)
