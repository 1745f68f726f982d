"""Source files, and what their lines made."""

import os
import re
from collections.abc import Iterator
from typing import Any

from twinflow.tfdbg.dumps import names
from twinflow.tfdbg.dumps.profiling import AggregateProfile

UNCOMPILED_SOURCE_SUFFIXES = ".py"
COMPILED_SOURCE_SUFFIXES = (".pyc", ".pyo")

_HERE = os.path.normpath(os.path.abspath(__file__))
_HOUSE = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


def _norm_abs_path(file_path: str) -> str:
    return os.path.normpath(os.path.abspath(file_path))


def is_extension_uncompiled_python_source(file_path: str) -> bool:
    return os.path.splitext(file_path)[1].lower() == UNCOMPILED_SOURCE_SUFFIXES


def is_extension_compiled_python_source(file_path: str) -> bool:
    return os.path.splitext(file_path)[1].lower() in COMPILED_SOURCE_SUFFIXES


def guess_is_tensorflow_py_library(py_file_path: str) -> bool:
    """Whether a file is one of the library rather than of the user.

    Raises:
        ValueError: it is no Python source.
    """
    if not is_extension_uncompiled_python_source(py_file_path) and not (
        is_extension_compiled_python_source(py_file_path)
    ):
        raise ValueError(
            f"Input file path ({py_file_path}) is not a Python source file."
        )
    path = _norm_abs_path(py_file_path)
    inside = path.startswith(_HOUSE + os.sep) or "/tensorflow/python/" in path
    return inside and not path.endswith("_test.py") and (
        "python/debug/examples" not in path
    )  # fmt: skip


def load_source(source_file_path: str) -> tuple[list[str], int]:
    """The lines of a file, and the width of the number of its last line."""
    with open(source_file_path, encoding="utf-8", errors="replace") as f:
        lines = f.read().split("\n")
    return lines, len(str(len(lines)))


def _stacks(dump: Any, path: str) -> Iterator[tuple[Any, list[int]]]:
    """The nodes of a graph, each with the lines of a file in its stack."""
    for op in dump.python_graph.get_operations():
        lines = [frame[1] for frame in op.traceback if _norm_abs_path(frame[0]) == path]
        if lines:
            yield op, lines


def annotate_source(
    dump: Any,
    source_file_path: str,
    do_dumped_tensors: bool = False,
    file_stack_top: bool = False,
    min_line: int | None = None,
    max_line: int | None = None,
) -> dict[int, list[str]]:
    """What each line of a file made.

    Args:
        dump: a DebugDumpDir that knows the tf.Graph. source_file_path: the file.
        do_dumped_tensors: the dumped tensors instead of the nodes.
        file_stack_top: only the innermost line of a stack.
        min_line, max_line: lines from the one up to the other, which is left out.
    Returns:
        {line: names}.
    Raises:
        ValueError: the DebugDumpDir knows no tf.Graph.
    """
    if not dump.python_graph:
        raise ValueError(
            "Cannot perform source annotation due to a lack of set Python graph in the "
            "dump object"
        )
    found: dict[int, list[str]] = {}
    for op, lines in _stacks(dump, _norm_abs_path(source_file_path)):
        for line in dict.fromkeys(lines[-1:] if file_stack_top else lines):
            low = min_line is not None and line < min_line
            if low or (max_line is not None and line >= max_line):
                continue
            wanted = [op.name]
            if do_dumped_tensors:
                keys = dump.debug_watch_keys(op.name)
                wanted = list(dict.fromkeys(k.rpartition(":")[0] for k in keys))
            known = found.setdefault(line, [])
            known.extend(name for name in wanted if name not in known)
    return found


