"""tf.summary: what TensorBoard shows, as nodes of a graph and as event files."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.formats.protos: Event SessionLog Summary SummaryDescription TaggedRunMetadata
twinflow.summary.summaries: audio get_summary_description histogram image merge
twinflow.summary.summaries: merge_all scalar tensor_summary text
twinflow.summary.writer: FileWriter FileWriterCache
""",
)
