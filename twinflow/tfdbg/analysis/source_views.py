"""`print_source` and `list_source`: files, and what their lines made."""

from typing import Any

from twinflow.tfdbg.analysis.menus import _add_main_menu
from twinflow.tfdbg.dumps import sources
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    INIT_SCROLL_POS_KEY,
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine
_MORE = 5  # elements that a click on `+5` adds


class SourceViews:
    """The part of the analyzer that shows sources."""

    _debug_dump: Any
    _arg_parsers: dict

    def print_source(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `print_source`."""
        parsed = self._arg_parsers["print_source"].parse_args(args)
        made = sources.annotate_source(
            self._debug_dump, parsed.source_file_path, do_dumped_tensors=parsed.tensors
        )
        lines, width = sources.load_source(parsed.source_file_path)
        shown: list = []
        start = 0
        for number, text in enumerate(lines, 1):
            if number == parsed.line_begin:
                start = len(shown)
            head = f"L{number}".ljust(width + 3)
            if number in made:
                shown.append(RL(head, readable.COLOR_YELLOW) + text)
                shown.extend(self._made(parsed, number, sorted(made[number])))
            else:
                shown.append(RL(head, readable.COLOR_YELLOW) + text)
        notes = {INIT_SCROLL_POS_KEY: start}
        whole = rich_text_lines_from_rich_line_list(shown, annotations=notes)
        _add_main_menu(whole, node_name=None)
        return whole

    def _made(self, parsed: Any, number: int, elements: list[str]) -> list:
        """The lines below a source line: what it made."""
        shown = []
        for element in elements[: parsed.max_elements_per_line]:
            line = RL("    ")
            if self._debug_dump.debug_watch_keys(element.partition(":")[0]):
                fonts: Any = MenuItem("", f"pt {element}")
            else:
                fonts = readable.COLOR_BLUE
            shown.append(line + RL(element, fonts))
        left = len(elements) - parsed.max_elements_per_line
        if left > 0:
            what = "tensor(s)" if parsed.tensors else "op(s)"
            line = RL(f"    (... Omitted {left} of {len(elements)} {what} ...) ")
            command = self._reconstruct_print_source_command(parsed, number, _MORE)
            shown.append(line + RL(f"+{_MORE}", MenuItem("", command)))
        return shown

    def _reconstruct_print_source_command(
        self, parsed: Any, line_begin: int, max_elements_per_line_increase: int = 0
    ) -> str:
        flag = "-t" if parsed.tensors else ""
        count = parsed.max_elements_per_line + max_elements_per_line_increase
        return f"ps {parsed.source_file_path} {flag} -b {line_begin} -m {count}"

    def list_source(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `list_source`."""
        parsed = self._arg_parsers["list_source"].parse_args(args)
        found = sources.list_source_files_against_dump(
            self._debug_dump, path_regex_whitelist=parsed.path_filter,
            node_name_regex_whitelist=parsed.node_name_filter,
        )  # fmt: skip
        lines: list = [
            RL("List of source files that created nodes in this run", "bold")
        ]
        if parsed.path_filter:
            lines.append(f'File path regex filter: "{parsed.path_filter}"')
        if parsed.node_name_filter:
            lines.append(f'Node name regex filter: "{parsed.node_name_filter}"')
        whole = rich_text_lines_from_rich_line_list([*lines, ""])
        if found:
            for own in (False, True):
                whole.extend(self._make_source_table(found, own))
        else:
            whole.append("[No source file information.]")
        _add_main_menu(whole, node_name=None)
        return whole

    def _make_source_table(
        self, source_list: list[tuple], is_tf_py_library: bool
    ) -> RichTextLines:
        """A table of the files of the library, or of the others."""
        rows = [row for row in source_list if row[1] == is_tf_py_library]
        color = readable.COLOR_GRAY if is_tf_py_library else readable.COLOR_WHITE
        title = (
            "TensorFlow Python library file(s):" if is_tf_py_library
            else "File(s) outside TensorFlow Python library:"
        )  # fmt: skip
        lines: list = [RL(title, color)]
        if not rows:
            return rich_text_lines_from_rich_line_list(
                [*lines, RL("[No files.]", color), ""]
            )
        heads = ("Source file path", "#(nodes)", "#(tensors)", "#(tensor dumps)")
        cells = [(path, str(nodes), str(tensors), str(dumps))
                 for path, _, nodes, tensors, dumps, _ in rows]  # fmt: skip
        widths = [max(len(c) for c in column) + 1 for column in zip(heads, *cells)]
        padded = [h.ljust(w) for h, w in zip(heads, widths)]
        lines.append(RL("".join(padded), color))
        for row, (path, *counts) in zip(rows, cells):
            if sources.is_extension_compiled_python_source(path):
                line = RL(path, [color])
            else:
                link = MenuItem("", f"ps {path} -b {row[5]}")
                line = RL(path, [color, link])
            line += " " * (widths[0] - len(path))
            text = "".join(c.ljust(w) for c, w in zip(counts, widths[1:]))
            lines.append(line + RL(text, color))
        return rich_text_lines_from_rich_line_list([*lines, ""])
