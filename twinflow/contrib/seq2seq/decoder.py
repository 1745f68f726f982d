"""Decoders, and the loop that runs them."""

import abc
from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.contrib.rnn.stacks import transpose_batch_time
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import logical_not, logical_or, where
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import fill, zeros_like
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import shape
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import static_dims, zeros_of


class Decoder(abc.ABC):
    """What `dynamic_decode` runs: steps with outputs, a state and inputs."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """int32[], the number of sequences."""

    @property
    @abc.abstractmethod
    def output_size(self) -> Any:
        """The sizes of the outputs of a step, in their structure."""

    @property
    @abc.abstractmethod
    def output_dtype(self) -> Any:
        """Their DTypes."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(bool[batch], which sequences are over; the first inputs; the first state)"""

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(outputs, next state, next inputs, bool[batch], which sequences are over)"""

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(outputs, state) that `dynamic_decode` gives; by default what it got."""
        return outputs, final_state

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `finished` of a step is for all steps so far.

        So it is where a place of the batch holds another sequence after each step.
        """
        return False


def dynamic_decode(
    decoder: Any, output_time_major: bool = False, impute_finished: bool = False,
    maximum_iterations: Any = None, parallel_iterations: Any = 32,
    swap_memory: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """Run a decoder until all its sequences are over.

    Args:
        decoder: a Decoder.
        output_time_major: whether time is the first axis of the outputs.
        impute_finished: whether a sequence that is over puts out zeros and keeps its
            state.
        maximum_iterations: int32[], the most steps to take.
        parallel_iterations, swap_memory: see tf.while_loop.
        scope: the variable scope; `decoder` if not given.
    Returns:
        (outputs, the last state, int32[batch], the length of each sequence)
    Raises:
        TypeError: `decoder` is no Decoder.
        ValueError: `maximum_iterations` is not a scalar.
    Example:
        helper = tf.contrib.seq2seq.TrainingHelper(tf.ones([2, 5, 3]), [4, 5])
        cell = tf.nn.rnn_cell.GRUCell(4)
        decoder = tf.contrib.seq2seq.BasicDecoder(
            cell, helper, cell.zero_state(2, tf.float32))
        outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder)
        outputs.rnn_output[:, :, 0]  # float32[2, 5]
    """
    if not isinstance(decoder, Decoder):
        found = type(decoder)
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {found}")
    with variable_scope(scope, "decoder"):
        most = maximum_iterations
        if most is not None:
            most = convert_to_tensor(most, dtype="int32", name="maximum_iterations")
            if most.shape.ndims != 0:
                raise advised(ValueError, "maximum_iterations must be a scalar")
        loop = _Loop(decoder, impute_finished, most)
        options = {
            "parallel_iterations": parallel_iterations, "swap_memory": swap_memory,
        }  # fmt: skip
        outputs, state, lengths = loop.run(options)
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


class _Loop:
    """The loop; `most` is the most steps to take, or None."""

    def __init__(self, decoder, impute, most):
        self.decoder, self.impute, self.most = decoder, impute, most
        finished, self.inputs, self.state = decoder.initialize()
        self.finished = finished if most is None else logical_or(finished, most <= 0)
        sizes, dtypes = decoder.output_size, decoder.output_dtype
        n = decoder.batch_size
        self.zeros = nest.map_structure(
            lambda size, dtype: zeros_of(n, size, dtype), sizes, dtypes
        )
        self.outputs = nest.map_structure(
            lambda size, dtype: TensorArray(
                dtype, 0, dynamic_size=True, element_shape=_element_shape(n, size)
            ),
            sizes,
            dtypes,
        )

    def once(self, time, outputs, state, inputs, finished, lengths):
        """One step."""
        found = self.decoder.step(time, inputs, state)
        new_outputs, new_state, new_inputs, over = found
        if not self.decoder.tracks_own_finished:
            over = logical_or(over, finished)
        so_far = fill(shape(lengths), time + 1)
        lengths = where(logical_not(finished), so_far, lengths)
        nest.assert_same_structure(state, new_state)
        nest.assert_same_structure(outputs, new_outputs)
        nest.assert_same_structure(inputs, new_inputs)
        if self.impute:
            new_outputs = nest.map_structure(
                lambda new, zero: where(finished, zero, new), new_outputs, self.zeros
            )
            new_state = nest.map_structure(
                lambda new, old: _kept(finished, new, old), new_state, state
            )
        outputs = nest.map_structure(
            lambda array, new: array.write(time, new), outputs, new_outputs
        )
        return time + 1, outputs, new_state, new_inputs, over, lengths

    def run(self, options):
        """(outputs with time first, the last state, the lengths)"""
        start = (
            constant(0, dtype="int32", name="time"), self.outputs, self.state,
            self.inputs, self.finished, zeros_like(self.finished, dtype="int32"),
        )  # fmt: skip
        if self.most is not None:
            options["maximum_iterations"] = self.most
        found = while_loop(
            lambda time, outputs, state, inputs, over, _: logical_not(reduce_all(over)),
            self.once, start, **options,
        )  # fmt: skip
        _, outputs, state, _, _, lengths = found
        outputs = nest.map_structure(lambda array: array.stack(), outputs)
        try:
            outputs, state = self.decoder.finalize(outputs, state, lengths)
        except NotImplementedError:  # a Decoder of the user's may say so
            pass
        return outputs, state, lengths


def _element_shape(batch_size, size):
    """What is known of the shape of an output."""
    if not isinstance(size, TensorShape) or size.ndims == 0:
        return TensorShape(None)
    return TensorShape(static_dims([batch_size])).concatenate(size)


def _kept(finished, new, old):
    """The old state of the sequences that are over."""
    if isinstance(old, TensorArray):
        return new
    if isinstance(new, Tensor) and new.symbolic:
        new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else where(finished, old, new)
