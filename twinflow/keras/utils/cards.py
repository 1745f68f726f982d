"""What a notebook shows of models, layers and histories; see Note [Cards]."""

import json
from collections.abc import Iterator
from typing import Any

from twinflow import drawing
from twinflow.keras.utils.model_drawing import picture_of_model
from twinflow.keras.utils.model_summary import count_params

_HEAD = ("layer", "kind", "gives", "numbers")
_MOST_LAYERS = 200  # of a table; those of a picture are fewer
_MOST_DRAWN = 60


def of_model(model: Any) -> str:
    """A table of the layers with shapes and sizes, and a picture of how they follow."""
    layers = list(_layers(model, 0))
    total = count_params(model.weights)
    trained = count_params(model.trainable_weights)
    size = f"{total:,} numbers, {trained:,} of them trainable"
    picture = []
    if 0 < len(layers) <= _MOST_DRAWN:
        picture.append(drawing.Markup(picture_of_model(model, engine="own").plain()))
    table = drawing.table(layers, _HEAD, (3,), _MOST_LAYERS) if layers else ""
    return drawing.card(
        f"{model.name} ({type(model).__name__})",
        size if model.built else "not built: call it on data, or give an input_shape",
        _compiled(model), drawing.beside(table, drawing.folded("picture", *picture,
                                                               shown=True)),
    )  # fmt: skip


def _layers(model: Any, depth: int) -> Iterator[tuple]:
    for layer in model.layers:
        size = f"{count_params(layer.weights):,}" if _known(layer) else "not built"
        off = "" if getattr(layer, "trainable", True) else " (not trained)"
        name = "\u2003" * depth + layer.name
        yield name, type(layer).__name__ + off, _shape(layer, "output_shape"), size
        if depth < 3 and getattr(layer, "layers", None) and hasattr(layer, "_network"):
            yield from _layers(layer, depth + 1)


def _known(layer: Any) -> bool:
    return bool(layer.built or layer.weights)


def _shape(layer: Any, what: str) -> str:
    try:
        return str(getattr(layer, what)).replace("None", "?")
    except (AttributeError, RuntimeError):
        return "several" if getattr(layer, "_inbound_nodes", ()) else ""


def _compiled(model: Any) -> str:
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None:
        return ""
    loss = getattr(model, "loss", None)
    loss = getattr(loss, "__name__", loss)
    kind = type(getattr(optimizer, "optimizer", optimizer)).__name__
    return f"trained by {kind} for {loss}"


def of_layer(layer: Any) -> str:
    """A layer: what it takes and gives, its variables, and its settings."""
    ends = [(what, _shape(layer, f"{what}_shape")) for what in ("input", "output")]
    weights = [(w.name, w.dtype.base_dtype.name, drawing.shape_text(w._shape),
                f"{count_params([w]):,}") for w in layer.weights]  # fmt: skip
    state = "" if _known(layer) else "not built: its variables are made at the call"
    return drawing.card(
        f"{layer.name} ({type(layer).__name__})", state,
        drawing.table([end for end in ends if end[1]]),
        drawing.table(weights, ("variable", "dtype", "shape", "numbers"), (3,))
        if weights else "",
        drawing.folded("settings", *_settings(layer)),
    )  # fmt: skip


def _settings(layer: Any) -> Iterator[str]:
    try:
        found = dict(layer.get_config())
    except Exception:  # a class of the user: without settings, or with wrong ones
        return
    rows = [(name, _setting(value)) for name, value in found.items()]
    if rows:
        yield drawing.table(rows)


def _setting(value: Any) -> str:
    kind = value.get("class_name") if isinstance(value, dict) else None
    if kind:
        return f"{kind} {json.dumps(value.get('config', {}), default=str)}"
    return repr(value)


def of_history(history: Any) -> str:
    """The curves of a training, each beside that of its validation."""
    kept = getattr(history, "history", {})
    epochs = len(getattr(history, "epoch", ()))
    panels: dict = {}
    for name, values in kept.items():
        panels.setdefault(name.removeprefix("val_"), {})[name] = values
    plots = [
        drawing.curves(title, {n: lines[n] for n in sorted(lines, key=len)})
        for title, lines in sorted(panels.items(), key=lambda item: item[0] != "loss")
    ]
    last = [(name, f"{values[-1]:.4g}") for name, values in kept.items()
            if values and isinstance(values[-1], float)]  # fmt: skip
    return drawing.card(
        f"History: {epochs} epochs", drawing.beside(*plots),
        drawing.folded("the last values", drawing.table(last, numbers=[1]))
        if last else "",
    )  # fmt: skip
