"""The recurrences of a chain of tags, as cells."""

from typing import Any

from twinflow.contrib.seq2seq.attention import size_of
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import range
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_max
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.math.positions import argmax
from twinflow.rnn.cells.base import RNNCell


class _Chain(RNNCell):
    """A cell whose state has a number for each tag.

    Args:
        transition_params: float[tags, tags], the score of a tag behind another one.
    """

    def __init__(self, transition_params: Any) -> None:
        super().__init__()
        self._transition_params = expand_dims(transition_params, 0)
        self._num_tags = transition_params.shape[0].value

    state_size = property(lambda self: self._num_tags, doc="The number of tags.")
    output_size = property(lambda self: self._num_tags, doc="The number of tags.")

    def _scores(self, state):
        """float[batch, from, to]"""
        return expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_Chain):
    """Logarithms of sums over all chains that end in a tag.

    Args:
        transition_params: float[tags, tags], the score of a tag behind another one.
    """

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step; float[batch, tags] each."""
        new = inputs + reduce_logsumexp(self._scores(state), [1])
        return new, new


class CrfDecodeForwardRnnCell(_Chain):
    """The score of the best chain that ends in a tag, and the tag before.

    Args:
        transition_params: float[tags, tags], the score of a tag behind another one.
    """

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step: (int32[batch, tags], the tags before; float[batch, tags])"""
        scores = self._scores(state)
        before = cast(argmax(scores, 1), "int32")
        return before, inputs + reduce_max(scores, [1])


class CrfDecodeBackwardRnnCell(RNNCell):
    """Follows the tags before, from the last one back.

    Args:
        num_tags: the number of tags.
    """

    def __init__(self, num_tags: Any) -> None:
        super().__init__()
        self._num_tags = num_tags

    state_size = property(lambda self: 1, doc="A tag.")
    output_size = property(lambda self: 1, doc="A tag.")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step; inputs: int32[batch, tags], state: int32[batch, 1]."""
        tags = squeeze(state, axis=[1])
        rows = range(size_of(inputs, 0))
        new = expand_dims(gather_nd(inputs, stack([rows, tags], 1)), -1)
        return new, new
