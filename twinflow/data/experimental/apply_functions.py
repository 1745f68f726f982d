"""tf.data.experimental and tf.contrib.data: functions for `dataset.apply`."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from twinflow.base import dtypes, errors, nest
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.data import sources
from twinflow.data import structure as nested
from twinflow.data.composite_leaves import SparseLeaf
from twinflow.data.dataset import Dataset
from twinflow.data.functions import DatasetFunction, ElementFunction
from twinflow.data.pipeline import stages, stateful_stages, windows
from twinflow.data.pipeline.shuffle_and_repeat import shuffled_epochs
from twinflow.data.pipeline.side_by_side import side_by_side
from twinflow.data.pipeline.stages import Staged
from twinflow.data.reduce import single
from twinflow.data.structure import Structure
from twinflow.data.transforms import is_dataset, require, scalar
from twinflow.ops.core.constant import cast
from twinflow.ops.random.streams import get_seed

AUTOTUNE = -1
Applied: TypeAlias = Callable[[Any], Any]  # what Dataset.apply takes
_COUNTABLE = (dtypes.int32, dtypes.int64, dtypes.string)


# ---------------------------------------------------------------------- numbers
def Counter(
    start: TensorValue = 0, step: TensorValue = 1, dtype: Any = dtypes.int64
) -> Dataset:
    """The dataset start, start + step, ... without an end."""
    end = np.iinfo(np.int64).max if step > 0 else np.iinfo(np.int64).min
    found = Dataset.range(start, end, step)
    return found if dtype == dtypes.int64 else found.map(lambda i: cast(i, dtype))


def enumerate_dataset(start: TensorValue = 0) -> Applied:
    """A function that puts a number before each element.

    Example:
        d = tf.data.Dataset.range(5, 7).apply(tf.data.experimental.enumerate_dataset())
        [(int(i), int(x)) for i, x in d]  # [(0, 5), (1, 6)]
    """
    return lambda dataset: Dataset.zip((Counter(start), dataset))


# ---------------------------------------------------------------------- batches
def batch_and_drop_remainder(batch_size: Any) -> Applied:
    """A function that makes batches and leaves out a last one that is smaller."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def map_and_batch(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: TensorValue = False, num_parallel_calls: Any = None,
    workers: str = "thread",
) -> Applied:  # fmt: skip
    """A function that maps, several elements at a time, and makes batches.

    Args:
        workers: see Dataset.map; "process" needs `num_parallel_calls`.
    Raises:
        ValueError: both numbers of parallel calls are given.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are "
            "mutually exclusive."
        )
    if num_parallel_batches is not None and workers == "thread":
        num_parallel_calls = batch_size * num_parallel_batches

    def apply(dataset):
        mapped = dataset.map(map_func, num_parallel_calls, workers)
        mapped = mapped._then("MapDataset", lambda env, source: stages.ended(source))
        found = mapped.batch(batch_size, drop_remainder)
        found._own_ops = -1  # the three are one node in TensorFlow
        current_mode().leave_ids(1)
        return found

    return apply


def padded_batch_and_drop_remainder(
    batch_size: Any, padded_shapes: Any, padding_values: Any = None
) -> Applied:
    """A function that pads, and leaves out a last batch that is smaller."""
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Applied:
    """A function that makes batches of elements of different shapes, as SparseTensors.

    Args:
        row_shape: the shape of an element; None: as long as the longest.
    """
    size = scalar(batch_size)

    def apply(dataset):
        (dtype,), shape = dataset.structure.types, TensorShape(row_shape).tuple
        leaf = SparseLeaf((None, *shape))
        structure = Structure(leaf, *leaf.components(dtype, leaf.shape))

        def step(env, source):
            stack = lambda rows: _sparse_batch([a for (a,) in rows], shape)
            return windows.batched_by(source, env.int(size), False, stack)

        return dataset._then("DenseToSparseBatchDataset", step, structure, [size])

    return apply


def _sparse_batch(arrays, shape):
    for a in arrays:
        if a.ndim != len(shape):
            raise errors.invalid(
                f"Input element had shape ({_shown(a.shape)}) that is incompatible "
                f"with the row shape ({_shown(shape)})."
            )
    longest = [max(a.shape[k] for a in arrays) for k in range(len(shape))]
    sizes = [n if d is None else d for n, d in zip(longest, shape, strict=True)]
    if any(n > m for n, m in zip(longest, sizes, strict=True)):
        raise errors.DataLossError(
            None, None,
            f"Input element had shape ({_shown(longest)}) that is larger than the row "
            f"shape ({_shown(shape)}).",
        )  # fmt: skip
    places = [
        np.insert(np.argwhere(np.ones(a.shape, bool)), 0, i, axis=1)
        for i, a in enumerate(arrays)
    ]
    values = np.concatenate([a.ravel() for a in arrays])
    dense = np.array([len(arrays), *sizes], np.int64)
    return [np.concatenate(places).astype(np.int64), values, dense]


def _shown(shape):
    return "[" + ",".join("?" if n is None else str(n) for n in shape) + "]"


def unbatch() -> Applied:
    """A function that gives the rows of each element one by one."""

    def apply(dataset):
        structure = dataset.structure
        _check_rows(structure)
        if structure.is_plain:
            rows = structure.unbatched()
            step = lambda env, source: windows.unbatched(source)
            return dataset._then("UnbatchDataset", step, rows)
        return dataset.flat_map(
            lambda *parts: Dataset.from_tensor_slices(
                parts[0] if len(parts) == 1 else parts
            )
        )

    return apply


def _check_rows(structure):
    """Refuse elements that are known to have no rows, or not as many of each."""
    shapes = [TensorShape(structure.shapes[at.start]) for _, at in structure.leaves]
    known = [s for s in shapes if s.ndims is not None]
    if any(s.ndims == 0 for s in known):
        raise ValueError("Cannot unbatch an input with scalar components.")
    if len({s.as_list()[0] for s in known} - {None}) > 1:
        raise ValueError(
            "Cannot unbatch an input whose components have different batch sizes."
        )


def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None,
    window_stride: TensorValue = 1,
) -> Applied:  # fmt: skip
    """A function that makes batches which overlap.

    Args:
        window_size: of a batch. window_shift: from one batch to the next.
        window_stride: between the elements of one. stride: the older name of the shift.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = next((n for n in (window_shift, stride) if n is not None), 1)

    def apply(dataset):
        current_mode().leave_ids(-1)  # windows say what becomes of the last one
        windowed = dataset.window(window_size, shift, window_stride, True)
        found = windowed.flat_map(lambda *w: _zipped(w).batch(window_size))
        found._own_ops = 0  # both are one node in TensorFlow
        return found

    return apply


