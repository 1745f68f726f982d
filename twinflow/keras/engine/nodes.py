"""The functional way: what each layer was called on, and what it gave.

Note [History]: `Input` makes a tensor with a history, and a layer called on tensors
with a history gives such tensors. `tensor._keras_history` is (layer, number of the
call, number of the output); `Model(inputs, outputs)` walks back along it. In eager mode
these tensors are DeferredTensors: only their dtype and shape are known.
"""

import contextlib
import threading
from typing import Any

from twinflow.base import dispatch, dtypes, nest
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.scopes import init_scope
from twinflow.keras.backend import defaults
from twinflow.ops.core.constant import identity


class _Calls(threading.local):
    depth = 0  # how many layers are being called on tensors with a history


calls = _Calls()


class DeferredTensor:
    """What a layer will give: a dtype and a shape, for models built in eager mode."""

    symbolic = True

    def __init__(self, shape, dtype, name=None):
        self._shape, self.name = TensorShape(shape).tuple, name
        self.dtype = dtypes.as_dtype(dtype)

    shape = property(lambda self: TensorShape(self._shape), doc="The static shape.")

    def get_shape(self):
        """Same as `shape`."""
        return self.shape

    def __str__(self):
        return (
            f"DeferredTensor('{self.name}', shape={self.shape}, "
            f"dtype={self.dtype.name})"
        )

    def __repr__(self):
        return (
            f"<DeferredTensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"
        )


class Node:
    """One call of a layer on tensors with a history.

    Attributes:
        outbound_layer: the layer. input_tensors, output_tensors: lists.
        inbound_layers, node_indices, tensor_indices: where the inputs come from.
        arguments: the other arguments of the call, by name.
    """

    def __init__(self, layer, input_tensors, output_tensors, arguments=None):
        self.outbound_layer, self.arguments = layer, arguments or {}
        self.input_tensors, self.output_tensors = input_tensors, output_tensors
        histories = [t._keras_history for t in input_tensors]
        self.inbound_layers = [h[0] for h in histories]
        self.node_indices = [h[1] for h in histories]
        self.tensor_indices = [h[2] for h in histories]
        for other in self.inbound_layers:
            other._outbound_nodes.append(self)
        layer._inbound_nodes.append(self)
        number = len(layer._inbound_nodes) - 1
        for i, t in enumerate(output_tensors):
            t._keras_history = (layer, number, i)

    input_shapes = property(
        lambda self: [_shape(t) for t in self.input_tensors],
        doc="The shapes of the inputs.",
    )
    output_shapes = property(
        lambda self: [_shape(t) for t in self.output_tensors],
        doc="The shapes of the outputs.",
    )

    def get_config(self):
        """The call by the names of the layers that it joins."""
        return {
            "outbound_layer": self.outbound_layer.name,
            "inbound_layers": [layer.name for layer in self.inbound_layers],
            "node_indices": self.node_indices,
            "tensor_indices": self.tensor_indices,
        }


def _shape(t):
    return None if t._shape is None else tuple(t._shape)


def _one_or_all(values):
    return values[0] if len(values) == 1 else values


def has_history(inputs):
    """Whether all tensors in a structure have a history."""
    if not isinstance(inputs, list | tuple | dict):
        return hasattr(inputs, "_keras_history")
    flat = nest.flatten(inputs)
    return bool(flat) and all(hasattr(t, "_keras_history") for t in flat)


def is_deferred(inputs):
    """Whether there is a DeferredTensor in a structure."""
    if isinstance(inputs, DeferredTensor):
        return True
    many = isinstance(inputs, list | tuple | dict)
    return many and any(isinstance(t, DeferredTensor) for t in nest.flatten(inputs))


def apart(layer, inputs, outputs):
    """The outputs, those copied that are inputs: each has a history of its own."""
    ids = {id(t) for t in nest.flatten(inputs)}
    if all(id(t) not in ids for t in nest.flatten(outputs)):
        return outputs
    with current_mode().name_scope(layer.name):
        return nest.map_structure(lambda t: identity(t) if id(t) in ids else t, outputs)


def record(layer, inputs, outputs, arguments, asks):
    """Note a call, and whether its outputs depend on the learning phase."""
    inputs, outputs = nest.flatten(inputs), nest.flatten(outputs)
    Node(layer, inputs, outputs, arguments)
    asks = asks or any(getattr(t, "_uses_learning_phase", False) for t in inputs)
    for t in outputs:
        t._uses_learning_phase = asks


def called_deferred(layer, inputs, args, kwargs):
    """What `layer` gives for DeferredTensors, found by tracing it once."""
    graph = FuncGraph("deferred", current_mode())
    graph.state["deferred"] = True

    def inside(t):
        if not isinstance(t, DeferredTensor):
            return t
        return graph.add_input(t.dtype, t._shape, "input")

    scope = dispatch.local.eager_scope
    with dispatch.entered(graph), graph.name_scope(scope):
        found = layer(nest.map_structure(inside, inputs), *args, **kwargs)
    outputs = nest.map_structure(lambda t: DeferredTensor(t._shape, t.dtype), found)
    if has_history(inputs):
        Node(layer, nest.flatten(inputs), nest.flatten(outputs), kwargs)
    return outputs


