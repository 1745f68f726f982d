"""The ops of quantiles as functions: see estimator.trees.calls."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.ops.trees import quantile_ops as ops


def make_quantile_summaries(
    float_values: Any, example_weights: TensorValue, epsilon: TensorValue,
    name: str | None = None,
) -> list:  # fmt: skip
    """A summary of each feature: float32[n, 4], values, weights, and ranks from and to.

    Args:
        float_values: float32[batch, 1] for each feature. example_weights:
            float32[batch]. epsilon: float32 scalar, the error of ranks.
        name: of the op.
    """
    inputs = (float_values, example_weights, epsilon)
    return list(apply(ops.BoostedTreesMakeQuantileSummaries, inputs, None, name))


def create_quantile_stream_resource(
    quantile_stream_resource_handle: Any, epsilon: TensorValue,
    num_streams: TensorValue, max_elements: int = 1 << 40, name: str | None = None,
) -> Any:  # fmt: skip
    """An op that makes the streams of a resource.

    Args:
        quantile_stream_resource_handle: its handle. epsilon: float32 scalar, the error
            of ranks. num_streams: int64 scalar, of features. max_elements: how many
            numbers may come. name: of the op.
    """
    inputs = (quantile_stream_resource_handle, epsilon, num_streams)
    attrs = {"max_elements": max_elements}
    return apply(ops.BoostedTreesCreateQuantileStreamResource, inputs, attrs, name)


def quantile_add_summaries(
    quantile_stream_resource_handle: Any, summaries: Any, name: str | None = None
) -> Any:
    """An op that adds a summary, float32[n, 4], to each stream.

    Args:
        quantile_stream_resource_handle: of the streams. summaries: a list of them.
        name: of the op.
    """
    inputs = (quantile_stream_resource_handle, summaries)
    return apply(ops.BoostedTreesQuantileStreamResourceAddSummaries, inputs, None, name)


def quantile_flush(
    quantile_stream_resource_handle: Any, num_buckets: TensorValue,
    generate_quantiles: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """An op that makes boundaries of what came, after which the streams are empty.

    Args:
        quantile_stream_resource_handle: of the streams. num_buckets: int64 scalar.
        generate_quantiles: just as many boundaries, of equal ranks. name: of the op.
    """
    inputs = (quantile_stream_resource_handle, num_buckets)
    attrs = {"generate_quantiles": generate_quantiles}
    return apply(ops.BoostedTreesQuantileStreamResourceFlush, inputs, attrs, name)


def get_bucket_boundaries(
    quantile_stream_resource_handle: Any, num_features: int, name: str | None = None
) -> list:
    """The boundaries of each feature: float32[n].

    Args:
        quantile_stream_resource_handle: of the streams. num_features: how many there
            are. name: of the op.
    """
    inputs, attrs = (quantile_stream_resource_handle,), {"num_features": num_features}
    op = ops.BoostedTreesQuantileStreamResourceGetBucketBoundaries
    return list(apply(op, inputs, attrs, name))
