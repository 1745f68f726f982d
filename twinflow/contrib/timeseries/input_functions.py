"""Input functions of time series: windows, the whole, and what comes after it."""

import abc
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.dtypes import int32
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import PredictionFeatures
from twinflow.contrib.timeseries.readers import TimeSeriesReader
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.partition import dynamic_partition
from twinflow.ops.core.constant import cast, constant, identity
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.index import gather
from twinflow.ops.core.reduction import reduce_all, reduce_any
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer
from twinflow.ops.variables.cells import count_up_to
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.initialized import is_variable_initialized
from twinflow.ops.variables.state import assign
from twinflow.train.batching import batch, shuffle_batch
from twinflow.train.producers import limit_epochs

_TIMES, _TUPLE = PredictionFeatures.TIMES, PredictionFeatures.STATE_TUPLE


class TimeSeriesInputFn:
    """An input function: a call gives features of time series and None as labels."""

    def __call__(self) -> tuple[dict[str, Tensor], None]:
        """(features, None), what `create_batch` gives."""
        return self.create_batch()

    @abc.abstractmethod
    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        """Features, [batch, window, ...] by name, and None in place of labels."""


class WholeDatasetInputFn(TimeSeriesInputFn):
    """Gives the whole series as one batch, for evaluation.

    Args:
        time_series_reader: a TimeSeriesReader.
    Example:
        reader = tf.contrib.timeseries.NumpyReader(
            {"times": np.arange(4), "values": np.float32([1., 2., 3., 4.])})
        features, _ = tf.contrib.timeseries.WholeDatasetInputFn(reader)()
        features["values"]  # float32[1, 4, 1]
    """

    def __init__(self, time_series_reader: TimeSeriesReader) -> None:
        self._reader = time_series_reader

    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        """See TimeSeriesInputFn."""
        full = self._reader.read_full()
        return {name: expand_dims(value, 0) for name, value in full.items()}, None


class AllWindowInputFn(TimeSeriesInputFn):
    """Gives every window of a series, in one batch.

    Args:
        time_series_reader: a TimeSeriesReader. window_size: int.
    """

    def __init__(self, time_series_reader: TimeSeriesReader, window_size: int) -> None:
        self._reader, self._size = time_series_reader, window_size

    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        """See TimeSeriesInputFn."""
        full = self._reader.read_full()
        starts = numbers(shape(full[_TIMES])[0] - self._size + 1)
        rows = expand_dims(starts, 1) + expand_dims(numbers(self._size), 0)
        return {name: gather(value, rows) for name, value in full.items()}, None


