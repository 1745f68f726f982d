"""Functions as they took their arguments before 1.0."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.ops.arrays import rearrange
from twinflow.ops.core import joining
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.image import place
from twinflow.ops.nn import logistic, loss, sampled
from twinflow.ops.sparse import parts
from twinflow.ops.sparse import tensor as sparse


def concat(concat_dim: Any, values: Any, name: str = "concat") -> Tensor:
    """tf.concat(values, axis)."""
    return joining.concat(values, concat_dim, name=name)


def split(split_dim: Any, num_split: int, value: Any, name: str = "split") -> Any:
    """tf.split(value, num_or_size_splits, axis)."""
    return joining.split(value, num_split, split_dim, name=name)


def pack(values: Any, axis: int = 0, name: str = "pack") -> Tensor:
    """tf.stack."""
    return joining.stack(values, axis, name)


def unpack(
    value: Any, num: int | None = None, axis: int = 0, name: str = "unpack"
) -> Any:
    """tf.unstack."""
    return joining.unstack(value, num, axis, name)


def reverse(tensor: Any, dims: Any, name: str | None = None) -> Tensor:
    """tf.reverse by a bool for each dimension rather than by axes."""
    turned = [bool(d) for d in dims]
    if len(turned) != len(convert_to_tensor(tensor).shape):
        raise ValueError(
            f"reverse expects a bool for each dimension, got {dims!r} for {tensor!r}; "
            "axes are tf.reverse_v2's."
        )
    return rearrange.reverse(tensor, [i for i, d in enumerate(turned) if d], name)


def sparse_split(
    split_dim: Any, num_split: int, sp_input: Any, name: str | None = None
) -> Any:
    """tf.sparse_split with names in place of an order."""
    return parts.sparse_split(
        sp_input=sp_input, num_split=num_split, axis=split_dim, name=name
    )


class SparseTensor(sparse.SparseTensor):
    """tf.SparseTensor, whose third argument was called `shape`."""

    def __init__(
        self, indices: Any, values: Any, shape: Any = None, dense_shape: Any = None
    ) -> None:
        super().__init__(indices, values, dense_shape if shape is None else shape)


def resize_images(
    images: Any, new_height: Any, new_width: Any = None, method: Any = 0,
    align_corners: bool = False,
) -> Tensor:  # fmt: skip
    """tf.image.resize_images, with the height and the width apart, or together."""
    size = new_height if new_width is None else [new_height, new_width]
    return place.resize_images(images, size, method, align_corners)


def softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Tensor:
    """That of today with its logits first."""
    return loss.softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, dim=dim, name=name
    )


def sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Tensor:
    """That of today with its logits first."""
    return loss.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name=name
    )


def sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any = None, name: str | None = None, labels: Any = None
) -> Tensor:
    """That of today with its logits first; labels were `targets`."""
    labels = targets if labels is None else labels
    return logistic.sigmoid_cross_entropy_with_logits(
        labels=labels, logits=logits, name=name
    )


def weighted_cross_entropy_with_logits(
    logits: Any, targets: Any, pos_weight: Any, name: str | None = None
) -> Tensor:
    """That of today with its logits first."""
    return logistic.weighted_cross_entropy_with_logits(
        targets=targets, logits=logits, pos_weight=pos_weight, name=name
    )


def nce_loss(
    weights: Any, biases: Any, inputs: Any, labels: Any, *args: Any, **kwargs: Any
) -> Tensor:
    """That of today with its inputs before its labels."""
    return sampled.nce_loss(weights, biases, labels, inputs, *args, **kwargs)


def sampled_softmax_loss(
    weights: Any, biases: Any, inputs: Any, labels: Any, *args: Any, **kwargs: Any
) -> Tensor:
    """That of today with its inputs before its labels."""
    return sampled.sampled_softmax_loss(
        weights, biases, labels, inputs, *args, **kwargs
    )
