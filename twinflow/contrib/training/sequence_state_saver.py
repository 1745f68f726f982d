"""SequenceQueueingStateSaver: long sequences in pieces, whose states are kept.

Note [Sequence pieces]: an example is cut into pieces of equal length. A Barrier holds
the pieces under keys `00001_of_00003:key`; a piece is complete, and may be taken, when
it has its states too: the first piece gets the initial ones, each other those that were
saved for the piece before it. A queue holds a token for each example that is not done,
which bounds how many there are.
"""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dtypes import int32
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.training.sequence_checks import (
    check_dimensions,
    check_multiple_of,
    check_rank,
    check_shape,
)
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.ops.core.arithmetic import multiply, subtract
from twinflow.ops.core.compare import (
    equal,
    greater_equal,
    less_equal,
    logical_not,
    where,
)
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import ones
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.division import floordiv
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape, squeeze
from twinflow.ops.debugging.checks import Assert, assert_greater_equal
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.queues.barrier import Barrier
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.strings.basic import string_join
from twinflow.ops.strings.number import as_string

_FIRST = ("length", "total_length", "next_key", "sequence", "sequence_count")
_TYPES = (int32, int32, dtypes.string, int32, int32)


class SequenceInputWrapper:
    """An example as tensors, in the order of names.

    Args:
        length: int32[]. key: string[]. sequences: dict of [length, ...] tensors.
        context: dict of tensors.
    Raises:
        TypeError: a name or the key is no string.
        ValueError: there are no sequences, or a shape is not known.
    """

    def __init__(self, length: Any, key: Any, sequences: dict, context: dict) -> None:
        self.length = convert_to_tensor(length, name="length")
        self.key = convert_to_tensor(key, name="key")
        if self.key.dtype != dtypes.string:
            raise TypeError(f"key dtype must be string, but received: {self.key.dtype}")
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        self.sequences = _sorted(sequences, "sequence")
        self.context = _sorted(context, "context")
        for name, t in self.sequences.items():
            if t.shape.ndims is None or not t.shape[1:].is_fully_defined():
                raise ValueError(
                    f"Shape for sequence {name} is not fully defined (ignoring first "
                    f"dimension): {t.shape}"
                )
        for name, t in self.context.items():
            if not t.shape.is_fully_defined():
                raise ValueError(
                    f"Shape for context {name} is not fully defined : {t.shape}"
                )


def _sorted(given, what):
    """A dict of tensors in the order of names."""
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"{what} key must be string: {name}")
    return {
        name: convert_to_tensor(given[name], name=f"{what}_{name}")
        for name in sorted(given)
    }


class NextQueuedSequenceBatch:
    """The next pieces of some examples, with the states of the pieces before them.

    A SequenceQueueingStateSaver has one as its `next_batch`.

    Args:
        state_saver: the SequenceQueueingStateSaver.
    """

    def __init__(self, state_saver: "SequenceQueueingStateSaver") -> None:
        self._state_saver = state_saver

    def _column(self, name):
        return self._state_saver._columns[name]

    total_length = property(
        lambda self: self._column("total_length"), doc="int32[batch]: of the examples."
    )
    length = property(
        lambda self: self._column("length"), doc="int32[batch]: of the pieces."
    )
    key = property(
        lambda self: self._column("key"), doc="string[batch]: of the pieces."
    )
    next_key = property(
        lambda self: self._column("next_key"), doc="string[batch]: of the next pieces."
    )
    insertion_index = property(
        lambda self: self._column("insertion_index"),
        doc="int64[batch]: when the examples came, from -2**63 on.",
    )
    sequence = property(
        lambda self: self._column("sequence"), doc="int32[batch]: which pieces, from 0."
    )
    sequence_count = property(
        lambda self: self._column("sequence_count"),
        doc="int32[batch]: how many pieces the examples have.",
    )
    sequences = property(
        lambda self: self._column("sequences"),
        doc="Dict of [batch, num_unroll, ...] tensors.",
    )
    context = property(
        lambda self: self._column("context"), doc="Dict of [batch, ...] tensors."
    )

    batch_size = property(
        lambda self: self._column("batch_size"), doc="int32[]: how many there are."
    )

    def state(self, state_name: str) -> Tensor:
        """[batch, ...]: a state before these pieces.

        Raises:
            KeyError: there is no such state.
        """
        return self._column("states")[state_name]

    def save_state(
        self, state_name: str, value: TensorValue, name: str | None = None
    ) -> Any:
        """An op that keeps a state for the next pieces.

        Args:
            state_name: the state. value: [batch, ...], its value after these pieces.
            name: of the op.
        Raises:
            KeyError: there is no such state. ValueError: the value has another shape.
        """
        saver = self._state_saver
        if state_name not in saver._states:
            raise KeyError(f"state was not declared: {state_name}")
        with name_scope(name or "InputQueueingStateSaver_SaveState"):
            value = identity(value, name=f"convert_{state_name}")
            known = self.length.shape.concatenate(saver._states[state_name].shape)
            value = check_shape(value, known)
            goes_on = logical_not(equal(self.sequence, self.sequence_count - 1))
            kept = reshape(where(goes_on), [-1])
            return saver._barrier.insert_many(
                saver._index(state_name, "states"), gather(self.next_key, kept),
                gather(value, kept), name=f"BarrierInsertState_{state_name}",
            )  # fmt: skip