class RandomWindowInputFn(TimeSeriesInputFn):
    """Gives batches of windows of a series, in random order, for training.

    Windows are cut one after the other, beginning at chance, and mixed in a queue.

    Args:
        time_series_reader: a TimeSeriesReader. window_size: int, of each window.
        batch_size: int, how many windows.
        queue_capacity_multiplier: int, windows in the queue, times the batch size.
        shuffle_min_after_dequeue_multiplier: int, windows that stay to mix with,
            times the batch size.
        discard_out_of_order: leave windows out whose times do not rise, such as those
            that go from the end of the series to its start.
        discard_consecutive_batches_limit: int, batches of which nothing is left, one
            after the other, before that is an error.
        jitter: begin at chance. num_threads: int, that fill the queue.
        shuffle_seed: int, of the order.
    """

    def __init__(
        self, time_series_reader: TimeSeriesReader, window_size: int, batch_size: int,
        queue_capacity_multiplier: int = 1000,
        shuffle_min_after_dequeue_multiplier: int = 2,
        discard_out_of_order: bool = True,
        discard_consecutive_batches_limit: int = 1000, jitter: bool = True,
        num_threads: int = 2, shuffle_seed: int | None = None,
    ) -> None:  # fmt: skip
        self._reader, self._size, self._batch = (
            time_series_reader, window_size, batch_size,
        )  # fmt: skip
        self._capacity = queue_capacity_multiplier * batch_size
        self._least = shuffle_min_after_dequeue_multiplier * batch_size
        self._discards = discard_out_of_order
        self._limit = discard_consecutive_batches_limit
        self._jitter, self._threads = jitter, num_threads
        self._seed = shuffle_seed

    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        """See TimeSeriesInputFn."""
        self._reader.check_dataset_size(minimum_dataset_size=self._size)
        windows = self._windows(self._reader.read())
        if self._discards:
            windows = self._in_order(windows)
        features = shuffle_batch(
            windows, self._batch, self._capacity, self._least, seed=self._seed,
            num_threads=self._threads, enqueue_many=True,
        )  # fmt: skip
        return features, None

    def _windows(self, records):
        """[batch, window, ...]: records one after the other."""
        count = self._batch * self._size
        skip = random_uniform([], maxval=2, dtype=int32) if self._jitter else 0
        rows = batch(
            records, count + skip, num_threads=1, enqueue_many=True,
            capacity=self._capacity * self._size,
        )  # fmt: skip
        found = {}
        for name, value in rows.items():
            rest = value.shape.as_list()[1:]
            found[name] = reshape(value[skip:], [self._batch, self._size, *rest])
        return found

    def _in_order(self, windows):
        """The windows whose times rise; a counter stops where there are never any."""
        times = windows[_TIMES]
        rises = reduce_all(times[:, 1:] >= times[:, :-1], axis=1)
        discarded = get_variable(
            "discarded_windows_limiter", [], int32, zeros_initializer(),
            trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
            use_resource=False,
        )  # fmt: skip
        with control_dependencies([self._counted(discarded, reduce_any(rises))]):
            return {
                name: dynamic_partition(value, cast(rises, int32), 2)[1]
                for name, value in windows.items()
            }

    def _counted(self, discarded, some):
        """An op that counts batches of which nothing is left."""
        return cond(
            is_variable_initialized(discarded),
            lambda: cond(
                some,
                lambda: identity(assign(discarded, 0)),
                lambda: identity(count_up_to(discarded, self._limit)),
            ),
            lambda: constant(0),
        )


def predict_continuation_input_fn(
    evaluation: dict[Any, Any], steps: int | None = None, times: Any = None,
    exogenous_features: dict[Any, Any] | None = None,
) -> Callable[[], dict[Any, Any]]:  # fmt: skip
    """An input function for what comes after an evaluation.

    Args:
        evaluation: what `TimeSeriesRegressor.evaluate` gave.
        steps: int, how many times to predict, or
        times: int64[times] or [batch, times], those to predict.
        exogenous_features: dict of arrays, [batch, times, ...], which the model takes.
    Raises:
        ValueError: both or none of steps and times are given, or times come before the
            end of the evaluation or for another number of series.
    """
    times = canonical_times(times, steps, evaluation)
    features = {
        _TUPLE: tuple(np.asarray(part) for part in evaluation[_TUPLE]), _TIMES: times,
        **{name: np.asarray(v) for name, v in (exogenous_features or {}).items()},
    }  # fmt: skip

    def input_fn():
        return nest.map_structure(lambda x: limit_epochs(x, num_epochs=1), features)

    return input_fn


def canonical_times(times: Any, steps: int | None, previous: dict) -> np.ndarray:
    """int64[batch, times]: times, or those of so many steps after others.

    Args:
        times, steps: see predict_continuation_input_fn.
        previous: what a model gave, with its times, int64[batch, times].
    """
    if steps is None and times is None:
        raise ValueError("One of `steps` and `times` must be specified.")
    if steps is not None and times is not None:
        raise ValueError("Only one of `steps` and `times` may be specified.")
    before = np.asarray(previous[_TIMES])
    if steps is not None:
        return before[:, -1:] + 1 + np.arange(steps, dtype=np.int64)[None]
    times = np.asarray(times)
    if times.ndim == 1:
        times = times[None]
    if times.shape[0] != before.shape[0]:
        raise ValueError(
            "`times` must have a batch dimension matching the previous model output "
            f"(got a batch dimension of {times.shape[0]} for `times` and "
            f"{before.shape[0]} for the previous model output)."
        )
    if not (before[..., -1] < times[..., 0]).all():
        raise ValueError(
            "Prediction times must be after the corresponding previous model output."
        )
    return times
