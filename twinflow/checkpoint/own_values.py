"""What objects that are no variables save of themselves.

A class says by `_gather_saveables_for_checkpoint` what it saves: a dict from attributes
to functions of a key that give a SaveableObject. Others with `get_config` save their
settings, which nothing reads back, so that a checkpoint says what it is of.
"""

import json
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode, tapes_paused
from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import Trackable
from twinflow.checkpoint.object_graph import CONFIG, key_of, own_attributes
from twinflow.checkpoint.saveable import (
    PythonStateSaveable,
    PythonStringStateSaveable,
    SaveableObject,
    saveables_of,
)
from twinflow.execute.default_sessions import get_default_session
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import convert_to_tensor


def settings_of(obj: Any) -> bytes:
    """The class and the settings of an object as JSON; b"" where JSON has no words."""
    try:
        return json.dumps(_described(obj), default=_plain, sort_keys=True).encode()
    except Exception:  # a class of a program, whose settings are not needed
        return b""


def _described(obj):
    return {"class_name": type(obj).__name__, "config": obj.get_config()}


def _plain(value):
    """What JSON has in place of a value of settings."""
    if hasattr(value, "get_config"):
        return _described(value)
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dtypes.DType):
        return value.name
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, type) or callable(value):
        return value.__name__
    raise TypeError(f"Not JSON: {value!r}")


def _factories(obj):
    found = obj._gather_saveables_for_checkpoint()
    if found or CONFIG not in own_attributes(obj):
        return found
    return {CONFIG: lambda name: _of_settings(name, obj)}


def _of_settings(name, obj):
    return PythonStringStateSaveable(name, lambda: settings_of(obj))


def own_saveables(obj: Any, attribute: str, key: str) -> list:
    """The SaveableObjects of an attribute; in a graph they are made once."""
    mode = current_mode()
    if mode.eager:
        return _made(obj, attribute, key)
    known = obj.__dict__.setdefault("_saveables_of_graphs", {})
    place = (mode.variable_owner(), attribute, key)
    if place not in known:
        with mode.outside_regions():
            known[place] = _made(obj, attribute, key)
    return known[place]


def _made(obj, attribute, key):
    factory = _factories(obj).get(attribute)
    if factory is None:
        return []
    found = factory(name=key) if callable(factory) else factory
    if isinstance(found, SaveableObject):
        return [found]
    return saveables_of({key: found})


# ---------------------------------------------------------------------- saving
def own_tensors(found: list, session: Any) -> list:
    """(key, array, None) of all that the objects of a walk save of themselves."""
    plain, tensors = [], {}
    for entry in found:
        for attribute in own_attributes(entry.object):
            key = key_of(entry.path, attribute)
            if attribute == CONFIG and not _overrides(entry.object):
                plain.append((key, _string(settings_of(entry.object)), None))
                continue
            for saveable in own_saveables(entry.object, attribute, key):
                if isinstance(saveable, PythonStringStateSaveable):
                    plain.append((key, _string(saveable.state()), None))
                else:
                    tensors.update(_spec_tensors(saveable))
    return plain + _values(tensors, session)


def _overrides(obj):
    kept = Trackable._gather_saveables_for_checkpoint
    return type(obj)._gather_saveables_for_checkpoint is not kept


def _string(text):
    return np.array(text, object)


def _spec_tensors(saveable):
    """The tensors of a SaveableObject by their keys."""
    if current_mode().eager:
        return {spec.name: spec.tensor for spec in saveable.specs}
    if not hasattr(saveable, "_tensors_in_graph"):
        with current_mode().outside_regions():
            made = {spec.name: spec.tensor for spec in saveable.specs}
        saveable._tensors_in_graph = made
    return saveable._tensors_in_graph


def _values(tensors, session):
    if not tensors:
        return []
    if current_mode().eager:
        arrays = [convert_to_tensor(t).numpy() for t in tensors.values()]
    else:
        session = session or get_default_session()
        arrays = session.run(list(tensors.values()))
    return [(key, np.asarray(a), None) for key, a in zip(tensors, arrays, strict=True)]


# ---------------------------------------------------------------------- restoring
def restore_now(saveable: SaveableObject, opened: Any) -> bool:
    """Give an object its value from a Bundle, if it takes it outside of sessions."""
    python = isinstance(saveable, PythonStateSaveable)
    if not python and not current_mode().eager:
        return False
    arrays = [opened.read(spec.name) for spec in saveable.specs]
    if python:
        saveable.python_restore([_scalar(a) for a in arrays])
        return True
    with tapes_paused():
        saveable.restore([convert_to_tensor(a) for a in arrays], None)
    return True


def _scalar(array):
    return array[()] if np.ndim(array) == 0 else array


def restore_in(session: Any, saveables: list, opened: Any) -> None:
    """Run the ops that put values of a Bundle into the variables of a graph."""
    ops, feeds = [], {}
    for saveable in saveables:
        if not hasattr(saveable, "_restoring_op"):
            with current_mode().outside_regions():
                given = [placeholder(spec.dtype) for spec in saveable.specs]
                saveable._restoring_op = saveable.restore(given, None), given
        op, given = saveable._restoring_op
        ops.append(op)
        for spec, tensor in zip(saveable.specs, given, strict=True):
            feeds[tensor] = opened.read(spec.name)
    if ops:
        session.run(ops, feeds)
