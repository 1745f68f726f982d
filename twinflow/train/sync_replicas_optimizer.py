"""SyncReplicasOptimizer: workers that update together, with the mean of gradients.

Note [Tokens of replicas]: each worker puts its gradients into accumulators, one a
variable, and then waits for a token. A thread of the chief takes the mean out of the
accumulators once there are enough gradients, applies it, and puts in as many tokens as
there are workers, each with the new global step. A token becomes the local step of the
worker that gets it; an accumulator drops gradients whose local step is before its own,
so a worker that was too slow for one update takes part in the next.
"""

from typing import TYPE_CHECKING, Any, NoReturn

from twinflow.base import dtypes, logging
from twinflow.base.tensor import Tensor
from twinflow.execute.session import Session
from twinflow.graph.scopes import (
    colocate_with,
    control_dependencies,
    device,
    group,
    name_scope,
)
from twinflow.ops.core.creation import fill
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.no_op import no_op
from twinflow.ops.queues.accumulators import (
    ConditionalAccumulator,
    SparseConditionalAccumulator,
)
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.variables.collections import GraphKeys, global_variables
from twinflow.ops.variables.initialized import report_uninitialized_variables
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.train.optimizer import Optimizer
from twinflow.train.queue_runner import QueueRunner
from twinflow.train.session_manager import is_ready
from twinflow.train.session_run_hook import SessionRunHook

if TYPE_CHECKING:
    from twinflow.graph.node import Node
    from twinflow.ops.variables.creators import VariableV1


class SyncReplicasOptimizer(Optimizer):
    """Updates once for the gradients of several workers (Note [Tokens of replicas]).

    Args:
        opt: the Optimizer that applies the mean.
        replicas_to_aggregate: how many gradients make an update.
        total_num_replicas: how many workers there are; as many by default, more where
            some are to spare.
        variable_averages: an ExponentialMovingAverage, kept up by the chief, of
        variables_to_average. use_locking, name: see Optimizer.
    Example:
        v = tf.Variable(5.)
        opt = tf.train.SyncReplicasOptimizer(
            tf.train.GradientDescentOptimizer(.5), replicas_to_aggregate=1)
        train_op = opt.minimize(v, global_step=tf.train.create_global_step())
        hook = opt.make_session_run_hook(is_chief=True)
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
            sess.run(train_op)
    """

    def __init__(
        self, opt: Optimizer, replicas_to_aggregate: int,
        total_num_replicas: int | None = None, variable_averages: Any = None,
        variables_to_average: Any = None, use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:  # fmt: skip
        total = total_num_replicas
        total = replicas_to_aggregate if total is None else total
        super().__init__(use_locking, name)
        logging.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
            replicas_to_aggregate, total,
        )  # fmt: skip
        self._opt, self._gradients_applied = opt, False
        self._replicas_to_aggregate, self._total_num_replicas = (
            replicas_to_aggregate,
            total,
        )
        self._tokens_per_step = max(total, replicas_to_aggregate)
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._global_step: Any = None
        self._sync_token_queue: Any = None
        self._chief_queue_runner: Any = None
        self._accumulator_list: list[Any] = []

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As the optimizer inside: see Optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """The train op of one worker: give the gradients away, and wait for a token.

        Args:
            grads_and_vars: (gradient, variable) pairs; a gradient may be None.
            global_step: the variable that counts updates.
        Raises:
            ValueError: there is no pair, no global step, or no such gradient.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        self._make_local_step(global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(
            global_variables()
        )
        with name_scope(None, self._name):
            given, means = self._accumulate(grads_and_vars)
            with device(global_step.device), name_scope(""):
                update = self._opt.apply_gradients(means, global_step)
            train_op = self._exchange_tokens(given, update)
            starts: list[Any] = [self.local_step_init_op]
            for accumulator, place in self._accumulator_list:
                with device(place):
                    starts.append(
                        accumulator.set_global_step(global_step, name="SetGlobalStep")
                    )
            self.chief_init_op = group(*starts)
        self._gradients_applied = True
        return train_op

    def _make_local_step(self, global_step: Any) -> None:
        with colocate_with(no_op()):
            self._local_step = Variable(
                0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                dtype=global_step.dtype.base_dtype, name="sync_rep_local_step",
            )  # fmt: skip
        self.local_step_init_op = assign(self._local_step, global_step)

    def _accumulate(self, grads_and_vars: Any) -> tuple[list, list]:
        """(the ops that give gradients away, pairs of their means and variables)"""
        given, means = [], []
        for grad, var in grads_and_vars:
            mean = None
            if grad is not None:
                with device(var.device):
                    accumulator, put, mean = self._accumulated(grad, var)
                given.append(put)
                self._accumulator_list.append((accumulator, var.device))
            means.append((mean, var))
        return given, means

    def _accumulated(self, grad: Any, var: "VariableV1") -> tuple:
        name, count = f"{var.name}/grad_accum", self._replicas_to_aggregate
        if isinstance(grad, Tensor):
            dense = ConditionalAccumulator(grad.dtype, var.shape, name)
            put = dense.apply_grad(grad, local_step=self._local_step)
            return dense, put, dense.take_grad(count)
        if not isinstance(grad, IndexedSlices):
            raise ValueError("Unknown grad type!")
        rows = SparseConditionalAccumulator(grad.dtype, (), name)
        put = rows.apply_indexed_slices_grad(grad, local_step=self._local_step)
        return rows, put, rows.take_indexed_slices_grad(count)

    def _exchange_tokens(self, given: list, update: Any) -> Any:
        """The train op of a worker; also makes what the chief runs beside it."""
        step, place = self._global_step, self._global_step.device
        with device(place), name_scope(""):
            self._sync_token_queue = queue = FIFOQueue(
                -1, step.dtype.base_dtype, shapes=(), name="sync_token_q",
                shared_name="sync_token_q",
            )  # fmt: skip
            # What the runner closes at its end, in place of the queue of all.
            unused = FIFOQueue(
                1, dtypes.int32, shapes=(), name="dummy_queue",
                shared_name="dummy_queue",
            )  # fmt: skip
        with device(place), name_scope(""):
            with control_dependencies(given):
                token = queue.dequeue()
            train_op = assign(self._local_step, token)
            with control_dependencies([update]):
                tokens = fill([self._tokens_per_step], step)
                sync = queue.enqueue_many((tokens,))
            if self._variable_averages is not None:
                with control_dependencies([sync]), name_scope(""):
                    sync = self._variable_averages.apply(self._variables_to_average)
            self._chief_queue_runner = QueueRunner(unused, [sync])
        return train_op

    # ------------------------------------------------------------------ the chief
    def get_chief_queue_runner(self) -> QueueRunner:
        """The QueueRunner that the chief is to start.

        Raises:
            ValueError: `apply_gradients` was not called before.
        """
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> "Node":
        """An op that puts in the first tokens, which the chief is to run.

        Args:
            num_tokens: how many; as many as an update takes gradients by default.
        Raises:
            ValueError: `apply_gradients` was not called before, or they are too few.
        """
        if not self._gradients_applied:
            raise ValueError(
                "get_init_tokens_op() should be called after apply_gradients()."
            )
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs "
                f"{needed} (needed)"
            )
        if num_tokens <= 0:
            return no_op(name="no_init_tokens")
        with device(self._global_step.device), name_scope(""):
            tokens = fill([num_tokens], self._global_step)
            return self._sync_token_queue.enqueue_many((tokens,))

    def make_session_run_hook(
        self, is_chief: bool, num_tokens: int = -1
    ) -> "SyncReplicasOptimizerHook":
        """The hook that each worker's MonitoredTrainingSession needs.

        Args:
            is_chief: of one worker. num_tokens: see `get_init_tokens_op`.
        """
        return SyncReplicasOptimizerHook(self, is_chief, num_tokens)

    # ------------------------------------------------------------------ inside
    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """The names of the slots of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> "list[VariableV1]":
        """The variables of the optimizer inside."""
        return self._opt.variables()


