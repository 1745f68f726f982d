"""An optimizer that keeps the moving averages of what it trains."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.checkpoint.saver import Saver
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.variables.collections import global_variables
from twinflow.train.moving_averages import ExponentialMovingAverage
from twinflow.train.optimizer import Optimizer


class MovingAverageOptimizer(Optimizer):
    """Keeps the moving average of each variable that another optimizer trains.

    Args:
        opt: the Optimizer. average_decay, num_updates: see ExponentialMovingAverage.
        sequential_update: take the averages after the step, not at any time.
    Example:
        v = tf.get_variable("v", initializer=1.)
        sgd = tf.train.GradientDescentOptimizer(1.)
        opt = tf.contrib.opt.MovingAverageOptimizer(sgd, average_decay=0.5)
        train_op = opt.minimize(v * 2.)
        saver = opt.swapping_saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(train_op)
            path = saver.save(sess, "./model")
            sess.run(v)  # -1.0
        tf.train.load_variable(path, "v")  # 0.0
    """

    def __init__(
        self, opt: Optimizer, average_decay: float = 0.9999, num_updates: Any = None,
        sequential_update: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(opt._use_locking, "MovingAverageOptimizer")
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map: Any = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As the optimizer inside; see Optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """A step of the optimizer inside, and one of the averages; see Optimizer."""
        pairs = list(grads_and_vars)
        done = self._optimizer.apply_gradients(
            pairs, global_step=global_step, name=name
        )
        own = [v for g, v in pairs if g is not None]
        waits = [done] if self._sequential_update and done is not None else []
        with control_dependencies(waits):
            averaged = self._ema.apply(own)
        self._swapped_variable_name_map = {}
        for v in own:
            average = self._ema.average(v)
            self._swapped_variable_name_map[v.op.name] = average.op.name
            self._swapped_variable_name_map[average.op.name] = v.op.name
        if current_mode().eager:
            return None
        return group(done, averaged, name="train_with_avg")

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Saver:
        """A Saver whose files have the averages under the names of the variables.

        Args:
            var_list: variables, or a dict from keys to variables; all by default.
            name: of the scope of its nodes. kwargs: see Saver.
        Raises:
            RuntimeError: there was no step yet.
            ValueError: `var_list` has an average, or a variable, without the other.
        """
        if self._swapped_variable_name_map is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the "
                "swapping_saver"
            )
        named = named_variables(global_variables() if var_list is None else var_list)
        places = {v.op.name: key for key, v in named.items() if hasattr(v, "op")}
        swapped = {}
        for key, variable in named.items():
            other = self._swapped_variable_name_map.get(
                getattr(getattr(variable, "op", None), "name", None)
            )
            if other is not None and other not in places:
                raise ValueError(
                    f"Variable to swap {other} is not part of variables to save. This "
                    "breaks MovingAverageOptimizer."
                )
            swapped[key] = variable if other is None else named[places[other]]
        return Saver(swapped, name=name, **kwargs)


def named_variables(var_list: Any) -> dict:
    """The variables by the names that a Saver gives them."""
    if isinstance(var_list, dict):
        return dict(var_list)
    named: dict = {}
    for v in var_list:
        info = getattr(v, "_save_slice_info", None)
        if info is None:
            named[v.op.name] = v
        else:  # a part of a partitioned variable
            named.setdefault(info.full_name, []).append(v)
    return named
