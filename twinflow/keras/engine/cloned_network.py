"""New layers of the same settings in the places of those of a model."""

from twinflow.base import nest
from twinflow.keras.engine.input_layer import Input, InputLayer

NO_CLASSES = (
    "Expected `model` argument to be a functional `Model` instance, but got a subclass "
    "model instead."
)


def start_of(tensor):
    """A tensor at which a model may begin."""
    return tensor if hasattr(tensor, "_keras_history") else Input(tensor=tensor)


def cloned_network(network, tensors):
    """(inputs, outputs) of new layers that are called as those of a network are.

    Args:
        network: that of a model. tensors: what the new layers begin with.
    """
    starts = [start_of(t) for t in tensors]
    found = dict(zip((id(t) for t in network.inputs), starts, strict=True))
    layers: dict = {}
    for node in network.nodes:
        layer = node.outbound_layer
        if isinstance(layer, InputLayer):
            continue
        if layer not in layers:
            layers[layer] = type(layer).from_config(layer.get_config())
        xs = [found[id(t)] for t in node.input_tensors]
        ys = layers[layer](xs[0] if len(xs) == 1 else xs, **node.arguments)
        pairs = zip(node.output_tensors, nest.flatten(ys), strict=True)
        found.update((id(t), y) for t, y in pairs)
    outs = [found[id(t)] for t in network.outputs]
    return starts, outs if network.many else outs[0]
