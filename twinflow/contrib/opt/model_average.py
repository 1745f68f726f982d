"""ModelAverageOptimizer: workers that train alone, and take the mean of their variables
from time to time."""

from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.contrib.opt.centers import (  # noqa: F401 - public in 1.12
    GLOBAL_VARIABLE_NAME,
    CenterGetter,
)
from twinflow.execute.session import Session
from twinflow.graph.cond import cond
from twinflow.graph.scopes import colocate_with, control_dependencies, device, group
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.compare import equal
from twinflow.ops.core.no_op import no_op
from twinflow.ops.queues.accumulators import ConditionalAccumulator
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.variables.collections import (
    GraphKeys,
    global_variables_initializer,
    local_variables_initializer,
)
from twinflow.ops.variables.state import assign, assign_add
from twinflow.train.optimizer import Optimizer
from twinflow.train.session_run_hook import SessionRunHook

if TYPE_CHECKING:
    from twinflow.graph.node import Node


class ModelAverageCustomGetter(CenterGetter):
    """A custom getter that makes a variable of a worker, and one that workers share.

    Args:
        worker_device: the device of the worker.
    """

    @property
    def _local_2_global(self) -> dict:
        return self._global_map


class ModelAverageOptimizer(Optimizer):
    """Takes the mean of the variables of all workers every some steps.

    Args:
        opt: the Optimizer of each worker. num_worker: how many workers there are.
        is_chief: of one of them. ma_custom_getter: the ModelAverageCustomGetter that
            made the variables. interval_steps: every how many steps.
        use_locking, name: see Optimizer.
    Example:
        getter = tf.contrib.opt.ModelAverageCustomGetter("/job:localhost/task:0")
        with tf.variable_scope("model", custom_getter=getter):
            v = tf.get_variable("v", initializer=1.)
        sgd, step = tf.train.GradientDescentOptimizer(1.), tf.train.create_global_step()
        opt = tf.contrib.opt.ModelAverageOptimizer(sgd, 1, True, getter)
        train_op = opt.minimize(v * 2., step)
        hook = opt.make_session_run_hook()
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
            sess.run(train_op)
            sess.run(v)  # -1.0
    """

    def __init__(
        self, opt: Optimizer, num_worker: int, is_chief: bool,
        ma_custom_getter: ModelAverageCustomGetter, interval_steps: int = 100,
        use_locking: bool = True, name: str = "ModelAverageOptimizer",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._opt, self._num_worker, self._is_chief = opt, num_worker, is_chief
        self._local_2_global = ma_custom_getter._local_2_global
        self._interval_steps = interval_steps
        self._accumulator_list: list[Any] = []
        self._chief_init_op: Any = None
        self._local_step = get_variable(
            "local_step", initializer=0, trainable=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As the optimizer inside: see Optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update the worker's variables, and take the mean if it is time.

        Args:
            grads_and_vars: (gradient, variable) pairs.
            global_step: counts the means.
        Raises:
            ValueError: there is no pair, or no global step.
        """
        pairs = list(grads_and_vars or ())
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        own = [v for g, v in pairs if g is not None]
        with control_dependencies([self._opt.apply_gradients(pairs)]):
            step = assign_add(self._local_step, 1, name="local_step_update")
        accumulators = [self._accumulator(v) for v in own]
        with colocate_with(global_step):
            queue = FIFOQueue(-1, [dtypes.bool], shapes=[[]], shared_name="sync_queue")

        def take_means() -> Any:
            meet = self._meet(own, accumulators, queue, global_step)
            with control_dependencies([meet]):
                return self._local_vars_update(own)

        with control_dependencies([step]):
            due = equal(step % self._interval_steps, 0)
            update = cond(due, take_means, no_op)
        starts = [
            a.set_global_step(global_step, name="SetGlobalStep") for a in accumulators
        ]
        self._accumulator_list += accumulators
        self._chief_init_op = group(*starts)
        return update

    def _accumulator(self, variable: Any) -> ConditionalAccumulator:
        with device(self._local_2_global[variable].device):
            return ConditionalAccumulator(
                variable.dtype.base_dtype, variable.shape, f"{variable.name}/var_accum"
            )

    def _meet(
        self, own: list, accumulators: list, queue: FIFOQueue, global_step: Any
    ) -> Any:
        """Give the worker's variables away; the chief makes the means of all of them,
        the others wait for that."""
        puts = [
            a.apply_grad(v, local_step=global_step) for a, v in zip(accumulators, own)
        ]
        if not self._is_chief:
            with control_dependencies(puts), device(global_step.device):
                return queue.dequeue()
        done = []
        with control_dependencies(puts):
            for accumulator, variable in zip(accumulators, own):
                shared = self._local_2_global[variable]
                with device(shared.device):
                    mean = accumulator.take_grad(self._num_worker)
                    done.append(assign(shared, mean))
            with device(global_step.device):
                done.append(assign_add(global_step, 1))
        with control_dependencies(done), device(global_step.device):
            return group(*(queue.enqueue(False) for _ in range(self._num_worker - 1)))

    def _local_vars_update(self, variables: list) -> "Node":
        """Let variables of the worker be as the shared ones."""
        return group(*(assign(v, self._local_2_global[v]) for v in variables))

    def get_init_op(self) -> "Node":
        """An op that starts the worker's variables as the shared ones."""
        return self._local_vars_update(list(self._local_2_global))

    def make_session_run_hook(self) -> "ModelAverageOptimizerHook":
        """The hook that each worker's session needs."""
        return ModelAverageOptimizerHook(self, self._is_chief)


class ModelAverageOptimizerHook(SessionRunHook):
    """Initialises the variables of a worker, and what the chief shares.

    Args:
        ma_optimizer: the ModelAverageOptimizer. is_chief: of one worker.
    """

    def __init__(self, ma_optimizer: ModelAverageOptimizer, is_chief: bool) -> None:
        self._ma_optimizer, self._is_chief = ma_optimizer, is_chief
        self._ops: list[Any] = []

    def begin(self) -> None:
        """Make the ops."""
        self._ops = [local_variables_initializer()]
        if self._is_chief:
            chief = self._ma_optimizer._chief_init_op
            self._ops += [global_variables_initializer(), chief]
        self._ops.append(self._ma_optimizer.get_init_op())

    def after_create_session(self, session: Session, coord: Any) -> None:
        """Run them, one after another."""
        for op in self._ops:
            session.run(op)
