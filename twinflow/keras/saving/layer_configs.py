"""Layers and models from their settings."""

from twinflow.keras import layers as layer_index
from twinflow.keras import models as model_index
from twinflow.keras.saving.config import CUSTOM


def layer_class(name, custom_objects=None):
    """The class of layers or models of this name.

    Raises:
        ValueError: there is none.
    """
    found = {**CUSTOM, **(custom_objects or {})}.get(name)
    if found is None:
        indexes = (layer_index, model_index)
        found = next((getattr(i, name) for i in indexes if hasattr(i, name)), None)
    if found is None:
        raise ValueError(f"Unknown layer: {name}")
    return found


def serialize(layer):
    """A layer as a dict of its class and settings."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def deserialize(config, custom_objects=None):
    """The layer or model that `serialize` described.

    Args:
        config: a dict with `class_name` and `config`.
        custom_objects: dict from names to further classes.
    Raises:
        ValueError: a class is not known.
    """
    cls = layer_class(config["class_name"], custom_objects)
    settings = config["config"]
    if custom_objects and takes_custom_objects(cls):
        return cls.from_config(settings, custom_objects)
    return cls.from_config(settings)


def takes_custom_objects(cls):
    """Whether `from_config` of a class has layers inside to make."""
    code = getattr(cls.from_config, "__func__", cls.from_config).__code__
    return "custom_objects" in code.co_varnames[: code.co_argcount]
