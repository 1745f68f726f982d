"""Commands given before, in this and in earlier sessions."""

from pathlib import Path


class CommandHistory:
    """The last commands, kept in a file.

    Args:
        limit: how many. history_file_path: None for ~/.tfdbg_history.
    """

    _HISTORY_FILE_NAME = ".tfdbg_history"

    def __init__(self, limit: int = 100, history_file_path: str | None = None) -> None:
        self._commands: list[str] = []
        self._limit = limit
        self._history_file_path = (
            history_file_path or self._get_default_history_file_path()
        )
        self._load_history_from_file()

    def _load_history_from_file(self) -> None:
        """Read the file, and cut it to what is kept."""
        path = Path(self._history_file_path)
        if not path.is_file():
            return
        try:
            known = path.read_text().splitlines()
            kept = known[-self._limit :]
            if len(kept) < len(known):
                path.write_text("".join(command + "\n" for command in kept))
        except OSError:
            print("WARNING: writing history file failed.")
            return
        self._commands = kept

    def _add_command_to_history_file(self, command: str) -> None:
        try:
            with open(self._history_file_path, "a") as f:
                f.write(command + "\n")
        except OSError:  # a history that cannot be kept stops nobody
            pass

    @classmethod
    def _get_default_history_file_path(cls) -> str:
        return str(Path.home() / cls._HISTORY_FILE_NAME)

    def add_command(self, command: str) -> None:
        """Note a command, unless it is the last one again.

        Raises:
            TypeError: it is no str.
        """
        if self._commands and command == self._commands[-1]:
            return
        if not isinstance(command, str):
            raise TypeError("Attempt to enter non-str entry to command history")
        self._commands = [*self._commands, command][-self._limit :]
        self._add_command_to_history_file(command)

    def most_recent_n(self, n: int) -> list[str]:
        """The last n commands, the newest last."""
        return self._commands[-n:]

    def lookup_prefix(self, prefix: str, n: int) -> list[str]:
        """The last n commands that begin with a prefix, the newest last."""
        return [c for c in self._commands if c.startswith(prefix)][-n:]
