"""tensorflow.python.training.saver: the classes that programs derive their own from."""

from twinflow.checkpoint import saveable
from twinflow.ops.variables.collections import global_variables


class _VariableSaveable(saveable.VariableSaveable):
    """A variable of either kind.

    Args:
        var: the variable. slice_spec: accepted: it is whole. name: its key.
    """

    def __init__(self, var, slice_spec, name):
        super().__init__(var, name)


class BaseSaverBuilder:
    """The classes of what is saved, and what a list of variables is called."""

    SaveSpec = saveable.SaveSpec
    SaveableObject = saveable.SaveableObject
    VariableSaveable = ResourceVariableSaveable = _VariableSaveable

    def __init__(self, write_version=None):
        self._write_version = write_version

    @staticmethod
    def OpListToDict(op_list, convert_variable_to_tensor=True):
        """Variables by their keys.

        Raises:
            TypeError: something is no variable. ValueError: a name is there twice.
        """
        found = op_list if op_list is not None else global_variables()
        return {s.name: s.op for s in saveable.saveables_of(list(found))}

    def _ValidateAndSliceInputs(self, names_to_saveables):
        """The SaveableObjects of variables by their keys."""
        return saveable.saveables_of(names_to_saveables)


class BulkSaverBuilder(BaseSaverBuilder):
    """As BaseSaverBuilder."""