class SequenceQueueingStateSaver:
    """Gives long sequences in pieces, and keeps states from one piece to the next.

    Run `prefetch_op` to put an example in, `next_batch` to take pieces out. Each state
    of the batch must be saved with `next_batch.save_state`, for the next pieces to
    come.

    Args:
        batch_size: int32[], how many pieces are taken at once.
        num_unroll: the length of a piece, which divides that of the sequences.
        input_length: int32[], how much of the sequences of an example counts.
        input_key: string[], a key of its own for each example.
        input_sequences: dict of [padded length, ...] tensors.
        input_context: dict of tensors, the same for all pieces.
        initial_states: dict of tensors, at least one.
        capacity: how many examples may be there at once; any number by default.
        allow_small_batch: give less at the end. name: of the nodes.
    Raises:
        TypeError: a key is no string. RuntimeError: eager execution is enabled.
        ValueError: nothing is given, a shape is not known, the capacity is too small.
    Example:
        saver = tf.contrib.training.SequenceQueueingStateSaver(
            1, 2, 3, tf.constant("a"), {"x": [[1.], [2.], [3.], [0.]]}, {},
            {"sum": tf.zeros([1])})
        batch = saver.next_batch
        total = batch.state("sum") + tf.reduce_sum(batch.sequences["x"], 1)
        sess = tf.Session()
        sess.run(saver.prefetch_op)
        _ = sess.run([total, batch.save_state("sum", total)])
        sess.run(total)  # [[6.0]]
    """

    def __init__(
        self, batch_size: TensorValue, num_unroll: int, input_length: TensorValue,
        input_key: TensorValue, input_sequences: dict[Any, Any],
        input_context: dict[Any, Any],
        initial_states: dict[Any, Any], capacity: Any = None,
        allow_small_batch: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        values = [*input_sequences.values(), *input_context.values()]
        with name_scope(name, "InputQueueingStateSaver", values) as scope:
            if not initial_states:
                raise ValueError(
                    "initial_states may not be empty: at least one state variable is "
                    "required to properly enqueue split sequences to run in separate "
                    "iterations"
                )
            self._name = scope
            inputs = SequenceInputWrapper(
                input_length, input_key, input_sequences, input_context
            )
            self._sequences, self._context = inputs.sequences, inputs.context
            self._states = _sorted(initial_states, "state")
            self._num_unroll = int(num_unroll)
            self._given_size = batch_size
            self._batch_size = self._bounded(capacity, batch_size)
            self._tokens = FIFOQueue(
                -1 if capacity is None else capacity, [int32], [[]]
            )
            self._barrier = self._make_barrier()
            self._prefetch_op = self._make_prefetch_op(inputs)
            self._columns = self._taken(allow_small_batch)
        self._next_batch = NextQueuedSequenceBatch(self)

    # ------------------------------------------------------------------ public
    name = property(lambda self: self._name, doc="The name scope of its nodes.")
    barrier = property(lambda self: self._barrier, doc="The Barrier.")
    batch_size = property(lambda self: self._given_size, doc="What was given.")
    num_unroll = property(lambda self: self._num_unroll, doc="The length of a piece.")
    prefetch_op = property(
        lambda self: self._prefetch_op, doc="Puts one example in, and waits for room."
    )
    next_batch = property(
        lambda self: self._next_batch, doc="The NextQueuedSequenceBatch."
    )

    def close(
        self, cancel_pending_enqueues: bool = False, name: str | None = None
    ) -> Any:
        """An op after which no new examples come in.

        Args:
            cancel_pending_enqueues: end the waiting ones too. name: of the op.
        """
        cancel = cancel_pending_enqueues
        with name_scope(name, "SQSSClose") as scope:
            return group(
                self._barrier.close(cancel, name="BarrierClose"),
                self._tokens.close(cancel, name="FIFOClose"),
                name=scope,
            )

    # ------------------------------------------------------------------ parts
    def _bounded(self, capacity, batch_size):
        """The size of a batch, int32[], that is at most the capacity."""
        size = convert_to_tensor(batch_size, int32, name="batch_size")
        self._checks = []
        if capacity is None:
            return size
        if not isinstance(batch_size, Tensor) and capacity < batch_size:
            raise ValueError(
                f"capacity {capacity} needs to be >= batch_size {batch_size}"
            )
        fits = assert_greater_equal(
            cast(capacity, dtypes.int64), cast(size, dtypes.int64),
            message="capacity needs to be >= batch_size.",
        )  # fmt: skip
        self._checks = [fits]
        with control_dependencies(self._checks):
            return identity(size)

    def _make_barrier(self):
        pieces = [[self._num_unroll, *t.shape.as_list()[1:]]
                  for t in self._sequences.values()]  # fmt: skip
        others = [*self._context.values(), *self._states.values()]
        tensors = [*self._sequences.values(), *others]
        return Barrier(
            [*_TYPES, *(t.dtype.base_dtype for t in tensors)],
            [*([()] * len(_TYPES)), *pieces, *(t.shape for t in others)],
        )

    def _index(self, name, kind):
        """Which component of the barrier holds a value."""
        at = len(_FIRST)
        for group_kind, names in (("sequences", self._sequences),
                                  ("context", self._context),
                                  ("states", self._states)):  # fmt: skip
            if kind == group_kind:
                return at + list(names).index(name)
            at += len(names)
        raise KeyError(kind)

    def _make_prefetch_op(self, inputs):
        """The op that puts one example in."""
        total, key = check_rank(inputs.length, 0), check_rank(inputs.key, 0)
        first = next(iter(self._sequences.values()))
        padded = identity(shape(first)[0], name="padded_length")
        padded = check_multiple_of(padded, self._num_unroll)
        sequences = {
            name: check_dimensions(t, [0], [padded], f"sorted_sequences_{name}")
            for name, t in self._sequences.items()
        }
        too_long = ["Input length should be <= than length from sequences:", total,
                    " vs. ", padded]  # fmt: skip
        with control_dependencies([Assert(less_equal(total, padded), too_long)]):
            total = identity(total)
        columns, keys = self._rows(total, key, floordiv(padded, self._num_unroll))
        columns += [self._pieces(name, t) for name, t in sequences.items()]
        count = shape(keys)[0]
        columns += [self._repeated(t, count) for t in self._context.values()]
        with control_dependencies(self._checks):
            token = self._tokens.enqueue([0])
        with control_dependencies([token]):
            keys = identity(keys)
        put = [
            self._barrier.insert_many(i, keys, column, name=f"BarrierInsert_{i}")
            for i, column in enumerate(columns)
        ]
        with control_dependencies(put):  # which makes the first piece complete
            start = keys[:1]
        states = [
            self._barrier.insert_many(
                self._index(name, "states"), start, expand_dims(t, 0),
                name=f"BarrierInitialInsertState_{name}",
            )
            for name, t in self._states.items()
        ]  # fmt: skip
        return group(*put, *states, name="StateSaverPrefetchGroup")

    def _rows(self, total, key, count):
        """What is known of each piece, as in _FIRST, and their keys."""
        sequence, n = range_of(count), self._num_unroll
        length = clip_by_value(subtract(total, multiply(sequence, n)), 0, n)
        marks = [as_string(x, width=5, fill="0") for x in (sequence, count)]
        of, colon = "_of_", ":"
        each = ones(expand_dims(count, 0), int32)
        keys = string_join(
            [marks[0], of, marks[1], colon, key], name="StringJoinCurrentKeys"
        )
        last = string_join(["STOP:", key], name="StringJoinStop")
        next_key = concat([keys[1:], expand_dims(last, 0)], 0, name="concat_next_keys")
        return [length, each * total, next_key, sequence, each * count], keys

    def _pieces(self, name, sequence):
        """[pieces, num_unroll, ...] of [length, ...]"""
        sizes = [-1, self._num_unroll, *sequence.shape.as_list()[1:]]
        return reshape(sequence, sizes, name=f"reshape_sequences_{name}")

    def _repeated(self, value, count):
        """[count, ...]: a value again and again."""
        rest = [1] * value.shape.ndims
        return tile(expand_dims(value, 0), stack([count, *rest]))

    def _taken(self, allow_small_batch):
        """Dict of what the next batch has."""
        found = self._barrier.take_many(
            self._batch_size, allow_small_batch, name="BarrierTakeMany"
        )
        rows = iter(found.values)
        columns = {"insertion_index": found.indices, "key": found.keys}
        columns |= {name: next(rows) for name in _FIRST}
        for kind, names in (("sequences", self._sequences), ("context", self._context),
                            ("states", self._states)):  # fmt: skip
            columns[kind] = {name: next(rows) for name in names}
        columns["batch_size"] = squeeze(shape(found.keys))
        done = greater_equal(columns["sequence"] + 1, columns["sequence_count"])
        tokens = self._tokens.dequeue_many(reduce_sum(cast(done, int32)))
        with control_dependencies([tokens]):
            states = columns["states"].items()
            columns["states"] = {name: identity(t) for name, t in states}
        return columns
