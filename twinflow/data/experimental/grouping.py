"""Elements gathered by key: windows, buckets, and one result for each key."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes, nest
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.data.dataset import Dataset
from twinflow.data.functions import DatasetFunction, ElementFunction
from twinflow.data.pipeline import windows
from twinflow.data.pipeline.positions import element_of, place_of, put
from twinflow.data.pipeline.stages import After, Staged
from twinflow.data.reduce import stable
from twinflow.data.structure import Structure, compatible
from twinflow.data.transforms import is_dataset, require, scalar
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.index import gather
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.debugging.checks import assert_less

_TOO_LONG = (
    "When pad_to_bucket_boundary=True, elements must have length < "
    "max(bucket_boundaries)."
)
_SCALAR = Structure(None, [dtypes.int64], [()])


def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any],
    window_size: Any = None, window_size_func: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function that gathers elements by key, and hands full windows on.

    Args:
        key_func: from an element to an int64 scalar.
        reduce_func: from (key, dataset of a window) to a dataset.
        window_size: how many elements, or window_size_func: from a key to it.
    Raises:
        ValueError: not exactly one of the two is given.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Must pass either window_size or window_size_func.")

    def apply(dataset):
        structure = dataset.structure
        key = _Scalar.of(key_func, structure, "a single tf.int64 scalar tensor.")
        size = (
            None
            if window_size_func is None
            else _Scalar.of(
                window_size_func, _SCALAR, "a single tf.int64 scalar tensor."
            )
        )
        window = structure.as_dataset(Dataset._of_source, Dataset)
        pair = Structure((None, window.template), [dtypes.int64, *window.types],
                         [(), *window.shapes])  # fmt: skip
        reduced = DatasetFunction.of(reduce_func, pair, is_dataset, "reduce_func")
        fixed = None if window_size is None else scalar(window_size)

        def step(env, source):
            sizes = size.start(env) if size else lambda key: [env.int(fixed)]
            functions = key.start(env), sizes, reduced.start(env)
            return lambda: Staged(Grouped(source(), *functions))

        inputs = [*key.inputs, *reduced.inputs, *(size.inputs if size else [fixed])]
        return dataset._then("GroupByWindowDataset", step, reduced.structure, inputs)

    return apply


class _Scalar(ElementFunction):
    """A function from elements to an int64 scalar; `wanted` is what errors ask for."""

    def __init__(self, function, structure, wanted):
        self.wanted = wanted
        super().__init__(function, structure)

    def _outputs(self, graph):
        result = self.result
        known = isinstance(result, Tensor) and result.dtype.is_integer
        try:
            found = convert_to_tensor(result, None if known else dtypes.int64)
        except (TypeError, ValueError):
            raise ValueError(f"`key_func` must return {self.wanted}") from None
        if known:
            found = convert_to_tensor(found, dtypes.int64)
        if not compatible(found._shape, ()):
            raise ValueError(f"`key_func` must return {self.wanted}")
        self.result = found
        return super()._outputs(graph)


class Grouped(After):
    """Windows of elements with one key, each made what `reduce` gives for it.

    Attributes:
        groups: from keys to (size of the window, its elements so far).
        ready: (key, elements) of the window that is being given, and inner: its pass.
    """

    def __init__(self, inner, key_of, size_of, reduce):
        self.inner, self.key_of, self.size_of = inner, key_of, size_of
        self.reduce, self.groups = reduce, {}
        self.ready = self.window = None

    def elements(self):
        while self.ready is not None or self._fill():
            if self.window is None:
                self.window = self._open()
            yield from self.window
            self.ready = self.window = None
        self.over = True

    def _open(self):
        (key, rows), window = self.ready, None
        try:
            window = self.reduce([np.int64(key), windows.boxed(rows)])
        finally:
            if window is None:  # it failed: go on with the next one
                self.ready = None
        return window

    def _fill(self):
        """Take elements until a window is full, or there are no more."""
        groups = self.groups
        for element in self.inner:
            key = int(self.key_of(element)[0])
            if key not in groups:
                groups[key] = self._size(key), []
            size, rows = groups[key]
            rows.append(element)
            if len(rows) == size:
                self.ready = key, groups.pop(key)[1]
                return True
        for key in sorted(groups):
            self.ready = key, groups.pop(key)[1]
            return True
        return False

    def _size(self, key):
        size = int(np.asarray(self.size_of([np.int64(key)])[0]))
        require(size > 0, f"Window size must be greater than zero, but got {size}.")
        return size

    def state(self):
        groups = [[key, *group] for key, group in self.groups.items()]
        window = None if self.window is None else place_of(self.window)
        return [place_of(self.inner), groups, self.ready, window]

    def resume(self, place, groups, ready, window):
        put(self.inner, place)
        self.groups = {key: (size, _elements(rows)) for key, size, rows in groups}
        if ready is not None:
            self.ready = ready[0], _elements(ready[1])
        if window is not None:
            self.window = self._open()
            put(self.window, window)


def _elements(rows):
    return [element_of(row) for row in rows]


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Any,
    bucket_batch_sizes: Any, padded_shapes: Any = None, padding_values: Any = None,
    pad_to_bucket_boundary: bool = False, no_padding: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that makes padded batches of elements of about one length.

    Args:
        element_length_func: from an element to its length, an int32 scalar.
        bucket_boundaries: the upper ends of the lengths of buckets, ints.
        bucket_batch_sizes: one for each bucket, the last one for longer elements.
        padded_shapes, padding_values: see Dataset.padded_batch; by default all axes
            of unknown size are padded.
        pad_to_bucket_boundary: pad to the longest length of the bucket.
        no_padding: make batches of what has one shape anyway.
    Raises:
        ValueError: not one batch size more than boundaries.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(
            "len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1"
        )
    ends = np.array(bucket_boundaries, np.int64)

    def bucket(*element):
        length = cast(element_length_func(*element), dtypes.int64)
        return reduce_sum(cast(greater_equal(length, constant(ends)), dtypes.int64))

    def size(key):
        return gather(constant(np.array(bucket_batch_sizes, np.int64)), key)

    def apply(dataset):
        shapes = padded_shapes
        if shapes is None and not no_padding:
            shapes = dataset.output_shapes

        def batch(key, window):
            if no_padding:
                return window.batch(size(key))
            return window.padded_batch(size(key), shapes, padding_values)

        def batch_to_end(key, window):
            known = assert_less(key, constant(np.int64(len(ends))), message=_TOO_LONG)
            with control_dependencies([known]):
                whole = gather(constant(np.append(ends, 1)), key) - 1
            filled = nest.map_structure(
                lambda s: [whole if d is None else d for d in TensorShape(s).as_list()],
                shapes,
            )
            return window.padded_batch(size(key), filled, padding_values)

        function = batch_to_end if pad_to_bucket_boundary else batch
        return dataset.apply(group_by_window(bucket, function, window_size_func=size))

    return apply


class Reducer:
    """Three functions: of the first state, of the next one, and of the result.

    Args:
        init_func: key -> state. reduce_func: (state, element) -> state.
        finalize_func: state -> result.
    """

    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        self.init_func, self.reduce_func = init_func, reduce_func
        self.finalize_func = finalize_func


def group_by_reducer(key_func: Callable[..., Any], reducer: Any) -> Callable[..., Any]:
    """A function to a dataset of one result for each key, in order of appearance."""

    def apply(dataset):
        key = _Scalar.of(key_func, dataset.structure, "a single tf.int64 tensor.")
        first = ElementFunction.of(reducer.init_func, _SCALAR)
        more = stable(reducer.reduce_func, first.structure, dataset.structure)
        last = ElementFunction.of(reducer.finalize_func, more.structure)
        parts = key, first, more, last

        def step(env, source):
            functions = [f.start(env) for f in parts]
            return lambda: Staged(Reduced(source(), *functions))

        inputs = [t for f in parts for t in f.inputs]
        return dataset._then("GroupByReducerDataset", step, last.structure, inputs)

    return apply


class Reduced(After):
    """One result for each key, of all elements of a pass.

    Attributes:
        states: from keys to states. given: how many results were given.
    """

    def __init__(self, inner, key_of, first, more, last):
        self.inner, self.key_of, self.first = inner, key_of, first
        self.more, self.last = more, last
        self.states, self.given = {}, 0

    def elements(self):
        states = self.states
        for element in self.inner:
            key = int(self.key_of(element)[0])
            if key not in states:
                states[key] = self.first([np.int64(key)])
            states[key] = self.more([*states[key], *element])
        for state in list(states.values())[self.given :]:
            self.given += 1
            yield self.last(state)
        self.over = True

    def state(self):
        states = [[key, list(state)] for key, state in self.states.items()]
        return [place_of(self.inner), states, self.given]

    def resume(self, place, states, given):
        put(self.inner, place)
        self.states = {key: element_of(state) for key, state in states}
        self.given = given


def reduce_dataset(dataset: Any, reducer: Any) -> Any:
    """What a Reducer makes of all elements."""
    state = dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)
    return reducer.finalize_func(state)
