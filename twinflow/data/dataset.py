"""tf.data.Dataset: chains the transforms of data.pipeline.stages; see Note [Passes]."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.operators import TensorValue
from twinflow.data import cards, rewriting, sources
from twinflow.data import structure as nested
from twinflow.data.functions import symbolic
from twinflow.data.iterators import handles
from twinflow.data.options import Options
from twinflow.data.pipeline import file_sources, stages, windows
from twinflow.data.structure import OfStructure, Structure
from twinflow.data.transforms import Transforms, require, scalar
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.sparse.tensor import SparseTensor

_SCALAR = Structure(None, [dtypes.int64], [()])
FILE = Structure(None, [dtypes.string], [()])
_MOST_FILES = 1 << 20  # that are shuffled as a whole


# How many constants TensorFlow has in the graph for one: Note [Ids].
_IDS = {
    "RangeDataset": 3, "ShuffleDataset": 2, "RepeatDataset": 1, "BatchDataset": 2,
    "PaddedBatchDataset": 2, "PrefetchDataset": 1, "TakeDataset": 1, "SkipDataset": 1,
    "InterleaveDataset": 2, "ShardDataset": 5, "WindowDataset": 4,
    "GeneratorDataset": 1, "TFRecordDataset": -1, "TextLineDataset": -1,
    "FixedLengthRecordDataset": 2, "CsvDataset": 1, "ListFiles": 14,
    "ParallelMapDataset": 1, "ShuffleAndRepeatDataset": 2,
}  # fmt: skip


class Dataset(OfStructure, Transforms):
    """Elements one after another, each a tensor or a tuple or dict of tensors.

    Datasets are made by the static methods and changed by the others; each gives a new
    dataset. Lists are tensors here, not structure.

    Attributes:
        structure: the Structure of the elements.
        start: from an Env to a source (see Notes [Starting a dataset], [Passes]).
        inputs: the graph tensors it depends on.
    Example:
        d = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [0, 1, 0]))
        for x, y in d.shuffle(3, seed=1).repeat(4).batch(6):
            print(x.shape, y.shape)
    """

    _own_ops = 1
    _library: Any = None  # the functions that its nodes call, once they are written
    _factory: Any = None  # the LibraryFunction that makes it, if it was imported

    def __init__(
        self, kind: str, structure: Any, start: Callable[..., Any], inputs: Any = ()
    ) -> None:
        self._kind, self.structure, self.start = kind, structure, start
        self.inputs, self._options = symbolic(inputs), Options()
        self._given = list(inputs)  # for data.kernels.writing
        dispatch.current_mode().leave_ids(_IDS.get(kind, 0))
        self._before: tuple[Any, ...] = ()  # the datasets it is made from
        self._link: Any = None  # the transform that made it of one

    def _inputs(self) -> list:
        """The datasets that this one takes its elements from."""
        return list(self._before)

    @property
    def _ops(self):
        """How many nodes TensorFlow has for it and those that it is made from."""
        return self._own_ops + sum(d._ops for d in self._before)

    def _made_from(self, *datasets):
        self._before = datasets
        for dataset in datasets:
            self._options = self._options.merge(dataset.options())
        return self

    @staticmethod
    def _of_source(structure, tensor):
        """The dataset whose source a variant tensor holds: a window."""
        start = lambda env: windows.unboxed(env.value(tensor))
        return Dataset("WindowDataset", structure, start, [tensor])

    def _then(self, kind, step, structure=None, inputs=(), **facts):
        """The dataset whose source is `step(env, source of this one)`.

        Args:
            facts: of the transform, for data.rewriting.
        """
        found = Dataset(
            kind,
            structure or self.structure,
            lambda env: step(env, self.start(env)),
            [*self.inputs, *inputs],
        )._made_from(self)
        found._link = rewriting.Link(kind, step, structure, list(inputs), facts)
        return found

    def _finished(self):
        """As it is to be started, see Note [Rewriting]."""
        return rewriting.finished(self)

    # ------------------------------------------------------------------ sources
    @staticmethod
    def from_tensors(tensors: Any) -> "Dataset":
        """The dataset of one element, `tensors`."""
        parts, structure = sources.components(tensors)
        dispatch.current_mode().leave_ids(len(parts) - len(symbolic(parts)))

        def start(env):
            return stages.once([env.value(p) for p in parts])

        return Dataset("TensorDataset", structure, start, parts)

    @staticmethod
    def from_tensor_slices(tensors: Any) -> "Dataset":
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
        dispatch.current_mode().leave_ids(len(parts) - len(symbolic(parts)))

        def start(env):
            values = [env.value(p) for p in parts]
            return sources.rows(values, structure.leaves)

        rows = sources.row_structure(structure)
        return Dataset("TensorSliceDataset", rows, start, parts)

    @staticmethod
    def from_generator(
        generator: Any, output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> "Dataset":
        """What a Python generator yields.

        An iterator that goes on from a checkpoint calls the generator again and leaves
        out as many elements as were taken; TensorFlow 1.12 refuses to save it.

        Args:
            generator: a function that gives an iterable; called for each pass.
            output_types: the DTypes, in the form of an element.
            output_shapes: TensorShapes in that form; unknown if not given.
            args: tensors whose values, as arrays, are the arguments of `generator`.
        Raises:
            TypeError: `generator` is no function.
        """
        if not callable(generator):
            raise advised(TypeError, "`generator` must be callable.")
        structure = Structure.of(output_types, output_shapes)
        given = [sources.components(a)[0][0] for a in args or ()]

        def start(env):
            return sources.yielded(generator, [env.value(a) for a in given], structure)

        found = Dataset("GeneratorDataset", structure, start, given)
        found._own_ops = 2  # one element, and what the generator makes of it
        return found

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor: Any) -> "Dataset":
        """The slices of a SparseTensor along its first axis: each a tuple of indices,
        values and dense shape.

        Raises:
            TypeError: it is no SparseTensor. InvalidArgumentError: its indices do not
                ascend along the first axis.
        """
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError("`sparse_tensor` must be a `tf.SparseTensor` object.")
        rows = Dataset.from_tensor_slices(sparse_tensor)
        triple = Structure((None,) * 3, rows.structure.types, rows.structure.shapes)
        return Dataset("SparseTensorSliceDataset", triple, rows.start, rows.inputs)

    @staticmethod
    def list_files(
        file_pattern: TensorValue, shuffle: Any = None, seed: int | None = None
    ) -> "Dataset":
        """The paths that match patterns, as string scalars.

        Args:
            file_pattern: a string or a string tensor. shuffle: in random order, which
                is the default; else sorted. seed: makes that order reproducible.
        Raises:
            NotFoundError, InvalidArgumentError: there is no such folder; nothing
                matches. In a graph, when an iterator starts; one-shot iterators are
                empty then, as in 1.12.
        """
        pattern = convert_to_tensor(file_pattern, dtypes.string)
        if dispatch.current_mode().eager:
            file_sources.matching(pattern._a)

        def start(env):
            names = file_sources.matching(env.value(pattern), env.checked)
            return stages.slices([names])

        found = Dataset("ListFiles", FILE, start, [pattern])
        if shuffle or shuffle is None:
            dispatch.current_mode().leave_ids(6)  # of the number of files
            found = found.shuffle(_MOST_FILES, seed)
        return found

    @staticmethod
    def range(*args: Any) -> "Dataset":
        """The int64 scalars of Python's range(*args)."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        bounds = [scalar(a) for a in args]
        if len(bounds) == 1:
            bounds = [0, *bounds]
        first, last, step = [*bounds, 1][:3]

        def start(env):
            by = env.int(step)
            require(by != 0, "step must be a non-zero integer.")
            return stages.counting(env.int(first), env.int(last), by)

        return Dataset("RangeDataset", _SCALAR, start, [first, last, step])

    @staticmethod
    def zip(datasets: Any) -> "Dataset":
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
            nested.with_leaves(datasets, [p.template for p in parts]),
            [t for p in parts for t in p.types],
            [s for p in parts for s in p.shapes],
        )

        def start(env):
            return stages.zipped([d.start(env) for d in flat])

        inputs = [t for d in flat for t in d.inputs]
        return Dataset("ZipDataset", structure, start, inputs)._made_from(*flat)

    # ------------------------------------------------------------------ options
    def options(self) -> Any:
        """The Options it was given."""
        return self._options

    def with_options(self, options: Any) -> "Dataset":
        """The same dataset with Options.

        Raises:
            TypeError: they are none.
        """
        if not isinstance(options, Options):
            raise TypeError(f"`options` must be a tf.data.Options, got {options!r}")
        found = self._then("_OptionsDataset", lambda env, source: source)
        found._options = found._options.merge(options)
        return found

    # ------------------------------------------------------------------ elements
    _structure = property(lambda self: self.structure)

    def __iter__(self) -> "handles.EagerIterator":
        if not dispatch.current_mode().eager:
            raise advised(
                RuntimeError,
                "dataset.__iter__() is only supported when eager execution is enabled.",
            )
        return handles.EagerIterator(self)

    def make_one_shot_iterator(self) -> Any:
        """An iterator that needs no initialisation.

        Raises:
            ValueError: the dataset depends on a placeholder.
        """
        if dispatch.current_mode().eager:
            return handles.EagerIterator(self)
        return handles.one_shot(self)

    def make_initializable_iterator(
        self, shared_name: Any = None
    ) -> "handles.Iterator":
        """An iterator that `iterator.initializer` starts, again and again (graph mode).

        Raises:
            RuntimeError: eager execution is enabled.
        """
        if dispatch.current_mode().eager:
            raise RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager "
                "execution is enabled."
            )
        return handles.initializable(self, shared_name)

    def __repr__(self):
        return f"<{self._kind} {self.structure}>"

    def _repr_html_(self) -> str:
        return cards.of_dataset(self)
