"""The ops whose result is a serialised Summary: what tf.summary is made of."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.op import REAL, define
from twinflow.ops.core.infer import text
from twinflow.ops.strings.arrays import as_text, filled, flat, one
from twinflow.ops.summaries import protos

_IMAGE = frozenset((dtypes.uint8, dtypes.float32, dtypes.float16, dtypes.float64))


def _summary(line, function, **facts):
    """Define an op on the host from a function that gives a Summary."""

    def kernel(*args, **attrs):
        return filled([function(*args, **attrs).SerializeToString()], ())

    return define(line, infer=lambda *_, **__: (), host=kernel, **facts)


def tag_of(array):
    """The text of a string scalar."""
    return as_text(one(array))


def _scalars(tags, values):
    if np.shape(tags) != np.shape(values):
        first = f" (tag '{tag_of(tags)}')" if np.ndim(tags) == 0 else ""
        raise protos.invalid(
            f"tags and values not the same shape: {text(np.shape(tags))} != "
            f"{text(np.shape(values))}{first}"
        )
    return protos.scalars([as_text(t) for t in flat(tags)], values)


ScalarSummary = _summary(
    "ScalarSummary(tags: string, values: T) -> (summary: string)",
    _scalars,
    types={"T": REAL},
)
HistogramSummary = _summary(
    "HistogramSummary(tag: string, values: T) -> (summary: string)",
    lambda tag, values: protos.histogram(tag_of(tag), values),
    types={"T": REAL},
)
ImageSummary = _summary(
    "ImageSummary(tag: string, tensor: T) -> (summary: string)"
    "; max_images=3, bad_color=(255, 0, 0, 255)",
    lambda tag, tensor, max_images, bad_color: protos.images(
        tag_of(tag), tensor, max_images, bad_color
    ),
    types={"T": _IMAGE},
)
AudioSummary = _summary(
    "AudioSummary(tag: string, tensor: float32) -> (summary: string)"
    "; sample_rate=0.0, max_outputs=3",
    lambda tag, tensor, sample_rate, max_outputs: protos.audio(
        tag_of(tag), tensor, sample_rate, max_outputs
    ),
)
AudioSummaryV2 = _summary(
    "AudioSummaryV2(tag: string, tensor: float32, sample_rate: float32)"
    " -> (summary: string); max_outputs=3",
    lambda tag, tensor, sample_rate, max_outputs: protos.audio(
        tag_of(tag), tensor, float(sample_rate), max_outputs
    ),
)
TensorSummaryV2 = _summary(
    "TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string)"
    " -> (summary: string)",
    lambda tag, tensor, serialized_summary_metadata: protos.tensor(
        tag_of(tag), np.asarray(tensor), one(serialized_summary_metadata)
    ),
)
TensorSummary = _summary(
    "TensorSummary(tensor: T) -> (summary: string)"
    "; description='', labels=(), display_name=''",
    lambda tensor, description, labels, display_name: protos.tensor(
        "", np.asarray(tensor), b""
    ),
)
MergeSummary = _summary(
    "MergeSummary(inputs: N*string) -> (summary: string)",
    lambda inputs: protos.merged(d for array in inputs for d in flat(array)),
)
