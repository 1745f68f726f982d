"""The loss of a clustering: rows are to lie as their labels group them.

Song et al., Deep metric learning via facility location (2017).
"""

import pkgutil
from collections.abc import Callable

import numpy as np

from twinflow.base import dtypes, logging
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.losses.metric_learning.metric_loss_ops import pairwise_distance
from twinflow.execute.py_func import py_func
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index import gather
from twinflow.ops.core.reduction import reduce_min, reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.matrix.diagonal import matrix_diag_part

_SCORES = {
    "nmi": "normalized_mutual_info_score", "ami": "adjusted_mutual_info_score",
    "ari": "adjusted_rand_score", "vmeasure": "v_measure_score",
}  # fmt: skip
_ROUNDS = 5


def _score(margin_type: str) -> Callable:
    """How well two clusterings agree, 1 at best."""
    if margin_type == "const":
        return lambda labels, found: float(np.array_equal(labels, found))
    if margin_type not in _SCORES:
        raise ValueError(f"Unrecognized margin_type: {margin_type}")
    try:
        found = pkgutil.resolve_name(f"sklearn.metrics:{_SCORES[margin_type]}")
    except ImportError as error:
        raise ImportError("Cluster loss depends on sklearn.") from error
    return lambda labels, assigned: max(0.0, found(labels, assigned))


class _Clustering:
    """Rows, their labels, and what a wrong grouping of them is worth."""

    def __init__(self, distances, labels, multiplier, score):
        self.distances, self.labels = distances, labels
        self.multiplier, self.score = multiplier, score

    def assigned(self, centers):
        """Which center each row belongs to."""
        found = np.argmin(self.distances[centers], 0)
        found[centers] = np.arange(len(centers))
        return found

    def margin(self, centers):
        """The part of the loss that the grouping adds."""
        return self.multiplier * (1 - self.score(self.labels, self.assigned(centers)))

    def chosen(self):
        """Centers, taken one after the other where the loss is largest."""
        centers: list = []
        for _ in np.unique(self.labels):
            rest = [i for i in range(len(self.labels)) if i not in centers]
            worth = [
                self.margin([*centers, i]) - self.distances[[*centers, i]].min(0).sum()
                for i in rest
            ]
            centers.append(rest[int(np.argmax(worth))])
        return centers

    def refined(self, centers):
        """Each center moved within its cluster to where the loss is largest."""
        for _ in range(_ROUNDS):
            assigned = self.assigned(centers)
            for k in range(len(centers)):
                members = np.flatnonzero(assigned == k)
                worth = [
                    self.margin([*centers[:k], i, *centers[k + 1 :]])
                    - self.distances[members, i].sum()
                    for i in members
                ]
                centers[k] = members[int(np.argmax(worth))]
        return centers

    def medoids(self):
        """For each row, the row in the middle of those of its label."""
        out = np.zeros(len(self.labels), np.int32)
        for label in np.unique(self.labels):
            members = np.flatnonzero(self.labels == label)
            sums = self.distances[np.ix_(members, members)].sum(0)
            out[members] = members[int(np.argmin(sums))]
        return out


def cluster_loss(
    labels: TensorValue, embeddings: TensorValue, margin_multiplier: float,
    enable_pam_finetuning: bool = True, margin_type: str = "nmi",
    print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """Rows are to be nearer to the middle of their label than to that of another.

    Song et al., Deep metric learning via facility location (2017). The groupings are
    compared by scikit-learn.

    Args:
        labels: int32[batch, 1]. embeddings: float[batch, n], of unit length.
        margin_multiplier: how much a wrong grouping counts.
        enable_pam_finetuning: improve the worst grouping further.
        margin_type: how groupings are compared: "nmi", "ami", "ari", "vmeasure" or
            "const". print_losses: log the loss.
    Returns:
        A float32 scalar.
    Raises:
        ImportError: scikit-learn is not installed. ValueError: another margin_type.
    Example:
        x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
        y = [[0], [1], [0], [1]]
        z = tf.contrib.losses.metric_learning.cluster_loss(y, x, 1.0, False, "const")
        z  # 0.0
    """
    score = _score(margin_type)

    def grouped(distances, labels):
        found = _Clustering(distances, labels, margin_multiplier, score)
        centers = found.chosen()
        if enable_pam_finetuning:
            centers = found.refined(centers)
        margin = np.float32(found.margin(centers))
        return np.array(centers, np.int32), found.medoids(), margin

    distances = pairwise_distance(convert_to_tensor(embeddings))
    flat = reshape(convert_to_tensor(labels), [-1])
    kinds = [dtypes.int32, dtypes.int32, dtypes.float32]
    centers, medoids, margin = py_func(grouped, [distances, flat], kinds)
    for tensor, shape in ((centers, [None]), (medoids, [None]), (margin, [])):
        tensor.set_shape(shape)
    return _hinge(distances, centers, medoids, margin, print_losses)


def _hinge(distances, centers, medoids, margin, print_losses):
    size = reduce_sum(reduce_min(gather(distances, centers), 0))
    right = reduce_sum(matrix_diag_part(gather(distances, medoids)))
    loss = maximum(margin - size + right, 0.0, name="clustering_loss")
    if print_losses:
        logging.info("clustering_loss: %s", loss)
    return loss
