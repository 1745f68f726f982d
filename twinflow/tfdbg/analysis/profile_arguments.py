"""The arguments of the commands that look at times."""

import argparse
from typing import Any

from twinflow.tfdbg.text import readable

SORT_OPS_BY_OP_NAME = "node"
SORT_OPS_BY_OP_TYPE = "op_type"
SORT_OPS_BY_OP_TIME = "op_time"
SORT_OPS_BY_EXEC_TIME = "exec_time"
SORT_OPS_BY_START_TIME = "start_time"
SORT_OPS_BY_LINE = "line"
_KEYS = (SORT_OPS_BY_OP_NAME, SORT_OPS_BY_OP_TYPE, SORT_OPS_BY_START_TIME,
         SORT_OPS_BY_OP_TIME, SORT_OPS_BY_EXEC_TIME, SORT_OPS_BY_LINE)  # fmt: skip
_INTERVALS = "Supported units are s, ms and us (default). E.g. -e >100s, -e <100, -e "
_INTERVALS += "[100us,1000ms]"


def _add_filters(p: Any, start: str) -> None:
    for short, name, what in (("-d", "device_name_filter", "device name"),
                              ("-n", "node_name_filter", "node name"),
                              ("-t", "op_type_filter", "op type")):  # fmt: skip
        p.add_argument(
            short, f"--{name}", dest=name, type=str, default="",
            help=f"{start} {what} by regex.",
        )  # fmt: skip


def _add_time_unit(p: Any) -> None:
    p.add_argument(
        "--time_unit", dest="time_unit", type=str, default=readable.TIME_UNIT_US,
        choices=readable.TIME_UNITS,
        help=f"Time unit ({' | '.join(readable.TIME_UNITS)})",
    )  # fmt: skip


def list_profile_parser() -> argparse.ArgumentParser:
    """The arguments of `list_profile`."""
    p = argparse.ArgumentParser(
        description="List nodes profile information.", usage=argparse.SUPPRESS
    )
    _add_filters(p, "filter")
    p.add_argument(
        "-f", "--file_path_filter", dest="file_path_filter", type=str, default="",
        help="filter by file name at the top position of node's creation stack that "
        "does not belong to TensorFlow library.",
    )  # fmt: skip
    for name, text in (
        ("min_lineno", "(Inclusive) lower"), ("max_lineno", "(Exclusive) upper"),
    ):  # fmt: skip
        p.add_argument(
            f"--{name}", dest=name, type=int, default=-1,
            help=f"{text} bound for 1-based line number in source file. If <= 0, has "
            "no effect.",
        )  # fmt: skip
    p.add_argument(
        "-e", "--execution_time", dest="execution_time", type=str, default="",
        help="Filter by execution time interval (includes compute plus pre- and post "
        "-processing time). " + _INTERVALS,
    )  # fmt: skip
    p.add_argument(
        "-o", "--op_time", dest="op_time", type=str, default="",
        help="Filter by op time interval (only includes compute time). " + _INTERVALS,
    )  # fmt: skip
    p.add_argument(
        "-s", "--sort_by", dest="sort_by", type=str, default=SORT_OPS_BY_START_TIME,
        help=f"the field to sort the data by: ({' | '.join(_KEYS)})",
    )  # fmt: skip
    p.add_argument(
        "-r", "--reverse", dest="reverse", action="store_true",
        help="sort the data in reverse (descending) order",
    )  # fmt: skip
    _add_time_unit(p)
    return p


def print_source_parser() -> argparse.ArgumentParser:
    """The arguments of `print_source`."""
    p = argparse.ArgumentParser(
        description="Print a Python source file with line-level profile information",
        usage=argparse.SUPPRESS,
    )
    p.add_argument("source_file_path", type=str, help="Path to the source_file_path")
    p.add_argument(
        "--cost_type", type=str, choices=["exec_time", "op_time"],
        default="exec_time", help="Type of cost to display",
    )  # fmt: skip
    _add_time_unit(p)
    _add_filters(p, "Filter")
    p.add_argument(
        "--init_line", dest="init_line", type=int, default=0,
        help="The 1-based line number to scroll to initially.",
    )  # fmt: skip
    return p
