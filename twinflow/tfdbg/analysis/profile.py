"""The commands that look at the times of a run."""

import re
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.analysis.profile_arguments import (
    SORT_OPS_BY_EXEC_TIME,
    SORT_OPS_BY_LINE,
    SORT_OPS_BY_OP_NAME,
    SORT_OPS_BY_OP_TIME,
    SORT_OPS_BY_OP_TYPE,
    SORT_OPS_BY_START_TIME,
    list_profile_parser,
    print_source_parser,
)
from twinflow.tfdbg.analysis.profile_source import annotated
from twinflow.tfdbg.dumps import sources
from twinflow.tfdbg.dumps.profiling import ProfileDatum
from twinflow.tfdbg.shell import intervals, ui_factory
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine
_INNER = ("_SINK", "_SOURCE")


class ProfileDataTableView:
    """The times of nodes as cells.

    Args:
        profile_datum_list: list of ProfileDatum. time_unit: "us", "ms" or "s".
    """

    def __init__(
        self, profile_datum_list: list, time_unit: str = readable.TIME_UNIT_US
    ) -> None:
        self._data = profile_datum_list
        self._unit = time_unit
        self._columns = [
            ("Node", SORT_OPS_BY_OP_NAME),
            ("Op Type", SORT_OPS_BY_OP_TYPE),
            ("Start Time (us)", SORT_OPS_BY_START_TIME),
            (f"Op Time ({time_unit})", SORT_OPS_BY_OP_TIME),
            (f"Exec Time ({time_unit})", SORT_OPS_BY_EXEC_TIME),
            ("Filename:Lineno(function)", SORT_OPS_BY_LINE),
        ]

    def value(
        self, row: int, col: int, device_name_filter: str | None = None,
        node_name_filter: str | None = None, op_type_filter: str | None = None,
    ) -> RichLine:  # fmt: skip
        """A cell.

        Raises:
            IndexError: there is no such column.
        """
        datum = self._data[row]
        time = readable.time_to_readable_str
        if col == 5:
            command = "ps"
            for flag, value in (
                ("device_name_filter", device_name_filter),
                ("node_name_filter", node_name_filter),
                ("op_type_filter", op_type_filter),
            ):
                command += f" --{flag} {value}" if value else ""
            command += f" {datum.file_path} --init_line {datum.line_number}"
            return RL(datum.file_line_func, MenuItem("", command))
        cells = (
            datum.node_exec_stats.node_name, datum.op_type, str(datum.start_time),
            time(datum.op_time, force_time_unit=self._unit),
            time(datum.exec_time, force_time_unit=self._unit),
        )  # fmt: skip
        if not 0 <= col < len(cells):
            raise IndexError(f"Invalid column index {col}.")
        return RL(cells[col])

    def row_count(self) -> int:
        return len(self._data)

    def column_count(self) -> int:
        return len(self._columns)

    def column_names(self) -> list[str]:
        return [name for name, _ in self._columns]

    def column_sort_id(self, col: int) -> str:
        return self._columns[col][1]


def _list_profile_filter(
    profile_datum: ProfileDatum, node_name_regex: Any, file_path_regex: Any,
    op_type_regex: Any, op_time_interval: Any, exec_time_interval: Any,
    min_lineno: int = -1, max_lineno: int = -1,
) -> bool:  # fmt: skip
    """Whether a ProfileDatum passes all filters that are not None."""
    datum = profile_datum
    for pattern, text in (
        (node_name_regex, datum.node_exec_stats.node_name),
        (file_path_regex, datum.file_path), (op_type_regex, datum.op_type),
    ):  # fmt: skip
        if pattern and not pattern.match(text or ""):
            return False
    for interval, time in (
        (op_time_interval, datum.op_time), (exec_time_interval, datum.exec_time),
    ):  # fmt: skip
        if interval and not interval.contains(time):
            return False
    low = min_lineno > 0 and (datum.line_number or 0) < min_lineno
    return not low and not (max_lineno > 0 and (datum.line_number or 0) >= max_lineno)


def _list_profile_sort_key(profile_datum: ProfileDatum, sort_by: str) -> Any:
    datum = profile_datum
    keys = {
        SORT_OPS_BY_OP_NAME: datum.node_exec_stats.node_name,
        SORT_OPS_BY_OP_TYPE: datum.op_type,
        SORT_OPS_BY_LINE: datum.file_line_func,
        SORT_OPS_BY_OP_TIME: datum.op_time,
        SORT_OPS_BY_EXEC_TIME: datum.exec_time,
    }
    return keys.get(sort_by, datum.node_exec_stats.all_start_micros)