def _zipped(parts):
    return parts[0] if len(parts) == 1 else Dataset.zip(parts)


# ---------------------------------------------------------------------- order
def shuffle_and_repeat(
    buffer_size: Any, count: Any = None, seed: int | None = None
) -> Applied:
    """A function that shuffles and repeats; each epoch has its own order.

    Args:
        buffer_size: how many elements wait; they may be of several epochs.
        count: how many epochs there are; None or -1 = no end.
        seed: makes the order reproducible, also together with a graph seed alone.
    """

    def apply(dataset):
        mode = current_mode()
        mode.leave_ids(2)  # of count and buffer_size
        size, seeds = scalar(buffer_size), get_seed(seed)
        mode.leave_ids(0 if seeds[0] is None else 7)
        times = -1 if count is None else scalar(count)

        def step(env, source):
            most = env.int(size)
            require(most > 0, "buffer_size must be greater than zero.")
            return shuffled_epochs(source, most, env.int(times), seeds)

        kind, inputs = "ShuffleAndRepeatDataset", [size, times]
        return dataset._then(kind, step, inputs=inputs, seeds=seeds)

    return apply


def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: TensorValue = 1,
    sloppy: TensorValue = False, buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Applied:  # fmt: skip
    """A function as Dataset.interleave that reads several datasets in threads.

    Args:
        cycle_length: how many datasets take turns. block_length: the elements of one
            turn. sloppy: take elements that are there before those whose turn it is.
        buffer_output_elements: how many elements of each dataset may wait; twice the
            block length if not given. prefetch_input_elements: how many datasets are
            read before their turn; twice the cycle length if not given.
    Example:
        read = tf.data.experimental.parallel_interleave(
            lambda i: tf.data.Dataset.from_tensors(i).repeat(2), cycle_length=2)
        [int(i) for i in tf.data.Dataset.range(3).apply(read)]  # [0, 1, 0, 1, 2, 2]
    """
    sizes = [scalar(n) for n in (cycle_length, block_length, sloppy)]
    more = (buffer_output_elements, prefetch_input_elements)
    sizes += [None if n is None else scalar(n) for n in more]

    def apply(dataset):
        function = DatasetFunction.of(map_func, dataset.structure, is_dataset)

        def step(env, source):
            return side_by_side(source, function.start(env), *_widths(env, sizes))

        kind, inputs = "ParallelInterleaveDataset", [*function.inputs, *sizes]
        facts = {"made": function.result, "each": function}
        return dataset._then(kind, step, function.structure, inputs, **facts)

    return apply


