"""GraphDefs as files."""

import os
from typing import Any

from google.protobuf import text_format

from twinflow.base import files
from twinflow.graph.graph import Graph


def write_graph(
    graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True
) -> str:
    """Write a GraphDef to a file; nobody ever sees half of it.

    Args:
        graph_or_graph_def: a Graph or GraphDef. logdir: the directory, made if need be.
        name: the name of the file. as_text: as text; else in binary form.
    Returns:
        The path of the file.
    Example:
        tf.train.write_graph(tf.Graph(), "./model", "a.pbtxt")  # "./model/a.pbtxt"
    """
    proto = graph_or_graph_def
    if isinstance(proto, Graph):
        proto = proto.as_graph_def()
    if not files.Exists(logdir):
        files.MakeDirs(logdir)
    path = os.path.join(logdir, name)
    write_message(proto, path, as_text)
    return path


def write_message(proto: Any, path: str, as_text: bool) -> None:
    """Write a message to a file, in one go."""
    if as_text:
        text = text_format.MessageToString(proto)
        files.atomic_write_string_to_file(path, text)
    else:
        files.atomic_write_string_to_file(path, proto.SerializeToString())
