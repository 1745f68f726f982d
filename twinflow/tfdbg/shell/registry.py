"""Which function answers which command."""

import traceback
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.text.rich_text import RichTextLines, get_tensorflow_version_lines

HELP_INDENT = "  "
EXPLICIT_USER_EXIT = "explicit_user_exit"


class CommandLineExit(Exception):
    """Raised by the handler of a command to leave the interface.

    Args:
        exit_token: what the interface hands to whoever started it.
    """

    def __init__(self, exit_token: Any = None) -> None:
        super().__init__()
        self._exit_token = exit_token

    @property
    def exit_token(self) -> Any:
        return self._exit_token


class CommandHandlerRegistry:
    """Handlers of commands, by prefix (the first word) and aliases of the prefix.

    `help` and `version` are there from the start.
    """

    HELP_COMMAND = "help"
    HELP_COMMAND_ALIASES = ["h"]
    VERSION_COMMAND = "version"
    VERSION_COMMAND_ALIASES = ["ver"]

    def __init__(self) -> None:
        self._handlers: dict[str, Callable] = {}
        self._aliases: dict[str, list[str]] = {}
        self._prefix_of: dict[str, str] = {}  # {alias: prefix}
        self._help_of: dict[str, str] = {}
        self._help_intro: RichTextLines | None = None
        self.register_command_handler(
            self.HELP_COMMAND, self._help_handler, "Print this help message.",
            prefix_aliases=self.HELP_COMMAND_ALIASES,
        )  # fmt: skip
        self.register_command_handler(
            self.VERSION_COMMAND, self._version_handler,
            "Print the versions of TensorFlow and its key dependencies.",
            prefix_aliases=self.VERSION_COMMAND_ALIASES,
        )  # fmt: skip

    def register_command_handler(
        self,
        prefix: str,
        handler: Callable,
        help_info: str,
        prefix_aliases: list[str] | None = None,
    ) -> None:
        """Let a function answer a command.

        Args:
            prefix: the command's first word. help_info: what `help` says of it.
            prefix_aliases: other words for it.
            handler: a function (argv, screen_info=None) that returns RichTextLines or
                None; argv has the words after the first, screen_info may have "cols".
        Raises:
            ValueError: a word is empty or taken, or an argument has another type.
        """
        if not prefix:
            raise ValueError("Empty command prefix")
        if prefix in self._handlers:
            raise ValueError(
                f'A handler is already registered for command prefix "{prefix}"'
            )
        if not callable(handler):
            raise ValueError("handler is not callable")
        if not isinstance(help_info, str):
            raise ValueError("help_info is not a str")
        aliases = list(prefix_aliases or ())
        for alias in aliases:
            if self._resolve_prefix(alias):
                raise ValueError(
                    f'The prefix alias "{alias}" clashes with existing prefixes or '
                    "aliases."
                )
            self._prefix_of[alias] = prefix
        self._handlers[prefix] = handler
        self._aliases[prefix] = aliases
        self._help_of[prefix] = help_info

    def dispatch_command(
        self, prefix: str, argv: list[str], screen_info: dict | None = None
    ) -> RichTextLines | None:
        """Let the handler of a command answer.

        Returns:
            what the handler returns; the text of the error where it raised one.
        Raises:
            ValueError: no handler has this prefix, or it returned something else.
            CommandLineExit: the handler raised it.
        """
        if not prefix:
            raise ValueError("Prefix is empty")
        known = self._resolve_prefix(prefix)
        if not known:
            raise ValueError(f'No handler is registered for command prefix "{prefix}"')
        try:
            output = self._handlers[known](argv, screen_info=screen_info)
        except CommandLineExit:
            raise
        except SystemExit:  # of argparse
            return RichTextLines([
                f"Syntax error for command: {known}", f'For help, do "help {known}"'
            ])  # fmt: skip
        except BaseException as error:
            return RichTextLines([
                f"Error occurred during handling of command: {known} {' '.join(argv)}:",
                f"{type(error)}: {error}", "", *traceback.format_exc().split("\n"),
            ])  # fmt: skip
        if output is not None and not isinstance(output, RichTextLines):
            raise ValueError(
                f"Return value from command handler {self._handlers[known]} is not None"
                " or a RichTextLines instance"
            )
        return output

    def is_registered(self, prefix: str) -> bool:
        return self._resolve_prefix(prefix) is not None

    def get_help(self, cmd_prefix: str | None = None) -> RichTextLines:
        """What `help` shows: of all commands, or of one."""
        if cmd_prefix:
            return RichTextLines(self._help_lines(cmd_prefix))
        whole = RichTextLines([])
        if self._help_intro:
            whole.extend(self._help_intro)
        for prefix in sorted(self._handlers):
            whole.extend(RichTextLines([*self._help_lines(prefix), "", ""]))
        return whole

    def set_help_intro(self, help_intro: RichTextLines) -> None:
        """Lines that `help` shows first."""
        self._help_intro = help_intro

    def _help_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        if len(args) > 1:
            return RichTextLines(["ERROR: help takes only 0 or 1 input argument."])
        return self.get_help(*args)

    def _version_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        return get_tensorflow_version_lines(include_dependency_versions=True)

    def _resolve_prefix(self, token: str) -> str | None:
        """The prefix that a word is, or is an alias of."""
        return token if token in self._handlers else self._prefix_of.get(token)

    def _help_lines(self, word: str) -> list[str]:
        prefix = self._resolve_prefix(word)
        if not prefix:
            return [f'Invalid command prefix: "{word}"']
        aliases = self._aliases[prefix]
        named = [HELP_INDENT + "Aliases: " + ", ".join(aliases)] if aliases else []
        text = [HELP_INDENT + line for line in self._help_of[prefix].split("\n")]
        return [prefix, *named, "", *text]