def _widths(env, sizes):
    """What `side_by_side` takes, checked."""
    cycle, block, sloppy, *more = [None if n is None else env.int(n) for n in sizes]
    size, ahead = more[0], more[1]
    size = 2 * block if size is None else size
    ahead = 2 * cycle if ahead is None else ahead
    require(cycle > 0, "`cycle_length` must be > 0")
    require(block > 0, "`block_length` must be > 0")
    require(size > 0, "`buffer_output_elements` must be > 0")
    require(ahead >= 0, "`prefetch_input_elements` must be >= 0")
    return cycle, block, bool(sloppy), size, ahead


def sloppy_interleave(map_func: Any, cycle_length: Any, block_length: Any = 1) -> Any:
    """A function as `parallel_interleave` that takes what is there first."""
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None,
    seed: int | None = None,
) -> Applied:  # fmt: skip
    """A function that leaves out elements until classes are spread as wanted.

    Args:
        class_func: from an element to its class, an int32 scalar.
        target_dist, initial_dist: float[classes]: the wanted spread, and the present
            one; learnt on the way if not given.
    Returns:
        A function to a dataset of (class, element).
    """
    wanted = np.asarray(target_dist, np.float64)
    known = None if initial_dist is None else np.asarray(initial_dist, np.float64)
    seeds = get_seed(seed)

    def apply(dataset):
        def classed(*parts):
            element = parts[0] if len(parts) == 1 else parts
            return cast(class_func(*parts), dtypes.int32), element

        def step(env, source):
            return lambda: Staged(
                stateful_stages.Accepted(source(), wanted, known, seeds)
            )

        return dataset.map(classed)._then("RejectionResample", step)

    return apply


# ---------------------------------------------------------------------- elements
def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Applied:
    """A function that maps with a state.

    Args:
        initial_state: a structure of tensors.
        scan_func: (state, element) -> (next state, output).
    """

    def apply(dataset):
        first, structure = sources.components(initial_state)
        function = ElementFunction.of(scan_func, structure, dataset.structure)
        found, count = function.structure, len(structure.types)
        if not isinstance(found.template, tuple) or len(found.template) != 2:
            raise TypeError(
                "The scan function must return a pair comprising the new state and the "
                "output value."
            )
        if found.types[:count] != structure.types:
            raise TypeError(
                "The element types for the new state must match the initial state. "
                f"Expected {structure.output_types}; got "
                f"{_new_state(structure, found, count)}."
            )
        output = Structure(found.template[1], found.types[count:], found.shapes[count:])

        def step(env, source):
            run, state = function.start(env), [env.value(s) for s in first]
            return lambda: Staged(stateful_stages.Scanned(source(), run, state))

        kind, inputs = "ScanDataset", [*function.inputs, *first]
        return dataset._then(kind, step, output, inputs, each=function, first=first)

    return apply


def _new_state(state, found, count):
    """The DTypes of the new state among what a scan gives, in its form."""
    same = nested.same_form(state.template, found.template[0])
    types = found.types[:count]
    return nested.with_leaves(state.template, types) if same else types


def unique() -> Applied:
    """A function that leaves out elements that were there before.

    Raises:
        TypeError: elements are no int32, int64 or string scalars.
    """

    def apply(dataset):
        types = dataset.structure.types
        if len(types) != 1 or types[0] not in _COUNTABLE:
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single "
                "`tf.int32`, `tf.int64`, or `tf.string` component."
            )

        def step(env, source):
            return lambda: Staged(stateful_stages.New(source()))

        return dataset._then("UniqueDataset", step)

    return apply


def ignore_errors() -> Applied:
    """A function that leaves out elements that cannot be computed."""

    def step(env, source):
        return lambda: stateful_stages.WithoutErrors(source())

    return lambda dataset: dataset._then("IgnoreErrorsDataset", step)


def assert_element_shape(expected_shapes: Any) -> Applied:
    """A function whose elements are known to have these shapes.

    Raises:
        ValueError: a shape is known, and another one.
    """

    def check(*elements):
        found = elements[0] if len(elements) == 1 else elements
        shapes = nest.flatten_up_to(found, expected_shapes)
        for tensor, shape in zip(nest.flatten(found), shapes, strict=True):
            tensor.set_shape(TensorShape(shape))
        return found

    return lambda dataset: dataset.map(check)


def get_single_element(dataset: Any) -> Tensor:
    """The one element of a dataset, as tensors.

    Raises:
        InvalidArgumentError: it has none, or more.
    """
    return single(dataset)


def prefetch_to_device(device: Any, buffer_size: Any = None) -> Applied:
    """A function that prefetches; elements stay on the host."""
    return lambda dataset: dataset.prefetch(1 if buffer_size is None else buffer_size)


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Applied:
    """A function that changes nothing; elements stay on the host."""
    return lambda dataset: dataset
