"""Steps that a strategy runs, and what runs them."""

from collections.abc import Callable
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.execute.session import Session
from twinflow.graph.scopes import group
from twinflow.ops.variables.collections import global_variables_initializer


class DistributedStep:
    """The base of steps: called, it takes one.

    Args:
        distribution: the DistributionStrategy.
    """

    def __init__(self, distribution: Any) -> None:
        self._distribution = distribution

    distribution = property(lambda self: self._distribution, doc="The strategy.")

    def initialize(self) -> list[Any]:
        """The nodes to run first."""
        return []


class StandardInputStep(DistributedStep):
    """A step with a dataset.

    Args:
        dataset_fn: gives the tf.data.Dataset. distribution: the DistributionStrategy.
    """

    def __init__(self, dataset_fn: Callable[..., Any], distribution: Any) -> None:
        super().__init__(distribution)
        dataset = distribution.distribute_dataset(dataset_fn)
        if current_mode().eager:
            self._iterator = dataset.make_one_shot_iterator()
        else:
            self._iterator = dataset.make_initializable_iterator()

    def initialize(self) -> list[Any]:
        """The nodes to run first: the iterator begins."""
        return [] if current_mode().eager else [self._iterator.initializer]


class StandardSingleLossStep(StandardInputStep):
    """A step of training on a loss.

    Args:
        dataset_fn: gives the tf.data.Dataset.
        loss_fn: the loss of a MultiStepContext and an element.
        optimizer: an Optimizer. distribution: the DistributionStrategy.
        iterations_per_step: how many updates a step is.
    Example:
        w = tf.get_variable("w", initializer=1.0)
        strategy = tf.contrib.distribute.OneDeviceStrategy("/cpu:0")
        step = tf.contrib.distribute.StandardSingleLossStep(
            lambda: tf.data.Dataset.from_tensors(2.0).repeat(),
            lambda context, x: w * x,
            tf.train.GradientDescentOptimizer(0.25), strategy,
        )
        train_op = step()
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), *step.initialize()])
            sess.run(train_op)
            sess.run(w)  # 0.5
    """

    def __init__(
        self, dataset_fn: Callable[..., Any], loss_fn: Callable[..., Any],
        optimizer: Any, distribution: Any, iterations_per_step: int = 1,
    ) -> None:  # fmt: skip
        super().__init__(dataset_fn, distribution)
        self._loss_fn, self._optimizer = loss_fn, optimizer
        self._is_run_concurrently = False
        self._iterations_per_step = iterations_per_step

    def __call__(self) -> Any:
        with self._distribution.scope():
            if current_mode().eager:
                for _ in range(self._iterations_per_step):
                    self._train(None, self._iterator.get_next())
                return None
            context = self._distribution.run_steps_on_dataset(
                lambda context, *inputs: self._train(context, *inputs),
                self._iterator, self._iterations_per_step,
            )  # fmt: skip
            return context.run_op

    def _train(self, context, *inputs):
        optimizer, loss_fn = self._optimizer, self._loss_fn
        call = self._distribution.call_for_each_tower
        return call(lambda: optimizer.minimize(lambda: loss_fn(context, *inputs)))


class Monitor:
    """Runs steps.

    Args:
        step_callable: the step. session: the tf.Session, in a graph.
    Raises:
        ValueError: there is a session eagerly, or none in a graph.
    """

    def __init__(self, step_callable: Any, session: Session | None = None) -> None:
        eager = current_mode().eager
        if eager and session is not None:
            raise ValueError("Should not provide a `session` in Eager mode.")
        if not eager and session is None:
            raise ValueError("Should provide a `session` in Graph mode.")
        self._run_step: Callable[..., Any] = step_callable
        if session is not None:
            start, step = step_callable.initialize(), step_callable()
            session.run([global_variables_initializer(), group(*start)])
            self._run_step = session.make_callable(step)

    def run_steps(self, num_steps: int | None = None) -> None:
        """Run steps until there are that many, or for ever."""
        done = 0
        while num_steps is None or done < num_steps:
            self._run_step()
            done += 1
