"""Attention: how much each place of a memory matters to a query.

References: Bahdanau, Cho, Bengio, Neural machine translation by jointly learning to
align and translate (2014); Luong, Pham, Manning, Effective approaches to
attention-based neural machine translation (2015); Salimans and Kingma, Weight
normalization (2016), for `normalize`.
"""

import functools
import math
from typing import Any

import numpy as np

from twinflow.base import dtypes, nest
from twinflow.base.advice import advised
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.keras.engine.base_layer import Layer
from twinflow.layers.core import Dense
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import rsqrt, square, tanh
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape, squeeze
from twinflow.ops.debugging.checks import assert_equal, assert_positive
from twinflow.ops.nn.softmax import softmax
from twinflow.ops.random.initializers import Constant, Ones, Zeros
from twinflow.rnn.cells.base import zeros_of


class AttentionMechanism:
    """What AttentionWrapper asks for alignments."""

    @property
    def alignments_size(self) -> Any:
        """The number of places of the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the state."""
        raise NotImplementedError


def size_of(t, axis):
    """The size of an axis: an int where it is known, else an int32 scalar."""
    known = t.shape[axis].value
    return shape(t)[axis] if known is None else known


def prepared_memory(memory, lengths, inner_dims=True):
    """The memory with zeros behind the end of each sequence.

    Args:
        memory: float[batch, time, ...], or a structure of them.
        lengths: int[batch], or None. inner_dims: whether all but two sizes must be
            known.
    """
    memory = nest.map_structure(lambda m: convert_to_tensor(m, name="memory"), memory)
    if inner_dims:
        nest.map_structure(_check_inner, memory)
    if lengths is None:
        return memory
    lengths = convert_to_tensor(lengths, name="memory_sequence_length")
    first = nest.flatten(memory)[0]
    mask = sequence_mask(lengths, maxlen=size_of(first, 1), dtype=first.dtype)
    return nest.map_structure(lambda m: _masked(m, mask, lengths), memory)


def _check_inner(m):
    if not m.shape[2:].is_fully_defined():
        name = m.name if m.symbolic else "memory"
        raise ValueError(
            f"Expected memory {name} to have fully defined inner dims, but saw shape: "
            f"{m.shape}"
        )


def _masked(m, mask, lengths):
    check = assert_equal(
        size_of(lengths, 0),
        size_of(m, 0),
        message="memory_sequence_length and memory tensor batch sizes do not match.",
    )
    with control_dependencies([check] if check is not None else []):
        sizes = [size_of(mask, 0), size_of(mask, 1)]
        return m * reshape(mask, [*sizes, *[1] * (m.shape.ndims - 2)])


def masked_score(score, lengths, value):
    """The scores with `value` behind the end of each memory."""
    if lengths is None:
        return score
    text = "All values in memory_sequence_length must greater than zero."
    check = assert_positive(lengths, message=text)
    with control_dependencies([check] if check is not None else []):
        inside = sequence_mask(lengths, maxlen=size_of(score, 1))
        return where(inside, score, value * ones_like(score))


class Attention(AttentionMechanism):
    """What the mechanisms share: layers, the memory, its keys and probabilities.

    Args:
        query_layer, memory_layer: layers of queries and of the memory, or None.
        memory: float[batch, time, ...]. probability_fn: of (scores, state).
        memory_sequence_length: int[batch], or None.
        check_inner_dims_defined: see `prepared_memory`.
        score_mask_value: the score behind the end of a memory; -inf if not given.
        name: of the scope.
    Raises:
        TypeError: a layer is no Layer, or `probability_fn` cannot be called.
    """

    def __init__(
        self, query_layer: Any, memory: Any, probability_fn: Any,
        memory_sequence_length: Any = None, memory_layer: Any = None,
        check_inner_dims_defined: bool = True, score_mask_value: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        layers = {"query_layer": query_layer, "memory_layer": memory_layer}
        for what, layer in layers.items():
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{what} is not a Layer: {type(layer).__name__}")
        if not callable(probability_fn):
            found = type(probability_fn).__name__
            raise advised(
                TypeError, f"probability_fn must be callable, saw type: {found}"
            )
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype if memory_layer is not None else None
        lengths, mask_value = memory_sequence_length, score_mask_value
        if lengths is not None:
            lengths = convert_to_tensor(lengths, name="memory_sequence_length")
        with name_scope(name, "BaseAttentionMechanismInit"):
            self._values = prepared_memory(memory, lengths, check_inner_dims_defined)
            keys = self._values
            self._keys = keys if memory_layer is None else memory_layer(keys)
            self._batch_size = size_of(self._keys, 0)
            self._alignments_size = size_of(self._keys, 1)
        if mask_value is None:
            kind = dtypes.as_dtype(self.dtype or self._keys.dtype)
            mask_value = kind.as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, before: probability_fn(
            masked_score(score, lengths, mask_value), before
        )

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: self._query_layer)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros, dtype[batch, time]."""
        return zeros_of(batch_size, self._alignments_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The first alignments."""
        return self.initial_alignments(batch_size, dtype)

    def _processed(self, query):
        return query if self._query_layer is None else self._query_layer(query)

    def _aligned(self, score, state):
        """(alignments, next state)"""
        alignments = self._probability_fn(score, state)
        return alignments, alignments


