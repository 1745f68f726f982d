"""tf.train.Checkpoint: objects saved and restored by the names of their parts."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes, stores
from twinflow.base.annotations import Path
from twinflow.base.convert import to_array
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.base.text import as_str_any, path_to_str
from twinflow.base.trackable import Trackable, changed, is_part
from twinflow.checkpoint import restoration, restoring, state
from twinflow.checkpoint.object_graph import (
    PROTO_KEY,
    attributes_of,
    key_of,
    own_attributes,
    proto_of,
    walk,
)
from twinflow.checkpoint.own_values import own_tensors
from twinflow.execute.session import get_default_session
from twinflow.formats import checkpoint_v2
from twinflow.ops.variables.resource import ResourceVariable as Variable

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


def write_objects(root, prefix, session=None):
    """Write the values of all variables below `root`.

    Args:
        root: an object with parts. prefix: the path without the ends.
        session: where the variables of graphs have their values.
    """
    found, slots = walk(root)
    values = _values([entry.object for entry in found], session)
    tensors = []
    for entry, value in zip(found, values, strict=True):
        if own_attributes(entry.object):
            continue
        for attribute, _ in attributes_of(entry.object):
            tensors.append((key_of(entry.path, attribute), value, None))
    tensors += own_tensors(found, session)
    graph = np.empty((), object)
    graph[()] = proto_of(found, slots).SerializeToString()
    checkpoint_v2.write_bundle(prefix, [*tensors, (PROTO_KEY, graph, None)])


def _values(objects, session):
    """The arrays of the objects that have a value; None for the others."""
    in_graphs = [v for v in objects if restoration.in_graph(v)]
    known = {}
    if in_graphs:
        session = session or get_default_session()
        if session is None:
            raise RuntimeError(
                "Saving variables of a graph needs the session that has their values: "
                "pass `session=` or save in `with sess:`"
            )
        tensors = [getattr(v, "_checkpoint_tensor", v) for v in in_graphs]
        known = dict(zip(in_graphs, session.run(tensors), strict=True))
    return [_value(x, known) for x in objects]


def _value(x, known):
    if hasattr(type(x), "_checkpoint_tensor"):
        return np.array(known[x], object)
    if not isinstance(x, ResourceHandle):
        return x._checkpoint_value() if hasattr(x, "_checkpoint_value") else None
    return np.asarray(known[x] if x in known else x.numpy())


class Number(Trackable):
    """A number of a Checkpoint that is no variable: saved, and given back.

    Args:
        owner: the Checkpoint. name: of its attribute.
    """

    def __init__(self, owner, name):
        self._owner, self._name = owner, name

    def _checkpoint_value(self):
        value = self._owner.__dict__[self._name]
        return value.numpy() if isinstance(value, Tensor) else to_array(value)[0]

    def _set_checkpoint_value(self, array):
        value = array.item() if array.ndim == 0 else array
        self._owner.__dict__[self._name] = value


class Checkpoint(Trackable):
    """Saves and restores the objects it is given, by the names they have in it.

    Args:
        **kwargs: models, optimizers, variables, other objects with parts, lists and
            dicts of them; numbers are saved too, and functions (schedules) let be.
    Attributes:
        save_counter: int64 variable, how often `save` was called.
    Raises:
        ValueError: something else is given.
    Example:
        model, optimizer = tf.keras.layers.Dense(2), tf.train.AdamOptimizer()
        model(tf.ones([1, 3]))  # makes its variables
        checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
        checkpoint.save("./ckpt")  # "./ckpt-1"
        checkpoint.restore(tf.train.latest_checkpoint("."))
    """

    def __init__(self, **kwargs: Any) -> None:
        self.__dict__["_names"] = {}
        for name in sorted(kwargs):
            _check(kwargs[name])
            setattr(self, name, kwargs[name])
        self.__dict__["_save_counter"] = None

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name, value):
        if is_part(value):
            self._names[name] = None
        elif isinstance(value, Tensor | int | float | np.ndarray | np.generic):
            self._names[name] = Number(self, name)
        else:
            self._names.pop(name, None)
        self.__dict__[name] = value
        changed(self)

    def __delattr__(self, name):
        self._names.pop(name, None)
        object.__delattr__(self, name)

    def _children(self):
        found = [
            (name, self.__dict__[name] if number is None else number)
            for name, number in self._names.items()
        ]
        if self._save_counter is not None:
            found.append(("save_counter", self._save_counter))
        return found

    @property
    def save_counter(self) -> "VariableV1":
        """int64 variable: how often `save` was called."""
        self._make_counter()
        return self._save_counter

    def _make_counter(self):
        if self._save_counter is None:
            mode = current_mode()
            outside = nullcontext() if mode.eager else mode.outside_regions()
            with outside:
                made = Variable(
                    0, trainable=False, name="save_counter", dtype=dtypes.int64
                )
            self.__dict__["_save_counter"] = made
            changed(self)

    def write(self, file_prefix: Path, session: Any = None) -> str:
        """Write the values; count and note nothing.

        Args:
            file_prefix: the path without the ends.
            session: where variables of a graph have their values; the default one.
        Returns:
            The path.
        Raises:
            ValueError: its folder does not exist, nor the one above that.
        """
        prefix = as_str_any(path_to_str(file_prefix))
        with state.needs_parent(prefix):
            write_objects(self, prefix, session)
        return prefix

    def save(self, file_prefix: Path, session: Any = None) -> str:
        """Write the values to ``file_prefix-<save_counter>``, and note it as the last.

        Args:
            file_prefix: the path without number and ends.
            session: where variables of a graph have their values; the default one.
        Returns:
            The path, for `restore`.
        """
        path = self._write_next(file_prefix, session)
        state.update_checkpoint_state(stores.dirname(path), path, [path])
        return path

    def _write_next(self, file_prefix, session, given=None):
        """Write the values to `file_prefix` with the next number, or with that which is
        given; returns the path."""
        eager = current_mode().eager
        session = None if eager else session or get_default_session()
        counter = self.save_counter
        if eager:
            counter.assign_add(1)
            number = int(counter.numpy())
        else:
            number = self._count(session)
        if given is not None:
            in_session = hasattr(given, "graph") and not eager
            number = int(session.run(given) if in_session else given)
        return self.write(f"{as_str_any(path_to_str(file_prefix))}-{number:d}", session)

    def _count(self, session):
        """Add one to the counter in a session."""
        counter = self._save_counter
        if session is None:
            raise RuntimeError("Saving in graph mode needs a session: pass `session=`")
        known = self.__dict__.get("_counting")  # a tensor, made once
        if known is None or known.graph is not counter.graph:
            known = self.__dict__["_counting"] = counter.is_initialized()
        if not session.run(known):
            session.run(counter.initializer)
        number = int(session.run(counter)) + 1
        counter.load(number, session)
        return number

    def restore(self, save_path: Path | None) -> "restoring.CheckpointLoadStatus":
        """Restore the values; objects made later get theirs when they are made.

        Args:
            save_path: what `save` returned, or None: a fresh start. Checkpoints of
                tf.train.Saver are restored by the names of variables.
        Returns:
            A status: `assert_consumed()`, `assert_existing_objects_matched()`, and in
            graphs `run_restore_ops(session)`, `initialize_or_restore(session)`.
        Raises:
            NotFoundError: there is no such checkpoint. ValueError: a shape differs.
        """
        path = None if save_path is None else as_str_any(path_to_str(save_path))
        status = restoring.restore(self, path)
        self._make_counter()
        return status


def _check(value):
    known = Tensor | int | float | np.ndarray | np.generic
    if not (is_part(value) or isinstance(value, known) or callable(value)):
        raise ValueError(
            "`Checkpoint` was expecting a checkpointable object (an object derived "
            f"from `CheckpointableBase`), got {value}. If you believe this object "
            "should be checkpointable (i.e. it is part of the TensorFlow Python API "
            "and manages state), please open an issue."
        )
