"""Callbacks: the base, and those that every training has."""

import sys
import time
from collections import deque
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.base.annotations import overridable
from twinflow.base.dispatch import current_mode
from twinflow.drawing import screens
from twinflow.keras.utils import cards
from twinflow.keras.utils.printed_floats import shown
from twinflow.keras.utils.progress_bar import Progbar


class Callback:
    """The base: methods that are called while a model is trained.

    Attributes:
        model: the model. params: a dict: `epochs`, `steps`, `samples`, `batch_size`,
            `verbose`, `do_validation`, `metrics` (names). validation_data: arrays.
    Example:
        class Shout(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                print(epoch, logs["loss"])
    """

    model: Any
    validation_data: Any

    def __init__(self) -> None:
        self.validation_data = self.model = None

    def set_params(self, params: Any) -> None:
        """Take the settings of the training."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Take the model."""
        self.model = model

    @overridable
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any:
        """An epoch begins, the number `epoch` from 0."""

    @overridable
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any:
        """An epoch ends; `logs` has the averages, to read and to add to."""

    @overridable
    def on_batch_begin(self, batch: Any, logs: Any = None) -> Any:
        """A batch begins; `logs` has its number and `size`."""

    @overridable
    def on_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """A batch ends; `logs` has the loss and the metrics too."""

    @overridable
    def on_train_begin(self, logs: Any = None) -> Any:
        """The training begins."""

    @overridable
    def on_train_end(self, logs: Any = None) -> Any:
        """The training ends."""


