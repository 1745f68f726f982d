"""What datasets are changed by: each method gives a new dataset; see Note [Passes]."""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors, nest
from twinflow.base.advice import advised
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.data import draws
from twinflow.data import structure as nested
from twinflow.data.functions import (
    DatasetFunction,
    ElementFunction,
    Predicate,
    is_tensor,
)
from twinflow.data.pipeline import (
    caching,
    interleaving,
    ordering,
    parallel,
    shuffle,
    stages,
    windows,
)
from twinflow.data.processes import mapping, task
from twinflow.data.reduce import reduced
from twinflow.data.stepping import Elements
from twinflow.graph.static import constant_value
from twinflow.ops.core.constant import convert_to_tensor, has_tensor
from twinflow.ops.random.setting import setting
from twinflow.ops.random.streams import get_seed
from twinflow.ops.strings.arrays import as_text

if TYPE_CHECKING:
    from twinflow.data.dataset import Dataset

_AUTO = 2  # elements that prefetch keeps ready where the user leaves it to us


class Transforms:
    """The methods of a Dataset that give another one.

    A Dataset adds `structure`, `start`, `inputs` and `_then`.
    """

    # ------------------------------------------------------------------ functions
    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None,
        workers: str = "thread",
    ) -> "Dataset":  # fmt: skip
        """`map_func` of each element.

        Args:
            map_func: a function of the components of an element, traced once.
            num_parallel_calls: how many elements may be worked on at once; their order
                stays, and random numbers are those of calls in order. Functions that
                write to variables, or draw in loops, are called in order.
            workers: what works on them: "thread", or "process" for functions that
                compute in Python (Note [Workers] in data.processes.mapping).
        Raises:
            ValueError: `workers` is neither, or "process" without a number of calls or
                with a function that draws, or reads or writes variables.
            TypeError: a function that cannot be sent to a process.
        Example:
            d = tf.data.Dataset.from_tensor_slices(([0, 255], [3, 4]))
            d = d.map(lambda image, label: (tf.cast(image, tf.float32) / 255., label))
            [(float(x), int(y)) for x, y in d]  # [(0.0, 3), (1.0, 4)]
        """
        function = ElementFunction.of(map_func, self.structure)
        count = None if num_parallel_calls is None else scalar(num_parallel_calls)
        crews = task.crews(map_func, self.structure, function, count, workers)

        def step(env, source):
            if count is None:
                return stages.mapped(source, function.start(env))
            n = env.int(count)
            require(n > 0, "num_parallel_calls must be greater than zero.")
            n = min(n, env.threads or n)
            if crews is None:
                return draws.mapped_in_parallel(source, function, env, n)
            values = [np.asarray(env.value(t)) for t in function.captured]
            return mapping.mapped_in_processes(source, crews, n, values)

        kind = "MapDataset" if count is None else "ParallelMapDataset"
        inputs = [*function.inputs, count]
        return self._then(kind, step, function.structure, inputs, function=function)

    def filter(self, predicate: Callable[..., Any]) -> "Dataset":
        """The elements of which `predicate`, a function to bool[], is true."""
        function = Predicate.of(predicate, self.structure)

        def step(env, source):
            return stages.filtered(source, function.start(env))

        inputs = function.inputs
        return self._then("FilterDataset", step, inputs=inputs, function=function)

    def flat_map(self, map_func: Callable[..., Any]) -> "Dataset":
        """The elements of the datasets that `map_func` gives, one after another."""
        function = DatasetFunction.of(map_func, self.structure, is_dataset)

        def step(env, source):
            return ordering.flattened(source, function.start(env))

        kind, inputs, made = "FlatMapDataset", function.inputs, function.result
        facts = {"made": made, "each": function}
        return self._then(kind, step, function.structure, inputs, **facts)

    def interleave(
        self, map_func: Callable[..., Any], cycle_length: Any,
        block_length: TensorValue = 1, num_parallel_calls: Any = None,
    ) -> "Dataset":  # fmt: skip
        """Elements of the datasets that `map_func` gives, in turns.

        Args:
            cycle_length: how many datasets take turns. block_length: the elements of
                one turn. num_parallel_calls: accepted; the order is the same.
        Example:
            d = tf.data.Dataset.range(2).interleave(
                lambda i: tf.data.Dataset.from_tensors(i).repeat(3), cycle_length=2)
            [int(i) for i in d]  # [0, 1, 0, 1, 0, 1]
        """
        function = DatasetFunction.of(map_func, self.structure, is_dataset)
        cycle, block = scalar(cycle_length), scalar(block_length)

        def step(env, source):
            n, length = env.int(cycle), env.int(block)
            require(n > 0, "cycle_length must be greater than zero.")
            require(length > 0, "block_length must be greater than zero.")
            return interleaving.interleaved(source, function.start(env), n, length)

        kind, inputs = "InterleaveDataset", [*function.inputs, cycle, block]
        facts = {"made": function.result, "each": function}
        return self._then(kind, step, function.structure, inputs, **facts)

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """The last state: `reduce_func(state, element)` is the next one.

        Returns:
            The structure of `initial_state`, as tensors.
        Example:
            d = tf.data.Dataset.range(5)
            d.reduce(tf.constant(0, tf.int64), lambda s, x: s + x)  # 10
        """
        return reduced(self, initial_state, reduce_func)

    def _stepped(self) -> Elements:
        """The elements one at a time, in a graph: for loops of autograph."""
        return Elements(self)

    def apply(self, transformation_func: Callable[..., Any]) -> Any:
        """`transformation_func(self)`, which must be a dataset."""
        found = transformation_func(self)
        if not isinstance(found, Transforms):
            raise TypeError("`transformation_func` must return a Dataset.")
        return found

    # ------------------------------------------------------------------ order
    def shuffle(
        self, buffer_size: Any, seed: int | None = None,
        reshuffle_each_iteration: Any = None,
    ) -> "Dataset":  # fmt: skip
        """The elements in random order, chosen from a buffer of `buffer_size`.

        Args:
            buffer_size: how many elements wait; the whole order is random only if all
                of them fit.
            seed: makes the order reproducible, also together with a graph seed alone
                (tf.set_random_seed). A new iterator then repeats the same orders.
            reshuffle_each_iteration: whether each `repeat` has another order; True if
                not given.
        """
        mode = dispatch.current_mode()
        mode.leave_ids(1)  # of buffer_size
        size, seeds = scalar(buffer_size), get_seed(_seed(seed))
        mode.leave_ids(0 if seeds[0] is None else 7)
        reshuffle = reshuffle_each_iteration is None or reshuffle_each_iteration
        if not reshuffle and setting.original:
            seeds = (seeds[0], seeds[0])

        def step(env, source):
            most = env.int(size)
            require(most > 0, "buffer_size must be greater than zero.")
            epochs = env.kept(shuffle.Epochs(*seeds, reshuffle))
            return ordering.shuffled(source, most, epochs)

        facts = {"seeds": seeds, "reshuffle": bool(reshuffle)}
        return self._then("ShuffleDataset", step, inputs=[size], **facts)

    def cache(self, filename: TensorValue = "") -> "Dataset":
        """The same elements, kept from the first whole pass on.

        Args:
            filename: the prefix of the files that keep them; "" = in memory.
        """
        path = convert_to_tensor(filename, dtypes.string)

        def step(env, source):
            prefix = as_text(np.asarray(env.value(path))[()])
            if not prefix:
                return caching.cached_in_memory(source, env.kept(caching.Memory()))
            return caching.cached_in_files(source, prefix)

        return self._then("CacheDataset", step, inputs=[path])

    def repeat(self, count: Any = None) -> "Dataset":
        """The elements `count` times; forever if it is None or negative."""
        count = -1 if count is None else scalar(count)
        return self._counted("RepeatDataset", ordering.repeated, count)

    def take(self, count: Any) -> "Dataset":
        """The first `count` elements; all of them if it is -1."""
        return self._counted("TakeDataset", ordering.taken, scalar(count))

    def skip(self, count: Any) -> "Dataset":
        """What follows the first `count` elements; nothing if it is -1."""
        return self._counted("SkipDataset", ordering.skipped, scalar(count))

    def _counted(self, kind, transform, count):
        def step(env, source):
            return transform(source, env.int(count))

        return self._then(kind, step, inputs=[count], count=count)

    def shard(self, num_shards: Any, index: Any) -> "Dataset":
        """Every `num_shards`-th element, from number `index` on.

        Raises:
            ValueError: not 0 <= index < num_shards.
        """
        shards, first = scalar(num_shards), scalar(index)
        _check_shard(shards, first)

        def step(env, source):
            n, i = env.int(shards), env.int(first)
            require(0 <= i < n, f"Need 0 <= index < num_shards, got {i} and {n}.")
            return ordering.sharded(source, n, i)

        return self._then("ShardDataset", step, inputs=[shards, first])

    def concatenate(self, dataset: "Dataset") -> "Dataset":
        """The elements of this dataset, then those of another of the same structure."""
        a, b = self.structure, dataset.structure
        if not nested.same_form(a.template, b.template) or a.types != b.types:
            raise advised(
                TypeError,
                "Two datasets to concatenate have different types "
                f"{a.output_types} and {b.output_types}",
            )

        def step(env, source):
            return ordering.concatenated(source, dataset.start(env))

        structure = a.with_shapes(map(nested.merged, a.shapes, b.shapes))
        found = self._then("ConcatenateDataset", step, structure, dataset.inputs)
        found._link = None
        return found._made_from(self, dataset)

    # ------------------------------------------------------------------ batches
    def batch(self, batch_size: Any, drop_remainder: TensorValue = False) -> "Dataset":
        """Stacks of `batch_size` elements along a new first axis.

        Args:
            drop_remainder: leave out a last batch that would be smaller; the static
                shape then has the batch size.
        """
        size, drop = scalar(batch_size), scalar(drop_remainder)
        known = isinstance(size, int) and isinstance(drop, int)
        exact = size if known and drop else None

        stack = None if self.structure.is_plain else windows.stacker(self.structure)

        def step(env, source):
            rows = env.int(size)
            require(rows > 0, "Batch size must be greater than zero.")
            if stack is not None:
                return windows.batched_by(source, rows, bool(env.int(drop)), stack)
            return stages.batched(source, rows, bool(env.int(drop)))

        structure = self.structure.batched(exact)
        return self._then("BatchDataset", step, structure, [size, drop])

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None,
        drop_remainder: TensorValue = False,
    ) -> "Dataset":  # fmt: skip
        """Stacks of elements that are filled up to one shape.

        Args:
            batch_size: how many.
            padded_shapes: a shape for each component, in the form of an element; None
                and -1: as long as the longest of the batch.
            padding_values: scalars in that form; 0 and the empty string by default.
            drop_remainder: leave out a last batch that would be smaller.
        Raises:
            TypeError: sparse components, or values of another dtype.
            ValueError: a shape of another rank.
        """
        size, drop = scalar(batch_size), scalar(drop_remainder)
        given = sum(map(is_tensor, nest.flatten([padded_shapes, padding_values])))
        with dispatch.current_mode().counted(2 * len(self.structure.types) - given):
            shapes, fills = paddings(self.structure, padded_shapes, padding_values)
        exact = size if isinstance(size, int) and drop == 1 else None
        structure = self.structure.with_shapes([(exact, *_static(s)) for s in shapes])

        def step(env, source):
            known = [s if type(s) is tuple else _sizes(env.value(s)) for s in shapes]
            rows, values = env.int(size), [env.value(f) for f in fills]
            stack = windows.padder(known, values)
            require(rows > 0, "Batch size must be greater than zero.")
            return windows.batched_by(source, rows, bool(env.int(drop)), stack)

        inputs = [size, drop, *shapes, *fills]
        return self._then("PaddedBatchDataset", step, structure, inputs)

    def window(
        self, size: Any, shift: Any = None, stride: TensorValue = 1,
        drop_remainder: TensorValue = False,
    ) -> "Dataset":  # fmt: skip
        """Windows of elements, each a structure of datasets of the components.

        Args:
            size: how many elements a window has. shift: from one to the next; `size`
                if not given. stride: between the elements of a window.
            drop_remainder: leave out windows that are shorter.
        Example:
            d = tf.data.Dataset.range(4).window(3, shift=1, drop_remainder=True)
            d = d.flat_map(lambda w: w.batch(3))
            [x.numpy().tolist() for x in d]  # [[0, 1, 2], [1, 2, 3]]
        """
        bounds = [scalar(size), scalar(size if shift is None else shift),
                  scalar(stride), scalar(drop_remainder)]  # fmt: skip

        def step(env, source):
            size, shift, stride, drop = map(env.int, bounds)
            for name, n in ("size", size), ("shift", shift), ("stride", stride):
                require(n > 0, f"Window {name} must be greater than zero.")
            return windows.windowed(source, size, shift, stride, bool(drop), slices)

        slices = [at for _, at in self.structure.leaves]
        structure = self.structure.of_datasets(self._of_source, Transforms)
        return self._then("WindowDataset", step, structure, bounds)

    def prefetch(self, buffer_size: Any) -> "Dataset":
        """The same elements, up to `buffer_size` of them computed ahead in a thread;
        None leaves open how many."""
        size = scalar(-1 if buffer_size is None else buffer_size)

        def step(env, source):
            ahead = env.int(size)
            require(ahead >= -1, "buffer_size must be >= 0")
            return parallel.prefetched(source, ahead if ahead > 0 else _AUTO)

        return self._then("PrefetchDataset", step, inputs=[size])


