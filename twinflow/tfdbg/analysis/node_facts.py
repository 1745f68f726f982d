"""`node_info`: a node, its neighbours, attributes, dumps and the lines that made it."""

from typing import Any

from twinflow.tfdbg.analysis.menus import _add_main_menu
from twinflow.tfdbg.dumps import names, sources
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine


class NodeFacts:
    """The part of the analyzer that tells of one node."""

    _GRAPH_STRUCT_OP_TYPE_BLACKLIST = (
        "_Send", "_Recv", "_HostSend", "_HostRecv", "_Retval"
    )  # fmt: skip

    _debug_dump: Any
    _arg_parsers: dict

    def node_info(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `node_info`."""
        parsed = self._arg_parsers["node_info"].parse_args(args)
        node, _ = names.parse_node_or_tensor_name(parsed.node_name)
        if not self._debug_dump.node_exists(node):
            whole = readable.error(
                f'There is no node named "{node}" in the partition graphs'
            )
            _add_main_menu(
                whole, node_name=None, enable_list_tensors=True,
                enable_node_info=False, enable_list_inputs=False,
                enable_list_outputs=False,
            )  # fmt: skip
            return whole
        dump = self._debug_dump
        whole = rich_text_lines_from_rich_line_list([
            RL("Node ") + RL(node, "bold"), "", f"  Op: {dump.node_op_type(node)}",
            f"  Device: {dump.node_device(node)}",
        ])  # fmt: skip
        for what, ask in (("input", dump.node_inputs),
                          ("recipient", dump.node_recipients)):  # fmt: skip
            plain = self._exclude_blacklisted_ops(ask(node))
            control = self._exclude_blacklisted_ops(ask(node, is_control=True))
            whole.extend(self._format_neighbors(what, plain, control))
        if parsed.attributes:
            whole.extend(self._list_node_attributes(node))
        if parsed.dumps:
            whole.extend(self._list_node_dumps(node))
        if parsed.traceback:
            whole.extend(self._render_node_traceback(node))
        _add_main_menu(whole, node_name=node, enable_node_info=False)
        return whole

    def _exclude_blacklisted_ops(self, node_names: list[str]) -> list[str]:
        """Names without those of nodes that the runtime of TensorFlow put in."""
        kind = self._debug_dump.node_op_type
        exists = self._debug_dump.node_exists
        return [
            name for name in node_names
            if not exists(names.get_node_name(name))
            or kind(names.get_node_name(name))
            not in self._GRAPH_STRUCT_OP_TYPE_BLACKLIST
        ]  # fmt: skip

    def _format_neighbors(
        self, neighbor_type: str, non_ctrls: list[str], ctrls: list[str]
    ) -> RichTextLines:
        """The inputs or recipients of a node."""
        what = neighbor_type
        lines: list = [
            "",
            f"  {len(non_ctrls)} {what}(s) + {len(ctrls)} control {what}(s):",
            f"    {len(non_ctrls)} {what}(s):",
        ]
        lines += [self._neighbor(name) for name in non_ctrls]
        if ctrls:
            lines += ["", f"    {len(ctrls)} control {what}(s):"]
            lines += [self._neighbor(name) for name in ctrls]
        return rich_text_lines_from_rich_line_list(lines)

    def _neighbor(self, name: str) -> RichLine:
        node = names.get_node_name(name)
        kind = self._debug_dump.node_op_type(node)
        link = MenuItem("", f"ni -a -d -t {node}")
        return RL(f"      [{kind}] ") + RL(name, link)

    def _list_node_attributes(self, node_name: str) -> RichTextLines:
        lines = ["", "Node attributes:"]
        attributes = self._debug_dump.node_attributes(node_name)
        for key in attributes:
            text = repr(attributes[key]).strip().replace("\n", " ")
            lines += [f"  {key}:", f"    {text}", ""]
        return RichTextLines(lines)

    def _list_node_dumps(self, node_name: str) -> RichTextLines:
        dump, lines = self._debug_dump, []
        for key in dump.debug_watch_keys(node_name):
            for i, datum in enumerate(dump.watch_key_to_data(key)):
                ms = (datum.timestamp - dump.t0) / 1000.0
                text = f"Slot {datum.output_slot} @ {datum.debug_op} @ {ms:.3f} ms"
                link = MenuItem("", f"pt {datum.tensor_name} -n {i}")
                lines.append(RL("  ") + RL(text, link))
        head = ["", f"{len(lines)} dumped tensor(s):", ""]
        return rich_text_lines_from_rich_line_list([*head[:0], *head[1:], *lines])

    def _render_node_traceback(self, node_name: str) -> RichTextLines:
        """The lines that made a node, the innermost last."""
        lines: list = [RL(""), RL(""), RL("Traceback of node construction:", "bold")]
        try:
            stack = self._debug_dump.node_traceback(node_name)
        except KeyError:
            lines.append("(Node unavailable in the loaded Python graph)")
        except LookupError:
            lines.append("(Unavailable because no Python graph has been loaded)")
        else:
            for i, (path, line, function, text, *_) in enumerate(stack):
                lines += _frame_lines(i, path, line, function, text)
        return rich_text_lines_from_rich_line_list(lines)


def _frame_lines(i: int, path: str, line: int, function: str, text: Any) -> list:
    own = _is_library(path)
    color = readable.COLOR_GRAY if own else None
    link = MenuItem("", f"ps {path} -b {line}")
    fonts = [link, color] if color else [link]
    return [
        RL(f"{i}: {path}", color or readable.COLOR_YELLOW),
        RL("  ") + RL(f"Line:     {line}", fonts),
        RL(f"  Function: {function}"),
        RL("  Text:     " + (f'"{text}"' if text is not None else "None"), color),
        "",
    ]


def _is_library(path: str) -> bool:
    try:
        return sources.guess_is_tensorflow_py_library(path)
    except ValueError:
        return False
