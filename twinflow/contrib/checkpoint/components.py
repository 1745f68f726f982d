"""tf.contrib.checkpoint.split_dependency: one value in several keys."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base.trackable import Trackable
from twinflow.checkpoint.object_graph import VALUE
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.ops.core.no_op import no_op


class _Shared:
    """What the components of one value share: the tensors on their way."""

    def __init__(self, names, fill, consume):
        self.names, self.fill, self.consume = set(names), fill, consume
        self.saving: dict[Any, Any] = {}
        self.restoring: dict[Any, Any] = {}

    def save(self, name):
        """The tensor of a component; the first one asked for makes them all."""
        if name not in self.saving:
            self.fill(self.saving)
        return self.saving.pop(name)

    def restore(self, name, tensor):
        """Take the tensor of a component; the last one puts the value back."""
        self.restoring[name] = tensor
        if set(self.restoring) != self.names:
            return no_op()
        found, self.restoring = self.restoring, {}
        return self.consume(found)


class _ComponentSaveable(SaveableObject):
    """A component of a value.

    Args:
        shared: what it shares. component: its name. dtype: its DType. name: the key.
    """

    def __init__(self, shared, component, dtype, name):
        self._shared, self._component = shared, component
        make = functools.partial(shared.save, component)
        super().__init__(self, [SaveSpec(make, "", name, dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        """Take the tensor; the op that puts the value back is that of the last one."""
        return self._shared.restore(self._component, restored_tensors[0])


class _SplitDependency(Trackable):
    """A component of a value, as a part."""

    def __init__(self, shared, component, dtype):
        self._shared, self._component, self._dtype = shared, component, dtype

    def _gather_saveables_for_checkpoint(self):
        make = functools.partial(
            _ComponentSaveable, self._shared, self._component, self._dtype
        )
        return {VALUE: lambda name: make(name)}


def split_dependency(
    component_names: Any, component_dtypes: Any,
    fill_save_buffer_fn: Callable[..., Any],
    consume_restore_buffer_fn: Callable[..., Any],
) -> dict[Any, Any]:  # fmt: skip
    """Parts that together are one value, each with a key of its own.

    Args:
        component_names: what the parts are called. component_dtypes: their DTypes.
        fill_save_buffer_fn: puts a tensor for each name into the dict that it is given.
        consume_restore_buffer_fn: takes a dict of the restored tensors, and returns the
            op that puts the value back.
    Returns:
        A dict from the names to parts.
    Example:
        v = tf.Variable([1., 2.], use_resource=True)
        def fill(found): found.update(a=v[:1], b=v[1:])
        def take(found): return v.assign(tf.concat([found["a"], found["b"]], 0))
        parts = tf.contrib.checkpoint.split_dependency(
            ("a", "b"), (tf.float32, tf.float32), fill, take)
        sorted(parts)  # ["a", "b"]
    """
    shared = _Shared(component_names, fill_save_buffer_fn, consume_restore_buffer_fn)
    pairs = zip(component_names, component_dtypes, strict=False)
    return {name: _SplitDependency(shared, name, dtype) for name, dtype in pairs}
