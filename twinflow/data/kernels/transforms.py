"""What nodes make of datasets: op type -> (known, *inputs) -> Dataset."""

import numpy as np

from twinflow.base import dtypes
from twinflow.data.dataset import Dataset
from twinflow.data.experimental import apply_functions as apply
from twinflow.data.experimental import grouping, optimization, stats
from twinflow.data.experimental.features import parse_example_dataset
from twinflow.data.experimental.tensor_queues import prepended
from twinflow.data.experimental.thread_pools import (
    PrivateThreadPool,
    override_threadpool,
)
from twinflow.data.kernels.sources import seeds_of
from twinflow.data.kernels.values import form_of
from twinflow.data.pipeline import interleaving, ordering, shuffle, stages, windows
from twinflow.data.pipeline.shuffle_and_repeat import shuffled_epochs
from twinflow.data.transforms import require
from twinflow.ops.parsing.features import FixedLenFeature, VarLenFeature
from twinflow.ops.strings.arrays import flat

_AUTO = 2  # calls at once where the pipeline leaves it to us


def _calls(count):
    return _AUTO if count == apply.AUTOTUNE else count


def _shuffled(known, dataset, size, *seeds):
    require(size > 0, "buffer_size must be greater than zero.")
    again = known.attrs["reshuffle_each_iteration"]

    def step(env, source):
        epochs = env.kept(shuffle.Epochs(*seeds_of(*seeds), again))
        return ordering.shuffled(source, size, epochs)

    facts = {"seeds": seeds_of(*seeds), "reshuffle": again}
    return dataset._then("ShuffleDataset", step, inputs=[size], **facts)


def _shuffled_epochs(known, dataset, size, seed, seed2, count):
    require(size > 0, "buffer_size must be greater than zero.")
    seeds = seeds_of(seed, seed2)
    step = lambda env, source: shuffled_epochs(source, size, count, seeds)
    kind, inputs = "ShuffleAndRepeatDataset", [size, count]
    return dataset._then(kind, step, inputs=inputs, seeds=seeds)


def _prepended(known, dataset, size, shapes, values):
    shapes = [tuple(None if n == -1 else int(n) for n in s) for s in shapes]
    stack = windows.padder(shapes, [v[()] for v in map(np.asarray, values)])
    step = lambda env, source: prepended(source, size, stack, len(shapes))
    form = form_of((dtypes.variant, *known.form.types))
    return dataset._then("PrependFromQueueAndPaddedBatchDataset", step, form)


def _padded(known, dataset, size, shapes, values, drop=False):
    dataset.structure = form_of(known.form.types)  # which says how many components
    shapes = tuple(tuple(map(int, s)) for s in shapes)
    return dataset.padded_batch(size, shapes, tuple(values), drop)


def _mapped_batches(known, dataset, args, size, calls, drop):
    function = known.function(args)
    found = dataset.apply(apply.map_and_batch(
        function, size, num_parallel_calls=_calls(calls), drop_remainder=drop
    ))  # fmt: skip
    return found


def _scanned(known, dataset, state, args):
    function = known.function(args)
    form, count = function.structure, len(state)
    pair = ((None,) * count, (None,) * (len(form.types) - count))
    function.structure = type(form)(pair, form.types, form.shapes)
    return dataset.apply(apply.scan(tuple(state), function))


def _chosen(known, choices, datasets):
    start = lambda env: interleaving.chosen(
        [d.start(env) for d in datasets], choices.start(env)
    )
    return Dataset("ChooseDataset", known.form, start)


def _windows_by_key(known, dataset, key, reduced, size):
    return dataset.apply(grouping.group_by_window(
        known.function(key, "key_func"), known.datasets(reduced, "reduce_func"),
        window_size_func=known.function(size, "window_size_func"),
    ))  # fmt: skip


def _reduced_by_key(known, dataset, key, *args):
    names = "init_func", "reduce_func", "finalize_func"
    functions = map(known.function, args, names)
    return grouping.group_by_reducer(
        known.function(key, "key_func"), grouping.Reducer(*functions)
    )(dataset)


def _last_component(known, dataset):
    def step(env, source):
        chosen = stages.filtered(source, lambda element: element[-1])
        return stages.mapped(chosen, lambda element: list(element[:-1]))

    return dataset._then("FilterByLastComponentDataset", step, known.form)


def _examples(known, dataset, calls, defaults):
    attrs = known.attrs
    features = {
        k: VarLenFeature(t) for k, t in zip(attrs["sparse_keys"], attrs["sparse_types"])
    }
    rows = zip(attrs["dense_keys"], attrs["dense_shapes"], defaults, strict=True)
    for key, shape, default in rows:
        kind = dtypes.from_numpy(default.dtype)
        given = default if default.size else None
        features[key] = FixedLenFeature(shape, kind, given)
    return _one_component_each(dataset.apply(parse_example_dataset(features, calls)))


