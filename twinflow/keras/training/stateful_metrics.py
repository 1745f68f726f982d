"""Metrics that are objects: they add up over batches, and models reset them.

`Metric` is what `compile(metrics=[...])` takes beside functions; it works alone too, in
both modes. (TensorFlow 1.12 keeps these in tensorflow.python.keras.metrics.)
"""

import functools
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.distribute import contexts
from twinflow.graph.node import Node
from twinflow.graph.scopes import control_dependencies, group
from twinflow.keras.backend import defaults, math
from twinflow.keras.backend.sessions import batch_set_value
from twinflow.keras.engine.base_layer import Layer
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.streaming import aligned, safe_div
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.size import size
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
)
from twinflow.ops.variables.state import assign_add


class Metric(Layer):
    """A number that sums up batches; a subclass makes variables, and adds to them.

    A subclass calls `add_weight` in `__init__`, adds a batch in `update_state`, and
    gives the number in `result`. Calling the metric does both. In a graph
    `update_state` returns the op that adds; eagerly it adds at once.

    Args:
        name: its name. dtype: of its variables; floatx if not given.
    Example:
        class Largest(tf.keras.metrics.Metric):
            def __init__(self, name="largest", dtype=None):
                super().__init__(name, dtype)
                self.top = self.add_weight("top", initializer="zeros")
            def update_state(self, values, sample_weight=None):
                best = tf.maximum(self.top, tf.reduce_max(values))
                return tf.assign(self.top, best)
            def result(self):
                return tf.identity(self.top)
        Largest()([1.0, 3.0]).numpy()  # 3.0
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        dtype = defaults.floatx() if dtype is None else dtypes.as_dtype(dtype).name
        super().__init__(name=name, dtype=dtype)
        self.stateful = self.built = True

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name, wrapped in (("update_state", _noted), ("result", _checked)):
            if name in cls.__dict__:
                setattr(cls, name, wrapped(cls.__dict__[name]))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch; the number after that. Arguments: those of `update_state`."""
        update = self.update_state(*args, **kwargs)
        if update is None:
            return self.result()
        with control_dependencies([update]):
            return self.result()

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch.

        Returns:
            the op that does it (graph), or None (eager)
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not define update_state()."
        )

    def result(self) -> Any:
        """The number so far, a tensor."""
        raise NotImplementedError(f"{type(self).__name__} does not define result().")

    def reset_states(self) -> Any:
        """Begin again: all variables become 0."""
        batch_set_value([(v, 0) for v in self.variables])

    def add_weight(
        self, name: Any, shape: Any = (), aggregation: Any = VariableAggregation.SUM,
        synchronization: Any = VariableSynchronization.ON_READ, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """Make a variable that is neither trained nor in a collection.

        Args: see Layer.add_weight.
        """
        return super().add_weight(
            name=name, shape=shape, dtype=self.dtype, trainable=False,
            initializer=initializer, collections=[], synchronization=synchronization,
            aggregation=aggregation,
        )  # fmt: skip

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A metric from what `get_config` gave."""
        return cls(**{k: v for k, v in config.items() if k != "trainable"})


def _require(x, metric, what):
    if not isinstance(x, Tensor | Node):
        raise TypeError(
            f"Metric {metric.name}'s {what} must be a Tensor or Operation, given: {x}"
        )


def _noted(function):
    """`update_state` whose op becomes one of the updates of the metric."""

    @functools.wraps(function)
    def update_state(self, *args, **kwargs):
        inner = self.__dict__.get("_updating", False)  # called by that of a subclass
        self.__dict__["_updating"] = True
        try:
            update = function(self, *args, **kwargs)
        finally:
            self.__dict__["_updating"] = inner
        if isinstance(update, ResourceHandle):  # what `assign` of a variable gives
            update = None if current_mode().eager else update.op
        if update is not None and not inner:
            _require(update, self, "update")
            self.add_update(update, inputs=True)
        return update

    return update_state


def _checked(function):
    """`result` that is held to give a tensor."""

    @functools.wraps(function)
    def result(self):
        tower = contexts.of_several_towers()
        if tower is None:
            found = function(self)
        else:
            found = tower.merge_call(lambda s: _of_towers(function, self, s))
        _require(found, self, "result")
        return found

    return result


def _of_towers(function, metric, strategy):
    """The result of the sums of all towers, in all processes."""
    if not getattr(strategy, "trains_in_step", False):
        return function(metric)
    with contexts.over_processes():
        return function(metric)


class Mean(Metric):
    """The mean of all values: sum(weights * values) / sum(weights).

    Args:
        name: its name. dtype: of the sums.
    Example:
        mean = tf.keras.metrics.Mean()
        mean([1.0, 3.0]).numpy()  # 2.0
        mean([8.0]).numpy()  # 4.0
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_weight("total", initializer=Zeros())
        self.count = self.add_weight("count", initializer=Zeros())

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Add values.

        Args:
            values: numbers of any shape.
            sample_weight: weights that are broadcast to them; those with fewer axes
                weigh the means of the others. 0 passes values over.
        """
        values = cast(values, self.dtype)
        if sample_weight is None:
            count = cast(size(values), self.dtype)
        else:
            values, weights = _weighted(values, cast(sample_weight, self.dtype))
            values, count = multiply(values, weights), reduce_sum(weights)
        done = [
            assign_add(self.total, reduce_sum(values)), assign_add(self.count, count)
        ]  # fmt: skip
        return None if current_mode().eager else group(*done)

    def result(self) -> Any:
        """The mean so far; 0 before the first value."""
        return safe_div(
            convert_to_tensor(self.total), convert_to_tensor(self.count), None
        )


def _weighted(values, weights):
    """Both in one shape."""
    values, _, weights = aligned(values, None, weights)
    try:
        return values, broadcast_weights(weights, values)
    except ValueError:
        axes = list(range(len(weights._shape), len(values._shape)))
        return math.mean(values, axes), weights


class MeanMetricWrapper(Mean):
    """The mean of a function of targets and predictions.

    Args:
        fn: of y_true, y_pred and further arguments, to a number for each sample.
        name: its name. dtype: of the sums. kwargs: the further arguments.
    """

    def __init__(
        self, fn: Any, name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        self._fn, self.__dict__["_fn_kwargs"] = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Add a batch of targets and predictions."""
        y_true, y_pred = cast(y_true, self.dtype), cast(y_pred, self.dtype)
        y_true, y_pred = remove_squeezable_dimensions(y_true, y_pred)
        y_pred, _, sample_weight = aligned(y_pred, None, sample_weight)
        found = self._fn(y_true, y_pred, **self._fn_kwargs)
        return super().update_state(found, sample_weight=sample_weight)

    def get_config(self) -> Any:
        return {**super().get_config(), **self._fn_kwargs}
