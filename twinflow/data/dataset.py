"""tf.data.Dataset: chains the transforms of data.iterators; see Note [Passes]."""

import operator

from twinflow.base import dispatch, dtypes, errors
from twinflow.data import iterator, iterators, parallel, shuffle, sources
from twinflow.data import structure as nested
from twinflow.data.functions import (
    DatasetFunction,
    ElementFunction,
    Predicate,
    is_tensor,
    symbolic,
)
from twinflow.data.reduce import reduced
from twinflow.data.structure import Structure
from twinflow.ops.arrays.constant import convert_to_tensor
from twinflow.ops.random.streams import get_seed

_SCALAR = Structure(None, [dtypes.int64], [()])
_AUTO = 2  # elements that prefetch keeps ready where the user leaves it to us


class Dataset:
    """Elements one after another, each a tensor or a tuple or dict of tensors.

    Datasets are made by the static methods and changed by the others; each gives a new
    dataset. Lists are tensors here, not structure.

    Attributes:
        structure: the Structure of the elements.
        start: from an Env to a source (see Notes [Starting a dataset], [Passes]).
        inputs: the graph tensors it depends on.
    Example:
        d = tf.data.Dataset.from_tensor_slices((images, labels))
        for x, y in d.shuffle(60000, seed=1).repeat(4).batch(64): ...
    """

    def __init__(self, kind, structure, start, inputs=()):
        self._kind, self.structure, self.start = kind, structure, start
        self.inputs = symbolic(inputs)

    def _then(self, kind, step, structure=None, inputs=()):
        """The dataset whose source is `step(env, source of this one)`."""
        return Dataset(
            kind,
            structure or self.structure,
            lambda env: step(env, self.start(env)),
            [*self.inputs, *inputs],
        )

    # ------------------------------------------------------------------ sources
    @staticmethod
    def from_tensors(tensors):
        """The dataset of one element, `tensors`."""
        parts, structure = sources.components(tensors)

        def start(env):
            return iterators.once([env.value(p) for p in parts])

        return Dataset("TensorDataset", structure, start, parts)

    @staticmethod
    def from_tensor_slices(tensors):
        """The rows of tensors, cut along the first axis.

        Args:
            tensors: arrays or tensors with first axes of one length, in any structure.
                Arrays are copied once and belong to the dataset.
        Raises:
            ValueError: a scalar, or lengths that differ.
        Example:
            tf.data.Dataset.from_tensor_slices({"x": [1, 2], "y": [3., 4.]})
        """
        parts, structure = sources.components(tensors)

        def start(env):
            return sources.rows([env.value(p) for p in parts])

        rows = sources.row_structure(structure)
        return Dataset("TensorSliceDataset", rows, start, parts)

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        """What a Python generator yields.

        Args:
            generator: a function that gives an iterable; called for each pass.
            output_types: the DTypes, in the form of an element.
            output_shapes: TensorShapes in that form; unknown if not given.
            args: tensors whose values, as arrays, are the arguments of `generator`.
        Raises:
            TypeError: `generator` is no function.
        """
        if not callable(generator):
            raise TypeError("`generator` must be callable.")
        structure = Structure.of(output_types, output_shapes)
        given = [sources.components(a)[0][0] for a in args or ()]

        def start(env):
            return sources.yielded(generator, [env.value(a) for a in given], structure)

        return Dataset("GeneratorDataset", structure, start, given)

    @staticmethod
    def range(*args):
        """The int64 scalars of Python's range(*args)."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        bounds = [_scalar(a) for a in args]
        if len(bounds) == 1:
            bounds = [0, *bounds]
        first, last, step = [*bounds, 1][:3]

        def start(env):
            by = env.int(step)
            _require(by != 0, "step must be a non-zero integer.")
            return iterators.counting(env.int(first), env.int(last), by)

        return Dataset("RangeDataset", _SCALAR, start, bounds)

    @staticmethod
    def zip(datasets):
        """Elements made of one element from each dataset, until one of them ends.

        Args:
            datasets: a tuple or dict of datasets, nested at will.
        """
        flat = nested.flatten(datasets)
        if not all(isinstance(d, Dataset) for d in flat):
            lists = any(isinstance(d, list) for d in flat)
            raise TypeError(
                "The argument to `Dataset.zip()` must be a nested structure of "
                "`Dataset` objects."
                + " Nested structures do not support Python lists; please use a tuple "
                "instead." * lists
            )
        parts = [d.structure for d in flat]
        structure = Structure(
            nested.pack(datasets, [p.template for p in parts]),
            [t for p in parts for t in p.types],
            [s for p in parts for s in p.shapes],
        )

        def start(env):
            return iterators.zipped([d.start(env) for d in flat])

        inputs = [t for d in flat for t in d.inputs]
        return Dataset("ZipDataset", structure, start, inputs)

    # ------------------------------------------------------------------ functions
    def map(self, map_func, num_parallel_calls=None):
        """`map_func` of each element.

        Args:
            map_func: a function of the components of an element, traced once.
            num_parallel_calls: how many elements may be worked on at once; their order
                stays. Functions that draw random numbers are called in order.
        Example:
            dataset.map(lambda image, label: (tf.cast(image, tf.float32) / 255., label))
        """
        function = ElementFunction(map_func, self.structure)
        workers = None if num_parallel_calls is None else _scalar(num_parallel_calls)

        def step(env, source):
            run = function.start(env)
            if workers is None or function.draws:
                return iterators.mapped(source, run)
            count = env.int(workers)
            _require(count > 0, "num_parallel_calls must be greater than zero.")
            return parallel.mapped_in_parallel(source, run, count)

        kind = "MapDataset" if workers is None else "ParallelMapDataset"
        inputs = [*function.inputs, workers]
        return self._then(kind, step, function.structure, inputs)

    def filter(self, predicate):
        """The elements of which `predicate`, a function to bool[], is true."""
        function = Predicate(predicate, self.structure)

        def step(env, source):
            return iterators.filtered(source, function.start(env))

        return self._then("FilterDataset", step, inputs=function.inputs)

    def flat_map(self, map_func):
        """The elements of the datasets that `map_func` gives, one after another."""
        function = DatasetFunction(map_func, self.structure, _is_dataset)

        def step(env, source):
            return iterators.flattened(source, function.start(env))

        kind, inputs = "FlatMapDataset", function.inputs
        return self._then(kind, step, function.structure, inputs)

    def reduce(self, initial_state, reduce_func):
        """The last state: `reduce_func(state, element)` is the next one.

        Returns:
            The structure of `initial_state`, as tensors.
        Example:
            tf.data.Dataset.range(5).reduce(np.int64(0), lambda s, x: s + x)  # 10
        """
        return reduced(self, initial_state, reduce_func)

    def apply(self, transformation_func):
        """`transformation_func(self)`, which must be a dataset."""
        found = transformation_func(self)
        if not isinstance(found, Dataset):
            raise TypeError("`transformation_func` must return a Dataset.")
        return found

    # ------------------------------------------------------------------ order
    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        """The elements in random order, chosen from a buffer of `buffer_size`.

        Args:
            buffer_size: how many elements wait; the whole order is random only if all
                of them fit.
            seed: makes the order reproducible, also together with a graph seed alone
                (tf.set_random_seed). A new iterator then repeats the same orders.
            reshuffle_each_iteration: whether each `repeat` has another order; True if
                not given.
        """
        size, seeds = _scalar(buffer_size), get_seed(_seed(seed))
        reshuffle = reshuffle_each_iteration is None or reshuffle_each_iteration

        def step(env, source):
            most = env.int(size)
            _require(most > 0, "buffer_size must be greater than zero.")
            epochs = shuffle.epochs_of(*seeds, reshuffle)
            return iterators.shuffled(source, most, epochs)

        return self._then("ShuffleDataset", step, inputs=[size])

    def repeat(self, count=None):
        """The elements `count` times; forever if it is None or negative."""
        count = -1 if count is None else _scalar(count)
        return self._counted("RepeatDataset", iterators.repeated, count)

    def take(self, count):
        """The first `count` elements; all of them if it is -1."""
        return self._counted("TakeDataset", iterators.taken, _scalar(count))

    def skip(self, count):
        """What follows the first `count` elements; nothing if it is -1."""
        return self._counted("SkipDataset", iterators.skipped, _scalar(count))

    def _counted(self, kind, transform, count):
        def step(env, source):
            return transform(source, env.int(count))

        return self._then(kind, step, inputs=[count])

    def shard(self, num_shards, index):
        """Every `num_shards`-th element, from number `index` on."""
        shards, first = _scalar(num_shards), _scalar(index)

        def step(env, source):
            n, i = env.int(shards), env.int(first)
            _require(0 <= i < n, f"Need 0 <= index < num_shards, got {i} and {n}.")
            return iterators.sharded(source, n, i)

        return self._then("ShardDataset", step, inputs=[shards, first])

    def concatenate(self, dataset):
        """The elements of this dataset, then those of another of the same structure."""
        a, b = self.structure, dataset.structure
        if not nested.same_form(a.template, b.template) or a.types != b.types:
            raise TypeError(
                "Two datasets to concatenate have different types "
                f"{a.output_types} and {b.output_types}"
            )

        def step(env, source):
            return iterators.concatenated(source, dataset.start(env))

        structure = a.with_shapes(map(nested.merged, a.shapes, b.shapes))
        return self._then("ConcatenateDataset", step, structure, dataset.inputs)

    # ------------------------------------------------------------------ batches
    def batch(self, batch_size, drop_remainder=False):
        """Stacks of `batch_size` elements along a new first axis.

        Args:
            drop_remainder: leave out a last batch that would be smaller; the static
                shape then has the batch size.
        """
        size, drop = _scalar(batch_size), _scalar(drop_remainder)
        known = isinstance(size, int) and isinstance(drop, int)
        exact = size if known and drop else None

        def step(env, source):
            rows = env.int(size)
            _require(rows > 0, "Batch size must be greater than zero.")
            return iterators.batched(source, rows, bool(env.int(drop)))

        shapes = [None if s is None else (exact, *s) for s in self.structure.shapes]
        structure = self.structure.with_shapes(shapes)
        return self._then("BatchDataset", step, structure, [size, drop])

    def prefetch(self, buffer_size):
        """The same elements, up to `buffer_size` of them computed ahead in a thread."""
        size = _scalar(buffer_size)

        def step(env, source):
            ahead = env.int(size)
            _require(ahead >= -1, "buffer_size must be >= 0")
            return parallel.prefetched(source, ahead if ahead > 0 else _AUTO)

        return self._then("PrefetchDataset", step, inputs=[size])

    # ------------------------------------------------------------------ elements
    @property
    def output_types(self):
        """The DTypes of an element, in its form."""
        return self.structure.output_types

    @property
    def output_shapes(self):
        """The TensorShapes of an element, in its form."""
        return self.structure.output_shapes

    @property
    def output_classes(self):
        """The classes of the components of an element, in its form."""
        return self.structure.output_classes

    def __iter__(self):
        if not dispatch.current_mode().eager:
            raise RuntimeError(
                "dataset.__iter__() is only supported when eager execution is enabled."
            )
        return iterator.EagerIterator(self)

    def make_one_shot_iterator(self):
        """An iterator that needs no initialisation.

        Raises:
            ValueError: the dataset depends on a placeholder.
        """
        if dispatch.current_mode().eager:
            return iterator.EagerIterator(self)
        return iterator.one_shot(self)

    def make_initializable_iterator(self, shared_name=None):
        """An iterator that `iterator.initializer` starts, again and again (graph mode).

        Raises:
            RuntimeError: eager execution is enabled.
        """
        if dispatch.current_mode().eager:
            raise RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager "
                "execution is enabled."
            )
        return iterator.initializable(self, shared_name)

    def __repr__(self):
        return f"<{self._kind} {self.structure}>"


def _is_dataset(value):
    return isinstance(value, Dataset)


def _scalar(value):
    """An int, or a tensor whose value will be one."""
    if not is_tensor(value):
        return int(value) if isinstance(value, bool) else operator.index(value)
    t = convert_to_tensor(value)
    return t if t.symbolic else int(t)


def _seed(seed):
    return None if seed is None else _scalar(seed)


def _require(condition, message):
    if not condition:
        raise errors.InvalidArgumentError(None, None, message)
