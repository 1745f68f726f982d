"""tf.Variable with the two kinds of variables that it chooses from."""

from twinflow.ops.variables.creators import (  # the last ones for the door
    Chosen,
    default_variable_creator,
    default_variable_creator_v2,
)
from twinflow.ops.variables.creators import Variable as VariableV2
from twinflow.ops.variables.creators import VariableV1 as Variable
from twinflow.ops.variables.reference import RefVariable
from twinflow.ops.variables.resource import ResourceVariable

Chosen.reference, Chosen.resource = RefVariable, ResourceVariable

__all__ = [
    "RefVariable", "ResourceVariable", "Variable", "VariableV2",
    "default_variable_creator", "default_variable_creator_v2", "is_resource_variable",
]  # fmt: skip


def is_resource_variable(var):
    """Whether `var` is a resource variable: one that ops reach by its handle."""
    return isinstance(var, ResourceVariable)