class ProfileAnalyzer:
    """Answers commands about times.

    Args:
        graph: the tf.Graph. run_metadata: the RunMetadata of a run with FULL_TRACE.
    Raises:
        ValueError: there is no RunMetadata.
    """

    def __init__(self, graph: Any, run_metadata: Any) -> None:
        if not run_metadata:
            raise ValueError("No RunMetadata passed for profile analysis.")
        self._graph = graph
        self._run_metadata = run_metadata
        self._arg_parsers = {
            "list_profile": list_profile_parser(),
            "print_source": print_source_parser(),
        }

    def list_profile(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `list_profile`."""
        screen_cols = (screen_info or {}).get("cols", 80)
        parsed = self._arg_parsers["list_profile"].parse_args(args)
        times = [
            intervals.parse_time_interval(text) if text else None
            for text in (parsed.op_time, parsed.execution_time)
        ]
        patterns = [
            re.compile(text) if text else None
            for text in (parsed.node_name_filter, parsed.file_path_filter,
                         parsed.op_type_filter)
        ]  # fmt: skip
        filters: list[Any] = [*patterns, *times, parsed.min_lineno, parsed.max_lineno]
        whole = RichTextLines([""])
        devices = list(self._run_metadata.step_stats.dev_stats)
        for index, stats in enumerate(devices, 1):
            wanted = parsed.device_name_filter
            if wanted and not re.match(wanted, stats.device):
                continue
            data = [
                d for d in self._data_of(stats)
                if _list_profile_filter(d, *filters)
            ]  # fmt: skip
            data.sort(key=lambda d: _list_profile_sort_key(d, parsed.sort_by),
                      reverse=parsed.reverse)  # fmt: skip
            title = f"Device {index} of {len(devices)}: {stats.device}"
            whole.extend(self._table(title, data, parsed, screen_cols))
        return whole

    def _data_of(self, stats: Any) -> list[ProfileDatum]:
        """The nodes of a device that somebody's line made."""
        found = []
        places = {op.name: op for op in self._graph.get_operations()}
        for node in stats.node_stats:
            if node.node_name in _INNER:
                continue
            op = places.get(node.node_name)
            path, line, function, kind = "", 0, "", ""
            if op is not None:
                kind = op.type
                for frame in reversed(op.traceback):
                    path, line, function = frame[0], frame[1], frame[2]
                    if not _of_library(path):
                        break
            found.append(ProfileDatum(stats.device, node, path, line, function, kind))
        return found

    def _table(
        self, title: str, data: list, parsed: Any, screen_cols: int
    ) -> RichTextLines:
        view = ProfileDataTableView(data, time_unit=parsed.time_unit)
        count = view.column_count()
        filters = (parsed.device_name_filter, parsed.node_name_filter,
                   parsed.op_type_filter)  # fmt: skip
        cells = [[view.value(r, c, *filters) for c in range(count)]
                 for r in range(view.row_count())]  # fmt: skip
        time = readable.time_to_readable_str
        totals = [
            RL("Device Total"), RL(""), RL(""),
            *(RL(time(sum(t), force_time_unit=parsed.time_unit)) for t in
              ([d.op_time for d in data], [d.exec_time for d in data])),
            RL(""),
        ]  # fmt: skip
        widths = [
            max(len(head), *(len(row[c]) for row in [totals, *cells])) + 1
            for c, head in enumerate(view.column_names())
        ]
        heads = RL("")
        for c, head in enumerate(view.column_names()):
            key = view.column_sort_id(c)
            flag = " -r" if parsed.sort_by == key and not parsed.reverse else ""
            link = MenuItem("", f"list_profile -s {key}{flag}")
            heads += RL(head, [link, "bold"])
            heads += " " * (widths[c] - len(head))
        lines: list[RL | str] = [RL(title), RL(""), heads]
        lines += [_row(row, widths) for row in cells]
        lines += [RL(""), _row(totals, widths), RL("")]
        return rich_text_lines_from_rich_line_list(lines)

    def print_source(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `print_source`: a file with the time of each line."""
        parsed = self._arg_parsers["print_source"].parse_args(args)
        wanted = re.compile(parsed.device_name_filter or "")
        data = [
            d for stats in self._run_metadata.step_stats.dev_stats
            if wanted.match(stats.device) for d in self._data_of(stats)
        ]  # fmt: skip
        return annotated(parsed, data)

    def get_help(self, handler_name: str) -> str:
        """The help of a command."""
        return self._arg_parsers[handler_name].format_help()


def _of_library(path: str) -> bool:
    try:
        return sources.guess_is_tensorflow_py_library(path)
    except ValueError:
        return False


def _row(cells: list, widths: list[int]) -> RichLine:
    line = RL("")
    for cell, width in zip(cells, widths):
        line += cell
        line += " " * (width - len(cell))
    return line


def create_profiler_ui(
    graph: Any,
    run_metadata: Any,
    ui_type: str = "curses",
    on_ui_exit: Callable | None = None,
    config: Any = None,
) -> Any:
    """An interface with the commands about times.

    Args:
        graph: the tf.Graph. run_metadata: the RunMetadata of a run with FULL_TRACE.
        ui_type: "curses" or "readline". on_ui_exit: called when it ends.
        config: a CLIConfig, or None.
    """
    analyzer = ProfileAnalyzer(graph, run_metadata)
    ui = ui_factory.get_ui(ui_type, on_ui_exit=on_ui_exit, config=config)
    for command, handler, alias in (
        ("list_profile", analyzer.list_profile, "lp"),
        ("print_source", analyzer.print_source, "ps"),
    ):
        help_text = analyzer.get_help(command)
        ui.register_command_handler(command, handler, help_text, prefix_aliases=[alias])
    return ui
