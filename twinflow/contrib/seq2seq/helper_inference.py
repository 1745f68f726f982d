"""Helpers that feed a decoder with what it has put out."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.dtypes import int32
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.contrib.seq2seq.helper import Helper
from twinflow.graph.cond import cond
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import tile
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.random.choice import multinomial


def rows_from(embedding):
    """The function from classes to their embeddings."""
    if callable(embedding):
        return embedding
    return lambda ids: embedding_lookup(embedding, ids)


def drawn_classes(logits, seed):
    """int32[batch], a class of each row with the probabilities softmax(logits)."""
    drawn = multinomial(logits, 1, seed=seed, output_dtype=int32)
    return reshape(drawn, [-1])


def start_and_end(start_tokens, end_token):
    """The two as tensors.

    Raises:
        ValueError: `start_tokens` is no vector, or `end_token` no scalar.
    """
    start = convert_to_tensor(start_tokens, dtype=int32, name="start_tokens")
    end = convert_to_tensor(end_token, dtype=int32, name="end_token")
    if start.shape.ndims != 1:
        raise ValueError("start_tokens must be a vector")
    if end.shape.ndims != 0:
        raise advised(ValueError, "end_token must be a scalar")
    return start, end


class GreedyEmbeddingHelper(Helper):
    """The likeliest class of an output is the next input, by its embedding.

    Args:
        embedding: float[classes, size], or a function from classes to embeddings.
        start_tokens: int32[batch], the first inputs.
        end_token: int32[], the class that ends a sequence.
    Raises:
        ValueError: `start_tokens` is no vector, or `end_token` no scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = rows_from(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = size(self._start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: TensorShape([]))
    sample_ids_dtype = property(lambda self: int32)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        return tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Any = None) -> Any:
        """int32[batch], the likeliest classes; TypeError where outputs are several."""
        return argmax(_one(outputs), axis=-1, output_type=int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """See Helper."""
        finished = equal(sample_ids, self._end_token)
        found = cond(
            reduce_all(finished),
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, found, state


def _one(outputs):
    if not isinstance(outputs, Tensor):
        found = type(outputs)
        raise TypeError(f"Expected outputs to be a single Tensor, got: {found}")
    return outputs


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """As GreedyEmbeddingHelper, with classes that are drawn.

    Args:
        embedding, start_tokens, end_token: see GreedyEmbeddingHelper.
        softmax_temperature: float[]; logits are divided by it. seed: of the draws.
    """

    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any,
        softmax_temperature: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: Any = None) -> Any:
        """int32[batch], drawn with the probabilities softmax(outputs)."""
        logits = _one(outputs)
        if self._softmax_temperature is not None:
            logits = logits / self._softmax_temperature
        return drawn_classes(logits, self._seed)


class InferenceHelper(Helper):
    """A helper for inference with any kind of sample.

    Args:
        sample_fn: makes samples of outputs.
        sample_shape, sample_dtype: those of a sample, without the batch.
        start_inputs: float[batch, ...], the first inputs.
        end_fn: says which samples end their sequence.
        next_inputs_fn: makes inputs of samples; they are the inputs if not given.
    """

    def __init__(
        self, sample_fn: Any, sample_shape: Any, sample_dtype: Any, start_inputs: Any,
        end_fn: Any, next_inputs_fn: Any = None,
    ) -> None:  # fmt: skip
        self._sample_fn, self._end_fn = sample_fn, end_fn
        self._sample_shape, self._sample_dtype = TensorShape(sample_shape), sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._start_inputs = convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = shape(start_inputs)[0]

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: self._sample_shape)
    sample_ids_dtype = property(lambda self: self._sample_dtype)

    def initialize(self, name: str | None = None) -> Any:
        """See Helper."""
        return tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Any = None) -> Any:
        """What `sample_fn` makes of the outputs."""
        return self._sample_fn(outputs)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """See Helper."""
        made = self._next_inputs_fn
        inputs = sample_ids if made is None else made(sample_ids)
        return self._end_fn(sample_ids), inputs, state