def list_source_files_against_dump(
    dump: Any,
    path_regex_whitelist: str | None = None,
    node_name_regex_whitelist: str | None = None,
) -> list[tuple]:
    """The files whose lines made a graph.

    Args:
        dump: a DebugDumpDir that knows the tf.Graph.
        path_regex_whitelist, node_name_regex_whitelist: expressions that must match.
    Returns:
        (path, whether it is the library's, nodes, tensors, dumps, first line) of each,
        sorted.
    Raises:
        ValueError: the DebugDumpDir knows no tf.Graph.
    """
    if not dump.python_graph:
        raise ValueError(
            "Cannot generate source list due to a lack of set Python graph in the dump "
            "object"
        )
    outputs, dumps = _shapes(dump)
    made: dict[str, dict[str, None]] = {}
    first: dict[str, int] = {}
    for op in dump.python_graph.get_operations():
        if node_name_regex_whitelist and not re.match(
            node_name_regex_whitelist, op.name
        ):
            continue
        for frame in op.traceback:
            path = _norm_abs_path(frame[0])
            if path_regex_whitelist and not re.match(path_regex_whitelist, path):
                continue
            made.setdefault(path, {})[op.name] = None
            first[path] = min(first.get(path, frame[1]), frame[1])
    rows = []
    for path in sorted(made):
        nodes = _with_control_flow(made[path], outputs, node_name_regex_whitelist)
        rows.append((
            path, guess_is_tensorflow_py_library(path), len(nodes),
            sum(outputs.get(n, 1) for n in nodes), sum(dumps.get(n, 0) for n in nodes),
            first[path],
        ))  # fmt: skip
    return rows


def _shapes(dump: Any) -> tuple[dict[str, int], dict[str, int]]:
    """{node: outputs} and {node: dumps} of the graph of a run."""
    outputs = {}
    twice = ("Switch", "Merge", "RefSwitch", "RefMerge")
    for graph in dump.partition_graphs() if dump.loaded_partition_graphs() else ():
        for node in graph.node:
            if not names.is_debug_node(node.name) and not names.is_copy_node(node.name):
                outputs[node.name] = 2 if node.op in twice else 1
    dumps: dict[str, int] = {}
    for datum in dump.dumped_tensor_data:
        dumps[datum.node_name] = dumps.get(datum.node_name, 0) + 1
    return outputs, dumps


def _with_control_flow(
    nodes: dict, outputs: dict[str, int], pattern: str | None
) -> list[str]:
    """Nodes, and those of the control flow that TensorFlow's graph has beside them."""
    if not outputs:
        return list(nodes)
    scopes = {n.rpartition("/")[0] for n in nodes if "/" in n}
    there = [n for n in nodes if n in outputs]
    for name in outputs:
        beside = name not in nodes and name.rpartition("/")[0] in scopes
        if beside and (not pattern or re.match(pattern, name)):
            there.append(name)
    return there


def annotate_source_against_profile(
    profile_data: list,
    source_file_path: str,
    node_name_filter: str | None = None,
    op_type_filter: str | None = None,
    min_line: int | None = None,
    max_line: int | None = None,
) -> dict[int, AggregateProfile]:
    """The time of each line of a file.

    Args:
        profile_data: list of ProfileDatum. source_file_path: the file.
        node_name_filter, op_type_filter: expressions that must match.
        min_line, max_line: lines from the one up to the other, which is left out.
    """
    path = _norm_abs_path(source_file_path)
    node = re.compile(node_name_filter) if node_name_filter else None
    kind = re.compile(op_type_filter) if op_type_filter else None
    found: dict[int, AggregateProfile] = {}
    for datum in profile_data:
        if not datum.file_path or _norm_abs_path(datum.file_path) != path:
            continue
        line = datum.line_number
        low = min_line is not None and line < min_line
        if low or (max_line is not None and line >= max_line):
            continue
        if node and not node.match(datum.node_exec_stats.node_name):
            continue
        if kind and not kind.match(datum.op_type):
            continue
        if line in found:
            found[line].add(datum)
        else:
            found[line] = AggregateProfile(datum)
    return found
