"""What a graph says of its nodes for a profile: an OpLogProto."""

import os
import sys
from typing import Any

from twinflow.base.annotations import Path
from twinflow.base.files import Open
from twinflow.base.shapes import TensorShape
from twinflow.formats.profile_protos import OpLogEntry, OpLogProto
from twinflow.graph.defaults import executing_eagerly, get_default_graph
from twinflow.ops.variables.collections import GraphKeys
from twinflow.profiler import flops  # noqa: F401 - registers what nodes take
from twinflow.profiler.statistics import get_stats_for_node_def

TRAINABLE_VARIABLES = "_trainable_variables"
REGISTERED_FLOP_STATS = "flops"


def graph_or_default(graph: Any) -> Any:
    """The graph that is given, or the default one; None in eager execution."""
    return graph or (None if executing_eagerly() else get_default_graph())


def merge_default_with_oplog(
    graph: Any, op_log: Any = None, run_meta: Any = None, add_trace: bool = True,
    add_trainable_var: bool = True,
) -> Any:  # fmt: skip
    """An OpLogProto with what a graph says of its nodes and what the caller does.

    Args:
        graph: the graph; the default one if None. op_log: an OpLogProto of the
            caller's. run_meta: a RunMetadata, for shapes that the graph leaves open.
        add_trace: whether with the lines of the program. add_trainable_var: whether
            trainable variables get the type `_trainable_variables`.
    """
    found = OpLogProto()
    graph = graph_or_default(graph)
    if not graph:
        return found
    entries, ids = _get_logged_ops(graph, run_meta, add_trace, add_trainable_var)
    given = {e.name: e for e in op_log.log_entries} if op_log else {}
    for name, entry in entries.items():
        own = given.setdefault(name, entry)
        if own is not entry:
            own.types.extend(entry.types)
            own.float_ops = own.float_ops or entry.float_ops
            if not own.code_def.traces:
                own.code_def.MergeFrom(entry.code_def)
    found.log_entries.extend(given.values())
    found.id_to_string.update({number: text for text, number in ids.items()})
    return found


def _get_logged_ops(
    graph: Any, run_meta: Any = None, add_trace: bool = True,
    add_trainable_var: bool = True,
) -> tuple[dict[str, Any], dict[str, int]]:  # fmt: skip
    """(OpLogEntries by the names of nodes, the numbers of texts)"""
    if run_meta:
        _fill_missing_graph_shape(graph, run_meta)
    ids, entries, open_shapes = {"none": 0}, {}, 0
    for op in graph.get_operations():
        entry = OpLogEntry(name=op.name)
        try:
            count = get_stats_for_node_def(graph, op.node_def, REGISTERED_FLOP_STATS)
            entry.float_ops = int(count.value or 0)
        except ValueError:  # a shape is not known
            open_shapes += 1
        if add_trace:
            _add_trace(entry.code_def, op, ids)
        if add_trace or entry.float_ops:
            entries[op.name] = entry
    if add_trainable_var:
        for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES):
            name = variable.op.name
            entry = entries.setdefault(name, OpLogEntry(name=name))
            entry.types.append(TRAINABLE_VARIABLES)
    if open_shapes and not run_meta:
        sys.stderr.write(
            f"{open_shapes} ops no flops stats due to incomplete shapes.\n"
        )
    return entries, ids


def _add_trace(code: Any, op: Any, ids: dict[str, int]) -> None:
    for file, line, function, text, start in op.traceback_with_start_lines:
        code.traces.add(
            file_id=_str_id(file, ids), lineno=line or -1,
            function_id=_str_id(function, ids), line_id=_str_id(text, ids),
            func_start_line=start or -1,
        )  # fmt: skip


def _str_id(text: str | None, ids: dict[str, int]) -> int:
    """The number of a text."""
    return ids.setdefault(text, len(ids)) if text else 0


def _fill_missing_graph_shape(graph: Any, run_meta: Any) -> Any:
    """Give tensors the shapes that a run has found."""
    for device in run_meta.step_stats.dev_stats:
        for stats in device.node_stats:
            try:
                op = graph.get_operation_by_name(stats.node_name)
            except (KeyError, ValueError):
                continue  # made for the run
            if len(stats.output) != len(op.outputs):
                continue
            for t, output in zip(op.outputs, stats.output, strict=True):
                _fill_shape(t, output.tensor_description.shape, stats.node_name)
    return graph


def _fill_shape(t: Any, found: Any, name: str) -> None:
    if t.get_shape().is_fully_defined():
        return
    try:
        shape = TensorShape([d.size for d in found.dim])
        t.set_shape(t.get_shape().merge_with(shape))
    except ValueError as error:
        sys.stderr.write(f"Node {name} incompatible shapes: {error}.\n")


def write_op_log(
    graph: Any, log_dir: Path, op_log: Any = None, run_meta: Any = None,
    add_trace: bool = True,
) -> None:  # fmt: skip
    """Write what a graph says of its nodes as `tfprof_log` into a folder.

    Args:
        graph: the graph; the default one if None. log_dir: the folder. op_log: an
            OpLogProto of the caller's, with types and float operations of nodes.
        run_meta: a RunMetadata, for shapes that the graph leaves open.
        add_trace: whether with the lines of the program.
    Example:
        with tf.Graph().as_default() as graph:
            tf.matmul(tf.ones([2, 3]), tf.ones([3, 4]))
        tf.profiler.write_op_log(graph, ".")
        tf.gfile.Exists("tfprof_log")  # True
    """
    log = merge_default_with_oplog(graph, op_log, run_meta, add_trace)
    with Open(os.path.join(os.fsdecode(log_dir), "tfprof_log"), "wb") as file:
        file.write(log.SerializeToString())
