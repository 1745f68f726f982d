"""The interface of plain lines, as a terminal without curses has them."""

import readline
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.shell.base_ui import BaseUI
from twinflow.tfdbg.shell.registry import EXPLICIT_USER_EXIT, CommandLineExit
from twinflow.tfdbg.shell.settings import CLIConfig
from twinflow.tfdbg.text.rich_text import RichTextLines


class ReadlineUI(BaseUI):
    """Reads commands from a terminal by readline, and prints what they say."""

    def __init__(
        self, on_ui_exit: Callable | None = None, config: CLIConfig | None = None
    ) -> None:
        super().__init__(on_ui_exit=on_ui_exit, config=config)
        self._init_input()

    def _init_input(self) -> None:
        readline.parse_and_bind("set editing-mode emacs")
        readline.set_completer_delims("\n")
        readline.set_completer(self._readline_complete)
        readline.parse_and_bind("tab: complete")

    def _readline_complete(self, text: str, state: int) -> str | None:
        context, prefix, before = self._analyze_tab_complete_input(text)
        found, _ = self._tab_completion_registry.get_completions(context, prefix)
        lead = before + " " if before else ""
        return [*(lead + item for item in found or ()), None][state]

    def run_ui(
        self,
        init_command: str | None = None,
        title: str | None = None,
        title_color: str | None = None,
        enable_mouse_on_start: bool = True,
    ) -> Any:
        """See BaseUI.run_ui; there are no colors and no mouse."""
        print(title)
        if init_command is not None:
            self._dispatch_command(init_command)
        token = self._ui_loop()
        if self._on_ui_exit:
            self._on_ui_exit()
        return token

    def _ui_loop(self) -> Any:
        token = None
        while token is None:
            token = self._dispatch_command(self._get_user_command())
        return token

    def _get_user_command(self) -> str:
        print("")
        try:
            return input(self.CLI_PROMPT).strip()
        except EOFError:  # nobody is there to answer any more
            return self.CLI_EXIT_COMMANDS[0]

    def _dispatch_command(self, command: str) -> Any:
        """Answer one command; the token of an exit, or None to go on."""
        if command in self.CLI_EXIT_COMMANDS:
            return EXPLICIT_USER_EXIT
        try:
            prefix, args, path = self._parse_command(command)
        except SyntaxError as error:
            print(str(error))
            return None
        if not self._command_handler_registry.is_registered(prefix):
            text = f'Invalid command prefix "{prefix}"'
            self._display_output(RichTextLines([self.ERROR_MESSAGE_PREFIX + text]))
            return None
        try:
            output = self._command_handler_registry.dispatch_command(
                prefix, args, screen_info=None
            )
        except CommandLineExit as end:
            return end.exit_token
        if output is None:
            return None
        self._display_output(output)
        if path:
            self._keep(output, path)
        return None

    def _keep(self, output: RichTextLines, path: str) -> None:
        try:
            output.write_to_file(path)
            print(f"{self.INFO_MESSAGE_PREFIX}Wrote output to {path}")
        except Exception:
            print(f"{self.ERROR_MESSAGE_PREFIX}Failed to write output to {path}")

    def _display_output(self, screen_output: RichTextLines) -> None:
        for line in screen_output.lines:
            print(line)
