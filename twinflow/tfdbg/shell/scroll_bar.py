"""A scroll bar in characters."""

from twinflow.tfdbg.text.rich_text import RichTextLines

SCROLL_REFRESH = "refresh"
SCROLL_UP = "up"
SCROLL_DOWN = "down"
SCROLL_UP_A_LINE = "up_a_line"
SCROLL_DOWN_A_LINE = "down_a_line"
SCROLL_HOME = "home"
SCROLL_END = "end"
SCROLL_TO_LINE_INDEX = "scroll_to_line_index"

_ENDS = {1: ("U", "D"), 2: ("UP", "DN"), 3: ("UP ", "DN ")}  # by width


class ScrollBar:
    """The bar of an output that is taller than the screen.

    Args:
        min_x, min_y, max_x, max_y: its corners on the screen, which belong to it.
        scroll_position: the first line that is shown, of `output_num_rows`.
    Raises:
        ValueError: there is no room for it.
    """

    BASE_ATTR = "black_on_white"

    def __init__(
        self, min_x: int, min_y: int, max_x: int, max_y: int,
        scroll_position: int, output_num_rows: int,
    ) -> None:  # fmt: skip
        self._min_y = min_y
        self._position, self._rows = scroll_position, output_num_rows
        self._width, self._height = max_x - min_x + 1, max_y - min_y + 1
        if self._width < 1:
            raise ValueError(f"Insufficient width for ScrollBar ({self._width})")
        if self._height < 3:
            raise ValueError(f"Insufficient height for ScrollBar ({self._height})")

    def _block_y(self, screen_coord_sys: bool = False) -> int:
        """The row of the block: 1 at the top, below the button."""
        row = 1
        if self._rows > 1:
            row += int(self._position / (self._rows - 1) * (self._height - 3))
        return row + (self._min_y if screen_coord_sys else 0)

    def layout(self) -> RichTextLines:
        """The lines of the bar; empty ones where there is nothing to scroll."""
        lines = [" " * self._width] * self._height
        if self._rows <= 1:
            return RichTextLines(lines)
        wide = (" UP ".center(self._width), "DOWN".center(self._width))
        lines[0], lines[-1] = _ENDS.get(self._width, wide)
        marked = (0, self._block_y(), self._height - 1)
        return RichTextLines(
            lines, {row: [(0, self._width, self.BASE_ATTR)] for row in marked}
        )

    def get_click_command(self, mouse_y: int) -> str | None:
        """Where a click on a row of the screen scrolls to."""
        row, block = mouse_y - self._min_y, self._block_y()
        if self._rows <= 1 or not 0 <= row < self._height or row == block:
            return None
        if row == 0:
            return SCROLL_UP_A_LINE
        if row == self._height - 1:
            return SCROLL_DOWN_A_LINE
        return SCROLL_UP if row < block else SCROLL_DOWN
