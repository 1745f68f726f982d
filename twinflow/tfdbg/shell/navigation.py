"""The outputs that a person can go back to, and the bar that shows where he is."""

from typing import Any

from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)


class NavigationHistoryItem:
    """A command, its output, and the line to which it is scrolled."""

    def __init__(
        self, command: str, screen_output: RichTextLines, scroll_position: int
    ) -> None:
        self.command = command
        self.screen_output = screen_output
        self.scroll_position = scroll_position


class CursesNavigationHistory:
    """The last outputs, and which of them is on the screen.

    Args:
        capacity: how many are kept.
    Raises:
        ValueError: `capacity` is not positive.
    """

    BACK_ARROW_TEXT = "<--"
    FORWARD_ARROW_TEXT = "-->"

    def __init__(self, capacity: int) -> None:
        if capacity <= 0:
            raise ValueError(f"In valid capacity value: {capacity}")
        self._capacity = capacity
        self._items: list[NavigationHistoryItem] = []
        self._pointer = -1

    def add_item(
        self, command: str, screen_output: RichTextLines, scroll_position: int
    ) -> None:
        """Note a new output; it takes the place of those after the shown one."""
        item = NavigationHistoryItem(command, screen_output, scroll_position)
        known = self._items[: self._pointer + 1]
        self._items = [*known, item][-self._capacity :]
        self._pointer = len(self._items) - 1

    def update_scroll_position(self, new_scroll_position: int) -> None:
        """Note to which line the shown output is scrolled.

        Raises:
            ValueError: there is none yet.
        """
        self._shown().scroll_position = new_scroll_position

    def size(self) -> int:
        return len(self._items)

    def pointer(self) -> int:
        return self._pointer

    def go_back(self) -> NavigationHistoryItem:
        """The output before the shown one, or the oldest.

        Raises:
            ValueError: there is none yet.
        """
        if self.can_go_back():
            self._pointer -= 1
        return self._shown()

    def go_forward(self) -> NavigationHistoryItem:
        """The output after the shown one, or the newest.

        Raises:
            ValueError: there is none yet.
        """
        if self.can_go_forward():
            self._pointer += 1
        return self._shown()

    def can_go_back(self) -> bool:
        return self._pointer > 0

    def can_go_forward(self) -> bool:
        return self._pointer + 1 < len(self._items)

    def _shown(self) -> NavigationHistoryItem:
        if not self._items:
            raise ValueError("Empty navigation history")
        return self._items[self._pointer]

    def render(
        self,
        max_length: int,
        backward_command: str,
        forward_command: str,
        latest_command_attribute: Any = "black_on_white",
        old_command_attribute: Any = "magenta_on_white",
    ) -> RichTextLines:
        """The bar: `| <-- --> | (-1) command`.

        Args:
            max_length: columns. backward_command, forward_command: what the arrows do.
            latest_command_attribute, old_command_attribute: fonts of the command.
        """
        back = MenuItem("", backward_command) if self.can_go_back() else None
        on = MenuItem("", forward_command) if self.can_go_forward() else None
        line = RichLine("| ") + RichLine(self.BACK_ARROW_TEXT, back) + " "
        line += RichLine(self.FORWARD_ARROW_TEXT, on)
        if self._items:
            line += " | "
            age = self._pointer - (len(self._items) - 1)
            font = old_command_attribute if age else latest_command_attribute
            if age:
                line += RichLine(f"({age}) ", font)
            room = max(max_length - len(line), 0)
            line += RichLine(self._shown().command[:room], font)
        return rich_text_lines_from_rich_line_list([line])
