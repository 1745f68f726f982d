"""Which variables have a value."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.constant import constant
from twinflow.ops.core.joining import stack
from twinflow.ops.core.shape import Rank
from twinflow.ops.variables import state
from twinflow.ops.variables.collections import global_variables, local_variables


def is_variable_initialized(variable: Any) -> Tensor:
    """Whether `variable` has a value: bool scalar."""
    return state.is_variable_initialized(variable)


def report_uninitialized_variables(
    var_list: Any = None, name: str | None = "report_uninitialized_variables"
) -> Tensor:
    """The names of the variables that have no value yet.

    Args:
        var_list: variables; all global and local ones if not given. name: for a graph.
    Returns:
        string[n]
    """
    if var_list is None:
        var_list = global_variables() + local_variables()
    with dispatch.current_mode().name_scope(name):
        if not var_list:
            return constant([], dtypes.string)
        missing = logical_not(stack([is_variable_initialized(v) for v in var_list]))
        names = constant([v.name.removesuffix(":0") for v in var_list])
        return boolean_mask(names, missing)


def assert_variables_initialized(var_list: Any = None) -> Any:
    """Fail unless all variables have a value.

    Args:
        var_list: variables; all global and local ones if not given.
    Returns:
        A tensor to run; None where there are no variables.
    Raises:
        FailedPreconditionError: when it runs.
    """
    if var_list is None:
        var_list = global_variables() + local_variables()
    if not var_list:
        return None
    ranks = [dispatch.apply(Rank, (v,)) for v in var_list]
    return ranks[0] if len(ranks) == 1 else stack(ranks)