def linear_layer(name, num_units, dtype):
    """A layer without bias."""
    return Dense(num_units, name=name, use_bias=False, dtype=dtype)


def _without_state(probability_fn):
    found = softmax if probability_fn is None else probability_fn
    return lambda score, _: found(score)


def luong_score(query, keys, scale):
    """The products of queries and keys, float[batch, time].

    Args:
        query: float[batch, units]. keys: float[batch, time, units].
        scale: whether to multiply by a variable.
    """
    depth, units = query.shape[-1], keys.shape[-1]
    if depth.value != units.value:
        raise ValueError(
            "Incompatible or unknown inner dimensions between query and keys.  Query "
            f"({query}) has units: {depth}.  Keys ({keys}) have units: {units}.  "
            f"Perhaps you need to set num_units to the keys' dimension ({units})?"
        )
    score = squeeze(matmul(expand_dims(query, 1), keys, transpose_b=True), [1])
    if not scale:
        return score
    return get_variable("attention_g", [], query.dtype, Ones()) * score


def bahdanau_score(query, keys, normalize):
    """v tanh(key + query), float[batch, time]; see `luong_score`."""
    dtype, n = query.dtype, size_of(keys, 2)
    query = expand_dims(query, 1)
    v = get_variable("attention_v", [n], dtype)
    if not normalize:
        return reduce_sum(v * tanh(keys + query), [2])
    first = Constant(math.sqrt(1.0 / n))
    g = get_variable("attention_g", [], dtype, first)
    b = get_variable("attention_b", [n], dtype, Zeros())
    direction = v * rsqrt(reduce_sum(square(v)))
    return reduce_sum(g * direction * tanh(keys + query + b), [2])


class LuongAttention(Attention):
    """Scores are products of the query and the keys.

    Args:
        num_units: the size of queries and keys.
        memory: float[batch, time, ...], e.g. the outputs of an encoder.
        memory_sequence_length: int[batch], the length of each memory.
        scale: whether to multiply scores by a variable.
        probability_fn: makes alignments of scores; tf.nn.softmax if not given.
        score_mask_value: the score behind the end of a memory; -inf if not given.
        dtype: of the layers; float32 if not given. name: of the scope.
    """

    def __init__(
        self, num_units: Any, memory: Any, memory_sequence_length: Any = None,
        scale: bool = False, probability_fn: Any = None, score_mask_value: Any = None,
        dtype: Any = None, name: str | None = "LuongAttention",
    ) -> None:  # fmt: skip
        layer = linear_layer("memory_layer", num_units, dtype or dtypes.float32)
        super().__init__(
            None, memory, _without_state(probability_fn), memory_sequence_length,
            layer, score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query: Any, state: Any) -> Any:
        """(alignments float[batch, time], the next state)"""
        with variable_scope(None, "luong_attention", [query]):
            return self._aligned(luong_score(query, self._keys, self._scale), state)


class BahdanauAttention(Attention):
    """Scores are v tanh(key + query), with layers for both.

    Args:
        num_units: the size of queries and keys.
        memory, memory_sequence_length, probability_fn, score_mask_value, dtype, name:
            see LuongAttention.
        normalize: whether v is normalised.
    """

    def __init__(
        self, num_units: Any, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, probability_fn: Any = None,
        score_mask_value: Any = None, dtype: Any = None,
        name: str | None = "BahdanauAttention",
    ) -> None:  # fmt: skip
        layer = functools.partial(
            linear_layer, num_units=num_units, dtype=dtype or dtypes.float32
        )
        super().__init__(
            layer("query_layer"), memory, _without_state(probability_fn),
            memory_sequence_length, layer("memory_layer"),
            score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query: Any, state: Any) -> Any:
        """(alignments float[batch, time], the next state)"""
        with variable_scope(None, "bahdanau_attention", [query]):
            query = self._processed(query)
            score = bahdanau_score(query, self._keys, self._normalize)
            return self._aligned(score, state)
