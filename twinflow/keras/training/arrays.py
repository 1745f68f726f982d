"""fit, evaluate and predict as loops over batches of arrays, tensors, iterators."""

import numpy as np

from twinflow.base import logging
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import OutOfRangeError
from twinflow.keras.callbacks import base as kinds
from twinflow.keras.utils.printed_floats import shown
from twinflow.keras.utils.progress_bar import Progbar

_NO_DATA = (
    "Your dataset iterator ran out of data; interrupting training. Make sure that your "
    "dataset can generate at least `steps_per_epoch * epochs` batches (in this case, "
    "%d batches). You may need to use the repeat() function when building your dataset."
)
_NO_TEST_DATA = (
    "Your dataset iterator ran out of data interrupting %s. Make sure that your "
    "dataset can generate at least `steps` batches (in this case, %d batches). You may "
    "need to use the repeat() function when building your dataset."
)


def make_batches(size, batch_size):
    """Pairs of (begin, end) that cut `size` samples."""
    starts = range(0, size, batch_size)
    return [(i, min(size, i + batch_size)) for i in starts]


def slice_arrays(arrays, start=None, stop=None):
    """Parts of arrays: from `start` to `stop`, or the rows `start`; None stays.

    Raises:
        ValueError: there is a `stop` beside the rows.
    """
    if arrays is None:
        return [None]
    if hasattr(start, "__len__") and stop is not None:
        raise ValueError(
            "The stop argument has to be None if the value of start is a list."
        )
    if not isinstance(arrays, list | tuple):
        return slice_arrays([arrays], start, stop)[0]
    if hasattr(start, "__len__"):
        rows = start.tolist() if hasattr(start, "tolist") else start
        return [None if a is None else _rows(a, rows) for a in arrays]
    return [None if a is None else a[start:stop] for a in arrays]


def _array(x):
    """A tensor as an array, copied once and not for each batch; others as they are."""
    return x.numpy() if hasattr(x, "numpy") else x


def _rows(array, rows):
    found = array[rows]
    return found.toarray() if hasattr(found, "toarray") else found


def is_iterator(x):
    """Whether elements are taken from this one by one, in eager mode."""
    return hasattr(x, "get_next") and hasattr(x, "output_shapes")


def _sample_count(arrays, batch_size, steps, name):
    if steps is not None:
        if batch_size is not None:
            raise ValueError(f"If {name} is set, the `batch_size` must be None.")
        return None
    return int(arrays[0].shape[0]) if arrays else None


