"""What the curses interface shows: an output, scrolled and searched, and its bars.

The rows of the screen: the title, the bar of the navigation, a menu where the output
has one, the output, a line on where it is scrolled to, and the box for commands.
"""

from typing import Any

from twinflow.tfdbg.shell import scroll_bar
from twinflow.tfdbg.shell.curses_screen import CursesScreen, Rectangle
from twinflow.tfdbg.shell.navigation import CursesNavigationHistory
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.layout import regex_find, wrap_rich_text_lines
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    INIT_SCROLL_POS_KEY,
    MAIN_MENU_KEY,
    REGEX_MATCH_LINES_KEY,
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)
from twinflow.tfdbg.text.tensors import BEGIN_INDICES_KEY, OMITTED_INDICES_KEY

_MAX_OUTPUT_LINES = 10000


def command_at(mouse_x: int, attr_segs: list) -> str | None:
    """The command of the menu item in a column of a line.

    Args:
        mouse_x: the column. attr_segs: the line's font segments.
    """
    for start, end, fonts in attr_segs:
        if start <= mouse_x < end:
            for font in fonts if isinstance(fonts, list) else [fonts]:
                if isinstance(font, MenuItem):
                    return font.content
    return None


class CursesOutput(CursesScreen):
    """The part of the interface that shows."""

    _NAVIGATION_FORWARD_COMMAND = "next"
    _NAVIGATION_BACK_COMMAND = "prev"
    _SEARCH_HIGHLIGHT_FONT_ATTR = "black_on_white"
    _ARRAY_INDICES_COLOR_PAIR = "black_on_white"
    _ERROR_TOAST_COLOR_PAIR = "red_on_white"
    _INFO_TOAST_COLOR_PAIR = "blue_on_white"
    _STATUS_BAR_COLOR_PAIR = "black_on_white"
    _UI_WAIT_COLOR_PAIR = "magenta_on_white"
    _NAVIGATION_WARNING_COLOR_PAIR = "red_on_white"
    _UI_WAIT_MESSAGE = "Processing..."

    def _init_output(self) -> None:
        """The state of an interface that shows nothing yet."""
        self.max_output_lines = _MAX_OUTPUT_LINES
        self._nav_history = CursesNavigationHistory(10)
        self._output_pad: Any = None
        self._output_pad_row = self._output_pad_height = 0
        self._output_array_pointer_indices: dict | None = None
        self._curr_unwrapped_output: RichTextLines | None = None
        self._curr_wrapped_output: RichTextLines | None = None
        self._curr_search_regex: str | None = None
        self._unwrapped_regex_match_lines: list[int] = []
        self._scroll_info = ""
        self._nav_bar: RichTextLines | None = None
        self._main_menu: RichTextLines | None = None
        self._nav_bar_pad: Any = None
        self._main_menu_pad: Any = None
        self._scroll_bar: scroll_bar.ScrollBar | None = None

    def _init_layout(self) -> None:
        """Say which rows of the screen are for what."""
        self._title_row, self._nav_bar_row, self._output_top_row = 0, 1, 2
        box = self._command_textbox_height
        self._output_scroll_row = max(self._max_y - 1 - box, 0)
        self._output_num_rows = max(self._output_scroll_row - self._output_top_row, 1)
        self._candidates_top_row = max(self._output_scroll_row - 4, 0)
        self._candidates_bottom_row = max(self._output_scroll_row - 1, 0)
        self._candidates_max_lines = self._output_num_rows // 2
        self._output_pad_screen_width = max(self._max_x - 2, 1)
        self._output_pad_screen_location = Rectangle(
            top=self._output_top_row, left=0,
            bottom=self._output_top_row + self._output_num_rows,
            right=self._output_pad_screen_width,
        )  # fmt: skip

    def _top_row(self) -> int:
        """The first row of the output, which a menu moves down."""
        return self._output_top_row + (self._main_menu is not None)

    def _visible_rows(self) -> int:
        return max(self._output_scroll_row - self._top_row(), 1)

    # ------------------------------------------------------------------ outputs
    def _redraw_output(self) -> None:
        if self._curr_unwrapped_output is None:
            return
        self._display_nav_bar()
        self._display_main_menu(self._curr_unwrapped_output)
        self._display_output(self._curr_unwrapped_output, is_refresh=True)

    def _display_output(
        self,
        output: RichTextLines | None,
        is_refresh: bool = False,
        highlight_regex: str | None = None,
    ) -> None:
        """Show an output, scrolled to where it should be.

        Args:
            output: RichTextLines. is_refresh: whether it is shown already.
            highlight_regex: what is searched in it; the next match where it is shown.
        """
        if not output:
            return
        self._unwrapped_regex_match_lines = []
        if highlight_regex:
            self._show_matches(output, highlight_regex, is_refresh)
            return
        self._curr_unwrapped_output = output
        self._screen_display_output(output)
        if is_refresh:
            self._scroll_output(scroll_bar.SCROLL_REFRESH)
        elif INIT_SCROLL_POS_KEY in output.annotations:
            line = output.annotations[INIT_SCROLL_POS_KEY]
            self._scroll_output(scroll_bar.SCROLL_TO_LINE_INDEX, line_index=line)
        else:
            self._output_pad_row = 0
            self._scroll_output(scroll_bar.SCROLL_HOME)

    def _show_matches(self, output: RichTextLines, regex: str, go_on: bool) -> None:
        """Show an output with the matches of a search, scrolled to the next one."""
        try:
            found = regex_find(output, regex, self._SEARCH_HIGHLIGHT_FONT_ATTR)
        except ValueError as error:
            self._error_toast(str(error))
            return
        self._unwrapped_regex_match_lines = found.annotations[REGEX_MATCH_LINES_KEY]
        lines = self._screen_display_output(found)
        first = self._output_pad_row + go_on
        following = next((line for line in lines if line >= first), None)
        if following is None:
            self._toast("Pattern not found", color=self._ERROR_TOAST_COLOR_PAIR)
        else:
            self._scroll_output(scroll_bar.SCROLL_TO_LINE_INDEX, line_index=following)

    def _screen_display_output(self, output: RichTextLines) -> list[int]:
        """Wrap an output, and draw it into a pad.

        Returns:
            the wrapped lines that the matches of a search are in.
        """
        wrapped, begins = wrap_rich_text_lines(output, max(self._max_x - 2, 1))
        # Empty lines, so that the last line can be scrolled to the top.
        wrapped.lines.extend([""] * (self._output_num_rows - 1))
        if wrapped.num_lines() > self.max_output_lines:
            wrapped = wrapped.slice(0, self.max_output_lines)
            text = f"Output cut off at {self.max_output_lines} lines!"
            wrapped.append_rich_line(RichLine(text, readable.COLOR_MAGENTA))
        self._curr_wrapped_output = wrapped
        self._display_nav_bar()
        self._display_main_menu(wrapped)
        self._output_pad, self._output_pad_height, _ = self._display_lines(
            wrapped, self._output_num_rows
        )
        return [begins[line] for line in self._unwrapped_regex_match_lines]

    def _display_lines(self, output: Any, min_num_rows: int) -> tuple[Any, int, int]:
        """Draw lines into a new pad.

        Returns:
            the pad, its rows and its columns.
        Raises:
            ValueError: `output` is no RichTextLines.
        """
        if not isinstance(output, RichTextLines):
            raise ValueError(
                "Output is required to be an instance of RichTextLines, but is not."
            )
        rows = max(min_num_rows, output.num_lines()) + 1
        cols = max(self._max_x - 2, 1)
        pad = self._screen_new_output_pad(rows, cols)
        for i, line in enumerate(output.lines):
            segments = output.font_attr_segs.get(i)
            self._screen_add_line_to_output_pad(pad, i, line, color_segments=segments)
        return pad, rows, cols

    # ------------------------------------------------------------------ bars
    def _display_nav_bar(self) -> None:
        self._nav_bar = self._nav_history.render(
            self._max_x - 2, self._NAVIGATION_BACK_COMMAND,
            self._NAVIGATION_FORWARD_COMMAND,
        )  # fmt: skip
        self._nav_bar_pad, _, _ = self._display_lines(self._nav_bar, 1)
        self._screen_render_nav_bar()

    def _screen_render_nav_bar(self) -> None:
        row = self._nav_bar_row
        right = self._output_pad_screen_width
        self._refresh_pad(self._nav_bar_pad, 0, 0, row, 0, row, right)

    def _display_main_menu(self, output: RichTextLines) -> None:
        """Show the menu that belongs to an output, if one does."""
        menu = output.annotations.get(MAIN_MENU_KEY)
        if menu is None:
            self._main_menu = self._main_menu_pad = None
            return
        whole = menu.format_as_single_line(
            prefix="| ", divider=" | ", enabled_item_attrs=["underline"]
        )
        cut, _ = wrap_rich_text_lines(whole, max(self._max_x - 3, 1))
        self._main_menu = cut.slice(0, 1)
        self._main_menu_pad, _, _ = self._display_lines(self._main_menu, 1)
        self._screen_render_menu_pad()

    def _screen_render_menu_pad(self) -> None:
        row, right = self._output_top_row, self._output_pad_screen_width
        self._refresh_pad(self._main_menu_pad, 0, 0, row, 0, row, right)

    def _title(self, title: str, title_color: str | None = None) -> None:
        """Show a title in the first row."""
        line = f"--- {title} ".ljust(self._max_x, "-")
        self._screen_draw_text_line(self._title_row, line, color=title_color)

    def _draw_scroll_bar(self) -> None:
        top, height = self._top_row(), self._visible_rows()
        rows = self._last_row() + 1
        if height < 3:
            self._scroll_bar = None
            return
        left, right = self._max_x - 2, self._max_x - 1
        bar = scroll_bar.ScrollBar(
            left, top, right, top + height - 1, self._output_pad_row, rows
        )
        self._scroll_bar = bar
        pad, _, _ = self._display_lines(bar.layout(), height)
        self._screen_scroll_output_pad(
            pad, 0, 0, top, left, top + height - 1, right
        )  # fmt: skip

    # ------------------------------------------------------------------ scrolling
    def _last_row(self) -> int:
        """The row of the output that is on top when it is scrolled to its end."""
        lines = self._curr_wrapped_output
        count = 0 if lines is None else lines.num_lines()
        return max(count - self._output_num_rows, 0)

    def _scroll_output(self, direction: str, line_index: int | None = None) -> None:
        """Scroll the output, and say to where.

        Args:
            direction: one of the names in scroll_bar.py. line_index: a line to go to.
        Raises:
            ValueError: another direction. TypeError: `line_index` is no int.
        """
        if not self._output_pad:
            return
        page = max(self._output_num_rows // 3, 1)
        steps = {
            scroll_bar.SCROLL_REFRESH: 0,
            scroll_bar.SCROLL_UP: -page,
            scroll_bar.SCROLL_DOWN: page,
            scroll_bar.SCROLL_UP_A_LINE: -1,
            scroll_bar.SCROLL_DOWN_A_LINE: 1,
            scroll_bar.SCROLL_HOME: -self._output_pad_row,
            scroll_bar.SCROLL_END: self._last_row() - self._output_pad_row,
        }
        if direction == scroll_bar.SCROLL_TO_LINE_INDEX:
            if not isinstance(line_index, int):
                raise TypeError(
                    f"Invalid line_index type ({type(line_index)}) under mode "
                    f"{direction}"
                )
            row = line_index
        elif direction in steps:
            row = self._output_pad_row + steps[direction]
        else:
            raise ValueError(f"Unsupported scroll mode: {direction}")
        self._output_pad_row = min(max(row, 0), self._last_row())
        if self._nav_history.size():
            self._nav_history.update_scroll_position(self._output_pad_row)
        self._draw_scrolled()

    def _draw_scrolled(self) -> None:
        """Draw what the output is scrolled to, its scroll bar and the line below it."""
        top = self._top_row()
        self._screen_scroll_output_pad(
            self._output_pad, self._output_pad_row, 0, top, 0,
            top + self._visible_rows() - 1, self._output_pad_screen_width,
        )  # fmt: skip
        self._screen_render_nav_bar()
        if self._main_menu_pad:
            self._screen_render_menu_pad()
        self._draw_scroll_bar()
        self._scroll_info = self._compile_ui_status_summary()
        self._screen_draw_text_line(
            self._output_scroll_row, self._scroll_info,
            color=self._STATUS_BAR_COLOR_PAIR,
        )  # fmt: skip

    def _compile_ui_status_summary(self) -> str:
        """`--- Scroll (PgDn): 0.00% [0,0]-[3,0] ------ Mouse: ON --`"""
        text = "-"
        last = self._last_row()
        if last > 0:
            row = self._output_pad_row
            ways = "PgDn" if row == 0 else "PgUp" if row == last else "PgDn/PgUp"
            text = f"--- Scroll ({ways}): {100.0 * row / last:.2f}% "
        self._output_array_pointer_indices = shown = self._show_array_indices()
        if shown:
            first, final = shown[0], shown[-1]
            text += f"{self._format_indices(first)}-{self._format_indices(final)} "
        mouse = f" Mouse: {'ON' if self._mouse_enabled else 'OFF'} --"
        return text.ljust(self._max_x - len(mouse), "-") + mouse

    def _format_indices(self, indices: list | None) -> str:
        return "" if indices is None else repr(indices).replace(" ", "")

    # ------------------------------------------------------------------ indices
    def _show_array_indices(self) -> dict | None:
        """The indices of an array in the first and in the last visible line.

        Returns:
            {0: indices or None, -1: indices or None}; None where both have none.
        """
        shown = {
            0: self._show_array_index_at_line(0),
            -1: self._show_array_index_at_line(self._visible_rows() - 1),
        }
        return shown if any(shown.values()) else None

    def _show_array_index_at_line(self, line_index: int) -> list | None:
        """The indices of a visible line's first element, drawn at its left."""
        output = self._curr_wrapped_output
        if output is None:
            return None
        note = output.annotations.get(self._output_pad_row + line_index)
        if not isinstance(note, dict):
            return None
        indices = note.get(BEGIN_INDICES_KEY, note.get(OMITTED_INDICES_KEY))
        if indices is not None:
            self._toast(
                self._format_indices(indices), color=self._ARRAY_INDICES_COLOR_PAIR,
                line_index=self._top_row() + line_index,
            )  # fmt: skip
        return indices

    # ------------------------------------------------------------------ messages
    def _display_candidates(self, candidates: list[str]) -> None:
        """Show words that would complete a command, below the output."""
        if not self._candidates_max_lines:
            return
        if self._curr_unwrapped_output is not None:
            self._draw_scrolled_silently()
        if not candidates:
            return
        line = RichLine("Candidates: ", readable.COLOR_YELLOW)
        line += " ".join(sorted(candidates))
        whole = rich_text_lines_from_rich_line_list([line])
        wrapped, _ = wrap_rich_text_lines(whole, max(self._max_x - 3, 1))
        shown = wrapped.slice(0, self._candidates_max_lines)
        pad, _, _ = self._display_lines(shown, 0)
        top = max(self._output_scroll_row - shown.num_lines(), 0)
        self._screen_scroll_output_pad(
            pad, 0, 0, top, 0, self._candidates_bottom_row, max(self._max_x - 3, 1)
        )

    def _draw_scrolled_silently(self) -> None:
        """Draw the output anew, over words that were shown."""
        top = self._top_row()
        self._screen_scroll_output_pad(
            self._output_pad, self._output_pad_row, 0, top, 0,
            top + self._visible_rows() - 1, self._output_pad_screen_width,
        )  # fmt: skip

    def _toast(
        self, message: str, color: str | None = None, line_index: int | None = None
    ) -> None:
        """Show a message of one line.

        Args:
            line_index: the row; None for the last one above the scroll line.
        """
        row = self._output_scroll_row - 1 if line_index is None else line_index
        text = message if line_index is not None else message.replace("\n", " ")
        pad, _, _ = self._display_lines(
            rich_text_lines_from_rich_line_list([RichLine(text, color)]), 0
        )
        right = min(len(text), max(self._max_x - 2, 1)) - 1
        self._screen_scroll_output_pad(pad, 0, 0, row, 0, row, max(right, 0))

    def _error_toast(self, message: str) -> None:
        self._toast(
            self.ERROR_MESSAGE_PREFIX + message, color=self._ERROR_TOAST_COLOR_PAIR
        )

    def _info_toast(self, message: str) -> None:
        self._toast(
            self.INFO_MESSAGE_PREFIX + message, color=self._INFO_TOAST_COLOR_PAIR
        )
