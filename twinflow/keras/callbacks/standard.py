"""Callbacks that stop, save, report and change the learning rate."""

import csv
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.base.annotations import Path
from twinflow.keras.backend import sessions
from twinflow.keras.callbacks.base import Callback


class LambdaCallback(Callback):
    """Calls functions.

    Args:
        on_epoch_begin, on_epoch_end, on_batch_begin, on_batch_end: functions of (the
            number, logs). on_train_begin, on_train_end: functions of logs.
        kwargs: further attributes.
    Example:
        losses = []
        callback = tf.keras.callbacks.LambdaCallback(
            on_epoch_end=lambda epoch, logs: losses.append(logs["loss"]))
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        history = model.fit(
            np.ones((8, 3)), np.ones((8, 1)), epochs=2, verbose=0, callbacks=[callback])
        len(losses)  # 2
    """

    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None,
        on_batch_begin: Any = None, on_batch_end: Any = None,
        on_train_begin: Any = None, on_train_end: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        given = locals().copy()
        super().__init__()
        self.__dict__.update(kwargs)
        for name, function in given.items():
            if name.startswith("on_") and function is not None:
                setattr(self, name, function)


class TerminateOnNaN(Callback):
    """Ends the training when the loss is not a finite number."""

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Look at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch:d}: Invalid loss, terminating training")
            self.model.stop_training = True


def _better(mode, monitor, name, highs):
    """Whether larger values are better.

    Args:
        mode: "auto", "min" or "max". monitor: the name of the value.
        name: of the callback, for warnings. highs: what "auto" takes for `max`.
    """
    if mode not in ("auto", "min", "max"):
        logging.warning("%s mode %s is unknown, fallback to auto mode.", name, mode)
        mode = "auto"
    if mode == "auto":
        return highs(monitor)
    return mode == "max"


class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    Args:
        filepath: the path, with fields such as `{epoch:02d}` and `{val_loss:.2f}`.
        monitor: the name of the value that says which is the best.
        verbose: 1 to say what is done. save_best_only: whether to skip worse ones.
        save_weights_only: the weights, not the whole model.
        mode: "min", "max", or "auto": by the name. period: of epochs between saves.
    Example:
        callback = tf.keras.callbacks.ModelCheckpoint(
            "best.h5", monitor="loss", save_best_only=True, save_weights_only=True)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        model.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0, callbacks=[callback])
        model.load_weights("best.h5")
    """

    def __init__(
        self, filepath: Path, monitor: str = "val_loss", verbose: int = 0,
        save_best_only: bool = False, save_weights_only: bool = False,
        mode: str = "auto", period: int = 1,
    ) -> None:  # fmt: skip
        super().__init__()
        self.filepath, self.monitor, self.verbose = filepath, monitor, verbose
        self.save_best_only, self.period = save_best_only, period
        self.save_weights_only, self.epochs_since_last_save = save_weights_only, 0
        larger = _better(
            mode, monitor, "ModelCheckpoint",
            lambda m: "acc" in m or m.startswith("fmeasure"),
        )  # fmt: skip
        self.monitor_op = np.greater if larger else np.less
        self.best = -np.inf if larger else np.inf

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Save, if it is time."""
        self.epochs_since_last_save += 1
        if self.epochs_since_last_save < self.period:
            return
        self.epochs_since_last_save = 0
        logs = logs or {}
        path = self.filepath.format(epoch=epoch + 1, **logs)
        if not self.save_best_only:
            self._say(f"Epoch {epoch + 1:05d}: saving model to {path}")
            self._save(path)
            return
        current = logs.get(self.monitor)
        if current is None:
            logging.warning(
                "Can save best model only with %s available, skipping.", self.monitor
            )
        elif self.monitor_op(current, self.best):
            self._say(
                f"Epoch {epoch + 1:05d}: {self.monitor} improved from {self.best:0.5f} "
                f"to {current:0.5f}, saving model to {path}"
            )
            self.best = current
            self._save(path)
        else:
            self._say(
                f"Epoch {epoch + 1:05d}: {self.monitor} did not improve from "
                f"{self.best:0.5f}"
            )

    def _say(self, text):
        if self.verbose > 0:
            print(f"\n{text}")

    def _save(self, path):
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


