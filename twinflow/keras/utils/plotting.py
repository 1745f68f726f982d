"""plot_model: a model as a picture, by pydot and Graphviz, or as SVG without them."""

import os
from typing import Any

from twinflow.base.annotations import Path
from twinflow.graph.picture.picture import has_graphviz
from twinflow.keras.utils.model_drawing import picture_of_model

try:
    import pydot
except ImportError:
    pydot = None


def model_to_dot(model, show_shapes=False, show_layer_names=True, rankdir="TB"):
    """A model as a pydot graph.

    Args:
        show_shapes: whether to write the shapes. show_layer_names: the names.
        rankdir: "TB" (from top to bottom) or "LR".
    Raises:
        ImportError: pydot is not installed.
    """
    if pydot is None:
        raise ImportError(
            "Failed to import pydot. You must install pydot and graphviz for "
            "`pydotprint` to work. Without them plot_model writes '.svg': "
            "to_file='model.svg'."
        )
    dot = pydot.Dot()
    dot.set("rankdir", rankdir)
    dot.set("concentrate", True)
    dot.set_node_defaults(shape="record")
    layers = model.layers
    for layer in layers:
        label = _label(layer, show_shapes, show_layer_names)
        dot.add_node(pydot.Node(str(id(layer)), label=label))
    known = set(layers)
    for layer in layers:
        for node in layer._inbound_nodes:
            for before in node.inbound_layers:
                if before in known:
                    dot.add_edge(pydot.Edge(str(id(before)), str(id(layer))))
    return dot


def _label(layer, shapes, names):
    kind = type(layer).__name__
    label = f"{layer.name}: {kind}" if names else kind
    if not shapes:
        return label
    found = []
    for what in ("input_shape", "output_shape"):
        try:
            found.append(str(getattr(layer, what)))
        except (AttributeError, RuntimeError):
            found.append("multiple")
    return f"{label}\n|{{input:|output:}}|{{{{{found[0]}}}|{{{found[1]}}}}}"


def plot_model(
    model: Any, to_file: Path = "model.png", show_shapes: bool = False,
    show_layer_names: bool = True, rankdir: str = "TB",
) -> None:  # fmt: skip
    """Draw a model to a file.

    Args:
        to_file: the path; its end says the format. ".svg" is written here where pydot
            or Graphviz is not installed; other formats need both.
        show_shapes: whether to write the shapes. show_layer_names: the names.
        rankdir: "TB" (from top to bottom) or "LR", for Graphviz.
    Raises:
        ImportError: pydot is not installed, and the format is another one.
    Example:
        layer = tf.keras.layers.Dense(3, input_shape=[2])
        tf.keras.utils.plot_model(tf.keras.Sequential([layer]), "model.svg")
    """
    kind = os.path.splitext(to_file)[1].removeprefix(".") or "png"
    if kind == "svg" and (pydot is None or not has_graphviz()):
        picture = picture_of_model(model, show_shapes, show_layer_names, "own")
        picture.save(to_file)
        return
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir)
    dot.write(to_file, format=kind)
