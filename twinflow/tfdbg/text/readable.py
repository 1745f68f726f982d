"""Sizes, times, errors, tensors and recommended commands as text."""

from typing import Any

import numpy as np

from twinflow.base import files
from twinflow.tfdbg.shell import parsing
from twinflow.tfdbg.text import tensors
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine

DEFAULT_NDARRAY_DISPLAY_THRESHOLD = 2000

COLOR_BLACK = "black"
COLOR_BLUE = "blue"
COLOR_CYAN = "cyan"
COLOR_GRAY = "gray"
COLOR_GREEN = "green"
COLOR_MAGENTA = "magenta"
COLOR_RED = "red"
COLOR_WHITE = "white"
COLOR_YELLOW = "yellow"

TIME_UNIT_US = "us"
TIME_UNIT_MS = "ms"
TIME_UNIT_S = "s"
TIME_UNITS = [TIME_UNIT_US, TIME_UNIT_MS, TIME_UNIT_S]


def bytes_to_readable_str(
    num_bytes: int | None, include_b: bool = False
) -> str:  # fmt: skip
    """A number of bytes as 12, 1.50k, 2.00M or 3.00G, with a B behind it if wanted."""
    if num_bytes is None:
        return str(num_bytes)
    text = str(num_bytes)
    for power, unit in enumerate("kMG", 1):
        if num_bytes >= 1 << 10 * power:
            text = f"{num_bytes / (1 << 10 * power):.2f}{unit}"
    return text + ("B" if include_b else "")


def time_to_readable_str(value_us: float, force_time_unit: str | None = None) -> str:
    """Microseconds as text with a unit.

    Args:
        value_us: microseconds. force_time_unit: "us", "ms", "s", or None for the one
            that fits.
    Raises:
        ValueError: another unit.
    """
    if not value_us:
        return "0"
    if force_time_unit:
        if force_time_unit not in TIME_UNITS:
            raise ValueError(f"Invalid time unit: {force_time_unit}")
        scale = 1000.0 ** TIME_UNITS.index(force_time_unit)
        return f"{value_us / scale:.10g}{force_time_unit}"
    place = 2 if value_us >= 1e6 else 1 if value_us >= 1e3 else 0
    return f"{value_us / 1000.0**place:.3g}{TIME_UNITS[place]}"


def parse_ranges_highlight(
    ranges_string: str | None,
) -> tensors.HighlightOptions | None:
    """Marks for the elements within ranges, such as "[[-inf, -1], [1, inf]]"."""
    ranges = parsing.parse_ranges(ranges_string) if ranges_string else None
    if not ranges:
        return None

    def within(x: np.ndarray) -> np.ndarray:
        inside = [(x >= low) & (x <= high) for low, high in ranges]
        return np.logical_or.reduce(inside)

    return tensors.HighlightOptions(within, description=ranges_string)


def numpy_printoptions_from_screen_info(screen_info: dict | None) -> dict:
    if screen_info and "cols" in screen_info:
        return {"linewidth": screen_info["cols"]}
    return {}


def format_tensor(
    tensor: Any,
    tensor_name: str,
    np_printoptions: dict,
    print_all: bool = False,
    tensor_slicing: str | None = None,
    highlight_options: tensors.HighlightOptions | None = None,
    include_numeric_summary: bool = False,
    write_path: str | None = None,
) -> RichTextLines:
    """The lines of a tensor, or of a part of it, with its dtype and shape.

    Args:
        tensor: ndarray or another value. tensor_name: str.
        np_printoptions: of np.set_printoptions. print_all: leave nothing out.
        tensor_slicing: such as "[:, 1]". highlight_options: what to mark.
        include_numeric_summary: bool. write_path: where np.save puts the value.
    """
    value, label = tensor, tensor_name
    if tensor_slicing:
        value = parsing.evaluate_tensor_slice(tensor, tensor_slicing)
        label += tensor_slicing
    aside = _saved(value, write_path) if write_path else None
    limit = np.size(value) if print_all else DEFAULT_NDARRAY_DISPLAY_THRESHOLD
    return tensors.format_tensor(
        value, label, include_metadata=True, auxiliary_message=aside,
        include_numeric_summary=include_numeric_summary,
        np_printoptions={**np_printoptions, "threshold": limit},
        highlight_options=highlight_options,
    )  # fmt: skip


def _saved(value: Any, path: str) -> RichTextLines:
    """Save an array, and say so."""
    with files.Open(path, "wb") as f:
        np.save(f, value)
    size = bytes_to_readable_str(files.Stat(path).length)
    line = RL("Saved value to: ") + RL(path, "bold") + f" ({size}B)"
    return rich_text_lines_from_rich_line_list([line, ""])


def error(msg: str) -> RichTextLines:
    """The lines of an error message."""
    return rich_text_lines_from_rich_line_list([RL("ERROR: " + msg, COLOR_RED)])


def _recommend_command(
    command: str, description: str, indent: int = 2, create_link: bool = False
) -> RichTextLines:
    """A command and what it does, on two lines.

    Args:
        create_link: whether the command can be clicked.
    """
    attributes = [MenuItem("", command), "bold"] if create_link else "bold"
    line = RL(" " * indent) + RL(command, attributes) + ":"
    return rich_text_lines_from_rich_line_list([line, " " * (indent + 2) + description])


def get_tfdbg_logo() -> RichTextLines:
    """The name of the debugger in large letters."""
    return RichTextLines([
        "",
        "TTTTTT FFFF DDD  BBBB   GGG ",
        "  TT   F    D  D B   B G    ",
        "  TT   FFF  D  D BBBB  G  GG",
        "  TT   F    D  D B   B G   G",
        "  TT   F    DDD  BBBB   GGG ",
        "",
    ])  # fmt: skip
