"""Graph collections of variables, and their initialisation."""

from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.ops.core.no_op import no_op

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


class GraphKeys:
    """The names of the standard collections."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    VARIABLES = "variables"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"


def get_collection(key: str, scope: Any = None) -> list[Any]:
    """The members of a collection of the current graph; none in eager mode."""
    mode = dispatch.current_mode().variable_owner()
    return [] if mode.eager else mode.get_collection(key, scope)


def global_variables(scope: Any = None) -> "list[VariableV1]":
    """The variables of the current graph; an empty list in eager mode."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def trainable_variables(scope: Any = None) -> "list[VariableV1]":
    """Those that optimizers update by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def local_variables(scope: Any = None) -> "list[VariableV1]":
    """Those that are not saved."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def variables_initializer(var_list: Any, name: str | None = "init") -> Any:
    """An op that gives the variables their initial values; None in eager mode."""
    mode = dispatch.current_mode()
    if mode.eager:
        return None
    with mode.control_dependencies([v.initializer for v in var_list]):
        return no_op(name=name)


def global_variables_initializer() -> Any:
    """An op that initialises all global variables; None in eager mode."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Any:
    """An op that initialises all local variables; None in eager mode."""
    return variables_initializer(local_variables())


def model_variables(scope: Any = None) -> Any:
    """Those of the collection MODEL_VARIABLES."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope: Any = None) -> "list[VariableV1]":
    """Those that have a moving average."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


all_variables = global_variables
initialize_variables = variables_initializer
initialize_all_variables = global_variables_initializer
initialize_local_variables = local_variables_initializer
