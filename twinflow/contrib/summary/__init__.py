"""tf.contrib.summary: summaries that are written as ops, in both modes."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.summary.ops: SummaryWriter all_summary_ops always_record_summaries
twinflow.contrib.summary.ops: audio create_db_writer create_file_writer
twinflow.contrib.summary.ops: create_summary_file_writer eval_dir flush generic graph
twinflow.contrib.summary.ops: histogram image import_event initialize scalar
twinflow.contrib.summary.ops: never_record_summaries should_record_summaries
twinflow.contrib.summary.ops: record_summaries_every_n_global_steps
twinflow.contrib.summary.ops: summary_writer_function summary_writer_initializer_op
""",
)
