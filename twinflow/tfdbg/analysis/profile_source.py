"""A source file with the time of each line."""

import os
from typing import Any

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
_BAR = 10  # columns


def annotated(parsed: Any, data: list) -> RichTextLines:
    """The lines of a file, with bars, times and counts in front.

    Args:
        parsed: the arguments of `print_source`. data: list of ProfileDatum.
    """
    costs = sources.annotate_source_against_profile(
        data, os.path.expanduser(parsed.source_file_path),
        node_name_filter=parsed.node_name_filter, op_type_filter=parsed.op_type_filter,
    )  # fmt: skip
    if not costs:
        return RichTextLines([
            f"The source file {parsed.source_file_path} does not contain any profile "
            "information for the previous Session run under the following filters:",
            f"  --device_name_filter: {parsed.device_name_filter}",
            f"  --node_name_filter: {parsed.node_name_filter}",
            f"  --op_type_filter: {parsed.op_type_filter}",
        ])  # fmt: skip
    total = {line: _cost(cost, parsed.cost_type) for line, cost in costs.items()}
    largest = max(total.values())
    lines, _ = sources.load_source(parsed.source_file_path)
    counts = {n: f"{c.node_count}({c.node_exec_count})" for n, c in costs.items()}
    times = {
        n: readable.time_to_readable_str(t, force_time_unit=parsed.time_unit)
        for n, t in total.items()
    }
    widths = [
        _BAR + 3,
        max(map(len, [*times.values(), parsed.cost_type])) + 1,
        max(map(len, [*counts.values(), "#nodes(#execs)"])) + 1,
        max(len(str(len(lines))) + 2, len("lineno")) + 1,
    ]
    heads = (parsed.cost_type, "", "#nodes(#execs)", "lineno")
    head = RL("")
    for i in (0, 2, 3):
        head += RL(heads[i].ljust(sum(widths[:2]) if i == 0 else widths[i]), "bold")
    head += RL("source", "bold")
    shown: list = [head]
    for number, text in enumerate(lines, 1):
        shown.append(_line(parsed, number, text, total, largest, times, counts, widths))
    notes = {}
    if parsed.init_line:
        notes[INIT_SCROLL_POS_KEY] = parsed.init_line + 1  # below the head
    return rich_text_lines_from_rich_line_list(shown, annotations=notes)


def _line(
    parsed: Any, number: int, text: str, total: dict, largest: int, times: dict,
    counts: dict, widths: list[int],
) -> RichLine:  # fmt: skip
    line = RL("")
    if number in total:
        line += _bar(total[number], largest, widths[0])
        command = (
            f"lp --file_path_filter {parsed.source_file_path} "
            f"--min_lineno {number} --max_lineno {number + 1}"
        )
        for name in ("device_name_filter", "node_name_filter", "op_type_filter"):
            value = getattr(parsed, name)
            command += f" --{name} {value}" if value else ""
        line += RL(times[number], ["cyan", MenuItem("", command)])
        line += " " * (widths[1] - len(times[number]))
        line += RL(counts[number], "cyan")
        line += " " * (widths[2] - len(counts[number]))
    else:
        line += " " * sum(widths[:3])
    line += RL(f"L{number}".ljust(widths[3]), "yellow")
    return line + text


def _bar(cost: int, largest: int, width: int) -> RichLine:
    share = round(_BAR * cost / largest) if largest else 0
    bar = RL("[") + RL("|" * share, "cyan") + " " * (_BAR - share) + "]"
    return bar + " " * (width - len(bar))


def _cost(aggregated: Any, cost_type: str) -> int:
    """The time of a line.

    Raises:
        ValueError: there is no such kind of time.
    """
    if cost_type == "exec_time":
        return aggregated.total_exec_time
    if cost_type == "op_time":
        return aggregated.total_op_time
    raise ValueError(f"Unsupported cost type: {cost_type}")
