"""Summaries of tensors and activations, of contrib.layers."""

import functools
import re
from typing import Any

from twinflow.graph.scopes import get_collection
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.variables.collections import GraphKeys
from twinflow.summary.summaries import histogram, scalar


def _add_scalar_summary(tensor: Any, tag: str | None = None) -> Any:
    tensor.get_shape().assert_has_rank(0)
    tag = tag or f"{tensor.op.name}_summary"
    return scalar(tag, tensor)


def _add_histogram_summary(tensor: Any, tag: str | None = None) -> Any:
    return histogram(tag or f"{tensor.op.name}_summary", tensor)


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A summary of a tensor: a scalar one, or a histogram.

    Args:
        tensor: a tensor. tag: its name; that of the tensor and "_summary" by default.
    Returns:
        The summary, a tensor; None for strings and bools.
    """
    if tensor.dtype.base_dtype.name in ("string", "bool"):
        return None
    if tensor.get_shape().ndims == 0:
        return _add_scalar_summary(tensor, tag)
    return _add_histogram_summary(tensor, tag)


def summarize_activation(op: Any) -> Any:
    """Summaries of an activation: how much of it is 0 (or 6), and a histogram.

    Args:
        op: a tensor, the output of an activation.
    """
    name = op.op.name
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        zeros = reduce_mean(cast(equal(op, cast(0, op.dtype)), "float32"))
        _add_scalar_summary(zeros, f"{name}/zeros")
    if op.op.type == "Relu6":
        sixes = reduce_mean(cast(equal(op, cast(6, op.dtype)), "float32"))
        _add_scalar_summary(sixes, f"{name}/sixes")
    return _add_histogram_summary(op, f"{name}/activation")


def summarize_tensors(tensors: Any, summarizer: Any = summarize_tensor) -> list[Any]:
    """Summaries of several tensors.

    Args:
        tensors: a list. summarizer: makes one of a tensor.
    """
    return [summarizer(t) for t in tensors]


def summarize_collection(
    collection: Any, name_filter: str | None = None, summarizer: Any = summarize_tensor
) -> list[Any]:
    """Summaries of the tensors of a collection.

    Args:
        collection: its key. name_filter: a pattern that names must match.
        summarizer: makes one of a tensor.
    """
    found = [
        t for t in get_collection(collection)
        if name_filter is None or re.match(name_filter, t.op.name)
    ]  # fmt: skip
    return summarize_tensors(found, summarizer)


summarize_activations = functools.partial(
    summarize_collection, GraphKeys.ACTIVATIONS, summarizer=summarize_activation
)
summarize_variables = functools.partial(
    summarize_collection, GraphKeys.GLOBAL_VARIABLES
)
summarize_weights = functools.partial(summarize_collection, GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, GraphKeys.BIASES)
