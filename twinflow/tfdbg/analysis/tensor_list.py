"""`list_tensors`: the dumps of a run."""

import re
from typing import Any

from twinflow.tfdbg.analysis import arguments
from twinflow.tfdbg.analysis.menus import _add_main_menu
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine


class TensorList:
    """The part of the analyzer that lists dumps."""

    _TIMESTAMP_COLUMN_HEAD = "t (ms)"
    _DUMP_SIZE_COLUMN_HEAD = "Size (B)"
    _OP_TYPE_COLUMN_HEAD = "Op type"
    _TENSOR_NAME_COLUMN_HEAD = "Tensor name"

    _debug_dump: Any
    _arg_parsers: dict
    get_tensor_filter: Any

    def list_tensors(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `list_tensors`."""
        parsed = self._arg_parsers["list_tensors"].parse_args(args)
        excluded = parsed.filter_exclude_node_names
        if excluded and not parsed.tensor_filter:
            raise ValueError(
                "The flag --filter_exclude_node_names is valid only when the flag -f "
                "or --tensor_filter is used."
            )
        if parsed.tensor_filter:
            try:
                passes = self.get_tensor_filter(parsed.tensor_filter)
            except ValueError:
                whole = readable.error(
                    f'There is no tensor filter named "{parsed.tensor_filter}".'
                )
                _add_main_menu(whole, node_name=None, enable_list_tensors=False)
                return whole
            found = self._debug_dump.find(passes, exclude_node_names=excluded)
        else:
            found = self._debug_dump.dumped_tensor_data
        for pattern, about in (
            (parsed.node_name_filter, lambda d: d.node_name),
            (parsed.op_type_filter, self._op_type),
        ):
            if pattern:
                found = [d for d in found if re.match(pattern, about(d))]
        found = self._sort_dump_data_by(found, parsed.sort_by, parsed.reverse)
        whole = self._table(parsed, found)
        _add_main_menu(whole, node_name=None, enable_list_tensors=False)
        return whole

    def _op_type(self, datum: Any) -> str:
        return self._debug_dump.node_op_type(datum.node_name)

    def _table(self, parsed: Any, found: list) -> RichTextLines:
        widths = self._measure_tensor_list_column_widths(found)
        lines: list = [""]
        if parsed.op_type_filter:
            lines.append(f'Op type regex filter: "{parsed.op_type_filter}"')
        if parsed.node_name_filter:
            lines.append(f'Node name regex filter: "{parsed.node_name_filter}"')
        passing = f' passing filter "{parsed.tensor_filter}"'
        count = f"{len(found)} dumped tensor(s)"
        lines[0] = f"{count}{passing if parsed.tensor_filter else ''}:"
        lines.append("")
        whole = RichTextLines(lines)
        whole.extend(self._tensor_list_column_heads(parsed, *widths))
        for datum in found:
            size = readable.bytes_to_readable_str(datum.dump_size_bytes)
            row = RL(f"[{self._ms(datum):.3f}]".ljust(widths[0]))
            row += size.ljust(widths[1]) + self._op_type(datum).ljust(widths[2])
            link = MenuItem("", f"pt {datum.tensor_name}")
            whole.append_rich_line(row + RL(datum.tensor_name, link))
        return whole

    def _ms(self, datum: Any) -> float:
        return (datum.timestamp - self._debug_dump.t0) / 1000.0

    def _measure_tensor_list_column_widths(self, data: list) -> tuple[int, int, int]:
        """The widths of the columns of time, size and op type."""
        size = readable.bytes_to_readable_str
        times = [f"[{self._ms(d):.3f}]" for d in data]
        sizes = [size(d.dump_size_bytes) for d in data]
        kinds = [self._op_type(d) for d in data]
        heads = (self._TIMESTAMP_COLUMN_HEAD, self._DUMP_SIZE_COLUMN_HEAD,
                 self._OP_TYPE_COLUMN_HEAD)  # fmt: skip
        widths = [
            max(map(len, [head, *column])) + 1
            for head, column in zip(heads, (times, sizes, kinds))
        ]
        return widths[0], widths[1], widths[2]

    def _sort_dump_data_by(self, data: list, sort_by: str, reverse: bool) -> list:
        """Dumps in another order.

        Raises:
            ValueError: there is no such order.
        """
        keys = {
            arguments.SORT_TENSORS_BY_TIMESTAMP: lambda d: d.timestamp,
            arguments.SORT_TENSORS_BY_DUMP_SIZE: lambda d: d.dump_size_bytes,
            arguments.SORT_TENSORS_BY_OP_TYPE: self._op_type,
            arguments.SORT_TENSORS_BY_TENSOR_NAME: lambda d: d.tensor_name,
        }
        if sort_by not in keys:
            raise ValueError(f"Unsupported key to sort tensors by: {sort_by}")
        return sorted(data, reverse=reverse, key=keys[sort_by])

    def _tensor_list_column_heads(
        self, parsed: Any, max_timestamp_width: int, max_dump_size_width: int,
        max_op_type_width: int,
    ) -> RichTextLines:  # fmt: skip
        """The heads of the columns, which sort by them."""
        base = "list_tensors"
        for flag, value in (("-f", parsed.tensor_filter), ("-t", parsed.op_type_filter),
                            ("-n", parsed.node_name_filter)):  # fmt: skip
            base += f" {flag} {value}" if value else ""
        columns = (
            (self._TIMESTAMP_COLUMN_HEAD, arguments.SORT_TENSORS_BY_TIMESTAMP,
             max_timestamp_width),
            (self._DUMP_SIZE_COLUMN_HEAD, arguments.SORT_TENSORS_BY_DUMP_SIZE,
             max_dump_size_width),
            (self._OP_TYPE_COLUMN_HEAD, arguments.SORT_TENSORS_BY_OP_TYPE,
             max_op_type_width),
            (self._TENSOR_NAME_COLUMN_HEAD, arguments.SORT_TENSORS_BY_TENSOR_NAME, 0),
        )  # fmt: skip
        row = RL("")
        for head, key, width in columns:
            command = f"{base} -s {key}"
            if parsed.sort_by == key and not parsed.reverse:
                command += " -r"
            row += RL(head, [MenuItem("", command), "bold"])
            row += " " * (width - len(head))
        return rich_text_lines_from_rich_line_list([row])
