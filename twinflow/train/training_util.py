"""The global step: how many updates have been made."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.graph.variable_store import AUTO_REUSE
from twinflow.ops.core.creation import zeros
from twinflow.ops.random.initializers_plain import Ones
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import VariableAggregation
from twinflow.ops.variables.kinds import Variable, is_resource_variable
from twinflow.ops.variables.state import assign_add

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1

GLOBAL_STEP = "global_step"
_UPDATES = ("AssignAdd", "AssignAddVariableOp")
_STEPS_PER_RUN = "hooks_steps_per_run"
GLOBAL_STEP_READ = "global_step_read_op_cache"


def _home(graph):
    """The graph that knows the global step; functions look at where they are called."""
    if graph is not None:
        return graph
    with dispatch.entered(dispatch.current_mode().variable_owner()):
        return get_default_graph()


def get_global_step(graph: Any = None) -> Any:
    """The global step.

    Args:
        graph: the Graph to look in; the default one if None.
    Returns:
        The variable; None if there is none.
    Raises:
        TypeError: what goes by this name is not an integer scalar.
    """
    graph = _home(graph)
    found = graph.get_collection(GLOBAL_STEP) or [
        v
        for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
        if v.name == f"{GLOBAL_STEP}:0"
    ]
    if len(found) != 1:
        return None
    assert_global_step(found[0])
    return found[0]


def create_global_step(graph: Any = None) -> "VariableV1":
    """Make the variable `global_step`, an int64 that starts at 0.

    Args:
        graph: the Graph to make it in; the default one if None.
    Returns:
        The variable.
    Raises:
        ValueError: there is one already.
    """
    home = _home(graph)
    if get_global_step(home) is not None:
        raise ValueError('"global_step" already exists.')
    mode = dispatch.current_mode().variable_owner() if graph is None else home
    with dispatch.entered(mode):
        step = Variable(
            lambda: zeros([], dtypes.int64),
            trainable=False, name=GLOBAL_STEP, dtype=dtypes.int64,
            collections=[GraphKeys.GLOBAL_VARIABLES, GLOBAL_STEP],
            aggregation=VariableAggregation.ONLY_FIRST_TOWER,
        )  # fmt: skip
    if not isinstance(mode, Graph):
        home.add_to_collection(GLOBAL_STEP, step)
    return step


def get_or_create_global_step(graph: Any = None) -> "VariableV1":
    """The global step; made if there is none yet.

    Example:
        step = tf.train.get_or_create_global_step()
    """
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step as an int.

    Args:
        sess: the Session; not used in eager mode.
    """
    if dispatch.current_mode().eager:
        return int(global_step_tensor.numpy())
    return int(np.asarray(sess.run(global_step_tensor)).item())


def assert_global_step(global_step_tensor: Any) -> None:
    """Check that `global_step_tensor` may be the global step.

    Raises:
        TypeError: it is not an integer scalar.
    """
    t = global_step_tensor
    if not isinstance(t, Tensor | ResourceHandle):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {t}.')
    if not t.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {t.dtype}')
    if t._shape is not None and len(t._shape):
        raise TypeError(f'Existing "global_step" is not scalar: {t.shape}')


def get_or_create_global_step_read(graph=None):
    """A tensor of the global step that reads it before the step of a run.

    Returns:
        An int64 scalar; None if there is no global step.
    """
    step = get_global_step(graph)
    if step is None:
        return None
    home = step.graph
    found = home.get_collection(GLOBAL_STEP_READ)
    if found:
        return found[0]
    name = step.name.removesuffix(":0")
    with (
        home.as_default(),
        home.name_scope(f"{name}/"),
        home.control_dependencies(None),
    ):
        read = step.initialized_value() + 0
        home.add_to_collection(GLOBAL_STEP_READ, read)
    if not home.finalized:
        _before_updates(read, step, home)
    return read


def _before_updates(read, step, graph):
    """Let nodes that update the step, and were made before, wait until it is read."""
    place = step.handle if is_resource_variable(step) else step._ref()
    for node in graph.get_operations():
        if node.type in _UPDATES and node.inputs[0] is place and node.region is None:
            node._add_control_input(read.op)


def increment_global_step(increment, graph=None):
    """Add to the global step, once those that read it before the step have read it.

    Args:
        increment: how much. graph: the Graph of the step; the default one if None.
    Returns:
        The new value, a tensor.
    Raises:
        ValueError: there is no global step.
    """
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by "
            "tf.train.get_or_create_global_step before calling increment."
        )
    read, home = get_or_create_global_step_read(graph), step.graph
    name = step.name.removesuffix(":0")
    with (
        home.as_default(),
        home.name_scope(f"{name}/"),
        home.control_dependencies([read]),
    ):
        return assign_add(step, increment)


def steps_per_run_variable() -> Any:
    """The local int32 variable of how many steps one run makes; it starts at 1."""
    graph = get_default_graph()
    found = graph.get_collection(_STEPS_PER_RUN)
    if len(found) > 1:
        raise ValueError("Multiple steps_per_run_var in collection.")
    if found:
        return found[0]
    with variable_scope("hooks", reuse=AUTO_REUSE):
        return get_variable(
            "steps_per_run", [], dtypes.int32, initializer=Ones(),
            trainable=False, use_resource=True,
            collections=[_STEPS_PER_RUN, GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip
