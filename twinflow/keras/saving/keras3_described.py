"""Layers and models as the settings that Keras 3 reads.

See Note [Keras 3] in keras.saving.keras3_settings.
"""

from typing import Any

from twinflow.keras import layers as layer_index
from twinflow.keras import models as model_index
from twinflow.keras.saving.keras3_settings import OTHER_FUNCTIONS

_RENAMED = {("LeakyReLU", "alpha"): "negative_slope"}
_OURS = frozenset((
    "implementation", "batch_input_shape", "input_length", "renorm", "renorm_clipping",
    "renorm_momentum", "fused", "virtual_batch_size", "adjustment", "interpolate",
))  # fmt: skip
_UNUSED = frozenset(f"kernel_{k}" for k in ("initializer", "regularizer", "constraint"))
_KINDS = ("initializer", "regularizer", "constraint")
_RECURRENT = ("RNN", "SimpleRNN", "LSTM", "GRU", "ConvLSTM2D", "Bidirectional")
_REFUSED = {
    "Lambda": "it holds bytecode of one version of Python",
    "CuDNNLSTM": "Keras 3 has no such layer; use LSTM with its weights",
    "CuDNNGRU": "Keras 3 has no such layer; use GRU with its weights",
    "ThresholdedReLU": "Keras 3 has no such layer",
}


def described(layer: Any) -> dict:
    """A layer or model as a dict of module, class and settings.

    Raises:
        ValueError: Keras 3 has no such layer, or another function under a name.
    """
    kind, settings = type(layer).__name__, layer.get_config()
    if getattr(layer, "_network", None) is not None and not isinstance(
        layer, model_index.Sequential
    ):
        module, name = "keras.src.models.functional", "Functional"
        return _object(module, name, _functional(layer, settings), "Functional")
    if isinstance(layer, model_index.Sequential):
        return _object("keras", "Sequential", _sequential(layer))
    if kind in _REFUSED:
        raise ValueError(
            f"The layer {layer.name!r} ({kind}) cannot be written for Keras 3: "
            f"{_REFUSED[kind]}."
        )
    if kind not in layer_index.__all__:
        return _object(type(layer).__module__, kind, settings, kind)
    found = _settings(layer.name, kind, settings)
    if hasattr(getattr(layer, "layer", None), "layers"):  # a model inside
        found["layer"] = described(layer.layer)
    return _object("keras.layers", kind, found)


def _object(module: str, kind: str, settings: Any, registered: Any = None) -> dict:
    return {
        "module": module, "class_name": kind, "config": settings,
        "registered_name": registered,
    }  # fmt: skip


def _settings(owner: str, kind: str, settings: dict) -> dict:
    """The settings of a layer, from those that it has here."""
    found = {}
    if kind == "InputLayer":
        shape = settings["batch_input_shape"]
        known = {k: settings[k] for k in ("dtype", "sparse", "name")}
        return {"batch_shape": None if shape is None else list(shape), **known}
    for key, value in settings.items():
        if key in _OURS or ("depthwise_initializer" in settings and key in _UNUSED):
            continue
        if "activation" in key and value in OTHER_FUNCTIONS:
            raise ValueError(
                f"The layer {owner!r} ({kind}) has {key} = {value!r}, which is "
                f"{OTHER_FUNCTIONS[value]}: Keras 3 would give other numbers. Use "
                "'sigmoid', or save in the format of TensorFlow 1.12."
            )
        if key == "axis" and isinstance(value, list | tuple) and len(value) == 1:
            value = value[0]
        found[_RENAMED.get((kind, key), key)] = _value(owner, key, value)
    return found


def _value(owner: str, key: str, value: Any) -> Any:
    if not isinstance(value, dict) or "class_name" not in value:
        return value
    kind, settings = value["class_name"], value["config"]
    part = key.rpartition("_")[2]
    if part in _KINDS:
        plain = {k: v for k, v in settings.items() if k != "dtype"}
        if kind == "VarianceScaling" and plain.get("distribution") == "normal":
            plain["distribution"] = "truncated_normal"
        return _object(f"keras.{part}s", kind, plain)
    return _object("keras.layers", kind, _settings(owner, kind, settings))


def _sequential(model: Any) -> dict:
    layers = [described(layer) for layer in model.layers]
    shape = model.layers[0].get_config().get("batch_input_shape") if layers else None
    if shape is None and model.inputs:
        shape = model.inputs[0]._shape
    if shape is not None and layers[0]["class_name"] != "InputLayer":
        dtype = model.inputs[0].dtype.name if model.inputs else "float32"
        start = {"batch_shape": list(shape), "dtype": dtype, "name": "input_layer"}
        layers.insert(0, _object("keras.layers", "InputLayer", start))
    return {"name": model.name, "trainable": True, "layers": layers}


# ------------------------------------------------------------------ functional models
def _functional(model: Any, settings: dict) -> dict:
    by_name = {layer.name: layer for layer in model.layers}
    first = _first_numbers(settings)

    def place(given: list) -> list:
        return [given[0], given[1] - first.get(given[0], 0), given[2]]

    def tensor(given: list) -> dict:
        t = by_name[given[0]]._inbound_nodes[given[1]].output_tensors[given[2]]
        config = {
            "shape": None if t._shape is None else list(t._shape),
            "dtype": t.dtype.name, "keras_history": place(given),
        }  # fmt: skip
        return {"class_name": "__keras_tensor__", "config": config}

    layers = []
    for entry in settings["layers"]:
        layer = by_name[entry["name"]]
        calls = [_call(layer, call, tensor) for call in entry["inbound_nodes"]]
        found = described(layer)
        layers.append({**found, "name": entry["name"], "inbound_nodes": calls})
    return {
        "name": model.name, "trainable": True, "layers": layers,
        "input_layers": [place(p) for p in settings["input_layers"]],
        "output_layers": _one(
            [place(p) for p in settings["output_layers"]], model._network.many
        ),
    }  # fmt: skip


def _one(places: list, many: bool) -> list:
    return places if many else places[0]


def _first_numbers(settings: dict) -> dict:
    """By name, the least number of a call: that of a model inside is 1."""
    places = [*settings["input_layers"], *settings["output_layers"]]
    places += [p for e in settings["layers"] for c in e["inbound_nodes"] for p in c]
    found: dict = {}
    for name, node, *_ in places:
        found[name] = min(node, found.get(name, node), 1)
    return found


def _call(layer: Any, call: list, tensor: Any) -> dict:
    tensors, kwargs = [tensor(p) for p in call], dict(call[0][3])
    if len(tensors) == 1:
        return {"args": tensors, "kwargs": kwargs}
    if type(layer).__name__ in _RECURRENT:
        return {"args": tensors[:1], "kwargs": {**kwargs, "initial_state": tensors[1:]}}
    return {"args": [tensors], "kwargs": kwargs}
