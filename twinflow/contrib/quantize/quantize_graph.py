"""Graphs in which weights and activations are rounded as they will be."""

from typing import Any

from twinflow.contrib.quantize.folding import fold_batch_norms
from twinflow.contrib.quantize.layers import (
    ACTIVATIONS,
    Layer,
    is_separated,
    joined,
    layer_of,
    reroute,
    scope_of,
    weighted,
)
from twinflow.contrib.quantize.quant_ops import (
    last_value_quantize,
    moving_average_quantize,
    quantization_step,
)
from twinflow.graph.cond import cond
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater_equal

_WEIGHT_BITS = _ACTIVATION_BITS = 8


def create_training_graph(input_graph: Any = None, quant_delay: int = 0) -> None:
    """Rewrite a graph, in place, to be trained for quantised inference.

    Call it before the gradients are made. Batch normalisation is folded into weights;
    weights and activations are rounded to 8 bits, within ranges that training finds.

    Args:
        input_graph: a Graph; the default one, by default.
        quant_delay: int, after how many steps rounding begins.
    Example:
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [None, 8])
            y = tf.layers.dense(x, 4, activation=tf.nn.relu)
            tf.contrib.quantize.create_training_graph(graph)
            [v.name for v in tf.global_variables()][2]  # "dense/weights_quant/min:0"
    """
    _rewritten(input_graph, True, quant_delay)


def create_eval_graph(input_graph: Any = None) -> None:
    """Rewrite a graph, in place, to be evaluated and exported as it was trained.

    Args:
        input_graph: a Graph; the default one, by default.
    """
    _rewritten(input_graph, False)


def experimental_create_training_graph(
    input_graph: Any = None, weight_bits: int = _WEIGHT_BITS,
    activation_bits: int = _ACTIVATION_BITS, quant_delay: int = 0,
    freeze_bn_delay: int | None = None, scope: str | None = None,
) -> None:  # fmt: skip
    """As create_training_graph, with more choices.

    Args:
        input_graph, quant_delay: see create_training_graph.
        weight_bits, activation_bits: ints.
        freeze_bn_delay: int, after how many steps the statistics of batch
            normalisation stay as they are.
        scope: of the layers that are quantised; all, by default.
    """
    _rewritten(
        input_graph, True, quant_delay, freeze_bn_delay, scope,
        (weight_bits, activation_bits),
    )  # fmt: skip


def experimental_create_eval_graph(
    input_graph: Any = None, weight_bits: int = _WEIGHT_BITS,
    activation_bits: int = _ACTIVATION_BITS, quant_delay: int | None = None,
    scope: str | None = None,
) -> None:  # fmt: skip
    """As create_eval_graph, with more choices.

    Args:
        The same as experimental_create_training_graph.
    """
    bits = (weight_bits, activation_bits)
    _rewritten(input_graph, False, quant_delay, None, scope, bits)


def _rewritten(
    graph, is_training, quant_delay=None, freeze=None, scope=None, bits=(8, 8)
):
    graph = graph or get_default_graph()
    fold_batch_norms(graph, is_training, freeze)
    _Quantizer(graph, is_training, quant_delay, scope, bits).run()


def _is_sum(node):
    """Whether a node adds two layers, with no activation after it."""
    after = node.outputs[0].consumers() if node.outputs else []
    return node.type in ("Add", "AddV2") and not any(
        user.type in ACTIVATIONS for user in after
    )


class _Quantizer:
    """Rounds the weights and activations of the layers of a graph."""

    def __init__(self, graph, is_training, quant_delay, scope, bits):
        self._graph, self._trains, self._delay = graph, is_training, quant_delay
        self._scope, self._bits = scope, bits

    def run(self) -> None:
        """Round the weights and activations of all layers."""
        with self._graph.as_default(), name_scope(None):
            for product in weighted(self._graph):
                layer = layer_of(product)
                if layer is not None and self._wanted(product) and self._used(product):
                    self._quantize(layer)
            for product in filter(is_separated, weighted(self._graph)):
                if self._wanted(product):
                    weights = product.inputs[1]
                    self._quantize(Layer(product, weights, product, None, product))

    def _wanted(self, node):
        scope = self._scope
        return not scope or node.name.startswith(scope.rstrip("/") + "/")

    def _used(self, product):
        """Whether it was not folded into another product."""
        return self._graph.by_name.get(product.name + "_Fold") is None

    def _quantize(self, layer):
        scope = scope_of(layer.product.name)
        self._weights(joined(scope, "weights_quant"), layer)
        if layer.bypass is not None:
            self._activations(joined(scope, "conv_quant"), layer.biased)
            if layer.activation is layer.bypass:
                name = joined(scope_of(layer.bypass.name), "add_quant")
                self._activations(name, layer.bypass)
                return
        sums = [n for n in layer.activation.outputs[0].consumers() if _is_sum(n)]
        self._activations(joined(scope, "act_quant"), layer.activation, 0.0)
        for node in sums:  # of a layer and another one, after its activation
            name = joined(scope_of(node.name), "post_activation_bypass_quant")
            self._activations(name, node)

    def _weights(self, name, layer):
        tensor = layer.weights
        found = last_value_quantize(
            tensor, name_prefix=name, is_training=self._trains, narrow_range=True,
            num_bits=self._bits[0],
        )  # fmt: skip
        reroute(tensor, self._delayed(name, tensor, found), [layer.product])

    def _activations(self, name, node, least=-6.0):
        tensor = node.outputs[0]
        users = list(tensor.consumers())
        if any(user.type == "FakeQuantWithMinMaxVars" for user in users):
            return
        found = moving_average_quantize(
            tensor, init_min=least, name_prefix=name, is_training=self._trains,
            num_bits=self._bits[1],
        )  # fmt: skip
        reroute(tensor, self._delayed(name, tensor, found), users)

    def _delayed(self, name, tensor, found):
        """A rounded tensor, or as it was in the first steps."""
        if not self._delay:
            return found
        step = quantization_step(self._graph)
        with name_scope(name + "/"):
            begun = greater_equal(step, self._delay, name="activate_quant")
            return cond(begun, lambda: found, lambda: tensor, name="delayed_quant")
