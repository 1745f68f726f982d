"""Weights in HDF5 as Keras 3 lays them out: `layers/dense_1/vars/0`.

A layer is called by its class, with a number from the second one on; its own variables
lie in `vars`, by their place, and those of layers inside under the attribute that holds
these. See Note [Keras 3] in keras.saving.keras3_settings.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import progress
from twinflow.keras.backend import sessions
from twinflow.keras.saving import hdf5

_CLASSES = {"Model": "Functional"}
_PARTS = ("forward_layer", "backward_layer", "layer", "cell")


def is_of_keras3(file: Any) -> bool:
    """Whether an HDF5 file holds weights in this layout."""
    return "layer_names" not in file.attrs and ("layers" in file or "vars" in file)


def snake(name: str) -> str:
    """BatchNormalization as batch_normalization, in Keras 3's way."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def _numbered(layers: list) -> Iterator[tuple]:
    """(name, layer) of each layer in a list."""
    count: dict = {}
    for layer in layers:
        kind = type(layer).__name__
        name = snake(_CLASSES.get(kind, kind))
        number = count[name] = count.get(name, -1) + 1
        yield (f"{name}_{number}" if number else name), layer


def _parts(layer: Any) -> list:
    """(path, part) of what is inside a layer."""
    if hasattr(layer, "layers"):
        return [(f"layers/{name}", part) for name, part in _numbered(layer.layers)]
    names = [n for n in _PARTS if hasattr(getattr(layer, n, None), "weights")]
    if "forward_layer" in names:
        names = ["forward_layer", "backward_layer"]
    found = [(name, getattr(layer, name)) for name in names]
    cells = getattr(layer, "cells", ())
    return found + [(f"cells/{name}", part) for name, part in _numbered(list(cells))]


def variables(layer: Any, path: str = "") -> Iterator[tuple]:
    """(path of a group, name of a layer, its own variables) of a layer or model.

    Example:
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
        [path for path, _, found in variables(model) if found]  # ["layers/dense"]
    """
    inside: set = set()
    for name, part in _parts(layer):
        inside.update(map(id, part.weights))
        yield from variables(part, f"{path}/{name}" if path else name)
    own = [v for v in layer.weights if id(v) not in inside]
    yield path, getattr(layer, "name", ""), own


def save(group: Any, model: Any) -> None:
    """Write the weights of a model into an HDF5 file or group."""
    parts = list(variables(model))
    flat = [v for _, _, own in parts for v in own]
    values = iter(sessions.batch_get_value(flat))
    for path, name, own in progress.over("writing layers", parts):
        inner = group.require_group(f"{path}/vars" if path else "vars")
        inner.attrs["name"] = name
        for i, _ in enumerate(own):
            inner.create_dataset(str(i), data=np.asarray(next(values)))


def load(group: Any, model: Any) -> None:
    """Read the weights of a model from an HDF5 file or group.

    Raises:
        ValueError: a layer is not there, or has other weights.
    """
    pairs = []
    for path, name, own in progress.over("reading layers", list(variables(model))):
        where = f"{path}/vars" if path else "vars"
        if not own and where not in group:
            continue
        there = sorted(group[where], key=int) if where in group else []
        if len(there) != len(own):
            raise ValueError(
                f"The layer {name!r} has {len(own)} weights, and {where!r} in the file "
                f"{len(there)}. In the file are: {_shown(group)}"
            )
        pairs += [
            (v, hdf5.array_of(group[where], k)) for v, k in zip(own, there, strict=True)
        ]
    hdf5.assign(pairs)


def _named(model: Any) -> dict:
    """The variables of a model by the names of their datasets."""
    return {
        f"{path}/vars/{i}" if path else f"vars/{i}": v
        for path, _, own in variables(model)
        for i, v in enumerate(own)
    }


def by_name(model: Any) -> dict:
    """The weights of a model by the names of their datasets: layers/dense/vars/0."""
    named = _named(model)
    return dict(zip(named, sessions.batch_get_value(list(named.values())), strict=True))


def set_by_name(model: Any, tensors: Any) -> None:
    """Give a model the weights of `by_name`.

    Args:
        tensors: has `entries`, a dict by name, and `read`, from a name to its array.
    Raises:
        ValueError: the names or the shapes are not those of the model.
    """
    named = _named(model)
    if set(named) != set(tensors.entries):
        odd = sorted(set(named) ^ set(tensors.entries))
        raise ValueError(
            f"The file holds {len(tensors.entries)} arrays and the model "
            f"{len(named)} weights; only one of them has {', '.join(odd[:9])}."
        )
    hdf5.assign([(v, tensors.read(name)) for name, v in named.items()])


def _shown(group: Any) -> str:
    names = sorted(group["layers"]) if "layers" in group else sorted(group)
    return ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
