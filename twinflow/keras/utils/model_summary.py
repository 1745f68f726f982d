"""summary(): a model as a table."""

import numpy as np


def count_params(weights):
    """How many numbers a list of variables holds."""
    return sum(int(np.prod(v._shape)) for v in dict.fromkeys(weights))


def _in_a_row(model):
    """Whether the layers are simply called one after the other."""
    network = getattr(model, "_network", None)
    if network is None:
        return True
    levels: dict = {}
    for node in network.nodes:
        if len(node.inbound_layers) > 1:
            return False
        levels.setdefault(node.outbound_layer, []).append(node)
    depths = list(network._layer_depths.values())
    once = all(len(nodes) == 1 for nodes in levels.values())
    return once and len(set(depths)) == len(depths)


class _Table:
    """Lines of fields cut at given columns."""

    def __init__(self, length, columns, show):
        self.columns = [int(length * c) if c <= 1 else c for c in columns]
        self.length, self.show = length, show

    def row(self, fields):
        line = ""
        for i, (field, column) in enumerate(zip(fields, self.columns, strict=True)):
            line = line[:-1] + " " if i else line
            line = (line + str(field))[:column]
            line += " " * (column - len(line))
        self.show(line)

    def rule(self, sign):
        self.show(sign * self.length)


def print_summary(model, line_length=None, positions=None, print_fn=None):
    """Print the layers of a model, the shapes they give, and their sizes.

    Args:
        line_length: how wide the table is.
        positions: where its columns end: shares of the width, or absolute.
        print_fn: what to call with each line; print by default.
    """
    show = print_fn or print
    in_a_row = _in_a_row(model)
    fields = ["Layer (type)", "Output Shape", "Param #"]
    if in_a_row:
        length, columns = line_length or 65, positions or [0.45, 0.85, 1.0]
    else:
        length, columns = line_length or 98, positions or [0.33, 0.55, 0.67, 1.0]
        fields.append("Connected to")
    table = _Table(length, columns, show)
    table.rule("_")
    table.row(fields)
    table.rule("=")
    layers = model.layers
    for i, layer in enumerate(layers):
        _layer_rows(table, model, layer, in_a_row)
        table.rule("=" if i == len(layers) - 1 else "_")
    total = model.count_params()
    trainable = count_params(model.trainable_weights)
    show(f"Total params: {total:,}")
    show(f"Trainable params: {trainable:,}")
    show(f"Non-trainable params: {count_params(model.non_trainable_weights):,}")
    table.rule("_")


def _layer_rows(table, model, layer, in_a_row):
    try:
        shape = layer.output_shape
    except AttributeError:
        shape = "multiple"
    except RuntimeError:
        shape = "?"
    if not layer.built and not layer.weights:
        size = 0
    else:
        size = layer.count_params() if layer.built else 0
    fields = [f"{layer.name} ({type(layer).__name__})", shape, size]
    if in_a_row:
        table.row(fields)
        return
    before = _connections(model, layer)
    table.row([*fields, before[0] if before else ""])
    for other in before[1:]:
        table.row(["", "", "", other])


def _connections(model, layer):
    used = {id(n) for n in model._network.nodes}
    return [
        f"{inner.name}[{node.node_indices[i]}][{node.tensor_indices[i]}]"
        for node in layer._inbound_nodes
        if id(node) in used
        for i, inner in enumerate(node.inbound_layers)
    ]
