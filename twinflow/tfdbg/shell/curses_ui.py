"""The interface of a whole screen: keys, the mouse, history, search and navigation."""

import contextlib
import curses
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.tfdbg.shell import parsing
from twinflow.tfdbg.shell.curses_output import CursesOutput, command_at
from twinflow.tfdbg.shell.history import CommandHistory
from twinflow.tfdbg.shell.registry import EXPLICIT_USER_EXIT, CommandLineExit
from twinflow.tfdbg.shell.scroll_bar import (
    SCROLL_DOWN_A_LINE,
    SCROLL_END,
    SCROLL_HOME,
    SCROLL_TO_LINE_INDEX,
    SCROLL_UP_A_LINE,
)
from twinflow.tfdbg.shell.settings import CLIConfig
from twinflow.tfdbg.text import tensors
from twinflow.tfdbg.text.rich_text import RichTextLines

_SCROLL_KEYS = {
    curses.KEY_PPAGE: SCROLL_UP_A_LINE,
    curses.KEY_NPAGE: SCROLL_DOWN_A_LINE,
    curses.KEY_HOME: SCROLL_HOME,
    curses.KEY_END: SCROLL_END,
}
_NO_KEY = 0  # what Textbox.edit passes over


class CursesUI(CursesOutput):
    """The interface of a whole screen."""

    CLI_TAB_KEY = ord("\t")
    BACKSPACE_KEY = ord("\b")
    REGEX_SEARCH_PREFIX = "/"
    TENSOR_INDICES_NAVIGATION_PREFIX = "@"
    CLI_CR_KEYS = [ord("\n"), ord("\r"), 343]  # the last one of a number pad
    _KEY_MAP = {127: curses.KEY_BACKSPACE, curses.KEY_DC: 4}  # what terminals send
    _MOUSE_SCROLL_DELAY_MS = 100
    _single_instance_lock = threading.Lock()  # two would read the same keys

    def __init__(
        self, on_ui_exit: Callable | None = None, config: CLIConfig | None = None
    ) -> None:
        super().__init__(on_ui_exit=on_ui_exit, config=config)
        self._screen_init()
        self._screen_refresh_size()
        self._init_layout()
        self._init_output()
        self._command_history_store = CommandHistory()
        self._active_command_history: list[str] = []  # what the arrow keys go through
        self._command_pointer = 0  # in it, from its end; 0 is the pending command
        self._command_history_limit = 100
        self._pending_command = ""
        self._textbox_curr_terminator: int | None = None
        self._clicked_command: str | None = None
        self.register_command_handler(
            "mouse", self._mouse_mode_command_handler,
            "Get or set the mouse mode of this CLI: (on|off)", prefix_aliases=["m"],
        )  # fmt: skip

    # ------------------------------------------------------------------ running
    def run_ui(
        self,
        init_command: str | None = None,
        title: str | None = None,
        title_color: str | None = None,
        enable_mouse_on_start: bool = True,
    ) -> Any:
        """See BaseUI.run_ui."""
        with self._single_instance_lock, self._interrupts():
            self._screen_launch(enable_mouse_on_start=enable_mouse_on_start)
            try:
                if init_command is not None:
                    self._dispatch_command(init_command)
                if title is not None:
                    self._title(title, title_color=title_color)
                token = self._ui_loop()
                if self._on_ui_exit:
                    self._on_ui_exit()
            finally:
                self._screen_terminate()
        return token

    @contextlib.contextmanager
    def _interrupts(self) -> Iterator[None]:
        """Let Ctrl-C end the program with its terminal as it was."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._interrupt_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt_handler(self, signal_num: int, frame: Any) -> None:
        self._screen_terminate()
        print("\ntfdbg: caught SIGINT; calling sys.exit(1).", file=sys.stderr)
        sys.exit(1)

    def get_help(self) -> RichTextLines:
        return self._command_handler_registry.get_help()

    def _ui_loop(self) -> Any:
        token = None
        while token is None:
            command, key = self._get_user_command()
            if key in self.CLI_CR_KEYS or key == curses.KEY_MOUSE:
                self._command_pointer, self._pending_command = 0, ""
                if command:
                    token = self._dispatch_command(command)
                    self._command_history_store.add_command(command)
            elif key == self.CLI_TAB_KEY:
                self._pending_command = self._tab_complete(command)
                self._command_pointer = 0
            elif key in (curses.KEY_UP, curses.KEY_DOWN):
                self._go_through_history(command, key == curses.KEY_UP)
        return token

    def _go_through_history(self, command: str, back: bool) -> None:
        """Let an arrow key bring a command back that begins as the one in the box."""
        if command != self._shown_command():  # edited, or new
            self._pending_command, self._command_pointer = command, 0
        if self._command_pointer == 0:
            self._active_command_history = (
                self._command_history_store.lookup_prefix(
                    self._pending_command, self._command_history_limit
                )
            )  # fmt: skip
        at = self._command_pointer + (1 if back else -1)
        self._command_pointer = min(max(at, 0), len(self._active_command_history))

    def _shown_command(self) -> str:
        if not self._command_pointer:
            return self._pending_command
        return self._active_command_history[-self._command_pointer]

    # ------------------------------------------------------------------ keys
    def _get_user_command(self) -> tuple[str, int | None]:
        """What is in the box when a key ends its editing, and that key."""
        self._screen_create_command_textbox(existing_command=self._shown_command())
        self._textbox_curr_terminator = None
        command = self._screen_get_user_command() or ""
        return self._strip_terminator(command), self._textbox_curr_terminator

    def _screen_get_user_command(self) -> str | None:
        self._clicked_command = None
        command = self._screen_edit_command(self._on_textbox_keypress)
        if self._textbox_curr_terminator == curses.KEY_MOUSE:
            return self._clicked_command
        return command

    def _strip_terminator(self, command: str) -> str:
        ends = [chr(key) for key in [*self.CLI_CR_KEYS, self.CLI_TAB_KEY] if key < 256]
        for end in ends:
            command = command.replace(end, "")
        return command

    def _on_textbox_keypress(self, x: int) -> int:
        """Answer a key that is struck in the box.

        Returns:
            the key for the box: CLI_TERMINATOR_KEY ends its editing.
        Raises:
            TypeError: `x` is no int.
        """
        if not isinstance(x, int):
            raise TypeError(f"Key validator expected type int, received type {type(x)}")
        ends = (self.CLI_TAB_KEY, curses.KEY_UP, curses.KEY_DOWN)
        if x in self.CLI_CR_KEYS or x in ends:
            self._textbox_curr_terminator = x
            return self.CLI_TERMINATOR_KEY
        if x in _SCROLL_KEYS:
            self._scroll_output(_SCROLL_KEYS[x])
            return _NO_KEY
        if x == curses.KEY_RESIZE:
            self._resize()
            self._textbox_curr_terminator = x
            return self.CLI_TERMINATOR_KEY
        if x == curses.KEY_MOUSE and self._mouse_enabled:
            return self._on_click()
        return self._KEY_MAP.get(x, x)

    def _resize(self) -> None:
        self._pending_command = self._screen_gather_textbox_str()
        self._command_pointer = 0
        self._screen_refresh_size()
        self._init_layout()
        self._screen_create_command_window()
        self._redraw_output()

    def _on_click(self) -> int:
        try:
            _, x, y, _, _ = self._screen_getmouse()
        except curses.error:
            return _NO_KEY
        if self._scroll_bar is not None and x >= self._max_x - 2:
            way = self._scroll_bar.get_click_command(y)
            if way is not None:
                self._scroll_output(way)
            return _NO_KEY
        self._clicked_command = self._fetch_hyperlink_command(x, y)
        if self._clicked_command is None:
            return _NO_KEY
        self._textbox_curr_terminator = curses.KEY_MOUSE
        return self.CLI_TERMINATOR_KEY

    def _fetch_hyperlink_command(self, mouse_x: int, mouse_y: int) -> str | None:
        """The command behind a place of the screen."""
        if mouse_y == self._nav_bar_row:
            lines, row = self._nav_bar, 0
        elif mouse_y == self._output_top_row and self._main_menu is not None:
            lines, row = self._main_menu, 0
        else:
            lines = self._curr_wrapped_output
            row = self._output_pad_row + mouse_y - self._top_row()
        if lines is None or row not in lines.font_attr_segs:
            return None
        return command_at(mouse_x, lines.font_attr_segs[row])

    # ------------------------------------------------------------------ commands
    def _dispatch_command(self, command: str) -> Any:
        """Answer one command; the token of an exit, or None to go on."""
        if self._output_pad:
            self._toast(self._UI_WAIT_MESSAGE, color=self._UI_WAIT_COLOR_PAIR)
        if command in self.CLI_EXIT_COMMANDS:
            return EXPLICIT_USER_EXIT
        if command in (self._NAVIGATION_FORWARD_COMMAND, self._NAVIGATION_BACK_COMMAND):
            self._navigate_screen_output(command)
        elif command.startswith(self.REGEX_SEARCH_PREFIX):
            self._search(command.removeprefix(self.REGEX_SEARCH_PREFIX))
        elif command.startswith(self.TENSOR_INDICES_NAVIGATION_PREFIX):
            self._go_to_element(command[1:].strip())
        else:
            return self._answer(command)
        return None

    def _answer(self, command: str) -> Any:
        """Let a handler answer, and show what it says."""
        try:
            prefix, args, path = self._parse_command(command)
        except SyntaxError as error:
            self._error_toast(str(error))
            return None
        output: RichTextLines | None
        if self._command_handler_registry.is_registered(prefix):
            screen_info = {"cols": self._max_x - 2}
            try:
                output = self._command_handler_registry.dispatch_command(
                    prefix, args, screen_info=screen_info
                )
            except CommandLineExit as end:
                return end.exit_token
        else:
            text = f'Invalid command prefix "{prefix}"'
            output = RichTextLines([self.ERROR_MESSAGE_PREFIX + text])
        if output is None:
            return None
        self._curr_search_regex = None
        self._nav_history.add_item(command, output, 0)
        self._display_output(output)
        if path:
            self._keep(output, path)
        return None

    def _keep(self, output: RichTextLines, path: str) -> None:
        try:
            output.write_to_file(path)
            self._info_toast(f"Wrote output to {path}")
        except Exception:
            self._error_toast(f"Failed to write output to {path}")

    def _navigate_screen_output(self, command: str) -> None:
        """Show the output before or after the shown one again."""
        history = self._nav_history
        on = command == self._NAVIGATION_FORWARD_COMMAND
        if not (history.can_go_forward() if on else history.can_go_back()):
            end = "LATEST" if on else "OLDEST"
            self._toast(
                f"At the {end} in navigation history!",
                color=self._NAVIGATION_WARNING_COLOR_PAIR,
            )
            return
        item = history.go_forward() if on else history.go_back()
        position = item.scroll_position
        self._display_output(item.screen_output)
        if position:
            self._scroll_output(SCROLL_TO_LINE_INDEX, line_index=position)

    def _search(self, regex: str) -> None:
        """Mark what matches in the output; the next match where `regex` is empty."""
        go_on = not regex
        if not go_on:
            self._curr_search_regex = regex
        if self._curr_search_regex:
            self._display_output(
                self._curr_unwrapped_output, is_refresh=go_on,
                highlight_regex=self._curr_search_regex,
            )  # fmt: skip

    def _go_to_element(self, indices: str) -> None:
        """Scroll to an element of the array that is shown."""
        if not indices:
            self._error_toast("Empty indices.")
            return
        if self._curr_wrapped_output is None:
            return
        try:
            _, line, _, _ = tensors.locate_tensor_element(
                self._curr_wrapped_output, parsing.parse_indices(indices)
            )
        except (AttributeError, ValueError) as error:
            self._error_toast(str(error))
            return
        self._scroll_output(SCROLL_TO_LINE_INDEX, line_index=line)

    def _tab_complete(self, command_str: str) -> str:
        """A command with its last word completed as far as that is sure."""
        context, prefix, before = self._analyze_tab_complete_input(command_str)
        found, common = self._tab_completion_registry.get_completions(context, prefix)
        several = found if found and len(found) > 1 else []
        self._display_candidates(several)
        if not found:
            return command_str
        return (before + " " if before else "") + (common or "")

    # ------------------------------------------------------------------ the mouse
    def _mouse_mode_command_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> None:
        """Answer `mouse`, `mouse on` and `mouse off`."""
        if len(args) > 1:
            self._error_toast("mouse_mode: syntax error")
            return
        if args:
            mode = args[0].lower()
            if mode not in ("on", "off"):
                self._error_toast(f"Invalid mouse mode: {args[0]}")
                return
            self._set_mouse_enabled(mode == "on")
        self._info_toast(f"Mouse mode: {'on' if self._mouse_enabled else 'off'}")

    def _set_mouse_enabled(self, enabled: bool) -> None:
        if enabled != self._mouse_enabled:
            super()._set_mouse_enabled(enabled)
            self._redraw_output()
