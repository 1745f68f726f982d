"""RunOptions that ask for dumps."""

import re
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes as known_types

_TYPES = {t.as_datatype_enum: t.name for t in known_types.ALL_TYPES}


def add_debug_tensor_watch(
    run_options: Any,
    node_name: str,
    output_slot: int = 0,
    debug_ops: list[str] | str = "DebugIdentity",
    debug_urls: list[str] | str | None = None,
    tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1,
) -> None:
    """Ask for the dumps of one tensor.

    Args:
        run_options: tf.RunOptions, which are changed.
        node_name, output_slot: the tensor.
        debug_ops: "DebugIdentity", "DebugNanCount", "DebugNumericSummary" or several,
            with attributes as in "DebugNumericSummary(lower_bound=-1.0)".
        debug_urls: "file:///tmp/dumps", or several.
        tolerate_debug_op_creation_failures: whether a debug op may not fit the type.
        global_step: a number for the facts about the run.
    """
    options = run_options.debug_options
    options.global_step = global_step
    watch = options.debug_tensor_watch_opts.add(
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
        node_name=node_name,
        output_slot=output_slot,
    )
    for field, words in ((watch.debug_ops, debug_ops), (watch.debug_urls, debug_urls)):
        field.extend([words] if isinstance(words, str) else words or [])


def watch_graph(
    run_options: Any,
    graph: Any,
    debug_ops: list[str] | str = "DebugIdentity",
    debug_urls: list[str] | str | None = None,
    node_name_regex_whitelist: str | None = None,
    op_type_regex_whitelist: str | None = None,
    tensor_dtype_regex_whitelist: str | None = None,
    tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1,
    reset_disk_byte_usage: bool = False,
) -> None:
    """Ask for the dumps of all tensors of a graph, or of those that match.

    Args:
        node_name_regex_whitelist, op_type_regex_whitelist,
            tensor_dtype_regex_whitelist: regular expressions that all have to match.
        reset_disk_byte_usage: whether the limit of bytes begins anew.
        For the others see `add_debug_tensor_watch`.
    """

    def taken(values: tuple[str, str, str]) -> bool:
        patterns = (
            node_name_regex_whitelist, op_type_regex_whitelist,
            tensor_dtype_regex_whitelist,
        )  # fmt: skip
        pairs = zip(patterns, values)
        return all(not p or re.match(p, value) for p, value in pairs)

    _watch(
        run_options, graph, taken, reset_disk_byte_usage,
        debug_ops=debug_ops, debug_urls=debug_urls, global_step=global_step,
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
    )  # fmt: skip


def watch_graph_with_blacklists(
    run_options: Any,
    graph: Any,
    debug_ops: list[str] | str = "DebugIdentity",
    debug_urls: list[str] | str | None = None,
    node_name_regex_blacklist: str | None = None,
    op_type_regex_blacklist: str | None = None,
    tensor_dtype_regex_blacklist: str | None = None,
    tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1,
    reset_disk_byte_usage: bool = False,
) -> None:
    """As `watch_graph`, but of the tensors that none of the expressions matches."""

    def taken(values: tuple[str, str, str]) -> bool:
        patterns = (
            node_name_regex_blacklist, op_type_regex_blacklist,
            tensor_dtype_regex_blacklist,
        )  # fmt: skip
        pairs = zip(patterns, values)
        return not any(p and re.match(p, value) for p, value in pairs)

    _watch(
        run_options, graph, taken, reset_disk_byte_usage,
        debug_ops=debug_ops, debug_urls=debug_urls, global_step=global_step,
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
    )  # fmt: skip


def _watch(
    run_options: Any, graph: Any, taken: Callable, reset: bool, **how: Any
) -> None:
    for node, kind, dtypes in _tensors(graph):
        for slot, dtype in enumerate(dtypes):
            if taken((node, kind, dtype)):
                add_debug_tensor_watch(run_options, node, output_slot=slot, **how)
    run_options.debug_options.reset_disk_byte_usage = reset


def _tensors(graph: Any) -> list[tuple[str, str, list[str]]]:
    """(node, its type, the dtypes of its outputs), as TensorFlow 1.12 has the graph:
    what a loop or a branch is made of there, too."""
    found = []
    here = {node.name: node for node in graph.get_operations()}
    for definition in graph.as_graph_def().node:
        node = here.get(definition.name)
        if node is not None and node.type != "TwinParam":
            dtypes = [t.dtype.name for t in node.outputs]
            if definition.op == "Merge":
                dtypes = [dtypes[0], "int32"]
        else:
            dtypes = _of_control_flow(definition, here)
        found.append((definition.name, definition.op, dtypes))
    return found


_OUTPUTS = {"Switch": 2, "RefSwitch": 2, "Merge": 2, "RefMerge": 2}


def _of_control_flow(definition: Any, here: dict) -> list[str]:
    kind = "bool" if definition.op == "LoopCond" else "float32"
    if definition.name in here:
        kind = here[definition.name].outputs[0].dtype.name
    elif "T" in definition.attr:
        kind = _TYPES.get(definition.attr["T"].type, kind)
    count = _OUTPUTS.get(definition.op, 1)
    return [kind, "int32"] if definition.op.endswith("Merge") else [kind] * count
