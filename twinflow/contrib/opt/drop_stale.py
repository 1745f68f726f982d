"""DropStaleGradientOptimizer: leaves out gradients that are too many steps old."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import colocate_with, control_dependencies
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.constant import cast, identity
from twinflow.ops.core.shape import reshape
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.summary import summaries
from twinflow.train.optimizer import Optimizer
from twinflow.train.training_util import get_global_step


class DropStaleGradientOptimizer(Optimizer):
    """Drops the gradients of workers that were overtaken by too many updates.

    How many were dropped is counted in the variable `stale_counter`, and their share is
    a summary.

    Args:
        opt: the Optimizer that applies the others.
        staleness: how many updates may lie between a gradient and its own.
        use_locking, name: see Optimizer.
    Example:
        v, step = tf.Variable(1.), tf.train.create_global_step()
        sgd = tf.train.GradientDescentOptimizer(1.)
        opt = tf.contrib.opt.DropStaleGradientOptimizer(sgd, staleness=0)
        train_op = opt.minimize(v * 2., global_step=step)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(train_op)
            sess.run(v)  # -1.0
    """

    def __init__(
        self, opt: Optimizer, staleness: int, use_locking: bool = False,
        name: str = "DropStaleGradient",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._opt, self._staleness = opt, staleness
        self._local_step: Any = None

    def compute_gradients(self, loss: Tensor, *args: Any, **kwargs: Any) -> list[Any]:
        """As the optimizer inside, with a note of the step; see Optimizer."""
        with colocate_with(loss):
            self._local_step = get_global_step() + 0
        with control_dependencies([self._local_step]):
            loss = identity(loss)
            return self._opt.compute_gradients(loss, *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Apply the gradients, or count them as dropped; see Optimizer.

        Args:
            grads_and_vars: (gradient, variable) pairs. global_step: must be given.
        Returns:
            float32[], how many were dropped.
        """
        pairs = list(grads_and_vars)
        with colocate_with(global_step):
            counter = get_variable(
                "stale_counter", [], initializer=Zeros(), trainable=False
            )

        def accepted() -> Tensor:
            done = self._opt.apply_gradients(pairs, global_step=global_step, name=name)
            with control_dependencies([done]):
                return identity(0.0)

        before = [
            g if isinstance(g, Tensor) else g.op for g, _ in pairs if g is not None
        ]
        with control_dependencies(before), colocate_with(global_step):
            age = reshape(global_step - self._local_step, [])
        dropped = cond(age <= self._staleness, accepted, lambda: identity(1.0))
        update = counter.assign_add(dropped)
        share = counter / cast(global_step + 1, dtypes.float32)
        summaries.scalar("Gradient staleness percentage", share)
        return update

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """The names of the slots of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)
