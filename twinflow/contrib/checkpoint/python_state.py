"""tf.contrib.checkpoint: states of Python objects, and arrays, in checkpoints."""

import abc
import functools
import io
from typing import Any

import numpy as np

from twinflow.base.trackable import TRACKED, Trackable, changed
from twinflow.checkpoint.saveable import PythonStringStateSaveable


class PythonStateWrapper(Trackable, abc.ABC):
    """A part whose state is a string: the base of classes that say which.

    Example:
        class Counter(tf.contrib.checkpoint.PythonStateWrapper):
            count = 0
            def _serialize(self): return str(self.count)
            def _deserialize(self, string_value): self.count = int(string_value)
        counter = Counter()
        counter.count = 3
        saved = tf.train.Checkpoint(counter=counter).save("./counter")
        counter.count = 0
        tf.train.Checkpoint(counter=counter).restore(saved)
        counter.count  # 3
    """

    @abc.abstractmethod
    def _serialize(self) -> Any:
        """The state, as a string."""

    @abc.abstractmethod
    def _deserialize(self, string_value: Any) -> None:
        """Take a state that `_serialize` gave."""

    def _gather_saveables_for_checkpoint(self):
        make = functools.partial(
            PythonStringStateSaveable, state_callback=self._serialize,
            restore_callback=self._deserialize,
        )  # fmt: skip
        return {"py_state": make}


class _Array(PythonStateWrapper):
    """An array of a NumpyState."""

    def __init__(self, array):
        self.array = array

    def _serialize(self):
        written = io.BytesIO()
        np.save(written, self.array, allow_pickle=False)
        return written.getvalue()

    def _deserialize(self, string_value):
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)


class NumpyState(Trackable):
    """Arrays of NumPy as attributes, which checkpoints save.

    Attributes that a checkpoint has and the object has not are made when it is
    restored.

    Raises:
        NotImplementedError: an attribute is set to something else.
    Example:
        arrays = tf.contrib.checkpoint.NumpyState()
        arrays.x = np.ones([2])
        saved = tf.train.Checkpoint(arrays=arrays).save("./arrays")
        arrays.x[0] = 5.
        tf.train.Checkpoint(arrays=arrays).restore(saved)
        arrays.x.tolist()  # [1.0, 1.0]
    """

    def _lookup_dependency(self, name: str) -> Any:
        """The part of a name; one that is not there is made, for a checkpoint."""
        known = super()._lookup_dependency(name)
        if known is not None:
            return known
        return self._take(name, _Array(np.array([])))

    def _take(self, name, part):
        object.__setattr__(self, name, part)
        self.__dict__.setdefault(TRACKED, {})[name] = part
        changed(self)
        return part

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return found.array if isinstance(found, _Array) else found

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, np.ndarray | np.generic):
            raise NotImplementedError(
                f"Assigned {value} to the {name} property of {self}, which is not a "
                "NumPy array. Currently mixing NumPy arrays and other checkpointable "
                "objects is not supported. File a feature request if this limitation "
                "bothers you."
            )
        known = self.__dict__.get(name)
        if isinstance(known, _Array):
            known.array = np.asarray(value)
        else:
            self._take(name, _Array(np.asarray(value)))
