"""tf.contrib.framework.zero_initializer."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import zeros
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.variables.kinds import is_resource_variable
from twinflow.ops.variables.state import assign, is_variable_initialized


def zero_initializer(
    ref: Any, use_locking: bool = True, name: str | None = "zero_initializer"
) -> Tensor:
    """Set a variable to zeros, where nothing has given it a value.

    Args:
        ref: a variable of a known shape. use_locking: accepted. name: the name scope.
    Returns:
        The variable with its new value, or the handle of a resource variable.
    Raises:
        TypeError: `ref` is no variable.
        InvalidArgumentError: it has a value already.
    """
    if not hasattr(ref, "assign"):
        raise TypeError(
            "'ZeroInitializer' Op requires that input 'ref' be a mutable tensor (e.g.: "
            "a tf.Variable)"
        )
    with name_scope(name, "zero_initializer"):
        free = logical_not(is_variable_initialized(ref))
        check = Assert(free, ["input is already initialized"])
        with control_dependencies([check] if check is not None else []):
            done = assign(ref, zeros(ref.shape, ref.dtype.base_dtype))
        if not is_resource_variable(ref):
            return done
        with control_dependencies([done]):
            return identity(ref.handle)
