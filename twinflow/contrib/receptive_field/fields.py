"""Receptive fields: from an output back to the input, layer by layer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.contrib.receptive_field.compute_order import _name, get_compute_order
from twinflow.contrib.receptive_field.layer_parameters import get_layer_params
from twinflow.graph.graph import Graph

_ASK = (
    "Padding depends on input size, which means that the effective padding may be "
    "different depending on the input image dimensionality. In this case, alignment "
    "check will be skipped. If you know the input resolution, please set it."
)
_DIRECTIONS = "horizontal", "vertical"


class ReceptiveField:
    """How features lie over the input: sizes, strides and paddings, along y and x.

    Args:
        size, stride, padding: int[axes]; a padding is None where it is not known.
    """

    def __init__(self, size: Any, stride: Any, padding: Any) -> None:
        self.size = np.asarray(size)
        self.stride = np.asarray(stride)
        self.padding = np.asarray(padding)

    def _along(self, positions, axis, what):
        axis = range(self.size.size) if axis is None else axis
        axis = list(axis)
        positions = np.asarray(positions)
        if positions.shape[1] != len(axis):
            raise ValueError(
                f"Dimensionality of {what} ({positions.shape[1]}) does not match "
                f"dimensionality of `axis` ({len(axis)})"
            )
        start = (self.size[axis] - 1) / 2.0 - self.padding[axis]
        return positions, start, self.stride[axis]

    def compute_input_center_coordinates(self, y: Any, axis: Any = None) -> Any:
        """Where in the input the centres of features are.

        Args:
            y: number[n, axes], positions of features. axis: which axes; all if None.
        Raises:
            ValueError: there are not as many axes.
        """
        y, start, stride = self._along(y, axis, "the feature coordinates `y`")
        return y * stride + start

    def compute_feature_coordinates(self, x: Any, axis: Any = None) -> Any:
        """The features whose centres are at places of the input.

        Args:
            x: number[n, axes], places in the input. axis: which axes; all if None.
        Raises:
            ValueError: there are not as many axes.
        """
        x, start, stride = self._along(x, axis, "the input center coordinates `x`")
        return (x - start) / stride

    def __iter__(self) -> Iterator:
        """The sizes, the strides and the paddings, one after the other."""
        return iter(
            [n for a in (self.size, self.stride, self.padding) for n in a.tolist()]
        )


class _Path:
    """What one node sees of an axis: size, stride and padding so far."""

    def __init__(self, size=1, stride=1, padding=0):
        self.size, self.stride, self.padding = size, stride, padding

    def through(self, kernel, stride, padding):
        """What the inputs of a layer see, where its output sees this."""
        unknown = self.padding is None or padding is None
        return _Path(
            stride * self.size + kernel - stride,
            stride * self.stride,
            None if unknown else stride * self.padding + padding,
        )

    def center(self):
        """Where the middle of the field is, beside the first element."""
        return None if self.padding is None else (self.size - 1) / 2 - self.padding


def _check_aligned(known, new, direction):
    """Check that two paths to a node fit together."""
    for what, a, b in (
        ("effective stride", known.stride, new.stride),
        ("center shift", known.center(), new.center()),
    ):
        if a != b and a is not None and b is not None:
            raise ValueError(
                f"Graph is not aligned since {what} from different paths is different "
                f"in {direction} direction"
            )


def compute_receptive_field_from_graph_def(
    graph_def: Any, input_node: Any, output_node: Any, stop_propagation: Any = None,
    input_resolution: Any = None,
) -> ReceptiveField:  # fmt: skip
    """The receptive field of an output.

    Args:
        graph_def: a GraphDef or Graph of convolutions, poolings and what keeps places.
        input_node, output_node: the names of nodes, or operations.
        stop_propagation: names of nodes beyond which not to look, or None.
        input_resolution: (height, width) of the input, or None.
    Returns:
        A ReceptiveField.
    Raises:
        ValueError: a node is not there or of unknown kind, or paths do not fit.
    Example:
        x = tf.placeholder(tf.float32, [1, None, None, 1], name="x")
        tf.layers.max_pooling2d(x, 3, 2, name="y")
        tf.contrib.receptive_field.compute_receptive_field_from_graph_def(
            tf.get_default_graph(), "x", "y/MaxPool").size  # [3, 3]
    """
    if isinstance(graph_def, Graph):
        graph_def = graph_def.as_graph_def()
    source, target = (getattr(n, "name", n) for n in (input_node, output_node))
    stops = set(stop_propagation or ())
    infos, name_to_node = get_compute_order(graph_def, source, input_resolution)
    if target not in infos:
        raise ValueError("Output node was not found")
    seen = {target: [_Path(), _Path()]}
    for info in sorted(infos.values(), key=lambda i: i.order, reverse=True):
        name = info.node.name
        if name not in seen or name in stops or name == source:
            continue
        _go_back(info, seen, name_to_node)
    if source not in seen:
        raise ValueError("Input node was not found")
    paths = seen[source]
    return ReceptiveField(
        [p.size for p in paths], [p.stride for p in paths], [p.padding for p in paths]
    )


def _go_back(info, seen, name_to_node):
    """Tell the inputs of a node what it sees of them."""
    known = get_layer_params(info.node, name_to_node, info.input_size)
    if known.padding_x is None or known.padding_y is None:
        logging.warning(_ASK)
    paths = [
        path.through(*layer)
        for path, layer in zip(
            seen[info.node.name],
            (
                (known.kernel_size_x, known.stride_x, known.padding_x),
                (known.kernel_size_y, known.stride_y, known.padding_y),
            ),
            strict=True,
        )
    ]
    for text in info.node.input:
        name = _name(text)
        if name not in seen:
            seen[name] = paths
            continue
        for old, new, direction in zip(seen[name], paths, _DIRECTIONS, strict=True):
            _check_aligned(old, new, direction)
        seen[name] = [
            new if new.size > old.size else old
            for old, new in zip(seen[name], paths, strict=True)
        ]
