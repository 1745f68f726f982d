"""The point of the simplex that is nearest to logits, and its loss.

Martins and Astudillo, "From Softmax to Sparsemax", 2016.
"""

from twinflow.base import dispatch, dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range, zeros_like
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims, shape


def sparsemax(logits: TensorValue, name: str | None = None) -> Tensor:
    """max(logits - t, 0) for the t with which each row adds up to 1.

    Args:
        logits: float[batch, classes]. name: the name scope in a graph.
    Returns:
        float[batch, classes]
    Raises:
        ValueError: another rank.
    Example:
        tf.contrib.sparsemax.sparsemax([[1., 0.5, -1.]])  # [[0.75, 0.25, 0.]]
    """
    with dispatch.current_mode().name_scope(name or "sparsemax"):
        z = convert_to_tensor(logits, name="logits")
        z.get_shape().assert_has_rank(2)
        count, classes = shape(z)[0], shape(z)[1]
        ordered, _ = top_k(z, k=classes)
        sums = cumsum(ordered, axis=1)
        numbers = range(1, cast(classes, z.dtype) + 1, dtype=z.dtype)
        inside = greater(1 + numbers * ordered, sums)
        support = reduce_sum(cast(inside, dtypes.int32), axis=1)
        last = gather_nd(sums, stack([range(0, count), support - 1], axis=1))
        threshold = (last - 1) / cast(support, z.dtype)
        return maximum(cast(0, z.dtype), z - expand_dims(threshold, 1))


def sparsemax_loss(
    logits: TensorValue, sparsemax: TensorValue, labels: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The loss whose gradient is sparsemax(logits) - labels.

    Args:
        logits: float[batch, classes]. sparsemax: what `sparsemax` gives for them.
        labels: float[batch, classes], rows that add up to 1.
        name: the name scope in a graph.
    Returns:
        float[batch]
    """
    with dispatch.current_mode().name_scope(name or "sparsemax_loss"):
        logits = convert_to_tensor(logits, name="logits")
        p = convert_to_tensor(sparsemax, name="sparsemax")
        q = convert_to_tensor(labels, name="labels")
        moved = logits - expand_dims(reduce_mean(logits, axis=1), 1)
        own = where(greater(p, 0), p * (moved - 0.5 * p), zeros_like(p))
        return reduce_sum(own + q * (0.5 * q - moved), axis=1)
