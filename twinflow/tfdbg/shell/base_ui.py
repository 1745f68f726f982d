"""What the two interfaces share: commands, their completion, and the settings."""

import argparse
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.shell import parsing
from twinflow.tfdbg.shell.completion import TabCompletionRegistry
from twinflow.tfdbg.shell.registry import CommandHandlerRegistry
from twinflow.tfdbg.shell.settings import CLIConfig
from twinflow.tfdbg.text.rich_text import RichTextLines


class BaseUI:
    """An interface for commands.

    Args:
        on_ui_exit: called when it ends, or None. config: a CLIConfig, or None.
    """

    CLI_PROMPT = "tfdbg> "
    CLI_EXIT_COMMANDS = ["exit", "quit"]
    ERROR_MESSAGE_PREFIX = "ERROR: "
    INFO_MESSAGE_PREFIX = "INFO: "

    def __init__(
        self, on_ui_exit: Callable | None = None, config: CLIConfig | None = None
    ) -> None:
        self._on_ui_exit = on_ui_exit
        self._command_handler_registry = CommandHandlerRegistry()
        self._tab_completion_registry = TabCompletionRegistry()
        commands = CommandHandlerRegistry
        self._tab_completion_registry.register_tab_comp_context(
            [""],
            [*self.CLI_EXIT_COMMANDS, commands.HELP_COMMAND,
             *commands.HELP_COMMAND_ALIASES],
        )  # fmt: skip
        self._config = config or CLIConfig()
        self._config_argparser = _config_arguments()
        self.register_command_handler(
            "config", self._config_command_handler,
            self._config_argparser.format_help(), prefix_aliases=["cfg"],
        )  # fmt: skip

    def set_help_intro(self, help_intro: RichTextLines) -> None:
        """Lines that `help` shows first."""
        self._command_handler_registry.set_help_intro(help_intro=help_intro)

    def register_command_handler(
        self,
        prefix: str,
        handler: Callable,
        help_info: str,
        prefix_aliases: list[str] | None = None,
    ) -> None:
        """Let a function answer a command, whose name the tab key completes then.

        For the arguments see CommandHandlerRegistry.register_command_handler.
        """
        self._command_handler_registry.register_command_handler(
            prefix, handler, help_info, prefix_aliases=prefix_aliases
        )
        names = [prefix, *(prefix_aliases or ())]
        self._tab_completion_registry.extend_comp_items("", names)

    def register_tab_comp_context(self, *args: Any, **kwargs: Any) -> None:
        """See TabCompletionRegistry.register_tab_comp_context."""
        self._tab_completion_registry.register_tab_comp_context(*args, **kwargs)

    def run_ui(
        self,
        init_command: str | None = None,
        title: str | None = None,
        title_color: str | None = None,
        enable_mouse_on_start: bool = True,
    ) -> Any:
        """Answer commands until one of them ends this.

        Args:
            init_command: a first command. title, title_color: of the screen.
            enable_mouse_on_start: whether the mouse may be used.
        Returns:
            the token of what ended it, or None.
        """
        raise NotImplementedError("run_ui() is not implemented in BaseUI")

    def _parse_command(self, command: str) -> tuple[str, list[str], str | None]:
        """A line as its prefix, its arguments, and where its output is to be kept."""
        words = parsing.parse_command(command)
        if not words:
            return "", [], None
        words, path = parsing.extract_output_file_path(words)
        return words[0], words[1:], path

    def _analyze_tab_complete_input(self, text: str) -> tuple[str, str, str]:
        """The context, the word to complete, and what stands in front of it."""
        words = text.lstrip().split(" ")
        context = words[0] if len(words) > 1 else ""
        return context, words[-1], " ".join(words[:-1])

    @property
    def config(self) -> CLIConfig:
        return self._config

    def _config_command_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        parsed = self._config_argparser.parse_args(args)
        if getattr(parsed, "property_name", None) is None:
            return self._config.summarize()
        self._config.set(parsed.property_name, parsed.property_value)
        return self._config.summarize(highlight=parsed.property_name)


def _config_arguments() -> argparse.ArgumentParser:
    """`config show` and `config set NAME VALUE`."""
    parser = argparse.ArgumentParser(
        description="config command", usage=argparse.SUPPRESS
    )
    kinds = parser.add_subparsers()
    change = kinds.add_parser("set")
    change.add_argument("property_name", type=str)
    change.add_argument("property_value", type=str)
    kinds.add_parser("show")
    return parser