class Source:
    """Where the batches of an epoch come from: arrays, tensors or an iterator.

    Args:
        model: the model. data: (inputs or an iterator, targets, weights).
        batch_size: an int, or None where the number of `steps` is given.
        name: of the argument `steps`, for errors. class_weight: for iterators.
    """

    def __init__(self, model, data, batch_size, steps, name, class_weight=None):
        inputs, targets, weights = data
        self.model, self.steps, self._class_weight = model, steps, class_weight
        self.iterator = inputs if is_iterator(inputs) else None
        self.samples = None
        if self.iterator is None:
            inputs = listed(inputs)
            self.flat = [*inputs, *(targets or []), *(weights or [])]
            self.samples = _sample_count(self.flat, batch_size, steps, name)
        if self.samples is not None:
            self.flat = [_array(a) for a in self.flat]
            self.batch_size = batch_size or 32
            self.order = np.arange(self.samples)
            self.batches = make_batches(self.samples, self.batch_size)
            self.count = len(self.batches)
        else:
            self.count = steps
        eager = current_mode().eager
        self.target = self.count if eager or not self.samples else self.samples

    def check_not_empty(self, task: str) -> None:
        """Refuse arrays without samples: there would be nothing to report."""
        if self.samples == 0:
            shapes = [np.shape(a) for a in self.flat if a is not None]
            raise ValueError(
                f"There are no samples to {task}: the arrays have the shapes {shapes}"
            )

    def done(self, i):
        """How far the bar is after the batch `i`; see `target`."""
        return i + 1 if self.target == self.count else self.batches[i][1]

    def shuffle(self, how):
        """Mix the samples; `how` is True, or "batch": only whole batches."""
        if self.samples is None or not how:
            return
        if how != "batch":
            np.random.shuffle(self.order)
            return
        whole = self.samples // self.batch_size * self.batch_size
        rows = self.order[:whole].reshape(-1, self.batch_size)
        np.random.shuffle(rows)
        self.order = np.append(rows.ravel(), self.order[whole:])

    def size(self, i):
        """The number of samples in a batch; 1 where it is not known."""
        if self.samples is None or current_mode().eager:
            return 1
        return self.batches[i][1] - self.batches[i][0]

    def batch(self, i):
        """The arrays of a batch, as steps take them; see Note [Steps]."""
        if self.iterator is not None:
            return self._taken()
        if self.samples is None:
            return self.flat
        start, stop = self.batches[i]
        try:
            return slice_arrays(self.flat, self.order[start:stop])
        except TypeError:
            raise TypeError(
                "TypeError while preparing batch. If using HDF5 input data, pass "
                'shuffle="batch".'
            ) from None

    def _taken(self):
        element = self.iterator.get_next()
        x, y, w = split_element(element)
        found = self.model._standardize_user_data(
            x, y, sample_weight=w, class_weight=self._class_weight
        )
        return [v for part in found for v in listed(part)]


def listed(inputs):
    """A dict, list or single thing as a list."""
    if isinstance(inputs, dict):
        return list(inputs.values())
    if inputs is None:
        return []
    return list(inputs) if isinstance(inputs, list | tuple) else [inputs]


def split_element(element):
    """(inputs, targets, weights) of an element of a dataset.

    Raises:
        ValueError: it does not have two or three parts.
    """
    if not isinstance(element, list | tuple) or len(element) not in (2, 3):
        raise ValueError(
            "Please provide model inputs as a list or tuple of 2  or 3elements: "
            "(input, target) or (input, target, sample_weights)Received "
            f"{element}"
        )
    return (*element, None) if len(element) == 2 else tuple(element)


# ------------------------------------------------------------------ fit
def fit_loop(
    model, data, val_data, batch_size, epochs, verbose, callbacks, shuffle,
    initial_epoch, steps_per_epoch, validation_steps, class_weight,
):  # fmt: skip
    """Train for some epochs; gives the History. Arguments: see Model.fit."""
    eager = current_mode().eager
    source = Source(
        model, data, batch_size, steps_per_epoch, "steps_per_epoch", class_weight
    )
    source.check_not_empty("train on")
    checks = val_data is not None
    if validation_steps and steps_per_epoch is None and not eager:
        raise ValueError(
            "Can only use `validation_steps` when doing step-wise training, i.e. "
            "`steps_per_epoch` must be set."
        )
    if checks and not eager and verbose and source.samples and val_data[0]:
        count = listed(val_data[0])[0].shape[0]
        print(f"Train on {source.samples} samples, validate on {count} samples")
    found = kinds.configure_callbacks(
        callbacks, model, checks, batch_size, epochs,
        source.count if eager else steps_per_epoch, source.samples, verbose,
        "samples" if source.samples and not eager else "steps",
        val_data, validation_steps,
    )  # fmt: skip
    test = None
    if checks:

        def test():
            return test_loop(
                model, val_data, None if validation_steps else batch_size, 0,
                validation_steps,
            )  # fmt: skip

    return run_epochs(model, source, found, test, initial_epoch, epochs, shuffle)


