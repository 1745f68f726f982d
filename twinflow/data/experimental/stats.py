"""tf.data.experimental.StatsAggregator: how long elements take, and how large they are.

Note [Element statistics]: `set_stats_aggregator` starts the dataset before it with an
Env that knows the aggregator; the passes of `latency_stats` and `bytes_produced_stats`
find it there and put their numbers in. Without one they do nothing.
"""

import collections
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline.stages import Inner, Pass
from twinflow.eager.tensor import wrap
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_text, one
from twinflow.ops.summaries.protos import Summary, histogram_of


class StatsCell(Cell):
    """Where a session, or eager mode, keeps the numbers of an aggregator."""

    __slots__ = ("lock", "numbers")

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.numbers: dict[Any, Any] = {}  # {tag: {number: how often}}
        self.lock = threading.Lock()

    def fresh(self):
        """A cell of the same name without numbers."""
        return StatsCell(self.name)

    @property
    def initialized(self):
        """It always is."""
        return True

    def add(self, tag, number):
        """Put in a number; any thread may."""
        with self.lock:
            self.numbers.setdefault(tag, collections.Counter())[number] += 1

    def summary(self):
        """A Summary with a histogram for each tag."""
        with self.lock:
            kept = {tag: dict(counts) for tag, counts in self.numbers.items()}
        found = Summary()
        for tag, counts in kept.items():
            numbers = np.array(list(counts), np.float64)
            times = np.array(list(counts.values()))
            found.value.add(tag=tag, histo=histogram_of(numbers, times))
        return np.array(found.SerializeToString(), object)

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("A StatsAggregator cannot be pickled; make a new one.")


StatsAggregatorHandle = define(
    "StatsAggregatorHandle",
    attrs={"cell": None},
    infer=lambda **attrs: (),
    kernel=lambda xp: lambda cell, **attrs: StatsCell("") if cell is None else cell,
    cell="cell",
    home=lambda name, attrs: StatsCell(attrs["shared_name"] or name),
    stateful=True,
    host=True,
)

StatsAggregatorSummary = define(
    "StatsAggregatorSummary",
    infer=lambda iterator: (),
    kernel=lambda xp: lambda cell: cell.summary(),
    stateful=True,
    host=True,
)


class StatsAggregator:
    """Gathers numbers about the elements of datasets, as histograms.

    Example:
        stats = tf.data.experimental.StatsAggregator()
        d = tf.data.Dataset.range(3)
        d = d.apply(tf.data.experimental.latency_stats("microseconds"))
        d = d.apply(tf.data.experimental.set_stats_aggregator(stats))
        [int(x) for x in d]  # [0, 1, 2]
        summary = tf.Summary.FromString(stats.get_summary().numpy())
        summary.value[0].tag  # "microseconds"
    """

    def __init__(self) -> None:
        cell = StatsCell("StatsAggregator")
        if dispatch.current_mode().eager:
            self._resource = wrap(cell, dtypes.resource)
        else:
            self._resource = apply(StatsAggregatorHandle, (), {"cell": cell})

    def get_summary(self) -> Tensor:
        """string[]: a serialised Summary, with a histogram for each tag."""
        return apply(StatsAggregatorSummary, (self._resource,))


def set_stats_aggregator(stats_aggregator: Any) -> Callable[..., Any]:
    """A function that gives the numbers of the dataset before it to an aggregator.

    Args:
        stats_aggregator: a StatsAggregator.
    """

    def apply_to(dataset):
        handle = stats_aggregator._resource

        def start(env):
            return dataset.start(env.watched_by(env.value(handle)))

        inputs = [*dataset.inputs, handle]
        return Dataset("_SetStatsAggregatorDataset", dataset.structure, start, inputs)

    return apply_to


class Measured(Inner, Pass):
    """A pass whose elements are told to a StatsCell.

    Args:
        inner: a pass. tell: (element, seconds it took) -> None.
    """

    def __init__(self, inner, tell):
        self.inner, self.tell = inner, tell

    def __next__(self):
        start = time.perf_counter()
        element = next(self.inner)
        self.tell(element, time.perf_counter() - start)
        return element


def latency_stats(tag: TensorValue) -> Callable[..., Any]:
    """A function that notes how many microseconds each element took.

    Args:
        tag: string[], the name of the histogram.
    """
    return _measuring(tag, lambda element, seconds: int(seconds * 1e6))


def bytes_produced_stats(tag):
    """A function that notes how many bytes each element has.

    Args:
        tag: string[], the name of the histogram.
    """
    return _measuring(tag, lambda element, seconds: sum(map(_size, element)))


def _measuring(tag, number):
    name = convert_to_tensor(tag, dtypes.string)
    if name.shape.ndims:
        raise advised(
            ValueError, f"Shape must be rank 0 but is rank {name.shape.ndims}"
        )

    def apply_to(dataset):
        def step(env, source):
            cell = env.stats
            if cell is None:
                return source
            text = as_text(one(env.value(name)))
            tell = lambda element, seconds: cell.add(text, number(element, seconds))
            return lambda: Measured(source(), tell)

        return dataset._then("_StatsDataset", step, inputs=[name])

    return apply_to


def _size(array):
    """The bytes of a component; TensorFlow counts 8 more for each string."""
    array = np.asarray(array)
    if array.dtype == object:
        return sum(len(s) + 8 for s in array.ravel().tolist())
    return array.nbytes
