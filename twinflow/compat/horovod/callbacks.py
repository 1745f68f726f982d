"""Keras callbacks of Horovod: first values, means of metrics, rates that grow."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import processes
from twinflow.base.dispatch import current_mode
from twinflow.compat.horovod.state import size
from twinflow.compat.horovod.values import check_root
from twinflow.keras.backend import sessions
from twinflow.keras.callbacks.base import Callback
from twinflow.ops.variables.collections import global_variables


class BroadcastGlobalVariablesCallback(Callback):
    """Gives the model and its optimizer the values of one process.

    That is done when the training begins; what the first step makes, as a model without
    an input shape does, gets them after it.

    Args:
        root_rank: whose values: of the process that has loaded them.
        device: accepted.
    """

    def __init__(self, root_rank: int, device: str = "") -> None:
        super().__init__()
        self.root_rank, self.device, self._done = root_rank, device, False

    def on_train_begin(self, logs: Any = None) -> None:
        """Take the values of what is there."""
        check_root(self.root_rank)
        self._done = bool(self.model.weights)
        if self._done:
            take_values(_variables(self.model), self.root_rank)

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Take them after the first step, if there were none."""
        if not self._done:
            take_values(_variables(self.model), self.root_rank)
            self._done = True


def _variables(model: Any) -> list:
    model.prepare_optimizer()
    if not current_mode().eager:
        return global_variables()
    optimizer = model.optimizer
    try:
        more = list(optimizer.weights)
    except NotImplementedError:  # one of tf.train
        more = list(optimizer.optimizer.variables())
    return [*model.weights, *more]


def take_values(variables: list, root: int) -> None:
    """Give variables the values of one process, now.

    Raises:
        ValueError: the processes have other variables than each other.
    """
    group = processes.current()
    if size() == 1 or not variables:
        return
    values = [np.asarray(v) for v in sessions.batch_get_value(variables)]
    shapes = repr([(v.shape, v.dtype.str) for v in values]).encode()
    for rank, other in enumerate(group.all_gather(np.frombuffer(shapes, np.uint8))):
        if other.tobytes() != shapes:
            raise ValueError(
                f"Process {rank} has other variables than process {group.rank}: "
                f"{other.tobytes().decode():.500} and {shapes.decode():.500}. Build "
                "and compile the same model in all of them before `fit`."
            )
    sent = group.broadcast(values, root)
    sessions.batch_set_value(list(zip(variables, sent, strict=True)))


class MetricAverageCallback(Callback):
    """Makes the logs of an epoch the means of all processes.

    It stands before callbacks that read them: ReduceLROnPlateau, TensorBoard.

    Args:
        device: accepted.
    """

    def __init__(self, device: str = "") -> None:
        super().__init__()
        self.device = device

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Average what is a number."""
        names = [n for n in sorted(logs or {}) if np.isscalar(logs[n])]
        if size() == 1 or not names:
            return
        own = np.array([float(logs[n]) for n in names])
        (total,) = processes.current().all_reduce([own])
        logs.update(zip(names, (total / size()).tolist(), strict=True))


class LearningRateScheduleCallback(Callback):
    """Multiplies the learning rate of the beginning, from epoch to epoch.

    Args:
        multiplier: a number, or a function of the epoch that gives one.
        start_epoch, end_epoch: from which epoch on, and before which.
        staircase: whether the epoch is a whole number; else it grows with each batch.
        momentum_correction: whether the momentum of one step goes with the rate.
        steps_per_epoch: batches in an epoch; found out where it is not given.
    """

    def __init__(
        self, multiplier: Any, start_epoch: int = 0, end_epoch: int | None = None,
        staircase: bool = True, momentum_correction: bool = True,
        steps_per_epoch: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.start_epoch, self.end_epoch = start_epoch, end_epoch
        self.staircase = staircase or not callable(multiplier)
        self.multiplier: Callable = (
            multiplier if callable(multiplier) else lambda epoch: multiplier
        )
        self.momentum_correction = momentum_correction
        self.steps_per_epoch = steps_per_epoch
        self.initial_lr = self.restore_momentum = self.current_epoch = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Note the rate of the beginning.

        Raises:
            ValueError: nobody says how many batches an epoch has.
        """
        self.initial_lr = float(sessions.get_value(self.model.optimizer.lr))
        if not self.staircase and not self.steps_per_epoch:
            self.steps_per_epoch = self._steps()

    def _steps(self) -> int:
        steps, samples = self.params.get("steps"), self.params.get("samples")
        batch = self.params.get("batch_size")
        if steps:
            return steps
        if samples and batch:
            return -(-samples // batch)
        raise ValueError(
            "Could not autodetect the number of steps per epoch. Please specify the "
            f"steps_per_epoch parameter to the {type(self).__name__}()."
        )

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Note which epoch this is."""
        self.current_epoch = epoch

    def on_batch_begin(self, batch: Any, logs: Any = None) -> None:
        """Set the rate."""
        epoch = self.current_epoch
        late = self.end_epoch is not None and epoch >= self.end_epoch
        if epoch < self.start_epoch or late or (self.staircase and batch):
            return
        if not self.staircase:
            epoch += batch / self.steps_per_epoch
        self._adjust(epoch)

    def _adjust(self, epoch: float) -> None:
        optimizer = self.model.optimizer
        before = float(sessions.get_value(optimizer.lr))
        now = self.initial_lr * self.multiplier(epoch)
        sessions.set_value(optimizer.lr, now)
        if self.momentum_correction and hasattr(optimizer, "momentum") and before:
            self.restore_momentum = float(sessions.get_value(optimizer.momentum))
            corrected = self.restore_momentum * now / before
            sessions.set_value(optimizer.momentum, corrected)

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Put the momentum back."""
        if self.restore_momentum is not None:
            momentum = self.model.optimizer.momentum
            sessions.set_value(momentum, self.restore_momentum)
            self.restore_momentum = None

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Put the rate into the logs."""
        if logs is not None:
            logs["lr"] = float(sessions.get_value(self.model.optimizer.lr))


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """Lets the learning rate grow from that of one process to that of all.

    The optimizer is made with the rate for all, lr * hvd.size(); the first batch has
    the rate lr, and after `warmup_epochs` it is the optimizer's.

    Args:
        warmup_epochs: how long it grows. verbose: 1 to say when it is done.
        momentum_correction, steps_per_epoch: see LearningRateScheduleCallback.
    """

    def __init__(
        self, warmup_epochs: int = 5, momentum_correction: bool = True,
        steps_per_epoch: int | None = None, verbose: int = 0,
    ) -> None:  # fmt: skip
        def multiplier(epoch: float) -> float:
            epoch += 1.0 / self.steps_per_epoch  # the last batch has the whole rate
            return 1.0 / size() * (epoch * (size() - 1) / warmup_epochs + 1)

        super().__init__(
            multiplier, 0, warmup_epochs, False, momentum_correction, steps_per_epoch
        )
        self.verbose = verbose

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Say when the rate is that of all."""
        super().on_epoch_end(epoch, logs)
        if epoch == self.end_epoch - 1 and self.verbose > 0:
            rate = float(sessions.get_value(self.model.optimizer.lr))
            print(
                f"\nEpoch {epoch + 1:d}: finished gradual learning rate warmup to "
                f"{rate:g}."
            )