def run_epochs(model, source, callbacks, test, initial_epoch, epochs, shuffle):
    """The epochs of `fit_loop`; `test` gives the values of the validation, or None."""
    callbacks.on_train_begin()
    for epoch in range(initial_epoch, epochs):
        model._reset_metrics()
        callbacks.on_epoch_begin(epoch)
        source.shuffle(shuffle)
        logs: dict = {}
        if _epoch(model, source, callbacks, epochs) and test is not None:
            for name, value in zip(model.metrics_names, listed(test()), strict=True):
                logs[f"val_{name}"] = value
        callbacks.on_epoch_end(epoch, logs)
        if callbacks.model.stop_training:
            break
    callbacks.on_train_end()
    return model.history


def _epoch(model, source, callbacks, epochs):
    """Train on the batches of one epoch; whether it came to its end."""
    for i in range(source.count):
        logs = {"batch": i, "size": source.size(i)}
        callbacks.on_batch_begin(i, logs)
        try:
            values = source.batch(i)
            outs = model._make_train_function()(values)
        except OutOfRangeError:
            logging.warning(_NO_DATA, source.count * epochs)
            return not current_mode().eager
        if not callbacks.params["metrics"]:
            kinds.name_metrics(callbacks, model)
        logs.update(zip(model.metrics_names, map(shown, outs), strict=True))
        callbacks.on_batch_end(i, logs)
        if callbacks.model.stop_training:
            return False
    return True


# ------------------------------------------------------------------ evaluate
def test_loop(model, data, batch_size=None, verbose=0, steps=None):
    """The loss and metrics on data: a number, or a list of them."""
    source = Source(model, data, batch_size, steps, "steps")
    source.check_not_empty("evaluate")
    return test_on(model, source, verbose)


def test_on(model, source, verbose=0):
    """The loss and metrics on the batches of a source; see `test_loop`."""
    bar = Progbar(source.target) if verbose == 1 else None
    model._reset_metrics()
    totals, count = [], 0
    for i in range(source.count):
        try:
            values = source.batch(i)
            outs = model._make_test_function()(values)
        except OutOfRangeError:
            logging.warning(_NO_TEST_DATA, "testing", source.count)
            break
        size = _weight(source, values, i)
        totals = totals or [0.0] * len(outs)
        pairs = zip(totals, outs, strict=True)
        totals = [t + np.float64(out) * size for t, out in pairs]
        count += size
        if bar is not None:
            bar.update(source.done(i))
    totals = with_stateful(model, [t / count for t in totals], outs)
    return totals[0] if len(totals) == 1 else totals


def with_stateful(model, means, last):
    """Means over batches; of a metric that adds up itself, the last value."""
    whole = model.stateful_metric_names
    columns = zip(model.metrics_names, means, last, strict=True)
    return [shown(z if name in whole else mean) for name, mean, z in columns]


def _weight(source, values, i):
    if source.samples:
        return source.batches[i][1] - source.batches[i][0]
    known = source.iterator is not None
    return int(values[0].shape[0]) if known else 1


# ------------------------------------------------------------------ predict
def predict_loop(model, inputs, batch_size=32, verbose=0, steps=None):
    """The outputs for some inputs: an array, or a list of them."""
    source = Source(model, (inputs, [], []), batch_size, steps, "steps")
    return predict_on(model, source, verbose)


def predict_on(model, source, verbose=0):
    """The outputs for the batches of a source; see `predict_loop`."""
    step = None
    bar = Progbar(source.target) if verbose == 1 else None
    parts: list = []
    for i in range(source.count):
        try:
            values = _inputs_only(source) if source.iterator else source.batch(i)
            step = step or model._make_predict_function()
            parts.append(step(values))
        except OutOfRangeError:
            logging.warning(_NO_TEST_DATA, "predictions", source.count)
            break
        if bar is not None:
            bar.update(source.done(i))
    found = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return found[0] if len(found) == 1 else found


def _inputs_only(source):
    element = source.iterator.get_next()
    if isinstance(element, tuple) and len(element) <= 3:
        element = element[0]
    return listed(source.model._standardize_user_data(element)[0])
