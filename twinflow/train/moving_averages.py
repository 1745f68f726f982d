"""Moving averages of variables and tensors: what they were over the last steps."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import group
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.division import div, truediv
from twinflow.ops.core.elementwise import minimum, pow
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables import collections, state
from twinflow.ops.variables.collections import GraphKeys
from twinflow.train.slot_creator import create_slot, create_zeros_slot


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable <- decay * variable + (1 - decay) * value

    Args:
        variable: a float variable. value: a tensor of its shape.
        decay: a float scalar, most often near 1.
        zero_debias: whether to make up for a start at 0, so that the average is one of
            the values so far; this needs two more variables, `biased` and `local_step`.
        name: the name scope.
    Returns:
        The variable's reference or the variable, once that is done.
    Reference: for `zero_debias`: Kingma and Ba, Adam (ICLR 2015), section 3.
    """
    with current_mode().name_scope(name or "AssignMovingAvg") as scope:
        share = convert_to_tensor(1.0 - decay, name="decay")
        dtype = variable.dtype.base_dtype
        share = share if share.dtype == dtype else cast(share, dtype)
        if zero_debias:
            delta = _unbiased_delta(variable, value, share)
        else:
            delta = (variable - value) * share
        return state.assign_sub(variable, delta, name=scope)


def _unbiased_delta(variable, value, share):
    """What to subtract from the variable to make it the unbiased average."""
    dtype = variable.dtype.base_dtype
    with variable_scope(variable._shared_name) as scope:
        owner = current_mode().variable_owner()
        with dispatch.entered(owner), owner.control_dependencies(None):
            first = zeros(variable.shape.as_list(), dtype)
        biased = get_variable(_unique("biased"), initializer=first, trainable=False)
        step = get_variable(
            _unique("local_step"), shape=[], dtype=dtype, initializer=Zeros(),
            trainable=False,
        )  # fmt: skip
        done = [
            state.assign_sub(biased, (biased - value) * share, name=scope.name),
            step.assign_add(1),
        ]
        with current_mode().control_dependencies(done):
            now = biased.read_value()
            return variable - now / (1 - pow(1.0 - share, step.read_value()))


def _unique(name):
    """A name that no variable of the variable scope has, unless it reuses them."""
    scope = get_variable_scope()
    if scope.reuse is True:
        return name
    taken = {v._shared_name for v in collections.global_variables(scope.name)}
    number, found = 0, name
    while f"{scope.name}/{found}" in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def weighted_moving_average(
    value, decay, weight, truediv=True, collections=None, name=None
):
    """The moving average of value * weight, divided by that of the weight.

    Args:
        value: a float tensor. decay: see assign_moving_average.
        weight: a float tensor that broadcasts to `value`.
        truediv: whether to divide integers as real numbers.
        collections: graph collections for the two variables it needs.
        name: the variable scope.
    Returns:
        A tensor like `value`.
    Raises:
        ValueError: the variables are there already and are not to be reused.
    """
    keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with variable_scope(name, "WeightedMovingAvg") as scope:
        sums = [
            get_variable(
                part,
                shape=like.shape,
                dtype=like.dtype,
                initializer=Zeros(),
                trainable=False,
                collections=keys,
            )
            for part, like in (("value_x_weight", value), ("weight", weight))
        ]
        above, below = (
            assign_moving_average(v, x, decay, zero_debias=False)
            for v, x in zip(sums, (value * weight, weight), strict=True)
        )
        return (_true if truediv else div)(above, below, name=scope.name)


_true = truediv


class ExponentialMovingAverage:
    """Moving averages of variables, to be used in their place when evaluating.

    average <- decay * average + (1 - decay) * variable

    Args:
        decay: a float, most often near 1.
        num_updates: the number of steps so far, a scalar; the decay is then
            min(decay, (1 + num_updates) / (10 + num_updates)).
        zero_debias: for tensors, whether to make up for the start at 0.
        name: the end of the names of the averages.
    Example:
        w = tf.get_variable("w", initializer=1.0)
        ema = tf.train.ExponentialMovingAverage(0.75)
        update = ema.apply([w])  # to be run after each training step
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(w.assign(5.0))
        sess.run(update)
        sess.run(ema.average(w))  # 2.0
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:  # fmt: skip
        self._decay, self._num_updates = decay, num_updates
        self._zero_debias, self._name = zero_debias, name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The end of the names of the averages."""
        return self._name

    def apply(self, var_list: Any = None) -> Any:
        """Bring the averages up to date; make those that are not there yet.

        Args:
            var_list: float variables and tensors; the trainable variables by default.
                Averages of variables start with their initial values, others with 0.
        Returns:
            The op (graph), or None (eager).
        Raises:
            TypeError: something is not of a float dtype.
        """
        if var_list is None:
            var_list = collections.trainable_variables()
        new = [self._add(var) for var in var_list if self._is_new(var)]
        unbiased = [v for v, var in new if self._zero_debias and not _is_variable(var)]
        with current_mode().name_scope(self.name) as scope:
            decay = self._decay_now()
            updates = [
                assign_moving_average(
                    self._averages[var],
                    var,
                    decay,
                    zero_debias=self._averages[var] in unbiased,
                )
                for var in var_list
            ]
            return group(*updates, name=scope)

    def _is_new(self, var):
        allowed = (dtypes.float16, dtypes.float32, dtypes.float64)
        if var.dtype.base_dtype not in allowed:
            raise TypeError(f"The variables must be half, float, or double: {var.name}")
        return var not in self._averages

    def _add(self, var):
        """Make the average of a variable or tensor: (average, `var`)."""
        mode = current_mode().variable_owner()
        with dispatch.entered(mode):
            if _is_variable(var):
                average = create_slot(var, var.initialized_value(), self.name)
                if not mode.eager:
                    mode.add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            else:
                average = create_zeros_slot(var, self.name, None, False)
        self._averages[var] = average
        return average, var

    def _decay_now(self):
        decay = convert_to_tensor(self._decay, name="decay")
        if self._num_updates is None:
            return decay
        count = cast(self._num_updates, dtypes.float32, name="num_updates")
        return minimum(decay, (1.0 + count) / (10.0 + count))

    def average(self, var: Any) -> Any:
        """The variable that holds the average of `var`; None if there is none."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name of the average of `var`, which need not be there.

        Example:
            with tf.Graph().as_default():
                w = tf.Variable(1.0, name="w")
            ema = tf.train.ExponentialMovingAverage(0.75)
            ema.average_name(w)  # "w/ExponentialMovingAverage"
        """
        if var in self._averages:
            return self._averages[var]._shared_name
        name = var._shared_name if _is_variable(var) else var.op.name
        graph = get_default_graph()
        return graph.unique_name(f"{name}/{self.name}", mark_as_used=False)

    def variables_to_restore(
        self, moving_avg_variables: Any = None
    ) -> "dict[Any, Any]":
        """What a Saver needs to load averages into the variables themselves.

        Args:
            moving_avg_variables: those that have averages; by default the trainable
                ones and those that `apply` was given.
        Returns:
            {name in the checkpoint: variable} for all variables.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [
                *collections.trainable_variables(),
                *collections.moving_average_variables(),
            ]
        averaged = dict.fromkeys(moving_avg_variables)
        named = {self.average_name(v): v for v in averaged}
        names = {v.name for v in averaged}
        for v in collections.global_variables():
            if v.name not in names:
                named.setdefault(v._shared_name, v)
        return named


def _is_variable(var):
    return isinstance(var, ResourceHandle)
