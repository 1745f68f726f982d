"""Losses that bring rows of a class together: metric learning."""

from typing import Any

from twinflow.base import logging
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import equal, greater, where
from twinflow.ops.core.constant import convert_to_tensor, to_float
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import exp, log, maximum, minimum, sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import (
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits_v2
from twinflow.ops.sparse.dense import sparse_tensor_to_dense


def pairwise_distance(feature: TensorValue, squared: bool = False) -> Tensor:
    """The distances of all pairs of rows: float[batch, batch], 0 on the diagonal.

    Args:
        feature: float[batch, n]. squared: whether they stay squared.
    """
    feature = convert_to_tensor(feature)
    products = matmul(feature, feature, transpose_b=True)
    sizes = reduce_sum(square(feature), 1, keepdims=True)
    distances = maximum(sizes - 2.0 * products + transpose(sizes), 0.0)
    if not squared:  # the root has no slope at 0
        is_zero = equal(distances, 0.0)
        distances = sqrt(where(is_zero, zeros_like(distances) + 1e-16, distances))
        distances = where(is_zero, zeros_like(distances), distances)
    return distances * (1.0 - eye(shape(feature)[0], dtype=feature.dtype))


def masked_maximum(data: TensorValue, mask: TensorValue, dim: int = 1) -> Tensor:
    """The largest entry along an axis among those that a mask of 1 keeps.

    Args:
        data, mask: float tensors of one shape. dim: the axis, which is kept.
    """
    least = reduce_min(data, dim, keepdims=True)
    return reduce_max((data - least) * mask, dim, keepdims=True) + least


def masked_minimum(data: TensorValue, mask: TensorValue, dim: int = 1) -> Tensor:
    """As `masked_maximum`, the smallest."""
    most = reduce_max(data, dim, keepdims=True)
    return reduce_min((data - most) * mask, dim, keepdims=True) + most


def contrastive_loss(
    labels: TensorValue, embeddings_anchor: TensorValue,
    embeddings_positive: TensorValue, margin: float = 1.0,
) -> Tensor:  # fmt: skip
    """Pairs that match are drawn together, others pushed apart up to a margin.

    Hadsell et al., Dimensionality reduction by learning an invariant mapping (2006).

    Args:
        labels: int32[batch], 1 for pairs that match, 0 for others.
        embeddings_anchor, embeddings_positive: float[batch, n], of unit length.
        margin: the distance from which on others do not count.
    Returns:
        A float scalar.
    Example:
        a, b = [[1., 0.], [0., 1.]], [[1., 0.], [0., 1.]]
        tf.contrib.losses.metric_learning.contrastive_loss([1, 0], a, b)  # 0.5
    """
    anchor = convert_to_tensor(embeddings_anchor)
    distances = sqrt(reduce_sum(square(anchor - embeddings_positive), 1))
    return reduce_mean(
        to_float(labels) * square(distances)
        + (1.0 - to_float(labels)) * square(maximum(margin - distances, 0.0)),
        name="contrastive_loss",
    )


def _same_label(labels):
    """bool[batch, batch]: whether two rows have one label."""
    labels = reshape(labels, [-1, 1])
    return equal(labels, transpose(labels))


def _others(same):
    """Which pairs of two rows are of one label: float[batch, batch]."""
    same = to_float(same)
    return same - eye(shape(same)[0])


def triplet_semihard_loss(
    labels: TensorValue, embeddings: TensorValue, margin: float = 1.0
) -> Tensor:
    """Rows of a class are to be nearer than the nearest of those farther than they are.

    Schroff et al., FaceNet (2015).

    Args:
        labels: int32[batch]. embeddings: float[batch, n], of unit length.
        margin: by how much.
    Returns:
        A float scalar.
    """
    distances = pairwise_distance(embeddings, squared=True)
    same = _same_label(labels)
    others, positives = 1.0 - to_float(same), _others(same)
    to_others = expand_dims(distances, 1)  # [anchor, -, negative]
    to_positives = expand_dims(distances, 2)
    farther = to_float(greater(to_others, to_positives)) * expand_dims(others, 1)
    wide = to_others + zeros_like(to_positives)
    outside = reduce_min(where(equal(farther, 0.0), wide + 1e38, wide), 2)
    inside = masked_maximum(distances, others) + zeros_like(distances)
    nearest = where(reduce_any(greater(farther, 0.0), 2), outside, inside)
    losses = maximum((margin + distances - nearest) * positives, 0.0)
    total = reduce_sum(losses)
    return truediv(total, reduce_sum(positives), name="triplet_semihard_loss")


def lifted_struct_loss(
    labels: TensorValue, embeddings: TensorValue, margin: float = 1.0
) -> Tensor:
    """Rows of a class are to be nearer than all others within a margin.

    Song et al., Deep metric learning via lifted structured feature embedding (2016).

    Args: see `triplet_semihard_loss`; embeddings are of any length.
    """
    distances = pairwise_distance(embeddings)
    same = _same_label(labels)
    others, positives = 1.0 - to_float(same), _others(same)
    near = margin - distances
    most = masked_maximum(near, others)
    largest = maximum(most, transpose(most))  # of both rows of a pair
    parts = exp(expand_dims(near, 1) - expand_dims(largest, 2))
    sums = reduce_sum(parts * expand_dims(others, 1), 2)
    losses = largest + log(sums + transpose(sums)) + distances
    total = reduce_sum(square(maximum(losses * positives, 0.0)))
    return 0.25 * total / (reduce_sum(positives) / 2.0)


def _npairs(adjacency, anchor, positive, reg_lambda, print_losses):
    anchor, positive = convert_to_tensor(anchor), convert_to_tensor(positive)
    sizes = reduce_mean(reduce_sum(square(anchor), 1))
    sizes = sizes + reduce_mean(reduce_sum(square(positive), 1))
    l2loss = 0.25 * reg_lambda * sizes
    shares = adjacency / reduce_sum(adjacency, 1, keepdims=True)
    entropy = softmax_cross_entropy_with_logits_v2(
        labels=shares, logits=matmul(anchor, positive, transpose_b=True)
    )
    found = reduce_mean(entropy, name="xentropy")
    if print_losses:
        logging.info("npairs: %s, of sizes: %s", found, l2loss)
    return l2loss + found


def npairs_loss(
    labels: TensorValue, embeddings_anchor: TensorValue,
    embeddings_positive: TensorValue, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """Each row is to point to its match among all matches.

    Sohn, Improved deep metric learning with multi-class N-pair loss objective (2016).

    Args:
        labels: int32[batch]. embeddings_anchor, embeddings_positive: float[batch, n].
        reg_lambda: of the squared lengths. print_losses: log the parts.
    Returns:
        A float scalar.
    """
    adjacency = to_float(_same_label(labels))
    return _npairs(
        adjacency, embeddings_anchor, embeddings_positive, reg_lambda, print_losses
    )


def npairs_loss_multilabel(
    sparse_labels: list[Any], embeddings_anchor: TensorValue,
    embeddings_positive: TensorValue, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """As `npairs_loss`, where a row has several labels: rows match by those they share.

    Args:
        sparse_labels: a SparseTensor for each row, [1, labels], with a 1 for each label
            that it has; of other numbers two rows share the smaller one. The others:
            see `npairs_loss`.
    """
    dense = [to_float(sparse_tensor_to_dense(row)) for row in sparse_labels]
    labels = concat([reshape(row, [1, -1]) for row in dense], 0)
    common = minimum(expand_dims(labels, 1), expand_dims(labels, 0))
    adjacency = reduce_sum(common, 2)
    return _npairs(
        adjacency, embeddings_anchor, embeddings_positive, reg_lambda, print_losses
    )