class EarlyStopping(Callback):
    """Ends the training when a value has stopped to get better.

    Args:
        monitor: its name. min_delta: the least change that counts.
        patience: for how many epochs it may not get better. verbose: 1 to say so.
        mode: "min", "max", or "auto": by the name. baseline: what it has to beat.
    """

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0,
        verbose: int = 0, mode: str = "auto", baseline: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.wait, self.stopped_epoch = baseline, 0, 0
        larger = _better(mode, monitor, "EarlyStopping", lambda m: "acc" in m)
        self.monitor_op = np.greater if larger else np.less
        self.min_delta = abs(min_delta) * (1 if larger else -1)

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin anew."""
        self.wait = self.stopped_epoch = 0
        worst = np.inf if self.monitor_op is np.less else -np.inf
        self.best = worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Compare, and count."""
        logs = logs or {}
        current = logs.get(self.monitor)
        if current is None:
            logging.warning(
                "Early stopping conditioned on metric `%s` which is not available. "
                "Available metrics are: %s",
                self.monitor, ",".join(logs),
            )  # fmt: skip
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs: Any = None) -> None:
        """Say so."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class RemoteMonitor(Callback):
    """Would send values to a server; twinflow opens no connections.

    Raises:
        ValueError: always.
    """

    def __init__(
        self, root: str = "http://localhost:9000", path: str = "/publish/epoch/end/",
        field: str = "data", headers: Any = None, send_as_json: bool = False,
    ) -> None:  # fmt: skip
        raise ValueError(
            f"RemoteMonitor would send the training's values to {root}; twinflow opens "
            "no connections. Send them in a LambdaCallback(on_epoch_end=...)."
        )


class LearningRateScheduler(Callback):
    """Chooses the rate of each epoch.

    Args:
        schedule: a function of (epoch, rate), or of the epoch, that gives a float.
        verbose: 1 to say what is done.
    Raises:
        ValueError: the optimizer has no `lr`, or the schedule gives no float.
    """

    def __init__(self, schedule: Callable[..., Any], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Set the rate."""
        optimizer = self.model.optimizer
        if not hasattr(optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = self.schedule(epoch, float(sessions.get_value(optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, float | np.float32 | np.float64):
            raise ValueError('The output of the "schedule" function should be float.')
        sessions.set_value(optimizer.lr, rate)
        if self.verbose > 0:
            print(
                f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning "
                f"rate to {rate}."
            )


class ReduceLROnPlateau(Callback):
    """Makes the rate smaller when a value has stopped to get better.

    Args:
        monitor: its name. factor: what the rate is multiplied by, below 1.
        patience: for how many epochs it may not get better. verbose: 1 to say so.
        mode: "min", "max", or "auto": by the name. min_delta: the least change that
            counts. cooldown: for how many epochs not to count afterwards.
        min_lr: the least rate.
    Raises:
        ValueError: the factor is not below 1.
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10,
        verbose: int = 0, mode: str = "auto", min_delta: float = 1e-4,
        cooldown: int = 0, min_lr: float = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        if "epsilon" in kwargs:
            min_delta = kwargs.pop("epsilon")
            logging.warning(
                "`epsilon` argument is deprecated and will be removed, use `min_delta` "
                "instead."
            )
        self.monitor, self.factor, self.patience = monitor, factor, patience
        self.verbose, self.mode, self.min_delta = verbose, mode, min_delta
        self.cooldown, self.min_lr = cooldown, min_lr
        self._reset()

    def _reset(self):
        self.larger = _better(
            self.mode, self.monitor, "Learning Rate Plateau Reducing",
            lambda m: "acc" in m,
        )  # fmt: skip
        self.best = -np.inf if self.larger else np.inf
        self.cooldown_counter = self.wait = 0

    def monitor_op(self, a: Any, b: Any) -> Any:
        """Whether `a` is better than `b`."""
        if self.larger:
            return np.greater(a, b + self.min_delta)
        return np.less(a, b - self.min_delta)

    def in_cooldown(self) -> bool:
        """Whether epochs are not counted now."""
        return self.cooldown_counter > 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin anew."""
        self._reset()

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Compare, and count."""
        logs = {} if logs is None else logs
        logs["lr"] = sessions.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            logging.warning(
                "Reduce LR on plateau conditioned on metric `%s` which is not "
                "available. Available metrics are: %s",
                self.monitor, ",".join(logs),
            )  # fmt: skip
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch):
        rate = float(sessions.get_value(self.model.optimizer.lr))
        if rate <= self.min_lr:
            return
        rate = max(rate * self.factor, self.min_lr)
        sessions.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print(
                f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to "
                f"{rate}."
            )
        self.cooldown_counter, self.wait = self.cooldown, 0


class CSVLogger(Callback):
    """Writes the values of each epoch to a file.

    Args:
        filename: its path. separator: between columns. append: to what is there.
    """

    keys: Any
    writer: Any

    def __init__(
        self, filename: Path, separator: str = ",", append: bool = False
    ) -> None:
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.writer, self.keys, self.append_header = None, None, True

    def on_train_begin(self, logs: Any = None) -> None:
        """Open the file."""
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as file:
                self.append_header = not file.readline()
        mode = "a" if self.append else "w"
        self.csv_file = open(self.filename, mode, newline="")  # noqa: SIM115

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Write a row."""
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.model.stop_training:  # the last epoch may lack the validation
            logs = {k: logs.get(k, "NA") for k in self.keys}
        if self.writer is None:
            self.writer = csv.DictWriter(
                self.csv_file, ["epoch", *self.keys], delimiter=self.sep
            )
            if self.append_header:
                self.writer.writeheader()
        row = {key: _cell(logs[key]) for key in self.keys}
        self.writer.writerow({"epoch": epoch, **row})
        self.csv_file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Close the file."""
        self.csv_file.close()
        self.writer = None


def _cell(value):
    if isinstance(value, str) or np.ndim(value) == 0:
        return value
    return f'"[{", ".join(map(str, value))}]"'
