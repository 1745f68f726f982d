"""The ops whose result is a serialised Summary: what tf.summary is made of."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar, text
from twinflow.ops.strings.arrays import as_text, filled, flat, one
from twinflow.ops.summaries import protos


def _summary(kind, function, **facts):
    """Define an op on the host from a function that gives a Summary."""

    def kernel(*args, **attrs):
        return filled([function(*args, **attrs).SerializeToString()], ())

    return define(kind, infer=scalar, host=kernel, **facts)


def tag_of(array):
    """The text of a string scalar."""
    return as_text(one(array))


def _scalars(tags, values):
    if np.shape(tags) != np.shape(values):
        first = f" (tag '{tag_of(tags)}')" if np.ndim(tags) == 0 else ""
        raise invalid(
            f"tags and values not the same shape: {text(np.shape(tags))} != "
            f"{text(np.shape(values))}{first}"
        )
    return protos.scalars([as_text(t) for t in flat(tags)], values)


ScalarSummary = _summary("ScalarSummary", _scalars)
HistogramSummary = _summary(
    "HistogramSummary", lambda tag, values: protos.histogram(tag_of(tag), values)
)
ImageSummary = _summary(
    "ImageSummary",
    lambda tag, tensor, max_images, bad_color: protos.images(
        tag_of(tag), tensor, max_images, bad_color
    ),
)
AudioSummary, AudioSummaryV2 = (
    _summary(
        kind,
        lambda tag, tensor, sample_rate, max_outputs: protos.audio(
            tag_of(tag), tensor, float(sample_rate), max_outputs
        ),
        attrs=attrs,
    )
    for kind, attrs in (("AudioSummary", {"sample_rate": 0.0}), ("AudioSummaryV2", {}))
)
TensorSummaryV2 = _summary(
    "TensorSummaryV2",
    lambda tag, tensor, serialized_summary_metadata: protos.tensor(
        tag_of(tag), np.asarray(tensor), one(serialized_summary_metadata)
    ),
)
TensorSummary = _summary(
    "TensorSummary",
    lambda tensor, description, labels, display_name: protos.tensor(
        "", np.asarray(tensor), b""
    ),
)
MergeSummary = _summary(
    "MergeSummary",
    lambda inputs: protos.merged(d for array in inputs for d in flat(array)),
)
