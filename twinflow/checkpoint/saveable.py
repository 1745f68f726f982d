"""What a Saver saves: tensors under names, and how they are put back."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.saveable import SaveableObject, SaveSpec
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable
from twinflow.graph.scopes import device
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.partitioned import PartitionedVariable, saved_name
from twinflow.ops.core.shape import reshape
from twinflow.ops.variables.state import assign


class PythonStateSaveable(SaveableObject):
    """The state of a Python object, which is put back without a session."""

    def feed_dict_additions(self):
        """What to feed where it is saved in a graph."""
        raise NotImplementedError("abstract method")

    def freeze(self):
        """A SaveableObject of the state as it is now."""
        raise NotImplementedError("abstract method")

    def python_restore(self, restored_strings):
        """Put the values of its specs back."""


class PythonStringStateSaveable(PythonStateSaveable):
    """The state of a Python object as a string.

    Args:
        name: the key. state_callback: gives the string.
        restore_callback: takes it; None: it is not put back.
    """

    def __init__(self, name, state_callback, restore_callback=None):
        self.state, self._restore = state_callback, restore_callback
        if current_mode().eager:
            text = self._now
        else:
            text = constant("", dtypes.string)
        super().__init__(text, [SaveSpec(text, "", name, dtypes.string)], name)

    def _now(self):
        return constant(self.state(), dtypes.string)

    def feed_dict_additions(self):
        """The string in place of the empty one of the graph."""
        return {self.op: self.state()}

    def freeze(self):
        """A SaveableObject of the string as it is now; restoring it does nothing."""
        text = constant(self.state(), dtypes.string)
        return NoRestoreSaveable(text, self.name)

    def python_restore(self, restored_strings):
        """Put the string back."""
        if self._restore is not None:
            self._restore(restored_strings[0])

    def restore(self, restored_tensors, restored_shapes):
        """An op that does nothing: `python_restore` puts the string back."""
        return no_op()


class NoRestoreSaveable(SaveableObject):
    """A tensor that is saved, and left alone by restoring.

    Args:
        tensor: the tensor. name: its key.
    """

    def __init__(self, tensor, name):
        super().__init__(tensor, [SaveSpec(tensor, "", name)], name)

    def restore(self, restored_tensors, restored_shapes):
        """An op that does nothing."""
        return no_op()


class VariableSaveable(SaveableObject):
    """A variable of either kind.

    Args:
        variable: the variable. name: its key.
    """

    def __init__(self, variable, name):
        self.variable = variable
        if hasattr(variable, "_ref"):
            tensor = variable._ref()
        elif variable.graph is None:
            tensor = variable.read_value
        else:
            tensor = variable._graph_element
        dtype, part = variable.dtype.base_dtype, slice_info(variable)
        spec = part.spec if part else ""
        super().__init__(variable, [SaveSpec(tensor, spec, name, dtype)], name)

    @property
    def device(self):
        """The device of the variable."""
        return self.variable.device

    def misfit(self, opened):
        """What is wrong with the shape that a Bundle has for it; None if nothing is."""
        part = slice_info(self.variable)
        shape = TensorShape(part.full_shape) if part else self.variable.shape
        if self.name not in opened or shape.is_compatible_with(opened.shape(self.name)):
            return None
        return shape, TensorShape(opened.shape(self.name))

    def restore(self, restored_tensors, restored_shapes):
        """Assign the tensor that was restored."""
        (value,), variable = restored_tensors, self.variable
        if restored_shapes is not None:
            value = reshape(value, restored_shapes[0])
        if hasattr(variable, "_ref"):
            known = restored_shapes is None and variable.shape.is_fully_defined()
            return assign(variable._ref(), value, validate_shape=known)
        if not current_mode().eager:
            with device(variable.device):
                value = identity(value)
        return variable.assign(value, read_value=False)


def slice_info(variable):
    """The SaveSliceInfo of a part of a variable; None for a whole one."""
    return getattr(variable, "_save_slice_info", None)


def saveables_of(var_list):
    """The SaveableObjects of a list of variables or a dict from keys, by their keys.

    Raises:
        TypeError: something is no variable. ValueError: a key or a variable twice.
    """
    if isinstance(var_list, dict):
        named = _keyed(var_list)
    elif isinstance(var_list, list | tuple | set):
        named = _by_name([x for v in var_list for x in _gathered(v)])
    else:
        raise TypeError(
            f"Variables to save should be passed in a dict or a list: {var_list}"
        )
    made = [
        _saveable(part, name)
        for name in sorted(named)
        for part in (named[name] if _in_parts(named[name]) else [named[name]])
    ]
    seen: set = set()
    for saveable in made:
        if id(saveable.op) in seen:
            raise ValueError(
                f"The same saveable will be restored with two names: {saveable.name}"
            )
        seen.add(id(saveable.op))
    return made


def _gathered(value):
    """What an object that is no variable saves of itself, under names of its own."""
    if isinstance(value, ResourceHandle) or not isinstance(value, Trackable):
        return [value]
    found = value._gather_saveables_for_checkpoint().values()
    return [made() if callable(made) else made for made in found]


def _keyed(var_dict):
    for name, value in var_dict.items():
        if not isinstance(name, str):
            raise TypeError(
                "names_to_saveables must be a dict mapping string names to "
                f"checkpointable operations. Name is not a string: {name}"
            )
        if isinstance(value, list | tuple):
            _check_slices(value)
    return var_dict


def _check_slices(parts):
    for part in parts:
        if isinstance(part, ResourceHandle) and slice_info(part) is None:
            raise ValueError(f"Slices must all be slices: {part}")


def _by_name(variables):
    named: dict = {}
    for v in variables:
        if _in_parts(v):
            named[v.name] = list(v)
            continue
        part = slice_info(v)
        if part is not None:
            named.setdefault(part.full_name, []).append(v)
            continue
        name = v.name if isinstance(v, SaveableObject) else _key(v)
        if name in named and not (named[name] is v and current_mode().eager):
            raise ValueError(f"At least two variables have the same name: {name}")
        named[name] = v
    return named


def _in_parts(value):
    return isinstance(value, list | tuple | PartitionedVariable)


def _key(variable):
    if not isinstance(variable, ResourceHandle):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to "
            f"Tensors/Variables. Not a variable: {variable}"
        )
    return saved_name(variable)


def _saveable(value, name):
    if isinstance(value, SaveableObject):
        return value
    _key(value)
    return VariableSaveable(value, name)
