"""Recurrent networks that take whole sequences at once."""

import abc
from typing import Any

from twinflow.base import nest
from twinflow.ops.arrays.rearrange import reverse, reverse_sequence
from twinflow.ops.core.joining import stack, unstack
from twinflow.rnn.dynamic import dynamic_rnn
from twinflow.rnn.static import static_rnn


class FusedRNNCell(abc.ABC):
    """A network over sequences float[time, batch, size]."""

    @abc.abstractmethod
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: Any = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """(the outputs, the last state)

        Args:
            inputs: float[time, batch, size], or a list of steps.
            initial_state, dtype, sequence_length, scope: see tf.nn.dynamic_rnn.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """An RNNCell as a FusedRNNCell.

    Args:
        cell: an RNNCell. use_dynamic_rnn: whether a loop of the graph runs it, and not
            one of Python.
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: Any = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """See FusedRNNCell."""
        listed = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            rows = stack(inputs) if listed else inputs
            outputs, state = dynamic_rnn(
                self._cell, rows, sequence_length, initial_state, dtype,
                time_major=True, scope=scope,
            )  # fmt: skip
            return (unstack(outputs) if listed else outputs), state
        rows = inputs if listed else unstack(inputs)
        outputs, state = static_rnn(
            self._cell, rows, initial_state, dtype, sequence_length, scope
        )
        return (outputs if listed else stack(outputs)), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A FusedRNNCell that goes from the last step to the first.

    Args:
        cell: a FusedRNNCell.
    Example:
        forward = tf.contrib.rnn.LSTMBlockFusedCell(4)
        backward = tf.contrib.rnn.TimeReversedFusedRNN(
            tf.contrib.rnn.LSTMBlockFusedCell(4))
        x = tf.ones([5, 2, 3])
        y = [net(x, dtype=tf.float32)[0] for net in [forward, backward]]
    """

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def _turned(self, t, lengths):
        if isinstance(t, list):
            return (
                list(reversed(t))
                if lengths is None
                else unstack(self._turned(stack(t), lengths))
            )
        if lengths is None:
            return reverse(t, [0])
        return reverse_sequence(t, lengths, seq_axis=0, batch_axis=1)

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: Any = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """See FusedRNNCell."""
        back = self._turned(inputs, sequence_length)
        outputs, state = self._cell(
            back, initial_state=initial_state, dtype=dtype,
            sequence_length=sequence_length, scope=scope,
        )  # fmt: skip
        if isinstance(outputs, list):
            return self._turned(outputs, sequence_length), state
        turned = nest.map_structure(lambda t: self._turned(t, sequence_length), outputs)
        return turned, state
