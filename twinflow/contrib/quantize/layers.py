"""The layers of a graph: what multiplies by weights, and what comes after."""

from typing import Any, NamedTuple

LAYERS = ("Conv2D", "DepthwiseConv2dNative", "MatMul")
ACTIVATIONS = ("Relu", "Relu6")
_READS = ("Identity", "ReadVariableOp")
_VARIABLES = ("VariableV2", "Variable", "VarHandleOp", "Const", "Placeholder")


class Layer(NamedTuple):
    """A layer, from the product with its weights to its activation."""

    product: Any  # the node that multiplies
    weights: Any  # the tensor of its weights
    biased: Any  # the node that adds a bias, or the product
    bypass: Any  # a node that adds another layer before the activation, or None
    activation: Any  # the last node: an activation, or what comes before


def scope_of(name: str) -> str:
    """The scope of a node: its name without the last part."""
    return name.rpartition("/")[0]


def joined(*parts: str) -> str:
    """A name of parts, without the empty ones."""
    return "/".join(part for part in parts if part)


def weighted(graph: Any) -> list:
    """The nodes of a graph that multiply by weights.

    Args:
        graph: a Graph.
    """
    return [
        node
        for node in graph.get_operations()
        if node.type in LAYERS and _is_weight(node.inputs[1])
    ]


def _is_weight(tensor):
    """Whether a tensor is a variable, perhaps with batch normalisation folded in."""
    node = tensor.op
    while node.type in _READS and node.inputs:
        node = node.inputs[0].op
    return node.type in _VARIABLES or node.name.rpartition("/")[2] == "mul_fold"


def _only(nodes, test):
    """The one node that fits, or None."""
    found = [node for node in nodes if test(node)]
    return found[0] if len(found) == 1 else None


def layer_of(product: Any) -> Layer | None:
    """The layer of a product; None where nothing follows that can be quantised.

    Args:
        product: a node that `weighted` gave.
    """
    biased = _biased(product)
    if biased is None:
        return None
    after = biased.outputs[0].consumers()
    bypass = None
    activation = _only(after, lambda n: n.type in ACTIVATIONS + ("Identity",))
    if activation is None:
        bypass = _only(after, _is_bypass)
        if bypass is not None:
            after = bypass.outputs[0].consumers()
            activation = _only(after, lambda n: n.type in ACTIVATIONS + ("Identity",))
    return Layer(
        product, product.inputs[1], biased, bypass, activation or bypass or biased
    )


def is_separated(product: Any) -> bool:
    """Whether a product is the first half of a separable convolution.

    Args:
        product: a node that `weighted` gave.
    """
    if product.type != "DepthwiseConv2dNative":
        return False
    users = product.outputs[0].consumers()
    return bool(users) and all(
        u.type == "Conv2D" or u.type.startswith("FakeQuant") for u in users
    )


def _is_bypass(node):
    """Whether a node adds the outputs of two parts of a network."""
    return node.type in ("Add", "AddV2") and not any(
        _is_weight(tensor) for tensor in node.inputs
    )


def _is_correction(node):
    """Whether a node is one that folding puts after a product."""
    return node.name.rpartition("/")[2] in ("post_conv_mul", "correction_add")


def _biased(product):
    """The node after a product that adds a bias, or a folded one."""
    node, name = product, joined(scope_of(product.name), "add_fold")
    for _ in range(4):  # reshaped, corrected twice, added
        after = node.outputs[0].consumers()
        corrected = _only(after, _is_correction)
        if corrected is not None:
            node = corrected
            continue
        for user in after:
            if user.type == "BiasAdd" or user.name == name:
                return user
            if user.type in ("Add", "AddV2") and any(
                _is_weight(t) for t in user.inputs if t.op is not node
            ):
                return user
        node = _only(
            after,
            lambda n: (
                n.type == "Reshape"
                or n.name.rpartition("/")[2] in ("post_conv_mul", "correction_add")
            ),
        )
        if node is None:
            return None
    return None


def reroute(old: Any, new: Any, users: Any) -> None:
    """Let nodes take another tensor.

    Args:
        old, new: tensors. users: nodes that may take the old one.
    """
    for node in users:
        for index, tensor in enumerate(node.inputs):
            if tensor is old:
                node._update_input(index, new)
