"""AGNOptimizer: workers that send the mean of several gradients."""

from typing import Any

from twinflow.contrib.opt.centers import (
    CenterGetter,
    CenterHook,
    as_centers,
    local_step,
)
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.ops.core.compare import equal
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.state import assign, assign_add
from twinflow.train.optimizer import Optimizer

GRAD_VARIABLE_NAME = "grad_variable"


class AGNCustomGetter(CenterGetter):
    """A custom getter that makes a variable of a worker, one that workers share, and
    one for the worker's gradients.

    Args:
        worker_device: the device of the worker.
    """

    _beside = GRAD_VARIABLE_NAME

    def _start(self, value: Any) -> Any:
        return zeros_like(value)


class AGNOptimizer(Optimizer):
    """Workers train alone; the mean of their gradients moves what they share.

    Args:
        optimizer: the Optimizer of each worker and of the shared variables.
        num_worker: how many workers there are.
        custom_getter: the AGNCustomGetter that made the variables.
        communication_period: after how many steps a worker sends its gradients.
        use_locking, name: see Optimizer.
    Reference: Hermans et al.: Accumulated gradient normalization (2017).
    Example:
        getter = tf.contrib.opt.AGNCustomGetter("/job:localhost/task:0")
        with tf.variable_scope("", custom_getter=getter):
            v = tf.get_variable("v", initializer=1.)
        sgd = tf.train.GradientDescentOptimizer(0.5)
        opt = tf.contrib.opt.AGNOptimizer(sgd, 1, getter, communication_period=2)
        train_op = opt.minimize(v * 2., tf.train.create_global_step())
        hook = opt.make_session_run_hook(True, 0)
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
            sess.run(train_op)
            sess.run(v)  # 0.0
    """

    def __init__(
        self, optimizer: Optimizer, num_worker: int, custom_getter: AGNCustomGetter,
        communication_period: int = 10, use_locking: bool = True,
        name: str = "AGNOptimizer",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._opt, self._num_worker, self._getter = optimizer, num_worker, custom_getter
        self._period, self._local_step = communication_period, local_step()

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update the worker's variables, and send its gradients if it is time.

        Args:
            grads_and_vars: (gradient, variable) pairs.
            global_step: counts what was sent. name: the scope of the ops.
        """
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        sums, centers = self._getter._local_map, self._getter._global_map
        with name_scope(name, self._name):
            added = [assign_add(sums[v], g) for g, v in pairs]
            with control_dependencies([self._opt.apply_gradients(pairs), *added]):
                step = assign_add(self._local_step, 1, name="local_step_update")

            def send() -> Any:
                means = [(sums[v] / self._period, centers[v]) for _, v in pairs]
                sent = self._opt.apply_gradients(means, global_step=global_step)
                with control_dependencies([sent]):
                    clear = [assign(sums[v], zeros_like(sums[v])) for _, v in pairs]
                    taken = [assign(v, centers[v]) for _, v in pairs]
                    return group(*clear, *taken)

            with control_dependencies([step]):
                due = equal(step % self._period, 0)
                return cond(due, send, no_op)

    def get_init_op(self, task_index: int) -> Any:
        """The op that starts the worker's variables as the shared ones."""
        del task_index
        return as_centers(self._getter, others_too=False)

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> CenterHook:
        """The hook that a worker's session needs."""
        return CenterHook(self, is_chief, task_index)
