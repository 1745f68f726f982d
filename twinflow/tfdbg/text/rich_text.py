"""Lines of text with font attributes and annotations.

A font segment is (start, end, attributes) within one line; attributes are a name such
as "red" or "bold", an object, or a list of both.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from twinflow.base import files, versions

REGEX_MATCH_LINES_KEY = "regex_match_lines"
INIT_SCROLL_POS_KEY = "init_scroll_pos"
MAIN_MENU_KEY = "mm:"

Segments = list[tuple[int, int, Any]]


def shifted(segments: Iterable, by: int) -> Segments:
    """Font segments moved to the right."""
    return [(start + by, end + by, attribute) for start, end, attribute in segments]


class RichLine:
    """One line, put together by `+` from pieces with different attributes.

    Args:
        text: str. font_attr: the attributes of all of it, or None.
    """

    def __init__(self, text: str = "", font_attr: Any = None) -> None:
        self.text = text
        self.font_attr_segs: Segments = [(0, len(text), font_attr)] if font_attr else []

    def __add__(self, other: "str | RichLine") -> "RichLine":
        if not isinstance(other, str | RichLine):
            raise TypeError(f"{other!r} cannot be concatenated with a RichLine")
        piece = RichLine(other) if isinstance(other, str) else other
        whole = RichLine(self.text + piece.text)
        moved = shifted(piece.font_attr_segs, len(self.text))
        whole.font_attr_segs = [*self.font_attr_segs, *moved]
        return whole

    def __len__(self) -> int:
        return len(self.text)


class RichTextLines:
    """Lines of text for a screen.

    Args:
        lines: list of str, or one str.
        font_attr_segs: {line: font segments}.
        annotations: {line, or another key: any object}.
    Raises:
        ValueError: `lines` is something else.
    """

    def __init__(
        self,
        lines: list[str] | str,
        font_attr_segs: dict | None = None,
        annotations: dict | None = None,
    ) -> None:
        if isinstance(lines, str):
            lines = [lines]
        elif not isinstance(lines, list):
            raise ValueError(f"Unexpected type in lines: {type(lines)}")
        self._lines = lines
        self._segments = font_attr_segs or {}
        self._annotations = annotations or {}

    @property
    def lines(self) -> list[str]:
        return self._lines

    @property
    def font_attr_segs(self) -> dict:
        return self._segments

    @property
    def annotations(self) -> dict:
        return self._annotations

    def num_lines(self) -> int:
        return len(self._lines)

    def slice(self, begin: int, end: int) -> "RichTextLines":
        """The lines from `begin` up to `end`, which is left out.

        Raises:
            ValueError: one of them is negative.
        """
        if min(begin, end) < 0:
            raise ValueError("Encountered negative index.")
        inside = range(begin, end)
        segments = {k - begin: s for k, s in self._segments.items() if k in inside}
        notes = {
            k - begin if isinstance(k, int) else k: note
            for k, note in self._annotations.items()
            if not isinstance(k, int) or k in inside
        }
        return RichTextLines(self._lines[begin:end], segments, notes)

    def extend(self, other: "RichTextLines") -> None:
        """Append the lines of another."""
        here = self.num_lines()
        self._lines.extend(other.lines)
        self._segments.update(_moved(other.font_attr_segs, here))
        self._annotations.update(_moved(other.annotations, here))

    def _extend_before(self, other: "RichTextLines") -> None:
        """Put the lines of another in front; its own notes win over these."""
        by = other.num_lines()
        self._lines = [*other.lines, *self._lines]
        self._segments = {**_moved(self._segments, by), **other.font_attr_segs}
        self._annotations = {**_moved(self._annotations, by), **other.annotations}

    def append(self, line: str, font_attr_segs: Segments | None = None) -> None:
        if font_attr_segs:
            self._segments[self.num_lines()] = font_attr_segs
        self._lines.append(line)

    def append_rich_line(self, rich_line: RichLine) -> None:
        self.append(rich_line.text, rich_line.font_attr_segs)

    def prepend(self, line: str, font_attr_segs: Segments | None = None) -> None:
        segments = {0: font_attr_segs} if font_attr_segs else None
        self._extend_before(RichTextLines(line, segments))

    def write_to_file(self, file_path: str) -> None:
        """Write the lines, without attributes."""
        with files.GFile(file_path, "w") as f:
            f.write("".join(line + "\n" for line in self._lines))


def _moved(by_line: dict, by: int) -> dict:
    """What belongs to lines, further down; other keys stay."""
    return {k + by if isinstance(k, int) else k: x for k, x in by_line.items()}


def rich_text_lines_from_rich_line_list(
    rich_text_list: list[RichLine | str], annotations: dict | None = None
) -> RichTextLines:
    """RichTextLines made from lines, plain or rich."""
    whole = RichTextLines([], annotations=annotations)
    for line in rich_text_list:
        if isinstance(line, RichLine):
            whole.append_rich_line(line)
        else:
            whole.append(line)
    return whole


def get_tensorflow_version_lines(
    include_dependency_versions: bool = False,
) -> RichTextLines:
    """The version of TensorFlow whose interface this is, and NumPy's."""
    whole = RichTextLines([f"TensorFlow version: {versions.VERSION}", ""])
    if include_dependency_versions:
        for line in ["Dependency version(s):", f"  numpy: {np.__version__}", ""]:
            whole.append(line)
    return whole
