"""Models in the files of Keras 3: a zip of settings, of facts, and of weights in HDF5.

See Note [Keras 3] in keras.saving.keras3_settings.
"""

import datetime
import io
import json
import zipfile
from typing import Any

from twinflow.base import logging, unfinished
from twinflow.base.damage import UnreadableFile, located, reported
from twinflow.keras.optimizers import algorithms as optimizers
from twinflow.keras.saving import hdf5, keras3_settings, keras3_weights
from twinflow.keras.saving.config import custom_object_scope
from twinflow.keras.saving.keras3_described import described
from twinflow.keras.saving.layer_configs import deserialize
from twinflow.keras.saving.model_config import plain
from twinflow.keras.saving.safe_mode import reading

_SETTINGS, _FACTS, _WEIGHTS = "config.json", "metadata.json", "model.weights.h5"
_VERSION = "3.0.0"
_MOST = 1 << 34  # bytes of weights that are unpacked
_RATES = {"lr": "learning_rate"}


def is_archive(path: str) -> bool:
    """Whether a file is a zip, as `.keras` is since Keras 3."""
    return zipfile.is_zipfile(hdf5.here(path))


# ------------------------------------------------------------------ writing
def save(model: Any, path: str, include_optimizer: bool) -> None:
    """Write a whole model as a `.keras` file.

    Raises:
        ValueError: Keras 3 has no such layer. ImportError: h5py is not installed.
    """
    image: list = []
    settings = settings_of(model, include_optimizer)
    with hdf5.in_memory("save_model", image) as file:
        keras3_weights.save(file, model)
    now = datetime.datetime.now(tz=datetime.UTC).strftime("%Y-%m-%d@%H:%M:%S")
    facts = {"keras_version": _VERSION, "date_saved": now}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(_FACTS, json.dumps(facts))
        archive.writestr(_SETTINGS, json.dumps(settings, default=plain))
        archive.writestr(_WEIGHTS, image[0])
    unfinished.write(path, content.getvalue())


def save_hdf5(model: Any, path: str, include_optimizer: bool) -> None:
    """Write a whole model as the HDF5 file that Keras 3 reads.

    Raises:
        ValueError: Keras 3 has no such layer. ImportError: h5py is not installed.
    """
    settings = settings_of(model, include_optimizer)
    compiled = settings.pop("compile_config", None)
    with hdf5.replaced(path, "save_model") as file:
        hdf5.save_text(file, "keras_version", _VERSION)
        hdf5.save_text(file, "backend", "tensorflow")
        hdf5.save_text(file, "model_config", json.dumps(settings, default=plain))
        hdf5.save_weights(file.create_group("model_weights"), model.layers)
        if compiled is not None:
            compiled["optimizer_config"] = compiled.pop("optimizer")
            text = json.dumps(compiled, default=plain)
            hdf5.save_text(file, "training_config", text)


def settings_of(model: Any, include_optimizer: bool) -> dict:
    """What Keras 3 reads of a model: its layers, and how it is trained."""
    found = described(model)
    compiled = _compiled(model) if include_optimizer else None
    return found if compiled is None else {**found, "compile_config": compiled}


def _compiled(model: Any) -> Any:
    optimizer, facts = model.optimizer, model.__dict__
    if optimizer is None:
        return None
    names = [facts.get("loss"), *(facts.get("metrics") or ())]
    if isinstance(optimizer, optimizers.TFOptimizer) or not all(
        isinstance(n, str) for n in names
    ):
        logging.warning("How the model is trained is not written: Keras 3 takes it by "
                        "names of losses, metrics and Keras optimizers.")  # fmt: skip
        return None
    settings = {_RATES.get(k, k): v for k, v in optimizer.get_config().items()}
    if settings.pop("decay", 0) or settings.pop("schedule_decay", 0.004) != 0.004:
        logging.warning("The decay of the optimizer is not written for Keras 3.")
    kind = type(optimizer).__name__
    return {
        "optimizer": {
            "module": "keras.optimizers", "class_name": kind, "config": settings,
            "registered_name": None,
        },
        "loss": names[0], "metrics": names[1:] or None,
        "loss_weights": facts.get("loss_weights"),
    }  # fmt: skip


# ------------------------------------------------------------------ reading
def load(path: str, custom_objects: Any, compile_it: bool) -> Any:
    """The model of a `.keras` file.

    Raises:
        UnreadableFile: it is damaged. ValueError: it holds what is not there here.
    """
    with reported(path, UnreadableFile), reading(path):
        with zipfile.ZipFile(hdf5.here(path)) as archive:
            settings = _json(archive, _SETTINGS)
            weights = _member(archive, _WEIGHTS)
        with custom_object_scope(custom_objects or {}):
            model = model_of(settings, custom_objects)
        with hdf5.opened(io.BytesIO(weights), "r", "load_model") as file:
            keras3_weights.load(file, model)
    if compile_it and settings.get("compile_config"):
        compile_as(model, settings["compile_config"], custom_objects or {})
    return model


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if name not in archive.namelist():
        raise ValueError(f"the archive holds no {name!r}, but {archive.namelist()[:9]}")
    if archive.getinfo(name).file_size > _MOST:
        raise ValueError(f"{name!r} in the archive has more than {_MOST} bytes")
    return archive.read(name)


def _json(archive: zipfile.ZipFile, name: str) -> dict:
    with located(name):
        found = json.loads(_member(archive, name))
    if not isinstance(found, dict) or not {"class_name", "config"} <= found.keys():
        raise ValueError(f"{name!r} holds no settings of a model: {found!r:.100}")
    return found


def model_of(settings: Any, custom_objects: Any) -> Any:
    """The model that the settings of Keras 3 say."""
    with located("the settings of the model"):
        keras3_settings.check_masks(settings)
        config = keras3_settings.translated(settings)
        return deserialize(config, custom_objects)


def compile_as(model: Any, config: Any, custom_objects: dict) -> None:
    """Compile a model as it was, where losses and metrics are said by names."""
    try:
        plain_config = {k: keras3_settings.value_of(v, k) for k, v in config.items()}
        given = plain_config["optimizer"]
        if isinstance(given, dict):
            given = _optimizer(given)
        loss, metrics = plain_config.get("loss"), plain_config.get("metrics")
        model.compile(given, loss, metrics, plain_config.get("loss_weights"))
    except (KeyError, TypeError, ValueError) as error:
        logging.warning(
            "The model is not compiled: what its file says of training has no "
            "counterpart here (%s). Compile it yourself.", error,
        )  # fmt: skip


def _optimizer(given: dict) -> Any:
    back = {v: k for k, v in _RATES.items()}
    cls = getattr(optimizers, given["class_name"])
    known = set(cls().get_config())
    settings = {back.get(k, k): v for k, v in given["config"].items()}
    return cls(**{k: v for k, v in settings.items() if k in known})
