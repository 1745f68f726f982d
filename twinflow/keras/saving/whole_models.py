"""save_model and load_model: whole models in HDF5 files."""

import json
from typing import Any

from twinflow.base import logging
from twinflow.base.damage import located
from twinflow.base.text import as_str_any, path_to_str
from twinflow.keras.optimizers import algorithms as optimizers
from twinflow.keras.saving import hdf5, keras3_files, keras3_settings
from twinflow.keras.saving.cloning import model_from_config
from twinflow.keras.saving.config import custom_object_scope
from twinflow.keras.saving.safe_mode import scope


def save_model(
    model: Any, filepath: Any, overwrite: Any = True, include_optimizer: Any = True,
    save_format: Any = None,
) -> None:  # fmt: skip
    """Write a model to a `.keras` or HDF5 file; see Model.save."""
    model.save(filepath, overwrite, include_optimizer, save_format)


def load_model(
    filepath: Any, custom_objects: Any = None, compile: bool = True,
    safe_mode: Any = None,
) -> Any:  # fmt: skip
    """A model from what `model.save` wrote, here, in TensorFlow 1.12 or in Keras 3.

    Args:
        filepath: the path. custom_objects: dict from names to classes and functions.
        compile: whether to compile it as it was.
        safe_mode: False to take code that the file brings; see Note [Safe mode].
    Raises:
        ImportError: h5py is not installed.
        ValueError: the file is damaged, holds no model, or brings code.
    """
    if hdf5.h5py is None:
        raise ImportError("`load_model` requires h5py.")
    with scope(safe_mode):
        path = as_str_any(path_to_str(filepath))
        if keras3_files.is_archive(path):
            return keras3_files.load(path, custom_objects, compile)
        return _loaded(path, custom_objects, compile)


def model_from_yaml(yaml_string: Any, custom_objects: Any = None) -> Any:
    """Refused: use `model_from_json`.

    Raises:
        ImportError: always; there is no YAML here.
    """
    raise ImportError("Requires yaml module installed: use model_from_json() instead.")


def _loaded(path, custom_objects, compile_it):
    """Read what `save_model` wrote."""
    with (
        hdf5.read(path, "load_model") as file,
        custom_object_scope(custom_objects or {}),
    ):
        if "model_config" not in file.attrs:
            raise ValueError("No model found in config file.")
        settings = _settings(file, "model_config")
        newer = keras3_settings.is_of_keras3(settings)
        make = keras3_files.model_of if newer else model_from_config
        model = make(settings, custom_objects)
        hdf5.load_weights(file["model_weights"], model.layers)
        if not compile_it:
            return model
        if "training_config" not in file.attrs:
            logging.warning(
                "No training configuration found in save file: the model was *not* "
                "compiled. Compile it manually."
            )
            return model
        if newer:
            training = _settings(file, "training_config")
            training["optimizer"] = training.pop("optimizer_config", None)
            keras3_files.compile_as(model, training, custom_objects or {})
            return model
        _load_training(file, model, custom_objects or {})
    return model


def _settings(file, name):
    """The settings that an attribute of a file holds, a dict."""
    with located(f"the attribute {name!r}"):
        config = json.loads(hdf5.text(file.attrs[name]))
    if not isinstance(config, dict):
        raise ValueError(f"The attribute {name!r} holds no settings: {config!r:.100}")
    return config


def _load_training(file, model, custom_objects):
    config = _settings(file, "training_config")
    optimizer = optimizers.deserialize(config["optimizer_config"], custom_objects)
    facts = (
        "loss", "metrics", "loss_weights", "sample_weight_mode", "weighted_metrics",
    )  # fmt: skip
    found = [_objects(config.get(name), custom_objects) for name in facts]
    model.compile(optimizer, *found)
    if "optimizer_weights" not in file:
        return
    model.prepare_optimizer()
    try:
        optimizer.set_weights(hdf5.values_of(file["optimizer_weights"]))
    except ValueError:
        logging.warning(
            "Error in loading the saved optimizer state. As a result, your model is "
            "starting with a freshly initialized optimizer."
        )


def _objects(value, custom_objects):
    """Names of custom objects as these."""
    if isinstance(value, list):
        return [_objects(v, custom_objects) for v in value]
    if isinstance(value, dict):
        return {k: _objects(v, custom_objects) for k, v in value.items()}
    known = isinstance(value, str) and value in custom_objects
    return custom_objects[value] if known else value
