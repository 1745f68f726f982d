"""What streaming metrics share.

Note [Streaming metrics]: a metric of a graph keeps sums in local variables. It gives
the value so far, and an op that adds a batch and gives the value then. All functions
take `weights` (None, or a tensor of as many axes, each as long or 1),
`metrics_collections` and `updates_collections` (graph collections for the value and
the op) and `name` (the variable scope); all raise RuntimeError in eager mode, where
tfe.metrics serves.
"""

import functools
import inspect

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.written import optional, public_form, with_shared
from twinflow.distribute import contexts
from twinflow.distribute.values import select_tower
from twinflow.graph.cond import cond
from twinflow.graph.scopes import add_to_collections
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.compare import equal, greater, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.division import div, truediv
from twinflow.ops.core.shape import expand_dims, rank, squeeze
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
)
from twinflow.ops.variables.kinds import Variable


def metric(scope=None, home="tf.metrics", name=None, doc=None, collections=None):
    """A decorator: the streaming metric of a function that gives (value, update).

    The metric takes `metrics_collections`, `updates_collections` and `name` behind the
    arguments of the function, before those that it takes by keyword only. A function
    that takes `name` itself makes its own scope. Its docstring says what its own
    arguments are.

    Args:
        scope: the name of the variable scope; that of the function if not given.
        home: the module that an error names. name, doc: those of the metric, if
            the function has others. collections: the default of the collections.
    """

    def decorate(function):
        own = list(inspect.signature(function).parameters.values())
        kind = name or function.__name__
        named = any(p.name == "name" for p in own)

        def run(arguments):
            _refuse_eager(home, kind)
            chosen = [arguments.pop(name) for name in _COLLECTIONS]
            if named:
                return published(*function(**arguments), *chosen)
            with variable_scope(arguments.pop("name"), scope or kind):
                found = function(**arguments)
            return published(*found, *chosen)

        shared = optional(**dict.fromkeys(_COLLECTIONS, collections))
        shared += [] if named else optional(name=None)
        text = _with_shared_arguments(doc or function.__doc__, own)
        return public_form(function, with_shared(own, shared), run, kind, text)

    return decorate


def _with_shared_arguments(doc, own):
    """A docstring whose list of arguments ends with those that all metrics share."""
    doc = inspect.cleandoc(doc)  # Python 3.13 and later take the indentation away
    if "Args:\n" not in doc or "Others: see" in doc:
        return doc
    names = "metrics_collections, updates_collections, name: see"
    shared = f"    {names} {_NOTE}\n"
    if "weights:" not in doc and any(p.name == "weights" for p in own):
        shared = f"    weights, {names}\n        {_NOTE}\n"
    return doc.replace("Returns:\n", f"{shared}Returns:\n", 1)


def _refuse_eager(home, kind):
    """Raise RuntimeError in eager mode, in TensorFlow's words."""
    if current_mode().eager:
        raise RuntimeError(
            f"{home}.{_SPELLED.get(kind, kind)} is not supported when eager execution "
            "is enabled."
        )


def contrib_streaming(function):
    """A function of tf.contrib.metrics that has other arguments than a metric."""

    @functools.wraps(function)
    def checked(*args, **kwargs):
        _refuse_eager("tf.contrib.metrics", function.__name__)
        return function(*args, **kwargs)

    return checked


_NOTE = "Note [Streaming metrics]."
_COLLECTIONS = ("metrics_collections", "updates_collections")
contrib_metric = functools.partial(metric, home="tf.contrib.metrics")
_SPELLED = {  # what TensorFlow calls them in the error
    "recall": "recall is not supported",
    "precision_at_k": "sparse_precision_at_k",
    "average_precision_at_k": "sparse_average_precision_at_k",
}


def metric_variable(shape, dtype, validate_shape=True, name=None):
    """A local variable that starts with 0, in METRIC_VARIABLES too.

    Args:
        shape: the shape; parts may be unknown if `validate_shape` is False.
        dtype: the DType. name: the name.
    """
    return Variable(
        lambda: zeros(shape, dtype), trainable=False, name=name,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ,  # each tower counts its own
        aggregation=VariableAggregation.SUM,
    )  # fmt: skip


def so_far(variable):
    """What a metric has added up: a variable, or its sum over several towers."""
    tower = contexts.of_several_towers()
    if tower is None:
        return variable
    return tower.merge_call(lambda strategy: strategy.read_var(variable))


def published(value, update, metrics_collections, updates_collections):
    """The pair, which is added to the collections; the value once for all towers."""
    tower = contexts.of_several_towers()
    if tower is not None:
        value = tower.merge_call(lambda _, v: select_tower(0, v), value)
    if metrics_collections and (tower is None or tower.tower_id == 0):
        add_to_collections(metrics_collections, value)
    if updates_collections:
        add_to_collections(updates_collections, update)
    return value, update


def safe_div(above, below, name):
    """above / below, but 0 where `below` is not above 0."""
    ratio = truediv(above, below)
    zero = zeros_like(ratio, dtype=below.dtype)
    held = greater(below, zero)
    return where(held, ratio, cast(zero, ratio.dtype), name=name)


def scalar_div(above, below, name):
    """above / below of float64 scalars; 0 where there is nothing to count."""
    zero = constant(0.0, dtypes.float64)
    nothing = equal(zero, below)
    return cond(nothing, lambda: zero, lambda: div(above, below), name=name)


def aligned(predictions, labels, weights):
    """The three with as many axes, where a last axis of size 1 is all that differs.

    Args:
        predictions: a tensor. labels: a tensor or None. weights: a tensor or None.
    """
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    return predictions, labels, _weights_like(weights, predictions)


def _weights_like(weights, values):
    w, v = weights._shape, values._shape
    if w == ():
        return weights
    if w is not None and v is not None:
        if len(w) - len(v) == 1:
            return squeeze(weights, [-1])
        return expand_dims(weights, [-1]) if len(v) - len(w) == 1 else weights
    own = rank(weights)
    more = own - rank(values)
    may_squeeze = w is None or w[-1] in (1, None)
    squeezed = (lambda: squeeze(weights, [-1])) if may_squeeze else (lambda: weights)

    def expanded():
        fewer = equal(more, -1)
        return cond(fewer, lambda: expand_dims(weights, [-1]), lambda: weights)

    def adjusted():
        return cond(equal(more, 1), squeezed, expanded)

    return cond(equal(own, 0), lambda: weights, adjusted)


def as_bool(x):
    """A tensor of bools: whether numbers are not 0."""
    return cast(x, dtypes.bool)
