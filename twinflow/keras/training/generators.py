"""fit, evaluate and predict on batches that a generator or Sequence gives."""

import contextlib

import numpy as np

from twinflow.keras.callbacks import base as kinds
from twinflow.keras.training import arrays
from twinflow.keras.utils.data_sequence import (
    GeneratorEnqueuer,
    OrderedEnqueuer,
    Sequence,
)
from twinflow.keras.utils.progress_bar import Progbar


def check_alone(y, sample_weight):
    """Raise ValueError where targets or weights are given beside a generator."""
    for given, name, place, what in (
        (y, "y", "second", "targets"),
        (sample_weight, "sample_weight", "third", "sample weights"),
    ):
        if given is not None:
            raise ValueError(
                f"`{name}` argument is not supported when data isa generator or "
                f"Sequence instance. Instead pass {what} as the {place} element of the "
                "generator."
            )


def _count(generator, steps, name):
    if steps is not None:
        return steps
    if not isinstance(generator, Sequence):
        raise ValueError(
            f"`{name}=None` is only valid for a generator based on the "
            f"`keras.utils.Sequence` class. Please specify `{name}` or use the "
            "`keras.utils.Sequence` class."
        )
    return len(generator)


@contextlib.contextmanager
def _batches(generator, workers, max_queue_size, shuffle=False):
    """An iterator over batches, made ahead if there are workers."""
    ordered = isinstance(generator, Sequence)
    if workers <= 0:
        yield iter(generator)
        return
    enqueuer = (
        OrderedEnqueuer(generator, shuffle=shuffle)
        if ordered
        else GeneratorEnqueuer(generator)
    )
    enqueuer.start(workers, max_queue_size)
    try:
        yield enqueuer.get()
    finally:
        enqueuer.stop()


def _parts(element):
    """(inputs, targets, weights) of what a generator gave.

    Raises:
        ValueError: it does not have two or three parts.
    """
    if not hasattr(element, "__len__") or len(element) not in (2, 3):
        raise ValueError(
            "Output of generator should be a tuple `(x, y, sample_weight)` or `(x, "
            f"y)`. Found: {element}"
        )
    return (*element, None)[:3]


def _size(x):
    return int(arrays.listed(x)[0].shape[0])


class _Taken:
    """Batches of a generator in the way of arrays.Source."""

    samples = None

    def __init__(self, model, batches, count, class_weight):
        self.model, self.count, self._batches = model, count, batches
        self._class_weight, self._sizes = class_weight, {}

    def shuffle(self, how):
        """The Sequence is mixed where it is queued."""

    def take(self):
        """The next batch: its size, and its arrays in a function."""
        x, y, w = _parts(next(self._batches))
        data = self.model._standardize_user_data(x, y, w, self._class_weight)
        return _size(x), [v for part in data for v in arrays.listed(part)]

    def size(self, i):
        """The number of samples in the next batch."""
        found, self._values = self.take()
        return found

    def batch(self, i):
        """The arrays of the batch whose size was asked for."""
        return self._values


def fit_generator(
    model, generator, steps, epochs, verbose, callbacks, validation_data,
    validation_steps, class_weight, max_queue_size, workers, shuffle, initial_epoch,
):  # fmt: skip
    """Train on what a generator gives; see Model.fit_generator."""
    model._check_compiled()
    steps = _count(generator, steps, "steps_per_epoch")
    val_data, test = _validation(
        model, validation_data, validation_steps, max_queue_size, workers
    )
    every = kinds.configure_callbacks(
        callbacks, model, test is not None, None, epochs, steps, None, verbose,
        "steps", val_data, validation_steps,
    )  # fmt: skip
    with _batches(generator, workers, max_queue_size, shuffle) as batches:
        source = _Taken(model, batches, steps, class_weight)
        return arrays.run_epochs(
            model, source, every, test, initial_epoch, epochs, shuffle
        )


def _validation(model, given, steps, max_queue_size, workers):
    """(the data, a function that gives the values of the validation or None)."""
    if given is None:
        return None, None
    if hasattr(given, "__next__") or isinstance(given, Sequence):
        steps = _count(given, steps, "validation_steps")
        return given, lambda: evaluate_generator(
            model, given, steps, max_queue_size, workers, 0
        )
    if not isinstance(given, list | tuple) or len(given) not in (2, 3):
        raise ValueError(
            "`validation_data` should be a tuple `(val_x, val_y, val_sample_weight)` "
            f"or `(val_x, val_y)`. Found: {given}"
        )
    x, y, w = (*given, None)[:3]
    data = model._standardize_user_data(x, y, w)
    return data, lambda: model.evaluate(x, y, sample_weight=w, verbose=0)


def evaluate_generator(model, generator, steps, max_queue_size, workers, verbose):
    """The loss and the metrics; see Model.evaluate_generator."""
    model._check_compiled()
    steps = _count(generator, steps, "steps")
    bar = Progbar(steps) if verbose == 1 else None
    found, sizes = [], []
    model._reset_metrics()
    with _batches(generator, workers, max_queue_size) as batches:
        for i in range(steps):
            x, y, w = _parts(next(batches))
            size = _size(x)
            if size == 0:
                raise ValueError(
                    "Received an empty batch. Batches should at least contain one item."
                )
            found.append(arrays.listed(model.test_on_batch(x, y, w)))
            sizes.append(size)
            if bar is not None:
                bar.update(i + 1)
    means = [np.average(c, weights=sizes) for c in zip(*found, strict=True)]
    means = arrays.with_stateful(model, means, found[-1])
    return means[0] if len(means) == 1 else means


def predict_generator(model, generator, steps, max_queue_size, workers, verbose):
    """The outputs; see Model.predict_generator."""
    steps = _count(generator, steps, "steps")
    bar = Progbar(steps) if verbose == 1 else None
    found = []
    with _batches(generator, workers, max_queue_size) as batches:
        for i in range(steps):
            element = next(batches)
            x = element[0] if isinstance(element, tuple) else element
            found.append(arrays.listed(model.predict_on_batch(x)))
            if bar is not None:
                bar.update(i + 1)
    outs = [np.concatenate(column) for column in zip(*found, strict=True)]
    return outs[0] if len(outs) == 1 else outs