def _one_component_each(dataset):
    """The same elements, with three parts of a component for each sparse tensor."""
    leaves = dataset.structure.leaves

    def packed(element):
        return [
            _parts(element[at]) if leaf else element[at.start] for leaf, at in leaves
        ]

    types = [dtypes.variant if leaf else dataset.structure.types[at.start]
             for leaf, at in leaves]  # fmt: skip
    step = lambda env, source: stages.mapped(source, packed)
    return dataset._then("ParseExampleDataset", step, form_of(types))


def _parts(arrays):
    """A sparse tensor as one variant, as tf.serialize_sparse writes it."""
    found = np.empty(len(arrays), object)
    for i, array in enumerate(arrays):
        found[i] = (array, dtypes.from_numpy(array.dtype))
    return found


def _to_sparse(known, dataset, size, row_shape):
    shape = [None if n < 0 else int(n) for n in row_shape]
    return _one_component_each(dataset.apply(apply.dense_to_sparse_batch(size, shape)))


def _watched(known, dataset, cell):
    start = lambda env: dataset.start(env.watched_by(cell))
    return Dataset("SetStatsAggregatorDataset", dataset.structure, start)


def _limited(known, dataset, pool):
    return override_threadpool(dataset, PrivateThreadPool(pool.count))


def _texts(array):
    return [t.decode() for t in flat(array)]


def _applied(make):
    """A transform that `make(*inputs)` gives."""
    return lambda known, dataset, *args: make(*args)(dataset)


TABLE = {
    "BatchDataset": lambda known, d, size: d.batch(size),
    "BatchDatasetV2": lambda known, d, size, drop: d.batch(size, drop),
    "PaddedBatchDataset": _padded,
    "PaddedBatchDatasetV2": _padded,
    "PrependFromQueueAndPaddedBatchDataset": _prepended,
    "CacheDataset": lambda known, d, path: d.cache(path),
    "ConcatenateDataset": lambda known, d, other: d.concatenate(other),
    "RepeatDataset": lambda known, d, count: d.repeat(count),
    "TakeDataset": lambda known, d, count: d.take(count),
    "SkipDataset": lambda known, d, count: d.skip(count),
    "PrefetchDataset": lambda known, d, size: d.prefetch(size),
    "ShuffleDataset": _shuffled,
    "ShuffleAndRepeatDataset": _shuffled_epochs,
    "WindowDataset": lambda known, d, *sizes: d.window(*sizes),
    "SlideDataset": lambda known, d, size, shift, stride: d.apply(
        apply.sliding_window_batch(size, window_shift=shift, window_stride=stride)
    ),
    "ZipDataset": lambda known, datasets: Dataset.zip(datasets),
    "UnbatchDataset": _applied(apply.unbatch),
    "DenseToSparseBatchDataset": _to_sparse,
    "MapDataset": lambda known, d, args: d.map(known.function(args)),
    "ParallelMapDataset": lambda known, d, args, calls: d.map(
        known.function(args), _calls(calls)
    ),
    "MapAndBatchDataset": lambda known, d, args, size, batches, drop: _mapped_batches(
        known, d, args, size, size * batches, drop
    ),
    "MapAndBatchDatasetV2": _mapped_batches,
    "FilterDataset": lambda known, d, args: d.filter(
        known.predicate(args, "predicate")
    ),
    "FilterByLastComponentDataset": _last_component,
    "FlatMapDataset": lambda known, d, args: d.flat_map(known.datasets(args)),
    "InterleaveDataset": lambda known, d, args, *sizes: d.interleave(
        known.datasets(args), *sizes
    ),
    "ParallelInterleaveDatasetV2": lambda known, d, args, *sizes: d.interleave(
        known.datasets(args), *sizes
    ),
    "ParallelInterleaveDataset": lambda known, d, args, *sizes: d.apply(
        apply.parallel_interleave(known.datasets(args), *sizes)
    ),
    "ScanDataset": _scanned,
    "GroupByWindowDataset": _windows_by_key,
    "GroupByReducerDataset": _reduced_by_key,
    "ParseExampleDataset": _examples,
    "ExperimentalDirectedInterleaveDataset": _chosen,
    "ExperimentalUniqueDataset": _applied(apply.unique),
    "ExperimentalIgnoreErrorsDataset": _applied(apply.ignore_errors),
    "ExperimentalAssertNextDataset": lambda known, d, names: optimization.assert_next(
        _texts(names)
    )(d),
    "OptimizeDataset": lambda known, d, names: optimization.optimize(_texts(names))(d),
    "ModelDataset": _applied(optimization.model),
    "SinkDataset": lambda known, d: d,
    "LatencyStatsDataset": _applied(stats.latency_stats),
    "BytesProducedStatsDataset": _applied(stats.bytes_produced_stats),
    "SetStatsAggregatorDataset": _watched,
    "ExperimentalThreadPoolDataset": _limited,
}