def is_dataset(value):
    """Whether `value` is a Dataset."""
    return isinstance(value, Transforms)


def paddings(structure, padded_shapes, padding_values):
    """The shape and the filling of each component; see `padded_batch`."""
    if not structure.is_plain:
        raise TypeError("Batching of padded sparse tensors is not currently supported")
    try:
        given = nested.flatten_up_to(structure.template, padded_shapes)
    except TypeError:
        raise TypeError(
            f"Expected padded_shapes in the form of an element, {structure}, got "
            f"{padded_shapes}"
        ) from None
    shapes = [_padded_shape(s) for s in given]
    for wanted, known in zip(map(_static, shapes), structure.shapes, strict=True):
        if known is not None and not _is_room(wanted, known):
            raise ValueError(
                f"The padded shape {TensorShape(wanted)} is not compatible with the "
                f"corresponding input component shape {TensorShape(known)}."
            )
    if padding_values is None:
        return shapes, [b"" if t == dtypes.string else 0 for t in structure.types]
    fills = nested.flatten_up_to(structure.template, padding_values)
    pairs = zip(fills, structure.types, strict=True)
    return shapes, [_filling(value, dtype) for value, dtype in pairs]


def _padded_shape(shape):
    """A tuple of ints and None (as long as the longest), or an int64 tensor."""
    if is_tensor(shape) or has_tensor(shape):
        _check_padded_shape(shape, convert_to_tensor(shape))
        shape = convert_to_tensor(shape, dtypes.int64)
        return shape if shape.symbolic else _sizes(shape._a)
    if np.ndim(shape) > 1:
        _check_padded_shape(shape, convert_to_tensor(shape, dtypes.int64))
    sizes = [getattr(d, "value", d) for d in shape]  # of a TensorShape's Dimensions
    return _sizes([-1 if d is None else d for d in sizes])


