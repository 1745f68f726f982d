"""Models from other models and from their settings."""

import json
from typing import Any

from twinflow.base import nest
from twinflow.base.damage import reported
from twinflow.keras.engine.cloned_network import NO_CLASSES
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.saving.layer_configs import deserialize


def model_from_config(
    config: Any, custom_objects: Any = None, safe_mode: Any = None
) -> Any:
    """A model from a dict of its class and settings.

    Args:
        config: the dict. custom_objects: dict from names to classes and functions.
        safe_mode: False to take code that the settings bring; see Note [Safe mode].
    Raises:
        TypeError: it is a list: the settings of a Sequential alone.
        ValueError: the settings are none, or bring code.
    """
    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to "
            "use `Sequential.from_config(config)`?"
        )
    with reported("the settings of the model"):
        return deserialize(config, custom_objects, safe_mode)


def model_from_json(
    json_string: str, custom_objects: Any = None, safe_mode: Any = None
) -> Any:
    """A model from what `model.to_json()` gave.

    Args:
        json_string: the text. custom_objects: dict from names to classes and functions.
        safe_mode: False to take code that the text brings; see Note [Safe mode].
    Raises:
        ValueError: it is no such text, or it brings code.
    """
    with reported("the settings of the model"):
        return deserialize(json.loads(json_string), custom_objects, safe_mode)


def clone_model(model: Any, input_tensors: Any = None) -> Any:
    """A model with new layers of the same settings, and new weights.

    Args:
        model: a Sequential or functional model.
        input_tensors: tensors to begin with; new placeholders if not given.
    Raises:
        ValueError: the model is written as a class.
    """
    if isinstance(model, Sequential) and input_tensors is None:
        layers = [type(x).from_config(x.get_config()) for x in model.layers]
        return Sequential(layers, name=model.name)
    if not isinstance(model, Model):
        raise ValueError(NO_CLASSES)
    if input_tensors is None and model._network is not None:
        return type(model).from_config(model.get_config())
    return model._anew(nest.flatten(input_tensors))
