"""The layers between some tensors, in an order in which they can be called."""

from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.keras.engine.input_layer import InputLayer
from twinflow.keras.engine.nodes import masks_of


class Network:
    """What lies between `inputs` and `outputs`; see Note [History].

    Args:
        inputs, outputs: tensors with a history, or lists of them.
    Attributes:
        inputs, outputs: lists. layers: in order of depth. nodes: in order of calling.
    Raises:
        ValueError: a tensor has no history, an output does not depend on the inputs
            alone, or two layers have one name.
    """

    def __init__(self, inputs, outputs):
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        self.many = isinstance(outputs, list | tuple) and len(self.outputs) > 1
        self._check_ends()
        self._order = []  # nodes, each after those that it needs
        self._places: dict[Any, Any] = {}  # the order in which layers were met
        self._collect()
        depths = self._depths()
        order = {id(n): i for i, n in enumerate(self._order)}
        self.nodes = sorted(self._order, key=lambda n: (-depths[id(n)], order[id(n)]))
        self.layers = self._sorted_layers(depths)
        self._check_reach()
        self._check_names()

    def _check_ends(self):
        if len({id(t) for t in self.inputs}) < len(self.inputs):
            raise ValueError(
                "The list of inputs passed to the model is redundant. All inputs "
                f"should only appear once. Found: {self.inputs}"
            )
        for t in self.inputs:
            if not hasattr(t, "_keras_history"):
                raise advised(
                    ValueError,
                    "Input tensors to a Model must come from `tf.layers.Input`. "
                    f"Received: {t} (missing previous layer metadata).",
                )
        for t in self.outputs:
            if not hasattr(t, "_keras_history"):
                raise advised(
                    ValueError,
                    "Output tensors to a Model must be the output of a TensorFlow "
                    f"`Layer` (thus holding past layer metadata). Found: {t}",
                )

    def _collect(self):
        """Walk from the outputs to the inputs, depth first, without recursion."""
        done: set = set()
        stops = {id(t) for t in self.inputs}
        for t in self.outputs:
            work = [(_node_of(t), False)]
            while work:
                node, seen = work.pop()
                if seen:
                    self._order.append(node)
                    continue
                if id(node) in done:
                    continue
                done.add(id(node))
                self._places.setdefault(node.outbound_layer, len(self._places))
                work.append((node, True))
                if any(id(y) in stops for y in node.output_tensors):
                    continue  # what lies before an input does not matter
                if not isinstance(node.outbound_layer, InputLayer):
                    work += [(_node_of(x), False) for x in reversed(node.input_tensors)]

    def _depths(self):
        """How far each node is from the outputs, by its id."""
        depths = {id(n): 0 for n in self._order}
        layers: dict = {}
        for node in reversed(self._order):
            layer = node.outbound_layer
            depth = max(depths[id(node)], layers.get(layer, 0))
            depths[id(node)] = layers[layer] = depth
            for x in node.input_tensors:
                before = _node_of(x)
                if before is not node and id(before) in depths:
                    depths[id(before)] = max(depths[id(before)], depth + 1)
        for t in self.inputs:
            layer = t._keras_history[0]
            if layer not in layers:
                layers[layer] = 0
                self._places[layer] = -1
        self._layer_depths = layers
        return depths

    def _sorted_layers(self, depths):
        places, deep = self._places, self._layer_depths
        return sorted(deep, key=lambda x: (-deep[x], places[x]))

    def _check_reach(self):
        known = {id(t) for t in self.inputs}
        visited: list = []
        for node in self.nodes:
            layer = node.outbound_layer
            if any(id(y) in known for y in node.output_tensors):
                visited.append(layer.name)
                continue
            for x in node.input_tensors:
                if id(x) not in known:
                    raise ValueError(
                        f"Graph disconnected: cannot obtain value for tensor {x} at "
                        f'layer "{layer.name}". The following previous layers were '
                        f"accessed without issue: {visited}"
                    )
            known |= {id(y) for y in node.output_tensors}
            visited.append(layer.name)

    def _check_names(self):
        names = [layer.name for layer in self.layers]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(
                    f'The name "{name}" is used {names.count(name)} times in the '
                    "model. All layer names should be unique."
                )

    # ------------------------------------------------------------------ calling
    def run(self, inputs, masks=None, training=None):
        """(outputs, their masks) for other inputs, in the structure of `outputs`."""
        values = dict(zip((id(t) for t in self.inputs), _listed(inputs), strict=True))
        given = _listed(masks) if masks is not None else [None] * len(self.inputs)
        found = dict(zip((id(t) for t in self.inputs), given, strict=True))
        for node in self.nodes:
            if all(id(y) in values for y in node.output_tensors):
                continue
            ys, ms = _again(node, values, found, training)
            ids = [id(y) for y in node.output_tensors]
            values.update(zip(ids, ys, strict=True))
            found.update(zip(ids, ms, strict=True))
        ys = [values[id(t)] for t in self.outputs]
        ms = [found[id(t)] for t in self.outputs]
        return (ys, ms) if self.many else (ys[0], ms[0])

    def own_nodes(self):
        """{(layer, number of the call in that layer): number among those used here}

        The calls of a model are counted from 1: its own inputs and outputs are 0.
        """
        used = {id(n) for n in self._order}
        found = {}
        for layer in self.layers:
            mine = [i for i, n in enumerate(layer._inbound_nodes) if id(n) in used]
            first = 1 if hasattr(layer, "_network") else 0
            found.update({(layer, i): k for k, i in enumerate(mine, first)})
        return found


def get_source_inputs(
    tensor: Any, layer: Any = None, node_index: Any = None
) -> list[Any]:
    """The Inputs that a tensor is made of.

    Args:
        tensor: one with a history. layer, node_index: where it comes from, if known.
    """
    if not hasattr(tensor, "_keras_history"):
        return tensor
    if layer is None or node_index:
        layer, node_index, _ = tensor._keras_history
    if not layer._inbound_nodes:
        return [tensor]
    node = layer._inbound_nodes[node_index or 0]
    if not node.inbound_layers:
        return node.input_tensors
    found: dict = {}
    for t, inner, number in zip(
        node.input_tensors, node.inbound_layers, node.node_indices, strict=True
    ):
        found.update((id(x), x) for x in get_source_inputs(t, inner, number))
    return list(found.values())


def _node_of(t):
    layer, number, _ = t._keras_history
    return layer._inbound_nodes[number]


def _listed(x):
    if isinstance(x, dict):
        return [x[k] for k in sorted(x)]
    return list(x) if isinstance(x, list | tuple) else [x]


def _again(node, values, masks, training):
    """The outputs and masks of one call, for other values."""
    layer = node.outbound_layer
    xs = [values[id(t)] for t in node.input_tensors]
    ms = [masks[id(t)] for t in node.input_tensors]
    kwargs = dict(node.arguments)
    if training is not None and layer._takes("training"):
        kwargs.setdefault("training", training)
    single = len(xs) == 1
    x = xs[0] if single else xs
    mask = ms[0] if single else (ms if any(m is not None for m in ms) else None)
    if current_mode().eager:
        y, m = layer._with_mask(x, mask, kwargs)
    else:
        y = layer(x, **kwargs)
        m = masks_of(y)
    ys = nest.flatten(y)
    return ys, m if isinstance(m, list) else [m] * len(ys)