def _check_padded_shape(given, found):
    """Refuse a tensor that is no int64 vector."""
    if found.shape.ndims not in (None, 1):
        raise ValueError(
            f"Padded shape {given} must be a 1-D tensor of tf.int64 values, but its "
            f"shape was {found.shape}."
        )
    if found.dtype is not dtypes.int64:
        raise TypeError(
            f"Padded shape {given} must be a 1-D tensor of tf.int64 values, but its "
            f"element type was {found.dtype.name}."
        )


def _is_room(padded, known):
    """Whether components of a static shape fit into a padded one."""
    return len(padded) == len(known) and all(
        None in (p, n) or p >= n for p, n in zip(padded, known)
    )


def _sizes(numbers):
    return tuple(None if n == -1 else int(n) for n in numbers)


def _static(shape):
    """What is known of a padded shape when the dataset is made."""
    if type(shape) is tuple:
        return shape
    value = constant_value(shape)
    if value is not None:  # what is negative is refused when the dataset runs
        return tuple(None if n < 0 else int(n) for n in value)
    return (None,) * (shape.shape[0].value or 0)


def _filling(value, dtype):
    found = convert_to_tensor(value, name="padding_value")
    number = type(value) in (int, float)  # Python's: any DType of its kind will do
    fits = dtype.is_floating or (type(value) is int and dtype.is_integer)
    if found.dtype != dtype and not (number and fits):
        raise TypeError(
            f"Padding value tensor ({found}) does not match output type: {dtype}"
        )
    if found.symbolic and is_tensor(value):
        return found
    array = constant_value(found) if found.symbolic else np.asarray(found)
    return array[()] if dtype == dtypes.string else array.astype(dtype.np)[()]


def scalar(value):
    """An int, or a tensor whose value will be one."""
    if not is_tensor(value):
        if np.ndim(value):
            raise advised(
                ValueError, f"Shape must be rank 0 but is rank {np.ndim(value)}"
            )
        try:
            return int(value) if isinstance(value, bool) else operator.index(value)
        except TypeError:
            kind = type(value).__name__
            raise TypeError(
                f"Expected int64, got {value!r} of type '{kind}' instead."
            ) from None
    t = convert_to_tensor(value)
    return t if t.symbolic else int(t)


def _check_shard(count, index):
    """Refuse numbers that are known and do not fit."""
    if isinstance(count, int) and count < 1:
        raise ValueError(f"num_shards must be >= 1; got: {count}")
    if isinstance(index, int) and index < 0:
        raise ValueError(f"index must be >= 0; got: {index}")
    if isinstance(count, int) and isinstance(index, int) and index >= count:
        raise ValueError(f"index must be <= num_shards; {index} is not < {count}")


def _seed(seed):
    return None if seed is None else scalar(seed)


def require(condition, message):
    """Raise InvalidArgumentError unless `condition` holds."""
    if not condition:
        raise errors.invalid(message)
