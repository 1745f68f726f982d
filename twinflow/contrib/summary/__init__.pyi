# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.summary.ops import SummaryWriter as SummaryWriter
from twinflow.contrib.summary.ops import all_summary_ops as all_summary_ops
from twinflow.contrib.summary.ops import always_record_summaries as always_record_summaries
from twinflow.contrib.summary.ops import audio as audio
from twinflow.contrib.summary.ops import create_db_writer as create_db_writer
from twinflow.contrib.summary.ops import create_file_writer as create_file_writer
def create_summary_file_writer(logdir: Any, max_queue: Any = ..., flush_millis: Any = ..., filename_suffix: Any = ..., name: str | None = ...) -> Any:
    r"""A writer to an event file.

    Args:
        logdir: the folder; None: nothing is written.
        max_queue: events that may wait (10). flush_millis: for how long (2 minutes).
        filename_suffix: the end of the file's name (".v2").
        name: writers of one name share a file.
    Returns:
        A SummaryWriter; in a graph its file is opened by `initialize()`.
    Example:
        writer = tf.contrib.summary.create_file_writer("./logs")
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.scalar("loss", 0.5, step=1)
    """
from twinflow.contrib.summary.ops import eval_dir as eval_dir
from twinflow.contrib.summary.ops import flush as flush
from twinflow.contrib.summary.ops import generic as generic
from twinflow.contrib.summary.ops import graph as graph
from twinflow.contrib.summary.ops import histogram as histogram
from twinflow.contrib.summary.ops import image as image
from twinflow.contrib.summary.ops import import_event as import_event
from twinflow.contrib.summary.ops import initialize as initialize
from twinflow.contrib.summary.ops import scalar as scalar
from twinflow.contrib.summary.ops import never_record_summaries as never_record_summaries
from twinflow.contrib.summary.ops import should_record_summaries as should_record_summaries
from twinflow.contrib.summary.ops import record_summaries_every_n_global_steps as record_summaries_every_n_global_steps
from twinflow.contrib.summary.ops import summary_writer_function as summary_writer_function
from twinflow.contrib.summary.ops import summary_writer_initializer_op as summary_writer_initializer_op

__all__ = [
"SummaryWriter", "all_summary_ops", "always_record_summaries", "audio",
"create_db_writer", "create_file_writer", "create_summary_file_writer", "eval_dir",
"flush", "generic", "graph", "histogram", "image", "import_event", "initialize",
"scalar", "never_record_summaries", "should_record_summaries",
"record_summaries_every_n_global_steps", "summary_writer_function",
"summary_writer_initializer_op"
]
