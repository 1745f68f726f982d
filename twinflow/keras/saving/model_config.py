"""Functional models as settings, and back."""

import numpy as np

from twinflow.base import nest, progress
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.saving.config import serialized
from twinflow.keras.saving.layer_configs import deserialize


def settings_of(model):
    """What `Model.get_config` gives for a functional model."""
    network = model._network
    numbers = network.own_nodes()
    layers = [_layer_settings(layer, numbers) for layer in network.layers]
    return {
        "name": model.name,
        "layers": layers,
        "input_layers": [_place(t, numbers) for t in network.inputs],
        "output_layers": [_place(t, numbers) for t in network.outputs],
    }


def _place(t, numbers):
    layer, node, index = t._keras_history
    return [layer.name, numbers[layer, node], index]


def _layer_settings(layer, numbers):
    calls = []
    for i, node in enumerate(layer._inbound_nodes):
        if (layer, i) not in numbers or not node.inbound_layers:
            continue
        arguments = {k: v for k, v in node.arguments.items() if not _has_tensors(v)}
        calls.append([[*_place(t, numbers), arguments] for t in node.input_tensors])
    return {
        "name": layer.name,
        "class_name": type(layer).__name__,
        "config": layer.get_config(),
        "inbound_nodes": calls,
    }


def _has_tensors(value):
    return any(isinstance(v, Tensor) for v in nest.flatten(value))


def rebuilt(cls, config, custom_objects=None):
    """The functional model, of class `cls`, that `settings_of` described."""
    calls, waiting = _Calls(config), []
    for entry in config["layers"]:
        layer, name = deserialize(entry, custom_objects), entry["name"]
        calls.layers[name] = layer
        waiting += [(name, call) for call in entry["inbound_nodes"]]
    while waiting:
        steps = progress.over("making layers", waiting)
        later = [(name, call) for name, call in steps if not calls.make(name, call)]
        if len(later) == len(waiting):
            raise ValueError(
                "These layers wait for each other's outputs: "
                f"{[name for name, _ in later]}"
            )
        waiting = later
    inputs = [calls.tensor(p) for p in config["input_layers"]]
    outputs = [calls.tensor(p) for p in config["output_layers"]]
    one = len(inputs) == 1, len(outputs) == 1
    return cls(
        inputs=inputs[0] if one[0] else inputs,
        outputs=outputs[0] if one[1] else outputs,
        name=config.get("name"),
    )


class _Calls:
    """The calls of layers that are made anew.

    Attributes:
        layers: by name. made: by name, the outputs of the calls so far.
        first: by name, the least number that the settings have for a call; that of a
            model is 1, as its own inputs and outputs count as 0.
    """

    def __init__(self, config):
        places = [*config["input_layers"], *config["output_layers"]]
        places += [p for e in config["layers"] for c in e["inbound_nodes"] for p in c]
        self.layers, self.made, self.first = {}, {}, {}
        for name, node, *_ in places:
            self.first[name] = min(node, self.first.get(name, node), 1)

    def tensor(self, place):
        """The output of a call, or None before it is made."""
        name, node, index = place[:3]
        layer = self.layers[name]
        if not hasattr(layer, "_network"):
            nodes = layer._inbound_nodes
            return nodes[node].output_tensors[index] if node < len(nodes) else None
        number, made = node - self.first[name], self.made.get(name, [])
        return made[number][index] if number < len(made) else None

    def make(self, name, call):
        """Call a layer as it was, if its inputs are there."""
        xs = [self.tensor(p) for p in call]
        if any(x is None for x in xs):
            return False
        arguments = call[0][3] if len(call[0]) > 3 else {}
        found = self.layers[name](xs[0] if len(xs) == 1 else xs, **arguments)
        self.made.setdefault(name, []).append(nest.flatten(found))
        return True


def plain(value):
    """Settings that JSON does not know."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, TensorShape):
        return value.as_list()
    if hasattr(value, "get_config"):
        return serialized(value)
    return getattr(value, "__name__", str(value))