class BaseLogger(Callback):
    """Averages the loss and the metrics over an epoch.

    Args:
        stateful_metrics: the names of values that are kept as they are.
    """

    def __init__(self, stateful_metrics: Any = None) -> None:
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Begin with nothing."""
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Add the values of a batch."""
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size * logs.get("num_steps", 1)
        for key, value in logs.items():
            if key in self.stateful_metrics:
                self.totals[key] = value
            else:
                added = np.float64(value) * size
                self.totals[key] = self.totals.get(key, 0) + added

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Put the averages into `logs`."""
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                whole = key in self.stateful_metrics
                total = self.totals[key]
                logs[key] = shown(total if whole else total / self.seen)


class ProgbarLogger(Callback):
    """Shows a progress bar.

    Args:
        count_mode: "samples" or "steps": what it counts.
        stateful_metrics: the names of values that are shown as they are.
    Raises:
        ValueError: it counts something else.
    """

    def __init__(
        self, count_mode: str = "samples", stateful_metrics: Any = None
    ) -> None:
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}")
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or [])
        self.log_values: list[Any] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Read the settings."""
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]
        self._board = screens.Board()

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Begin a bar."""
        self.seen = 0
        if self.verbose:
            title = f"Epoch {epoch + 1:d}/{self.epochs:d}"
            on_board = self.verbose == 1
            on_board &= screens.screen_of(sys.stdout) == screens.NOTEBOOK
            if not on_board:
                print(title)
            self.target = self.params["steps" if self.use_steps else "samples"]
            self.progbar = Progbar(
                self.target, verbose=self.verbose,
                stateful_metrics=self.stateful_metrics,
            )  # fmt: skip
            if on_board:
                self.progbar._on(self._board, f"{title}  ", (epoch, self.epochs))

    def on_batch_begin(self, batch: Any, logs: Any = None) -> None:
        """Forget the values of the last batch."""
        if self.target is None or self.seen < self.target:
            self.log_values = []

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Move the bar, except at the end: that is done with the epoch."""
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self.seen += steps if self.use_steps else logs.get("size", 0) * steps
        self._note(logs)
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Show the full bar, with the averages and the validation."""
        self._note(logs or {})
        if self.verbose:
            self.progbar._end()
            self.progbar.update(self.seen, self.log_values)

    def _note(self, logs):
        self.log_values += [(k, logs[k]) for k in self.params["metrics"] if k in logs]

    target = None


class History(Callback):
    """Keeps the values of all epochs; `fit` gives one.

    Attributes:
        epoch: the numbers of the epochs. history: {name: list of values}.
    """

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin with nothing."""
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Keep the values of an epoch."""
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)

    def _repr_html_(self) -> str:
        return cards.of_history(self)


class CallbackList:
    """Several callbacks as one.

    Args:
        callbacks: a list. queue_length: over how many batches their time is averaged.
    """

    model: Any
    params: dict[Any, Any]

    def __init__(self, callbacks: Any = None, queue_length: int = 10) -> None:
        self.callbacks = list(callbacks or [])
        self.queue_length, self.params, self.model = queue_length, {}, None
        self._times: deque[Any] = deque(maxlen=queue_length)
        self._entered = time.time()

    def append(self, callback: Any) -> None:
        """Add a callback."""
        self.callbacks.append(callback)

    def set_params(self, params: Any) -> None:
        """Give all the settings."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Give all the model."""
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def _each(self, method, *args):
        for callback in self.callbacks:
            getattr(callback, method)(*args)

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Tell all that an epoch begins."""
        self._each("on_epoch_begin", epoch, logs or {})
        self._times.clear()

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Tell all that an epoch ends."""
        self._each("on_epoch_end", epoch, {} if logs is None else logs)

    def on_batch_begin(self, batch: Any, logs: Any = None) -> None:
        """Tell all that a batch begins."""
        self._each("on_batch_begin", batch, logs or {})
        self._entered = time.time()

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Tell all that a batch ends; warn if they are slower than the batch."""
        before = time.time()
        own = before - self._entered
        self._each("on_batch_end", batch, logs or {})
        self._times.append(time.time() - before)
        if own <= 0.0 or max(self._times) <= 0.1:  # rarely more
            return
        median = float(np.median(self._times))
        if median > 0.95 * own and median > 0.1:
            logging.warning(
                "Method on_batch_end() is slow compared to the batch update (%f). "
                "Check your callbacks.",
                median,
            )

    def on_train_begin(self, logs: Any = None) -> None:
        """Tell all that the training begins."""
        self._each("on_train_begin", logs or {})

    def on_train_end(self, logs: Any = None) -> None:
        """Tell all that the training ends."""
        self._each("on_train_end", logs or {})

    def __iter__(self) -> Any:
        return iter(self.callbacks)


def configure_callbacks(
    callbacks: Any, model: Any, do_validation: Any, batch_size: Any, epochs: Any,
    steps: Any, samples: Any, verbose: Any, count_mode: str, val_data: Any,
    validation_steps: Any, seen: Any = None,
) -> CallbackList:  # fmt: skip
    """The CallbackList of a training, with those that every training has.

    Args: see Model.fit; `seen`: what callbacks get as their model, if not the model.
    """
    model.__dict__["history"] = History()
    found = [BaseLogger(), *(callbacks or []), model.history]
    if verbose:
        found.append(ProgbarLogger(count_mode))
    every = CallbackList(found)
    if seen is None and model.built and model._is_compiled and not current_mode().eager:
        model._make_train_function()  # which callbacks look for in the graph
    every.set_model(model if seen is None else seen)
    every.set_params({
        "batch_size": batch_size, "epochs": epochs, "steps": steps,
        "samples": samples, "verbose": verbose, "do_validation": do_validation,
        "metrics": [], "validation_steps": validation_steps,
    })  # fmt: skip
    if model._is_compiled:
        name_metrics(every, model)
    for callback in found:
        callback.validation_data = _flat(val_data)
    model.__dict__["stop_training"] = False
    return every


def name_metrics(callbacks, model):
    """Tell callbacks the names of the loss and the metrics."""
    for callback in callbacks.callbacks:
        if isinstance(callback, BaseLogger | ProgbarLogger):
            callback.stateful_metrics.update(model.stateful_metric_names)
    names = list(model.metrics_names)
    if callbacks.params["do_validation"]:
        names += [f"val_{name}" for name in model.metrics_names]
    callbacks.set_params({**callbacks.params, "metrics": names})


def _flat(val_data):
    """Inputs, targets and weights of the validation as one list."""
    if not isinstance(val_data, tuple):
        return val_data or []
    inputs = val_data[0]
    if not isinstance(inputs, list | dict):
        return inputs
    inputs = list(inputs.values()) if isinstance(inputs, dict) else inputs
    return [*inputs, *(val_data[1] or []), *(val_data[2] or [])]
