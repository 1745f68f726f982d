"""What the curses interface does with the terminal, and nothing else does.

A program that stands for the terminal overrides the `_screen_` methods.
"""

import collections
import contextlib
import curses
import os
from collections.abc import Iterable
from curses import textpad
from typing import Any

from twinflow.tfdbg.shell.base_ui import BaseUI
from twinflow.tfdbg.text import readable

_COLOR_READY_COLORTERMS = ["gnome-terminal", "xfce4-terminal"]
_COLOR_ENABLED_TERM = "xterm-256color"
_GRAY = 245  # of 256 colors

Rectangle = collections.namedtuple("Rectangle", "top left bottom right")


class CursesScreen(BaseUI):
    """The terminal, with a box for commands at its bottom."""

    CLI_TERMINATOR_KEY = 7  # Ctrl-G, which ends the editing of a Textbox
    _SCREEN_WIDTH_LIMIT = 220
    _FOREGROUND_COLORS = {
        readable.COLOR_WHITE: curses.COLOR_WHITE,
        readable.COLOR_RED: curses.COLOR_RED,
        readable.COLOR_GREEN: curses.COLOR_GREEN,
        readable.COLOR_YELLOW: curses.COLOR_YELLOW,
        readable.COLOR_BLUE: curses.COLOR_BLUE,
        readable.COLOR_CYAN: curses.COLOR_CYAN,
        readable.COLOR_MAGENTA: curses.COLOR_MAGENTA,
        readable.COLOR_BLACK: curses.COLOR_BLACK,
    }
    _BACKGROUND_COLORS = {
        "transparent": -1,
        readable.COLOR_WHITE: curses.COLOR_WHITE,
        readable.COLOR_BLACK: curses.COLOR_BLACK,
    }

    _stdscr: Any = None
    _command_window: Any = None
    _textbox: Any = None
    _mouse_enabled = False
    _max_x = _max_y = 0
    _command_textbox_height = 2
    _output_pad_screen_location: Any

    # ------------------------------------------------------------------ life
    def _screen_init(self) -> None:
        if os.getenv("COLORTERM") in _COLOR_READY_COLORTERMS:
            os.environ["TERM"] = _COLOR_ENABLED_TERM
        self._stdscr = curses.initscr()
        self._screen_color_init()

    def _screen_color_init(self) -> None:
        """Give each pair of colors, such as "red_on_white", its number in curses."""
        curses.start_color()
        curses.use_default_colors()
        self._color_pairs: dict[str, int] = {}
        names = [
            (front, back)
            for front in self._FOREGROUND_COLORS
            for back in self._BACKGROUND_COLORS
        ]
        for i, (front, back) in enumerate(names, 1):
            colors = self._FOREGROUND_COLORS[front], self._BACKGROUND_COLORS[back]
            curses.init_pair(i, *colors)
            name = front if back == "transparent" else f"{front}_on_{back}"
            self._color_pairs[name] = curses.color_pair(i)
        gray = len(names) + 1
        try:
            curses.init_pair(gray, _GRAY, -1)
            self._color_pairs[readable.COLOR_GRAY] = curses.color_pair(gray)
        except (curses.error, ValueError):  # a terminal with fewer colors
            self._color_pairs[readable.COLOR_GRAY] = self._color_pairs["green"]
        self._color_pairs.update(
            bold=curses.A_BOLD, blink=curses.A_BLINK, underline=curses.A_UNDERLINE
        )
        self._default_color_pair = self._color_pairs[readable.COLOR_WHITE]

    def _screen_launch(self, enable_mouse_on_start: bool) -> None:
        curses.noecho()
        curses.cbreak()
        self._stdscr.keypad(True)
        self._mouse_enabled = self.config.get("mouse_mode")
        self._screen_set_mousemask()
        self.config.set_callback(
            "mouse_mode", lambda c: self._set_mouse_enabled(c.get("mouse_mode"))
        )
        self._screen_create_command_window()

    def _set_mouse_enabled(self, enabled: bool) -> None:
        if enabled != self._mouse_enabled:
            self._mouse_enabled = enabled
            self._screen_set_mousemask()

    def _screen_terminate(self) -> None:
        """Give the terminal back as it was."""
        self._stdscr.keypad(False)
        curses.nocbreak()
        curses.echo()
        curses.endwin()

    def _screen_refresh(self) -> None:
        self._stdscr.refresh()

    def _screen_refresh_size(self) -> None:
        self._max_y, self._max_x = self._stdscr.getmaxyx()
        self._max_x = min(self._max_x, self._SCREEN_WIDTH_LIMIT)

    def _screen_set_mousemask(self) -> None:
        if self._stdscr is None:  # no terminal
            return
        clicks = curses.BUTTON1_RELEASED | curses.BUTTON1_PRESSED
        curses.mousemask(clicks if self._mouse_enabled else 0)

    def _screen_getmouse(self) -> tuple:
        return curses.getmouse()

    # ------------------------------------------------------------------ commands
    def _screen_create_command_window(self) -> None:
        height, prompt = self._command_textbox_height, len(self.CLI_PROMPT)
        self._command_window = curses.newwin(
            height, self._max_x - prompt, self._max_y - height, prompt
        )

    def _screen_create_command_textbox(
        self, existing_command: str | None = None
    ) -> None:
        """An empty box for a command, or one that has some text already."""
        row = self._max_y - self._command_textbox_height
        self._addstr(row, 0, self.CLI_PROMPT, curses.A_BOLD)
        self._stdscr.refresh()
        self._command_window.clear()
        self._command_window.move(0, 0)
        self._textbox = textpad.Textbox(self._command_window, insert_mode=True)
        for character in existing_command or "":
            self._textbox.do_command(ord(character))

    def _screen_edit_command(self, on_key: Any) -> str:
        """Let a person edit the box until a key ends it."""
        self._textbox.edit(validate=on_key)
        return self._screen_gather_textbox_str()

    def _screen_gather_textbox_str(self) -> str:
        return self._textbox.gather().replace("\n", "").rstrip()

    # ------------------------------------------------------------------ drawing
    def _addstr(self, *args: Any) -> None:
        with contextlib.suppress(curses.error):  # past an edge of the screen
            self._stdscr.addstr(*args)

    def _refresh_pad(self, pad: Any, *args: Any) -> None:
        with contextlib.suppress(curses.error):
            pad.refresh(*args)

    def _screen_draw_text_line(
        self, row: int, line: str, attr: int = curses.A_NORMAL, color: Any = None
    ) -> None:
        """Write a line in a row of the screen.

        Raises:
            TypeError: `row` is no int.
        """
        if not isinstance(row, int):
            raise TypeError("Invalid type in row")
        text = line if len(line) <= self._max_x else line[: self._max_x]
        pair = self._default_color_pair if color is None else self._color_pairs[color]
        self._addstr(row, 0, text, pair | attr)
        self._screen_refresh()

    def _screen_new_output_pad(self, rows: int, cols: int) -> Any:
        return curses.newpad(rows, cols)

    def _screen_add_line_to_output_pad(
        self, pad: Any, row: int, txt: str, color_segments: list | None = None
    ) -> None:
        """Write a line in a row of a pad.

        Args:
            color_segments: (start, end, names of fonts), in order; what lies between
                has the usual color.
        Raises:
            TypeError: `color_segments` is no list.
        """
        if not isinstance(color_segments or [], list):
            raise TypeError("Input color_segments needs to be a list, but is not.")
        at = 0
        for start, end, fonts in color_segments or ():
            if start > at:
                self._put(pad, row, at, txt[at:start], self._default_color_pair)
            if end > max(start, at):
                begin = max(start, at)
                self._put(pad, row, begin, txt[begin:end], self._font(fonts))
                at = end
        if at < len(txt):
            self._put(pad, row, at, txt[at:], self._default_color_pair)

    def _put(self, pad: Any, row: int, column: int, text: str, font: int) -> None:
        with contextlib.suppress(curses.error):
            pad.addstr(row, column, text, font)

    def _font(self, names: Any) -> int:
        """The attributes of curses for names; menu items stand among them."""
        several: Iterable = names if isinstance(names, list) else [names]
        font = 0
        for name in several:
            if isinstance(name, str):
                font |= self._color_pairs.get(name, self._default_color_pair)
            elif name is not None:  # it can be clicked
                font |= curses.A_UNDERLINE
        return font or self._default_color_pair

    def _screen_scroll_output_pad(
        self, pad: Any, viewport_top: int, viewport_left: int,
        screen_location_top: int, screen_location_left: int,
        screen_location_bottom: int, screen_location_right: int,
    ) -> None:  # fmt: skip
        self._refresh_pad(
            pad, viewport_top, viewport_left, screen_location_top,
            screen_location_left, screen_location_bottom, screen_location_right,
        )  # fmt: skip
