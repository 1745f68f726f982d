"""Scheduled sampling: some inputs are given, the others are what was put out before.

Reference: Bengio et al., Scheduled sampling for sequence prediction with recurrent
neural networks (2015).
"""

from typing import Any

from twinflow.base import nest
from twinflow.contrib.rnn.stacks import transpose_batch_time
from twinflow.contrib.seq2seq.helper import TrainingHelper, rows_of
from twinflow.contrib.seq2seq.helper_inference import drawn_classes, rows_from
from twinflow.graph.cond import cond
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import (
    greater,
    less,
    logical_not,
    logical_or,
    where,
)
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import fill
from twinflow.ops.core.index_vectors import gather_nd, scatter_nd
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_all, reduce_any
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_uniform


def _probability(p):
    found = convert_to_tensor(p, name="sampling_probability")
    if found.shape.ndims not in (0, 1):
        raise ValueError(
            "sampling_probability must be either a scalar or a vector. saw shape: "
            f"{found.shape}"
        )
    return found


def _chosen(p, batch_size, seed):
    """bool[batch], True with probability `p`."""
    uniform = random_uniform([batch_size], dtype=p.dtype, seed=seed)
    return less(uniform, p)


def _mixed(chosen, sampled, given):
    """Rows that `sampled` makes of the places chosen, and rows of `given`."""
    here = cast(where(chosen), "int32")
    there = cast(where(logical_not(chosen)), "int32")
    sizes = shape(given)
    mixed = scatter_nd(here, sampled(here), sizes)
    mixed += scatter_nd(there, gather_nd(given, there), sizes)
    if mixed.symbolic:
        mixed.set_shape(given.shape)
    return mixed


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """As TrainingHelper, with some inputs the embeddings of sampled classes.

    Args:
        inputs, sequence_length, time_major, name: see TrainingHelper.
        embedding: float[classes, size], or a function from classes to embeddings.
        sampling_probability: float[] or float[batch], that of taking the sample.
        seed: of the classes. scheduling_seed: of the choice.
    Raises:
        ValueError: the probability is neither a scalar nor a vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, embedding: Any,
        sampling_probability: Any, time_major: bool = False, seed: Any = None,
        scheduling_seed: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "ScheduledEmbeddingSamplingWrapper"):
            self._embedding_fn = rows_from(embedding)
            self._probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs, sequence_length, time_major, name)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        return super().initialize(name)

    def sample(
        self, time: Any, outputs: Any, state: Any = None, name: str | None = None
    ) -> Any:
        """int32[batch]: a class, or -1 where the given input is to be taken."""
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample"):
            n = self._batch_size
            chosen = _chosen(self._probability, n, self._scheduling_seed)
            return where(chosen, drawn_classes(outputs, self._seed), fill([n], -1))

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """See Helper."""
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs"):
            finished, given, state = super().next_inputs(time, outputs, state)

            def embedded(places):
                return self._embedding_fn(gather_nd(sample_ids, places))

            found = cond(
                reduce_all(finished),
                lambda: given,
                lambda: _mixed(greater(sample_ids, -1), embedded, given),
            )
            return finished, found, state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """As TrainingHelper, with some inputs the outputs of the step before.

    Args:
        inputs, sequence_length, time_major, name: see TrainingHelper.
        sampling_probability: float[] or float[batch], that of taking the output.
        seed: of the choice.
        next_inputs_fn: makes inputs of outputs; nothing is changed if not given.
        auxiliary_inputs: float[batch, time, ...] put behind all inputs, or a structure
            like `inputs`.
    Raises:
        ValueError: the probability is neither a scalar nor a vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, sampling_probability: Any,
        time_major: bool = False, seed: Any = None, next_inputs_fn: Any = None,
        auxiliary_inputs: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "ScheduledOutputTrainingHelper"):
            self._probability = _probability(sampling_probability)
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            self._more = None
            if auxiliary_inputs is not None:
                inputs = convert_to_tensor(inputs, name="inputs")
                more = convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = concat([inputs, more], axis=2)
                self._more = rows_of(more if time_major else transpose_batch_time(more))
            super().__init__(inputs, sequence_length, time_major, name)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        return super().initialize(name)

    def sample(
        self, time: Any, outputs: Any, state: Any = None, name: str | None = None
    ) -> Any:
        """int32[batch]: 1 where the output is to be taken."""
        with name_scope(name, "ScheduledOutputTrainingHelperSample"):
            return cast(
                _chosen(self._probability, self._batch_size, self._seed), "int32"
            )

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """See Helper."""
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs"):
            finished, given, state = super().next_inputs(time, outputs, state)
            chosen = cast(sample_ids, "bool")
            none = logical_or(reduce_all(finished), logical_not(reduce_any(chosen)))
            found = cond(
                none, lambda: given, lambda: self._taken(time, outputs, chosen, given)
            )
            return finished, found, state

    def _taken(self, time, outputs, chosen, given):
        """The outputs as inputs where they are chosen, the given inputs elsewhere."""
        if self._next_inputs_fn is None:
            return nest.map_structure(
                lambda new, old: where(chosen, new, old),
                self._with_more(time, outputs),
                given,
            )

        def made(places):
            inputs = self._next_inputs_fn(gather_nd(outputs, places))
            return self._with_more(time, inputs, places)

        return _mixed(chosen, made, given)

    def _with_more(self, time, inputs, places=None):
        """Inputs with the auxiliary ones of the next step behind them."""
        if self._more is None:
            return inputs
        more = self._more.read(time + 1)
        more = more if places is None else gather_nd(more, places)
        return concat([inputs, more], -1)
