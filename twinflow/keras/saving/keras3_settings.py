"""Settings of layers as Keras 3 writes them, as those of TensorFlow 1.12.

Note [Keras 3]: Keras 3 says of each object its module, its class and its settings; here
the class alone says it, and only classes of this package, `custom_objects` and what was
registered are ever made (Note [Safe mode]). A setting that our class has not is dropped
where it says what every layer here does (_NEUTRAL), and is an error otherwise. So is
what means something else there: `hard_sigmoid` is another function in Keras 3.
"""

from typing import Any

from twinflow.keras.saving import safe_mode
from twinflow.keras.saving.layer_configs import settings_of_class

_CLASSES = {"Functional": "Model", "L1": "L1L2", "L2": "L1L2"}
_RENAMED = {
    ("InputLayer", "batch_shape"): "batch_input_shape",
    ("LeakyReLU", "negative_slope"): "alpha",
}
_NEUTRAL: dict[str, tuple] = {
    "groups": (1,), "optional": (False,), "ragged": (False,), "sparse": (False,),
    "synchronized": (False,), "renorm": (False,), "renorm_momentum": (0.99,),
    "keepdims": (False,), "autocast": (True,), "input_axes": (None,),
    "output_axes": (None,), "zero_output_for_mask": (False, True),
    "implementation": (1, 2),
    "use_cudnn": ("auto", True, False), "interpolation": ("nearest",),
    "data_format": ("channels_last",), "reset_after": (False,), "fill_mode": ("same",),
    "seed": (), "sparse_gradient": (False,), "shared_object_id": (),
}  # fmt: skip
_ANYTHING = ("seed", "shared_object_id")
OTHER_FUNCTIONS = {
    "hard_sigmoid": "relu6(x + 3) / 6 in Keras 3, clip(0.2 * x + 0.5, 0, 1) here"
}
_SCALING = {  # initializers that are functions here
    "HeNormal": (2.0, "fan_in", "truncated_normal"),
    "HeUniform": (2.0, "fan_in", "uniform"),
    "LecunNormal": (1.0, "fan_in", "truncated_normal"),
    "LecunUniform": (1.0, "fan_in", "uniform"),
}
_MERGING = ("Add", "Subtract", "Multiply", "Maximum", "Minimum")


def check_masks(config: Any) -> None:
    """Refuse a model in which masked steps give zeros: here these repeat the last.

    Raises:
        ValueError: there are masks, and a layer that says so.
    """
    found = list(_all_settings(config))
    masks = any(s.get("mask_zero") or "mask_value" in s for s in found)
    zeros = [s.get("name") for s in found if s.get("zero_output_for_mask")]
    if masks and zeros:
        raise ValueError(
            f"The layers {zeros} give zeros for masked steps in Keras 3; here these "
            "repeat the step before, so the numbers would not be the same."
        )


def _all_settings(value: Any) -> Any:
    if isinstance(value, dict):
        yield value
    for v in value.values() if isinstance(value, dict) else value:
        if isinstance(v, dict | list):
            yield from _all_settings(v)


def is_of_keras3(config: Any) -> bool:
    """Whether the settings of a model are as Keras 3 writes them."""
    if not isinstance(config, dict):
        return False
    inner = config.get("config")
    if "registered_name" in config or config.get("class_name") == "Functional":
        return True
    return isinstance(inner, dict) and isinstance(inner.get("dtype"), dict)


def translated(config: Any) -> Any:
    """A layer or model as a dict of its class and settings, from that of Keras 3.

    Raises:
        ValueError: it has settings that nothing here stands for, or brings code.
    """
    kind = config["class_name"]
    if str(config.get("module")).startswith("keras.src.ops"):
        return _operation(config)
    kind = _class(config, kind)
    settings = config["config"]
    if isinstance(settings, dict) and "layers" in settings:
        return {"class_name": kind, "config": _network(settings)}
    return {"class_name": kind, "config": _layer(kind, settings)}


def _class(config: Any, kind: str) -> str:
    registered = config.get("registered_name")
    if registered and registered not in ("Functional", kind):
        return registered.rpartition(">")[2] if ">" in registered else registered
    return _CLASSES.get(kind, kind)


def _operation(config: Any) -> dict:
    """An op on Keras tensors, such as x + y, as a layer that does it."""
    kind = config["class_name"]
    if kind not in _MERGING:
        raise ValueError(
            f"The model calls keras.ops.{kind} on a layer's output; of such ops only "
            f"{', '.join(_MERGING)} have a layer here. Put it into a layer of your "
            "own, and name that in custom_objects."
        )
    return {"class_name": kind, "config": {"name": config["config"]["name"]}}


# ------------------------------------------------------------------ layers
def _layer(kind: str, settings: Any) -> dict:
    known = settings_of_class(kind)
    found = {}
    for key, value in settings.items():
        name = _RENAMED.get((kind, key), key)
        plain = value_of(value, f"{kind}.{key}")
        if known is None or name in known:
            found[name] = plain
        elif key == "backward_layer" and _is_mirrored(plain, found.get("layer")):
            continue
        elif not _is_neutral(key, plain):
            raise ValueError(
                f"The layer {settings.get('name')!r} ({kind}) of Keras 3 has "
                f"{key} = {plain!r}, a setting that {kind} has not here."
            )
    return found


