"""A Keras model as a picture: a box for each layer, models in it as nested boxes."""

from typing import Any

from twinflow.graph.picture.drawing import Box, Drawing, Line
from twinflow.graph.picture.picture import Picture
from twinflow.keras.utils.model_summary import count_params

_MOST_LAYERS = 400  # of a drawing; more take long and nobody reads them


def picture_of_model(
    model: Any, show_shapes: bool = True, show_layer_names: bool = True,
    engine: str | None = None,
) -> Picture:  # fmt: skip
    """The Picture of a model.

    Args:
        show_shapes: write shapes at the lines. show_layer_names: beside the classes.
        engine: see graph.picture.Picture.
    Raises:
        ValueError: the model has too many layers to be read.
    """
    return Picture(
        lambda: _drawing(model, show_shapes, show_layer_names),
        lambda: "\n".join(_text(model, 0)), engine,
    )  # fmt: skip


def _drawing(model: Any, shapes: bool, names: bool) -> Drawing:
    count = _layer_count(model)
    if count > _MOST_LAYERS:
        raise ValueError(
            f"The model {model.name!r} has {count} layers; a picture shows at most "
            f"{_MOST_LAYERS}. Draw one of the models in it, or print model.summary()."
        )
    title = f"{model.name} ({type(model).__name__}): {_size_text(model)}"
    drawing = Drawing(title)
    _add(model, drawing.root, drawing, shapes, names)
    return drawing


def _layer_count(model: Any) -> int:
    return sum(_layer_count(i) if _is_model(i) else 1 for i in model.layers)


def _is_model(layer: Any) -> bool:
    return hasattr(layer, "_network") and bool(getattr(layer, "layers", None))


def _size_text(layer: Any) -> str:
    if not layer.built and not layer.weights:
        return "not built"
    return f"{count_params(layer.weights):,} numbers"


def _add(model: Any, parent: Box, drawing: Drawing, shapes: bool, names: bool) -> dict:
    """The boxes of a model's layers, by the id of the layer, and the lines."""
    boxes: dict = {}
    for layer in model.layers:
        if id(layer) in boxes:
            continue
        texts = _texts(layer, names)
        box = boxes[id(layer)] = Box(_kind(layer), texts, _tip(layer), parent)
        if _is_model(layer):
            box.kind = "scope"
            _add(layer, box, drawing, shapes, names)
    for start, end, shape in connections(model):
        if id(start) in boxes and id(end) in boxes:
            text = str(shape) if shapes and shape is not None else ""
            line = Line(boxes[id(start)], boxes[id(end)], text.replace("None", "?"))
            drawing.lines.append(line)
    return boxes


def connections(model: Any) -> list[tuple]:
    """(layer, layer, shape of what goes between) of a model.

    Without the functional way it is known of a Sequential alone.
    """
    network = getattr(model, "_network", None)
    if network is not None:
        found = {}
        for node in network.nodes:
            ends = zip(node.inbound_layers, node.input_shapes, strict=False)
            for before, shape in ends:
                found[id(before), id(node.outbound_layer)] = (
                    before, node.outbound_layer, shape,
                )  # fmt: skip
        return list(found.values())
    if hasattr(model, "pop"):  # a Sequential
        pairs = zip(model.layers, model.layers[1:], strict=False)
        return [(a, b, _output_shape(a)) for a, b in pairs]
    return []


def _output_shape(layer: Any) -> Any:
    try:
        return layer.output_shape
    except (AttributeError, RuntimeError):
        return None


def _kind(layer: Any) -> str:
    return "input" if type(layer).__name__ == "InputLayer" else "layer"


def _texts(layer: Any, names: bool) -> list[str]:
    kind = type(layer).__name__
    if not names:
        return [kind]
    return [layer.name, kind if layer.weights == [] else f"{kind}, {_size_text(layer)}"]


def _tip(layer: Any) -> str:
    lines = [f"{layer.name} ({type(layer).__name__}), {_size_text(layer)}"]
    lines += [f"{w.name}: {w.dtype.name}{w.shape}" for w in layer.weights[:12]]
    shape = _output_shape(layer)
    return "\n".join(lines if shape is None else [*lines, f"gives {shape}"])


def _text(model: Any, depth: int) -> Any:
    """The layers of a model as lines, each with what it takes."""
    pad = "  " * depth
    yield f"{pad}{model.name}: {type(model).__name__}, {_size_text(model)}"
    before: dict = {}
    for start, end, _ in connections(model):
        before.setdefault(id(end), []).append(start.name)
    for layer in model.layers:
        takes = ", ".join(before.get(id(layer), ()))
        shape = _output_shape(layer)
        gives = "" if shape is None else f" -> {shape}"
        if _is_model(layer):
            yield from _text(layer, depth + 1)
        else:
            yield f"{pad}  {layer.name} = {type(layer).__name__}({takes}){gives}"
