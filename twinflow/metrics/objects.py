"""tfe.metrics: metrics that are objects, called with each batch, in both modes."""

import re
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue, overridable
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.base.trackable import Trackable, changed
from twinflow.execute.function import defun
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.elementwise import add_n
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.math.positions import argmax
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.collections import GraphKeys

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1

noted: list = []  # functions of a name and a result: they write summaries


class Metric(Trackable):
    """The base of metrics; a subclass defines `build`, `call` and `result`.

    `build` makes the variables with `add_variable`, from the arguments of the first
    call; `call` adds a batch; `result` gives the value so far. In a graph a call gives
    tensors: to run them adds the batch.

    Args:
        name: the name, that of the class by default.
        use_global_variables: whether the variables are global ones of a graph, which
            are saved, or local ones.
    Example:
        mean = tfe.metrics.Mean("loss")
        mean(0.0)
        mean(5.0)
        mean.result().numpy()  # 2.5
    """

    _initial_values: dict[Any, Any]
    _vars: list[Any]

    def __init__(
        self, name: str | None = None, use_global_variables: bool = False
    ) -> None:
        self._built, self._vars, self._initial_values = False, [], {}
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        scope_name = re.sub("[^A-Za-z0-9.]", "_", name)
        mode = current_mode()
        with variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            end = scope.name.rfind(scope_name) + len(scope_name)
            self._name, self._scope = name + scope.name[end:], scope
        self._home = mode.variable_owner()
        own = {"build": self._built_by, "_build": self.build}
        if not mode.eager:
            own["call"] = defun(self.call)
        self.__dict__.update(own)

    def _built_by(self, *args, **kwargs):
        self.__dict__["_build"](*args, **kwargs)
        self._built = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch; returns what `call` does."""
        if not self._built:
            with dispatch.entered(self._home), variable_scope(self._scope):
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def variables(self) -> Any:
        """The variables, in order of creation."""
        return self._vars

    def _children(self):
        start = len(self._scope.name) + 1
        return [(v._shared_name[start:], v) for v in self._vars]

    def init_variables(self) -> Any:
        """Start again.

        Returns:
            The op (graph), or None (eager).
        """
        if not current_mode().eager:
            return group(*(v.initializer for v in self._vars))
        for v in self._vars:
            v.assign(self._initial_values[v])
        return None

    @overridable
    def build(self, *args: Any, **kwargs: Any) -> Any:
        """Make the variables; called with the arguments of the first call."""
        raise NotImplementedError("Metrics must define a build() member function")

    @overridable
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch to the variables."""
        raise NotImplementedError("Metrics must define a call() member function")

    @overridable
    def result(self) -> Any:
        """The value so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def aggregate(self, metrics: Any) -> None:
        """Add what other metrics of the same kind have added up.

        Args:
            metrics: a list of metrics.
        Raises:
            TypeError: one of them is of another class.
        """
        for m in metrics:
            if type(m) is not type(self):
                raise TypeError(
                    f"All metrics must be the same type, '{type(self)}' != '{type(m)}'."
                )
        for i, v in enumerate(self._vars):
            v.assign_add(add_n([m._vars[i] for m in metrics]))

    def value(self) -> Any:
        """The result, a tensor (graph), or the function that gives it (eager)."""
        return self.result if current_mode().eager else self.result()

    def add_variable(
        self, name: str, shape: Any = None, dtype: DTypeValue | None = None,
        initializer: Any = None,
    ) -> "VariableV1":  # fmt: skip
        """A new variable of the metric; only within `build`.

        Args:
            name: its name in that of the metric. shape, dtype, initializer: see
                tf.get_variable.
        Raises:
            RuntimeError: the metric is built already.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        is_global = self._use_global_variables
        where = GraphKeys.GLOBAL_VARIABLES if is_global else GraphKeys.LOCAL_VARIABLES
        eager = current_mode().eager
        v = get_variable(
            name, shape=shape, dtype=dtype, initializer=initializer, trainable=False,
            collections=None if eager else [where, GraphKeys.METRIC_VARIABLES],
            use_resource=True,
        )  # fmt: skip
        self._vars.append(v)
        if eager:
            self._initial_values[v] = v.read_value()
        changed(self)
        return v


