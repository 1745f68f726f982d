"""RichTextLines changed for a screen: matches of a search, lines cut to its width."""

import copy
import re
from typing import Any

from twinflow.tfdbg.text.rich_text import REGEX_MATCH_LINES_KEY, RichTextLines


def regex_find(
    orig_screen_output: RichTextLines, regex: str, font_attr: Any
) -> RichTextLines:
    """A copy in which the matches of a regular expression have an attribute.

    The numbers of the lines with a match are in its annotation "regex_match_lines".

    Raises:
        ValueError: `regex` is no regular expression.
    """
    try:
        pattern = re.compile(regex)
    except re.error as error:
        raise ValueError(f'Invalid regular expression: "{regex}"') from error
    segments = copy.deepcopy(orig_screen_output.font_attr_segs)
    hits = []
    for i, line in enumerate(orig_screen_output.lines):
        found = [(m.start(), m.end(), font_attr) for m in pattern.finditer(line)]
        if found:
            both = [*segments.get(i, ()), *found]
            segments[i] = sorted(both, key=lambda segment: segment[0])
            hits.append(i)
    notes = {**orig_screen_output.annotations, REGEX_MATCH_LINES_KEY: hits}
    return RichTextLines(list(orig_screen_output.lines), segments, notes)


def wrap_rich_text_lines(
    inp: RichTextLines, cols: int
) -> tuple[RichTextLines, list[int]]:
    """Lines cut so that none is longer than a number of columns.

    Returns:
        the new RichTextLines, and where each line begins in it: [0, 1, 3] where the
        second of three lines became two.
    Raises:
        ValueError: one of them has another type.
    """
    if not isinstance(inp, RichTextLines):
        raise ValueError("Invalid type of input screen_output")
    if not isinstance(cols, int):
        raise ValueError("Invalid type of input cols")
    others = {k: x for k, x in inp.annotations.items() if not isinstance(k, int)}
    whole, begins = RichTextLines([], annotations=others), []
    for i, line in enumerate(inp.lines):
        begins.append(whole.num_lines())
        if i in inp.annotations:
            whole.annotations[whole.num_lines()] = inp.annotations[i]
        segments = inp.font_attr_segs.get(i, [])
        for start in range(0, max(len(line), 1), cols):
            whole.append(line[start : start + cols], _within(segments, start, cols))
    return whole, begins


def _within(segments: list, start: int, cols: int) -> list:
    """The parts of font segments that fall into columns start to start + cols."""
    cut = [(max(a - start, 0), min(b - start, cols), x) for a, b, x in segments]
    return [segment for segment in cut if segment[0] < segment[1]]
