"""fit, evaluate and predict of models that are compiled with a strategy.

As in TensorFlow 1.12 a batch, of an array or a dataset, is that of one tower: a step of
N towers takes N of them. A model that is compiled inside `strategy.scope()`, as in
1.14, splits a batch among the towers of all processes, which are given the same data.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import logging, nest
from twinflow.base.dispatch import current_mode
from twinflow.data.dataset import Dataset
from twinflow.data.iterators.handles import EagerIterator, Iterator
from twinflow.distribute.values import select_tower
from twinflow.keras.backend import sessions
from twinflow.keras.callbacks import base as kinds
from twinflow.keras.training import arrays, checks, distributed_checks
from twinflow.keras.training.distributed import SeenByCallbacks, Towers, towers_of

_ROWS_LEFT = (
    "predict leaves out the last %d of %d samples: each of %d towers takes whole "
    "batches of %d."
)


class _Batches:
    """Where the batches of towers come from; what the loops of `arrays` ask.

    Args:
        count: how many steps there are.
    """

    iterator = samples = None

    def __init__(self, count: int) -> None:
        self.count = self.target = count

    def shuffle(self, how: Any) -> None:
        """Mix the samples."""

    def size(self, i: int) -> int:
        """The weight of a step."""
        return 1

    def done(self, i: int) -> int:
        """How far the bar is after the step `i`."""
        return i + 1


class _OfArrays(_Batches):
    """Batches of arrays, which begin again where they end.

    Args:
        given: the arrays, or None. size: of a batch. steps: how many an epoch has.
        towers: the numbers of the towers here. count: how many there are.
        agree: gives arrays of the first process.
    """

    def __init__(
        self, given: list, size: int, steps: int, towers: range, count: int,
        agree: Callable,
    ) -> None:  # fmt: skip
        super().__init__(steps)
        self._arrays, self._size = given, size
        self._towers, self._all, self._agree = towers, count, agree
        self._order = np.arange(given[0].shape[0])

    def shuffle(self, how: Any) -> None:
        """Mix the samples, if `how` is true."""
        if how:
            np.random.shuffle(self._order)
            if self._all > len(self._towers):  # of other processes too
                (self._order,) = self._agree([self._order])

    def batch(self, i: int) -> list:
        """The arrays of all towers, one after the other."""
        found: list = []
        for tower in self._towers:
            start = (i * self._all + tower) * self._size
            rows = self._order[np.arange(start, start + self._size) % len(self._order)]
            found += [None if a is None else a[rows] for a in self._arrays]
        return found


class _OfDataset(_Batches):
    """Batches of a dataset, one for each tower in turn.

    Args:
        towers: the Towers. dataset: the tf.data.Dataset.
        steps: how many there are. targets: whether its targets are wanted too.
        class_weight: of the samples of each class.
    """

    def __init__(
        self, towers: Towers, dataset: Any, steps: int, targets: bool,
        class_weight: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(steps)
        self._towers, self._targets = towers, targets
        self._class_weight = class_weight
        strategy = towers.strategy
        if current_mode().eager:
            with strategy.scope():
                self._next: Any = towers.split(dataset).make_one_shot_iterator()
            return
        iterator, element = towers.begun(dataset)
        sessions.get_session().run(iterator.initializer)
        self._flat = self._checked(element)

    def batch(self, i: int) -> list:
        """The tensors of all towers, one after the other."""
        return self._checked(self._next.get_next()) if current_mode().eager else (
            self._flat
        )  # fmt: skip

    def _checked(self, element: Any) -> list:
        towers, found = self._towers, []
        distributed_checks.first_of_towers(towers.strategy, element)
        for i in range(len(towers.copies)):
            part = select_tower(i, element)
            x, y, w = _parts_of(towers.model, part, self._targets)
            weights = w, None if w is not None else self._class_weight
            xs, ys, ws = towers.model._standardize_weights(x, y, *weights)
            found += [*xs, *ys, *_fed(towers.model, ws)]
        return found


def _fed(model: Any, weights: list) -> list:
    """The weights of samples that steps are given: of models compiled in the scope."""
    return weights if model.__dict__["_whole_batches"] else []


def _parts_of(model: Any, element: Any, targets: bool) -> tuple:
    """(inputs, targets or None, weights or None) of an element."""
    if not isinstance(element, tuple):
        if targets:
            arrays.split_element(element)  # says what is wrong
        return element, None, None
    weights = element[2] if len(element) > 2 else None
    distributed_checks.check_weights(model, weights)
    return (element[0], element[1], weights) if targets else (element[0], None, None)


# ------------------------------------------------------------------ the loops
def fit(
    model: Any, x: Any, y: Any, batch_size: Any, epochs: int, verbose: int,
    callbacks: Any, validation_split: Any, validation_data: Any, shuffle: Any,
    class_weight: Any, sample_weight: Any, initial_epoch: int, steps_per_epoch: Any,
    validation_steps: Any,
) -> Any:  # fmt: skip
    """Train for some epochs; gives the History. Arguments: see Model.fit."""
    distributed_checks.check_callbacks(callbacks)
    distributed_checks.check_inputs(x, y)
    distributed_checks.check_weights(model, sample_weight, class_weight)
    arguments = x, y, batch_size, steps_per_epoch, "steps_per_epoch"
    _check_split(x, validation_split)
    weights = sample_weight, class_weight
    towers, source = _source(model, *arguments, weights=weights)
    test = None
    if validation_data is not None:
        val_x, val_y, val_weight = _parts(validation_data)
        distributed_checks.check_inputs(val_x, val_y)
        distributed_checks.check_weights(model, val_weight)
        if isinstance(val_x, np.ndarray) or validation_steps:
            arguments = val_x, val_y, batch_size, validation_steps, "validation_steps"
            _, val_source = _source(model, *arguments, weights=(val_weight, None))
            test = lambda: arrays.test_on(towers, val_source)
    found = kinds.configure_callbacks(
        callbacks, model, test is not None, batch_size, epochs, source.count, None,
        verbose, "steps", None, validation_steps, SeenByCallbacks(towers),
    )  # fmt: skip
    try:
        return arrays.run_epochs(
            towers, source, found, test, initial_epoch, epochs, shuffle
        )
    finally:
        towers.pull()


def _check_split(x: Any, split: Any) -> None:
    if split and isinstance(x, Dataset):
        checks.check_iterator_alone(x, None, None, split)
    if split:
        raise ValueError(
            "`validation_split` is not supported with DistributionStrategy: split the "
            "arrays, and pass `validation_data`."
        )


def _parts(given: Any) -> tuple:
    """(inputs, targets, weights) of `validation_data`."""
    if isinstance(given, Dataset | Iterator | EagerIterator):
        return given, None, None
    if len(given) in (2, 3):
        return (*given, None)[:3]
    raise ValueError(
        "When passing a `validation_data` argument, it must contain either 2 items "
        "(x_val, y_val), or 3 items (x_val, y_val, val_sample_weights), or "
        "alternatively it could be a dataset or a dataset or a dataset iterator. "
        f"However we received `validation_data={given}`"
    )


def evaluate(
    model: Any, x: Any, y: Any, batch_size: Any, verbose: int, sample_weight: Any,
    steps: Any,
) -> Any:  # fmt: skip
    """The loss and the metrics on data. Arguments: see Model.evaluate."""
    distributed_checks.check_inputs(x, y)
    distributed_checks.check_weights(model, sample_weight)
    weights = sample_weight, None
    arguments = x, y, batch_size, steps, "steps"
    towers, source = _source(model, *arguments, weights=weights)
    return arrays.test_on(towers, source, verbose)


def predict(model: Any, x: Any, batch_size: Any, verbose: int, steps: Any) -> Any:
    """The outputs for inputs. Arguments: see Model.predict."""
    distributed_checks.check_inputs(x, None)
    towers, source = _source(model, x, None, batch_size, steps, "steps", predict=True)
    if isinstance(x, np.ndarray) and not steps:
        size, count = batch_size or 32, len(towers.copies)
        left = x.shape[0] - source.count * size * count
        if left:
            logging.warning(_ROWS_LEFT, left, x.shape[0], count, size)
    return arrays.predict_on(towers, source, verbose)


def _source(
    model: Any, x: Any, y: Any, batch_size: Any, steps: Any, name: str,
    predict: bool = False, weights: tuple = (None, None),
) -> tuple[Towers, Any]:  # fmt: skip
    """(the Towers of a model, where their batches come from).

    Args:
        weights: of samples, and of classes.
    """
    strategy = model.__dict__["_distribution_strategy"]
    count = len(strategy.worker_devices)
    here = range(count)
    if model.__dict__["_whole_batches"] and isinstance(x, np.ndarray):
        if not predict:  # each process has a part of the batch
            first, count = strategy.first_tower, strategy.num_towers
            here = range(first, first + len(here))
        batch_size = distributed_checks.part_of_batch(batch_size or 32, count)
    every = distributed_checks.steps_of(x, batch_size, count, steps, name)
    if isinstance(x, Dataset):
        checks.check_iterator_alone(x, y, None)
        _built_from(model, x)
        towers = towers_of(model)
        return towers, _OfDataset(towers, x, every, not predict, weights[1])
    xs, ys, ws = model._standardize_weights(x, y, *weights)
    size = batch_size or (x.shape[0] // every if steps else 32)
    given = [*xs, *ys, *_fed(model, ws)]
    agree = strategy.first_values
    return towers_of(model), _OfArrays(given, size, every, here, count, agree)


def _built_from(model: Any, dataset: Any) -> None:
    """Let a model that does not know its inputs find them in those of a dataset."""
    if model.inputs:
        return
    x = dataset.output_types, dataset.output_shapes
    raise ValueError(
        f"The model {model.name} does not know its inputs, and a strategy makes it "
        f"anew for each tower: give its first layer an `input_shape`. The dataset has "
        f"{nest.flatten(x)}."
    )