class Mean(Metric):
    """The mean of all values, or their weighted mean.

    Args:
        name, use_global_variables: see Metric. dtype: the DType of the sums.
    Example:
        loss = tfe.metrics.Mean("loss")
        loss([8.0, 9.0])
        loss.result().numpy()  # 8.5
    """

    def __init__(
        self, name: str | None = None, dtype: DTypeValue = dtypes.float64,
        use_global_variables: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name=name, use_global_variables=use_global_variables)
        self.dtype = dtypes.as_dtype(dtype)

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Make the sums; the arguments do not matter."""
        self.numer, self.denom = (
            self.add_variable(name, (), self.dtype, Zeros())
            for name in ("numer", "denom")
        )

    def call(self, values: TensorValue, weights: TensorValue | None = None) -> Any:
        """Add values.

        Args:
            values: a numeric tensor. weights: a tensor that broadcasts to it.
        Returns:
            The sum of the values; (values * weights, weights) if there are weights.
        """
        if weights is None:
            self.denom.assign_add(cast(identity(size(values)), self.dtype))
            values = reduce_sum(values)
            self.numer.assign_add(cast(values, self.dtype))
            return values
        weights = cast(weights, self.dtype)
        self.denom.assign_add(reduce_sum(weights))
        values = cast(values, self.dtype) * weights
        self.numer.assign_add(reduce_sum(values))
        return values, weights

    def result(self, write_summary: Any = True) -> Any:
        """The mean so far, a scalar; NaN if there is none.

        Args:
            write_summary: whether to record it as a tf.contrib.summary (with the tag
                ``cond/NAME``, as TensorFlow 1.12 has it), where these are recorded; a
                bool, or a tensor of one.
        """
        mean = self.numer / self.denom

        def note():
            written = [write(self.name, mean) for write in noted]
            with control_dependencies([w for w in written if w is not None]):
                return identity(mean)

        if isinstance(write_summary, Tensor):
            return cond(write_summary, note, lambda: identity(mean))
        if write_summary:
            with name_scope("cond"):
                note()
        return mean


class _Matching(Mean):
    """The mean of how often labels and predictions agree."""

    def _add(self, labels, predictions, weights):
        matches = cast(equal(labels, predictions), self.dtype)
        Mean.call(self, matches, weights=weights)
        if weights is None:
            return labels, predictions
        return labels, predictions, weights


def _check_same(a, b, words):
    return assert_equal(shape(a), b, message=words)


_UNEQUAL = "Shapes of labels and predictions are unequal"


class Accuracy(_Matching):
    """How often the prediction is the label.

    Args: see Mean.
    Example:
        right = tfe.metrics.Accuracy()
        right(labels=tf.constant([1, 2]), predictions=tf.constant([1, 3]))
        right.result()  # 0.5
    """

    def call(
        self, labels: TensorValue, predictions: TensorValue,
        weights: TensorValue | None = None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """Add a batch.

        Args:
            labels, predictions: tensors of one shape and dtype.
            weights: a tensor that broadcasts to it.
        Returns:
            The arguments.
        Raises:
            InvalidArgumentError: the shapes differ.
        """
        _check_same(labels, shape(predictions), _UNEQUAL)
        return self._add(labels, predictions, weights)


class CategoricalAccuracy(_Matching):
    """How often the largest prediction is where the largest label is.

    Args: see Mean.
    """

    def call(
        self, labels: TensorValue, predictions: TensorValue,
        weights: TensorValue | None = None,
    ) -> Any:  # fmt: skip
        """Add a batch.

        Args:
            labels, predictions: numeric[..., classes], of one shape.
            weights: a tensor that broadcasts to [...].
        Returns:
            The classes of labels and predictions, and the weights if there are any.
        Raises:
            InvalidArgumentError: the shapes differ.
        """
        _check_same(labels, shape(predictions), _UNEQUAL)
        found = argmax(labels, axis=-1), argmax(predictions, axis=-1)
        return self._add(*found, weights)


class BinaryAccuracy(_Matching):
    """How often a prediction is on the side of a threshold that the label says.

    Args:
        threshold: a number; larger predictions stand for true.
        name, dtype: see Mean.
    """

    def __init__(
        self, threshold: Any, name: str | None = None,
        dtype: DTypeValue = dtypes.float64,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def call(
        self, labels: TensorValue, predictions: TensorValue,
        weights: TensorValue | None = None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """Add a batch.

        Args:
            labels: a tensor, taken as bools. predictions: numeric, of its shape.
            weights: a tensor that broadcasts to it.
        Returns:
            The labels, the predictions as bools, and the weights if there are any.
        Raises:
            InvalidArgumentError: the shapes differ.
        """
        _check_same(labels, shape(predictions), _UNEQUAL)
        predictions = convert_to_tensor(predictions)
        predictions = predictions > cast(self.threshold, predictions.dtype)
        added = self._add(cast(labels, dtypes.bool), predictions, weights)
        return labels, *added[1:]


class SparseAccuracy(_Matching):
    """How often the largest prediction is where the label says.

    Args: see Mean.
    """

    def call(
        self, labels: TensorValue, predictions: TensorValue,
        weights: TensorValue | None = None,
    ) -> Any:  # fmt: skip
        """Add a batch.

        Args:
            labels: integers[batch]. predictions: numeric[batch, classes].
            weights: a tensor that broadcasts to [batch].
        Returns:
            The classes of labels and predictions, and the weights if there are any.
        Raises:
            InvalidArgumentError: the batches differ.
        """
        words = "First axis of labels and predictions is unequal"
        _check_same(labels, shape(predictions)[0], words)
        predictions = argmax(predictions, axis=-1)
        labels = cast(labels, predictions.dtype)
        return self._add(labels, predictions, weights)
