"""Layers that add what data belongs to."""

from typing import Any

from twinflow.contrib.layers.dense import linear
from twinflow.contrib.layers.simple import flatten
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.embedding import embedding_lookup


def _get_shape(tensor):
    """The sizes of a tensor, numbers where they are known."""
    dynamic = shape(tensor)
    known = tensor.shape.as_list()
    return [dynamic[i] if n is None else n for i, n in enumerate(known)]


def condition_tensor(tensor: Any, conditioning: Any) -> Any:
    """tensor + a linear layer of `conditioning`.

    Args:
        tensor: float32[batch, ...], sizes known but for the batch.
        conditioning: float32[batch, ...], likewise.
    Raises:
        ValueError: a size is not known.
    Reference: Mirza and Osindero, Conditional generative adversarial nets (2014).
    Example:
        x = tf.contrib.gan.features.condition_tensor(tf.ones([4, 3]), tf.ones([4, 5]))
        x  # float32[4, 3]
    """
    tensor.shape[1:].assert_is_fully_defined()
    mapped = linear(flatten(conditioning), tensor.shape[1:].num_elements())
    if not tensor.shape.is_compatible_with(mapped.shape):
        mapped = reshape(mapped, _get_shape(tensor))
    return tensor + mapped


def _one_hot_to_embedding(one_hot, embedding_size):
    classes = one_hot.shape.as_list()[1]
    table = get_variable("embedding", [classes, embedding_size])
    return embedding_lookup(table, argmax(one_hot, axis=1), name="token_to_embedding")


def _validate_onehot(one_hot_labels):
    one_hot_labels.shape.assert_has_rank(2)
    one_hot_labels.shape[1:].assert_is_fully_defined()


def condition_tensor_from_onehot(
    tensor: Any, one_hot_labels: Any, embedding_size: int = 256
) -> Any:
    """tensor + a linear layer of what an embedding has for each class.

    Args:
        tensor: float32[batch, ...], sizes known but for the batch.
        one_hot_labels: float32[batch, classes]. embedding_size: of the embedding.
    Raises:
        ValueError: a size is not known, or the labels are no matrix.
    """
    _validate_onehot(one_hot_labels)
    embedding = _one_hot_to_embedding(one_hot_labels, embedding_size)
    return condition_tensor(tensor, embedding)
