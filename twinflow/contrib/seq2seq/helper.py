"""What a decoder reads: the inputs of each step, and the samples of its outputs."""

import abc
from typing import Any

from twinflow.base import nest
from twinflow.base.dtypes import int32
from twinflow.base.shapes import TensorShape
from twinflow.contrib.rnn.stacks import transpose_batch_time
from twinflow.graph.cond import cond
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import equal, greater_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.size import size
from twinflow.ops.math.positions import argmax
from twinflow.ops.tensor_array.arrays import TensorArray


class Helper(abc.ABC):
    """What BasicDecoder asks for samples and for the inputs of the next step."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """int32[], the number of sequences."""

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The TensorShape of a sample, without the batch."""

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """The DType of a sample."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(bool[batch], which sequences are over; the first inputs)"""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: Any = None) -> Any:
        """The samples of the outputs of a step."""

    @abc.abstractmethod
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """(which sequences are over, the next inputs, the next state)"""


def scope_of(helper, what, name, values=()):
    """The name scope of a method of a helper."""
    return name_scope(name, f"{type(helper).__name__}{what}", values)


class CustomHelper(Helper):
    """A helper of three functions.

    Args:
        initialize_fn: of nothing; gives (finished, first inputs).
        sample_fn: of (time, outputs, state); gives the samples.
        next_inputs_fn: of (time, outputs, state, sample_ids); gives (finished, next
            inputs, next state).
        sample_ids_shape, sample_ids_dtype: those of samples; int32 scalars if not
            given.
    """

    def __init__(
        self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any,
        sample_ids_shape: Any = None, sample_ids_dtype: Any = None,
    ) -> None:  # fmt: skip
        self._initialize_fn, self._sample_fn = initialize_fn, sample_fn
        self._next_inputs_fn, self._batch_size = next_inputs_fn, None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or int32

    @property
    def batch_size(self) -> Any:
        """int32[]; ValueError before `initialize`."""
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    sample_ids_shape = property(lambda self: self._sample_ids_shape)
    sample_ids_dtype = property(lambda self: self._sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        with scope_of(self, "Initialize", name):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Any = None) -> Any:
        """See Helper."""
        with scope_of(self, "Sample", name, [time]):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """See Helper."""
        with scope_of(self, "NextInputs", name, [time]):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


def rows_of(inputs):
    """A TensorArray of the time steps of time-major inputs."""
    array = TensorArray(inputs.dtype, _steps(inputs), element_shape=inputs.shape[1:])
    return array.unstack(inputs)


def _steps(inputs):
    known = inputs.shape[0].value
    return inputs._shape_value()[0] if known is None else known


class TrainingHelper(Helper):
    """The inputs are given; a sample is the likeliest class of an output.

    Args:
        inputs: float[batch, time, ...] ([time, batch, ...] if `time_major`), or a
            structure of them.
        sequence_length: int32[batch]. time_major: see above. name: the name scope.
    Raises:
        ValueError: `sequence_length` is no vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, time_major: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "TrainingHelper", [sequence_length]):
            self._inputs = nest.map_structure(_tensor, inputs)
            steps = self._inputs
            if not time_major:
                steps = nest.map_structure(transpose_batch_time, steps)
            self._rows = nest.map_structure(rows_of, steps)
            lengths = convert_to_tensor(sequence_length, name="sequence_length")
            if lengths.shape.ndims != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{lengths.shape}"
                )
            self._sequence_length = lengths
            self._zero_inputs = nest.map_structure(lambda x: zeros_like(x[0]), steps)
            self._batch_size = size(lengths)

    inputs = property(lambda self: self._inputs, doc="The inputs as they were given.")
    sequence_length = property(lambda self: self._sequence_length, doc="int[batch]")
    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: TensorShape([]))
    sample_ids_dtype = property(lambda self: int32)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        with name_scope(name, "TrainingHelperInitialize"):
            return self._at(0)

    def sample(
        self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any
    ) -> Any:
        """int32[batch], the likeliest class of each output."""
        with name_scope(name, "TrainingHelperSample", [time, outputs]):
            return cast(argmax(outputs, axis=-1), "int32")

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, name: str | None = None,
        **unused_kwargs: Any,
    ) -> Any:  # fmt: skip
        """See Helper."""
        with name_scope(name, "TrainingHelperNextInputs", [time, outputs]):
            return (*self._at(time + 1), state)

    def _at(self, time):
        """(finished, inputs) of a step; zeros once all sequences are over."""
        lengths = self._sequence_length
        at_start = isinstance(time, int)
        finished = equal(time, lengths) if at_start else greater_equal(time, lengths)

        def read():
            return nest.map_structure(lambda rows: rows.read(time), self._rows)

        return finished, cond(reduce_all(finished), lambda: self._zero_inputs, read)


def _tensor(x):
    return convert_to_tensor(x, name="inputs")
