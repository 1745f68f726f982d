"""ElasticAverageOptimizer: workers that are drawn to a common center."""

from typing import Any

from twinflow.base import dtypes
from twinflow.checkpoint.saver import Saver
from twinflow.contrib.opt.centers import (
    CenterGetter,
    CenterHook,
    as_centers,
    local_step,
)
from twinflow.graph.cond import cond
from twinflow.graph.scopes import colocate_with, control_dependencies, group, name_scope
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.compare import equal
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.variables.collections import trainable_variables
from twinflow.ops.variables.state import assign, assign_add, assign_sub
from twinflow.train.optimizer import Optimizer

LOCAL_VARIABLE_NAME = "local_center_variable"


class ElasticAverageCustomGetter(CenterGetter):
    """A custom getter that makes a variable of a worker, the center that workers share,
    and the worker's copy of it.

    Args:
        worker_device: the device of the worker.
    """

    _beside = LOCAL_VARIABLE_NAME


class ElasticAverageOptimizer(Optimizer):
    """Workers train alone; from time to time they and the center draw nearer.

    A worker's loss has a penalty, rho / 2 |v - center|^2.

    Args:
        opt: the Optimizer of each worker. num_worker: how many workers there are.
        ea_custom_getter: the ElasticAverageCustomGetter that made the variables.
        communication_period: after how many steps they draw nearer.
        moving_rate: by which part of the distance; 0.9 / period / workers if None.
        rho: of the penalty; moving_rate / learning rate if None.
        use_locking, name: see Optimizer.
        synchronous: whether workers wait for each other.
    Raises:
        ValueError: there is no getter.
    Reference: Zhang et al.: Deep learning with elastic averaging SGD (2015).
    Example:
        getter = tf.contrib.opt.ElasticAverageCustomGetter("/job:localhost/task:0")
        with tf.variable_scope("", custom_getter=getter):
            v = tf.get_variable("v", initializer=1.)
        sgd = tf.train.GradientDescentOptimizer(0.5)
        opt = tf.contrib.opt.ElasticAverageOptimizer(sgd, 1, getter)
        train_op = opt.minimize(v * 2., tf.train.create_global_step())
        hook = opt.make_session_run_hook(True, 0)
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
            sess.run(train_op)
            sess.run(v)  # 0.0
    """

    BETA = 0.9

    def __init__(
        self, opt: Optimizer, num_worker: int,
        ea_custom_getter: ElasticAverageCustomGetter, communication_period: int = 10,
        moving_rate: Any = None, rho: Any = None, use_locking: bool = True,
        synchronous: bool = False, name: str = "ElasticAverageOptimizer",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        if not isinstance(ea_custom_getter, CenterGetter):
            raise ValueError(
                "ea_custom_getter: expected an ElasticAverageCustomGetter, got "
                f"{ea_custom_getter!r}."
            )
        self._opt, self._num_worker, self._getter = opt, num_worker, ea_custom_getter
        self._period, self._synchronous = communication_period, synchronous
        if moving_rate is None:
            moving_rate = self.BETA / communication_period / num_worker
        self._moving_rate = moving_rate
        self._rho = moving_rate / opt._learning_rate if rho is None else rho
        self._local_step = local_step()

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[Any]:  # fmt: skip
        """The gradients of the loss with its penalty; see Optimizer."""
        var_list = list(var_list) if var_list else trainable_variables()
        copies = self._getter._local_map
        parts = [reduce_sum((v - copies[v]) ** 2) / 2 for v in var_list if v in copies]
        if parts:
            loss = loss + self._rho * add_n(parts)
        return self._opt.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update the worker's variables, and draw nearer if it is time.

        Args:
            grads_and_vars: (gradient, variable) pairs.
            global_step: counts how often. name: the scope of the ops.
        """
        pairs = list(grads_and_vars)
        own = [v for g, v in pairs if g is not None]
        with name_scope(name, self._name):
            with control_dependencies([self._opt.apply_gradients(pairs)]):
                step = assign_add(self._local_step, 1, name="local_step_update")
            with control_dependencies([step]):
                due = equal(step % self._period, 0)
                return cond(due, lambda: self._draw_nearer(own, global_step), no_op)

    def _draw_nearer(self, own: list, global_step: Any) -> Any:
        copies, centers = self._getter._local_map, self._getter._global_map
        waiting = [self._meet(global_step)] if self._synchronous else []
        with control_dependencies(waiting):
            fresh = [assign(copies[v], centers[v]) for v in own]
        with control_dependencies(fresh):
            moves = [self._moving_rate * (v - copies[v]) for v in own]
            made = [assign_sub(v, m) for v, m in zip(own, moves)]
            made += [assign_add(centers[v], m) for v, m in zip(own, moves)]
            if global_step is not None:
                with colocate_with(global_step):
                    made.append(assign_add(global_step, 1))
            return group(*made)

    def _meet(self, global_step: Any) -> Any:
        """Wait for all workers: the last one lets all others go on."""
        with colocate_with(global_step):
            arrived = FIFOQueue(
                self._num_worker, [dtypes.bool], [[]], shared_name="sync_arrived"
            )
            go = FIFOQueue(-1, [dtypes.bool], [[]], shared_name="sync_go")
        with control_dependencies([arrived.enqueue(True)]):
            last = equal(arrived.size(), self._num_worker)

        def release() -> Any:
            with control_dependencies([arrived.dequeue_many(self._num_worker)]):
                return group(*(go.enqueue(True) for _ in range(self._num_worker)))

        with control_dependencies([cond(last, release, no_op)]):
            return go.dequeue()

    def get_init_op(self, task_index: int) -> Any:
        """The op that starts the worker's variables and its copies as the centers."""
        del task_index
        return as_centers(self._getter, others_too=True)

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> CenterHook:
        """The hook that a worker's session needs."""
        return CenterHook(self, is_chief, task_index)

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Saver:
        """A Saver that writes the centers under the names of the workers' variables.

        Args:
            var_list: variables, or a dict from names; the trained ones if None.
            name: see tf.train.Saver, as others.
        """
        centers = {c.op.name: v.op.name for v, c in self._getter._global_map.items()}
        if var_list is None:
            var_list = trainable_variables()
        if not isinstance(var_list, dict):
            var_list = {v.op.name: v for v in var_list}
        saved = {}
        for key, value in var_list.items():
            center = self._getter._global_map.get(value)
            saved[centers.get(key, key)] = value if center is None else center
        return Saver(saved, name=name, **kwargs)