def _is_mirrored(backward: Any, forward: Any) -> bool:
    """Whether the second layer of a Bidirectional is the first one the other way."""
    if not isinstance(backward, dict) or not isinstance(forward, dict):
        return backward is None
    a, b = (
        {k: v for k, v in layer["config"].items() if k not in ("name", "go_backwards")}
        for layer in (backward, forward)
    )
    turned = backward["config"]["go_backwards"] != forward["config"]["go_backwards"]
    return backward["class_name"] == forward["class_name"] and a == b and turned


def _is_neutral(key: str, value: Any) -> bool:
    return value is None or key in _ANYTHING or value in _NEUTRAL.get(key, ())


def value_of(value: Any, where: str = "") -> Any:
    """A setting as plain values of ours.

    Args:
        value: as Keras 3 writes it. where: what it is, for errors.
    Raises:
        ValueError: it brings code, or is of a kind that is not known.
    """
    if isinstance(value, list):
        return [value_of(v, where) for v in value]
    if not isinstance(value, dict):
        if isinstance(value, str) and "activation" in where:
            return _function(value, where)
        return value
    kind = value.get("class_name")
    if kind is None:
        return {k: value_of(v, where) for k, v in value.items()}
    if kind == "__lambda__":
        safe_mode.check(f"The setting {where}", "Python bytecode")
        raise ValueError(
            f"{where} holds bytecode of Keras 3; pass it in custom_objects."
        )
    if kind in ("__tuple__", "__numpy__", "__tensor__"):
        inner = value["items"] if kind == "__tuple__" else value["config"]["value"]
        return (
            tuple(value_of(v, where) for v in inner) if kind == "__tuple__" else inner
        )
    if kind == "DTypePolicy":
        return _dtype(value["config"]["name"], where)
    if kind == "function":
        return _function(value["config"], where)
    if kind.startswith("__"):
        raise ValueError(f"{where} holds {kind}, which has no counterpart here.")
    if str(value.get("module")).startswith("keras.layers") or where.endswith("layer"):
        return translated(value)
    return _object(value, where)


def _dtype(name: str, where: str) -> str:
    if name.startswith("mixed_"):
        raise ValueError(
            f"{where} is the policy {name!r}: twinflow computes a layer in one dtype."
        )
    return name


def _function(name: Any, where: str) -> Any:
    if name in OTHER_FUNCTIONS:
        raise ValueError(
            f"{where} is {name!r}, which is {OTHER_FUNCTIONS[name]}: the numbers would "
            "not be the same."
        )
    return name


def _object(value: dict, where: str) -> dict:
    """An initializer, regularizer or constraint, without what ours have not."""
    settings = value.get("config") or {}
    found = {
        k: value_of(v, where)
        for k, v in settings.items()
        if k not in ("input_axes", "output_axes")
    }
    if value["class_name"] in _SCALING:
        scale, mode, distribution = _SCALING[value["class_name"]]
        found |= {"scale": scale, "mode": mode, "distribution": distribution}
        return {"class_name": "VarianceScaling", "config": found}
    return {"class_name": _class(value, value["class_name"]), "config": found}


# ------------------------------------------------------------------ models
def _network(settings: dict) -> dict:
    layers = [_entry(e) for e in settings["layers"]]
    found: dict = {"name": settings.get("name"), "layers": layers}
    if "input_layers" not in settings:
        shape = settings.get("build_input_shape")
        inputs = [e for e in layers if e["class_name"] == "InputLayer"]
        return found if inputs or not shape else {**found, "build_input_shape": shape}
    found["input_layers"] = _places(settings["input_layers"])
    found["output_layers"] = _places(settings["output_layers"])
    return found


def _entry(entry: dict) -> dict:
    found = translated(entry)
    if "inbound_nodes" not in entry:
        return found
    name = entry.get("name") or entry["config"]["name"]
    calls = [_call(node, name) for node in entry["inbound_nodes"]]
    return {**found, "name": name, "inbound_nodes": calls}


def _call(node: dict, name: str) -> list:
    """The places of the tensors that a layer was called with, and other arguments."""
    kwargs = {k: v for k, v in node.get("kwargs", {}).items() if v is not None}
    places = list(_tensors(node["args"]))
    states = kwargs.pop("initial_state", None)
    places += list(_tensors(states)) if states is not None else []
    if list(_tensors(list(kwargs.values()))):
        raise ValueError(
            f"The layer {name!r} is called with tensors in {sorted(kwargs)}; here only "
            "those in front may be."
        )
    arguments = {k: value_of(v, k) for k, v in kwargs.items()}
    return [[*place, arguments] for place in places]


def _tensors(value: Any) -> Any:
    if isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
        yield value["config"]["keras_history"]
    elif isinstance(value, dict):
        for v in value.values():
            yield from _tensors(v)
    elif isinstance(value, list | tuple):
        for v in value:
            yield from _tensors(v)


def _places(value: Any) -> list:
    """A list of places, of one, a list or a dict of them."""
    if isinstance(value, dict):
        return [p for v in value.values() for p in _places(v)]
    if len(value) == 3 and isinstance(value[0], str) and isinstance(value[1], int):
        return [value]
    return [p for v in value for p in _places(v)]
