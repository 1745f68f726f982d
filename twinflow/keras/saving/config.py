"""Settings of layers as plain values, for get_config."""

import inspect
from typing import Any

from twinflow.base.advice import near

_OF_ALL = ("self", "name", "trainable", "dtype", "kwargs")


def names_of(init):
    """The arguments of a layer's `__init__` that are its settings."""
    return tuple(n for n in inspect.signature(init).parameters if n not in _OF_ALL)


def serialized(instance: Any) -> Any:
    """Functions by name, initializers as class and settings, the rest as it is."""
    if hasattr(instance, "get_config"):
        name = type(instance).__name__
        return {"class_name": name, "config": instance.get_config()}
    if callable(instance):
        return instance.__name__
    return instance


def deserialized(
    identifier: Any, module_objects: Any = None, custom_objects: Any = None,
    printable_module_name: str = "object",
) -> Any:  # fmt: skip
    """An object from its name, from `class_name` and `config`, or from itself.

    Args:
        identifier: a name, a dict, something callable, or None.
        module_objects: dict from names to classes or functions.
        custom_objects: more of these, or None.
        printable_module_name: the kind, for errors.
    Raises:
        ValueError: there is none of this name, or a dict has none.
    """
    config, what = identifier, printable_module_name
    if config is None:
        return None
    if isinstance(config, str):
        config = {"class_name": config, "config": {}}
    if not isinstance(config, dict):
        if callable(config):
            return config() if isinstance(config, type) else config
        raise ValueError(f"Could not interpret {what} identifier: {config}")
    if "class_name" not in config:
        raise ValueError(f"Improper config format: {config}")
    name = config["class_name"]
    found = {**(module_objects or {}), **CUSTOM, **(custom_objects or {})}.get(name)
    if found is None:
        gap = "" if isinstance(identifier, str) else " "
        known = [*(module_objects or {}), *CUSTOM, *(custom_objects or {})]
        raise near(ValueError(f"Unknown {what}:{gap}{name}"), str(name), known)
    settings = config.get("config", {})
    return getattr(found, "from_config", lambda c: found(**c))(settings)


CUSTOM: dict = {}  # what programs registered by name


def get_custom_objects() -> dict[Any, Any]:
    """The classes and functions that programs registered: {name: object}, to change."""
    return CUSTOM


class CustomObjectScope:
    """A block in which further classes and functions are known by name.

    Args:
        args: dicts from names to classes or functions.
    Example:
        class Mine(tf.keras.layers.Dense): pass
        config = tf.keras.Sequential([Mine(2, input_shape=(3,))]).get_config()
        with tf.keras.utils.CustomObjectScope({"Mine": Mine}):
            model = tf.keras.Sequential.from_config(config)
        model.output_shape  # (None, 2)
    """

    def __init__(self, *args: Any) -> None:
        self.custom_objects = args

    def __enter__(self) -> "CustomObjectScope":
        self._before = dict(CUSTOM)
        for objects in self.custom_objects:
            CUSTOM.update(objects)
        return self

    def __exit__(self, *exc):
        CUSTOM.clear()
        CUSTOM.update(self._before)


def custom_object_scope(*args: Any) -> CustomObjectScope:
    """A CustomObjectScope."""
    return CustomObjectScope(*args)
