"""tf.summary: nodes whose value is a serialised Summary."""

from typing import Any

from google.protobuf import json_format

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.formats.protos import SummaryDescription, SummaryMetadata
from twinflow.graph.scopes import add_to_collections, name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.summaries import ops
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary.scopes import summary_scope

_MERGING = (
    "Merging tf.summary.* ops is not compatible with eager execution. Use "
    "tf.contrib.summary instead."
)


def _collected(tensor, collections):
    keys = [GraphKeys.SUMMARIES] if collections is None else collections
    add_to_collections(list(keys), tensor)
    return tensor


def scalar(
    name: str, tensor: TensorValue, collections: Any = None, family: Any = None
) -> Tensor:
    """A number over time.

    Args:
        name: its tag, below the name scopes. tensor: a real scalar.
        collections: the graph's collections it goes to; SUMMARIES by default.
        family: what its tag begins with.
    Returns:
        string scalar: a serialised Summary.
    Example:
        with tf.Session() as sess: sess.run(tf.summary.scalar("loss", 0.5))
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        found = apply(ops.ScalarSummary, (tag, tensor), None, scope)
    return _collected(found, collections)


def histogram(
    name: str, values: TensorValue, collections: Any = None, family: Any = None
) -> Tensor:
    """How the numbers of a tensor are spread.

    Args:
        name: its tag. values: a real tensor, all finite.
        collections, family: see `scalar`.
    Returns:
        string scalar
    """
    with summary_scope(name, family, "HistogramSummary", [values]) as (tag, scope):
        found = apply(ops.HistogramSummary, (tag, values), None, scope)
    return _collected(found, collections)


def image(
    name: str, tensor: TensorValue, max_outputs: int = 3, collections: Any = None,
    family: Any = None,
) -> Tensor:  # fmt: skip
    """The first images of a batch.

    Args:
        name: the tag; that of an image is name/image/0, or name/image if there is one.
        tensor: uint8 or float[batch, height, width, 1, 3 or 4]; floats are scaled.
        max_outputs: how many. collections, family: see `scalar`.
    Returns:
        string scalar
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        attrs = {"max_images": max_outputs, "bad_color": (255, 0, 0, 255)}
        found = apply(ops.ImageSummary, (tag, tensor), attrs, scope)
    return _collected(found, collections)


def audio(
    name: str, tensor: TensorValue, sample_rate: Any, max_outputs: int = 3,
    collections: Any = None, family: Any = None,
) -> Tensor:  # fmt: skip
    """The first clips of a batch.

    Args:
        name: the tag. tensor: float32[batch, frames(, channels)] in [-1, 1].
        sample_rate: float32 scalar, in Hz. max_outputs: how many.
        collections, family: see `scalar`.
    Returns:
        string scalar
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        attrs = {"max_outputs": max_outputs}
        inputs = (tag, tensor, _rate(sample_rate))
        found = apply(ops.AudioSummaryV2, inputs, attrs, scope)
    return _collected(found, collections)


def _rate(sample_rate):
    return convert_to_tensor(sample_rate, "float32", name="sample_rate")


def tensor_summary(
    name: str, tensor: TensorValue, summary_description: Any = None,
    collections: Any = None, summary_metadata: Any = None, family: Any = None,
    display_name: Any = None,
) -> Tensor:  # fmt: skip
    """Any tensor, with a SummaryMetadata that says which plugin shows it.

    Args:
        name: the tag. tensor: of any dtype.
        summary_description, display_name: texts for people.
        summary_metadata: a SummaryMetadata. collections, family: see `scalar`.
    Returns:
        string scalar
    """
    metadata = SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if display_name is not None:
        metadata.display_name = display_name
    if summary_description is not None:
        metadata.summary_description = summary_description
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        inputs = (tag, tensor, metadata.SerializeToString())
        found = apply(ops.TensorSummaryV2, inputs, None, scope)
    return _collected(found, collections)


def text(name: str, tensor: TensorValue, collections: Any = None) -> Tensor:
    """Text in Markdown: a scalar, or a table of cells.

    Args:
        name: the tag. tensor: string, of any shape. collections: see `scalar`.
    Returns:
        string scalar
    Raises:
        ValueError: `tensor` is of another dtype.
    """
    if getattr(tensor, "dtype", None) is not None and tensor.dtype != "string":
        raise ValueError(
            f"Expected tensor {tensor} to have dtype string, got {tensor.dtype}"
        )
    metadata = SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(
        name, tensor, collections=collections, summary_metadata=metadata
    )


def merge(
    inputs: TensorValue, collections: Any = None, name: str | None = None
) -> Tensor:
    """The values of several summaries in one.

    Args:
        inputs: serialised Summaries. collections: where it goes; nowhere by default.
        name: of the scope.
    Returns:
        string scalar
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: two have the same tag.
    """
    if current_mode().eager:
        raise RuntimeError(_MERGING)
    with name_scope(name, "Merge", inputs):
        found = apply(ops.MergeSummary, (list(inputs),), None, "MergeSummary")
    add_to_collections(list(collections or []), found)
    return found


def merge_all(
    key: str = GraphKeys.SUMMARIES, scope: Any = None, name: str | None = None
) -> Any:
    """The values of all summaries of a collection in one.

    Args:
        key: the collection. scope: only what matches this. name: of the scope.
    Returns:
        string scalar; None where there are none.
    Raises:
        RuntimeError: eager mode.
    """
    if current_mode().eager:
        raise RuntimeError(_MERGING)
    found = get_collection(key, scope)
    return merge(found, name=name) if found else None


def get_summary_description(node_def: Any) -> Any:
    """The SummaryDescription in the NodeDef of a tensor summary.

    Raises:
        ValueError: it is the node of something else. json_format.ParseError: its
            description is not one in JSON.
    """
    if node_def.op != "TensorSummary":
        raise ValueError(
            f"Cannot use get_summary_description on node_def of op type {node_def.op}"
        )
    text = node_def.attr["description"].s.decode()
    return json_format.Parse(text, SummaryDescription())
