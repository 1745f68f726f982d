"""What modules of Keras have for layers: their weights, metrics and variables."""

import enum
import functools
import weakref

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.compat.door.operations import Operation
from twinflow.keras.backend.defaults import uids
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.compare import where
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.division import divide
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.variables.creators import VariableV1


class CallConvention(enum.Enum):
    """How the inputs of a layer's `call` are given."""

    EXPLICIT_INPUTS_ARGUMENT = 1
    SINGLE_POSITIONAL_ARGUMENT = 2
    POSITIONAL_ARGUMENTS_ARE_INPUTS = 3


def default(method):
    """Mark a method as one that subclasses may leave as it is."""
    method._is_default = True
    return method


# ------------------------------------------------------------------ layer_utils
def is_layer(obj):
    """Whether something can be called, and has weights, as layers do."""
    return hasattr(obj, "call") and hasattr(obj, "build") and hasattr(obj, "variables")


def has_weights(obj):
    """Whether something has weights, those that are trained and others."""
    lists = "trainable_weights", "non_trainable_weights"
    return all(hasattr(type(obj), name) for name in lists)


def filter_empty_layer_containers(layer_list):
    """The layers of a list; in the place of a container the layers in it."""
    found: list = []
    for one in layer_list:
        inner = [one] if is_layer(one) else filter_empty_layer_containers(one.layers)
        found += [layer for layer in inner if all(layer is not f for f in found)]
    return found


def gather_trainable_weights(trainable, sub_layers, extra_variables):
    """The weights of layers that are trained, and the other variables that are."""
    if not trainable:
        return []
    weights = [w for layer in sub_layers for w in layer.trainable_weights]
    return weights + [v for v in extra_variables if v.trainable]


def gather_non_trainable_weights(trainable, sub_layers, extra_variables):
    """The weights of layers that are not trained, and the other variables."""
    fixed = [w for layer in sub_layers for w in layer.non_trainable_weights]
    others = [v for v in extra_variables if not v.trainable]
    if trainable:
        return fixed + others
    weights = [w for layer in sub_layers for w in layer.trainable_weights]
    return weights + [v for v in extra_variables if v.trainable] + fixed + others


# ------------------------------------------------------------------ metrics
def check_is_tensor_or_operation(x, name):
    """Refuse what is neither a tensor nor an operation.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(x, Tensor | Operation):
        raise TypeError(
            f"{name} must be a Tensor or Operation, given: {x} of {type(x).__name__}."
        )


def clone_metric(metric):
    """A new metric of the same kind and settings."""
    return metric.__class__.from_config(metric.get_config())


def clone_metrics(metrics):
    """New metrics as those of a list or a dict; functions and names stay."""
    if isinstance(metrics, dict):
        return {key: clone_metrics([value])[0] for key, value in metrics.items()}
    return [clone_metric(m) if hasattr(m, "from_config") else m for m in metrics]


def weakmethod(method):
    """A function like a method that does not keep its object alive."""
    owner, name = weakref.ref(method.__self__), method.__name__

    @functools.wraps(method)
    def call(*args, **kwargs):
        return getattr(owner(), name)(*args, **kwargs)

    return call


def update_state_wrapper(update_state_fn):
    """A method that calls another one, whose result becomes an update of the metric."""

    def decorated(metric_obj, *args, **kwargs):
        found = update_state_fn(*args, **kwargs)
        if found is not None:
            metric_obj.add_update(found)
        return found

    return _replaced(update_state_fn, decorated)


def result_wrapper(result_fn):
    """A method that calls another one, whose result is the value of the metric."""

    def decorated(metric_obj, *args):
        return result_fn(*args)

    return _replaced(result_fn, decorated)


def _replaced(function, by):
    plain = getattr(function, "__func__", function)
    return functools.update_wrapper(by, plain)


def safe_div(numerator, denominator):
    """A quotient, 0 where the divisor is not above 0."""
    found = divide(numerator, denominator)
    return where(denominator > 0, found, zeros_like(found))


def squeeze_or_expand_dimensions(y_pred, y_true, sample_weight):
    """Predictions, labels and weights whose ranks fit, by last axes of size 1.

    Returns:
        The three; the first two where there are no weights.
    """
    if y_true is not None:
        y_true, y_pred = remove_squeezable_dimensions(y_true, y_pred)
    if sample_weight is None:
        return y_pred, y_true
    ranks = y_pred.shape.ndims, sample_weight.shape.ndims
    if None not in ranks and ranks[1]:
        if ranks[1] - ranks[0] == 1:
            sample_weight = squeeze(sample_weight, [-1])
        elif ranks[0] - ranks[1] == 1:
            sample_weight = expand_dims(sample_weight, [-1])
    return y_pred, y_true, sample_weight


# ------------------------------------------------------------------ base_layer
def generate_placeholders_from_shape(shape):
    """A float32 placeholder of a shape."""
    return placeholder(dtypes.float32, TensorShape(shape))


def get_default_graph_uid_map():
    """How many layers of a name the current graph has: {name: number}."""
    return uids()


def make_variable(
    name, shape=None, dtype=dtypes.float32, initializer=None, partition_info=None,
    trainable=None, caching_device=None, validate_shape=True, constraint=None,
    use_resource=None, collections=None, partitioner=None, **how,
):  # fmt: skip
    """A new variable, never shared; see tf.Variable.

    Args:
        initializer: a value, or a function of the shape and dtype, or its class.
        partition_info: accepted. **how: `synchronization`, `aggregation`.
    """
    if isinstance(initializer, type):
        initializer = initializer(dtype=dtype)
    first = initializer
    if callable(initializer):
        first = functools.partial(initializer, shape, dtype=dtype)
    return VariableV1(
        first, trainable=trainable, collections=collections, name=name, dtype=dtype,
        validate_shape=validate_shape, caching_device=caching_device,
        constraint=constraint, use_resource=use_resource, **how,
    )  # fmt: skip
