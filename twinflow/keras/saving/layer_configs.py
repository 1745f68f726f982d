"""Layers and models from their settings."""

import inspect

from twinflow.base.damage import located
from twinflow.keras import layers as layer_index
from twinflow.keras import models as model_index
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.saving.config import CUSTOM
from twinflow.keras.saving.safe_mode import scope


def layer_class(name, custom_objects=None):
    """The class of layers or models of this name.

    Raises:
        ValueError: there is none.
    """
    found = {**CUSTOM, **(custom_objects or {})}.get(name)
    if found is None:
        found = next((getattr(i, name) for i in _INDEXES if name in i.__all__), None)
        found = found if isinstance(found, type) and issubclass(found, Layer) else None
    if found is None:
        raise ValueError(f"Unknown layer: {name}")
    return found


def settings_of_class(name):
    """The names of what a layer class of this package takes; None for other classes."""
    cls = next((getattr(i, name) for i in _INDEXES if name in i.__all__), None)
    if name in CUSTOM or cls is None:
        return None
    found = {"name", "trainable", "dtype", "batch_input_shape"}
    for part in cls.__mro__:
        init = part.__dict__.get("__init__")
        if init is not None and issubclass(part, Layer):
            found.update(inspect.signature(init).parameters)
    fixed = {"data_format"} if name.startswith("Global") and "1D" in name else set()
    return found - {"self", "kwargs", "args"} - fixed


_INDEXES = (layer_index, model_index)


def serialize(layer):
    """A layer as a dict of its class and settings."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def deserialize(config, custom_objects=None, safe_mode=None):
    """The layer or model that `serialize` described.

    Args:
        config: a dict with `class_name` and `config`.
        custom_objects: dict from names to further classes.
        safe_mode: False to take code that the settings bring; see Note [Safe mode].
    Raises:
        ValueError: a class is not known, the settings are none, or bring code.
    """
    if not isinstance(config, dict) or not {"class_name", "config"} <= config.keys():
        raise ValueError(f"Improper config format: {str(config)[:200]}")
    cls = layer_class(config["class_name"], custom_objects)
    settings = config["config"]
    with scope(safe_mode), located(_name_of(config)):
        if custom_objects and takes_custom_objects(cls):
            return cls.from_config(settings, custom_objects)
        return cls.from_config(settings)


def _name_of(config):
    settings = config["config"]
    name = settings.get("name") if isinstance(settings, dict) else None
    return f"the settings of the layer {name!r} ({config['class_name']})"


def takes_custom_objects(cls):
    """Whether `from_config` of a class has layers inside to make."""
    code = getattr(cls.from_config, "__func__", cls.from_config).__code__
    return "custom_objects" in code.co_varnames[: code.co_argcount]
