"""The file that says which embeddings the projector of TensorBoard shows."""

import os
from typing import Any

from google.protobuf import text_format

from twinflow.base import files

_FILE = "projector_config.pbtxt"


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Write what the projector of TensorBoard is to show into the folder of a writer.

    Args:
        summary_writer: a tf.summary.FileWriter: its folder is taken.
        config: a ProjectorConfig, an EmbeddingInfo for each variable.
    Raises:
        ValueError: the writer has no folder.
    Example:
        config = tf.contrib.tensorboard.plugins.projector.ProjectorConfig()
        config.embeddings.add(tensor_name="words:0", metadata_path="words.tsv")
    """
    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    text = text_format.MessageToString(config)
    files.write_string_to_file(os.path.join(logdir, _FILE), text)