def built_in(graph):
    """The block in which a layer that is called in `graph` is built: outside of it, for
    DeferredTensors, so that tensors that `build` makes are there in later calls."""
    return init_scope() if graph.state.get("deferred") else contextlib.nullcontext()


def inferred_shape(layer, input_shape):
    """The shape of what `layer` gives, found by tracing it once; it is built then.

    Raises:
        NotImplementedError: it takes more than inputs, or a graph is being built.
    """
    dtype = dtypes.as_dtype(layer.dtype or defaults.floatx())
    shapes = input_shape if isinstance(input_shape, list) else [input_shape]
    inputs = [DeferredTensor(TensorShape(s).tuple, dtype) for s in shapes]
    if not isinstance(input_shape, list):
        (inputs,) = inputs
    kwargs = {"training": False} if layer._takes("training") else {}
    try:
        if not current_mode().eager:
            raise TypeError("a graph keeps what is traced")
        found = called_deferred(layer, inputs, (), kwargs)
    except TypeError as error:
        raise NotImplementedError(
            f"{type(layer).__name__} does not define compute_output_shape(input_shape)."
        ) from error
    return nest.map_structure(lambda t: t.shape, found)


# ------------------------------------------------------------------ masks
def masks_of(inputs):
    """The masks of tensors in the structure of the inputs; None if there are none."""
    if not isinstance(inputs, list | tuple):
        return getattr(inputs, "_keras_mask", None)
    found = [getattr(t, "_keras_mask", None) for t in nest.flatten(inputs)]
    return None if all(m is None for m in found) else found


def mark(outputs, masks):
    """Give outputs their masks."""
    flat = nest.flatten(outputs)
    if not isinstance(masks, list | tuple):
        masks = [masks] * len(flat)
    for t, m in zip(flat, masks, strict=False):
        if hasattr(t, "__dict__"):
            t._keras_mask = m


# ------------------------------------------------------------------ facts of layers
class HasNodes:
    """What a layer can tell about its calls."""

    @property
    def inbound_nodes(self) -> Any:
        """The calls of this layer, Nodes."""
        return self._inbound_nodes

    @property
    def outbound_nodes(self) -> Any:
        """The calls of other layers on what this one gave."""
        return self._outbound_nodes

    def _at(self, index, attribute, what):
        nodes = self._inbound_nodes
        if not nodes:
            raise RuntimeError(
                f"The layer has never been called and thus has no defined {what}."
            )
        if len(nodes) <= index:
            raise ValueError(
                f"Asked to get {what} at node {index}, but the layer has only "
                f"{len(nodes)} inbound nodes."
            )
        return _one_or_all(getattr(nodes[index], attribute))

    def get_input_at(self, node_index: Any) -> Any:
        """The input of a call."""
        return self._at(node_index, "input_tensors", "input")

    def get_output_at(self, node_index: Any) -> Any:
        """The output of a call."""
        return self._at(node_index, "output_tensors", "output")

    def get_input_shape_at(self, node_index: Any) -> Any:
        """The shape of the input of a call."""
        return self._at(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index: Any) -> Any:
        """The shape of the output of a call."""
        return self._at(node_index, "output_shapes", "output shape")

    def get_input_mask_at(self, node_index: Any) -> Any:
        """The mask of the input of a call, or None."""
        return _each_mask(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index: Any) -> Any:
        """The mask of the output of a call, or None."""
        return _each_mask(self.get_output_at(node_index))

    @property
    def input(self) -> Any:
        """The input of the first call.

        Raises:
            AttributeError: there is none.
        """
        if not self._inbound_nodes:
            raise AttributeError(
                f"Layer {self.name} is not connected, no input to return."
            )
        return self.get_input_at(0)

    @property
    def output(self) -> Any:
        """The output of the first call; see `input`."""
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self.name} has no inbound nodes.")
        return self.get_output_at(0)

    @property
    def input_mask(self) -> Any:
        """The mask of the input of the first call, or None."""
        return _each_mask(self.input)

    @property
    def output_mask(self) -> Any:
        """The mask of the output of the first call, or None."""
        return _each_mask(self.output)

    @property
    def input_shape(self) -> Any:
        """The shape of the input of all calls, a tuple."""
        return self._one_shape("input")

    @property
    def output_shape(self) -> Any:
        """The shape of the output of all calls, a tuple."""
        return self._one_shape("output")

    def _one_shape(self, what):
        if not self._inbound_nodes:
            raise AttributeError(
                f"The layer has never been called and thus has no defined {what} shape."
            )
        shapes = [getattr(n, f"{what}_shapes") for n in self._inbound_nodes]
        if len({str(s) for s in shapes}) > 1:
            raise AttributeError(
                f'The layer "{self.name} has multiple inbound nodes, with different '
                f'{what} shapes. Hence the notion of "{what} shape" is ill-defined '
                f"for the layer. Use `get_{what}_shape_at(node_index)` instead."
            )
        return _one_or_all(shapes[0])


def _each_mask(tensors):
    if isinstance(tensors, list):
        return [getattr(t, "_keras_mask", None) for t in tensors]
    return getattr(tensors, "_keras_mask", None)
