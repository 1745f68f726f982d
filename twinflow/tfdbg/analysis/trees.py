"""`list_inputs` and `list_outputs`: what hangs together with a node, as a tree."""

from typing import Any

from twinflow.tfdbg.analysis.menus import _add_main_menu
from twinflow.tfdbg.dumps import names
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import RichLine, RichTextLines

RL = RichLine

HANG_UNFINISHED = "|  "
HANG_FINISHED = "   "
HANG_SUFFIX = "|- "
DEPTH_TEMPLATE = "(%d) "
OP_TYPE_TEMPLATE = "[%s] "
CTRL_LABEL = "(Ctrl) "
ELLIPSIS = "..."


class Trees:
    """The part of the analyzer that draws trees."""

    _debug_dump: Any
    _arg_parsers: dict
    _exclude_blacklisted_ops: Any

    def list_inputs(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `list_inputs`."""
        parsed = self._arg_parsers["list_inputs"].parse_args(args)
        return self._tree_of(parsed, False)

    def list_outputs(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `list_outputs`."""
        parsed = self._arg_parsers["list_outputs"].parse_args(args)
        return self._tree_of(parsed, True)

    def _tree_of(self, parsed: Any, outputs: bool) -> RichTextLines:
        whole = self._list_inputs_or_outputs(
            parsed.recursive, parsed.node_name, parsed.depth, parsed.control,
            parsed.op_type, do_outputs=outputs,
        )  # fmt: skip
        node = names.get_node_name(parsed.node_name)
        exists = self._debug_dump.node_exists(node)
        _add_main_menu(
            whole, node_name=node if exists else None,
            enable_list_inputs=outputs, enable_list_outputs=not outputs,
        )  # fmt: skip
        return whole

    def _list_inputs_or_outputs(
        self, recursive: bool, node_name: str, depth: int, control: bool,
        op_type: bool, do_outputs: bool = False,
    ) -> RichTextLines:  # fmt: skip
        node, _ = names.parse_node_or_tensor_name(node_name)
        if not self._debug_dump.node_exists(node):
            return readable.error(
                f'There is no node named "{node}" in the partition graphs'
            )
        depth = depth if recursive else 1
        title, what = (
            ("Recipients of", "recipients") if do_outputs else ("Inputs to", "inputs")
        )
        whole = RichTextLines([])
        included = f", control {what} included" if control else ""
        line = RL(f'{title} node "') + RL(node, "bold")
        whole.append_rich_line(line + f'" (Depth limit = {depth}{included}):')
        command = "lo -c -r %s" if do_outputs else "li -c -r %s"
        how = (depth, control, op_type, do_outputs, command)
        if not self._draw(whole, node, 1, "", how):
            whole.append("  [None]")
        whole.append("")
        whole.append("Legend:")
        whole.append("  (d): recursion depth = d.")
        if control:
            whole.append("  (Ctrl): Control input.")
        if op_type:
            whole.append("  [Op]: Input node has op type Op.")
        return whole

    def _next_to(self, node: str, outputs: bool, control: bool) -> list[str]:
        dump = self._debug_dump
        ask = dump.node_recipients if outputs else dump.node_inputs
        return self._exclude_blacklisted_ops(ask(node, is_control=control))

    def _draw(
        self, whole: RichTextLines, node: str, depth: int, indent: str, how: tuple
    ) -> bool:
        """Draw what is next to a node; whether there is something."""
        limit, control, op_type, outputs, command = how
        plain = [(n, False) for n in self._next_to(node, outputs, False)]
        if control:
            plain += [(n, True) for n in self._next_to(node, outputs, True)]
        for i, (tensor, is_control) in enumerate(plain):
            name = names.get_node_name(tensor)
            text = indent + HANG_SUFFIX
            if depth > limit:
                whole.append(text + ELLIPSIS)
                return True
            text += DEPTH_TEMPLATE % depth + (CTRL_LABEL if is_control else "")
            if op_type:
                text += OP_TYPE_TEMPLATE % self._debug_dump.node_op_type(name)
            whole.append_rich_line(RL(text) + RL(tensor, MenuItem("", command % name)))
            last = i + 1 == len(plain)
            deeper = indent + (HANG_FINISHED if last else HANG_UNFINISHED)
            self._draw(whole, name, depth + 1, deeper, how)
        return bool(plain)
