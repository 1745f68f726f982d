"""Settings of the command line, kept in a file of JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

RL = RichLine

_TRUE = {"1", "true", "t", "yes", "y", "on"}
_FALSE = {"0", "false", "f", "no", "n", "off"}


class CLIConfig:
    """Settings by name.

    Args:
        config_file_path: None for ~/.tfdbg_config.
    """

    _CONFIG_FILE_NAME = ".tfdbg_config"
    _DEFAULT_CONFIG = [("graph_recursion_depth", 20), ("mouse_mode", True)]

    def __init__(self, config_file_path: str | None = None) -> None:
        self._path = Path(config_file_path or self._default_config_file_path())
        self._values: dict[str, Any] = dict(self._DEFAULT_CONFIG)
        if self._path.is_file():
            self._load_from_file()
        else:
            self._save_to_file()
        self._callbacks: dict[str, Callable] = {}

    def get(self, property_name: str) -> Any:
        """The value of a setting.

        Raises:
            KeyError: there is none of this name.
        """
        self._check_known(property_name)
        return self._values[property_name]

    def set(self, property_name: str, property_val: Any) -> None:
        """Change a setting; text is read as the type that it has.

        Raises:
            KeyError: there is none of this name.
            ValueError: the text does not fit the type.
        """
        self._check_known(property_name)
        kind = type(self._values[property_name])
        self._values[property_name] = _converted(property_val, kind)
        self._save_to_file()
        if property_name in self._callbacks:
            self._callbacks[property_name](self)

    def set_callback(self, property_name: str, callback: Callable) -> None:
        """Call a function with the CLIConfig whenever a setting is changed.

        Raises:
            KeyError: there is no setting of this name.
            TypeError: it is no function.
        """
        self._check_known(property_name)
        if not callable(callback):
            raise TypeError("The callback object provided is not callable.")
        self._callbacks[property_name] = callback

    def summarize(self, highlight: str | None = None) -> RichTextLines:
        """The settings as lines.

        Args:
            highlight: the name of one that is underlined.
        """
        lines: list = [RL("Command-line configuration:", "bold"), RL("")]
        for name, value in self._values.items():
            attributes = ["underline", "bold"] if name == highlight else "underline"
            line = RL("  ") + RL(name, attributes) + ": "
            lines.append(line + RL(str(value), "bold" if name == highlight else None))
        return rich_text_lines_from_rich_line_list(lines)

    def _check_known(self, name: str) -> None:
        if name not in self._values:
            raise KeyError(f"{name} is not a valid property name.")

    def _default_config_file_path(self) -> str:
        return str(Path.home() / self._CONFIG_FILE_NAME)

    def _save_to_file(self) -> None:
        try:
            self._path.write_text(json.dumps(self._values))
        except OSError:  # settings that cannot be kept stop nobody
            pass

    def _load_from_file(self) -> None:
        """Take what the file has; it may be of a version with other settings."""
        try:
            self._values.update(json.loads(self._path.read_text()))
        except (OSError, ValueError):
            print(f"WARNING: {self._path} cannot be read: settings are the usual ones.")


def _converted(value: Any, kind: type) -> Any:
    if kind is bool:
        if isinstance(value, str):
            if value.lower() not in _TRUE | _FALSE:
                raise ValueError(f"Invalid string value for bool type: {value}")
            return value.lower() in _TRUE
        return bool(value)
    if kind is int:
        return int(value)
    if kind is str:
        return str(value)
    raise TypeError(f"Unsupported property type: {kind}")
