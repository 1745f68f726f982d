"""Objects of programs whose attributes checkpoints find, and what is asked of them."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle
from twinflow.base.text import as_str_any, path_to_str
from twinflow.base.trackable import TRACKED, Trackable, changed, is_part
from twinflow.checkpoint import restoring, state
from twinflow.checkpoint.checkpoint import write_objects
from twinflow.checkpoint.object_graph import (
    PROTO_KEY,
    attributes_of,
    key_of,
    own_attributes,
    proto_of,
    walk,
)
from twinflow.checkpoint.own_values import own_saveables
from twinflow.checkpoint.reader import NewCheckpointReader
from twinflow.checkpoint.saveable import (
    NoRestoreSaveable,
    PythonStateSaveable,
    saveables_of,
)
from twinflow.checkpoint.saver import Saver
from twinflow.execute.session import get_default_session
from twinflow.formats.protos import CheckpointableObjectGraph
from twinflow.ops.core.constant import constant
from twinflow.ops.random.initializers import GlorotUniform
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.resource import ResourceVariable


class NoDependency:
    """Around a value that becomes an attribute, and no part.

    Args:
        value: the value.
    """

    def __init__(self, value: Any) -> None:
        self.value = value


class Checkpointable(Trackable):
    """An object whose attributes are its parts: variables, layers, containers of them.

    Example:
        class Net(tfe.Checkpointable): pass
        net = Net()
        net.step = tf.Variable(3, use_resource=True)
        tf.train.Checkpoint(net=net)  # saves net/step
    """

    _setattr_tracking = True

    def __setattr__(self, name: str, value: Any) -> None:
        tracked = self.__dict__.setdefault(TRACKED, {})
        plain = isinstance(value, NoDependency)
        if plain or not is_part(value) or not self._setattr_tracking:
            tracked.pop(name, None)
        else:
            tracked[name] = value
        object.__setattr__(self, name, value.value if plain else value)
        changed(self)

    def __delattr__(self, name: str) -> None:
        self.__dict__.get(TRACKED, {}).pop(name, None)
        object.__delattr__(self, name)

    def _no_dependency(self, value: Any) -> NoDependency:
        """A value for an attribute that is to be no part."""
        return NoDependency(value)


def no_automatic_dependency_tracking(method: Callable) -> Callable:
    """A decorator of methods in which attributes that are set become no parts."""

    @functools.wraps(method)
    def untracked(self, *args, **kwargs):
        before = getattr(self, "_setattr_tracking", True)
        self._setattr_tracking = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self._setattr_tracking = before

    return untracked


def add_variable(
    checkpointable: Trackable, name: str, shape: Any = None,
    dtype: Any = dtypes.float32, initializer: Any = None,
) -> ResourceVariable:  # fmt: skip
    """Make a variable that is a part of an object.

    Args:
        checkpointable: the object. name: of the variable, and of the part.
        shape, dtype: of the variable. initializer: a function of shape and dtype, or
            the value; Glorot's uniform one by default.
    Returns:
        The variable; its value is that of a checkpoint that waits for it.
    Raises:
        ValueError: the object has a part of this name.
    """
    if checkpointable._lookup_dependency(name) is not None:
        raise ValueError(
            "Called Checkpointable._track_checkpointable() with name="
            f"'{name}', but a Checkpointable with this name is already declared as a "
            "dependency. Names must be unique (or overwrite=True)."
        )
    made = ResourceVariable(_initial(initializer, shape, dtype), name=name, dtype=dtype)
    checkpointable._track_checkpointable(made, name)
    return made


def _initial(initializer: Any, shape: Any, dtype: Any) -> Any:
    """The value of a new variable, or a function that makes it."""
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is None:
        floating = dtypes.as_dtype(dtype).is_floating
        initializer = GlorotUniform() if floating else Zeros()
    if not callable(initializer):
        if shape is not None:
            raise advised(
                ValueError, "If initializer is a constant, do not specify shape."
            )
        return initializer
    return lambda: initializer(shape, dtype=dtype)


def list_objects(root_checkpointable: Any) -> list[Any]:
    """The objects below one, and the slots of its optimizers.

    Args:
        root_checkpointable: the object, which is the first.
    """
    return [entry.object for entry in walk(root_checkpointable)[0]]


def gather_initializers(root_checkpointable: Any) -> list:
    """The nodes that initialise the variables of a graph below an object."""
    found = list_objects(root_checkpointable)
    return [o.initializer for o in found if getattr(o, "initializer", None) is not None]


def object_metadata(save_path: Path) -> Any:
    """The CheckpointableObjectGraph of a checkpoint.

    Raises:
        ValueError: it was made by a tf.train.Saver, and has none.
    """
    reader = NewCheckpointReader(save_path)
    if not reader.has_tensor(PROTO_KEY):
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be '
            f'object-based (it is missing the key "{PROTO_KEY}"). Likely it was '
            "created with a name-based saver and does not contain an object dependency "
            "graph."
        )
    return CheckpointableObjectGraph.FromString(reader.get_tensor(PROTO_KEY))


def named_saveables(root_checkpointable: Any) -> tuple[list, Any]:
    """What a checkpoint of an object holds.

    Returns:
        (SaveableObjects with the keys as their names, the CheckpointableObjectGraph)
    """
    found, slots = walk(root_checkpointable)
    saveables = [
        saveable
        for entry in found
        for attribute, full_name in attributes_of(entry.object)
        for saveable in _saveables(entry, attribute, full_name)
    ]
    return saveables, proto_of(found, slots)


def _saveables(entry, attribute, full_name):
    key, obj = key_of(entry.path, attribute), entry.object
    if isinstance(obj, ResourceHandle):
        made = saveables_of({key: obj})
    elif own_attributes(obj):
        made = own_saveables(obj, attribute, key)
    else:
        made = []
    for saveable in made:
        saveable.full_name = full_name
    return made


def serialize_object_graph(
    root_checkpointable: Any, saveables_cache: Any = None
) -> tuple[list, Any, None]:
    """As `named_saveables`, and None: there is nothing to feed."""
    return (*named_saveables(root_checkpointable), None)


def frozen_saver(root_checkpointable: Any) -> Saver:
    """A Saver of what an object holds now; Checkpoint.restore reads its checkpoints."""
    saveables, proto = named_saveables(root_checkpointable)
    text = constant(proto.SerializeToString(), dtypes.string)
    graph = NoRestoreSaveable(text, PROTO_KEY)
    fixed = [s.freeze() if isinstance(s, PythonStateSaveable) else s for s in saveables]
    return Saver([*fixed, graph], max_to_keep=None)


class CheckpointableSaver:
    """Saves and restores the objects below one, and numbers nothing by itself.

    Args:
        root_checkpointable: the object.
    """

    def __init__(self, root_checkpointable: Any) -> None:
        self._root = root_checkpointable

    def save(
        self, file_prefix: Path, checkpoint_number: Any = None, session: Any = None
    ) -> str:
        """Write the values.

        Args:
            file_prefix: the path without the ends. checkpoint_number: its number.
            session: where the variables of graphs have their values.
        Returns:
            The path.
        """
        prefix = as_str_any(path_to_str(file_prefix))
        if checkpoint_number is not None:
            prefix = f"{prefix}-{int(checkpoint_number)}"
        eager = current_mode().eager
        with state.needs_parent(prefix):
            write_objects(
                self._root, prefix, None if eager else session or get_default_session()
            )
        return prefix

    def restore(self, save_path: Path | None) -> restoring.LoadStatus:
        """Restore the values, as Checkpoint.restore.

        Args:
            save_path: what `save` returned, or None.
        """
        path = None if save_path is None else as_str_any(path_to_str(save_path))
        return restoring.restore(self._root, path)