class SyncReplicasOptimizerHook(SessionRunHook):
    """Starts a worker: its local step, and the tokens and the thread of the chief.

    Args:
        sync_optimizer: the SyncReplicasOptimizer. is_chief: of one worker.
        num_tokens: see SyncReplicasOptimizer.get_init_tokens_op.
    """

    def __init__(
        self, sync_optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int
    ) -> None:
        self._sync_optimizer, self._is_chief = sync_optimizer, is_chief
        self._num_tokens = num_tokens
        self._local_init_op = self._ready_for_local_init_op = None
        self._q_runner = self._init_tokens_op = None

    def begin(self) -> None:
        """Make the ops.

        Raises:
            ValueError: there is no train op yet.
        """
        opt = self._sync_optimizer
        if not opt._gradients_applied:
            raise ValueError(
                "SyncReplicasOptimizer.apply_gradient should be called before using "
                "the hook."
            )
        self._ready_for_local_init_op = opt.ready_for_local_init_op
        if not self._is_chief:
            self._local_init_op = opt.local_step_init_op
            return
        self._local_init_op = opt.chief_init_op
        self._q_runner = opt.get_chief_queue_runner()
        self._init_tokens_op = opt.get_init_tokens_op(self._num_tokens)

    def after_create_session(self, session: Session, coord: Any) -> None:
        """Start: see SessionRunHook.

        Raises:
            RuntimeError: the global variables are not initialised.
        """
        what = "Model is not ready for SyncReplicasOptimizer local init."
        ready, message = is_ready(self._ready_for_local_init_op, session, what)
        if not ready:
            self._refuse(message)
        session.run(self._local_init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._q_runner is not None:
            self._q_runner.create_threads(session, coord=coord, daemon=True, start=True)

    def _refuse(self, message: str | None) -> NoReturn:
        name = getattr(self._local_init_op, "name", None)
        raise RuntimeError(
            "Init operations did not make model ready for SyncReplicasOptimizer "
            f"local_init. Init op: {name}, error: {message}"
        )
