"""Checks of numbers: order, finiteness, and which variables have a value."""

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import less, less_equal, logical_not
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import Rank, reshape
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.math.clip import check_numerics
from twinflow.ops.variables import state
from twinflow.ops.variables.collections import global_variables, local_variables
from twinflow.ops.variables.state import no_op

NUMERIC_TYPES = frozenset(
    (
        dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32,
        dtypes.int64, dtypes.uint8, dtypes.qint8, dtypes.qint32, dtypes.quint8,
        dtypes.complex64,
    )
)  # fmt: skip


def is_numeric_tensor(tensor):
    """Whether `tensor` is a tensor of one of the common number types.

    These are float32, float64, int8 to int64, uint8, complex64 and quantized types.
    """
    return isinstance(tensor, Tensor) and tensor.dtype in NUMERIC_TYPES


def is_non_decreasing(x, name=None):
    """Whether x[i] <= x[i + 1] everywhere, in row-major order.

    Args:
        x: a numeric tensor. name: the name scope in a graph.
    Returns:
        bool scalar; true for less than two elements.
    Raises:
        TypeError: `x` is not numeric.
    Example:
        tf.is_non_decreasing([1, 1, 2])  # True
    """
    return _ordered(x, less_equal, name or "is_non_decreasing")


def is_strictly_increasing(x, name=None):
    """Whether x[i] < x[i + 1] everywhere; see tf.is_non_decreasing."""
    return _ordered(x, less, name or "is_strictly_increasing")


def _ordered(x, compare, name):
    with dispatch.current_mode().name_scope(name):
        flat = reshape(x, [-1])
        if not is_numeric_tensor(flat):
            raise TypeError(f"Expected x to be numeric, instead found: {flat!s}")
        steps = flat[1:] - flat[:-1]
        return reduce_all(compare(constant(0, steps.dtype), steps))


def verify_tensor_all_finite(t, msg, name=None):
    """`t`, after a check that it holds no NaN and no infinity.

    Args:
        t: a float tensor. msg: what the error begins with. name: for a graph.
    Raises:
        InvalidArgumentError: it does.
    """
    with dispatch.current_mode().name_scope(name or "VerifyFinite"):
        t = convert_to_tensor(t, name="t")
        return with_dependencies([check_numerics(t, message=msg)], t)


def add_check_numerics_ops():
    """One op that checks every float tensor of the graph, in the order they were made.

    Returns:
        The op; it fails with the name of the first tensor that is not finite.
    Raises:
        RuntimeError: eager execution is enabled.
        ValueError: a tensor lies inside tf.cond or tf.while_loop.
    """
    mode = dispatch.current_mode()
    if mode.eager:
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. "
            "To check for Inf's and NaN's under eager execution, call "
            "tfe.seterr(inf_or_nan='raise') once before executing the "
            "checked operations."
        )
    checked = (dtypes.float16, dtypes.float32, dtypes.float64)
    last: list = []
    for node in mode.get_operations():
        for t in node.outputs:
            if t.dtype not in checked:
                continue
            if node.region is not None:
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow "
                    "control flow operations such as `tf.cond()` or `tf.while_loop()`."
                )
            with mode.control_dependencies(last):
                last = [check_numerics(t, message=t.name)]
    with mode.control_dependencies(last):
        return no_op(name="group_deps")


# ---------------------------------------------------------------------- variables
def is_variable_initialized(variable):
    """Whether `variable` has a value: bool scalar."""
    return state.is_variable_initialized(variable)


def report_uninitialized_variables(
    var_list=None, name="report_uninitialized_variables"
):
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


def assert_variables_initialized(var_list=None):
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
