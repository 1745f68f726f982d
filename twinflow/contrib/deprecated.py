"""tf.contrib.deprecated: summaries as they were before 1.0, tagged by a tensor."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import add_to_collections, name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.summaries import ops
from twinflow.ops.variables.collections import GraphKeys, get_collection


def _summary(op, inputs, collections, name, rate=None, **attrs):
    title = op.type.removesuffix("V2")
    with name_scope(name, title, list(inputs.values())) as scope:
        last = []
        if rate is not None:
            last = [convert_to_tensor(rate, "float32", name="sample_rate")]
        tensors = [convert_to_tensor(v, name=k) for k, v in inputs.items()] + last
        found = apply(op, tuple(tensors), attrs or None, scope)
    keys = [GraphKeys.SUMMARIES] if collections is None else collections
    add_to_collections(list(keys), found)
    return found


def scalar_summary(
    tags: TensorValue, values: TensorValue, collections: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A number for each tag.

    Args:
        tags: string, of any shape. values: real, of the same shape.
        collections: the graph's collections it goes to; SUMMARIES by default.
        name: of the node.
    Returns:
        string scalar: a serialised Summary.
    Example:
        summary = tf.contrib.deprecated.scalar_summary(["loss", "error"], [0.5, 0.1])
    """
    inputs = {"tags": tags, "values": values}
    return _summary(ops.ScalarSummary, inputs, collections, name)


def histogram_summary(
    tag: TensorValue, values: TensorValue, collections: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """How the numbers of a tensor are spread.

    Args:
        tag: string scalar. values: real, all finite.
        collections, name: see `scalar_summary`.
    Returns:
        string scalar
    """
    inputs = {"tag": tag, "values": values}
    return _summary(ops.HistogramSummary, inputs, collections, name)


def image_summary(
    tag: TensorValue, tensor: TensorValue, max_images: int = 3, collections: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The first images of a batch.

    Args:
        tag: string scalar. tensor: uint8 or float[batch, height, width, 1, 3 or 4].
        max_images: how many. collections, name: see `scalar_summary`.
    Returns:
        string scalar
    """
    attrs = {"max_images": max_images, "bad_color": (255, 0, 0, 255)}
    inputs = {"tag": tag, "tensor": tensor}
    return _summary(ops.ImageSummary, inputs, collections, name, **attrs)


def audio_summary(
    tag: TensorValue, tensor: TensorValue, sample_rate: Any, max_outputs: int = 3,
    collections: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The first clips of a batch.

    Args:
        tag: string scalar. tensor: float32[batch, frames(, channels)] in [-1, 1].
        sample_rate: float32 scalar, in Hz. max_outputs: how many.
        collections, name: see `scalar_summary`.
    Returns:
        string scalar
    """
    inputs = {"tag": tag, "tensor": tensor}
    attrs = {"max_outputs": max_outputs, "rate": sample_rate}
    return _summary(ops.AudioSummaryV2, inputs, collections, name, **attrs)


def merge_summary(
    inputs: Any, collections: Any = None, name: str | None = None
) -> Tensor:
    """The values of several summaries in one.

    Args:
        inputs: serialised Summaries. collections: where it goes; nowhere by default.
        name: of the scope.
    Returns:
        string scalar
    Raises:
        ValueError: there are none.
    """
    if not inputs:
        raise ValueError(
            "List argument 'inputs' to 'MergeSummary' Op with length 0 shorter than "
            "minimum length 1."
        )
    with name_scope(name, "MergeSummary", inputs):
        found = apply(ops.MergeSummary, (list(inputs),), None, "MergeSummary")
    add_to_collections(list(collections or []), found)
    return found


def merge_all_summaries(key: str = GraphKeys.SUMMARIES) -> Any:
    """The values of all summaries of a collection in one, None where there are none."""
    found = get_collection(key)
    return merge_summary(found) if found else None
